// Endpoints, Mid call tools.

use crate::support::{ADA, BOB, Service, fields};
use serde_json::{Value, json};

fn order() -> Value {
    json!({
        "name": "check_order",
        "description": "Looks up an order by its number.",
        "endpoint": "https://api.example.com/orders",
        "method": "GET"
    })
}

fn with(field: &str, value: Value) -> Value {
    let mut tool = order();
    tool[field] = value;
    tool
}

async fn create(service: &Service, body: Value) -> Value {
    service.post(ADA, "/api/user/tools", body).await.is(201)["data"].clone()
}

#[tokio::test]
async fn a_tool_needs_four_fields_and_gets_defaults_for_the_others() {
    let service = Service::sandbox().await;
    let made = service.post(ADA, "/api/user/tools", order()).await.is(201);
    assert_eq!(made["message"], "Tool created successfully");
    assert_eq!(
        made["data"],
        json!({
            "id": 1,
            "name": "check_order",
            "description": "Looks up an order by its number.",
            "endpoint": "https://api.example.com/orders",
            "method": "GET",
            "timeout": 10,
            "headers": [],
            "schema": [],
            "created_at": "2026-11-21T12:00:00.000000Z",
            "updated_at": "2026-11-21T12:00:00.000000Z"
        })
    );
    let missing = service.post(ADA, "/api/user/tools", json!({"name": null})).await.is(422);
    assert_eq!(fields(&missing["errors"]), ["description", "endpoint", "method", "name"]);
    assert_eq!(missing["errors"]["name"], json!(["The name field is required."]));
}

#[tokio::test]
async fn each_field_of_a_tool_has_its_rule() {
    let service = Service::sandbox().await;
    let header = |name: Value, value: Value| json!([{"name": name, "value": value}]);
    let parameter = |name: &str, kind: &str, text: &str| json!([{"name": name, "type": kind, "description": text}]);
    for (field, wrong, named) in [
        ("name", json!("CheckOrder"), "name"),
        ("name", json!("_check"), "name"),
        ("name", json!("check1"), "name"),
        ("name", json!(7), "name"),
        ("description", json!("é".repeat(256)), "description"),
        ("description", json!(" "), "description"),
        ("endpoint", json!("api.example.com"), "endpoint"),
        ("method", json!("get"), "method"),
        ("method", json!("HEAD"), "method"),
        ("timeout", json!(0), "timeout"),
        ("timeout", json!(31), "timeout"),
        ("timeout", json!("10"), "timeout"),
        ("headers", json!({}), "headers"),
        ("headers", json!(["x"]), "headers"),
        ("headers", header(json!("X"), Value::Null), "headers.0.value"),
        ("headers", header(json!("X Y"), json!("v")), "headers.0.name"),
        ("schema", json!("x"), "schema"),
        ("schema", parameter("a", "string", "A thing"), "schema.0.name"),
        ("schema", parameter(&"a".repeat(33), "string", "A thing"), "schema.0.name"),
        ("schema", parameter("a1", "string", "A thing"), "schema.0.name"),
        ("schema", parameter("_ab", "string", "A thing"), "schema.0.name"),
        ("schema", parameter("ab", "integer", "A thing"), "schema.0.type"),
        ("schema", parameter("ab", "string", "ab"), "schema.0.description"),
        ("schema", parameter("ab", "string", &"é".repeat(256)), "schema.0.description"),
    ] {
        let answer = service.post(ADA, "/api/user/tools", with(field, wrong.clone())).await.is(422);
        assert_eq!(fields(&answer["errors"]), [named], "{field} {wrong}");
    }
    let wrong = service.post(ADA, "/api/user/tools", with("name", json!("A b"))).await.is(422);
    let sentence = "Tool name must contain only lowercase letters and underscores, and start with a letter.";
    assert_eq!(wrong, json!({"message": sentence, "errors": {"name": [sentence]}}));
    assert_eq!(service.get(ADA, "/user/tools").await.is(200), json!([]));
}

#[tokio::test]
async fn the_ends_of_every_range_are_right() {
    let service = Service::sandbox().await;
    let body = json!({
        "name": "a",
        "description": "é".repeat(255),
        "endpoint": "http://localhost:8080/x",
        "method": "PATCH",
        "timeout": 30,
        "headers": [{"name": "Authorization", "value": "Bearer x"}],
        "schema": [
            {"name": "ab", "type": "number", "description": "abc"},
            {"name": "a".repeat(32), "type": "boolean", "description": "é".repeat(255)}
        ]
    });
    let tool = create(&service, body.clone()).await;
    for field in fields(&body) {
        assert_eq!(tool[field], body[field]);
    }
    create(&service, with("timeout", json!(1))).await;
}

#[tokio::test]
async fn an_update_changes_the_given_fields_only_and_replaces_lists_whole() {
    let service = Service::sandbox().await;
    let mut body = with("headers", json!([{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]));
    body["schema"] = json!([{"name": "number", "type": "string", "description": "The number"}]);
    let before = create(&service, body).await;
    service.advance(60).await;
    let change = json!({"timeout": 5, "headers": [{"name": "C", "value": "3"}], "id": 9, "colour": "red"});
    let updated = service.put(ADA, "/user/tools/1", change).await.is(200);
    assert_eq!(updated["message"], "Tool updated successfully");
    let mut expected = before.clone();
    expected["timeout"] = json!(5);
    expected["headers"] = json!([{"name": "C", "value": "3"}]);
    expected["updated_at"] = json!("2026-11-21T12:01:00.000000Z");
    assert_eq!(updated["data"], expected);
    let emptied = service.put(ADA, "/user/tools/1", json!({"schema": [], "headers": []})).await.is(200);
    assert_eq!((&emptied["data"]["schema"], &emptied["data"]["headers"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn an_invalid_update_says_that_validation_failed_and_changes_nothing() {
    let service = Service::sandbox().await;
    let before = create(&service, order()).await;
    let answer = service.put(ADA, "/user/tools/1", json!({"name": "", "timeout": 99, "method": "GET"})).await.is(422);
    assert_eq!(answer["message"], "Validation failed");
    assert_eq!(fields(&answer["errors"]), ["name", "timeout"]);
    assert_eq!(service.get(ADA, "/user/tools/1").await.is(200), before);
}

#[tokio::test]
async fn the_plan_caps_the_number_of_tools() {
    let service = Service::sandbox().await;
    for _ in 0..5 {
        create(&service, order()).await;
    }
    let full = service.post(ADA, "/api/user/tools", order()).await.is(422);
    let sentence =
        "You have reached your plan limit of 5 mid call tools. Please upgrade your plan to create more tools.";
    assert_eq!(full, json!({"message": sentence}));
    service.delete(ADA, "/user/tools/1").await.is(200);
    assert_eq!(create(&service, order()).await["id"], 6, "a number is never given twice");
    service.post(BOB, "/api/user/tools", order()).await.is(201);
}

#[tokio::test]
async fn tools_are_listed_shown_and_deleted() {
    let service = Service::sandbox().await;
    let one = create(&service, order()).await;
    let two = create(&service, with("name", json!("book"))).await;
    assert_eq!(service.get(ADA, "/user/tools").await.is(200), json!([one, two]));
    assert_eq!(service.get(ADA, "/user/tools/2").await.is(200), two);
    let deleted = service.delete(ADA, "/user/tools/1").await.is(200);
    assert_eq!(deleted, json!({"message": "Tool deleted successfully"}));
    assert_eq!(service.get(ADA, "/user/tools").await.is(200), json!([two]));
}

#[tokio::test]
async fn a_deleted_tool_is_detached_from_every_assistant() {
    let service = Service::sandbox().await;
    create(&service, order()).await;
    create(&service, order()).await;
    for assistant in [1, 3] {
        service.put(ADA, &format!("/user/assistant/{assistant}"), json!({"tool_ids": [2, 1]})).await.is(200);
    }
    service.delete(ADA, "/user/tools/1").await.is(200);
    let page = service.get(ADA, "/user/assistants/get").await.is(200);
    let attached: Vec<_> = page["data"].as_array().unwrap().iter().map(|row| row["tool_ids"].clone()).collect();
    assert_eq!(attached, [json!([2]), json!([]), json!([2])]);
}

#[tokio::test]
async fn a_tool_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = Service::sandbox().await;
    create(&service, order()).await;
    for id in ["1", "999", "0", "-1", "x", "99999999999999999999"] {
        let path = format!("/user/tools/{id}");
        for answer in [
            service.get(BOB, &path).await,
            service.put(BOB, &path, json!({"timeout": 5})).await,
            service.delete(BOB, &path).await,
        ] {
            assert_eq!(answer.is(404), json!({"message": "Tool not found"}), "{id}");
        }
    }
    assert_eq!(service.get(BOB, "/user/tools").await.is(200), json!([]));
    assert_eq!(service.get(ADA, "/user/tools/1").await.is(200)["timeout"], 10);
}
