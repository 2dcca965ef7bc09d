//! `/user/tools`.

use crate::api::{Done, MessageBody, Tool, ToolChange, ToolHeader, ToolParameter};
use crate::service::http::{ApiError, Body, Caller, Faults, number};
use crate::service::limits::{OBJECT_MAX, few, small};
use crate::service::pieces::{self, Piece};
use crate::service::state::State;
use crate::service::store::PlanLimit;
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use std::sync::Arc;

fn not_found() -> ApiError {
    ApiError::not_found("Tool not found")
}

/// `POST /user/tools`.
///
/// # Errors
/// 422 where a field is missing or invalid, or the plan allows no more tools.
pub async fn create(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<Done<Tool>>), ApiError> {
    let (change, faults) = read(&body, Faults::default());
    let missing = change.missing().into_iter().filter(|missing| !faults.names(&missing.field)).collect();
    faults.and(missing).none()?;
    let created = state.store.create_tool(caller.user_id, &change, state.clock.now())?;
    let tool = created.map_err(|PlanLimit(limit)| {
        let message = format!(
            "You have reached your plan limit of {limit} mid call tools. Please upgrade your plan to create more tools."
        );
        ApiError::message(StatusCode::UNPROCESSABLE_ENTITY, &message)
    })?;
    Ok((StatusCode::CREATED, Json(Done::new("Tool created successfully", tool))))
}

/// `PUT /user/tools/{id}`: changes the fields that are given.
///
/// # Errors
/// 422 where a field is invalid, 404 where the caller has no such tool.
pub async fn update(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Done<Tool>>, ApiError> {
    let (change, faults) = read(&body, Faults::titled("Validation failed"));
    faults.none()?;
    let tool = state.store.update_tool(caller.user_id, number(&id), &change, state.clock.now())?;
    Ok(Json(Done::new("Tool updated successfully", tool.ok_or_else(not_found)?)))
}

/// `GET /user/tools`.
///
/// # Errors
/// 500 where the store fails.
pub async fn list(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Response, ApiError> {
    let channel = state.channel.clone();
    let read = move |piece: &mut Piece| state.store.tools(caller.user_id, piece);
    pieces::list(&channel, |_| [(); 0], read)
}

/// `GET /user/tools/{id}`.
///
/// # Errors
/// 404 where the caller has no such tool.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Tool>, ApiError> {
    state.store.tool(caller.user_id, number(&id))?.map(Json).ok_or_else(not_found)
}

/// `DELETE /user/tools/{id}`: it is detached from every assistant.
///
/// # Errors
/// 404 where the caller has no such tool.
pub async fn delete(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MessageBody>, ApiError> {
    if !state.store.delete_tool(caller.user_id, number(&id))? {
        return Err(not_found());
    }
    Ok(Json(MessageBody { message: "Tool deleted successfully".to_owned() }))
}

/// The fields that are given, and what is wrong with them.
fn read(body: &Body, mut faults: Faults) -> (ToolChange, Faults) {
    let mut text = |field| faults.check(body.filled_text(field)).flatten().map(str::to_owned);
    let change = ToolChange {
        name: text("name"),
        description: text("description"),
        endpoint: text("endpoint"),
        method: text("method").map(|word| word.as_str().into()),
        ..ToolChange::default()
    };
    let change = ToolChange {
        timeout: faults.check(body.optional_id("timeout")).flatten(),
        headers: faults.check_each(body.optional_objects("headers"), header),
        schema: faults.check_each(body.optional_objects("schema"), parameter),
        ..change
    };
    let few = [
        few("headers", change.headers.as_ref().map(Vec::len)),
        few("schema", change.schema.as_ref().map(Vec::len)),
        small("headers", &change.headers, OBJECT_MAX),
    ];
    let found = change.faults().into_iter().chain(few.into_iter().filter_map(Result::err)).collect();
    (change, faults.and(found))
}

fn header(object: &Body, faults: &mut Faults) -> Option<ToolHeader> {
    let name = faults.check(object.text("name").map(str::to_owned));
    let value = faults.check(object.text("value").map(str::to_owned));
    Some(ToolHeader { name: name?, value: value? })
}

fn parameter(object: &Body, faults: &mut Faults) -> Option<ToolParameter> {
    let name = faults.check(object.text("name").map(str::to_owned));
    let kind = faults.check(object.text("type").map(Into::into));
    let description = faults.check(object.text("description").map(str::to_owned));
    Some(ToolParameter { name: name?, kind: kind?, description: description? })
}
