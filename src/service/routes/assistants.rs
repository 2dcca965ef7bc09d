//! `/user/assistants` and `/user/assistant`.

use crate::api::assistant_change::{BuiltInTool, PostCallField};
use crate::api::rules::{self, Fault};
use crate::api::{AssistantChange, AssistantSummary, Done, KnowledgebaseMode, MessageBody, Patch};
use crate::service::http::{ApiError, Body, Caller, Faults, number};
use crate::service::limits::{OBJECT_MAX, PROMPT_MAX, VALUE_MAX, few, small};
use crate::service::paginate::Paging;
use crate::service::pieces::{self, Piece};
use crate::service::sandbox::random_uuid;
use crate::service::state::State;
use crate::service::store::Written;
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a creation and an update say of invalid input as a whole.
const INVALID: &str = "Validation failed";
/// Rows a page where none are asked for.
pub const PER_PAGE_DEFAULT: u32 = 10;

/// The caller has no such assistant.
pub fn not_found() -> ApiError {
    ApiError::not_found("Assistant not found")
}

/// `GET /user/assistants/outbound`: all of them.
///
/// # Errors
/// 500 where the store fails.
pub async fn outbound(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Response, ApiError> {
    let channel = state.channel.clone();
    let read = move |piece: &mut Piece| state.store.outbound_assistants(caller.user_id, piece);
    pieces::list(&channel, |_| [(); 0], read)
}

/// `GET /user/assistants/get`: all of them, in pages, newest first.
///
/// # Errors
/// 422 where `per_page` is no number from 1 to 100.
pub async fn list(Shared(state): Shared<Arc<State>>, caller: Caller, paging: Paging) -> Result<Response, ApiError> {
    let per_page = paging.per_page(PER_PAGE_DEFAULT)?;
    let (offset, mut first) = (paging.offset(per_page), Piece::new(&state.channel));
    let total = state.store.assistants(caller.user_id, offset, per_page, &mut first)?;
    let read = move |piece: &mut Piece| state.store.assistants(caller.user_id, offset, per_page, piece).map(drop);
    pieces::list_from(first, move |count| paging.frame(count, total, per_page), read)
}

/// `POST /user/assistant`.
///
/// # Errors
/// 422 where a field is missing, invalid, or names what the caller does not have.
pub async fn create(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<Done<AssistantSummary>>), ApiError> {
    let (change, faults) = read(&body);
    let missing = change.missing().into_iter().filter(|missing| !faults.names(&missing.field)).collect();
    faults.and(missing).none()?;
    let written = state.store.create_assistant(caller.user_id, random_uuid(), change, state.clock.now())?;
    Ok((StatusCode::CREATED, Json(Done::new("Assistant created successfully", done(written)?))))
}

/// `PUT /user/assistant/{id}`: changes the fields that are given.
///
/// # Errors
/// 404 where the caller has no such assistant, 422 where a field is invalid or names what the caller does not have.
pub async fn update(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Done<AssistantSummary>>, ApiError> {
    let (change, faults) = read(&body);
    faults.none()?;
    let written = state.store.update_assistant(caller.user_id, number(&id), change, state.clock.now())?;
    Ok(Json(Done::new("Assistant updated successfully", done(written)?)))
}

/// `DELETE /user/assistant/{id}`.
///
/// # Errors
/// 404 where the caller has no such assistant.
pub async fn delete(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MessageBody>, ApiError> {
    if !state.store.delete_assistant(caller.user_id, number(&id), state.clock.now())? {
        return Err(not_found());
    }
    Ok(Json(MessageBody { message: "Assistant deleted successfully".to_owned() }))
}

fn done<T>(written: Written<T>) -> Result<T, ApiError> {
    match written {
        Written::Done(done) => Ok(done),
        Written::Missing => Err(not_found()),
        Written::Invalid(faults) => Err(Faults::titled(INVALID).and(faults).into()),
    }
}

/// The fields that are given, and what is wrong with them.
fn read(body: &Body) -> (AssistantChange, Faults) {
    let mut faults = Faults::titled(INVALID);
    let mut text = |field| faults.check(body.filled_text(field)).flatten().map(str::to_owned);
    let change = AssistantChange {
        name: text("name"),
        kind: text("type").map(|word| word.as_str().into()),
        mode: text("mode").map(|word| word.as_str().into()),
        timezone: text("timezone"),
        initial_message: text("initial_message"),
        system_prompt: text("system_prompt"),
        ..AssistantChange::default()
    };
    let mut text = |field| faults.check(body.text_patch(field)).unwrap_or_default();
    let change = AssistantChange {
        webhook_url: text("webhook_url"),
        conversation_ended_webhook_url: text("conversation_ended_webhook_url"),
        knowledgebase_mode: match text("knowledgebase_mode") {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(word) => Patch::Set(KnowledgebaseMode::from(word.as_str())),
        },
        ..change
    };
    let mut id = |field| faults.check(body.optional_id(field)).flatten();
    let change = AssistantChange { voice_id: id("voice_id"), language_id: id("language_id"), ..change };
    let mut number = |field| faults.check(body.number_patch(field)).unwrap_or_default();
    let change = AssistantChange {
        llm_model_id: number("llm_model_id"),
        multimodal_model_id: number("multimodal_model_id"),
        synthesizer_provider_id: number("synthesizer_provider_id"),
        transcriber_provider_id: number("transcriber_provider_id"),
        knowledgebase_id: number("knowledgebase_id"),
        phone_number_id: number("phone_number_id"),
        conversation_inactivity_timeout: number("conversation_inactivity_timeout"),
        max_duration: number("max_duration"),
        ..change
    };
    let mut switch = |field| faults.check(body.optional_switch(field)).flatten();
    let change = AssistantChange {
        is_webhook_active: switch("is_webhook_active"),
        send_webhook_only_on_completed: switch("send_webhook_only_on_completed"),
        include_recording_in_webhook: switch("include_recording_in_webhook"),
        conversation_ended_retrigger: switch("conversation_ended_retrigger"),
        ..change
    };
    let change = AssistantChange {
        secondary_language_ids: faults.check(body.optional_ids("secondary_language_ids")).flatten(),
        tool_ids: faults.check(body.optional_ids("tool_ids")).flatten(),
        variables: faults.check(body.optional_texts("variables")).flatten(),
        tools: faults.check_each(body.optional_objects("tools"), built_in_tool),
        post_call_schema: faults.check_each(body.optional_objects("post_call_schema"), post_call_field),
        ..change
    };
    let found = change.faults().into_iter().chain(too_much(&change)).collect();
    (change, faults.and(found))
}

/// What would make an assistant larger than this service keeps.
fn too_much(change: &AssistantChange) -> Vec<Fault> {
    let prompt = change.system_prompt.as_deref().unwrap_or_default();
    let variables = change.variables.iter().flatten();
    let fields = change.post_call_schema.iter().flatten();
    [
        rules::at_most("system_prompt", prompt, PROMPT_MAX),
        few("variables", change.variables.as_ref().map(BTreeMap::len)),
        few("secondary_language_ids", change.secondary_language_ids.as_ref().map(Vec::len)),
        few("tool_ids", change.tool_ids.as_ref().map(Vec::len)),
        few("tools", change.tools.as_ref().map(Vec::len)),
        few("post_call_schema", change.post_call_schema.as_ref().map(Vec::len)),
        small("variables", &change.variables, OBJECT_MAX),
        small("tools", &change.tools, OBJECT_MAX),
        small("post_call_schema", &change.post_call_schema, OBJECT_MAX),
    ]
    .into_iter()
    .chain(variables.flat_map(|(name, value)| {
        [rules::at_most("variables", name, rules::TEXT_MAX), rules::at_most("variables", value, VALUE_MAX)]
    }))
    .chain(fields.map(|field| rules::at_most("post_call_schema", &field.description, VALUE_MAX)))
    .filter_map(Result::err)
    .collect()
}

fn built_in_tool(object: &Body, faults: &mut Faults) -> Option<BuiltInTool> {
    let kind = faults.check(object.text("type").map(str::to_owned))?;
    let data = object.get("data").cloned().unwrap_or_default();
    Some(BuiltInTool { kind, data })
}

fn post_call_field(object: &Body, faults: &mut Faults) -> Option<PostCallField> {
    let name = faults.check(
        object
            .text("name")
            .and_then(|name| rules::at_most(object.name("name"), name, rules::TEXT_MAX).map(|()| name.to_owned())),
    );
    let kind = faults.check(object.text("type").map(str::to_owned));
    let description = faults.check(object.optional_text("description"))?.unwrap_or_default().to_owned();
    Some(PostCallField { name: name?, kind: kind?, description })
}
