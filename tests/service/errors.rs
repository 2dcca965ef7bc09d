use crate::support::{ADA, Answer, Service, WORLD, options};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

#[tokio::test]
async fn unknown_paths_are_answered_in_json() {
    let service = Service::sandbox().await;
    for path in ["/", "/api", "/api/", "/api/user", "/api/user/api-keys/1/2", "/user/api-keys", "/sandbox/none", "/%ff"]
    {
        let answer = Answer::of(service.request(Method::GET, ADA, path).send().await.unwrap()).await;
        assert!(answer.is(404)["message"].is_string(), "{path}");
    }
}

#[tokio::test]
async fn wrong_methods_are_answered_in_json_and_told_the_right_ones() {
    let service = Service::sandbox().await;
    for (method, path, allowed) in [
        (Method::PUT, "/api/user/api-keys", vec!["GET", "HEAD", "POST"]),
        (Method::GET, "/api/user/api-keys/1", vec!["DELETE"]),
        (Method::POST, "/api/user/conversations", vec!["GET", "HEAD"]),
        (Method::GET, "/api/user/msgapp/send", vec!["POST"]),
        (Method::GET, "/api/white-label/login", vec!["POST"]),
        (Method::GET, "/sandbox/clock", vec!["POST"]),
    ] {
        let response = service.request(method, ADA, path).send().await.unwrap();
        let mut allow: Vec<_> =
            response.headers()["allow"].to_str().unwrap().split(',').map(|word| word.trim().to_owned()).collect();
        allow.sort();
        assert_eq!(allow, allowed, "{path}");
        assert!(Answer::of(response).await.is(405)["message"].is_string());
    }
}

#[tokio::test]
async fn bad_json_is_refused_in_json() {
    let service = Service::sandbox().await;
    for body in ["{", "nonsense", "[1]", "null", "\"x\"", "{\"name\": \"x\"} x"] {
        let request = service.request(Method::POST, ADA, "/api/user/api-keys");
        let request = request.header("Content-Type", "application/json; charset=utf-8").body(body);
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert!(answer.is(400)["message"].is_string(), "{body}");
    }
}

#[tokio::test]
async fn a_body_of_another_type_is_refused_in_json() {
    let service = Service::sandbox().await;
    let request = service.request(Method::POST, ADA, "/api/user/api-keys").header("Content-Type", "text/plain");
    let answer = Answer::of(request.body("{\"name\": \"x\"}").send().await.unwrap()).await;
    assert!(answer.is(415)["message"].is_string());
}

#[tokio::test]
async fn no_body_is_a_body_without_fields() {
    let service = Service::sandbox().await;
    let answer = Answer::of(service.request(Method::POST, ADA, "/api/user/api-keys").send().await.unwrap()).await;
    assert!(answer.is(422)["errors"]["name"].is_array());
}

#[tokio::test]
async fn a_large_body_is_refused_and_the_refusal_arrives() {
    let service = Service::sandbox().await;
    let body = |size: usize| json!({"name": "x", "more": "y".repeat(size)});
    let large = service.post(ADA, "/api/user/api-keys", body(4 * 1024 * 1024)).await;
    assert!(large.is(413)["message"].is_string());
    service.post(ADA, "/api/user/api-keys", body(1_000_000)).await.is(201);
}

#[tokio::test]
async fn every_fault_of_a_query_is_named() {
    let service = Service::sandbox().await;
    let answer = service.get(ADA, "/user/conversations?type=fax&per_page=0&date_from=1.1.2026").await.is(422);
    let named: Vec<_> = answer["errors"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(named, ["date_from", "per_page", "type"]);
    assert_eq!(answer["message"], "The selected type is invalid. (and 2 more errors)");
}

#[tokio::test]
async fn without_a_sandbox_there_are_no_controls() {
    let service = Service::with(options(WORLD)).await;
    service.post(ADA, "/sandbox/clock", json!({"advance_seconds": 1})).await.is(404);
    service.get(ADA, "/user/api-keys").await.is(200);
}

/// The clock of the machine is paused here: where all wait for time to pass, it does at once.
#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_answered_in_time() {
    let service = Service::sandbox().await;
    let address = service.root().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /api/user/api-keys HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {ADA}\r\n\
         content-type: application/json\r\ncontent-length: 10\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let begin = Instant::now();
    let mut answer = [0; 1024];
    let length = stream.read(&mut answer).await.unwrap();
    assert!(answer[..length].starts_with(b"HTTP/1.1 408 Request Timeout"));
    assert_eq!(begin.elapsed().as_secs(), 30);
}
