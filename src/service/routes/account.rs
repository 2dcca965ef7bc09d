//! The caller's account, and the login that issues a session token.

use crate::api::account::{EMAIL_MAX, TOKEN_NAME_DEFAULT, token_name};
use crate::api::rules::at_most;
use crate::api::{Account, LoggedInUser, Login, Password};
use crate::service::connections::Holder;
use crate::service::http::{ApiError, Body, Caller, Faults, Peer};
use crate::service::keys::{self, TokenHash};
use crate::service::limits::{LOGIN_KEYS_MAX, too_many};
use crate::service::passwords;
use crate::service::state::State;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use std::sync::Arc;
use std::time::Instant;

/// `GET /user/me`.
///
/// # Errors
/// 500 where the store fails.
#[expect(clippy::cast_precision_loss, reason = "a balance that large is far beyond what is shown of it")]
pub async fn me(Shared(state): Shared<Arc<State>>, caller: Caller) -> Result<Json<Account>, ApiError> {
    let account = state.store.account(caller.user_id)?;
    Ok(Json(Account {
        name: account.name.into(),
        email: account.email.into(),
        total_balance: (account.balance_micros as f64 / 1e6).into(),
        ..Account::default()
    }))
}

/// `POST /white-label/login`: a password for a session token, which works as any bearer token, is listed among the
/// user's keys by its name, and ends when it is deleted there. Of a user with as many keys as there may be, the oldest one
/// of that name gives way. The caller needs no token for it.
///
/// # Errors
/// 401 where email and password do not belong together, the same for an email that nobody has and for a user without a
/// password; 429 after too many of these for the email or from the address; 422 where a field is missing or
/// cannot be read, or the email is too long.
pub async fn login(Shared(state): Shared<Arc<State>>, peer: Peer, body: Body) -> Result<Json<Login>, ApiError> {
    let mut faults = Faults::default();
    let email = faults.check(body.text("email").and_then(|email| at_most("email", email, EMAIL_MAX).map(|()| email)));
    let password = faults.check(body.text("password"));
    let name = faults.check(
        body.optional_text("token_name")
            .map(|name| name.unwrap_or(TOKEN_NAME_DEFAULT))
            .and_then(|name| token_name(name).map(|()| name)),
    );
    let (Some(email), Some(password), Some(name)) = (email, password, name) else { return Err(faults.into()) };

    // Before it is looked up: an email that nobody has is worth as many tries.
    state.login_throttle.admit(email, peer, Instant::now()).map_err(ApiError::too_many)?;
    let found = state.store.account_of_email(email.trim())?;
    let (account, stored) = found.map_or((None, None), |(account, stored)| (Some(account), stored));
    let password = Password::new(password);
    // Hashing is slow on purpose: few at a time, and none where other requests wait for their turn.
    let check = move || passwords::matches(&password, stored.as_deref());
    let turn = state.logins.take(Holder::Guest(peer)).await;
    let matches = tokio::task::spawn_blocking(check).await;
    drop(turn);
    let matches = matches.map_err(|error| ApiError::internal(&error))?;
    let Some(account) = account.filter(|_| matches) else {
        return Err(ApiError::message(StatusCode::UNAUTHORIZED, "These credentials do not match our records."));
    };
    state.login_throttle.forgive(email, peer);

    let secret = keys::random_secret().map_err(|error| ApiError::internal(&error))?;
    let token = state.store.create_key(account.id, name, true, state.clock.now(), |key_id| {
        let token = keys::token(key_id, &secret);
        let hash = TokenHash::of(&token);
        (token, hash)
    })?;
    let token = token.ok_or_else(|| too_many("token_name", LOGIN_KEYS_MAX, "API keys"))?;
    Ok(Json(Login {
        message: "Login successful.".to_owned(),
        user: LoggedInUser { id: account.id, name: account.name, email: account.email },
        token,
        token_name: name.to_owned(),
    }))
}
