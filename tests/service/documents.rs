// Endpoints, Knowledgebases: documents. States: Document status.

use crate::support::{ADA, Answer, BOB, Service, fields};
use serde_json::{Value, json};

const DOCUMENTS: &str = "/user/knowledgebases/1/documents";

async fn with_knowledgebase() -> Service {
    let service = Service::sandbox().await;
    service.post(ADA, "/api/user/knowledgebases", json!({"name": "Handbook"})).await.is(201);
    service
}

async fn website(service: &Service, change: Value) -> Answer {
    let mut body = json!({"name": "Site", "type": "website", "url": "https://example.com"});
    for (name, value) in change.as_object().unwrap() {
        body[name] = value.clone();
    }
    service.post(ADA, &format!("/api{DOCUMENTS}"), body).await
}

async fn status(service: &Service, id: u64) -> Value {
    service.get(ADA, &format!("{DOCUMENTS}/{id}")).await.is(200)["data"]["status"].clone()
}

#[tokio::test]
async fn a_website_becomes_a_document_that_is_processed_by_itself() {
    let service = with_knowledgebase().await;
    let made = website(&service, json!({"description": "Ours"})).await.is(201);
    assert_eq!(
        made,
        json!({
            "message": "Document created successfully. Processing will begin shortly.",
            "data": {
                "id": 1,
                "name": "Site",
                "description": "Ours",
                "type": "website",
                "type_label": "Website",
                "status": "processing",
                "status_label": "Processing",
                "created_at": "2026-11-21T12:00:00.000000Z"
            }
        })
    );
    service.advance(60).await;
    let shown = service.get(ADA, &format!("{DOCUMENTS}/1")).await.is(200);
    assert_eq!((&shown["data"]["status"], &shown["data"]["status_label"]), (&json!("active"), &json!("Active")));
    assert_eq!(shown["data"]["updated_at"], "2026-11-21T12:00:14.000000Z", "when its processing ended");
    assert_eq!(service.get(ADA, DOCUMENTS).await.is(200), json!({"data": [shown["data"]]}));
}

#[tokio::test]
async fn files_are_uploaded_and_processed() {
    let service = with_knowledgebase().await;
    let files: [(&str, &str, &[u8], &str); 3] = [
        ("pdf", "Preise 2026.PDF", b"%PDF-1.7 ...", "PDF"),
        ("txt", "hours.txt", "Öffnungszeiten".as_bytes(), "TXT"),
        ("docx", "care.docx", b"PK\x03\x04...", "DOCX"),
    ];
    for (at, (kind, name, content, label)) in (1..).zip(files) {
        let fields = [("name", "File"), ("type", kind), ("description", "")];
        let made = service.upload(ADA, DOCUMENTS, &fields, Some((name, content))).await.is(201);
        assert_eq!((&made["data"]["type"], &made["data"]["type_label"]), (&json!(kind), &json!(label)));
        assert_eq!(made["data"]["description"], Value::Null);
        assert_eq!(status(&service, at).await, "processing");
    }
    service.advance(60).await;
    for id in 1..=3 {
        assert_eq!(status(&service, id).await, "active");
    }
}

#[tokio::test]
async fn what_cannot_be_read_fails_and_so_does_what_is_called_fail_in_a_sandbox() {
    let service = with_knowledgebase().await;
    let fields = [("name", "Prices"), ("type", "pdf")];
    service.upload(ADA, DOCUMENTS, &fields, Some(("prices.pdf", b"no pdf at all"))).await.is(201);
    website(&service, json!({"name": "Will fail"})).await.is(201);
    assert_eq!(status(&service, 1).await, "processing");
    service.advance(60).await;
    for id in [1, 2] {
        assert_eq!(status(&service, id).await, "failed");
    }
    assert_eq!(service.get(ADA, "/user/knowledgebases/1").await.is(200)["data"]["status"], "failed");
}

#[tokio::test]
async fn each_field_of_a_document_has_its_rule() {
    let service = with_knowledgebase().await;
    for (change, named) in [
        (json!({"name": null}), "name"),
        (json!({"name": "é".repeat(256)}), "name"),
        (json!({"description": "é".repeat(256)}), "description"),
        (json!({"type": null}), "type"),
        (json!({"type": "epub"}), "type"),
        (json!({"url": null}), "url"),
        (json!({"url": "example.com"}), "url"),
        (json!({"url": 7}), "url"),
        (json!({"url": null, "links": []}), "url"),
        (json!({"links": "x"}), "links"),
        (json!({"links": [{"link": "https://a.example"}, {"link": "b"}]}), "links.1.link"),
        (json!({"links": [{}]}), "links.0.link"),
        (json!({"relative_links_limit": 0}), "relative_links_limit"),
        (json!({"relative_links_limit": 51}), "relative_links_limit"),
        (json!({"relative_links_limit": "ten"}), "relative_links_limit"),
    ] {
        let answer = website(&service, change.clone()).await.is(422);
        assert_eq!(fields(&answer["errors"]), [named], "{change}");
    }
    website(&service, json!({"url": null, "links": [{"link": "https://a.example"}]})).await.is(201);
    website(&service, json!({"relative_links_limit": 50})).await.is(201);
}

#[tokio::test]
async fn documents_of_files_need_one_of_their_type() {
    let service = with_knowledgebase().await;
    let required = json!(["A file is required for this document type."]);
    let answer = website(&service, json!({"type": "pdf"})).await.is(422);
    assert_eq!(answer["errors"]["file"], required);
    let fields = [("name", "Prices"), ("type", "pdf")];
    assert_eq!(service.upload(ADA, DOCUMENTS, &fields, None).await.is(422)["errors"]["file"], required);
    let other = service.upload(ADA, DOCUMENTS, &fields, Some(("prices.txt", b"%PDF-1.7"))).await.is(422);
    assert_eq!(other["errors"]["file"], json!(["The file must be a file of type: pdf."]));
    assert_eq!(service.get(ADA, DOCUMENTS).await.is(200), json!({"data": []}));
}

#[tokio::test]
async fn a_file_has_at_most_20_mib_and_other_bodies_one() {
    let service = with_knowledgebase().await;
    let mut file = b"%PDF-1.7".to_vec();
    file.resize(20 * 1024 * 1024, b' ');
    let fields = [("name", "Prices"), ("type", "pdf")];
    service.upload(ADA, DOCUMENTS, &fields, Some(("p.pdf", &file))).await.is(201);
    file.push(b' ');
    let large = service.upload(ADA, DOCUMENTS, &fields, Some(("p.pdf", &file))).await.is(413);
    assert!(large["message"].is_string());
    let text = "x".repeat(1024 * 1024);
    service.upload(ADA, DOCUMENTS, &[("name", &text), ("more", "x")], None).await.is(413);
    website(&service, json!({"description": text})).await.is(413);
    assert_eq!(service.get(ADA, DOCUMENTS).await.is(200)["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_form_that_cannot_be_read_is_refused_in_json() {
    let service = with_knowledgebase().await;
    for (kind, body) in [("multipart/form-data", ""), ("multipart/form-data; boundary=edge", "--edge\r\nbroken")] {
        let request = service.request(reqwest::Method::POST, ADA, &format!("/api{DOCUMENTS}"));
        let answer = Answer::of(request.header("Content-Type", kind).body(body).send().await.unwrap()).await;
        assert!(answer.is(400)["message"].is_string(), "{kind}");
    }
}

#[tokio::test]
async fn a_document_is_renamed_and_deleted() {
    let service = with_knowledgebase().await;
    website(&service, json!({"description": "Ours"})).await.is(201);
    service.advance(60).await;
    let updated = service.put(ADA, &format!("{DOCUMENTS}/1"), json!({"name": "Shop"})).await.is(200);
    assert_eq!(updated["message"], "Document updated successfully.");
    assert_eq!(
        fields(&updated["data"]),
        ["id", "name", "description", "type", "type_label", "status", "status_label", "updated_at"]
    );
    assert_eq!((&updated["data"]["name"], &updated["data"]["description"]), (&json!("Shop"), &json!("Ours")));
    assert_eq!(updated["data"]["updated_at"], "2026-11-21T12:01:00.000000Z");
    let blank = service.put(ADA, &format!("{DOCUMENTS}/1"), json!({"name": ""})).await.is(422);
    assert_eq!(fields(&blank["errors"]), ["name"]);
    let deleted = service.delete(ADA, &format!("{DOCUMENTS}/1")).await.is(200);
    assert_eq!(deleted, json!({"message": "Document deleted successfully."}));
    assert_eq!(service.get(ADA, "/user/knowledgebases/1").await.is(200)["data"]["status"], "empty");
}

#[tokio::test]
async fn what_is_not_there_or_somebody_else_s_is_answered_alike() {
    let service = with_knowledgebase().await;
    website(&service, json!({})).await.is(201);
    service.post(ADA, "/api/user/knowledgebases", json!({"name": "Other"})).await.is(201);
    let tries = async |token: &str, path: &str| {
        [
            service.get(token, path).await,
            service.put(token, path, json!({"name": "Mine"})).await,
            service.delete(token, path).await,
        ]
    };
    for path in ["/user/knowledgebases/1/documents/1", "/user/knowledgebases/9/documents/1"] {
        for answer in tries(BOB, path).await {
            assert_eq!(answer.is(404), json!({"error": "Knowledgebase not found."}), "{path}");
        }
    }
    for path in ["/user/knowledgebases/1/documents/9", "/user/knowledgebases/2/documents/1"] {
        for answer in tries(ADA, path).await {
            assert_eq!(answer.is(404), json!({"error": "Document not found."}), "{path}");
        }
    }
    let body = json!({"name": "Site", "type": "website", "url": "https://example.com"});
    let foreign = service.post(BOB, &format!("/api{DOCUMENTS}"), body.clone()).await;
    assert_eq!(foreign.body, json!({"error": "Knowledgebase not found."}));
    assert_eq!(service.post(BOB, "/api/user/knowledgebases/99/documents", body).await, foreign);
}

/// A form whose parts are written out by hand, so that they can be what no client writes.
async fn form(service: &Service, parts: impl Iterator<Item = String>) -> Answer {
    let body: String =
        parts.map(|head| format!("--b\r\n{head}\r\n\r\nx\r\n")).chain(["--b--\r\n".to_owned()]).collect();
    let request = service.request(reqwest::Method::POST, ADA, &format!("/api{DOCUMENTS}"));
    let request = request.header("content-type", "multipart/form-data; boundary=b").body(body);
    Answer::of(request.send().await.unwrap()).await
}

#[tokio::test]
async fn parts_of_a_form_and_their_names_are_limited() {
    let service = with_knowledgebase().await;
    let named = |name: &str| format!("content-disposition: form-data; name=\"{name}\"");
    form(&service, (0..99).map(|n| named(&n.to_string()))).await.is(422);
    form(&service, (0..101).map(|n| named(&n.to_string()))).await.is(413);
    form(&service, std::iter::once(named(&"n".repeat(1025)))).await.is(413);
    let padded = format!("{}\r\nx-padding: {}", named("name"), "p".repeat(2 << 20));
    form(&service, std::iter::once(padded)).await.is(400);
}
