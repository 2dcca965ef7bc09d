use crate::support::{ADA, Answer, Service, client, options};
use reqwest::header::HeaderValue;
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use switchboard::service::{Data, NoToken, Options};

const UNAUTHENTICATED: &str = "Unauthenticated.";

#[tokio::test]
async fn a_missing_malformed_or_unknown_token_is_answered_alike() {
    let service = Service::sandbox().await;
    let url = format!("{}/user/conversations", service.running.base_url);
    for header in
        [None, Some(""), Some("Bearer"), Some("Bearer "), Some("Basic abc"), Some("Bearer nobody's"), Some(ADA)]
    {
        let request = client().get(&url);
        let request = header.iter().fold(request, |request, value| request.header("Authorization", *value));
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(answer, Answer { status: 401, body: json!({"message": UNAUTHENTICATED}) }, "{header:?}");
    }
}

#[tokio::test]
async fn every_route_but_two_is_closed_without_a_token_and_with_a_wrong_one() {
    let service = Service::sandbox().await;
    let document = service.get(ADA, "/openapi.json").await.is(200);
    let mut open = Vec::new();
    let mut closed = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
            if item.get(method.as_str().to_ascii_lowercase()).is_none() {
                continue;
            }
            let root = if path.starts_with("/sandbox/") { "" } else { "/api" };
            // What would be found is named: 1 is a number of Ada's wherever something is numbered.
            let path = path.replace("{id}", "1").replace("{sender_id}", "1").replace("{document_id}", "1");
            let url = format!("{}{root}{path}", service.root());
            for token in [None, Some("nobody's")] {
                let request = client().request(method.clone(), &url);
                let request = token.iter().fold(request, RequestBuilder::bearer_auth);
                let request = if method == Method::GET { request } else { request.json(&json!({})) };
                let answer = request.send().await.unwrap();
                let challenge = answer.headers().get("www-authenticate").cloned();
                let answer = Answer::of(answer).await;
                if answer.status == 401 {
                    assert_eq!(answer.body, json!({"message": UNAUTHENTICATED}), "{method} {path} {token:?}");
                    assert_eq!(challenge.as_ref().map(HeaderValue::as_bytes), Some(b"Bearer".as_slice()));
                    closed.push((method.clone(), path.clone()));
                } else {
                    open.push(format!("{method} {path} {} {}", token.is_some(), answer.status));
                }
            }
        }
    }
    assert_eq!(
        open,
        [
            "POST /white-label/login false 422",
            "POST /white-label/login true 422",
            "GET /openapi.json false 200",
            "GET /openapi.json true 200"
        ]
    );
    for root in ["/user/", "/conversations", "/automate/", "/sandbox/"] {
        assert!(closed.iter().any(|(_, path)| path.starts_with(root)), "nothing was tried below {root}");
    }
}

#[tokio::test]
async fn the_scheme_may_be_written_small() {
    let service = Service::sandbox().await;
    let url = format!("{}/user/api-keys", service.running.base_url);
    let answer = client().get(url).header("Authorization", format!("bearer {ADA}")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn sandbox_controls_need_a_token_too() {
    let service = Service::sandbox().await;
    let answer = service.post("nobody's", "/sandbox/clock", json!({"advance_seconds": 1})).await;
    assert_eq!(answer.is(401)["message"], UNAUTHENTICATED);
}

#[tokio::test]
async fn no_token_is_stored_in_the_clear() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    let service = Service::with(Options { data: Data::File(path.clone()), ..options(crate::support::WORLD) }).await;
    let made = service.post(ADA, "/api/user/api-keys", json!({"name": "CI"})).await.is(201);
    let token = made["api_key"]["token"].as_str().unwrap().to_owned();
    let secret = token.split_once('|').unwrap().1.to_owned();
    service.running.shutdown().await;
    let stored = std::fs::read(path).unwrap();
    for secret in [ADA, &secret] {
        let found = stored.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!found, "a token lies in the database");
    }
}

#[tokio::test]
async fn an_existing_database_keeps_its_data_and_knows_its_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let data = Data::File(folder.path().join("data.db"));
    let open = |world: &str| Options { data: data.clone(), ..options(world) };
    let service = Service::with(open(crate::support::WORLD)).await;
    let token = service.post(ADA, "/api/user/api-keys", json!({"name": "CI"})).await.is(201)["api_key"]["token"]
        .as_str()
        .unwrap()
        .to_owned();
    service.running.shutdown().await;

    let other = "[[users]]\nemail = \"eve@example.com\"\ntokens = [\"token-of-eve\"]";
    let service = Service::with(open(other)).await;
    assert!(service.running.first_token.is_none());
    assert_eq!(service.running.no_token, Some(NoToken::NotKnown));
    service.get("token-of-eve", "/user/api-keys").await.is(401);
    let keys = service.get(&token, "/user/api-keys").await.is(200);
    assert_eq!(keys["api_keys"].as_array().unwrap().len(), 2);
    service.running.shutdown().await;

    let service = Service::with(open(crate::support::WORLD)).await;
    assert_eq!(service.running.first_token.as_ref().unwrap().expose(), ADA);
    assert_eq!(service.running.account_email.as_deref(), Some("ada@example.com"));
    let keys = service.get(ADA, "/user/api-keys").await.is(200);
    assert_eq!(keys["api_keys"][1]["last_used_at"], "2026-11-21T12:00:00.000000Z", "written down at the end");
}
