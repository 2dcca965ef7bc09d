// Assistants beyond the outbound list: list, create, update and delete.

use crate::support::{ADA, BOB, Service, fields};
use serde_json::{Value, json};

fn clara() -> Value {
    json!({
        "name": "Clara",
        "type": "outbound",
        "mode": "pipeline",
        "voice_id": 5,
        "language_id": 2,
        "timezone": "Europe/Berlin",
        "initial_message": "Guten Tag!",
        "system_prompt": "Sei freundlich.",
        "llm_model_id": 2
    })
}

fn with(changes: &Value) -> Value {
    let mut body = clara();
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn create(service: &Service, body: Value) -> Value {
    service.post(ADA, "/api/user/assistant", body).await.is(201)["data"].clone()
}

async fn record(service: &Service, id: i64) -> Value {
    let page = service.get(ADA, "/user/assistants/get?per_page=100").await.is(200);
    page["data"].as_array().unwrap().iter().find(|row| row["id"] == id).cloned().unwrap_or_default()
}

#[tokio::test]
async fn all_assistants_are_listed_in_pages_of_ten_newest_first() {
    let service = Service::sandbox().await;
    let page = service.get(ADA, "/user/assistants/get").await.is(200);
    assert_eq!(fields(&page).len(), 13);
    assert_eq!((&page["per_page"], &page["total"], &page["last_page"]), (&json!(10), &json!(3), &json!(1)));
    let ids = |page: &Value| -> Vec<_> {
        page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids(&page), [3, 2, 1]);
    let second = service.get(ADA, "/user/assistants/get?per_page=2&page=2").await.is(200);
    assert_eq!(ids(&second), [1]);
    let path = format!("{}/user/assistants/get", service.running.base_url);
    assert_eq!(second["path"], path);
    assert_eq!(second["prev_page_url"], format!("{path}?per_page=2&page=1"));
    assert_eq!(ids(&service.get(BOB, "/user/assistants/get").await.is(200)), [4]);
    for wrong in ["0", "101", "x"] {
        let answer = service.get(ADA, &format!("/user/assistants/get?per_page={wrong}")).await.is(422);
        assert_eq!(fields(&answer["errors"]), ["per_page"]);
    }
}

#[tokio::test]
async fn the_full_record_has_the_fields_of_the_outbound_list_and_more() {
    let service = Service::sandbox().await;
    let outbound = service.get(ADA, "/user/assistants/outbound").await.is(200)[0].clone();
    let full = record(&service, 1).await;
    for field in fields(&outbound) {
        assert_eq!(full[field], outbound[field], "{field}");
    }
    assert_eq!(full["uuid"].as_str().unwrap().len(), 36);
    assert_eq!(full["language"], json!({"id": 2, "name": "German", "iso_2": "de"}));
    for (field, value) in [
        ("phone_number_id", Value::Null),
        ("inbound_webhook_url", Value::Null),
        ("conversation_ended_webhook_url", Value::Null),
        ("knowledgebase_id", Value::Null),
        ("knowledgebase_mode", json!("function_call")),
        ("llm_model_id", json!(1)),
        ("multimodal_model_id", Value::Null),
        ("max_duration", json!(600)),
        ("conversation_inactivity_timeout", json!(30)),
        ("conversation_ended_retrigger", json!(false)),
        ("post_call_schema", json!([])),
        ("tools", json!([])),
        ("tool_ids", json!([])),
        ("deleted_at", Value::Null),
    ] {
        assert_eq!(full.get(field), Some(&value), "{field}");
    }
}

#[tokio::test]
async fn a_new_assistant_is_inactive_and_in_the_lists() {
    let service = Service::sandbox().await;
    let made = service.post(ADA, "/api/user/assistant", clara()).await.is(201);
    assert_eq!(
        made,
        json!({
            "message": "Assistant created successfully",
            "data": {"id": 5, "name": "Clara", "status": "inactive", "type": "outbound", "mode": "pipeline"}
        })
    );
    let full = record(&service, 5).await;
    for field in fields(&clara()) {
        assert_eq!(full[field], clara()[field], "{field}");
    }
    let outbound = service.get(ADA, "/user/assistants/outbound").await.is(200);
    assert_eq!(outbound.as_array().unwrap().last().unwrap()["name"], "Clara");
}

#[tokio::test]
async fn what_is_required_depends_on_the_mode() {
    let service = Service::sandbox().await;
    let answer = service.post(ADA, "/api/user/assistant", json!({"name": null})).await.is(422);
    assert_eq!(answer["message"], "Validation failed");
    let mut always =
        ["name", "voice_id", "language_id", "type", "mode", "timezone", "initial_message", "system_prompt"];
    always.sort_unstable();
    assert_eq!(fields(&answer["errors"]), always);
    assert_eq!(answer["errors"]["voice_id"], json!(["The voice id field is required."]));
    for (mode, required) in
        [("pipeline", "llm_model_id"), ("multimodal", "multimodal_model_id"), ("dualplex", "multimodal_model_id")]
    {
        let body = with(&json!({"mode": mode, "llm_model_id": null}));
        let answer = service.post(ADA, "/api/user/assistant", body).await.is(422);
        assert_eq!(fields(&answer["errors"]), [required], "{mode}");
    }
    create(&service, with(&json!({"mode": "multimodal", "llm_model_id": null, "multimodal_model_id": 1}))).await;
}

#[tokio::test]
async fn each_field_of_an_assistant_has_its_rule() {
    let service = Service::sandbox().await;
    for (field, wrong, named) in [
        ("name", json!("é".repeat(256)), "name"),
        ("name", json!(7), "name"),
        ("type", json!("chat"), "type"),
        ("mode", json!("telepathy"), "mode"),
        ("voice_id", json!(9_999), "voice_id"),
        ("voice_id", json!("5"), "voice_id"),
        ("language_id", json!(99), "language_id"),
        ("timezone", json!("Berlin"), "timezone"),
        ("initial_message", json!("é".repeat(201)), "initial_message"),
        ("system_prompt", json!(" "), "system_prompt"),
        ("llm_model_id", json!(99), "llm_model_id"),
        ("multimodal_model_id", json!(99), "multimodal_model_id"),
        ("synthesizer_provider_id", json!(99), "synthesizer_provider_id"),
        ("transcriber_provider_id", json!(99), "transcriber_provider_id"),
        ("secondary_language_ids", json!([1, 99]), "secondary_language_ids"),
        ("secondary_language_ids", json!("1"), "secondary_language_ids"),
        ("knowledgebase_id", json!(99), "knowledgebase_id"),
        ("knowledgebase_mode", json!("telepathy"), "knowledgebase_mode"),
        ("phone_number_id", json!(1), "phone_number_id"),
        ("tool_ids", json!([99]), "tool_ids"),
        ("tools", json!([{"data": {}}]), "tools.0.type"),
        ("variables", json!({"a": 1}), "variables"),
        ("variables", json!(["a"]), "variables"),
        ("post_call_schema", json!([{"name": "mood"}]), "post_call_schema.0.type"),
        ("is_webhook_active", json!(true), "webhook_url"),
        ("is_webhook_active", json!("yes"), "is_webhook_active"),
        ("webhook_url", json!("example.com"), "webhook_url"),
        ("conversation_ended_webhook_url", json!("x"), "conversation_ended_webhook_url"),
        ("max_duration", json!(19), "max_duration"),
        ("max_duration", json!(1_201), "max_duration"),
        ("conversation_inactivity_timeout", json!(0), "conversation_inactivity_timeout"),
        ("conversation_inactivity_timeout", json!(1_441), "conversation_inactivity_timeout"),
    ] {
        let body = with(&json!({field: wrong}));
        let answer = service.post(ADA, "/api/user/assistant", body).await.is(422);
        assert_eq!(answer["message"], "Validation failed");
        assert_eq!(fields(&answer["errors"]), [named], "{field} {wrong}");
        let answer = service.put(ADA, "/user/assistant/1", json!({field: wrong})).await.is(422);
        assert_eq!(fields(&answer["errors"]), [named], "{field} {wrong}");
    }
    create(&service, with(&json!({"initial_message": "é".repeat(200), "max_duration": 1_200}))).await;
}

#[tokio::test]
async fn only_a_pipeline_has_its_knowledge_in_the_prompt() {
    let service = Service::sandbox().await;
    service.put(ADA, "/user/assistant/1", json!({"knowledgebase_mode": "prompt"})).await.is(200);
    let answer = service.put(ADA, "/user/assistant/3", json!({"knowledgebase_mode": "prompt"})).await.is(422);
    assert_eq!(fields(&answer["errors"]), ["knowledgebase_mode"]);
}

#[tokio::test]
async fn an_update_changes_the_given_fields_only() {
    let service = Service::sandbox().await;
    let before = record(&service, 1).await;
    service.advance(60).await;
    let answer = service.put(ADA, "/user/assistant/1", json!({"name": "Front desk", "colour": "red"})).await.is(200);
    assert_eq!(
        answer,
        json!({
            "message": "Assistant updated successfully",
            "data": {"id": 1, "name": "Front desk", "status": "active", "type": "outbound", "mode": "pipeline"}
        })
    );
    let mut expected = before;
    expected["name"] = json!("Front desk");
    expected["updated_at"] = json!("2026-11-21T12:01:00.000000Z");
    assert_eq!(record(&service, 1).await, expected);
}

#[tokio::test]
async fn null_clears_what_is_optional_and_lists_are_replaced_whole() {
    let service = Service::sandbox().await;
    service.post(ADA, "/api/user/knowledgebases", json!({"name": "Handbook"})).await.is(201);
    for name in ["one", "two"] {
        let tool = json!({"name": name, "description": "x", "endpoint": "https://a.example", "method": "GET"});
        service.post(ADA, "/api/user/tools", tool).await.is(201);
    }
    let full = json!({
        "knowledgebase_id": 1,
        "tool_ids": [2, 1, 2],
        "variables": {"company": "Lindqvist", "city": "Berlin"},
        "tools": [{"type": "end_call", "data": {"polite": true}}],
        "post_call_schema": [{"name": "mood", "type": "string", "description": "How they felt"}],
        "secondary_language_ids": [1, 3],
        "synthesizer_provider_id": 2,
        "max_duration": 60,
        "is_webhook_active": true,
        "webhook_url": "https://example.com/hook"
    });
    service.put(ADA, "/user/assistant/1", full.clone()).await.is(200);
    let stored = record(&service, 1).await;
    for field in fields(&full) {
        let expected = if field == "tool_ids" { json!([1, 2]) } else { full[field].clone() };
        assert_eq!(stored[field], expected, "{field}");
    }
    let less = json!({
        "knowledgebase_id": null,
        "tool_ids": [1],
        "variables": {"city": "Wien"},
        "tools": [],
        "post_call_schema": null,
        "secondary_language_ids": [],
        "synthesizer_provider_id": null,
        "max_duration": null,
        "is_webhook_active": false,
        "webhook_url": null
    });
    service.put(ADA, "/user/assistant/1", less).await.is(200);
    let stored = record(&service, 1).await;
    for (field, value) in [
        ("knowledgebase_id", Value::Null),
        ("tool_ids", json!([1])),
        ("variables", json!({"city": "Wien"})),
        ("tools", json!([])),
        ("post_call_schema", json!([])),
        ("secondary_language_ids", json!([])),
        ("synthesizer_provider_id", Value::Null),
        ("max_duration", json!(600)),
        ("webhook_url", Value::Null),
    ] {
        assert_eq!(stored[field], value, "{field}");
    }
}

#[tokio::test]
async fn a_new_mode_resets_the_settings_of_the_old_one() {
    let service = Service::sandbox().await;
    let pipeline = json!({"transcriber_provider_id": 2, "synthesizer_provider_id": 2, "knowledgebase_mode": "prompt"});
    service.put(ADA, "/user/assistant/1", pipeline).await.is(200);
    service.put(ADA, "/user/assistant/1", json!({"mode": "multimodal", "multimodal_model_id": 2})).await.is(200);
    let stored = record(&service, 1).await;
    for field in ["llm_model_id", "transcriber_provider_id", "synthesizer_provider_id"] {
        assert_eq!(stored[field], Value::Null, "{field}");
    }
    assert_eq!((&stored["multimodal_model_id"], &stored["knowledgebase_mode"]), (&json!(2), &json!("function_call")));
}

#[tokio::test]
async fn what_belongs_to_somebody_else_cannot_be_attached() {
    let service = Service::sandbox().await;
    service.post(BOB, "/api/user/knowledgebases", json!({"name": "Bob's"})).await.is(201);
    let tool = json!({"name": "bobs", "description": "x", "endpoint": "https://a.example", "method": "GET"});
    service.post(BOB, "/api/user/tools", tool).await.is(201);
    for (field, foreign, unknown) in [("knowledgebase_id", json!(1), json!(99)), ("tool_ids", json!([1]), json!([99]))]
    {
        let answer = service.put(ADA, "/user/assistant/1", json!({field: foreign})).await;
        assert_eq!(answer.status, 422);
        assert_eq!(service.put(ADA, "/user/assistant/1", json!({field: unknown})).await, answer);
    }
}

#[tokio::test]
async fn more_outbound_assistants_than_are_read_at_once_are_all_in_the_list() {
    let service = Service::sandbox().await;
    let outbound = async || service.get(ADA, "/user/assistants/outbound").await.is(200);
    let before = outbound().await.as_array().unwrap().len();
    // Whole chunks and parts of them.
    for number in before + 1..=26 {
        create(&service, with(&json!({"name": format!("Number {number}")}))).await;
        let list = outbound().await;
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), number);
        assert_eq!(list.last().unwrap()["name"], format!("Number {number}"));
        assert!(list.is_sorted_by_key(|row| row["id"].as_i64().unwrap()));
    }
    service.delete(ADA, "/user/assistant/1").await.is(200);
    assert_eq!(outbound().await.as_array().unwrap().len(), 25);
}

#[tokio::test]
async fn a_deleted_assistant_is_gone_and_what_it_did_stays() {
    let service = Service::sandbox().await;
    service.customer_writes("+493012345678", "Hallo").await.is(200);
    let deleted = service.delete(ADA, "/user/assistant/1").await.is(200);
    assert_eq!(deleted, json!({"message": "Assistant deleted successfully"}));
    assert_eq!(record(&service, 1).await, Value::Null);
    assert_eq!(service.get(ADA, "/user/assistants/outbound").await.is(200).as_array().unwrap().len(), 1);
    service.delete(ADA, "/user/assistant/1").await.is(404);
    service.put(ADA, "/user/assistant/1", json!({"name": "x"})).await.is(404);
    let page = service.get(ADA, "/user/conversations").await.is(200);
    assert_eq!(page["data"][0]["assistant_name"], "Reception");
    let unanswered = service.customer_writes("+493012345678", "Noch da?").await.is(422);
    assert_eq!(unanswered["error_code"], "NO_ASSISTANT_CONFIGURED");
    assert_eq!(create(&service, clara()).await["id"], 5, "a number is never given twice");
}

#[tokio::test]
async fn an_assistant_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = Service::sandbox().await;
    for id in ["1", "999", "0", "x"] {
        let path = format!("/user/assistant/{id}");
        for answer in [service.put(BOB, &path, json!({"name": "Mine"})).await, service.delete(BOB, &path).await] {
            assert_eq!(answer.is(404), json!({"message": "Assistant not found"}), "{id}");
        }
    }
    assert_eq!(record(&service, 1).await["name"], "Reception");
}

#[tokio::test]
async fn an_assistant_is_only_so_large() {
    let service = Service::sandbox().await;
    let many: serde_json::Map<String, Value> = (0..101).map(|n| (n.to_string(), json!("x"))).collect();
    for (changes, field) in [
        (json!({"system_prompt": "p".repeat(65_537)}), "system_prompt"),
        (json!({"variables": many}), "variables"),
        (json!({"variables": {"x": "v".repeat(4097)}}), "variables"),
        (json!({"tool_ids": vec![1; 101]}), "tool_ids"),
    ] {
        let answer = service.post(ADA, "/api/user/assistant", with(&changes)).await.is(422);
        assert_eq!(fields(&answer["errors"]), [field]);
        service.put(ADA, "/user/assistant/1", changes).await.is(422);
    }
    create(&service, with(&json!({"system_prompt": "é".repeat(65_536)}))).await;
}
