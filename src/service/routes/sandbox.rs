//! `/sandbox/`: the controls of a sandbox. They are no part of the API.

use crate::api::rules::{self, Fault};
use crate::api::{ConversationType, DeliveryStatus, ErrorBody, ErrorCode, IsoTimestamp, MessageBody};
use crate::service::calls;
use crate::service::http::{ApiError, Body, Caller, Faults};
use crate::service::provider;
use crate::service::sandbox::{self, Affliction, FaultList};
use crate::service::silence;
use crate::service::simulation::Customer;
use crate::service::state::State;
use crate::service::store::{DeliveryProgress, NewConversation};
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// The furthest that one call moves the clock: ten years.
pub const ADVANCE_MAX: u64 = 10 * 366 * 86_400;
/// The longest delay: ten minutes.
pub const LATENCY_MAX: u64 = 600_000;
/// The most requests that one call afflicts.
pub const COUNT_MAX: u64 = 1_000_000;
/// The longest text of a message, in characters.
pub const TEXT_MAX: usize = 4096;
/// The longest name of a customer, in characters.
pub const NAME_MAX: usize = 255;

/// The answer of `POST /sandbox/clock`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Now {
    now: IsoTimestamp,
}

/// `POST /sandbox/clock`: moves the service's clock on.
///
/// # Errors
/// 422 where the seconds are missing or negative, or lead beyond [`Clock::LATEST`].
pub async fn clock(Shared(state): Shared<Arc<State>>, _: Caller, body: Body) -> Result<Json<Now>, ApiError> {
    let seconds = body.number("advance_seconds", ADVANCE_MAX)?;
    if !state.clock.advance(Duration::from_secs(seconds)) {
        return Err(rules::must_be("advance_seconds", "a time before the year 9000").into());
    }
    state.store.keep_clock_offset(state.clock.offset_micros())?;
    provider::catch_up(&state)?;
    calls::advance(&state)?;
    silence::end_due(&state)?;
    Ok(Json(Now { now: IsoTimestamp(state.clock.now()) }))
}

/// `POST /sandbox/faults`: afflicts the next requests of a path, or ends all of that.
///
/// # Errors
/// 422 where the fault cannot be read or does nothing.
pub async fn faults(Shared(state): Shared<Arc<State>>, _: Caller, body: Body) -> Result<Json<MessageBody>, ApiError> {
    let Some(list) = &state.faults else { return Err(ApiError::not_found("Not found.")) };
    if body.switch("clear")? {
        list.clear();
        return Ok(done("Faults cleared"));
    }
    let mut faults = Faults::default();
    let path = faults.check(body.text("path").and_then(api_path));
    let status = faults.check(status(&body));
    let latency = faults.check(body.optional_number("latency_ms", LATENCY_MAX));
    let drop = faults.check(body.switch("drop"));
    let count = faults.check(body.number("count", COUNT_MAX));
    let (Some(path), Some(status), Some(latency), Some(drop), Some(count)) = (path, status, latency, drop, count)
    else {
        return Err(faults.into());
    };
    if status.is_none() && latency.is_none() && !drop {
        let nothing = "Give a status, latency_ms or drop: this fault would do nothing.";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorBody::invalid("status", nothing)));
    }
    let latency = Duration::from_millis(latency.unwrap_or_default());
    if !list.add(path, count, Affliction { status, latency, drop }) {
        let full = format!("There are {} faults already: clear them first.", FaultList::MOST);
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, ErrorBody::invalid("path", full)));
    }
    Ok(done("Fault set"))
}

fn api_path(path: &str) -> Result<String, Fault> {
    rules::at_most("path", path, rules::URL_MAX)?;
    if path.starts_with('/') { Ok(path.to_owned()) } else { Err(rules::must_be("path", "a path below /api")) }
}

fn status(body: &Body) -> Result<Option<StatusCode>, Fault> {
    let wrong = || rules::must_be("status", "an error status between 400 and 599");
    let Ok(given) = body.optional_number("status", 599) else { return Err(wrong()) };
    let status = given.and_then(|number| u16::try_from(number).ok()).map(StatusCode::from_u16);
    match status {
        None => Ok(None),
        Some(Ok(status)) if status.is_client_error() || status.is_server_error() => Ok(Some(status)),
        Some(_) => Err(wrong()),
    }
}

/// The answer of `POST /sandbox/inbound-message`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Received {
    conversation_id: i64,
    message_id: i64,
}

/// `POST /sandbox/inbound-message`: a customer writes to a sender.
///
/// # Errors
/// 404 where the caller has no such sender, 422 where a field cannot be read or nobody answers on the sender.
pub async fn inbound_message(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<Json<Received>, ApiError> {
    let mut faults = Faults::default();
    let sender_id = faults.check(body.id("sender_id"));
    let phone = faults
        .check(body.text("customer_phone").and_then(|phone| rules::e164("customer_phone", phone).map(|()| phone)));
    let text = faults.check(body.text("text").and_then(|text| rules::at_most("text", text, TEXT_MAX).map(|()| text)));
    let name = faults.check(
        body.optional_text("customer_name")
            .and_then(|name| rules::at_most("customer_name", name.unwrap_or_default(), NAME_MAX).map(|()| name)),
    );
    let (Some(sender_id), Some(phone), Some(text), Some(name)) = (sender_id, phone, text, name) else {
        return Err(faults.into());
    };
    let assistant_id = match state.store.sender_assistant(caller.user_id, sender_id)? {
        Some(Some(assistant_id)) => assistant_id,
        Some(None) => {
            return Err(coded(
                StatusCode::UNPROCESSABLE_ENTITY,
                ErrorCode::NoAssistantConfigured,
                "No assistant is configured for this sender",
            ));
        }
        None => return Err(coded(StatusCode::NOT_FOUND, ErrorCode::SenderNotFound, "Sender not found")),
    };
    let customer = Customer { name: name.map(str::to_owned), phone: phone.to_owned() };
    let opening = NewConversation {
        user_id: caller.user_id,
        assistant_id,
        kind: ConversationType::Msgapp,
        between: Some((sender_id, &customer)),
        uuid: sandbox::random_uuid(),
    };
    let received = state.store.receive(&opening, text, state.clock.now())?;
    Ok(Json(Received { conversation_id: received.conversation_id, message_id: received.message_id }))
}

/// `POST /sandbox/end-conversation`.
///
/// # Errors
/// 404 where the caller has no such conversation, 422 where its id is missing.
pub async fn end_conversation(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<Json<MessageBody>, ApiError> {
    let uuid = body.text("conversation_id")?;
    let ended = match Uuid::parse_str(uuid) {
        Ok(uuid) => state.store.end_conversation(caller.user_id, uuid, state.clock.now())?,
        Err(_) => false,
    };
    if !ended {
        return Err(ApiError::not_found("Conversation not found"));
    }
    Ok(done("Conversation ended"))
}

/// The answer of `GET /sandbox/messages/{sid}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MessageStatus {
    message_sid: String,
    status: DeliveryStatus,
    updated_at: IsoTimestamp,
}

/// `GET /sandbox/messages/{sid}`: how far a message has come, which the API itself does not tell.
///
/// # Errors
/// 404 where the caller has sent no such message.
pub async fn message(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(message_sid): Path<String>,
) -> Result<Json<MessageStatus>, ApiError> {
    let delivery = state.store.delivery(caller.user_id, &message_sid)?;
    let DeliveryProgress { status, updated_at } = delivery.ok_or_else(|| ApiError::not_found("Message not found"))?;
    Ok(Json(MessageStatus { message_sid, status, updated_at: IsoTimestamp(updated_at) }))
}

fn coded(status: StatusCode, code: ErrorCode, error: &str) -> ApiError {
    ApiError::new(status, ErrorBody::coded(code, error))
}

fn done(message: &str) -> Json<MessageBody> {
    Json(MessageBody { message: message.to_owned() })
}
