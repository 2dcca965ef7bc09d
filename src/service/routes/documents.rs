//! `/user/knowledgebases/{knowledgebaseId}/documents`.

use super::knowledgebases::{self, error, label};
use crate::api::knowledgebase::{self as contract, RELATIVE_LINKS_DEFAULT};
use crate::api::rules::{self, Fault};
use crate::api::{Data, Document, DocumentType, Done, Field, MessageBody};
use crate::service::http::{ApiError, Body, Caller, Faults, Upload, number};
use crate::service::pieces::{self, Piece};
use crate::service::simulation::documents::{DocumentSource, outcome, processing};
use crate::service::state::State;
use crate::service::store::NewDocument;
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use std::sync::Arc;

/// The knowledgebase has no such document.
fn not_found() -> ApiError {
    error(StatusCode::NOT_FOUND, "Document not found.")
}

/// The two numbers of a path.
fn numbers((knowledgebase_id, id): &(String, String)) -> (i64, i64) {
    (number(knowledgebase_id), number(id))
}

/// `GET …/documents`.
///
/// # Errors
/// 404 where the caller has no such knowledgebase.
pub async fn list(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(knowledgebase_id): Path<String>,
) -> Result<Response, ApiError> {
    let (id, now, mut first) = (number(&knowledgebase_id), state.clock.now(), Piece::new(&state.channel));
    if !state.store.documents(caller.user_id, id, now, &mut first)? {
        return Err(knowledgebases::not_found());
    }
    // Of a knowledgebase that is deleted meanwhile, no further documents come.
    let read = move |piece: &mut Piece| state.store.documents(caller.user_id, id, now, piece).map(drop);
    pieces::list_from(first, |_| Data { data: [(); 0] }, read)
}

/// `GET …/documents/{documentId}`.
///
/// # Errors
/// 404 where the caller has no such knowledgebase, or that no such document.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<Data<Document>>, ApiError> {
    let found = state.store.document(caller.user_id, numbers(&path), state.clock.now())?;
    Ok(Json(Data { data: found.ok_or_else(knowledgebases::not_found)?.ok_or_else(not_found)? }))
}

/// `POST …/documents`: from a website (JSON) or from a file (a form). It is processed by itself from here on.
///
/// # Errors
/// 422 where a field is missing or invalid or the knowledgebase may have no more of them, 413 where the file is too large, 404 where the caller has no such
/// knowledgebase, 500 `{error}` where it cannot be stored.
pub async fn create(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(knowledgebase_id): Path<String>,
    Upload { body, file }: Upload,
) -> Result<(StatusCode, Json<Done<Document>>), ApiError> {
    let mut faults = Faults::default();
    let kind = faults.check(body.text("type").and_then(document_type));
    let content = match &kind {
        None => None,
        Some(DocumentType::Website) => Some(website(&body, &mut faults)),
        Some(kind) => {
            let file = file.ok_or_else(contract::file_required);
            faults.check(file.and_then(|file| contract::file_name(kind, &file.name).map(|()| file.content)))
        }
    };
    if body.get("name").is_none() {
        faults.check(Err::<(), _>(rules::required("name")));
    }
    let label = label(&body, faults)?;
    let (Some(name), Some(kind), Some(content)) = (&label.name, kind, content) else {
        // Whatever is missing is among the faults, which have been answered.
        return Err(rules::required("name").into());
    };
    let now = state.clock.now();
    let document = NewDocument {
        name,
        description: label.description.new_value().map(String::as_str),
        outcome: outcome(name, &kind, &content, state.is_sandbox()),
        kind,
        ready_at: now.saturating_add(processing(&content)).unwrap_or(Timestamp::MAX),
    };
    let created = state.store.create_document(caller.user_id, number(&knowledgebase_id), &document, now);
    let created = created.map_err(|cause| knowledgebases::not_stored("document", cause))?;
    let created = Document { updated_at: Field::Missing, ..knowledgebases::done(created)? };
    let message = "Document created successfully. Processing will begin shortly.";
    Ok((StatusCode::CREATED, Json(Done::new(message, created))))
}

/// `PUT …/documents/{documentId}`: changes the fields that are given.
///
/// # Errors
/// 422 where a field is invalid, 404 where the caller has no such knowledgebase, or that no such document.
pub async fn update(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(path): Path<(String, String)>,
    body: Body,
) -> Result<Json<Done<Document>>, ApiError> {
    let label = label(&body, Faults::default())?;
    let updated = state.store.update_document(caller.user_id, numbers(&path), &label, state.clock.now())?;
    let updated = updated.ok_or_else(knowledgebases::not_found)?.ok_or_else(not_found)?;
    let updated = Document { created_at: Field::Missing, ..updated };
    Ok(Json(Done::new("Document updated successfully.", updated)))
}

/// `DELETE …/documents/{documentId}`.
///
/// # Errors
/// 404 where the caller has no such knowledgebase, or that no such document.
pub async fn delete(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<MessageBody>, ApiError> {
    match state.store.delete_document(caller.user_id, numbers(&path))? {
        None => Err(knowledgebases::not_found()),
        Some(false) => Err(not_found()),
        Some(true) => Ok(Json(MessageBody { message: "Document deleted successfully.".to_owned() })),
    }
}

fn document_type(word: &str) -> Result<DocumentType, Fault> {
    match word.into() {
        DocumentType::Other(_) => Err(rules::not_listed("type")),
        known => Ok(known),
    }
}

/// A website: one URL and what it leads to, or links that are each taken as they are.
fn website(body: &Body, faults: &mut Faults) -> DocumentSource {
    let url = faults.check(body.optional_text("url")).flatten();
    let links = faults.check_each(body.optional_objects("links"), |object, faults| {
        faults.check(object.text("link").map(str::to_owned))
    });
    let unreadable = faults.names("url") || (links.is_none() && body.get("links").is_some());
    let limit = faults.check(body.optional_id("relative_links_limit")).flatten();
    let links = links.unwrap_or_default();
    if url.is_none() && links.is_empty() && !unreadable {
        faults.check(Err::<(), _>(rules::required("url")));
    }
    let named: Vec<_> = links.iter().map(String::as_str).collect();
    for fault in contract::pages_faults(url, &named, limit) {
        faults.check(Err::<(), _>(fault));
    }
    let followed = url.map_or(0, |_| limit.unwrap_or(RELATIVE_LINKS_DEFAULT).unsigned_abs());
    DocumentSource::Pages(followed + u64::try_from(links.len()).unwrap_or(u64::MAX / 2))
}
