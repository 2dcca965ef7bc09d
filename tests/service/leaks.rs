// Nothing leaks, nothing lies.

use crate::backlog::{database, on};
use crate::receiver::{Receiver, Told};
use crate::serve::Served;
use crate::support::{ADA, Answer, Service, WORLD, client, noon, options};
use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::PermissionsExt;
use switchboard::service::{Clock, Data, Options, StartError, StoreError, start_at};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const PHONE: &str = "+493012345678";

#[tokio::test]
async fn the_files_of_a_database_are_for_its_owner_and_others_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    let args = ["--listen", "127.0.0.1:0", "--data", path.to_str().unwrap()];
    let mut served = Served::start(&args);
    served.ready("SWITCHBOARD_BASE_URL");
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.path());
    }
    assert!(!served.end(Signal::TERM).1.contains("chmod"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let mut served = Served::start(&args);
    served.ready("SWITCHBOARD_BASE_URL");
    let (code, errors) = served.end(Signal::TERM);
    assert_eq!(code, Some(0));
    assert!(errors.contains("others can read the database"), "{errors}");
}

#[tokio::test]
async fn a_second_service_on_a_database_is_refused_with_the_number_of_the_first() {
    let (_folder, path) = database().await;
    let first = on(&path, false).await;
    let second = Options { data: Data::File(path.clone()), ..options(WORLD) };
    let error = start_at(second, Clock::fixed(noon())).await.unwrap_err();
    let pid = Some(std::process::id());
    assert!(matches!(&error, StartError::Store(StoreError::Served { pid: told, .. }) if *told == pid), "{error}");
    first.running.shutdown().await;
    on(&path, false).await;
}

#[tokio::test]
async fn deleting_an_assistant_ends_its_chats_and_calls_and_drops_what_waits() {
    let (told, mut receiver) = (Told::sandbox().await, Receiver::start().await);
    told.tell(ADA, 1, "http://127.0.0.1:1/closed").await;
    told.ended_chat(PHONE).await;
    told.tried(1).await;
    told.tell(ADA, 1, &receiver.url).await;
    let chat = crate::events::started(&told, "widget", Value::Null).await;
    let service = &told.service;
    let call = json!({"assistant_id": 1, "customer_phone": PHONE, "duration_seconds": 600});
    service.post(ADA, "/sandbox/inbound-call", call).await.is(200);
    service.advance(10).await;
    service.delete(ADA, "/user/assistant/1").await.is(200);

    let call = service.get(ADA, "/user/calls/1").await.is(200);
    assert_eq!((&call["status"], &call["duration"]), (&json!("ended_by_assistant"), &json!(7)));
    let balance = service.get(ADA, "/user/me").await.is(200)["total_balance"].clone();
    let said = service.post(ADA, &format!("/api/conversations/{chat}/messages"), json!({"message": "Hallo?"})).await;
    let gone = json!({"status": false, "error": "The assistant of this conversation was deleted."});
    assert_eq!((said.status, said.body), (400, gone));
    service.get(ADA, &format!("/conversations/{chat}")).await.is(200);
    service.advance(86_400).await;
    assert_eq!(service.get(ADA, "/user/me").await.is(200)["total_balance"], balance);
    assert!(told.deliveries(ADA).await.iter().all(|delivery| delivery["status"] == "failed"));
    // Nobody could turn its webhook off any more.
    service.post(ADA, "/sandbox/deliveries/1/resend", json!({})).await.is(404);
    assert!(receiver.nothing_came());
}

#[tokio::test]
async fn a_sandboxs_clock_is_where_it_was_when_it_starts_again() {
    let (_folder, path) = database().await;
    let service = on(&path, true).await;
    service.advance(90_000).await;
    service.running.shutdown().await;
    let service = on(&path, true).await;
    let now = service.post(ADA, "/sandbox/clock", json!({"advance_seconds": 0})).await.is(200);
    assert_eq!(now["now"], "2026-11-22T13:00:00.000000Z");
}

#[tokio::test]
async fn a_window_is_no_longer_than_a_day_after_the_machines_clock_was_put_back() {
    let (_folder, path) = database().await;
    let service = on(&path, true).await;
    service.customer_writes(PHONE, "Hallo").await.is(200);
    let call = json!({"assistant_id": 1, "customer_phone": PHONE, "duration_seconds": 50});
    service.post(ADA, "/sandbox/inbound-call", call).await.is(200);
    service.advance(10).await;
    service.running.shutdown().await;
    let earlier = noon() - jiff::SignedDuration::from_hours(5);
    let options = Options { data: Data::File(path), ..options(WORLD) };
    let clock = Clock::fixed(earlier);
    let service = Service::at(options, clock.clone()).await;
    let query = format!("/user/msgapp/session-status?sender_id=1&recipient_phone={}", PHONE.replace('+', "%2B"));
    let window = service.get(ADA, &query).await.is(200);
    assert_eq!(window["session_status"]["minutes_remaining"], 1440, "{window}");
    clock.advance(std::time::Duration::from_secs(3600));
    let window = service.get(ADA, &query).await.is(200);
    assert_eq!(window["session_status"]["minutes_remaining"], 1380, "{window}");
    // What had begun goes on at once.
    while service.get(ADA, "/user/calls/1").await.is(200)["status"] != "completed" {
        clock.advance(std::time::Duration::from_secs(1));
    }
}

#[tokio::test]
async fn what_is_no_http_is_refused_in_json() {
    let service = Service::sandbox().await;
    let address = service.running.base_url.trim_start_matches("http://").trim_end_matches("/api");
    for (request, status) in [
        (b"GET /api/user/\xff HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(), "400"),
        (b"GET /api HTTP/9.1\r\n\r\n".to_vec(), "400"),
        (b"POST /api HTTP/1.1\r\nContent-Length: many\r\n\r\n".to_vec(), "400"),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(70_000)).into_bytes(), "414"),
        (format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(200)).into_bytes(), "431"),
    ] {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(&request).await.unwrap();
        // What the service did not read of a request may reset the connection after the answer.
        let mut answer = Vec::new();
        while !answer.ends_with(b"}") {
            assert!(stream.read_buf(&mut answer).await.unwrap() > 0, "{}", String::from_utf8_lossy(&answer));
        }
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
        assert!(serde_json::from_str::<Value>(body).unwrap()["message"].is_string(), "{body}");
    }
}

#[tokio::test]
async fn a_path_that_is_not_utf_8_is_refused_in_json() {
    let service = Service::sandbox().await;
    for path in ["/api/user/calls/%FF", "/api/user/tools/%FF", "/api/user/knowledgebases/1/documents/%FF", "/%FF"] {
        let answer = Answer::of(service.request(Method::GET, ADA, path).send().await.unwrap()).await;
        assert!((400..500).contains(&answer.status), "{path}");
        assert!(answer.body["message"].is_string(), "{path}: {}", answer.body);
    }
}

#[tokio::test]
async fn links_have_the_scheme_and_host_that_a_trusted_proxy_tells_and_no_other() {
    let trusting = |proxies: Vec<IpAddr>| Options { trusted_proxies: proxies, ..options(WORLD) };
    for (proxies, expected) in [
        (vec![Ipv4Addr::LOCALHOST.into()], "https://api.example.com"),
        (vec![Ipv4Addr::new(192, 0, 2, 1).into()], "http://127.0.0.1"),
        (vec![], "http://127.0.0.1"),
    ] {
        let service = Service::with(trusting(proxies)).await;
        let url = format!("{}/user/conversations", service.running.base_url);
        let request = client().get(url).bearer_auth(ADA);
        let request = request.header("x-forwarded-proto", "https").header("x-forwarded-host", "api.example.com");
        let page: Value = request.send().await.unwrap().json().await.unwrap();
        assert!(page["path"].as_str().unwrap().starts_with(expected), "{page}");
    }
}
