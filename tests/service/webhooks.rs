// Endpoints, Assistants: the webhook switches. States: Webhook activation on an assistant.

use crate::receiver::{Reaction, Receiver, Told};
use crate::support::{ADA, BOB, Service};
use serde_json::{Value, json};

const HOOK: &str = "https://example.com/hook";
const PHONE: &str = "+493012345678";

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

/// A sandbox in which the first attempt to tell `receiver` of the end of a chat of Ada has failed.
async fn waiting(receiver: &mut Receiver) -> Told {
    let told = Told::sandbox().await;
    told.tell(ADA, 1, &receiver.url).await;
    receiver.will([Reaction::Status(500)]);
    told.ended_chat(PHONE).await;
    receiver.next().await;
    assert_eq!(told.tried(1).await["status"], "pending");
    told
}

/// Ada's delivery has ended. Moves the clock past every retry, and waits until something that came due at the same moment
/// has arrived.
async fn let_retries_pass(told: &Told) {
    assert_eq!(told.deliveries(ADA).await[0]["status"], "failed");
    let mut other = Receiver::start().await;
    told.tell(BOB, 4, &other.url).await;
    other.will([Reaction::Status(500)]);
    let body = json!({"sender_id": 3, "customer_phone": PHONE, "text": "Hi"});
    told.service.post(BOB, "/sandbox/inbound-message", body).await.is(200);
    told.end(BOB, &told.newest(BOB).await).await;
    other.next().await;
    while told.deliveries(BOB).await[0]["attempts"] != 1 {}
    told.service.advance(300).await;
    other.next().await;
}

#[tokio::test]
async fn retry_does_not_come_after_its_webhook_is_switched_off() {
    let mut receiver = Receiver::start().await;
    let told = waiting(&mut receiver).await;
    let off = json!({"assistant_id": 1});
    switch(&told.service, ADA, "disable-conversation-ended-webhook", off.clone()).await.is(200);
    let ended = told.deliveries(ADA).await.remove(0);
    assert_eq!((&ended["status"], &ended["next_attempt_at"]), (&json!("failed"), &Value::Null));
    assert_eq!(ended["last_error"], "the webhook was switched off or given another URL");
    let_retries_pass(&told).await;
    assert!(receiver.nothing_came());
    // What is asked for still goes there.
    told.service.post(ADA, "/sandbox/deliveries/1/resend", json!({})).await.is(200);
    receiver.next().await;
}

#[tokio::test]
async fn retry_does_not_come_after_its_webhook_has_another_url() {
    let (mut receiver, mut other) = (Receiver::start().await, Receiver::start().await);
    let told = waiting(&mut receiver).await;
    told.tell(ADA, 1, &other.url).await;
    let_retries_pass(&told).await;
    assert!(receiver.nothing_came() && other.nothing_came());
    told.ended_chat("+493012345679").await;
    assert_eq!(other.next().await.json()["customer_phone"], "+493012345679");
}

#[tokio::test]
async fn retry_does_not_come_after_an_update_of_the_assistant_clears_the_url() {
    let mut receiver = Receiver::start().await;
    let told = waiting(&mut receiver).await;
    let change = json!({"conversation_ended_webhook_url": null});
    told.service.put(ADA, "/user/assistant/1", change).await.is(200);
    let_retries_pass(&told).await;
    assert!(receiver.nothing_came());
}

#[tokio::test]
async fn retry_comes_where_other_webhooks_change_or_the_url_stays() {
    let mut receiver = Receiver::start().await;
    let told = waiting(&mut receiver).await;
    told.tell(ADA, 1, &receiver.url).await;
    told.tell(ADA, 2, HOOK).await;
    for operation in ["disable-inbound-webhook", "disable-webhook"] {
        switch(&told.service, ADA, operation, json!({"assistant_id": 1})).await.is(200);
    }
    switch(&told.service, ADA, "disable-conversation-ended-webhook", json!({"assistant_id": 2})).await.is(200);
    told.service.put(ADA, "/user/assistant/1", json!({"name": "Reception 2"})).await.is(200);
    told.service.advance(30).await;
    receiver.next().await;
    assert_eq!(told.tried(2).await["status"], "delivered");
}

#[tokio::test]
async fn retry_of_a_call_does_not_come_after_its_webhook_is_switched_off() {
    let mut receiver = Receiver::start().await;
    for (assistant, call, operation) in [(2, "inbound", "disable-inbound-webhook"), (1, "outbound", "disable-webhook")]
    {
        let told = Told::sandbox().await;
        receiver.will([Reaction::Status(500)]);
        if call == "inbound" {
            let on = json!({"assistant_id": assistant, "webhook_url": receiver.url});
            switch(&told.service, ADA, "enable-inbound-webhook", on).await.is(200);
            let call = json!({"assistant_id": assistant, "customer_phone": PHONE});
            told.service.post(ADA, "/sandbox/inbound-call", call).await.is(200);
        } else {
            let on = json!({"is_webhook_active": true, "webhook_url": receiver.url});
            told.service.put(ADA, "/user/assistant/1", on).await.is(200);
            let call = json!({"assistant_id": assistant, "phone_number": PHONE});
            told.service.post(ADA, "/api/user/make_call", call).await.is(200);
        }
        while told.deliveries(ADA).await.is_empty() {
            told.service.advance(60).await;
        }
        receiver.next().await;
        told.tried(1).await;
        // The call itself may go: whose webhook its delivery is for stays known.
        told.service.delete(ADA, "/user/calls/1").await;
        switch(&told.service, ADA, operation, json!({"assistant_id": assistant})).await.is(200);
        let_retries_pass(&told).await;
        assert!(receiver.nothing_came(), "{call}");
    }
}
