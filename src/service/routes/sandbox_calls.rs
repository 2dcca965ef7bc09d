//! `/sandbox/inbound-call`: a customer calls.

use crate::api::CallType;
use crate::api::rules;
use crate::service::http::{ApiError, Body, Caller, Faults};
use crate::service::simulation::calls::{Plan, plan};
use crate::service::state::State;
use crate::service::store::NewCall;
use axum::Json;
use axum::extract::State as Shared;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Seconds of talk where none are asked for: short, since somebody waits for what follows.
const TALK_DEFAULT: i64 = 2;
/// Seconds that they may talk.
pub const DETAILS: RangeInclusive<i64> = 1..=1200;

/// The answer of `POST /sandbox/inbound-call`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Calling {
    call_id: i64,
}

/// `POST /sandbox/inbound-call`: a customer calls an assistant of any type, and they talk for `duration_seconds` (1 to
/// 1200). The call runs in the service's time like any other.
///
/// # Errors
/// 422 where a field cannot be read, 404 where the caller has no such assistant.
pub async fn inbound_call(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<Json<Calling>, ApiError> {
    let mut faults = Faults::default();
    let assistant_id = faults.check(body.id("assistant_id"));
    let phone = faults
        .check(body.text("customer_phone").and_then(|phone| rules::e164("customer_phone", phone).map(|()| phone)));
    let seconds = faults.check(body.optional_id("duration_seconds").and_then(|given| {
        let seconds = given.unwrap_or(TALK_DEFAULT);
        rules::between("duration_seconds", seconds, &DETAILS).map(|()| seconds)
    }));
    let (Some(assistant_id), Some(phone), Some(seconds)) = (assistant_id, phone, seconds) else {
        return Err(faults.into());
    };
    let mut plan = plan(phone, state.is_sandbox());
    if plan.talk_seconds > 0 {
        plan = Plan { talk_seconds: seconds, ..plan };
    }
    let call = NewCall {
        user_id: caller.user_id,
        assistant_id,
        kind: CallType::Inbound,
        phone,
        variables: BTreeMap::new(),
        plan,
    };
    let begun = state.store.begin_call(call, state.clock.now())?;
    let call_id = begun.map_err(|_| super::assistants::not_found())?;
    state.call_began.notify_one();
    Ok(Json(Calling { call_id }))
}
