//! Who calls. A handler that needs a user asks for a [`Caller`], and none runs without one.

use super::ApiError;
use crate::api::Token;
use crate::service::connections::Place;
use crate::service::keys::TokenHash;
use crate::service::state::State;
use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use std::sync::Arc;

/// The user whose token a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The user's number.
    pub user_id: i64,
}

impl FromRequestParts<Arc<State>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Self, ApiError> {
        let token = bearer(parts).ok_or_else(ApiError::unauthenticated)?;
        let owner = state.store.key_owner(&TokenHash::of(&token))?.ok_or_else(ApiError::unauthenticated)?;
        if let Some(place) = parts.extensions.get::<Arc<Place>>() {
            place.belongs_to(owner.user_id);
        }
        state.key_use.note(owner.key_id, state.clock.now());
        Ok(Self { user_id: owner.user_id })
    }
}

fn bearer(parts: &Parts) -> Option<Token> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty()).then(|| Token::new(token))
}
