//! The service through real HTTP, an area of the API in each module.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

#[path = "service/api_keys.rs"]
mod api_keys;
#[path = "service/auth.rs"]
mod auth;
#[path = "service/conversations.rs"]
mod conversations;
#[path = "service/errors.rs"]
mod errors;
#[path = "service/sandbox.rs"]
mod sandbox;
#[path = "service/serve.rs"]
mod serve;
#[path = "service/support.rs"]
mod support;

#[path = "service/chats.rs"]
mod chats;
#[path = "service/crash.rs"]
mod crash;
#[path = "service/events.rs"]
mod events;
#[path = "service/ownership.rs"]
mod ownership;
#[path = "service/receiver.rs"]
mod receiver;
