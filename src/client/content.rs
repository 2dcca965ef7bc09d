//! The body of a request.

use super::mask;
use super::upload::Form;
use crate::api::FileDocument;
use serde::Serialize;
use serde_json::json;

/// A body and its media type.
pub(super) enum Content {
    Json(String),
    Form(Box<Form>),
}

impl Content {
    pub(super) fn json(body: &impl Serialize) -> Self {
        // The types of the contract have string keys only, so they always serialize.
        Self::Json(json!(body).to_string())
    }

    /// A multipart form. Its file is read while it is sent.
    pub(super) fn form(document: &FileDocument) -> Self {
        Self::Form(Box::new(Form::new(document)))
    }

    pub(super) fn media_type(&self) -> String {
        match self {
            Self::Json(_) => "application/json".to_owned(),
            Self::Form(form) => form.media_type(),
        }
    }

    /// A JSON body with its secrets masked; `None` for a form.
    pub(super) fn masked(&self) -> Option<String> {
        match self {
            Self::Json(text) => Some(mask::json(text)),
            Self::Form(_) => None,
        }
    }
}
