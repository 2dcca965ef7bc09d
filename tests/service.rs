//! The service through real HTTP, an area of the API in each module.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

#[path = "service/api_keys.rs"]
mod api_keys;
#[path = "service/auth.rs"]
mod auth;
#[path = "service/contract.rs"]
mod contract;
#[path = "service/conversations.rs"]
mod conversations;
#[path = "service/errors.rs"]
mod errors;
#[path = "service/openapi.rs"]
mod openapi;
#[path = "service/sandbox.rs"]
mod sandbox;
#[path = "service/serve.rs"]
mod serve;
#[path = "service/support.rs"]
mod support;

#[path = "service/assistants.rs"]
mod assistants;
#[path = "service/calls.rs"]
mod calls;
#[path = "service/catalogue.rs"]
mod catalogue;
#[path = "service/chats.rs"]
mod chats;
#[path = "service/crash.rs"]
mod crash;
#[path = "service/documents.rs"]
mod documents;
#[path = "service/events.rs"]
mod events;
#[path = "service/knowledgebases.rs"]
mod knowledgebases;
#[path = "service/ownership.rs"]
mod ownership;
#[path = "service/receiver.rs"]
mod receiver;
#[path = "service/tools.rs"]
mod tools;
#[path = "service/webhooks.rs"]
mod webhooks;
