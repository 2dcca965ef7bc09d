//! Spec: Endpoints, `POST /user/msgapp/send`.

use crate::senders_world::{CAROL, WORLD, ZOE, but, coded, fields, freeform, sale, sandbox};
use crate::support::{ADA, BOB, Service, options};
use serde_json::{Value, json};
use switchboard::service::Options;

// ---- Body fields and the answer.

#[tokio::test]
async fn a_send_answers_with_its_numbers_its_sid_and_its_status() {
    let service = sandbox().await;
    let sent = service.send(sale(ZOE)).await.is(200);
    assert_eq!(
        fields(&sent),
        ["success", "conversation_id", "message_id", "msgapp_message_id", "message_sid", "status"]
    );
    assert_eq!((&sent["success"], &sent["status"]), (&json!(true), &json!("queued")));
    for id in ["conversation_id", "message_id", "msgapp_message_id"] {
        assert!(sent[id].is_i64(), "{id}");
    }
    let sid = sent["message_sid"].as_str().unwrap();
    assert!(sid.starts_with("SM") && sid.len() == 34 && sid[2..].bytes().all(|byte| byte.is_ascii_hexdigit()), "{sid}");
}

#[tokio::test]
async fn required_fields_are_all_named_when_they_are_missing_or_null() {
    let service = sandbox().await;
    for body in [json!({}), json!({"sender_id": null, "template_id": null, "recipient_phone": null, "variables": null})]
    {
        let answer = service.send(body).await.is(422);
        assert_eq!(fields(&answer["errors"]), ["recipient_phone", "sender_id", "template_id"]);
        assert_eq!(answer["errors"]["sender_id"], json!(["The sender id field is required."]));
        assert_eq!(answer["message"], "The sender id field is required. (and 2 more errors)");
    }
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_a_validation_error() {
    let service = sandbox().await;
    for (field, value) in [
        ("sender_id", json!("1")),
        ("template_id", json!(1.5)),
        ("recipient_phone", json!(14_155_550_123_u64)),
        ("recipient_name", json!(["Zoë"])),
        ("variables", json!("date")),
        ("variables", json!(["x"])),
        ("variables", json!({"date": 7})),
        ("variables", json!({"date": null})),
    ] {
        service.advance(1).await;
        let answer = service.send(but(sale(ZOE), json!({field: value}))).await.is(422);
        assert_eq!(fields(&answer["errors"]), [field], "{value}");
    }
}

#[tokio::test]
async fn a_recipients_name_has_at_most_255_characters_and_is_kept_with_the_conversation() {
    let service = sandbox().await;
    let long = service.send(but(sale(ZOE), json!({"recipient_name": "é".repeat(256)}))).await.is(422);
    assert_eq!(long["errors"]["recipient_name"], json!(["The recipient name may not be greater than 255 characters."]));
    let name = "é".repeat(255);
    service.send(but(sale(ZOE), json!({"recipient_name": name}))).await.is(200);
    assert_eq!(service.session(ZOE).await["customer_name"], name);
    service.send(sale(ZOE)).await.is(200);
    assert_eq!(service.session(ZOE).await["customer_name"], name, "a send without a name takes none away");
}

#[tokio::test]
async fn variables_come_by_name_or_by_position() {
    let service = sandbox().await;
    let reminder = but(sale(ZOE), json!({"template_id": 1}));
    for variables in [
        json!({"customer_name": "Zoë", "date": "May 1"}),
        json!({"1": "Zoë", "2": "May 1"}),
        json!({"2": "May 1", "customer_name": "Zoë"}),
    ] {
        service.send(but(reminder.clone(), json!({"variables": variables}))).await.is(200);
    }
    for none in [json!({}), json!([])] {
        service.send(but(sale(ZOE), json!({"variables": none}))).await.is(200);
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    let service = sandbox().await;
    service.send(but(sale(ZOE), json!({"colour": "red"}))).await.is(200);
}

// ---- Rules 1 and 2: an approved template, an online sender.

#[tokio::test]
async fn only_an_approved_template_can_be_sent_and_the_refusal_names_the_status() {
    let service = sandbox().await;
    for (template_id, status) in [(3, "pending"), (4, "rejected")] {
        let answer = service.send(but(sale(ZOE), json!({"template_id": template_id}))).await.is(422);
        let words = format!("Template is not approved. Current status: {status}");
        assert_eq!(coded(&answer), ("TEMPLATE_NOT_APPROVED", words.as_str()));
    }
}

#[tokio::test]
async fn only_an_online_sender_can_send_and_the_refusal_names_the_status() {
    let service = sandbox().await;
    let answer = service.send(but(sale(ZOE), json!({"sender_id": 2, "template_id": 5}))).await.is(422);
    assert_eq!(coded(&answer), ("SENDER_OFFLINE", "Sender is not online. Current status: Offline"));
}

// ---- Rule 3: the cost.

#[tokio::test]
async fn a_tenant_pays_in_credits_by_what_the_template_is_for() {
    let service = sandbox().await;
    service.send(sale(ZOE)).await.is(200);
    assert!((service.balance(ADA).await - 9.92).abs() < 1e-9, "marketing");
    let variables = json!({"1": "Zoë", "2": "May 1"});
    service.send(but(sale(ZOE), json!({"template_id": 1, "variables": variables}))).await.is(200);
    assert!((service.balance(ADA).await - 9.89).abs() < 1e-9, "utility");
    let cost = service.conversations(ADA).await[0]["total_cost"].as_f64().unwrap();
    assert!((cost - 0.11).abs() < 1e-9, "{cost}");
}

#[tokio::test]
async fn a_direct_user_pays_in_minutes() {
    let service = sandbox().await;
    let body = json!({"sender_id": 4, "template_id": 7, "recipient_phone": ZOE});
    service.post(BOB, "/api/user/msgapp/send", body).await.is(200);
    assert!((service.balance(BOB).await - 4.8).abs() < 1e-9);
    assert_eq!(service.conversations(BOB).await[0]["total_cost"], 0.02);
}

#[tokio::test]
async fn a_balance_that_is_too_low_refuses_and_is_left_as_it_is() {
    let service = sandbox().await;
    let body = json!({"sender_id": 5, "template_id": 8, "recipient_phone": ZOE});
    for status in [200, 200, 402] {
        let answer = service.post(CAROL, "/api/user/msgapp/send", body.clone()).await.is(status);
        if status == 402 {
            let words = "Insufficient balance. Please top up your account.";
            assert_eq!(coded(&answer), ("INSUFFICIENT_BALANCE", words));
        }
    }
    assert!((service.balance(CAROL).await - 0.005).abs() < 1e-9);
    assert_eq!(service.conversations(CAROL).await[0]["message_count"], 2);
}

#[tokio::test]
async fn sends_at_the_same_moment_never_spend_the_same_credit() {
    let service = sandbox().await;
    let body = json!({"sender_id": 5, "template_id": 8, "recipient_phone": ZOE});
    let sends = (0..5).map(|_| service.post(CAROL, "/api/user/msgapp/send", body.clone()));
    let answers = futures_util::future::join_all(sends).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(402)), (2, 3));
    assert!((service.balance(CAROL).await - 0.005).abs() < 1e-9);
    assert_eq!(service.conversations(CAROL).await.len(), 1);
}

#[tokio::test]
async fn a_send_that_is_refused_costs_nothing_and_leaves_no_conversation() {
    let service = sandbox().await;
    service.send(sale("+14155999010")).await.is(422);
    service.send(but(sale(ZOE), json!({"variables": {"x": "y"}}))).await.is(422);
    assert!((service.balance(ADA).await - 10.0).abs() < 1e-9);
    assert_eq!(service.conversations(ADA).await, [Value::Null; 0]);
}

// ---- Rule 4: a successful send opens the window. See `window.rs` too.

#[tokio::test]
async fn a_send_opens_the_window_and_a_refused_one_does_not() {
    let service = sandbox().await;
    service.send(sale("+14155999015")).await.is(422);
    assert_eq!(service.session("+14155999015").await["has_conversation"], false);
    service.send(sale(ZOE)).await.is(200);
    assert_eq!(service.session(ZOE).await["session_status"]["is_open"], true);
    service.send_freeform(freeform(ZOE)).await.is(200);
}

// ---- Rule 5: the conversation that the message goes to.

#[tokio::test]
async fn messages_to_one_recipient_are_added_to_one_conversation() {
    let service = sandbox().await;
    let first = service.send(sale(ZOE)).await.is(200);
    let second = service.send(sale(ZOE)).await.is(200);
    let other = service.send(sale("+493012345679")).await.is(200);
    assert_eq!(first["conversation_id"], second["conversation_id"]);
    assert_ne!(first["conversation_id"], other["conversation_id"]);
    for id in ["message_id", "msgapp_message_id", "message_sid"] {
        assert_ne!(first[id], second[id]);
    }
    let listed = service.conversations(ADA).await;
    let counts: Vec<_> = listed.iter().map(|row| row["message_count"].as_u64().unwrap()).collect();
    assert_eq!((counts, &listed[0]["type"]), (vec![1, 2], &json!("msgapp")));
    assert_eq!(listed[1]["msgapp_sender"], json!({"name": "Acme Support", "phone": "+14155550100"}));
    assert_eq!(listed[1]["customer"]["phone"], ZOE);
    assert_eq!(listed[1]["assistant_name"], "Reception");
}

#[tokio::test]
async fn a_conversation_that_has_ended_or_expired_is_gone_on_with() {
    let service = sandbox().await;
    let written = service.customer_writes(ZOE, "Hallo").await.is(200);
    let uuid = service.conversations(ADA).await[0]["id"].clone();
    service.post(ADA, "/sandbox/end-conversation", json!({"conversation_id": uuid})).await.is(200);
    service.advance(30 * 3600).await;
    let sent = service.send(sale(ZOE)).await.is(200);
    assert_eq!(sent["conversation_id"], written["conversation_id"]);
    let listed = service.conversations(ADA).await;
    assert_eq!((listed.len(), &listed[0]["message_count"]), (1, &json!(2)));
    assert_eq!(listed[0]["updated_at"], "2026-11-22 18:00:00");
}

// ---- Rule 7: the errors, and the order in which they are looked for.

#[tokio::test]
async fn a_sender_that_is_not_there_or_not_the_callers_is_not_found() {
    let service = sandbox().await;
    let foreign = service.send(but(sale(ZOE), json!({"sender_id": 4}))).await;
    let unknown = service.send(but(sale(ZOE), json!({"sender_id": 99}))).await;
    assert_eq!(foreign, unknown);
    assert_eq!(coded(&unknown.is(404)), ("SENDER_NOT_FOUND", "Sender not found or does not belong to you"));
}

#[tokio::test]
async fn a_template_that_is_not_there_or_of_another_sender_is_not_found() {
    let service = sandbox().await;
    let words = "Template not found or does not belong to this sender";
    for template_id in [5, 7, 99, -1] {
        let answer = service.send(but(sale(ZOE), json!({"template_id": template_id}))).await.is(404);
        assert_eq!(coded(&answer), ("TEMPLATE_NOT_FOUND", words));
    }
}

#[tokio::test]
async fn a_number_that_is_not_e164_is_refused() {
    let service = sandbox().await;
    for phone in ["4915112345678", "+49 151 12345678", "+0123456789", "nobody", "+1234567"] {
        let answer = service.send(sale(phone)).await.is(422);
        let words = "Invalid phone number format. Use E.164 format (e.g., +14155551234).";
        assert_eq!(coded(&answer), ("INVALID_PHONE", words), "{phone}");
    }
}

#[tokio::test]
async fn a_sender_without_an_assistant_cannot_send() {
    let service = sandbox().await;
    let answer = service.send(but(sale(ZOE), json!({"sender_id": 3, "template_id": 6}))).await.is(422);
    assert_eq!(coded(&answer), ("NO_ASSISTANT_CONFIGURED", "No assistant is configured for this sender"));
}

#[tokio::test]
async fn variables_that_are_missing_or_unknown_do_not_match_the_template() {
    let service = sandbox().await;
    let reminder = but(sale(ZOE), json!({"template_id": 1}));
    for (variables, words) in [
        (json!({}), "The template needs a value for: customer_name, date."),
        (json!({"1": "Zoë"}), "The template needs a value for: date."),
        (json!({"1": "Zoë", "2": "May 1", "day": "1"}), "The template has no variable called: day."),
        (json!({"1": "Zoë", "2": "May 1", "3": "1"}), "The template has no variable called: 3."),
    ] {
        let answer = service.send(but(reminder.clone(), json!({"variables": variables}))).await.is(422);
        assert_eq!(coded(&answer), ("TEMPLATE_MISMATCH", words));
    }
    let answer = service.send(but(sale(ZOE), json!({"variables": {"1": "x"}}))).await.is(422);
    assert_eq!(coded(&answer).0, "TEMPLATE_MISMATCH");
}

#[tokio::test]
async fn checks_come_in_a_fixed_order() {
    let service = sandbox().await;
    // Everything is wrong at first; each step puts right what was refused.
    let mut body = json!({"sender_id": "x", "template_id": 4, "recipient_phone": "nobody", "variables": {"x": "y"}});
    let steps = [
        (None, json!({"sender_id": 4})),
        (Some("SENDER_NOT_FOUND"), json!({"sender_id": 1, "template_id": 99})),
        (Some("TEMPLATE_NOT_FOUND"), json!({"template_id": 4})),
        (Some("TEMPLATE_NOT_APPROVED"), json!({"sender_id": 3, "template_id": 6})),
        (Some("INVALID_PHONE"), json!({"recipient_phone": "+14155999015"})),
        (Some("NO_ASSISTANT_CONFIGURED"), json!({"sender_id": 2, "template_id": 5})),
        (Some("SENDER_OFFLINE"), json!({"sender_id": 1, "template_id": 1})),
        (Some("TEMPLATE_MISMATCH"), json!({"template_id": 2, "variables": {}})),
        (Some("UNKNOWN_ERROR"), json!({})),
    ];
    for (code, right) in steps {
        service.advance(1).await;
        let answer = service.send(body.clone()).await;
        assert_eq!(answer.body["error_code"].as_str(), code, "{}", answer.body);
        body = but(body, right);
    }
    // The balance is looked at before the provider is asked.
    let poor = json!({"sender_id": 5, "template_id": 8, "recipient_phone": "+14155999015"});
    assert_eq!(service.post(CAROL, "/api/user/msgapp/send", poor.clone()).await.is(422)["error_code"], "UNKNOWN_ERROR");
    for _ in 0..2 {
        service.post(CAROL, "/api/user/msgapp/send", but(poor.clone(), json!({"recipient_phone": ZOE}))).await.is(200);
    }
    assert_eq!(service.post(CAROL, "/api/user/msgapp/send", poor).await.is(402)["error_code"], "INSUFFICIENT_BALANCE");
}

#[tokio::test]
async fn without_a_valid_token_nothing_is_looked_at() {
    let service = sandbox().await;
    for path in ["send", "send-freeform"] {
        let answer = service.post("nonsense", &format!("/api/user/msgapp/{path}"), json!({})).await;
        assert_eq!(answer.is(401), json!({"message": "Unauthenticated."}));
    }
}

// ---- Limits: 5 requests a second.

async fn headers(service: &Service, token: &str, path: &str) -> (u16, Vec<String>, Value) {
    let request = service.request(reqwest::Method::POST, token, &format!("/api/user/msgapp/{path}")).json(&sale(ZOE));
    let response = request.send().await.unwrap();
    let names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after"];
    let header = |name: &str| response.headers().get(name).map_or("-", |value| value.to_str().unwrap()).to_owned();
    let found = names.map(header).to_vec();
    (response.status().as_u16(), found, response.json().await.unwrap())
}

#[tokio::test]
async fn a_sixth_request_within_a_second_is_turned_away_and_told_when_to_come_back() {
    let service = sandbox().await;
    // Noon and a second, in seconds since 1970.
    let reset = "1795262401";
    for remaining in ["4", "3", "2", "1", "0"] {
        let (status, found, _) = headers(&service, ADA, "send").await;
        assert_eq!((status, found), (200, ["5", remaining, reset, "-"].map(str::to_owned).to_vec()));
    }
    let (status, found, body) = headers(&service, ADA, "send").await;
    assert_eq!((status, found), (429, ["5", "0", reset, "1"].map(str::to_owned).to_vec()));
    assert_eq!(body, json!({"message": "Too Many Attempts.", "retry_after": 1}));
    assert_eq!(service.conversations(ADA).await[0]["message_count"], 5);
    service.advance(1).await;
    service.send(sale(ZOE)).await.is(200);
}

#[tokio::test]
async fn requests_that_are_refused_count_and_both_sends_share_the_limit() {
    let service = sandbox().await;
    service.send(json!({})).await.is(422);
    service.send(but(sale(ZOE), json!({"sender_id": 99}))).await.is(404);
    service.send_freeform(freeform(ZOE)).await.is(403);
    let nonsense = service.request(reqwest::Method::POST, ADA, "/api/user/msgapp/send").body("{");
    assert_eq!(nonsense.header("Content-Type", "application/json").send().await.unwrap().status(), 400);
    service.send(sale(ZOE)).await.is(200);
    service.send(sale(ZOE)).await.is(429);
    service.send_freeform(freeform(ZOE)).await.is(429);
}

#[tokio::test]
async fn the_limit_is_each_users_own_and_holds_for_sends_only() {
    let service = sandbox().await;
    for _ in 0..5 {
        service.send(sale(ZOE)).await.is(200);
    }
    service.send(sale(ZOE)).await.is(429);
    let body = json!({"sender_id": 4, "template_id": 7, "recipient_phone": ZOE});
    service.post(BOB, "/api/user/msgapp/send", body).await.is(200);
    service.session(ZOE).await;
}

#[tokio::test]
async fn the_limit_is_exact_when_requests_come_at_the_same_moment() {
    let service = sandbox().await;
    let sends = (0..40).map(|_| service.send(sale(ZOE)));
    let answers = futures_util::future::join_all(sends).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(429)), (5, 35));
}

// ---- The sender's limit: the provider's own, and so its code.

#[tokio::test]
async fn a_sender_with_a_limit_opens_so_many_windows_in_24_hours_and_no_more() {
    let world = WORLD.replace("messaging_limit = 1000", "messaging_limit = 2");
    let service = Service::with(Options { sandbox: true, ..options(&world) }).await;
    let to = async |last: u32| {
        service.advance(1).await;
        service.send(sale(&format!("+4930123456{last:02}"))).await
    };
    to(1).await.is(200);
    service.advance(3600).await;
    to(2).await.is(200);
    let before = (service.balance(ADA).await, service.conversations(ADA).await);
    let refused = to(3).await.is(422);
    assert_eq!(coded(&refused), ("PROVIDER_ERROR_63018", "The sender has reached its messaging limit"));
    assert_eq!((service.balance(ADA).await, service.conversations(ADA).await), before, "nothing has happened");

    to(2).await.is(200);
    service.customer_writes("+493012345604", "Hallo").await.is(200);
    to(4).await.is(200);
    to(3).await.is(422);

    service.advance(23 * 3600).await;
    to(3).await.is(200);
    to(1).await.is(422);
}
