//! Every route of the service, on one page.

use super::connections::Place;
use super::http::{ApiError, spell};
use super::messaging::rate;
use super::openapi::{Routes, describe, document};
use super::routes::{
    account, api_keys, assistants, calls, catalogue, chats, conversations, deliveries, documents, knowledgebases,
    messaging, sandbox, sandbox_calls, tools, webhooks,
};
use super::sandbox::{Broken, inflict};
use super::state::State;
use crate::api::Channel;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State as Shared};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The service with its routes.
pub fn router(state: Arc<State>) -> Router {
    let limited = from_fn_with_state(Arc::clone(&state), rate::limit);
    let api = api(&state.channel).into_router().merge(sends(&state.channel).into_router().route_layer(limited));
    let mut router = Router::new().nest("/api", api);
    if state.is_sandbox() {
        router = router.nest("/sandbox", controls(&state.channel).into_router());
    }
    let mut router = router.fallback(unknown_path).method_not_allowed_fallback(wrong_method);
    if !state.channel.is_neutral() {
        router = router.layer(from_fn_with_state(state.channel.clone(), spell));
    }
    // A fault's delay keeps no turn from others.
    router = router.layer(from_fn_with_state(Arc::clone(&state), in_turn));
    if state.is_sandbox() {
        router = router.layer(from_fn_with_state(Arc::clone(&state), inflict));
    }
    let router = router.layer(map_response(in_json));
    // Whoever reads a body keeps a limit of its own.
    router.layer(DefaultBodyLimit::disable()).with_state(state)
}

/// The operations that send, which have a limit of their own.
fn sends(channel: &Channel) -> Routes {
    Routes::new(channel).post("/user/msgapp/send", messaging::send_template, describe::messaging::send_template).post(
        "/user/msgapp/send-freeform",
        messaging::send_freeform,
        describe::messaging::send_freeform,
    )
}

/// The routes of the API.
fn api(channel: &Channel) -> Routes {
    Routes::new(channel)
        .get("/user/api-keys", api_keys::list, describe::api_keys::list)
        .post("/user/api-keys", api_keys::create, describe::api_keys::create)
        .delete("/user/api-keys/{id}", api_keys::delete, describe::api_keys::delete)
        .post("/white-label/login", account::login, describe::account::login)
        .get("/user/me", account::me, describe::account::me)
        .get("/user/msgapp/session-status", messaging::session_status, describe::messaging::session_status)
        .get("/user/msgapp/senders", messaging::senders, describe::messaging::senders)
        .get("/user/msgapp/senders/{sender_id}/templates", messaging::templates, describe::messaging::templates)
        .get("/user/conversations", conversations::list, describe::conversations::list)
        .post("/conversations", chats::start, describe::chats::start)
        .get("/conversations/{uuid}", chats::read, describe::chats::read)
        .post("/conversations/{uuid}/messages", chats::say, describe::chats::say)
        .post("/automate/conversations/{uuid}/disable-ai", chats::disable_ai, describe::chats::disable_ai)
        .post("/automate/conversations/{uuid}/enable-ai", chats::enable_ai, describe::chats::enable_ai)
        .get("/user/assistants/outbound", assistants::outbound, describe::assistants::outbound)
        .get("/user/assistants/get", assistants::list, describe::assistants::list)
        .post("/user/assistant", assistants::create, describe::assistants::create)
        .put("/user/assistant/{id}", assistants::update, describe::assistants::update)
        .delete("/user/assistant/{id}", assistants::delete, describe::assistants::delete)
        .post(
            "/user/assistants/enable-conversation-ended-webhook",
            webhooks::enable_conversation_ended,
            describe::webhooks::enable_conversation_ended,
        )
        .post(
            "/user/assistants/disable-conversation-ended-webhook",
            webhooks::disable_conversation_ended,
            describe::webhooks::disable_conversation_ended,
        )
        .post("/user/assistants/enable-inbound-webhook", webhooks::enable_inbound, describe::webhooks::enable_inbound)
        .post(
            "/user/assistants/disable-inbound-webhook",
            webhooks::disable_inbound,
            describe::webhooks::disable_inbound,
        )
        .post("/user/assistants/disable-webhook", webhooks::disable_post_call, describe::webhooks::disable_post_call)
        .get("/user/assistants/voices", catalogue::voices, describe::catalogue::voices)
        .get(
            "/user/assistants/synthesizer-providers",
            catalogue::synthesizer_providers,
            describe::catalogue::synthesizer_providers,
        )
        .get(
            "/user/assistants/transcriber-providers",
            catalogue::transcriber_providers,
            describe::catalogue::transcriber_providers,
        )
        .get("/user/assistants/models", catalogue::models, describe::catalogue::models)
        .get("/user/assistants/languages", catalogue::languages, describe::catalogue::languages)
        .post("/user/make_call", calls::make, describe::calls::make)
        .get("/user/calls", calls::list, describe::calls::list)
        .get("/user/calls/{id}", calls::get, describe::calls::get)
        .delete("/user/calls/{id}", calls::delete, describe::calls::delete)
        .get("/user/tools", tools::list, describe::tools::list)
        .post("/user/tools", tools::create, describe::tools::create)
        .get("/user/tools/{id}", tools::get, describe::tools::get)
        .put("/user/tools/{id}", tools::update, describe::tools::update)
        .delete("/user/tools/{id}", tools::delete, describe::tools::delete)
        .get("/user/knowledgebases", knowledgebases::list, describe::knowledgebases::list)
        .post("/user/knowledgebases", knowledgebases::create, describe::knowledgebases::create)
        .get("/user/knowledgebases/{id}", knowledgebases::get, describe::knowledgebases::get)
        .put("/user/knowledgebases/{id}", knowledgebases::update, describe::knowledgebases::update)
        .delete("/user/knowledgebases/{id}", knowledgebases::delete, describe::knowledgebases::delete)
        .get("/user/knowledgebases/{id}/documents", documents::list, describe::documents::list)
        .post("/user/knowledgebases/{id}/documents", documents::create, describe::documents::create)
        .get("/user/knowledgebases/{id}/documents/{document_id}", documents::get, describe::documents::get)
        .put("/user/knowledgebases/{id}/documents/{document_id}", documents::update, describe::documents::update)
        .delete("/user/knowledgebases/{id}/documents/{document_id}", documents::delete, describe::documents::delete)
        .get("/openapi.json", openapi_json, describe::document::read)
}

/// The controls of a sandbox.
fn controls(channel: &Channel) -> Routes {
    Routes::new(channel)
        .post("/clock", sandbox::clock, describe::sandbox::clock)
        .post("/faults", sandbox::faults, describe::sandbox::faults)
        .post("/inbound-message", sandbox::inbound_message, describe::sandbox::inbound_message)
        .post("/end-conversation", sandbox::end_conversation, describe::sandbox::end_conversation)
        .post("/inbound-call", sandbox_calls::inbound_call, describe::sandbox::inbound_call)
        .get("/messages/{sid}", sandbox::message, describe::sandbox::message)
        .get("/deliveries", deliveries::list, describe::deliveries::list)
        .post("/deliveries/{id}/resend", deliveries::resend, describe::deliveries::resend)
        .get("/webhook-secret", deliveries::secret, describe::deliveries::secret)
}

/// `GET /openapi.json`: needs no token.
async fn openapi_json(Shared(state): Shared<Arc<State>>) -> Response {
    let made = || document(&state.channel, state.is_sandbox()).to_string().into();
    let document = state.openapi.get_or_init(made).clone();
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

/// What only reads waits for its turn. What may write waits for its body, and then for the threads that write.
async fn in_turn(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Arc<Place>>().filter(|_| request.method().is_safe());
    let _turn = match place {
        Some(place) => Some(state.reads.take(place.holder()).await),
        None => None,
    };
    next.run(request).await
}

async fn unknown_path() -> ApiError {
    ApiError::not_found("The route could not be found.")
}

async fn wrong_method() -> ApiError {
    ApiError::message(StatusCode::METHOD_NOT_ALLOWED, "The method is not supported for this route.")
}

/// Refusals of the framework are answered in JSON like all others: a path that is not UTF-8, for one.
async fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_refusal = status.is_client_error() || status.is_server_error();
    let is_json =
        response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_refusal || is_json || response.extensions().get::<Broken>().is_some() {
        return response;
    }
    ApiError::message(status, status.canonical_reason().unwrap_or("The request was refused.")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::openapi::{EMBEDDED, OpenApiDocument};

    /// `UPDATE_OPENAPI=1 cargo test --lib openapi` writes it anew.
    #[test]
    fn embedded_openapi_document_is_that_of_the_routes() {
        let (channel, mut made) = (Channel::default(), OpenApiDocument::new("/api"));
        made.add("", api(&channel).described());
        made.add("", sends(&channel).described());
        made.add("/sandbox", controls(&channel).described());
        // A line for each value, so that changes can be read, without the indentation, which is half of its size.
        let made: String = format!("{:#}", made.finish()).lines().flat_map(|line| [line.trim_start(), "\n"]).collect();
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/service/openapi/openapi.json");
            std::fs::write(path, &made).unwrap();
        } else {
            assert!(made == EMBEDDED, "routes or types have changed: UPDATE_OPENAPI=1 cargo test --lib openapi");
        }
    }
}
