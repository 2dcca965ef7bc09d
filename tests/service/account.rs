//! The account and its balance, and the login that issues a session token (spec: Authentication).

use crate::senders_world::{WORLD, fields, sandbox};
use crate::support::{ADA, BOB, Service, options};
use serde_json::json;

const LOGIN: &str = "/api/white-label/login";

/// A service in which Ada has a password.
async fn with_password() -> Service {
    let world = WORLD.replacen("tokens =", "password = \"correct horse\"\ntokens =", 1);
    Service::with(options(&world)).await
}

#[tokio::test]
async fn an_account_has_a_name_an_email_and_a_balance() {
    let service = sandbox().await;
    let me = service.get(ADA, "/user/me").await.is(200);
    assert_eq!(me, json!({"name": "Ada Lindqvist", "email": "ada@example.com", "total_balance": 10.0}));
    let me = service.get(BOB, "/user/me").await.is(200);
    assert_eq!(me, json!({"name": "bob", "email": "bob@example.com", "total_balance": 5.0}));
    service.get("nonsense", "/user/me").await.is(401);
}

#[tokio::test]
async fn a_login_issues_a_token_that_works_until_it_is_deleted() {
    let service = with_password().await;
    let login = json!({"email": "Ada@Example.com", "password": "correct horse"});
    // No token is needed to get one.
    let answer = service.post("nonsense", LOGIN, login).await.is(200);
    assert_eq!(fields(&answer), ["message", "user", "token", "token_name"]);
    assert_eq!(answer["message"], "Login successful.");
    assert_eq!(answer["user"], json!({"id": 1, "name": "Ada Lindqvist", "email": "ada@example.com"}));
    assert_eq!(answer["token_name"], "api-token");
    let token = answer["token"].as_str().unwrap();
    assert_eq!(service.get(token, "/user/me").await.is(200)["email"], "ada@example.com");

    let keys = service.get(token, "/user/api-keys").await.is(200);
    let session = &keys["api_keys"][1];
    assert_eq!(session["name"], "api-token");
    service.delete(token, &format!("/user/api-keys/{}", session["id"])).await.is(200);
    service.get(token, "/user/me").await.is(401);
}

#[tokio::test]
async fn a_session_token_has_the_name_that_was_asked_for() {
    let service = with_password().await;
    let login = json!({"email": "ada@example.com", "password": "correct horse", "token_name": "laptop"});
    assert_eq!(service.post(ADA, LOGIN, login).await.is(200)["token_name"], "laptop");
}

#[tokio::test]
async fn a_login_that_is_wrong_tells_nobody_what_is_wrong_with_it() {
    let service = with_password().await;
    let wrong = service.post(ADA, LOGIN, json!({"email": "ada@example.com", "password": "correct horse "})).await;
    assert_eq!(wrong.status, 401);
    assert_eq!(wrong.body, json!({"message": "These credentials do not match our records."}));
    // Bob has no password, and nobody has the other email.
    for email in ["bob@example.com", "eve@example.com"] {
        assert_eq!(service.post(ADA, LOGIN, json!({"email": email, "password": "correct horse"})).await, wrong);
    }
}

#[tokio::test]
async fn a_login_names_the_fields_that_are_missing() {
    let service = with_password().await;
    let answer = service.post(ADA, LOGIN, json!({"email": "", "password": null, "token_name": 7})).await.is(422);
    assert_eq!(fields(&answer["errors"]), ["email", "password", "token_name"]);
}

/// Logins at the same moment: how many were wrong, and how many too many.
async fn at_once(service: &Service, logins: impl Iterator<Item = serde_json::Value>) -> (usize, usize) {
    let answers = futures_util::future::join_all(logins.map(|login| service.post(ADA, LOGIN, login))).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    (count(401), count(429))
}

#[tokio::test]
async fn wrong_passwords_are_limited_by_account_whether_or_not_it_exists() {
    let service = with_password().await;
    for email in ["ada@example.com", "nobody@example.com"] {
        let login = |password: &str| json!({"email": email, "password": password});
        assert_eq!(at_once(&service, (0..7).map(|_| login("wrong"))).await.1, 2, "{email}");
        let request = service.request(reqwest::Method::POST, ADA, LOGIN).json(&login("correct horse"));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 429);
        let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        let body: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(body, json!({"message": "Too Many Attempts.", "retry_after": wait}));
    }
}

#[tokio::test]
async fn wrong_passwords_are_limited_by_address_whatever_the_account() {
    let service = with_password().await;
    let logins = (0..22).map(|n| json!({"email": format!("{n}@b.c"), "password": "x"}));
    // On a busy machine some of the others are still being hashed when their time is over.
    assert_eq!(at_once(&service, logins).await.1, 2);
}
