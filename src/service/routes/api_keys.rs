//! `/user/api-keys`.

use crate::api::{ApiKey, ApiKeyList, CreatedApiKey, CreatedApiKeyBody, IsoTimestamp, MessageBody, Rows, rules};
use crate::service::http::{ApiError, Body, Caller};
use crate::service::keys::{self, TokenHash};
use crate::service::limits::{API_KEYS_MAX, too_many};
use crate::service::pieces::{self, Piece};
use crate::service::state::State;
use crate::service::store::KeyRow;
use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use std::sync::Arc;

/// `POST /user/api-keys`: the only answer that shows the token.
///
/// # Errors
/// 422 where the name is missing or too long, or the user may have no more keys.
pub async fn create(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<CreatedApiKeyBody>), ApiError> {
    let name = body.text("name")?;
    rules::api_key_name(name)?;
    let now = state.clock.now();
    let secret = keys::random_secret().map_err(|error| ApiError::internal(&error))?;
    let token = state.store.create_key(caller.user_id, name, false, now, |key_id| {
        let token = keys::token(key_id, &secret);
        let hash = TokenHash::of(&token);
        (token, hash)
    })?;
    let token = token.ok_or_else(|| too_many("name", API_KEYS_MAX, "API keys"))?;
    let api_key = CreatedApiKey { name: name.to_owned(), token, created_at: IsoTimestamp(now) };
    let message = "API key created successfully.".to_owned();
    Ok((StatusCode::CREATED, Json(CreatedApiKeyBody { message, api_key })))
}

/// `GET /user/api-keys`.
///
/// # Errors
/// 500 where the store fails.
pub async fn list(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Response, ApiError> {
    let channel = state.channel.clone();
    let read = move |piece: &mut Piece| {
        state.store.keys(caller.user_id, piece, |KeyRow { id, name, created_at, last_used_at }| ApiKey {
            id: id.into(),
            name: name.into(),
            last_used_at: state.key_use.of(id).or(last_used_at).map(IsoTimestamp).into(),
            created_at: IsoTimestamp(created_at).into(),
        })
    };
    pieces::list(&channel, |_| ApiKeyList { api_keys: Rows::default() }, read)
}

/// `DELETE /user/api-keys/{id}`: its token is worth nothing from here on.
///
/// # Errors
/// 404 where the caller has no such key.
pub async fn delete(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MessageBody>, ApiError> {
    let deleted = match id.parse() {
        Ok(id) => state.store.delete_key(caller.user_id, id)?,
        Err(_) => false,
    };
    if !deleted {
        return Err(ApiError::not_found("API key not found"));
    }
    Ok(Json(MessageBody { message: "API key deleted successfully.".to_owned() }))
}
