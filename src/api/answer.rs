//! The two shapes that most answers have around their content.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An answer whose content stands in `data`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DataOf{T}")]
pub struct Data<T> {
    /// The content.
    pub data: T,
}

/// An answer that says what happened, and to what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DoneWith{T}")]
pub struct Done<T> {
    /// What happened, in words.
    pub message: String,
    /// The thing as it is now.
    pub data: T,
}

impl<T> Done<T> {
    /// What happened, and to what.
    pub fn new(message: &str, data: T) -> Self {
        Self { message: message.to_owned(), data }
    }
}
