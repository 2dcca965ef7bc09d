// Endpoints, Assistants: the webhook switches. States: Webhook activation on an assistant.

use crate::support::{ADA, BOB, Service};
use serde_json::{Value, json};

const HOOK: &str = "https://example.com/hook";

async fn switch(service: &Service, token: &str, operation: &str, body: Value) -> crate::support::Answer {
    service.post(token, &format!("/api/user/assistants/{operation}"), body).await
}

/// A field of Ada's assistant 1 in the full list.
async fn field(service: &Service, name: &str) -> Value {
    let page = service.get(ADA, "/user/assistants/get").await.is(200);
    page["data"].as_array().unwrap().iter().find(|row| row["id"] == 1).unwrap()[name].clone()
}

#[tokio::test]
async fn the_inbound_webhook_is_switched_on_and_off() {
    let service = Service::sandbox().await;
    assert_eq!(field(&service, "inbound_webhook_url").await, Value::Null);
    let body = json!({"assistant_id": 1, "webhook_url": HOOK});
    let on = switch(&service, ADA, "enable-inbound-webhook", body).await.is(200);
    assert_eq!(on, json!({"message": "Webhook enabled successfully", "data": []}));
    assert_eq!(field(&service, "inbound_webhook_url").await, HOOK);
    let off = switch(&service, ADA, "disable-inbound-webhook", json!({"assistant_id": 1})).await.is(200);
    assert_eq!(off, json!({"message": "Inbound webhook disabled successfully", "data": []}));
    assert_eq!(field(&service, "inbound_webhook_url").await, Value::Null);
}

#[tokio::test]
async fn the_conversation_ended_webhook_is_switched_on_and_off() {
    let service = Service::sandbox().await;
    let body = json!({"assistant_id": 1, "webhook_url": HOOK});
    let on = switch(&service, ADA, "enable-conversation-ended-webhook", body).await.is(200);
    assert_eq!(on, json!({"message": "Conversation ended webhook enabled successfully", "data": []}));
    assert_eq!(field(&service, "conversation_ended_webhook_url").await, HOOK);
    let off = switch(&service, ADA, "disable-conversation-ended-webhook", json!({"assistant_id": 1})).await.is(200);
    assert_eq!(off, json!({"message": "Conversation ended webhook disabled successfully", "data": []}));
    assert_eq!(field(&service, "conversation_ended_webhook_url").await, Value::Null);
}

#[tokio::test]
async fn the_post_call_webhook_shows_in_the_outbound_list_and_is_switched_off() {
    let service = Service::sandbox().await;
    let on = json!({"is_webhook_active": true, "webhook_url": HOOK});
    service.put(ADA, "/user/assistant/1", on).await.is(200);
    let row = service.get(ADA, "/user/assistants/outbound").await.is(200)[0].clone();
    assert_eq!((&row["webhook_url"], &row["is_webhook_active"]), (&json!(HOOK), &json!(true)));
    let off = switch(&service, ADA, "disable-webhook", json!({"assistant_id": 1})).await.is(200);
    assert_eq!(off, json!({"message": "Webhook disabled successfully", "data": []}));
    let row = service.get(ADA, "/user/assistants/outbound").await.is(200)[0].clone();
    assert_eq!((&row["webhook_url"], &row["is_webhook_active"]), (&Value::Null, &json!(false)));
}

#[tokio::test]
async fn missing_fields_of_a_switch_have_their_fixed_text() {
    let service = Service::sandbox().await;
    for operation in ["enable-inbound-webhook", "enable-conversation-ended-webhook"] {
        for body in [json!({}), json!({"assistant_id": null, "webhook_url": null})] {
            assert_eq!(
                switch(&service, ADA, operation, body).await.is(422),
                json!({
                    "message": "The given data was invalid.",
                    "errors": {
                        "assistant_id": ["The assistant id field is required."],
                        "webhook_url": ["The webhook url field is required."],
                    }
                })
            );
        }
    }
    for operation in ["disable-inbound-webhook", "disable-conversation-ended-webhook", "disable-webhook"] {
        assert_eq!(
            switch(&service, ADA, operation, json!({})).await.is(422),
            json!({
                "message": "The given data was invalid.",
                "errors": {"assistant_id": ["The assistant id field is required."]}
            })
        );
    }
}

#[tokio::test]
async fn a_webhook_url_is_one_of_the_web_and_not_too_long() {
    let service = Service::sandbox().await;
    for wrong in ["example.com", "ftp://example.com", &format!("https://example.com/{}", "x".repeat(2_048))] {
        let body = json!({"assistant_id": 1, "webhook_url": wrong});
        let answer = switch(&service, ADA, "enable-inbound-webhook", body).await.is(422);
        assert!(answer["errors"]["webhook_url"].is_array(), "{wrong}");
    }
}

#[tokio::test]
async fn switches_of_a_missing_or_foreign_assistant_answer_alike() {
    let service = Service::sandbox().await;
    for operation in [
        "enable-inbound-webhook",
        "disable-inbound-webhook",
        "enable-conversation-ended-webhook",
        "disable-conversation-ended-webhook",
        "disable-webhook",
    ] {
        let body = |id: i64| json!({"assistant_id": id, "webhook_url": HOOK});
        let foreign = switch(&service, BOB, operation, body(1)).await;
        assert_eq!(foreign.body, json!({"message": "Assistant not found"}));
        assert_eq!(foreign.status, 404);
        assert_eq!(switch(&service, BOB, operation, body(999)).await, foreign);
    }
    assert_eq!(field(&service, "inbound_webhook_url").await, Value::Null);
}
