//! Every route of the service, on one page.

use super::http::{Refusal, spell};
use super::routes::{account, api_keys, assistants, conversations, messaging, sandbox};
use super::routes::{calls, catalogue, documents, knowledgebases, sandbox_calls, tools, webhooks};
use super::routes::{chats, deliveries};
use super::sandbox::inflict;
use super::state::State;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest that a request may take, its body included.
const REQUEST_LIMIT: Duration = Duration::from_secs(30);

/// The routes of the API, and in a sandbox its controls.
pub fn router(state: Arc<State>) -> Router {
    let api = Router::new()
        .route("/user/api-keys", get(api_keys::list).post(api_keys::create))
        .route("/user/api-keys/{id}", delete(api_keys::delete))
        .route("/user/assistants/outbound", get(assistants::outbound))
        .route("/user/conversations", get(conversations::list))
        .nest("/user", messaging::routes(&state.channel, &state))
        .route("/user/me", get(account::me))
        .route("/white-label/login", post(account::login))
        .route("/conversations", post(chats::start))
        .route("/conversations/{uuid}", get(chats::read))
        .route("/conversations/{uuid}/messages", post(chats::say))
        .route("/automate/conversations/{uuid}/disable-ai", post(chats::disable_ai))
        .route("/automate/conversations/{uuid}/enable-ai", post(chats::enable_ai))
        .merge(resources());
    let controls = Router::new()
        .route("/clock", post(sandbox::clock))
        .route("/faults", post(sandbox::faults))
        .route("/inbound-message", post(sandbox::inbound_message))
        .route("/end-conversation", post(sandbox::end_conversation))
        .route("/messages/{sid}", get(sandbox::message))
        .route("/deliveries", get(deliveries::list))
        .route("/deliveries/{id}/resend", post(deliveries::resend))
        .route("/webhook-secret", get(deliveries::secret))
        .route("/inbound-call", post(sandbox_calls::inbound_call));

    let mut router = Router::new().nest("/api", api);
    if state.faults.is_some() {
        router = router.nest("/sandbox", controls);
    }
    let mut router = router.fallback(unknown_path).method_not_allowed_fallback(wrong_method);
    if !state.channel.is_neutral() {
        router = router.layer(from_fn_with_state(state.channel.clone(), spell));
    }
    router
        .layer(from_fn(within_limit))
        .layer(from_fn_with_state(Arc::clone(&state), inflict))
        .layer(from_fn(log))
        .with_state(state)
}

/// Assistants, what they are made from and what they use, and their calls.
fn resources() -> Router<Arc<State>> {
    Router::new()
        .route("/user/assistants/get", get(assistants::list))
        .route("/user/assistant", post(assistants::create))
        .route("/user/assistant/{id}", put(assistants::update).delete(assistants::delete))
        .route("/user/assistants/enable-conversation-ended-webhook", post(webhooks::enable_conversation_ended))
        .route("/user/assistants/disable-conversation-ended-webhook", post(webhooks::disable_conversation_ended))
        .route("/user/assistants/enable-inbound-webhook", post(webhooks::enable_inbound))
        .route("/user/assistants/disable-inbound-webhook", post(webhooks::disable_inbound))
        .route("/user/assistants/disable-webhook", post(webhooks::disable_post_call))
        .route("/user/assistants/voices", get(catalogue::voices))
        .route("/user/assistants/synthesizer-providers", get(catalogue::synthesizer_providers))
        .route("/user/assistants/transcriber-providers", get(catalogue::transcriber_providers))
        .route("/user/assistants/models", get(catalogue::models))
        .route("/user/assistants/languages", get(catalogue::languages))
        .route("/user/make_call", post(calls::make))
        .route("/user/calls", get(calls::list))
        .route("/user/calls/{id}", get(calls::get).delete(calls::delete))
        .route("/user/tools", get(tools::list).post(tools::create))
        .route("/user/tools/{id}", get(tools::get).put(tools::update).delete(tools::delete))
        .route("/user/knowledgebases", get(knowledgebases::list).post(knowledgebases::create))
        .route(
            "/user/knowledgebases/{id}",
            get(knowledgebases::get).put(knowledgebases::update).delete(knowledgebases::delete),
        )
        .route(
            "/user/knowledgebases/{id}/documents",
            // The form of a file has its own, larger limit, which its extractor keeps.
            get(documents::list).post(documents::create).layer(DefaultBodyLimit::disable()),
        )
        .route(
            "/user/knowledgebases/{id}/documents/{document_id}",
            get(documents::get).put(documents::update).delete(documents::delete),
        )
}

async fn unknown_path() -> Refusal {
    Refusal::not_found("The route could not be found.")
}

async fn wrong_method() -> Refusal {
    Refusal::message(StatusCode::METHOD_NOT_ALLOWED, "The method is not supported for this route.")
}

async fn within_limit(request: Request, next: Next) -> Response {
    tokio::time::timeout(REQUEST_LIMIT, next.run(request))
        .await
        .unwrap_or_else(|_| Refusal::message(StatusCode::REQUEST_TIMEOUT, "The request took too long.").into_response())
}

/// Writes down each request, without its query and headers: those hold phone numbers and tokens.
async fn log(request: Request, next: Next) -> Response {
    let (method, path, start) = (request.method().clone(), request.uri().path().to_owned(), Instant::now());
    let response = next.run(request).await;
    tracing::debug!(%method, path, status = response.status().as_u16(), took = ?start.elapsed(), "answered");
    response
}
