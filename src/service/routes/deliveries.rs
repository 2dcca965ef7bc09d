//! `/sandbox/deliveries` and `/sandbox/webhook-secret`: what became of the caller's events, and how to check where they
//! come from.

use crate::api::{MessageBody, WebhookDeliveryList};
use crate::service::events;
use crate::service::http::{ApiError, Caller};
use crate::service::state::State;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State as Shared};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// Deliveries in the list.
const NEWEST: u32 = 100;

/// `GET /sandbox/deliveries`: the newest hundred.
///
/// # Errors
/// 500 where the store fails.
pub async fn list(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Json<WebhookDeliveryList>, ApiError> {
    Ok(Json(WebhookDeliveryList { data: state.store.deliveries(Some(caller.user_id), NEWEST)? }))
}

/// `POST /sandbox/deliveries/{id}/resend`: at once, whatever became of it.
///
/// # Errors
/// 404 where the caller has no such delivery.
pub async fn resend(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    id: Result<Path<i64>, PathRejection>,
) -> Result<Json<MessageBody>, ApiError> {
    let found = match id {
        Ok(Path(id)) => state.store.resend(Some(caller.user_id), id)?,
        Err(_) => false,
    };
    if !found {
        return Err(ApiError::not_found("Delivery not found"));
    }
    Ok(Json(MessageBody { message: "The delivery is sent again".to_owned() }))
}

/// The answer of `GET /sandbox/webhook-secret`. It does not print.
#[derive(Serialize, JsonSchema)]
pub struct Shown {
    secret: String,
}

/// `GET /sandbox/webhook-secret`: what the caller's deliveries are signed with.
///
/// # Errors
/// 500 where the store fails.
pub async fn secret(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Json<Shown>, ApiError> {
    // It may be made now, and a request that reads does not wait for its turn to write.
    let secret = tokio::task::spawn_blocking(move || events::of_user(&state.store, caller.user_id)).await;
    let secret = secret.map_err(|error| ApiError::internal(&error))?.map_err(|error| ApiError::internal(&error))?;
    Ok(Json(Shown { secret: secret.expose().to_owned() }))
}
