//! `/user/make_call` and `/user/calls`.

use crate::api::rules::{self, Fault};
use crate::api::{Call, CallFilter, CallStatus, CallType, Done, MessageBody};
use crate::service::http::{ApiError, Body, Caller, Faults, Query, number};
use crate::service::limits::{VARIABLES_MAX, small};
use crate::service::paginate::Paging;
use crate::service::pieces::{self, Piece};
use crate::service::simulation::calls::plan;
use crate::service::state::State;
use crate::service::store::{CallRefusal, NewCall};
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value};
use std::sync::Arc;

fn not_found() -> ApiError {
    ApiError::not_found("Call not found")
}

/// `POST /user/make_call`. The call goes on by itself from here.
///
/// In this order: 422 where a field is missing or no assistant could be meant, 400 where the number is not in E.164,
/// 404 where the caller has no such assistant, 422 where that one does not call out, 422 where the balance is too low.
///
/// # Errors
/// See above.
pub async fn make(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<Json<Done<Map<String, Value>>>, ApiError> {
    let mut faults = Faults::default();
    let phone = faults.check(body.text("phone_number"));
    // Some clients write the number as a text.
    let assistant_id = faults.check(
        body.id("assistant_id")
            .or_else(|fault| body.text("assistant_id").ok().and_then(|text| text.parse().ok()).ok_or(fault)),
    );
    let variables = faults.check(
        body.optional_texts("variables")
            .and_then(|variables| small("variables", &variables, VARIABLES_MAX).map(|()| variables)),
    );
    let (Some(phone), Some(assistant_id), Some(variables)) = (phone, assistant_id, variables) else {
        return Err(faults.into());
    };
    if rules::e164("phone_number", phone).is_err() {
        let message = "Invalid phone number format. Please use E.164 format (e.g. +1234567890)";
        return Err(ApiError::message(StatusCode::BAD_REQUEST, message));
    }
    let call = NewCall {
        user_id: caller.user_id,
        assistant_id,
        kind: CallType::Outbound,
        phone,
        variables: variables.unwrap_or_default(),
        plan: plan(phone, state.is_sandbox()),
    };
    state.store.begin_call(call, state.clock.now())?.map_err(refusal)?;
    state.call_began.notify_one();
    Ok(Json(Done::new("Call initiated successfully", Map::new())))
}

fn refusal(why: CallRefusal) -> ApiError {
    let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
    match why {
        CallRefusal::NoAssistant => {
            ApiError::not_found("Assistant not found or does not belong to the authenticated user")
        }
        CallRefusal::NotOutbound => rules::not_listed("assistant_id").into(),
        CallRefusal::BalanceTooLow => {
            ApiError::message(unprocessable, "Insufficient balance to make call. Please top up your account.")
        }
    }
}

/// `GET /user/calls`: newest first.
///
/// # Errors
/// 422 where a parameter cannot be read, 404 where the assistant is not one of the caller's.
pub async fn list(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    query: Query,
    paging: Paging,
) -> Result<Response, ApiError> {
    let mut faults = Faults::default();
    let status = faults.check(query.get("status").map(status).transpose());
    let kind = faults.check(query.get("type").map(call_type).transpose());
    let number = |name| query.get(name).map(|text| integer(name, text)).transpose();
    let assistant_id = faults.check(number("assistant_id"));
    let campaign_id = faults.check(number("campaign_id"));
    let day = |name| query.get(name).map(|text| rules::day(name, text)).transpose();
    let date_from = faults.check(day("date_from"));
    let date_to = faults.check(day("date_to"));
    let per_page = faults.check(paging.per_page(rules::PER_PAGE_DEFAULT)).unwrap_or_default();
    faults.none()?;
    let filter = CallFilter {
        status: status.flatten(),
        kind: kind.flatten(),
        phone_number: query.get("phone_number").map(str::to_owned),
        assistant_id: assistant_id.flatten(),
        campaign_id: campaign_id.flatten(),
        date_from: date_from.flatten(),
        date_to: date_to.flatten(),
    };
    if let Some(assistant_id) = filter.assistant_id
        && !state.store.has_assistant(caller.user_id, assistant_id)?
    {
        return Err(super::assistants::not_found());
    }
    let mut first = Piece::new(&state.channel);
    let page = state.store.calls(caller.user_id, &filter, paging.offset(per_page), per_page, &mut first)?;
    let total = page.total;
    let read = move |piece: &mut Piece| state.store.more_calls(&page, piece);
    pieces::list_from(first, move |count| paging.frame(count, total, per_page), read)
}

fn status(word: &str) -> Result<CallStatus, Fault> {
    match word.into() {
        CallStatus::Other(_) => Err(rules::not_listed("status")),
        known => Ok(known),
    }
}

fn call_type(word: &str) -> Result<CallType, Fault> {
    match word.into() {
        CallType::Other(_) => Err(rules::not_listed("type")),
        known => Ok(known),
    }
}

fn integer(name: &'static str, text: &str) -> Result<i64, Fault> {
    text.parse().map_err(|_| rules::must_be(name, "an integer"))
}

/// `GET /user/calls/{id}`.
///
/// # Errors
/// 404 where the caller has no such call.
pub async fn get(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Call>, ApiError> {
    state.store.call(caller.user_id, number(&id))?.map(Json).ok_or_else(not_found)
}

/// `DELETE /user/calls/{id}`: a running call is cut off.
///
/// # Errors
/// 404 where the caller has no such call.
pub async fn delete(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MessageBody>, ApiError> {
    if !state.store.delete_call(caller.user_id, number(&id), state.clock.now())? {
        return Err(not_found());
    }
    Ok(Json(MessageBody { message: "Call deleted successfully".to_owned() }))
}
