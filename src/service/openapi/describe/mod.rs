//! The descriptions of the operations, a file a resource.

pub mod account;
pub mod api_keys;
pub mod assistants;
pub mod calls;
pub mod catalogue;
pub mod chats;
pub mod conversations;
pub mod deliveries;
pub mod document;
pub mod documents;
pub mod knowledgebases;
pub mod messaging;
pub mod sandbox;
pub mod tools;
pub mod webhooks;

use super::Operation;
use crate::api::rules::{self, E164_PATTERN, PER_PAGE_MAX, PER_PAGE_MIN};
use serde_json::{Value, json};

/// A whole number.
fn integer() -> Value {
    json!({"type": "integer"})
}

/// A text of at most so many characters that says something.
fn text(max: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": max})
}

/// A day.
fn day() -> Value {
    json!({"type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"})
}

/// A phone number.
fn phone() -> Value {
    json!({"type": "string", "pattern": E164_PATTERN})
}

/// The URL of a receiver of webhooks.
fn web_url() -> Value {
    json!({"type": "string", "format": "uri", "maxLength": rules::URL_MAX})
}

/// Custom variables.
fn variables() -> Value {
    json!({"type": ["object", "null"], "additionalProperties": {"type": "string"}})
}

/// The parameters of a list in pages.
fn paged(operation: Operation, per_page: u32) -> Operation {
    let rows = json!({"type": "integer", "minimum": PER_PAGE_MIN, "maximum": PER_PAGE_MAX, "default": per_page});
    let page = json!({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}], "default": 1});
    operation.query("per_page", "Rows a page.", rows).query(
        "page",
        "The page, from 1. Anything that is no such number is page 1.",
        page,
    )
}
