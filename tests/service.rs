//! The service through real HTTP, an area of the API in each module.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

#[path = "service/account.rs"]
mod account;
#[path = "service/answers.rs"]
mod answers;
#[path = "service/api_keys.rs"]
mod api_keys;
#[path = "service/assistants.rs"]
mod assistants;
#[path = "service/auth.rs"]
mod auth;
#[path = "service/backlog.rs"]
mod backlog;
#[path = "service/calls.rs"]
mod calls;
#[path = "service/catalogue.rs"]
mod catalogue;
#[path = "service/channel.rs"]
mod channel;
#[path = "service/chats.rs"]
mod chats;
#[path = "service/contract.rs"]
mod contract;
#[path = "service/conversations.rs"]
mod conversations;
#[path = "service/crash.rs"]
mod crash;
#[path = "service/documents.rs"]
mod documents;
#[path = "service/errors.rs"]
mod errors;
#[path = "service/events.rs"]
mod events;
#[path = "service/file.rs"]
mod file;
#[path = "service/hogs.rs"]
mod hogs;
#[path = "service/knowledgebases.rs"]
mod knowledgebases;
#[path = "service/leaks.rs"]
mod leaks;
#[path = "service/listen.rs"]
mod listen;
#[path = "service/locks.rs"]
mod locks;
#[path = "service/openapi.rs"]
mod openapi;
#[path = "service/ownership.rs"]
mod ownership;
#[path = "service/past.rs"]
mod past;
#[path = "service/provider.rs"]
mod provider;
#[path = "service/receiver.rs"]
mod receiver;
#[path = "service/sandbox.rs"]
mod sandbox;
#[path = "service/senders.rs"]
mod senders;
#[path = "service/senders_world.rs"]
mod senders_world;
#[path = "service/sending.rs"]
mod sending;
#[path = "service/serve.rs"]
mod serve;
#[path = "service/support.rs"]
mod support;
#[path = "service/tools.rs"]
mod tools;
#[path = "service/webhooks.rs"]
mod webhooks;
#[path = "service/window.rs"]
mod window;
