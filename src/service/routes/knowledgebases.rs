//! `/user/knowledgebases`.

use crate::api::rules;
use crate::api::{Data, Done, ErrorBody, Field, Knowledgebase, Label, MessageBody};
use crate::service::http::{ApiError, Body, Caller, Faults, number};
use crate::service::pieces::{self, Piece};
use crate::service::state::State;
use crate::service::store::{StoreError, Written};
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use std::sync::Arc;

/// The caller has no such knowledgebase.
pub fn not_found() -> ApiError {
    error(StatusCode::NOT_FOUND, "Knowledgebase not found.")
}

/// A refusal in the shape that knowledgebases have.
pub fn error(status: StatusCode, error: &str) -> ApiError {
    ApiError::new(status, ErrorBody::Error { error: error.to_owned() })
}

/// The name and the description that are given, checked. An empty description is none.
///
/// # Errors
/// What is wrong with them.
pub fn label(body: &Body, mut faults: Faults) -> Result<Label, Faults> {
    let name = faults.check(body.filled_text("name")).flatten().map(str::to_owned);
    let description = faults.check(body.text_patch("description")).unwrap_or_default();
    let label = Label { name, description };
    let found = label.faults();
    faults.and(found).none()?;
    Ok(label)
}

/// Why a knowledgebase, or something in one, could not be stored.
pub fn not_stored(what: &str, cause: StoreError) -> ApiError {
    if cause.is_unavailable() {
        return cause.into();
    }
    tracing::error!(%cause, "a {what} could not be stored");
    error(StatusCode::INTERNAL_SERVER_ERROR, &format!("Failed to create {what}. Please try again."))
}

/// What was created in a knowledgebase, or as one.
///
/// # Errors
/// 404 where there is no such knowledgebase, 422 where a rule is broken.
pub fn done<T>(written: Written<T>) -> Result<T, ApiError> {
    match written {
        Written::Done(done) => Ok(done),
        Written::Missing => Err(not_found()),
        Written::Invalid(faults) => Err(Faults::default().and(faults).into()),
    }
}

/// `POST /user/knowledgebases`: an empty one.
///
/// # Errors
/// 422 where the name is missing, a field is invalid or the user may have no more of them, 500 `{error}` where it cannot be stored.
pub async fn create(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<Done<Knowledgebase>>), ApiError> {
    let label = label(&body, Faults::default())?;
    let name = label.name.as_deref().ok_or_else(|| rules::required("name"))?;
    let description = label.description.new_value().map(String::as_str);
    let created = state.store.create_knowledgebase(caller.user_id, name, description, state.clock.now());
    let created = created.map_err(|cause| not_stored("knowledgebase", cause))?;
    let created = Knowledgebase { documents_count: Field::Missing, assistants_count: Field::Missing, ..done(created)? };
    Ok((StatusCode::CREATED, Json(Done::new("Knowledgebase created successfully.", created))))
}

/// `PUT /user/knowledgebases/{id}`: changes the fields that are given.
///
/// # Errors
/// 422 where a field is invalid, 404 where the caller has no such knowledgebase.
pub async fn update(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Done<Knowledgebase>>, ApiError> {
    let label = label(&body, Faults::default())?;
    let updated = state.store.update_knowledgebase(caller.user_id, number(&id), &label, state.clock.now())?;
    let updated = Knowledgebase {
        documents_count: Field::Missing,
        assistants_count: Field::Missing,
        created_at: Field::Missing,
        ..updated.ok_or_else(not_found)?
    };
    Ok(Json(Done::new("Knowledgebase updated successfully.", updated)))
}

/// `GET /user/knowledgebases`.
///
/// # Errors
/// 500 where the store fails.
pub async fn list(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Response, ApiError> {
    let (channel, now) = (state.channel.clone(), state.clock.now());
    let read = move |piece: &mut Piece| state.store.knowledgebases(caller.user_id, now, piece);
    pieces::list(&channel, |_| Data { data: [(); 0] }, read)
}

/// `GET /user/knowledgebases/{id}`.
///
/// # Errors
/// 404 where the caller has no such knowledgebase.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Data<Knowledgebase>>, ApiError> {
    let found = state.store.knowledgebase(caller.user_id, number(&id), state.clock.now())?;
    Ok(Json(Data { data: found.ok_or_else(not_found)? }))
}

/// `DELETE /user/knowledgebases/{id}`: its documents go too, and it is detached from every assistant.
///
/// # Errors
/// 404 where the caller has no such knowledgebase.
pub async fn delete(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MessageBody>, ApiError> {
    if !state.store.delete_knowledgebase(caller.user_id, number(&id))? {
        return Err(not_found());
    }
    Ok(Json(MessageBody { message: "Knowledgebase deleted successfully.".to_owned() }))
}
