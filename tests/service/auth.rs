use crate::support::{ADA, Answer, Service, client, options};
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
