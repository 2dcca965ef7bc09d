//! Spec: States, the 24-hour window; Endpoints, `GET /user/msgapp/session-status`; sending freeform.

use crate::senders_world::{CAROL, ZOE, but, coded, fields, freeform, sale, sandbox};
use crate::support::{ADA, Answer, BOB, Service};
use serde_json::{Value, json};

const DAY: u64 = 24 * 3600;
const NONE: &str = "No conversation exists with this recipient. Send a template message first.";
const EXPIRED: &str = "Session expired. Send a template or wait for customer to reply.";

async fn status(service: &Service, query: &str) -> Answer {
    service.get(ADA, &format!("/user/msgapp/session-status{query}")).await
}

/// Carol's answer and what is left of her money.
async fn carol_writes_freeform(service: &Service) -> Answer {
    let body = json!({"sender_id": 5, "recipient_phone": ZOE, "message": "Hi"});
    service.post(CAROL, "/api/user/msgapp/send-freeform", body).await
}

// ---- Fields and their presence.

#[tokio::test]
async fn without_a_conversation_only_a_template_can_be_sent() {
    let service = sandbox().await;
    assert_eq!(
        service.session(ZOE).await,
        json!({
            "success": true,
            "has_conversation": false,
            "session_status": {
                "is_open": false,
                "can_send_freeform": false,
                "requires_template": true,
                "message": NONE,
                "expires_at": null
            }
        })
    );
}

#[tokio::test]
async fn an_open_window_tells_how_long_it_is_open() {
    let service = sandbox().await;
    let written = service.customer_writes(ZOE, "Hallo").await.is(200);
    service.advance(15 * 60 - 30).await;
    assert_eq!(
        service.session(ZOE).await,
        json!({
            "success": true,
            "has_conversation": true,
            "conversation_id": written["conversation_id"],
            "customer_name": "Zoë",
            "last_customer_message_at": "2026-11-21T12:00:00+00:00",
            "session_status": {
                "is_open": true,
                "can_send_freeform": true,
                "requires_template": false,
                "message": "Session open (23 hr 45 min remaining). Unlimited free-form messages allowed.",
                "minutes_remaining": 1425,
                "expires_at": "2026-11-22T12:00:00+00:00"
            }
        })
    );
}

#[tokio::test]
async fn an_expired_window_tells_since_when() {
    let service = sandbox().await;
    let written = service.customer_writes(ZOE, "Hallo").await.is(200);
    service.advance(DAY).await;
    assert_eq!(
        service.session(ZOE).await,
        json!({
            "success": true,
            "has_conversation": true,
            "conversation_id": written["conversation_id"],
            "customer_name": "Zoë",
            "last_customer_message_at": "2026-11-21T12:00:00+00:00",
            "session_status": {
                "is_open": false,
                "can_send_freeform": false,
                "requires_template": true,
                "message": EXPIRED,
                "expired_at": "2026-11-22T12:00:00+00:00"
            }
        })
    );
}

#[tokio::test]
async fn a_conversation_in_which_only_we_have_written_has_no_customer_message_and_no_name() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    let open = service.session(ZOE).await;
    assert_eq!(
        fields(&open),
        ["success", "has_conversation", "conversation_id", "last_customer_message_at", "session_status"]
    );
    assert_eq!(open["last_customer_message_at"], Value::Null);
    assert_eq!(open["session_status"]["expires_at"], "2026-11-22T12:00:00+00:00");
    assert_eq!(open["session_status"]["minutes_remaining"], 1440);
    service.advance(DAY).await;
    let expired = service.session(ZOE).await["session_status"].clone();
    assert_eq!(fields(&expired), ["is_open", "can_send_freeform", "requires_template", "message", "expired_at"]);
}

#[tokio::test]
async fn looking_changes_and_costs_nothing() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    let (before, money) = (service.conversations(ADA).await, service.balance(ADA).await);
    for _ in 0..10 {
        service.session(ZOE).await;
    }
    assert_eq!(service.conversations(ADA).await, before);
    assert!((service.balance(ADA).await - money).abs() < 1e-9);
}

// ---- States and transitions.

#[tokio::test]
async fn a_message_of_the_customer_restarts_the_24_hours() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    service.advance(DAY - 60).await;
    service.customer_writes(ZOE, "Hallo").await.is(200);
    service.advance(DAY - 60).await;
    let session = service.session(ZOE).await;
    assert_eq!(session["session_status"]["minutes_remaining"], 1);
    assert_eq!(session["last_customer_message_at"], "2026-11-22T11:59:00+00:00");
}

#[tokio::test]
async fn a_message_of_the_customer_opens_an_expired_window() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    service.advance(2 * DAY).await;
    assert_eq!(service.session(ZOE).await["session_status"]["is_open"], false);
    service.customer_writes(ZOE, "Hallo").await.is(200);
    assert_eq!(service.session(ZOE).await["session_status"]["is_open"], true);
}

#[tokio::test]
async fn a_template_opens_an_expired_window_and_leaves_an_open_one_as_it_is() {
    let service = sandbox().await;
    service.customer_writes(ZOE, "Hallo").await.is(200);
    service.advance(3600).await;
    service.send(sale(ZOE)).await.is(200);
    assert_eq!(service.session(ZOE).await["session_status"]["expires_at"], "2026-11-22T12:00:00+00:00");
    service.advance(DAY).await;
    assert_eq!(service.session(ZOE).await["session_status"]["is_open"], false);
    service.send(sale(ZOE)).await.is(200);
    assert_eq!(service.session(ZOE).await["session_status"]["expires_at"], "2026-11-23T13:00:00+00:00");
}

#[tokio::test]
async fn the_window_belongs_to_one_sender_and_one_recipient() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    assert_eq!(service.session("+493012345679").await["has_conversation"], false);
    let other = status(&service, "?sender_id=2&recipient_phone=%2B493012345678").await.is(200);
    assert_eq!(other["has_conversation"], false);
}

#[tokio::test]
async fn an_ended_conversation_keeps_its_window() {
    let service = sandbox().await;
    service.customer_writes(ZOE, "Hallo").await.is(200);
    let uuid = service.conversations(ADA).await[0]["id"].clone();
    service.post(ADA, "/sandbox/end-conversation", json!({"conversation_id": uuid})).await.is(200);
    assert_eq!(service.session(ZOE).await["session_status"]["is_open"], true);
}

// ---- Query parameters and errors.

#[tokio::test]
async fn both_parameters_are_required() {
    let service = sandbox().await;
    let answer = status(&service, "").await.is(422);
    assert_eq!(fields(&answer["errors"]), ["recipient_phone", "sender_id"]);
    let answer = status(&service, "?sender_id=one&recipient_phone=").await.is(422);
    assert_eq!(answer["errors"]["sender_id"], json!(["The sender id must be an integer."]));
    assert_eq!(answer["errors"]["recipient_phone"], json!(["The recipient phone field is required."]));
}

#[tokio::test]
async fn a_plus_that_was_not_encoded_is_understood() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    for phone in ["%2B493012345678", "+493012345678", "493012345678"] {
        let session = status(&service, &format!("?sender_id=1&recipient_phone={phone}")).await.is(200);
        assert_eq!(session["has_conversation"], true, "{phone}");
    }
    let answer = status(&service, "?sender_id=1&recipient_phone=nobody").await.is(422);
    assert_eq!(coded(&answer).0, "INVALID_PHONE");
}

#[tokio::test]
async fn a_sender_that_is_not_there_or_not_the_callers_is_not_found() {
    let service = sandbox().await;
    let unknown = status(&service, "?sender_id=99&recipient_phone=%2B493012345678").await;
    let foreign = status(&service, "?sender_id=4&recipient_phone=%2B493012345678").await;
    assert_eq!(unknown, foreign);
    assert_eq!(coded(&unknown.is(404)), ("SENDER_NOT_FOUND", "Sender not found"));
    service.get(BOB, "/user/msgapp/session-status?sender_id=4&recipient_phone=%2B493012345678").await.is(200);
}

// ---- `POST /user/msgapp/send-freeform`.

#[tokio::test]
async fn a_freeform_message_in_an_open_window_tells_the_window() {
    let service = sandbox().await;
    let written = service.customer_writes(ZOE, "Hallo").await.is(200);
    let sent = service.send_freeform(freeform(ZOE)).await.is(200);
    let names = ["success", "conversation_id", "message_id", "msgapp_message_id", "message_sid", "session_status"];
    assert_eq!(fields(&sent), names);
    assert_eq!(sent["conversation_id"], written["conversation_id"]);
    assert_eq!(sent["session_status"], service.session(ZOE).await["session_status"]);
    assert!((service.balance(ADA).await - 9.995).abs() < 1e-9);
    assert_eq!(service.conversations(ADA).await[0]["message_count"], 2);
}

#[tokio::test]
async fn a_freeform_message_needs_an_open_window_and_does_not_open_one() {
    let service = sandbox().await;
    let words = "The 24-hour messaging window is closed. Customer must reply first, or use a template message.";
    for before in ["none", "expired"] {
        let answer = service.send_freeform(freeform(ZOE)).await.is(403);
        assert_eq!(fields(&answer), ["success", "error", "error_code", "session_status"]);
        assert_eq!((&answer["success"], &answer["error_code"]), (&json!(false), &json!("SESSION_EXPIRED")));
        assert_eq!(answer["error"], words, "{before}");
        assert_eq!(answer["session_status"], service.session(ZOE).await["session_status"]);
        service.customer_writes(ZOE, "Hallo").await.is(200);
        service.advance(DAY).await;
    }
    assert_eq!(service.conversations(ADA).await[0]["message_count"], 2);
}

#[tokio::test]
async fn a_freeform_message_leaves_the_window_as_it_is() {
    let service = sandbox().await;
    service.customer_writes(ZOE, "Hallo").await.is(200);
    service.advance(3600).await;
    service.send_freeform(freeform(ZOE)).await.is(200);
    assert_eq!(service.session(ZOE).await["session_status"]["expires_at"], "2026-11-22T12:00:00+00:00");
}

#[tokio::test]
async fn a_freeform_message_has_1_to_4096_characters() {
    let service = sandbox().await;
    service.customer_writes(ZOE, "Hallo").await.is(200);
    service.send_freeform(but(freeform(ZOE), json!({"message": "é".repeat(4096)}))).await.is(200);
    for wrong in [json!("é".repeat(4097)), json!(""), json!(7)] {
        let answer = service.send_freeform(but(freeform(ZOE), json!({"message": wrong}))).await.is(422);
        assert_eq!(fields(&answer["errors"]), ["message"]);
    }
    let answer = service.send_freeform(json!({})).await.is(422);
    assert_eq!(fields(&answer["errors"]), ["message", "recipient_phone", "sender_id"]);
}

#[tokio::test]
async fn a_freeform_message_is_refused_like_a_template_and_with_503_by_an_offline_sender() {
    let service = sandbox().await;
    let answer = service.send_freeform(but(freeform(ZOE), json!({"sender_id": 4}))).await.is(404);
    assert_eq!(coded(&answer), ("SENDER_NOT_FOUND", "Sender not found or does not belong to you"));
    let answer = service.send_freeform(freeform("0123")).await.is(422);
    assert_eq!(coded(&answer).0, "INVALID_PHONE");
    let answer = service.send_freeform(but(freeform(ZOE), json!({"sender_id": 2}))).await.is(503);
    assert_eq!(coded(&answer), ("SENDER_OFFLINE", "Sender is not online. Current status: Offline"));
}

#[tokio::test]
async fn a_freeform_message_needs_a_balance() {
    let service = sandbox().await;
    let body = json!({"sender_id": 5, "template_id": 8, "recipient_phone": ZOE});
    for _ in 0..2 {
        service.post(CAROL, "/api/user/msgapp/send", body.clone()).await.is(200);
    }
    carol_writes_freeform(&service).await.is(200);
    assert_eq!(coded(&carol_writes_freeform(&service).await.is(402)).0, "INSUFFICIENT_BALANCE");
    assert!(service.balance(CAROL).await.abs() < 1e-9);
}
