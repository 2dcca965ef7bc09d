//! The handlers, a module for each resource. A handler extracts, calls and answers.

pub mod account;
pub mod api_keys;
pub mod assistants;
pub mod conversations;
pub mod messaging;
pub mod sandbox;

pub mod calls;
pub mod catalogue;
pub mod chats;
pub mod deliveries;
pub mod documents;
pub mod knowledgebases;
pub mod sandbox_calls;
pub mod tools;
pub mod webhooks;
