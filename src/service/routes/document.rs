//! `/openapi.json`.

use crate::service::router;
use crate::service::state::State;
use axum::Json;
use axum::extract::State as Shared;
use serde_json::Value;
use std::sync::Arc;

/// `GET /openapi.json`: the service's own description. It asks for no token, and holds nobody's data.
pub async fn read(Shared(state): Shared<Arc<State>>) -> Json<Value> {
    Json(router::openapi(&state.channel, state.is_sandbox()))
}
