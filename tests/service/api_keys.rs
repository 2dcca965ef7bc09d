use crate::support::{ADA, BOB, Service};
use serde_json::{Value, json};

async fn create(service: &Service, name: &str) -> Value {
    service.post(ADA, "/api/user/api-keys", json!({"name": name})).await.is(201)
}

async fn names(service: &Service, token: &str) -> Vec<String> {
    let list = service.get(token, "/user/api-keys").await.is(200);
    list["api_keys"].as_array().unwrap().iter().map(|key| key["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_new_key_shows_its_token_once_and_works_at_once() {
    let service = Service::sandbox().await;
    let made = create(&service, "CI").await;
    assert_eq!(made["message"], "API key created successfully.");
    let key = made["api_key"].as_object().unwrap();
    assert_eq!(key.keys().collect::<Vec<_>>(), ["name", "token", "created_at"]);
    assert_eq!((&key["name"], &key["created_at"]), (&json!("CI"), &json!("2026-11-21T12:00:00.000000Z")));
    let token = key["token"].as_str().unwrap();
    let (id, secret) = token.split_once('|').unwrap();
    assert_eq!(secret.len(), 40);

    let list = service.get(token, "/user/api-keys").await.is(200);
    let listed = list["api_keys"].as_array().unwrap().last().unwrap().as_object().unwrap().clone();
    assert_eq!(listed.keys().collect::<Vec<_>>(), ["id", "name", "last_used_at", "created_at"]);
    assert_eq!(listed["id"].to_string(), id);
    assert!(!list.to_string().contains(secret));
}

#[tokio::test]
async fn the_last_use_is_shown_as_it_happens() {
    let service = Service::sandbox().await;
    let token = create(&service, "CI").await["api_key"]["token"].as_str().unwrap().to_owned();
    let last_use = async || service.get(ADA, "/user/api-keys").await.is(200)["api_keys"][1]["last_used_at"].clone();
    assert_eq!(last_use().await, Value::Null);
    service.get(&token, "/user/assistants/outbound").await.is(200);
    assert_eq!(last_use().await, "2026-11-21T12:00:00.000000Z");
    service.advance(90).await;
    service.get(&token, "/user/assistants/outbound").await.is(200);
    assert_eq!(last_use().await, "2026-11-21T12:01:30.000000Z");
}

#[tokio::test]
async fn tokens_of_the_world_are_keys_and_each_user_sees_only_their_own() {
    let service = Service::sandbox().await;
    create(&service, "CI").await;
    assert_eq!(names(&service, ADA).await, ["World file", "CI"]);
    assert_eq!(names(&service, BOB).await, ["World file"]);
}

#[tokio::test]
async fn a_deleted_key_is_worth_nothing_at_once() {
    let service = Service::sandbox().await;
    let token = create(&service, "CI").await["api_key"]["token"].as_str().unwrap().to_owned();
    let id = token.split_once('|').unwrap().0;
    service.get(&token, "/user/api-keys").await.is(200);
    let answer = service.delete(ADA, &format!("/user/api-keys/{id}")).await.is(200);
    assert!(answer["message"].is_string());
    service.get(&token, "/user/api-keys").await.is(401);
    assert_eq!(names(&service, ADA).await, ["World file"]);

    let next = create(&service, "CI 2").await["api_key"]["token"].as_str().unwrap().to_owned();
    assert_ne!(next.split_once('|').unwrap().0, id, "a number is never given twice");
}

#[tokio::test]
async fn a_key_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = Service::sandbox().await;
    let foreign = service.delete(BOB, "/user/api-keys/1").await;
    assert_eq!(foreign.status, 404);
    for unknown in ["999", "0", "-1", "x", "99999999999999999999999"] {
        assert_eq!(service.delete(BOB, &format!("/user/api-keys/{unknown}")).await, foreign, "{unknown}");
    }
    assert_eq!(names(&service, ADA).await, ["World file"]);
}

#[tokio::test]
async fn a_key_needs_a_name() {
    let service = Service::sandbox().await;
    let required =
        json!({"message": "The name field is required.", "errors": {"name": ["The name field is required."]}});
    for body in [json!({}), json!({"name": null}), json!({"name": ""}), json!({"name": "  "}), json!({"label": "x"})] {
        assert_eq!(service.post(ADA, "/api/user/api-keys", body.clone()).await.is(422), required, "{body}");
    }
    let number = service.post(ADA, "/api/user/api-keys", json!({"name": 7})).await.is(422);
    assert_eq!(number["errors"]["name"][0], "The name must be a string.");
    let long = service.post(ADA, "/api/user/api-keys", json!({"name": "é".repeat(256)})).await.is(422);
    assert_eq!(long["errors"]["name"][0], "The name may not be greater than 255 characters.");
    service.post(ADA, "/api/user/api-keys", json!({"name": "é".repeat(255), "more": [1]})).await.is(201);
}

#[tokio::test]
async fn outbound_assistants_are_the_callers_of_that_type_with_every_field() {
    let service = Service::sandbox().await;
    let list = service.get(ADA, "/user/assistants/outbound").await.is(200);
    let list = list.as_array().unwrap();
    assert_eq!(list.iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>(), [1, 3]);
    let fields = "id user_id name type mode status voice_id language_id timezone initial_message system_prompt \
                  variables webhook_url is_webhook_active created_at updated_at";
    assert_eq!(
        list[0].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>(),
        fields.split_whitespace().collect::<Vec<_>>()
    );
    assert_eq!(list[0]["variables"], json!({"company": "Acme"}));
    assert_eq!((&list[0]["webhook_url"], &list[0]["is_webhook_active"]), (&Value::Null, &json!(false)));
    assert_eq!((&list[1]["mode"], &list[1]["status"]), (&json!("multimodal"), &json!("inactive")));
    assert_eq!(list[1]["variables"], json!({}));
    let bobs = service.get(BOB, "/user/assistants/outbound").await.is(200);
    assert_eq!(bobs[0]["id"], 4);
}
