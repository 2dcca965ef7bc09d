//! A JSON body, read field by field so that each fault gets its own sentence.

use super::Refusal;
use crate::api::rules::{self, Fault};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use futures_util::StreamExt;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The largest body that is read.
pub const LIMIT: usize = 1024 * 1024;
/// Of a larger one this much is received and thrown away, so that a caller still writing gets to read the answer.
const DRAIN: usize = 16 * LIMIT;

/// The fields of a JSON body. Those that nobody asks for are ignored; `null` counts as not given.
#[derive(Debug, Clone, PartialEq)]
pub struct Body(Map<String, Value>);

impl Body {
    fn get(&self, field: &str) -> Option<&Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    fn optional<'a, T>(
        &'a self,
        field: &'static str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        self.get(field).map(|value| read(value).ok_or_else(|| rules::must_be(field, what))).transpose()
    }

    /// An optional string; an empty one counts as not given.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn optional_text(&self, field: &'static str) -> Result<Option<&str>, Fault> {
        Ok(self.optional(field, "a string", Value::as_str)?.filter(|text| !text.trim().is_empty()))
    }

    /// A required string that is not empty.
    ///
    /// # Errors
    /// Where it is missing, empty or something else.
    pub fn text(&self, field: &'static str) -> Result<&str, Fault> {
        self.optional_text(field)?.ok_or_else(|| rules::required(field))
    }

    /// An optional whole number from 0 to `max`.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn optional_number(&self, field: &'static str, max: u64) -> Result<Option<u64>, Fault> {
        let what = format!("an integer between 0 and {max}");
        self.optional(field, &what, |value| value.as_u64().filter(|number| *number <= max))
    }

    /// A required whole number from 0 to `max`.
    ///
    /// # Errors
    /// Where it is missing or something else.
    pub fn number(&self, field: &'static str, max: u64) -> Result<u64, Fault> {
        self.optional_number(field, max)?.ok_or_else(|| rules::required(field))
    }

    /// The number of a resource.
    ///
    /// # Errors
    /// Where it is missing or no whole number.
    pub fn id(&self, field: &'static str) -> Result<i64, Fault> {
        self.optional(field, "an integer", Value::as_i64)?.ok_or_else(|| rules::required(field))
    }

    /// Texts by name, none where it is not given. An empty list is none too: some languages write an empty map so.
    ///
    /// # Errors
    /// Where it is something else, or one of them is no text.
    pub fn texts(&self, field: &'static str) -> Result<BTreeMap<String, String>, Fault> {
        let read = |value: &Value| match value {
            Value::Array(items) if items.is_empty() => Some(BTreeMap::new()),
            Value::Object(fields) => {
                fields.iter().map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned()))).collect()
            }
            _ => None,
        };
        Ok(self.optional(field, "an object of strings", read)?.unwrap_or_default())
    }

    /// A switch, off where it is not given.
    ///
    /// # Errors
    /// Where it is neither true nor false.
    pub fn switch(&self, field: &'static str) -> Result<bool, Fault> {
        Ok(self.optional(field, "true or false", Value::as_bool)?.unwrap_or_default())
    }
}

impl<S: Sync> FromRequest<S> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let json = is_json(request.headers());
        let bytes = receive(request).await?;
        if bytes.is_empty() {
            // Nothing given: whatever is required gets its sentence.
            return Ok(Self(Map::new()));
        }
        if !json {
            let message = "The request body must be sent as application/json.";
            return Err(Refusal::message(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(Refusal::message(StatusCode::BAD_REQUEST, "The request body must be a JSON object.")),
            Err(error) => {
                let message = format!("The request body is not valid JSON: {error}.");
                Err(Refusal::message(StatusCode::BAD_REQUEST, &message))
            }
        }
    }
}

/// `application/json` or `application/…+json`, whatever its parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

async fn receive(request: Request) -> Result<Vec<u8>, Refusal> {
    let mut stream = request.into_body().into_data_stream();
    let mut bytes = Vec::new();
    let mut received = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Refusal::message(StatusCode::BAD_REQUEST, "The request body broke off."))?;
        received += chunk.len();
        if received <= LIMIT {
            bytes.extend_from_slice(&chunk);
        } else if received > DRAIN {
            break;
        }
    }
    if received > LIMIT {
        let message = format!("The request body may not be larger than {LIMIT} bytes.");
        return Err(Refusal::message(StatusCode::PAYLOAD_TOO_LARGE, &message));
    }
    Ok(bytes)
}
