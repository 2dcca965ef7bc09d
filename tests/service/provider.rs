//! Spec: States, message delivery status; and the failures at will of a sandbox.

use crate::senders_world::{WORLD, ZOE, coded, freeform, sale, sandbox};
use crate::support::{ADA, BOB, Service, options};
use serde_json::{Value, json};
use switchboard::service::simulation::provider;

async fn delivery(service: &Service, sent: &Value) -> Value {
    let path = format!("/sandbox/messages/{}", sent["message_sid"].as_str().unwrap());
    let response = service.request(reqwest::Method::GET, ADA, &path).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.json().await.unwrap()
}

/// The statuses that a message to this number goes through, looked at each second.
async fn journey(phone: &str) -> Vec<String> {
    let service = sandbox().await;
    let sent = service.send(sale(phone)).await.is(200);
    let mut seen = Vec::new();
    for _ in 0..60 {
        let status = delivery(&service, &sent).await["status"].as_str().unwrap().to_owned();
        if seen.last() != Some(&status) {
            seen.push(status);
        }
        service.advance(1).await;
    }
    seen
}

// ---- Delivery.

#[tokio::test]
async fn a_message_is_queued_sent_delivered_and_read() {
    assert_eq!(journey(ZOE).await, ["queued", "sent", "delivered", "read"]);
}

#[tokio::test]
async fn a_message_can_stop_at_each_other_end() {
    assert_eq!(journey("+14155999000").await, ["queued", "sent", "delivered", "read"]);
    assert_eq!(journey("+14155999001").await, ["queued", "sent", "delivered"]);
    assert_eq!(journey("+14155999002").await, ["queued", "sent", "undelivered"]);
    assert_eq!(journey("+14155999003").await, ["queued", "failed"]);
}

#[tokio::test]
async fn a_clock_that_jumps_takes_a_message_to_its_end_at_once() {
    let service = sandbox().await;
    let sent = service.send(sale(ZOE)).await.is(200);
    service.advance(10 * 24 * 3600).await;
    let delivery = delivery(&service, &sent).await;
    assert_eq!(delivery["status"], "read");
    assert_eq!(delivery["updated_at"], "2026-11-21T12:00:49.000000Z", "when it was read, not when that was looked at");
}

#[tokio::test]
async fn a_message_of_somebody_else_is_not_there() {
    let service = sandbox().await;
    let sent = service.send(sale(ZOE)).await.is(200);
    let path = format!("/sandbox/messages/{}", sent["message_sid"].as_str().unwrap());
    let status = |token, path: String| service.request(reqwest::Method::GET, token, &path).send();
    assert_eq!(status(BOB, path).await.unwrap().status(), 404);
    assert_eq!(status(ADA, "/sandbox/messages/SM0".to_owned()).await.unwrap().status(), 404);
}

// ---- Simulated failures.

#[test]
fn the_readme_shows_the_table_of_failures() {
    let readme = include_str!("../../README.md");
    let section = readme.split("### Simulated failures\n").nth(1).unwrap().split("\n#").next().unwrap();
    let shown: Vec<_> = section.lines().filter(|line| line.starts_with("| `")).map(str::to_owned).collect();
    let table: Vec<_> =
        provider::failures().iter().map(|(ending, what, _)| format!("| `9990{ending}` | {what} |")).collect();
    assert_eq!(shown, table);
}

#[tokio::test]
async fn the_last_digits_choose_what_the_provider_refuses() {
    let service = sandbox().await;
    for (ending, code) in [
        ("10", "TEMPLATE_NOT_SYNCED"),
        ("11", "TEMPLATE_MISMATCH"),
        ("12", "MESSAGING_LIMIT_UNAVAILABLE"),
        ("13", "VOICE_CALL_LIMIT_NOT_MET"),
        ("14", "PROVIDER_ERROR_63024"),
        ("15", "UNKNOWN_ERROR"),
    ] {
        service.advance(1).await;
        let answer = service.send(sale(&format!("+141559990{ending}"))).await;
        assert_eq!(coded(&answer.is(422)).0, code);
    }
    assert!((service.balance(ADA).await - 10.0).abs() < 1e-9);
}

#[tokio::test]
async fn a_freeform_message_meets_the_same_provider() {
    let service = sandbox().await;
    service.customer_writes("+14155999014", "Hi").await.is(200);
    let answer = service.send_freeform(freeform("+14155999014")).await.is(422);
    assert_eq!(coded(&answer).0, "PROVIDER_ERROR_63024");
}

#[tokio::test]
async fn a_slow_answer_comes_when_its_time_has_come_and_the_message_is_there_before() {
    let service = sandbox().await;
    let slow = service.request(reqwest::Method::POST, ADA, "/api/user/msgapp/send").json(&sale("+14155999020"));
    let slow = tokio::spawn(slow.send());
    while service.conversations(ADA).await.is_empty() {}
    service.advance(4).await;
    assert!(!slow.is_finished());
    service.advance(1).await;
    assert_eq!(slow.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn a_connection_can_break_before_the_message_is_stored() {
    let service = sandbox().await;
    service.send_and_break(sale("+14155999021")).await;
    assert_eq!(service.conversations(ADA).await, [Value::Null; 0]);
    assert!((service.balance(ADA).await - 10.0).abs() < 1e-9);
}

#[tokio::test]
async fn a_connection_can_break_after_the_message_is_stored() {
    let service = sandbox().await;
    service.send_and_break(sale("+14155999022")).await;
    assert_eq!(service.conversations(ADA).await[0]["message_count"], 1);
    assert!((service.balance(ADA).await - 9.92).abs() < 1e-9);
}

#[tokio::test]
async fn outside_a_sandbox_numbers_choose_nothing() {
    let service = Service::with(options(WORLD)).await;
    for phone in ["+14155999015", "+14155999022"] {
        let body = json!({"sender_id": 1, "template_id": 2, "recipient_phone": phone});
        service.post(ADA, "/api/user/msgapp/send", body).await.is(200);
    }
}
