//! The documents of knowledgebases.

use super::{text, web_url};
use crate::api::knowledgebase::{RELATIVE_LINKS, RELATIVE_LINKS_DEFAULT};
use crate::api::rules::TEXT_MAX;
use crate::api::{Data, Document, Done, Label, MessageBody};
use crate::service::limits::DOCUMENTS_MAX;
use crate::service::openapi::{ErrorShape, Operation};
use serde_json::json;

const TAG: &str = "Documents";
const NO_KNOWLEDGEBASE: &str = "The caller has no such knowledgebase.";
const MISSING: &str = "The caller has no such knowledgebase, or that no such document.";

fn within(operation: Operation) -> Operation {
    operation.path_id("id", "The knowledgebase's number.")
}

fn one(operation: Operation) -> Operation {
    within(operation).path_id("document_id", "The document's number.").refuses(404, ErrorShape::Error, MISSING)
}

/// `GET /user/knowledgebases/{id}/documents`.
pub fn list() -> Operation {
    within(Operation::spec(TAG, "listDocuments", "List the documents of a knowledgebase"))
        .answers::<Data<Vec<Document>>>(200, "All of them.")
        .refuses(404, ErrorShape::Error, NO_KNOWLEDGEBASE)
}

/// `POST /user/knowledgebases/{id}/documents`.
pub fn create() -> Operation {
    let description = json!({"type": ["string", "null"], "maxLength": TEXT_MAX});
    let links = json!({
        "type": ["array", "null"],
        "items": {"type": "object", "required": ["link"], "properties": {"link": web_url()}},
    });
    let limit = json!({
        "type": ["integer", "null"],
        "minimum": RELATIVE_LINKS.start(),
        "maximum": RELATIVE_LINKS.end(),
        "default": RELATIVE_LINKS_DEFAULT,
    });
    let website = json!({
        "name": text(TEXT_MAX),
        "description": description,
        "type": {"const": "website"},
        "url": web_url(),
        "links": links,
        "relative_links_limit": limit,
    });
    let file = json!({
        "name": text(TEXT_MAX),
        "description": description,
        "type": {"enum": ["pdf", "txt", "docx"]},
        "file": {"type": "string", "contentMediaType": "application/octet-stream"},
    });
    within(Operation::extension(TAG, "createDocument", "Make a document from a website or a file"))
        .words("A website is given as JSON with `url` or `links`, a file of at most 20 MiB as a form.")
        .fields(&["name", "type"], &website)
        .form(&["name", "type", "file"], &file)
        .answers::<Done<Document>>(201, "The document, whose processing goes on by itself.")
        .refuses(404, ErrorShape::Error, NO_KNOWLEDGEBASE)
        .refuses(
            422,
            ErrorShape::Validation,
            format!("A field is missing or invalid, or the knowledgebase has {DOCUMENTS_MAX} documents."),
        )
        .refuses(500, ErrorShape::Error, "It could not be stored.")
}

/// `GET /user/knowledgebases/{id}/documents/{document_id}`.
pub fn get() -> Operation {
    one(Operation::extension(TAG, "getDocument", "Read a document")).answers::<Data<Document>>(200, "The document.")
}

/// `PUT /user/knowledgebases/{id}/documents/{document_id}`.
pub fn update() -> Operation {
    one(Operation::extension(TAG, "updateDocument", "Change the given fields of a document"))
        .body::<Label>()
        .answers::<Done<Document>>(200, "The document as it is now.")
        .refuses(422, ErrorShape::Validation, "A field is invalid or too long.")
}

/// `DELETE /user/knowledgebases/{id}/documents/{document_id}`.
pub fn delete() -> Operation {
    one(Operation::extension(TAG, "deleteDocument", "Delete a document")).answers::<MessageBody>(200, "It is deleted.")
}
