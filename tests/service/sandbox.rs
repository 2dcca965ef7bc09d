use crate::support::{ADA, BOB, Service, WORLD, options};
use reqwest::Method;
use serde_json::{Value, json};
use switchboard::service::Options;

async fn first(service: &Service) -> Value {
    service.get(ADA, "/user/conversations").await.is(200)["data"][0].clone()
}

#[tokio::test]
async fn the_clock_moves_on_for_the_whole_service() {
    let service = Service::sandbox().await;
    let answer = service.post(ADA, "/sandbox/clock", json!({"advance_seconds": 3600})).await.is(200);
    assert_eq!(answer, json!({"now": "2026-11-21T13:00:00.000000Z"}));
    let made = service.post(ADA, "/api/user/api-keys", json!({"name": "later"})).await.is(201);
    assert_eq!(made["api_key"]["created_at"], "2026-11-21T13:00:00.000000Z");
    for wrong in [
        json!({}),
        json!({"advance_seconds": -1}),
        json!({"advance_seconds": "1"}),
        json!({"advance_seconds": u64::MAX}),
    ] {
        let answer = service.post(ADA, "/sandbox/clock", wrong).await.is(422);
        assert!(answer["errors"]["advance_seconds"].is_array());
    }
}

#[tokio::test]
async fn nobody_moves_the_clock_to_where_the_service_cannot_go_on() {
    let service = Service::sandbox().await;
    let move_on = async || service.post(ADA, "/sandbox/clock", json!({"advance_seconds": 10 * 366 * 86_400})).await;
    let mut moved = 0;
    while move_on().await.status == 200 {
        moved += 1;
    }
    assert_eq!((moved, move_on().await.status), (695, 422));
    let chat = json!({"assistant_id": service.get(ADA, "/user/assistants/get").await.is(200)["data"][0]["uuid"], "type": "widget"});
    service.post(ADA, "/api/conversations", chat).await.is(200);
    service.post(ADA, "/api/user/make_call", json!({"assistant_id": 1, "phone_number": "+493012345678"})).await.is(200);
    for path in ["/user/me", "/user/conversations", "/user/calls", "/user/calls/1"] {
        service.get(ADA, path).await.is(200);
    }
}

#[tokio::test]
async fn every_answer_is_dated_by_the_clock_of_the_service() {
    let service = Service::sandbox().await;
    let dates = async || {
        let mut dates = Vec::new();
        // An answer, a refusal without a token, one without a route, and a fault that was asked for.
        for (token, path) in [
            (ADA, "/api/user/api-keys"),
            ("nobody's", "/api/user/api-keys"),
            (ADA, "/nowhere"),
            (ADA, "/api/user/assistants/voices"),
        ] {
            let answer = service.request(Method::GET, token, path).send().await.unwrap();
            let all: Vec<_> = answer.headers().get_all("date").iter().collect();
            assert_eq!(all.len(), 1, "{path}");
            dates.push(all[0].to_str().unwrap().to_owned());
        }
        dates
    };
    let fault = json!({"path": "/user/assistants/voices", "status": 503, "count": 9});
    service.post(ADA, "/sandbox/faults", fault).await.is(200);
    assert_eq!(dates().await, ["Sat, 21 Nov 2026 12:00:00 GMT"; 4]);
    service.advance(86_400 + 61).await;
    assert_eq!(dates().await, ["Sun, 22 Nov 2026 12:01:01 GMT"; 4]);
}

#[tokio::test]
async fn a_customer_has_one_conversation_with_a_sender() {
    let service = Service::sandbox().await;
    let one = service.customer_writes("+493012345678", "Hallo").await.is(200);
    let two = service.customer_writes("+493012345678", "Noch da?").await.is(200);
    let other = service.customer_writes("+493012345679", "Hallo").await.is(200);
    assert_eq!(one["conversation_id"], two["conversation_id"]);
    assert_ne!(one["message_id"], two["message_id"]);
    assert_ne!(one["conversation_id"], other["conversation_id"]);
    let page = service.get(ADA, "/user/conversations").await.is(200);
    let mut counts: Vec<_> =
        page["data"].as_array().unwrap().iter().map(|row| row["message_count"].as_u64().unwrap()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
}

#[tokio::test]
async fn an_ended_conversation_goes_on_when_the_customer_writes_again() {
    let service = Service::sandbox().await;
    service.customer_writes("+493012345678", "Hallo").await.is(200);
    let id = first(&service).await["id"].clone();
    for _ in 0..2 {
        service.post(ADA, "/sandbox/end-conversation", json!({"conversation_id": id})).await.is(200);
    }
    service.customer_writes("+493012345678", "Doch nicht").await.is(200);
    assert_eq!(first(&service).await["id"], id);
}

#[tokio::test]
async fn what_belongs_to_somebody_else_is_not_there() {
    let service = Service::sandbox().await;
    service.customer_writes("+493012345678", "Hallo").await.is(200);
    let id = first(&service).await["id"].clone();
    let end = |id: Value| json!({"conversation_id": id});
    let foreign = service.post(BOB, "/sandbox/end-conversation", end(id)).await;
    assert_eq!(foreign.status, 404);
    assert_eq!(service.post(BOB, "/sandbox/end-conversation", end(json!("nonsense"))).await, foreign);
    let body = json!({"sender_id": 1, "customer_phone": "+493012345678", "text": "x"});
    let foreign = service.post(BOB, "/sandbox/inbound-message", body).await.is(404);
    assert_eq!(foreign["error_code"], "SENDER_NOT_FOUND");
}

#[tokio::test]
async fn a_message_names_all_that_is_wrong_with_it() {
    let service = Service::sandbox().await;
    let body = json!({"sender_id": "1", "customer_phone": "030 1234", "customer_name": "é".repeat(256)});
    let answer = service.post(ADA, "/sandbox/inbound-message", body).await.is(422);
    let named: Vec<_> = answer["errors"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(named, ["customer_name", "customer_phone", "sender_id", "text"]);
    let silent = json!({"sender_id": 2, "customer_phone": "+493012345678", "text": "x"});
    let answer = service.post(ADA, "/sandbox/inbound-message", silent).await.is(422);
    assert_eq!(answer["error_code"], "NO_ASSISTANT_CONFIGURED");
}

#[tokio::test]
async fn faults_strike_the_next_requests_of_a_path_and_no_others() {
    let service = Service::sandbox().await;
    let fault = json!({"path": "/user/conversations", "status": 503, "count": 2});
    service.post(ADA, "/sandbox/faults", fault).await.is(200);
    service.get(ADA, "/user/api-keys").await.is(200);
    for status in [503, 503, 200] {
        let body = service.get(ADA, "/user/conversations?page=1").await.is(status);
        assert_eq!(body["message"].is_string(), status == 503);
    }
}

#[tokio::test]
async fn a_status_fault_strikes_before_the_request_is_done() {
    let service = Service::sandbox().await;
    service.post(ADA, "/sandbox/faults", json!({"path": "/user/api-keys", "status": 500, "count": 1})).await.is(200);
    service.post(ADA, "/api/user/api-keys", json!({"name": "never"})).await.is(500);
    let keys = service.get(ADA, "/user/api-keys").await.is(200);
    assert_eq!(keys["api_keys"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_drop_breaks_the_connection_after_the_request_is_done() {
    let service = Service::sandbox().await;
    service.post(ADA, "/sandbox/faults", json!({"path": "/user/api-keys", "drop": true, "count": 1})).await.is(200);
    let request = service.request(Method::POST, ADA, "/api/user/api-keys").json(&json!({"name": "made all the same"}));
    assert!(request.send().await.is_err());
    let keys = service.get(ADA, "/user/api-keys").await.is(200);
    assert_eq!(keys["api_keys"][1]["name"], "made all the same");
}

#[tokio::test]
async fn too_many_requests_say_how_long_to_wait() {
    let service = Service::sandbox().await;
    service.post(ADA, "/sandbox/faults", json!({"path": "/", "status": 429, "count": 1})).await.is(200);
    let response = service.request(Method::GET, ADA, "/api/user/api-keys").send().await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (429, &"1".parse().unwrap()));
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["retry_after"], 1);
}

#[tokio::test]
async fn a_delayed_answer_does_not_hold_up_the_end() {
    let service = Service::sandbox().await;
    let made = service.post(ADA, "/api/user/api-keys", json!({"name": "slow"})).await.is(201);
    let slow = made["api_key"]["token"].as_str().unwrap();
    let fault = json!({"path": "/user/assistants", "latency_ms": 600_000, "count": 1});
    service.post(ADA, "/sandbox/faults", fault).await.is(200);
    let delayed = tokio::spawn(service.request(Method::GET, slow, "/api/user/assistants/outbound").send());
    // It has arrived as soon as its key counts as used.
    while service.get(ADA, "/user/api-keys").await.is(200)["api_keys"][1]["last_used_at"].is_null() {}
    service.running.shutdown().await;
    assert_eq!(delayed.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn clearing_ends_all_faults() {
    let service = Service::sandbox().await;
    service.post(ADA, "/sandbox/faults", json!({"path": "/", "status": 500, "count": 100})).await.is(200);
    service.post(ADA, "/sandbox/faults", json!({"clear": true})).await.is(200);
    service.get(ADA, "/user/api-keys").await.is(200);
}

#[tokio::test]
async fn a_fault_that_makes_no_sense_is_refused() {
    let service = Service::sandbox().await;
    for (body, field) in [
        (json!({"status": 500, "count": 1}), "path"),
        (json!({"path": "user", "status": 500, "count": 1}), "path"),
        (json!({"path": format!("/{}", "x".repeat(2048)), "status": 500, "count": 1}), "path"),
        (json!({"path": "/user", "status": 500}), "count"),
        (json!({"path": "/user", "status": 200, "count": 1}), "status"),
        (json!({"path": "/user", "status": 600, "count": 1}), "status"),
        (json!({"path": "/user", "count": 1}), "status"),
        (json!({"path": "/user", "latency_ms": -1, "count": 1}), "latency_ms"),
        (json!({"path": "/user", "drop": "yes", "count": 1}), "drop"),
    ] {
        let answer = service.post(ADA, "/sandbox/faults", body.clone()).await.is(422);
        assert_eq!(answer["errors"].as_object().unwrap().keys().collect::<Vec<_>>(), [field], "{body}");
    }
    let rare = json!({"path": "/nowhere", "status": 500, "count": 1});
    for _ in 0..1000 {
        service.post(ADA, "/sandbox/faults", rare.clone()).await.is(200);
    }
    service.post(ADA, "/sandbox/faults", rare.clone()).await.is(422);
    service.post(ADA, "/sandbox/faults", json!({"clear": true})).await.is(200);
    service.post(ADA, "/sandbox/faults", rare).await.is(200);
}

/// Everything that shows in the list, to see whether something has happened.
async fn shown(service: &Service, token: &str) -> Value {
    service.get(token, "/user/conversations?per_page=100").await.is(200)["data"].clone()
}

#[tokio::test]
async fn simulated_people_keep_a_generated_world_alive_and_leave_the_others_alone() {
    let world = WORLD.replacen("tokens =", "generate = { conversations = 20 }\ntokens =", 1);
    let service = Service::with(Options { sandbox: true, ..options(&world) }).await;
    for _ in 0..3 {
        let before = shown(&service, ADA).await;
        let mut tries = 0;
        while shown(&service, ADA).await == before {
            service.advance(60).await;
            tries += 1;
            assert!(tries < 1000, "nothing happens");
        }
    }
    assert_eq!(shown(&service, BOB).await, json!([]));
}

#[tokio::test]
async fn generated_conversations_are_there_from_the_start_for_two_users_of_the_same_seed() {
    let world = WORLD.replace("tokens =", "generate = { conversations = 30, seed = 7 }\ntokens =");
    let service = Service::with(options(&world)).await;
    for token in [ADA, BOB] {
        assert_eq!(shown(&service, token).await.as_array().unwrap().len(), 30);
    }
}
