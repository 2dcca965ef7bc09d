//! Limits of this service on what a user may store, so that lists without pages and whole records stay readable. They are
//! ours: the API states none, so no client knows them. What a world file or the simulation stores is not limited.

use crate::api::rules::{Fault, Field, spoken};
use serde::Serialize;

/// Assistants of a user.
pub const ASSISTANTS_MAX: i64 = 500;
/// Knowledgebases of a user.
pub const KNOWLEDGEBASES_MAX: i64 = 1000;
/// Documents of a knowledgebase.
pub const DOCUMENTS_MAX: i64 = 1000;
/// API keys of a user, those of logins included.
pub const API_KEYS_MAX: i64 = 1000;
/// The same at a login, with some room: filling the list with a stolen token does not keep out the owner.
pub const LOGIN_KEYS_MAX: i64 = API_KEYS_MAX + 100;
/// Messages of a chat in a widget or a test, of both sides: when it ends, a webhook has all of them in one body.
pub const CHAT_MESSAGES_MAX: u64 = 2000;

/// Longest system prompt, in characters.
pub const PROMPT_MAX: usize = 65_536;
/// Longest value of an assistant's variable and description of a field, in characters.
pub const VALUE_MAX: usize = 4096;
/// Most variables, languages, tools and fields of an assistant; headers and parameters of a tool.
pub const ITEMS_MAX: usize = 100;
/// Largest list or object of an assistant, as JSON in bytes.
pub const OBJECT_MAX: usize = 64 * 1024;
/// Largest set of variables of a call or a chat, as JSON in bytes. Pages of calls have a hundred of them.
pub const VARIABLES_MAX: usize = 8 * 1024;

/// The fault of one more than a user may have; `what` is "assistants", "API keys" …
pub fn too_many(field: &'static str, most: impl std::fmt::Display, what: &str) -> Fault {
    Fault::new(field, format!("You may not have more than {most} {what}."))
}

/// A list of at most [`ITEMS_MAX`] items.
///
/// # Errors
/// The fault, where it has more.
pub fn few(field: impl Into<Field>, count: Option<usize>) -> Result<(), Fault> {
    if count.is_none_or(|count| count <= ITEMS_MAX) {
        return Ok(());
    }
    let field = field.into();
    let sentence = format!("The {} may not have more than {ITEMS_MAX} items.", spoken(&field));
    Err(Fault::new(field, sentence))
}

/// A value of at most so many bytes as JSON.
///
/// # Errors
/// The fault, where it has more.
pub fn small(field: impl Into<Field>, value: &impl Serialize, max: usize) -> Result<(), Fault> {
    if serde_json::to_vec(value).is_ok_and(|json| json.len() <= max) {
        return Ok(());
    }
    let field = field.into();
    let sentence = format!("The {} may not be larger than {max} bytes.", spoken(&field));
    Err(Fault::new(field, sentence))
}
