//! The handlers, a module for each resource. A handler extracts, calls and answers.

pub mod api_keys;
pub mod assistants;
pub mod conversations;
pub mod sandbox;

pub mod chats;
pub mod deliveries;
