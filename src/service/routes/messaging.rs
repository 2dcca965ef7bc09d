//! `/user/msgapp`.

use crate::api::rules::{self, Fault};
use crate::api::{
    Data, DeliveryStatus, ErrorBody, ErrorCode, OffsetTimestamp, SendFreeform, SendTemplate, Sender, SenderStatus,
    SentMessage, SessionStatus, Template, TemplateStatus, WindowStatus, messaging as contract,
};
use crate::service::http::{ApiError, Body, Caller, Faults, Query, number};
use crate::service::messaging::{SendRefusal, Sent, WindowState, send};
use crate::service::state::State;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use std::sync::Arc;

/// `POST /user/msgapp/send`. The checks and their order are those of [`send`].
///
/// # Errors
/// As the table in [`send`] has them.
pub async fn send_template(
    Shared(state): Shared<Arc<State>>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Result<Response, SendRefusal> {
    let sent = send::template(&state, caller.user_id, &template_message(&body)?)?;
    let body = SentMessage { status: DeliveryStatus::Queued.into(), ..answer(&sent) };
    Ok(sent.pace(&state, Json(body).into_response()).await)
}

/// `POST /user/msgapp/send-freeform`.
///
/// # Errors
/// As the table in [`send`] has them.
pub async fn send_freeform(
    Shared(state): Shared<Arc<State>>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Result<Response, SendRefusal> {
    let sent = send::freeform(&state, caller.user_id, &freeform_message(&body)?)?;
    let body = SentMessage { session_status: WindowStatus::from(sent.window).into(), ..answer(&sent) };
    Ok(sent.pace(&state, Json(body).into_response()).await)
}

fn answer(sent: &Sent) -> SentMessage {
    SentMessage {
        success: true.into(),
        conversation_id: sent.stored.conversation_id.into(),
        message_id: sent.stored.message_id.into(),
        msgapp_message_id: sent.stored.outgoing_id.into(),
        message_sid: sent.sid.clone().into(),
        ..SentMessage::default()
    }
}

fn template_message(body: &Body) -> Result<SendTemplate, ApiError> {
    let mut faults = Faults::default();
    let sender_id = faults.check(body.id("sender_id"));
    let template_id = faults.check(body.id("template_id"));
    let recipient_phone = faults.check(body.text("recipient_phone"));
    let recipient_name = faults.check(recipient_name(body));
    let variables = faults.check(body.optional_texts("variables").map(Option::unwrap_or_default));
    let (Some(sender_id), Some(template_id), Some(phone), Some(name), Some(variables)) =
        (sender_id, template_id, recipient_phone, recipient_name, variables)
    else {
        return Err(faults.into());
    };
    let (recipient_phone, recipient_name) = (phone.to_owned(), name.map(str::to_owned));
    Ok(SendTemplate { sender_id, template_id, recipient_phone, recipient_name, variables })
}

fn recipient_name(body: &Body) -> Result<Option<&str>, Fault> {
    let name = body.optional_text("recipient_name")?;
    contract::recipient_name(name.unwrap_or_default()).map(|()| name)
}

fn freeform_message(body: &Body) -> Result<SendFreeform, ApiError> {
    let mut faults = Faults::default();
    let sender_id = faults.check(body.id("sender_id"));
    let recipient_phone = faults.check(body.text("recipient_phone"));
    let message =
        faults.check(body.text("message").and_then(|message| contract::freeform_message(message).map(|()| message)));
    let (Some(sender_id), Some(phone), Some(message)) = (sender_id, recipient_phone, message) else {
        return Err(faults.into());
    };
    Ok(SendFreeform { sender_id, recipient_phone: phone.to_owned(), message: message.to_owned() })
}

/// `GET /user/msgapp/session-status`.
///
/// # Errors
/// 422 where a parameter is missing or cannot be read, 404 where the caller has no such sender.
pub async fn session_status(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    query: Query,
) -> Result<Json<SessionStatus>, ApiError> {
    let mut faults = Faults::default();
    let sender_id = query.get("sender_id").ok_or_else(|| rules::required("sender_id"));
    let sender_id =
        faults.check(sender_id.and_then(|id| id.parse().map_err(|_| rules::must_be("sender_id", "an integer"))));
    let phone = faults.check(query.get("recipient_phone").ok_or_else(|| rules::required("recipient_phone")));
    let (Some(sender_id), Some(phone)) = (sender_id, phone) else { return Err(faults.into()) };
    let sender = state.store.sender(caller.user_id, sender_id)?.ok_or_else(sender_not_found)?;
    let phone = contract::international(phone).ok_or(SendRefusal::InvalidPhone)?;

    let conversation = state.store.window_conversation(sender.id, &phone)?;
    let window = WindowState::at(state.clock.now(), conversation.as_ref().and_then(|it| it.window_from));
    let status = SessionStatus {
        success: true.into(),
        has_conversation: conversation.is_some().into(),
        session_status: WindowStatus::from(window).into(),
        ..SessionStatus::default()
    };
    Ok(Json(match conversation {
        None => status,
        Some(conversation) => SessionStatus {
            conversation_id: conversation.conversation_id.into(),
            customer_name: conversation.customer_name.map(Into::into).unwrap_or_default(),
            last_customer_message_at: conversation.last_customer_message_at.map(OffsetTimestamp).into(),
            ..status
        },
    }))
}

/// `GET /user/msgapp/senders`: those that are online, unless `status` asks for others.
///
/// # Errors
/// 422 where `status` is no status.
pub async fn senders(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    query: Query,
) -> Result<Json<Data<Vec<Sender>>>, ApiError> {
    let status = match query.get("status").unwrap_or(SenderStatus::Online.as_str()) {
        "all" => None,
        word => Some(listed(word.into(), SenderStatus::KNOWN)?),
    };
    Ok(Json(Data { data: state.store.senders(caller.user_id, status.as_ref())? }))
}

/// `GET /user/msgapp/senders/{senderId}/templates`: the approved ones, unless `status` asks for others.
///
/// # Errors
/// 422 where `status` is no status, 404 where the caller has no such sender.
pub async fn templates(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(sender_id): Path<String>,
    query: Query,
) -> Result<Json<Data<Vec<Template>>>, ApiError> {
    let status = match query.get("status").unwrap_or(TemplateStatus::Approved.as_str()) {
        "all" => None,
        word => Some(listed(word.into(), TemplateStatus::KNOWN)?),
    };
    let sender = state.store.sender(caller.user_id, number(&sender_id))?.ok_or_else(sender_not_found)?;
    Ok(Json(Data { data: state.store.templates(sender.id, status.as_ref())? }))
}

fn listed<T: PartialEq>(word: T, known: &[T]) -> Result<T, Fault> {
    if known.contains(&word) { Ok(word) } else { Err(rules::not_listed("status")) }
}

/// The lookups say it more briefly than the sends.
fn sender_not_found() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, ErrorBody::coded(ErrorCode::SenderNotFound, "Sender not found"))
}
