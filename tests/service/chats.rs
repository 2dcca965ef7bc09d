//! The shapes are those of the live platform; the spec only names conversations and their messages.

use crate::support::{ADA, Answer, BOB, Service, WORLD, options};
use serde_json::{Value, json};
use switchboard::service::Options;

const PHONE: &str = "+493012345678";
const NOBODYS: &str = "01234567-89ab-4cde-8f01-23456789abcd";

async fn newest(service: &Service) -> Value {
    service.get(ADA, "/user/conversations?per_page=1").await.is(200)["data"][0].clone()
}

/// The id of Ada's first assistant, as chats want it.
async fn assistant(service: &Service) -> Value {
    service.customer_writes("+493099999999", "x").await.is(200);
    newest(service).await["assistant_id"].clone()
}

async fn start(service: &Service, kind: &str) -> String {
    let body = json!({"assistant_id": assistant(service).await, "type": kind});
    let started = service.post(ADA, "/api/conversations", body).await.is(200);
    started["conversation_id"].as_str().unwrap().to_owned()
}

async fn say(service: &Service, id: &str, message: &str) -> Answer {
    service.post(ADA, &format!("/api/conversations/{id}/messages"), json!({"message": message})).await
}

async fn row(service: &Service, id: &str) -> Value {
    let page = service.get(ADA, "/user/conversations?per_page=100").await.is(200);
    page["data"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap().clone()
}

// GET /conversations/{uuid}

#[tokio::test]
async fn a_messaging_conversation_shows_its_messages_and_both_parties() {
    let service = Service::sandbox().await;
    service.customer_writes(PHONE, "Hallo").await.is(200);
    service.customer_writes(PHONE, "Noch da?").await.is(200);
    let id = newest(&service).await["id"].as_str().unwrap().to_owned();
    assert_eq!(
        service.get(ADA, &format!("/conversations/{id}")).await.is(200),
        json!({
            "status": true,
            "history": [{"role": "user", "content": "Hallo"}, {"role": "user", "content": "Noch da?"}],
            "variables": null,
            "msgapp_sender": {"name": "Acme Support", "phone": "+14155550100"},
            "customer": {"name": "Zoë", "phone": PHONE},
        })
    );
}

#[tokio::test]
async fn a_conversation_that_was_made_up_has_as_many_messages_as_the_list_says() {
    let world = WORLD.replacen("tokens =", "generate = { conversations = 60 }\ntokens =", 1);
    let service = Service::with(options(&world)).await;
    let page = service.get(ADA, "/user/conversations?per_page=100").await.is(200);
    let mut kinds = Vec::new();
    for row in page["data"].as_array().unwrap() {
        let path = format!("/conversations/{}", row["id"].as_str().unwrap());
        let read = service.get(ADA, &path).await.is(200);
        assert_eq!(read["history"].as_array().unwrap().len() as u64, row["message_count"].as_u64().unwrap());
        assert_eq!(read, service.get(ADA, &path).await.is(200), "the same each time");
        let has = |field: &str| read.as_object().unwrap().contains_key(field);
        assert_eq!(has("external_identifier"), row["type"] == "api");
        assert_eq!(has("msgapp_sender") && has("customer"), row["type"] == "msgapp");
        assert_eq!(has("msgapp_sender") || has("customer"), row["type"] == "msgapp");
        kinds.push(row["type"].as_str().unwrap().to_owned());
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 4);
}

#[tokio::test]
async fn what_is_said_in_a_made_up_conversation_follows_what_it_began_with() {
    let world = WORLD.replacen("tokens =", "generate = { conversations = 60 }\ntokens =", 1);
    let service = Service::with(Options { sandbox: true, ..options(&world) }).await;
    let page = service.get(ADA, "/user/conversations?type=widget").await.is(200);
    let id = page["data"][0]["id"].as_str().unwrap();
    let path = format!("/conversations/{id}");
    let before = service.get(ADA, &path).await.is(200)["history"].as_array().unwrap().clone();
    service.post(ADA, &format!("/api/automate{path}/enable-ai"), json!({})).await.is(200);
    let reply = say(&service, id, "Noch etwas").await.is(200)["message"].clone();
    let after = service.get(ADA, &path).await.is(200)["history"].as_array().unwrap().clone();
    let said = [json!({"role": "user", "content": "Noch etwas"}), json!({"role": "assistant", "content": reply})];
    assert_eq!(after, [before, said.to_vec()].concat());
}

// POST /conversations

#[tokio::test]
async fn a_chat_starts_with_what_the_assistant_says_first() {
    let service = Service::sandbox().await;
    let body = json!({
        "assistant_id": assistant(&service).await, "type": "widget", "variables": {"name": "Zoë"}, "unknown": 1
    });
    let started = service.post(ADA, "/api/conversations", body).await.is(200);
    assert_eq!(started.as_object().unwrap().keys().collect::<Vec<_>>(), ["status", "conversation_id", "history"]);
    assert_eq!(started["status"], true);
    let greeting = service.get(ADA, "/user/assistants/outbound").await.is(200)[0]["initial_message"].clone();
    assert_eq!(started["history"], json!([{"role": "assistant", "content": greeting}]));
    let id = started["conversation_id"].as_str().unwrap();
    let read = service.get(ADA, &format!("/conversations/{id}")).await.is(200);
    assert_eq!((&read["history"], &read["variables"]), (&started["history"], &json!({"name": "Zoë"})));
    let row = row(&service, id).await;
    assert_eq!((&row["type"], &row["message_count"]), (&json!("widget"), &json!(1)));
}

#[tokio::test]
async fn a_chat_names_what_is_wrong_with_its_start() {
    let service = Service::sandbox().await;
    let mine = assistant(&service).await;
    for (body, error) in [
        (json!({}), "The assistant id field is required."),
        (json!({"assistant_id": null, "type": "test"}), "The assistant id field is required."),
        (json!({"assistant_id": 1, "type": "test"}), "The assistant id must be a string."),
        (json!({"assistant_id": mine}), "The type field is required."),
        (json!({"assistant_id": mine, "type": "msgapp"}), "The selected type is invalid."),
        (json!({"assistant_id": mine, "type": "test", "variables": "x"}), "The variables must be an object."),
    ] {
        let answer = service.post(ADA, "/api/conversations", body.clone()).await.is(422);
        assert_eq!(answer, json!({"status": false, "error": error}), "{body}");
    }
}

#[tokio::test]
async fn a_chat_needs_an_assistant_of_the_callers() {
    let service = Service::sandbox().await;
    let mine = assistant(&service).await;
    let start = async |token: &str, id: &Value| {
        service.post(token, "/api/conversations", json!({"assistant_id": id, "type": "test"})).await
    };
    let foreign = start(BOB, &mine).await;
    assert_eq!(foreign.status, 404);
    assert_eq!(foreign.body, json!({"status": false, "error": "Assistant not found"}));
    for unknown in [NOBODYS, "1", "x"] {
        assert_eq!(start(BOB, &json!(unknown)).await, foreign);
    }
}

// POST /conversations/{uuid}/messages

#[tokio::test]
async fn a_customers_message_is_answered_and_counted() {
    let service = Service::sandbox().await;
    let id = start(&service, "test").await;
    let answer = say(&service, &id, "Kann ich mit Karte zahlen?").await.is(200);
    let reply = "Natürlich, wir nehmen alle gängigen Karten.";
    assert_eq!(answer, json!({"status": true, "message": reply, "function_calls": []}));
    let row = row(&service, &id).await;
    assert_eq!((&row["message_count"], &row["total_cost"]), (&json!(3), &json!(0.0)), "tests are free");
    let read = service.get(ADA, &format!("/conversations/{id}")).await.is(200);
    assert_eq!(read["history"][2], json!({"role": "assistant", "content": reply}));
}

#[tokio::test]
async fn a_message_has_at_most_2000_characters_and_at_least_one() {
    let service = Service::sandbox().await;
    let id = start(&service, "test").await;
    say(&service, &id, &"é".repeat(2000)).await.is(200);
    for (message, error) in [
        (json!("é".repeat(2001)), "The message may not be greater than 2000 characters."),
        (json!("  "), "The message field is required."),
        (Value::Null, "The message field is required."),
        (json!(7), "The message must be a string."),
    ] {
        let path = format!("/api/conversations/{id}/messages");
        let answer = service.post(ADA, &path, json!({"message": message})).await.is(422);
        assert_eq!(answer, json!({"status": false, "error": error}));
    }
}

#[tokio::test]
async fn customers_of_the_messaging_app_do_not_write_here() {
    let service = Service::sandbox().await;
    service.customer_writes(PHONE, "Hallo").await.is(200);
    let id = newest(&service).await["id"].as_str().unwrap().to_owned();
    let answer = say(&service, &id, "Hallo").await.is(400);
    assert_eq!((&answer["status"], answer["error"].is_string()), (&json!(false), true));
}

#[tokio::test]
async fn a_widget_chat_is_paid_from_the_balance_and_ends_with_it() {
    let world = WORLD.replacen("tokens =", "balance = 0.02\ntokens =", 1);
    let service = Service::with(Options { sandbox: true, ..options(&world) }).await;
    let id = start(&service, "widget").await;
    let mut paid = 0;
    let refused = loop {
        let answer = say(&service, &id, "Hallo").await;
        if answer.status != 200 {
            break answer;
        }
        paid += 1;
    };
    let broke = json!({"status": false, "error": "Insufficient balance. Please top up your account."});
    assert_eq!((refused.status, &refused.body), (400, &broke));
    let row = row(&service, &id).await;
    assert_eq!(row["message_count"], 1 + 2 * paid, "a refused message leaves nothing behind");
    let cost = row["total_cost"].as_f64().unwrap();
    assert!(paid > 0 && cost > 0.0 && cost <= 0.02, "{cost} for {paid}");
    let body = json!({"assistant_id": row["assistant_id"], "type": "widget"});
    assert_eq!(service.post(ADA, "/api/conversations", body).await.is(400), broke);
    let test = start(&service, "test").await;
    say(&service, &test, "Hallo").await.is(200);
}

// POST /automate/conversations/{uuid}/disable-ai and enable-ai

#[tokio::test]
async fn a_person_takes_over_and_hands_back() {
    let service = Service::sandbox().await;
    let id = start(&service, "widget").await;
    let switch = async |to: &str| service.post(ADA, &format!("/api/automate/conversations/{id}/{to}"), json!({})).await;
    for _ in 0..2 {
        assert_eq!(switch("disable-ai").await.is(200), json!({"status": true, "ai_enabled": false}));
        assert_eq!(row(&service, &id).await["ai_enabled"], false);
    }
    let answer = say(&service, &id, "Hallo?").await.is(200);
    assert_eq!(answer, json!({"status": true, "message": null, "function_calls": []}));
    let taken_over = row(&service, &id).await;
    assert_eq!((&taken_over["message_count"], &taken_over["total_cost"]), (&json!(2), &json!(0.0)));
    assert_eq!(switch("enable-ai").await.is(200), json!({"status": true, "ai_enabled": true}));
    assert!(say(&service, &id, "Hallo?").await.is(200)["message"].is_string());
}

// Rule 1: what belongs to someone else is answered as not found

#[tokio::test]
async fn a_conversation_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = Service::sandbox().await;
    let id = start(&service, "test").await;
    let message = json!({"message": "Hi"});
    for path in ["messages", "disable-ai", "enable-ai"] {
        let at = |id: &str| match path {
            "messages" => format!("/api/conversations/{id}/{path}"),
            _ => format!("/api/automate/conversations/{id}/{path}"),
        };
        let foreign = service.post(BOB, &at(&id), message.clone()).await;
        assert_eq!(foreign.body, json!({"status": false, "error": "Conversation not found"}));
        assert_eq!(foreign.status, 404);
        for unknown in [NOBODYS, "x", "1", "%FF"] {
            assert_eq!(service.post(BOB, &at(unknown), message.clone()).await, foreign, "{unknown}");
        }
    }
    let foreign = service.get(BOB, &format!("/conversations/{id}")).await;
    assert_eq!((foreign.status, &foreign.body["error"]), (404, &json!("Conversation not found")));
    assert_eq!(service.get(BOB, &format!("/conversations/{NOBODYS}")).await, foreign);
}
