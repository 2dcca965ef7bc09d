//! The webhook switches of assistants: `/user/assistants/enable-…` and `…/disable-…`.

use super::assistants::not_found;
use crate::api::Done;
use crate::api::rules;
use crate::service::http::{ApiError, Body, Caller, Faults};
use crate::service::state::State;
use crate::service::store::Webhook;
use axum::Json;
use axum::extract::State as Shared;
use std::sync::Arc;

/// What these operations say of invalid input as a whole.
const INVALID: &str = "The given data was invalid.";

/// The answer: what happened, and data that is reserved.
type Switched = Result<Json<Done<[(); 0]>>, ApiError>;

/// `POST /user/assistants/enable-conversation-ended-webhook`.
///
/// # Errors
/// 422 where a field is missing or invalid, 404 where the caller has no such assistant.
pub async fn enable_conversation_ended(state: Shared<Arc<State>>, caller: Caller, body: Body) -> Switched {
    enable(&state, caller, &body, Webhook::ConversationEnded, "Conversation ended webhook enabled successfully")
}

/// `POST /user/assistants/disable-conversation-ended-webhook`.
///
/// # Errors
/// 422 where the assistant is not named, 404 where the caller has no such one.
pub async fn disable_conversation_ended(state: Shared<Arc<State>>, caller: Caller, body: Body) -> Switched {
    disable(&state, caller, &body, Webhook::ConversationEnded, "Conversation ended webhook disabled successfully")
}

/// `POST /user/assistants/enable-inbound-webhook`.
///
/// # Errors
/// 422 where a field is missing or invalid, 404 where the caller has no such assistant.
pub async fn enable_inbound(state: Shared<Arc<State>>, caller: Caller, body: Body) -> Switched {
    enable(&state, caller, &body, Webhook::Inbound, "Webhook enabled successfully")
}

/// `POST /user/assistants/disable-inbound-webhook`.
///
/// # Errors
/// 422 where the assistant is not named, 404 where the caller has no such one.
pub async fn disable_inbound(state: Shared<Arc<State>>, caller: Caller, body: Body) -> Switched {
    disable(&state, caller, &body, Webhook::Inbound, "Inbound webhook disabled successfully")
}

/// `POST /user/assistants/disable-webhook`: no more notifications after calls.
///
/// # Errors
/// 422 where the assistant is not named, 404 where the caller has no such one.
pub async fn disable_post_call(state: Shared<Arc<State>>, caller: Caller, body: Body) -> Switched {
    disable(&state, caller, &body, Webhook::PostCall, "Webhook disabled successfully")
}

fn enable(state: &State, caller: Caller, body: &Body, webhook: Webhook, message: &str) -> Switched {
    let mut faults = Faults::titled(INVALID);
    let assistant_id = faults.check(body.id("assistant_id"));
    let url = faults.check(body.text("webhook_url").and_then(|url| rules::web_url("webhook_url", url).map(|()| url)));
    let (Some(assistant_id), Some(url)) = (assistant_id, url) else { return Err(faults.into()) };
    set(state, caller, assistant_id, webhook, Some(url), message)
}

fn disable(state: &State, caller: Caller, body: &Body, webhook: Webhook, message: &str) -> Switched {
    let mut faults = Faults::titled(INVALID);
    let Some(assistant_id) = faults.check(body.id("assistant_id")) else { return Err(faults.into()) };
    set(state, caller, assistant_id, webhook, None, message)
}

fn set(
    state: &State,
    caller: Caller,
    assistant_id: i64,
    webhook: Webhook,
    url: Option<&str>,
    message: &str,
) -> Switched {
    if !state.store.set_webhook(caller.user_id, assistant_id, webhook, url, state.clock.now())? {
        return Err(not_found());
    }
    Ok(Json(Done::new(message, [])))
}
