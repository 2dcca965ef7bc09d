// Endpoints, Calls; the list, one, and deletion as the live platform has them.

use crate::support::{ADA, Answer, BOB, Service, WORLD, fields, noon, options};
use serde_json::{Value, json};
use std::time::Duration;
use switchboard::service::{Clock, Options};

const PHONE: &str = "+4930123456";

async fn make(service: &Service, body: Value) -> Answer {
    service.post(ADA, "/api/user/make_call", body).await
}

async fn call(service: &Service, phone: &str) {
    make(service, json!({"phone_number": phone, "assistant_id": 1})).await.is(200);
}

async fn shown(service: &Service, id: i64) -> Value {
    service.get(ADA, &format!("/user/calls/{id}")).await.is(200)
}

async fn ids(service: &Service, query: &str) -> Vec<i64> {
    let page = service.get(ADA, &format!("/user/calls?{query}")).await.is(200);
    page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_call_is_initiated_rings_is_talked_on_ends_and_is_written_down() {
    let service = Service::sandbox().await;
    let answer = make(&service, json!({"phone_number": PHONE, "assistant_id": 1})).await.is(200);
    assert_eq!(answer, json!({"message": "Call initiated successfully", "data": {}}));
    let mut seen = vec![];
    for _ in 0..120 {
        let status = shown(&service, 1).await["status"].as_str().unwrap().to_owned();
        if seen.last() != Some(&status) {
            seen.push(status);
        }
        service.advance(1).await;
    }
    assert_eq!(seen, ["initiated", "ringing", "in-progress", "ended", "completed"]);
}

#[tokio::test]
async fn a_completed_call_has_every_field() {
    let service = Service::sandbox().await;
    let variables = json!({"company": "Lindqvist", "name": "Zoë"});
    make(&service, json!({"phone_number": PHONE, "assistant_id": 1, "variables": variables})).await.is(200);
    let fresh = shown(&service, 1).await;
    assert_eq!((&fresh["duration"], &fresh["answered_by"]), (&json!(0), &Value::Null));
    service.advance(3_600).await;
    let call = shown(&service, 1).await;
    assert_eq!(
        fields(&call),
        "id assistant_name campaign_name type duration assistant_phone_number client_phone_number status transcript \
         variables evaluation webhook_response carrier_cost total_cost answered_by recording_url created_at updated_at"
            .split(' ')
            .collect::<Vec<_>>()
    );
    for (field, value) in [
        ("assistant_name", json!("Reception")),
        ("type", json!("outbound")),
        ("status", json!("completed")),
        ("assistant_phone_number", json!("+14155550100")),
        ("client_phone_number", json!(PHONE)),
        ("variables", variables),
        ("answered_by", json!("human")),
        ("created_at", json!("2026-11-21T12:00:00.000000Z")),
    ] {
        assert_eq!(call[field], value, "{field}");
    }
    let seconds = call["duration"].as_i64().unwrap();
    assert!((12..=40).contains(&seconds));
    assert_eq!(call["total_cost"], format!("0.{:06}00", seconds * 2_000));
    assert_eq!(fields(&call["transcript"][0]), ["text", "type", "sender", "timestamp"]);
    assert_eq!(call["transcript"][0]["sender"], "bot");
    assert!(call["transcript"].as_array().unwrap().iter().any(|said| said["sender"] == "human"));
    let found: Vec<_> = call["evaluation"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect();
    assert_eq!(found, ["status", "summary"]);
}

#[tokio::test]
async fn variables_of_the_assistant_stand_where_none_are_given() {
    let service = Service::sandbox().await;
    make(&service, json!({"phone_number": PHONE, "assistant_id": "1", "variables": {"name": "Zoë"}})).await.is(200);
    assert_eq!(shown(&service, 1).await["variables"], json!({"company": "Acme", "name": "Zoë"}));
}

#[tokio::test]
async fn a_call_needs_a_number_and_an_assistant() {
    let service = Service::sandbox().await;
    let missing = make(&service, json!({"phone_number": null})).await.is(422);
    assert_eq!(fields(&missing["errors"]), ["assistant_id", "phone_number"]);
    assert_eq!(missing["errors"]["phone_number"], json!(["The phone number field is required."]));
    for (field, wrong) in [("assistant_id", json!("x")), ("variables", json!({"a": 1})), ("phone_number", json!(49))] {
        let mut body = json!({"phone_number": PHONE, "assistant_id": 1});
        body[field] = wrong;
        assert_eq!(fields(&make(&service, body).await.is(422)["errors"]), [field]);
    }
}

#[tokio::test]
async fn a_number_that_is_not_e164_is_a_bad_request() {
    let service = Service::sandbox().await;
    for phone in ["030 123456", "4930123456", "+49 30 123456", "+0301234567", "+1234567"] {
        let answer = make(&service, json!({"phone_number": phone, "assistant_id": 1})).await.is(400);
        let message = "Invalid phone number format. Please use E.164 format (e.g. +1234567890)";
        assert_eq!(answer, json!({"message": message}), "{phone}");
    }
}

#[tokio::test]
async fn only_ones_own_outbound_assistants_call() {
    let service = Service::sandbox().await;
    for assistant in [4, 999] {
        let answer = make(&service, json!({"phone_number": PHONE, "assistant_id": assistant})).await.is(404);
        let message = "Assistant not found or does not belong to the authenticated user";
        assert_eq!(answer, json!({"message": message}), "{assistant}");
    }
    let chat = make(&service, json!({"phone_number": PHONE, "assistant_id": 2})).await.is(422);
    assert_eq!(fields(&chat["errors"]), ["assistant_id"]);
    assert_eq!(ids(&service, "").await, [0; 0]);
}

async fn with_balance(kind: &str, balance: &str) -> Service {
    let fields = format!("kind = \"{kind}\"\nbalance = {balance}\ntokens =");
    let world = WORLD.replacen("tokens =", &fields, 1);
    Service::with(Options { sandbox: true, ..options(&world) }).await
}

#[tokio::test]
async fn a_balance_that_does_not_last_for_a_minute_is_too_low() {
    let answer = json!({"message": "Insufficient balance to make call. Please top up your account."});
    for (kind, too_little, enough) in [("tenant", "0.119", "0.12"), ("direct", "0.9", "1.0")] {
        let service = with_balance(kind, too_little).await;
        let body = json!({"phone_number": PHONE, "assistant_id": 1});
        assert_eq!(make(&service, body.clone()).await.is(422), answer, "{kind}");
        let service = with_balance(kind, enough).await;
        make(&service, body).await.is(200);
    }
}

#[tokio::test]
async fn a_call_is_paid_when_they_have_talked_and_a_balance_never_goes_below_zero() {
    let service = with_balance("direct", "1.0").await;
    call(&service, PHONE).await;
    service.advance(3_600).await;
    assert_eq!(ids(&service, "status=completed").await, [1]);
    let again = make(&service, json!({"phone_number": PHONE, "assistant_id": 1})).await.is(422);
    assert!(again["message"].as_str().unwrap().starts_with("Insufficient balance"));
}

#[tokio::test]
async fn a_call_that_does_not_come_about_costs_nothing() {
    let service = with_balance("direct", "1.0").await;
    for digits in ["999101", "999102", "999103"] {
        call(&service, &format!("+14155{digits}")).await;
        service.advance(3_600).await;
    }
    assert_eq!(shown(&service, 1).await["total_cost"], "0.00000000");
    call(&service, PHONE).await;
}

#[tokio::test]
async fn the_last_digits_of_a_number_choose_what_comes_of_a_call_in_a_sandbox() {
    let service = Service::sandbox().await;
    for (id, (digits, status, answered_by)) in (1..).zip([
        ("999101", "busy", Value::Null),
        ("999102", "no-answer", Value::Null),
        ("999103", "failed", Value::Null),
        ("999104", "ended_by_customer", json!("human")),
        ("999105", "ended_by_assistant", json!("human")),
        ("999106", "completed", json!("machine")),
    ]) {
        call(&service, &format!("+14155{digits}")).await;
        service.advance(60).await;
        let call = shown(&service, id).await;
        assert_eq!((&call["status"], &call["answered_by"]), (&json!(status), &answered_by), "{digits}");
    }
}

#[tokio::test]
async fn calls_go_on_by_themselves_and_no_number_is_special_without_a_sandbox() {
    let clock = Clock::fixed(noon());
    let service = Service::at(options(WORLD), clock.clone()).await;
    make(&service, json!({"phone_number": "+14155999101", "assistant_id": 1})).await.is(200);
    assert_eq!(shown(&service, 1).await["status"], "initiated");
    clock.advance(Duration::from_secs(60));
    let mut asked = 0;
    while shown(&service, 1).await["status"] != "completed" {
        asked += 1;
        assert!(asked < 10_000, "the call does not go on");
    }
}

#[tokio::test]
async fn a_call_lasts_no_longer_than_its_assistant_allows() {
    let service = Service::sandbox().await;
    service.put(ADA, "/user/assistant/1", json!({"max_duration": 20})).await.is(200);
    let body = json!({"assistant_id": 1, "customer_phone": PHONE, "duration_seconds": 300});
    service.post(ADA, "/sandbox/inbound-call", body).await.is(200);
    service.advance(3_600).await;
    assert_eq!(shown(&service, 1).await["duration"], 20);
}

#[tokio::test]
async fn a_customer_calls_in_a_sandbox_and_the_call_completes() {
    let service = Service::sandbox().await;
    let body = json!({"assistant_id": 2, "customer_phone": PHONE});
    let calling = service.post(ADA, "/sandbox/inbound-call", body).await.is(200);
    assert_eq!(calling, json!({"call_id": 1}));
    service.advance(60).await;
    let call = shown(&service, 1).await;
    assert_eq!((&call["type"], &call["status"]), (&json!("inbound"), &json!("completed")));
    let foreign = service.post(BOB, "/sandbox/inbound-call", json!({"assistant_id": 1, "customer_phone": PHONE})).await;
    assert_eq!(foreign.is(404), json!({"message": "Assistant not found"}));
    let wrong = json!({"assistant_id": "1", "customer_phone": "030", "duration_seconds": 0});
    let wrong = service.post(ADA, "/sandbox/inbound-call", wrong).await.is(422);
    assert_eq!(fields(&wrong["errors"]), ["assistant_id", "customer_phone", "duration_seconds"]);
}

#[tokio::test]
async fn calls_are_listed_in_pages_and_by_every_filter() {
    let service = Service::sandbox().await;
    call(&service, PHONE).await;
    service.advance(2 * 86_400).await;
    make(&service, json!({"phone_number": "+14155999101", "assistant_id": 3})).await.is(200);
    service.advance(60).await;
    let body = json!({"assistant_id": 2, "customer_phone": PHONE});
    service.post(ADA, "/sandbox/inbound-call", body).await.is(200);
    for (query, expected) in [
        ("", vec![3, 2, 1]),
        ("per_page=2", vec![3, 2]),
        ("per_page=2&page=2", vec![1]),
        ("page=9", vec![]),
        ("status=completed", vec![1]),
        ("status=busy", vec![2]),
        ("type=inbound", vec![3]),
        ("type=web", vec![]),
        ("phone_number=%2B4930123456", vec![3, 1]),
        ("assistant_id=3", vec![2]),
        ("campaign_id=1", vec![]),
        ("date_from=2026-11-22", vec![3, 2]),
        ("date_to=2026-11-21", vec![1]),
        ("date_from=2026-11-21&date_to=2026-11-23&type=outbound&assistant_id=1", vec![1]),
    ] {
        assert_eq!(ids(&service, query).await, expected, "{query}");
    }
    let page = service.get(ADA, "/user/calls?type=outbound&per_page=1").await.is(200);
    assert_eq!(fields(&page).len(), 13);
    assert_eq!((&page["total"], &page["last_page"]), (&json!(2), &json!(2)));
    let path = format!("{}/user/calls", service.running.base_url);
    assert_eq!(page["next_page_url"], format!("{path}?type=outbound&per_page=1&page=2"));
    assert_eq!(service.get(ADA, "/user/calls").await.is(200)["per_page"], 15);
    assert_eq!(service.get(BOB, "/user/calls").await.is(200)["total"], 0);
}

#[tokio::test]
async fn filters_that_cannot_be_are_refused() {
    let service = Service::sandbox().await;
    let wrong = "status=asleep&type=fax&assistant_id=x&campaign_id=y&date_from=1.1.&date_to=x&per_page=101";
    let answer = service.get(ADA, &format!("/user/calls?{wrong}")).await.is(422);
    let mut named = ["status", "type", "assistant_id", "campaign_id", "date_from", "date_to", "per_page"];
    named.sort_unstable();
    assert_eq!(fields(&answer["errors"]), named);
    let foreign = service.get(ADA, "/user/calls?assistant_id=4").await;
    assert_eq!(foreign.body, json!({"message": "Assistant not found"}));
    assert_eq!(service.get(ADA, "/user/calls?assistant_id=999").await, foreign);
}

#[tokio::test]
async fn calls_that_come_in_never_cost_more_than_there_is_nor_what_another_call_has_reserved() {
    for (balance, outbound) in [("0.0", false), ("0.12", true), ("0.5", true)] {
        let service = with_balance("tenant", balance).await;
        if outbound {
            make(&service, json!({"phone_number": PHONE, "assistant_id": 1})).await.is(200);
        }
        for nth in 0..5 {
            let phone = format!("+49301234560{nth}");
            let body = json!({"assistant_id": 1, "customer_phone": phone, "duration_seconds": 130});
            service.post(ADA, "/sandbox/inbound-call", body).await.is(200);
        }
        service.advance(7_200).await;
        let calls = service.get(ADA, "/user/calls").await.is(200)["data"].as_array().unwrap().clone();
        let cost: f64 = calls.iter().map(|call| call["total_cost"].as_str().unwrap().parse::<f64>().unwrap()).sum();
        let left = service.get(ADA, "/user/me").await.is(200)["total_balance"].as_f64().unwrap();
        let had: f64 = balance.parse().unwrap();
        assert!((had - cost - left).abs() < 1e-9, "{balance}: {cost} paid, {left} left");
        let unpaid = calls.iter().filter(|call| call["status"] == "failed");
        assert!(unpaid.clone().all(|call| call["duration"] == 0 && call["transcript"] == json!([])), "{calls:?}");
        assert!(unpaid.count() >= 1, "{balance}: {calls:?}");
        assert!(!calls.iter().any(|call| call["type"] == "outbound" && call["duration"] == 0), "{calls:?}");
    }
}

#[tokio::test]
async fn a_deleted_call_is_gone_and_what_was_talked_is_paid() {
    let service = with_balance("direct", "1.0").await;
    let body = json!({"assistant_id": 1, "customer_phone": PHONE, "duration_seconds": 600});
    service.post(ADA, "/sandbox/inbound-call", body).await.is(200);
    service.advance(10).await;
    assert_eq!(shown(&service, 1).await["status"], "in-progress");
    let deleted = service.delete(ADA, "/user/calls/1").await.is(200);
    assert_eq!(deleted, json!({"message": "Call deleted successfully"}));
    service.get(ADA, "/user/calls/1").await.is(404);
    service.advance(3_600).await;
    let answer = make(&service, json!({"phone_number": PHONE, "assistant_id": 1})).await;
    assert_eq!(answer.status, 422, "seven seconds of the one minute are gone");
}

#[tokio::test]
async fn a_call_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = Service::sandbox().await;
    call(&service, PHONE).await;
    for id in ["1", "999", "0", "x"] {
        let path = format!("/user/calls/{id}");
        for answer in [service.get(BOB, &path).await, service.delete(BOB, &path).await] {
            assert_eq!(answer.is(404), json!({"message": "Call not found"}), "{id}");
        }
    }
    shown(&service, 1).await;
}

#[tokio::test]
async fn a_call_reserves_its_first_minute_until_it_is_over() {
    let service = with_balance("tenant", "0.3").await;
    let body = json!({"phone_number": PHONE, "assistant_id": 1});
    let mut begun = 0;
    for _ in 0..30 {
        begun += usize::from(make(&service, body.clone()).await.status == 200);
    }
    assert_eq!(begun, 2, "two minutes of 0.12 are in 0.3");
    let balance = async || service.get(ADA, "/user/me").await.is(200)["total_balance"].as_f64().unwrap();
    assert!((balance().await - 0.3).abs() < 1e-9, "nothing is paid before they talk");
    service.advance(3_600).await;
    let mut cost = 0.0;
    for id in [1, 2] {
        cost += shown(&service, id).await["total_cost"].as_str().unwrap().parse::<f64>().unwrap();
    }
    assert!((balance().await - (0.3 - cost)).abs() < 1e-9, "what was not talked is given back");
}

#[tokio::test]
async fn each_further_minute_is_looked_at_and_a_call_without_one_ends() {
    let service = with_balance("direct", "2.5").await;
    let body = json!({"assistant_id": 1, "customer_phone": PHONE, "duration_seconds": 600});
    service.post(ADA, "/sandbox/inbound-call", body).await.is(200);
    service.advance(3_600).await;
    let call = shown(&service, 1).await;
    assert_eq!((&call["status"], &call["duration"]), (&json!("ended_by_assistant"), &json!(120)));
    assert_eq!(service.get(ADA, "/user/me").await.is(200)["total_balance"], 0.5);
}
