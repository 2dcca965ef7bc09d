// Endpoints, Knowledgebases. States: Knowledgebase status.

use crate::support::{ADA, BOB, Service, WORLD, fields, options};
use serde_json::{Value, json};
use switchboard::service::Options;

async fn create(service: &Service, body: Value) -> Value {
    service.post(ADA, "/api/user/knowledgebases", body).await.is(201)
}

#[tokio::test]
async fn a_new_knowledgebase_is_empty() {
    let service = Service::sandbox().await;
    let made = create(&service, json!({"name": "Handbook", "description": "For staff"})).await;
    assert_eq!(
        made,
        json!({
            "message": "Knowledgebase created successfully.",
            "data": {
                "id": 1,
                "name": "Handbook",
                "description": "For staff",
                "status": "empty",
                "status_label": "Empty",
                "created_at": "2026-11-21T12:00:00.000000Z",
                "updated_at": "2026-11-21T12:00:00.000000Z"
            }
        })
    );
    assert_eq!(create(&service, json!({"name": "x"})).await["data"]["description"], Value::Null);
}

#[tokio::test]
async fn names_and_descriptions_have_at_most_255_characters() {
    let service = Service::sandbox().await;
    let required =
        json!({"message": "The name field is required.", "errors": {"name": ["The name field is required."]}});
    for body in [json!({}), json!({"name": null}), json!({"name": ""})] {
        assert_eq!(service.post(ADA, "/api/user/knowledgebases", body).await.is(422), required);
    }
    let long = json!({"name": "é".repeat(256), "description": "é".repeat(256)});
    let answer = service.post(ADA, "/api/user/knowledgebases", long.clone()).await.is(422);
    assert_eq!(answer["errors"]["name"], json!(["The name may not be greater than 255 characters."]));
    assert_eq!(answer["errors"]["description"], json!(["The description may not be greater than 255 characters."]));
    create(&service, json!({"name": "é".repeat(255), "description": "é".repeat(255)})).await;
    let answer = service.put(ADA, "/user/knowledgebases/1", long).await.is(422);
    assert_eq!(fields(&answer["errors"]), ["description", "name"]);
}

#[tokio::test]
async fn an_update_changes_the_given_fields_only() {
    let service = Service::sandbox().await;
    create(&service, json!({"name": "Handbook", "description": "For staff"})).await;
    service.advance(60).await;
    let updated = service.put(ADA, "/user/knowledgebases/1", json!({"name": "Manual"})).await.is(200);
    assert_eq!(
        updated,
        json!({
            "message": "Knowledgebase updated successfully.",
            "data": {
                "id": 1,
                "name": "Manual",
                "description": "For staff",
                "status": "empty",
                "status_label": "Empty",
                "updated_at": "2026-11-21T12:01:00.000000Z"
            }
        })
    );
    let updated = service.put(ADA, "/user/knowledgebases/1", json!({"description": null})).await.is(200);
    assert_eq!((&updated["data"]["name"], &updated["data"]["description"]), (&json!("Manual"), &Value::Null));
    let blank = service.put(ADA, "/user/knowledgebases/1", json!({"name": " "})).await.is(422);
    assert_eq!(fields(&blank["errors"]), ["name"]);
}

#[tokio::test]
async fn knowledgebases_are_listed_and_shown_with_their_counts() {
    let service = Service::sandbox().await;
    create(&service, json!({"name": "Handbook"})).await;
    create(&service, json!({"name": "Prices"})).await;
    let document = json!({"name": "Site", "type": "website", "url": "https://example.com"});
    service.post(ADA, "/api/user/knowledgebases/2/documents", document).await.is(201);
    service.put(ADA, "/user/assistant/1", json!({"knowledgebase_id": 2})).await.is(200);
    let list = service.get(ADA, "/user/knowledgebases").await.is(200);
    let counts: Vec<_> = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["documents_count"].as_u64(), row["assistants_count"].as_u64()))
        .collect();
    assert_eq!(counts, [("Handbook", Some(0), Some(0)), ("Prices", Some(1), Some(1))]);
    assert_eq!(
        fields(&list["data"][0]),
        "id name description status status_label documents_count assistants_count created_at updated_at"
            .split(' ')
            .collect::<Vec<_>>()
    );
    let one = service.get(ADA, "/user/knowledgebases/2").await.is(200);
    assert_eq!(one["data"], list["data"][1]);
}

#[tokio::test]
async fn a_deleted_knowledgebase_takes_its_documents_along_and_leaves_its_assistants() {
    let service = Service::sandbox().await;
    create(&service, json!({"name": "Handbook"})).await;
    let document = json!({"name": "Site", "type": "website", "url": "https://example.com"});
    service.post(ADA, "/api/user/knowledgebases/1/documents", document).await.is(201);
    service.put(ADA, "/user/assistant/1", json!({"knowledgebase_id": 1})).await.is(200);
    let deleted = service.delete(ADA, "/user/knowledgebases/1").await.is(200);
    assert_eq!(deleted, json!({"message": "Knowledgebase deleted successfully."}));
    service.get(ADA, "/user/knowledgebases/1/documents").await.is(404);
    let page = service.get(ADA, "/user/assistants/get").await.is(200);
    assert_eq!(page["data"][2]["knowledgebase_id"], Value::Null);
    assert_eq!(create(&service, json!({"name": "Next"})).await["data"]["id"], 2, "a number is never given twice");
}

#[tokio::test]
async fn the_status_follows_the_documents() {
    let world = WORLD.replacen(
        "[[users.senders]]",
        r#"[[users.knowledgebases]]
           name = "All done"
           [[users.knowledgebases.documents]]
           name = "a"
           [[users.knowledgebases]]
           name = "One failed"
           [[users.knowledgebases.documents]]
           name = "b"
           [[users.knowledgebases.documents]]
           name = "c"
           status = "failed"
           [[users.knowledgebases]]
           name = "In work"
           [[users.knowledgebases.documents]]
           name = "d"
           status = "failed"
           [[users.knowledgebases.documents]]
           name = "e"
           type = "website"
           status = "processing"
           [[users.senders]]"#,
        1,
    );
    let service = Service::with(Options { sandbox: true, ..options(&world) }).await;
    let statuses = async || {
        let list = service.get(ADA, "/user/knowledgebases").await.is(200);
        let rows = list["data"].as_array().unwrap().clone();
        rows.iter().map(|row| format!("{} {}", row["status"], row["status_label"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(statuses().await, ["active Active", "failed Failed", "processing Processing"]);
    service.advance(120).await;
    assert_eq!(statuses().await, ["active Active", "failed Failed", "failed Failed"]);
    service.delete(ADA, "/user/knowledgebases/3/documents/4").await.is(200);
    assert_eq!(statuses().await[2], "active Active");
    service.delete(ADA, "/user/knowledgebases/3/documents/5").await.is(200);
    assert_eq!(statuses().await[2], "empty Empty");
}

#[tokio::test]
async fn a_knowledgebase_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = Service::sandbox().await;
    create(&service, json!({"name": "Handbook"})).await;
    for id in ["1", "999", "0", "x"] {
        let path = format!("/user/knowledgebases/{id}");
        for answer in [
            service.get(BOB, &path).await,
            service.put(BOB, &path, json!({"name": "Mine"})).await,
            service.delete(BOB, &path).await,
            service.get(BOB, &format!("{path}/documents")).await,
        ] {
            assert_eq!(answer.is(404), json!({"error": "Knowledgebase not found."}), "{id}");
        }
    }
    assert_eq!(service.get(BOB, "/user/knowledgebases").await.is(200), json!({"data": []}));
    assert_eq!(service.get(ADA, "/user/knowledgebases/1").await.is(200)["data"]["name"], "Handbook");
}
