use crate::receiver::{Reaction, Receiver, Told};
use crate::support::{ADA, Answer, BOB, Service, WORLD, noon, options};
use reqwest::Method;
use ring::hmac;
use serde_json::{Value, json};
use std::process::Command;
use switchboard::service::store::Store;
use switchboard::service::{Clock, Data, Options, start_at};

const PHONE: &str = "+493012345678";

// Events: conversation ended

#[tokio::test]
async fn a_receiver_hears_of_a_messaging_conversation_that_has_ended_with_every_field() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    let written = told.service.customer_writes(PHONE, "Hallo").await.is(200);
    told.service.advance(1200).await;
    told.service.customer_writes(PHONE, "Noch da?").await.is(200);
    let row = told.service.get(ADA, "/user/conversations").await.is(200)["data"][0].clone();
    told.service.advance(60).await;
    told.end(ADA, row["id"].as_str().unwrap()).await;

    let came = receiver.next().await;
    assert_eq!(came.path, "/hook?x=1");
    let line = |text: &str, time: &str, unix: i64| json!({"role": "user", "content": text, "timestamp": time, "timestamp_unix": unix});
    assert_eq!(
        came.json(),
        json!({
            "id": written["conversation_id"],
            "conversation_id": row["id"],
            "assistant_id": row["assistant_id"],
            "type": "msgapp",
            "message_count": 2,
            "status": "ended",
            "extracted_variables": {"status": false, "summary": "The customer wrote: Hallo"},
            "input_variables": {},
            "transcript": [
                line("Hallo", "2026-11-21T13:00:00+01:00", 1_795_262_400),
                line("Noch da?", "2026-11-21T13:20:00+01:00", 1_795_263_600),
            ],
            "formatted_transcript": "Customer: Hallo\nCustomer: Noch da?",
            "attachments": [],
            "customer_phone": PHONE,
            "customer_name": "Zoë",
            "sender": {"phone_number": "+14155550100", "display_name": "Acme Support"},
            "created_at": "2026-11-21T13:00:00+01:00",
            "ended_at": "2026-11-21T13:21:00+01:00",
        })
    );
}

#[tokio::test]
async fn a_receiver_hears_of_a_widget_chat_and_what_it_was_started_with() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    let id = started(&told, "widget", json!({"name": "Zoë"})).await;
    told.service.post(ADA, &format!("/api/conversations/{id}/messages"), json!({"message": "Hi"})).await.is(200);
    told.end(ADA, &id).await;
    let body = receiver.next().await.json();
    assert_eq!(body["type"], "widget");
    assert_eq!(body["input_variables"], json!({"name": "Zoë"}));
    assert_eq!(body["extracted_variables"]["status"], true);
    assert_eq!((&body["sender"], &body["customer_phone"]), (&Value::Null, &Value::Null));
    assert!(body["formatted_transcript"].as_str().unwrap().starts_with("AI: "));
    assert_eq!(body["transcript"].as_array().unwrap().len(), 3);
}

pub async fn started(told: &Told, kind: &str, variables: Value) -> String {
    told.service.customer_writes("+493099999999", "x").await.is(200);
    let assistant = told.service.get(ADA, "/user/conversations").await.is(200)["data"][0]["assistant_id"].clone();
    let body = json!({"assistant_id": assistant, "type": kind, "variables": variables});
    let started = told.service.post(ADA, "/api/conversations", body).await.is(200);
    started["conversation_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_chats_of_customers_are_told_of_and_only_where_it_was_asked_for() {
    let told = Told::sandbox().await;
    told.ended_chat(PHONE).await;
    let receiver = Receiver::start().await;
    told.tell(ADA, 1, &receiver.url).await;
    let test = started(&told, "test", Value::Null).await;
    told.end(ADA, &test).await;
    assert_eq!(told.deliveries(ADA).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_conversation_is_told_of_once_though_it_goes_on_and_ends_again() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    let id = told.ended_chat(PHONE).await;
    told.end(ADA, &id).await;
    assert_eq!(told.ended_chat(PHONE).await, id);
    receiver.next().await;
    assert_eq!(told.tried(1).await["subject"], "conversation:1");
    assert_eq!(told.deliveries(ADA).await.len(), 1);
}

#[tokio::test]
async fn a_conversation_that_goes_on_is_told_of_at_each_end_where_its_assistant_is_set_so() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.service.put(ADA, "/user/assistant/1", json!({"conversation_ended_retrigger": true})).await.is(200);
    let mut ids = Vec::new();
    for end in 1..=3 {
        let id = told.ended_chat(PHONE).await;
        // It has ended already: nothing ends.
        told.end(ADA, &id).await;
        let came = receiver.next().await;
        assert_eq!(came.json()["message_count"], end);
        ids.push(came.header("webhook-id").to_owned());
    }
    ids.dedup();
    assert_eq!(ids.len(), 3, "each is an event of its own");
    assert_eq!(told.deliveries(ADA).await.len(), 3);
}

#[tokio::test]
async fn a_chat_in_which_nobody_writes_for_half_an_hour_counts_as_ended() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.service.customer_writes(PHONE, "Hallo").await.is(200);
    told.service.advance(29 * 60).await;
    told.service.customer_writes(PHONE, "Noch da?").await.is(200);
    let row = told.service.get(ADA, "/user/conversations").await.is(200)["data"][0].clone();
    told.service.advance(30 * 60 - 1).await;
    assert_eq!(told.deliveries(ADA).await, [] as [Value; 0]);
    // Long after: it has ended when it was due, not when somebody looked.
    told.service.advance(86_400).await;
    let body = receiver.next().await.json();
    assert_eq!((&body["message_count"], &body["ended_at"]), (&json!(2), &json!("2026-11-21T13:59:00+01:00")));
    let after = told.service.get(ADA, "/user/conversations").await.is(200)["data"][0].clone();
    assert_eq!(after, row, "it has not moved in the list");
    assert_eq!(told.deliveries(ADA).await.len(), 1);
}

#[tokio::test]
async fn how_long_a_chat_may_be_silent_is_set_for_each_assistant_and_holds_for_what_is_open() {
    let told = Told::sandbox().await;
    told.tell(ADA, 1, "http://127.0.0.1:1/").await;
    told.service.customer_writes(PHONE, "Hallo").await.is(200);
    let silence = async |minutes: i64| {
        let body = json!({"conversation_inactivity_timeout": minutes});
        told.service.put(ADA, "/user/assistant/1", body).await.is(200);
    };
    silence(1440).await;
    told.service.advance(1439 * 60).await;
    assert_eq!(told.deliveries(ADA).await, [] as [Value; 0]);
    silence(1).await;
    told.service.advance(0).await;
    assert_eq!(told.deliveries(ADA).await.len(), 1);
}

#[tokio::test]
async fn a_chat_that_falls_silent_ends_without_anybody_moving_the_clock() {
    let clock = Clock::fixed(noon());
    let service = Service::at(Options { sandbox: true, ..options(WORLD) }, clock.clone()).await;
    let mut receiver = Receiver::start().await;
    let body = json!({"assistant_id": 1, "webhook_url": receiver.url});
    service.post(ADA, "/api/user/assistants/enable-conversation-ended-webhook", body).await.is(200);
    service.customer_writes(PHONE, "Hallo").await.is(200);
    clock.advance(std::time::Duration::from_secs(30 * 60));
    assert_eq!(receiver.next().await.json()["ended_at"], "2026-11-21T13:30:00+01:00");
}

#[tokio::test]
async fn simulated_people_make_events_too() {
    let world = WORLD.replacen("tokens =", "generate = { conversations = 40 }\ntokens =", 1);
    let told = Told::with(options(&world)).await;
    let mut receiver = Receiver::start().await;
    for assistant in 1..=3 {
        told.tell(ADA, assistant, &receiver.url).await;
    }
    for _ in 0..2000 {
        told.service.advance(10).await;
        if !told.deliveries(ADA).await.is_empty() {
            let body = receiver.next().await.json();
            assert_eq!(body["message_count"], body["transcript"].as_array().unwrap().len());
            return;
        }
    }
    panic!("no conversation of a customer has ended");
}

#[tokio::test]
async fn a_receiver_is_told_in_the_channels_own_word() {
    let mut receiver = Receiver::start().await;
    let told = Told::with(Options { channel: "whatsapp".parse().unwrap(), ..options(WORLD) }).await;
    told.tell(ADA, 1, &receiver.url).await;
    told.service.customer_writes(PHONE, "msgapp").await.is(200);
    told.end(ADA, &told.newest(ADA).await).await;
    let came = receiver.next().await.json();
    assert_eq!((&came["type"], &came["transcript"][0]["content"]), (&json!("whatsapp"), &json!("msgapp")));
}

// Events: calls

#[tokio::test]
async fn a_receiver_hears_of_a_call_that_has_gone_out_once_it_is_over() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    let on = json!({"is_webhook_active": true, "webhook_url": receiver.url});
    let request = told.service.request(Method::PUT, ADA, "/api/user/assistant/1").json(&on);
    Answer::of(request.send().await.unwrap()).await.is(200);
    let call = json!({"assistant_id": 1, "phone_number": PHONE, "variables": {"name": "Zoë"}});
    told.service.post(ADA, "/api/user/make_call", call).await.is(200);
    let came = over(&told, &mut receiver).await;
    assert_eq!(
        came.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" "),
        "id customer_phone assistant_phone duration status extracted_variables input_variables transcript \
         recording_url created_at finished_at lead campaign"
    );
    let call = told.service.get(ADA, "/user/calls/1").await.is(200);
    for (field, of_call) in [("status", "status"), ("duration", "duration"), ("customer_phone", "client_phone_number")]
    {
        assert_eq!(came[field], call[of_call], "{field}");
    }
    assert_eq!(came["input_variables"]["name"], "Zoë");
    assert!(came["extracted_variables"]["status"].is_boolean());
    assert!(came["extracted_variables"]["summary"].is_string());
    assert!(came["transcript"].as_str().unwrap().starts_with("AI: "));
    assert_eq!(came["created_at"], "2026-11-21T13:00:00+01:00");
    assert_eq!(told.tried(1).await["event"], "call_completed");
}

#[tokio::test]
async fn a_receiver_of_calls_that_come_in_hears_of_those_until_it_is_switched_off() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    let assistant = json!({"assistant_id": 2, "webhook_url": receiver.url});
    let inbound = json!({"assistant_id": 2, "customer_phone": PHONE});
    told.service.post(ADA, "/api/user/assistants/enable-inbound-webhook", assistant.clone()).await.is(200);
    told.service.post(ADA, "/sandbox/inbound-call", inbound.clone()).await.is(200);
    assert_eq!(over(&told, &mut receiver).await["customer_phone"], PHONE);
    assert_eq!(told.tried(1).await["event"], "inbound_call_completed");

    told.service.post(ADA, "/api/user/assistants/disable-inbound-webhook", assistant).await.is(200);
    told.service.post(ADA, "/sandbox/inbound-call", inbound).await.is(200);
    while told.service.get(ADA, "/user/calls/2").await.is(200)["status"] != "completed" {
        told.service.advance(60).await;
    }
    assert_eq!(told.deliveries(ADA).await.len(), 1);
}

/// What the receiver hears when a call has run its course.
async fn over(told: &Told, receiver: &mut Receiver) -> Value {
    while told.deliveries(ADA).await.is_empty() {
        told.service.advance(60).await;
    }
    receiver.next().await.json()
}

#[tokio::test]
async fn the_end_of_a_chat_is_not_told_of_once_that_is_switched_off() {
    let told = Told::sandbox().await;
    told.tell(ADA, 1, "http://127.0.0.1:1/").await;
    let off = json!({"assistant_id": 1});
    told.service.post(ADA, "/api/user/assistants/disable-conversation-ended-webhook", off).await.is(200);
    told.ended_chat(PHONE).await;
    assert_eq!(told.deliveries(ADA).await, [] as [Value; 0]);
}

// Deliveries: signed, retried, kept in order, sent again

#[tokio::test]
async fn a_delivery_is_signed_as_standard_webhooks_has_it() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.ended_chat(PHONE).await;
    let came = receiver.next().await;
    let (id, timestamp) = (came.header("webhook-id"), came.header("webhook-timestamp"));
    assert!(id.starts_with("msg_"));
    assert_eq!(timestamp, noon().as_second().to_string());
    assert_eq!(came.header("content-type"), "application/json");
    let signature = decode(came.header("webhook-signature").strip_prefix("v1,").unwrap());

    let request = told.service.request(Method::GET, ADA, "/sandbox/webhook-secret");
    let secret = Answer::of(request.send().await.unwrap()).await.is(200)["secret"].as_str().unwrap().to_owned();
    let key = hmac::Key::new(hmac::HMAC_SHA256, &decode(secret.strip_prefix("whsec_").unwrap()));
    let signed = format!("{id}.{timestamp}.{}", came.text);
    hmac::verify(&key, signed.as_bytes(), &signature).unwrap();
    let request = told.service.request(Method::GET, BOB, "/sandbox/webhook-secret");
    assert_ne!(Answer::of(request.send().await.unwrap()).await.is(200)["secret"], secret);
}

fn decode(text: &str) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

#[tokio::test]
async fn anything_but_a_2xx_is_tried_again_after_30_60_and_120_seconds_and_then_given_up() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    receiver.will([500, 404, 301, 199 + 300].map(Reaction::Status));
    told.ended_chat(PHONE).await;
    let mut ids = Vec::new();
    for (nth, (seconds, error)) in [
        (30, "the receiver answered 500 Internal Server Error"),
        (60, "the receiver answered 404 Not Found"),
        (120, "the receiver answered 301 Moved Permanently"),
    ]
    .into_iter()
    .enumerate()
    {
        let came = receiver.next().await;
        ids.push(came.header("webhook-id").to_owned());
        let listed = told.tried(nth as u64 + 1).await;
        assert_eq!((&listed["status"], &listed["last_error"]), (&json!("pending"), &json!(error)));
        let (last, next) = (time(&listed["last_attempt_at"]), time(&listed["next_attempt_at"]));
        assert_eq!((next - last).get_seconds(), seconds);
        told.service.advance(u64::try_from(seconds).unwrap() - 1).await;
        assert!(receiver.nothing_came());
        told.service.advance(1).await;
    }
    ids.push(receiver.next().await.header("webhook-id").to_owned());
    let listed = told.tried(4).await;
    assert_eq!((&listed["status"], &listed["next_attempt_at"]), (&json!("failed"), &Value::Null));
    assert!(ids.iter().all(|id| *id == listed["webhook_id"]), "a receiver knows a repeated one by its id");
}

fn time(value: &Value) -> jiff::Timestamp {
    value.as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_delivery_that_was_given_up_or_has_arrived_can_be_sent_again() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    receiver.will([500; 4].map(Reaction::Status));
    told.ended_chat(PHONE).await;
    for attempt in 1..=4 {
        receiver.next().await;
        told.tried(attempt).await;
        told.service.advance(120).await;
    }
    for attempt in 5..=6 {
        let answer = told.service.post(ADA, "/sandbox/deliveries/1/resend", json!({})).await.is(200);
        assert_eq!(answer["message"], "The delivery is sent again");
        receiver.next().await;
        let listed = told.tried(attempt).await;
        assert_eq!((&listed["status"], &listed["last_error"]), (&json!("delivered"), &Value::Null));
        assert!(listed["delivered_at"].is_string());
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let (told, mut receiver, mut elsewhere) = (Told::sandbox().await, Receiver::start().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    receiver.will([Reaction::Redirect(elsewhere.url.clone())]);
    told.ended_chat(PHONE).await;
    receiver.next().await;
    assert_eq!(told.tried(1).await["last_error"], "the receiver answered 307 Temporary Redirect");
    assert!(elsewhere.nothing_came());
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_keeps_nobody_else_waiting() {
    let (told, mut slow, mut quick) = (Told::sandbox().await, Receiver::start().await, Receiver::start().await);
    told.tell(ADA, 1, &slow.url).await;
    told.tell(BOB, 4, &quick.url).await;
    slow.will(vec![Reaction::Silence; 10]);
    for n in 0..10 {
        told.ended_chat(&format!("+49301234567{n}")).await;
    }
    slow.next().await;
    let body = json!({"sender_id": 3, "customer_phone": PHONE, "text": "Hi"});
    told.service.post(BOB, "/sandbox/inbound-message", body).await.is(200);
    told.end(BOB, &told.newest(BOB).await).await;
    assert_eq!(quick.next().await.json()["customer_phone"], PHONE);
}

#[tokio::test]
async fn a_delivery_that_was_not_sent_before_the_end_is_sent_after_the_next_start() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, "http://127.0.0.1:1/closed").await;
    told.ended_chat(PHONE).await;
    assert!(told.tried(1).await["last_error"].as_str().unwrap().starts_with("no connection: "));
    let Told { service, path, folder: _folder } = told;
    service.running.shutdown().await;
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute("UPDATE webhook_deliveries SET url = $1", [&receiver.url]).unwrap();

    let later = noon() + jiff::SignedDuration::from_secs(30);
    let options = Options { data: Data::File(path), sandbox: true, ..options(WORLD) };
    let _running = start_at(options, Clock::fixed(later)).await.unwrap();
    assert_eq!(receiver.next().await.json()["customer_phone"], PHONE);
}

#[tokio::test]
async fn outside_a_sandbox_no_delivery_goes_to_a_private_network() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    let by_name = receiver.url.replace("127.0.0.1", "localhost");
    told.tell(ADA, 1, "http://127.0.0.1:1/closed").await;
    for (n, url) in [&receiver.url, &by_name].into_iter().enumerate() {
        told.ended_chat(&format!("+49301234567{n}")).await;
        told.tried(1).await;
        let database = rusqlite::Connection::open(&told.path).unwrap();
        let number = i64::try_from(n).unwrap() + 1;
        database.execute("UPDATE webhook_deliveries SET url = $1 WHERE id = $2", (url, number)).unwrap();
    }
    let Told { service, path, folder: _folder } = told;
    service.running.shutdown().await;

    let later = noon() + jiff::SignedDuration::from_secs(30);
    let options = Options { data: Data::File(path.clone()), ..options(WORLD) };
    let _running = start_at(options, Clock::fixed(later)).await.unwrap();
    let store = Store::open(&Data::File(path)).unwrap();
    let listed = loop {
        let listed = store.deliveries(None, 10).unwrap();
        if listed.iter().all(|delivery| delivery.attempts == 2) {
            break listed;
        }
        tokio::task::yield_now().await;
    };
    for delivery in listed {
        let error = delivery.last_error.unwrap();
        assert_eq!(error, "the address is on a private network, and deliveries go to public ones only");
    }
    assert!(receiver.nothing_came());
}

// The lists

#[tokio::test]
async fn each_user_sees_and_resends_only_their_own_deliveries() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.ended_chat(PHONE).await;
    receiver.next().await;
    let listed = told.tried(1).await;
    assert_eq!(
        listed.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" "),
        "id event subject webhook_id url status attempts last_error last_attempt_at next_attempt_at delivered_at \
         created_at"
    );
    assert_eq!((&listed["event"], &listed["url"]), (&json!("conversation_ended"), &json!(receiver.url)));
    assert_eq!(told.deliveries(BOB).await, [] as [Value; 0]);
    let resend = async |id: &str| told.service.post(BOB, &format!("/sandbox/deliveries/{id}/resend"), json!({})).await;
    let foreign = resend("1").await;
    assert_eq!((foreign.status, &foreign.body), (404, &json!({"message": "Delivery not found"})));
    for unknown in ["99", "-1", "x", "%FF", "99999999999999999999"] {
        assert_eq!(resend(unknown).await, foreign, "{unknown}");
    }
}

#[tokio::test]
async fn the_command_lists_and_resends_the_deliveries_of_a_database_in_use() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.ended_chat(PHONE).await;
    receiver.next().await;
    told.tried(1).await;

    let (code, table, _) = deliveries(&told.path, &[]);
    assert_eq!(code, 0);
    assert!(table.contains("conversation_ended  conversation:1  delivered  1"), "{table}");
    let (_, text, _) = deliveries(&told.path, &["--json"]);
    assert_eq!(serde_json::from_str::<Vec<Value>>(&text).unwrap(), told.deliveries(ADA).await);

    assert_eq!(deliveries(&told.path, &["--resend", "1"]).0, 0);
    // Any write makes the service look at its queue; without one it does so from time to time.
    told.service.post(ADA, "/api/user/api-keys", json!({"name": "wake up"})).await.is(201);
    receiver.next().await;
    told.tried(2).await;
    let (code, _, errors) = deliveries(&told.path, &["--resend", "9"]);
    assert_eq!((code, errors.as_str()), (1, "error: there is no delivery 9, or its assistant was deleted\n"));

    let (_, secrets, _) = deliveries(&told.path, &["--secrets", "--json"]);
    let secrets: Value = serde_json::from_str(&secrets).unwrap();
    let request = told.service.request(Method::GET, ADA, "/sandbox/webhook-secret");
    assert_eq!(Answer::of(request.send().await.unwrap()).await.is(200)["secret"], secrets["ada@example.com"]);
}

/// The clock of the machine is paused from where all wait for time to pass: then it does at once.
#[tokio::test]
async fn what_another_process_asks_for_is_seen_within_a_while() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, &receiver.url).await;
    told.ended_chat(PHONE).await;
    receiver.next().await;
    told.tried(1).await;
    tokio::time::pause();
    let begin = tokio::time::Instant::now();
    Store::open(&Data::File(told.path.clone())).unwrap().resend(None, 1).unwrap();
    receiver.next().await;
    assert!(begin.elapsed().as_secs() <= 15, "{:?}", begin.elapsed());
}

#[test]
fn the_command_makes_no_database_where_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    let (code, _, errors) = deliveries(&path, &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("there is no file"), "{errors}");
    assert!(!path.exists());
}

fn deliveries(path: &std::path::Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    let output = command.args(["deliveries", "--data"]).arg(path).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}
