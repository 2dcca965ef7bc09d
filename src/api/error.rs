//! The four shapes of an error body as one type (spec: Errors), with the variants that live servers are known to send.

use super::{ErrorCode, WindowStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The body of an error answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ErrorBody {
    /// Invalid or missing input: what is wrong with which field.
    Validation {
        /// The whole in one sentence.
        message: String,
        /// By field, one sentence for each fault.
        errors: BTreeMap<String, Vec<String>>,
    },
    /// Messaging-app operations.
    Coded {
        /// Always false.
        success: bool,
        /// What went wrong, in words.
        error: String,
        /// What went wrong, as a code.
        error_code: ErrorCode,
        /// The window, where a freeform message is refused because it is not open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_status: Option<Box<WindowStatus>>,
    },
    /// Rate limits.
    Limited {
        /// What went wrong, in words.
        message: String,
        /// Seconds to wait.
        retry_after: u64,
    },
    /// Assistants, tools, plan limits, authentication, unknown paths.
    Message {
        /// What went wrong, in words.
        message: String,
    },
    /// Chats.
    Failed {
        /// Always false.
        status: bool,
        /// What went wrong, in words.
        error: String,
    },
    /// Knowledgebases.
    Error {
        /// What went wrong, in words.
        error: String,
    },
}

impl ErrorBody {
    /// A message-only body.
    pub fn message(message: impl Into<String>) -> Self {
        Self::Message { message: message.into() }
    }

    /// A coded body.
    pub fn coded(error_code: ErrorCode, error: impl Into<String>) -> Self {
        Self::Coded { success: false, error: error.into(), error_code, session_status: None }
    }

    /// A validation body for one fault of one field, with that fault as its message.
    pub fn invalid(field: &str, fault: impl Into<String>) -> Self {
        let fault = fault.into();
        Self::Validation { message: fault.clone(), errors: BTreeMap::from([(field.to_owned(), vec![fault])]) }
    }

    /// Reads whatever an error answer carries; `None` where it is none of the known shapes.
    pub fn read(body: &[u8]) -> Option<Self> {
        let object: Map<String, Value> = serde_json::from_slice(body).ok()?;
        let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
        let (message, error) = (text("message"), text("error"));
        if let Some(errors) = object.get("errors").and_then(Value::as_object) {
            return Some(Self::Validation {
                message: message.unwrap_or_default(),
                errors: errors.iter().map(|(field, faults)| (field.clone(), sentences(faults))).collect(),
            });
        }
        if let (Some(error), Some(error_code)) = (&error, text("error_code")) {
            let session_status = object.get("session_status").and_then(|window| WindowStatus::deserialize(window).ok());
            return Some(Self::Coded {
                success: false,
                error: error.clone(),
                error_code: error_code.as_str().into(),
                session_status: session_status.map(Box::new),
            });
        }
        if let (Some(words), Some(retry_after)) =
            (message.as_ref().or(error.as_ref()), object.get("retry_after").and_then(Value::as_u64))
        {
            return Some(Self::Limited { message: words.clone(), retry_after });
        }
        match (message, error) {
            (Some(message), _) => Some(Self::Message { message }),
            (None, Some(error)) if object.get("status") == Some(&Value::Bool(false)) => {
                Some(Self::Failed { status: false, error })
            }
            (None, Some(error)) => Some(Self::Error { error }),
            (None, None) => None,
        }
    }

    /// True where an error answer holds nothing but a message, as the service sends it before it looks at a request.
    pub fn is_message_only(body: &[u8]) -> bool {
        let object: Option<Map<String, Value>> = serde_json::from_slice(body).ok();
        object.is_some_and(|object| {
            object.iter().all(|(name, value)| match name.as_str() {
                "message" | "error" => value.is_string(),
                "retry_after" => true,
                _ => false,
            })
        })
    }

    /// True where an error answer carries the id of a message: something may have been sent all the same.
    pub fn names_a_message(body: &[u8]) -> bool {
        let object: Option<Map<String, Value>> = serde_json::from_slice(body).ok();
        let has = |name| object.as_ref().and_then(|object| object.get(name)).is_some_and(|id: &Value| !id.is_null());
        ["message_id", "message_sid", "msgapp_message_id"].into_iter().any(has)
    }

    /// The API's own words.
    pub fn words(&self) -> &str {
        match self {
            Self::Validation { message, .. } | Self::Limited { message, .. } | Self::Message { message } => message,
            Self::Coded { error, .. } | Self::Failed { error, .. } | Self::Error { error } => error,
        }
    }

    /// The faults by field; empty but for a validation body.
    pub fn field_errors(&self) -> impl Iterator<Item = (&str, &str)> {
        let errors = match self {
            Self::Validation { errors, .. } => Some(errors),
            _ => None,
        };
        errors
            .into_iter()
            .flatten()
            .flat_map(|(field, faults)| faults.iter().map(move |fault| (field.as_str(), fault.as_str())))
    }
}

/// The faults of one field: an array of sentences, or one sentence.
fn sentences(faults: &Value) -> Vec<String> {
    match faults {
        Value::String(fault) => vec![fault.clone()],
        Value::Array(faults) => faults.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: &Value) -> ErrorBody {
        ErrorBody::read(body.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn each_shape_is_told_apart_and_written_as_it_came() {
        for body in [
            json!({"message": "The given data was invalid.", "errors": {"name": ["The name field is required."]}}),
            json!({"message": "Assistant not found"}),
            json!({"error": "Knowledgebase not found."}),
            json!({"success": false, "error": "Sender not found", "error_code": "SENDER_NOT_FOUND"}),
            json!({"success": false, "error": "Closed", "error_code": "SESSION_EXPIRED", "session_status": {"is_open": false}}),
            json!({"success": false, "error": "No", "error_code": "PROVIDER_ERROR_63024"}),
            json!({"message": "Too Many Attempts.", "retry_after": 60}),
            json!({"status": false, "error": "Conversation not found"}),
        ] {
            assert_eq!(serde_json::to_value(read(&body)).unwrap(), body);
        }
    }

    #[test]
    fn the_bodies_of_other_deployments_still_give_words() {
        assert_eq!(read(&json!({"error": "Unauthorized"})).words(), "Unauthorized");
        assert_eq!(read(&json!({"error": "Invalid API key", "message": "Check it."})).words(), "Check it.");
        assert_eq!(ErrorBody::read(b"<html>"), None);
        assert_eq!(ErrorBody::read(b"[]"), None);
    }

    #[test]
    fn only_words_and_a_wait_are_a_message() {
        for body in [
            json!({"message": "Too Many Attempts.", "retry_after": 60}),
            json!({"error": "Rate limit exceeded", "message": "Later.", "retry_after": 60}),
        ] {
            assert!(ErrorBody::is_message_only(body.to_string().as_bytes()), "{body}");
        }
        for body in [
            json!({"message": "Later.", "message_sid": "SM1"}),
            json!({"error": {"code": 1}}),
            json!({"success": false, "error": "No", "error_code": "UNKNOWN_ERROR"}),
            json!(["Later."]),
        ] {
            assert!(!ErrorBody::is_message_only(body.to_string().as_bytes()), "{body}");
        }
    }

    #[test]
    fn field_errors_name_their_field() {
        let body = ErrorBody::invalid("per_page", "The per page may not be greater than 100.");
        assert_eq!(body.field_errors().next(), Some(("per_page", "The per page may not be greater than 100.")));
    }
}
