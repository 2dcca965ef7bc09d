//! `/user/assistants`.

use crate::api::OutboundAssistant;
use crate::service::http::{Caller, Refusal};
use crate::service::state::State;
use axum::Json;
use axum::extract::State as Shared;
use std::sync::Arc;

/// `GET /user/assistants/outbound`.
///
/// # Errors
/// 500 where the store fails.
pub async fn outbound(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
) -> Result<Json<Vec<OutboundAssistant>>, Refusal> {
    Ok(Json(state.store.outbound_assistants(caller.user_id)?))
}
