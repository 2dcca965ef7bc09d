//! `/user/assistants/voices`, `…/synthesizer-providers`, `…/transcriber-providers`, `…/models` and `…/languages`.

use crate::api::rules::{self, Fault};
use crate::api::{AssistantMode, Language, Model, ModelType, Provider, Voice};
use crate::service::http::{ApiError, Caller, Faults, Query};
use crate::service::state::State;
use crate::service::store::StoreError;
use axum::Json;
use axum::extract::State as Shared;
use std::sync::Arc;

/// `GET /user/assistants/voices`: the public ones and the caller's own.
///
/// # Errors
/// 422 where there is no such mode or language.
pub async fn voices(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    query: Query,
) -> Result<Json<Vec<Voice>>, ApiError> {
    let mut faults = Faults::default();
    let mode = faults.check(query.get("mode").map(mode).transpose());
    let language_id = faults.check(language_id(&state, &query)?);
    let (Some(mode), Some(language_id)) = (mode, language_id) else { return Err(faults.into()) };
    Ok(Json(state.store.voices(caller.user_id, mode.as_ref(), language_id)?))
}

/// `GET /user/assistants/synthesizer-providers`.
///
/// # Errors
/// 422 where there is no such language.
pub async fn synthesizer_providers(
    Shared(state): Shared<Arc<State>>,
    _: Caller,
    query: Query,
) -> Result<Json<Vec<Provider>>, ApiError> {
    let language_id = language_id(&state, &query)??;
    Ok(Json(state.store.synthesizer_providers(language_id)?))
}

/// `GET /user/assistants/transcriber-providers`.
///
/// # Errors
/// 422 where there is no such language.
pub async fn transcriber_providers(
    Shared(state): Shared<Arc<State>>,
    _: Caller,
    query: Query,
) -> Result<Json<Vec<Provider>>, ApiError> {
    let language_id = language_id(&state, &query)??;
    Ok(Json(state.store.transcriber_providers(language_id)?))
}

/// `GET /user/assistants/models`: language models where no type is given.
///
/// # Errors
/// 422 where there is no such type.
pub async fn models(Shared(state): Shared<Arc<State>>, _: Caller, query: Query) -> Result<Json<Vec<Model>>, ApiError> {
    let kind = match query.get("type").map_or(ModelType::Llm, ModelType::from) {
        ModelType::Other(_) => return Err(rules::not_listed("type").into()),
        known => known,
    };
    Ok(Json(state.store.models(&kind)?))
}

/// `GET /user/assistants/languages`.
///
/// # Errors
/// 500 where the store fails.
pub async fn languages(Shared(state): Shared<Arc<State>>, _: Caller) -> Result<Json<Vec<Language>>, ApiError> {
    Ok(Json(state.store.languages()?))
}

fn mode(word: &str) -> Result<AssistantMode, Fault> {
    match word.into() {
        AssistantMode::Other(_) => Err(rules::not_listed("mode")),
        known => Ok(known),
    }
}

/// The language to filter by, or the fault of one that there is not.
fn language_id(state: &State, query: &Query) -> Result<Result<Option<i64>, Fault>, StoreError> {
    let Some(text) = query.get("language_id") else { return Ok(Ok(None)) };
    let Ok(id) = text.parse() else { return Ok(Err(rules::must_be("language_id", "an integer"))) };
    Ok(if state.store.has_language(id)? { Ok(Some(id)) } else { Err(rules::not_listed("language_id")) })
}
