//! A JSON body, read field by field so that each fault gets its own sentence.

use super::ApiError;
use crate::api::Patch;
use crate::api::rules::{self, Fault, Field};
use crate::service::bodies::Kept;
use crate::service::capacity::{DRAIN, GUEST_BODY_LIMIT, UPLOAD_LIMIT};
use axum::body::HttpBody as _;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use futures_util::StreamExt;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tokio::time::timeout;

/// The fields of a JSON body. Those that nobody asks for are ignored; `null` counts as not given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    fields: Map<String, Value>,
    /// Where it stands inside of another one, e.g. `headers.0.`; empty for a whole body.
    place: String,
}

impl From<Map<String, Value>> for Body {
    fn from(fields: Map<String, Value>) -> Self {
        Self { fields, place: String::new() }
    }
}

impl Body {
    /// The value of a field as it came.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// The name of a field in faults: with the place of the object that it belongs to.
    pub fn name(&self, field: &'static str) -> Field {
        if self.place.is_empty() { field.into() } else { format!("{}{field}", self.place).into() }
    }

    fn optional<'a, T>(
        &'a self,
        field: &'static str,
        what: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        self.get(field).map(|value| read(value).ok_or_else(|| rules::must_be(self.name(field), what))).transpose()
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
        self.optional_text(field)?.ok_or_else(|| rules::required(self.name(field)))
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
        self.optional_number(field, max)?.ok_or_else(|| rules::required(self.name(field)))
    }

    /// The number of a resource.
    ///
    /// # Errors
    /// Where it is missing or no whole number.
    pub fn id(&self, field: &'static str) -> Result<i64, Fault> {
        self.optional_id(field)?.ok_or_else(|| rules::required(self.name(field)))
    }

    /// An optional number of a resource.
    ///
    /// # Errors
    /// Where it is no whole number.
    pub fn optional_id(&self, field: &'static str) -> Result<Option<i64>, Fault> {
        self.optional(field, "an integer", Value::as_i64)
    }

    /// An optional string that says something where it is given.
    ///
    /// # Errors
    /// Where it is blank or something else.
    pub fn filled_text(&self, field: &'static str) -> Result<Option<&str>, Fault> {
        match self.optional(field, "a string", Value::as_str)? {
            Some(blank) if blank.trim().is_empty() => Err(rules::required(self.name(field))),
            text => Ok(text),
        }
    }

    /// A string that can be cleared, by null or by an empty one.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn text_patch(&self, field: &'static str) -> Result<Patch<String>, Fault> {
        Ok(self.patch(field, self.optional_text(field)?.map(str::to_owned)))
    }

    /// A whole number that can be cleared.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn number_patch(&self, field: &'static str) -> Result<Patch<i64>, Fault> {
        Ok(self.patch(field, self.optional_id(field)?))
    }

    fn patch<T>(&self, field: &str, value: Option<T>) -> Patch<T> {
        match value {
            Some(value) => Patch::Set(value),
            None if self.fields.contains_key(field) => Patch::Clear,
            None => Patch::Keep,
        }
    }

    /// A switch that may not be given.
    ///
    /// # Errors
    /// Where it is neither true nor false.
    pub fn optional_switch(&self, field: &'static str) -> Result<Option<bool>, Fault> {
        self.optional(field, "true or false", Value::as_bool)
    }

    /// A list of numbers of resources; null clears it.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn optional_ids(&self, field: &'static str) -> Result<Option<Vec<i64>>, Fault> {
        let read = |value: &Value| value.as_array()?.iter().map(Value::as_i64).collect();
        Ok(self.list(field, self.optional(field, "an array of integers", read)?))
    }

    /// A list of objects, each of which names its faults with its place; null clears it.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn optional_objects(&self, field: &'static str) -> Result<Option<Vec<Self>>, Fault> {
        let read = |value: &Value| {
            let object = |(at, item): (usize, &Value)| {
                Some(Self { fields: item.as_object()?.clone(), place: format!("{}{field}.{at}.", self.place) })
            };
            value.as_array()?.iter().enumerate().map(object).collect()
        };
        Ok(self.list(field, self.optional(field, "an array of objects", read)?))
    }

    fn list<T>(&self, field: &str, given: Option<Vec<T>>) -> Option<Vec<T>> {
        given.or_else(|| self.fields.contains_key(field).then(Vec::new))
    }

    /// An object of strings; null clears it, and so does the empty array that some languages write for an empty object.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn optional_texts(&self, field: &'static str) -> Result<Option<BTreeMap<String, String>>, Fault> {
        let read = |value: &Value| match value {
            Value::Array(items) if items.is_empty() => Some(BTreeMap::new()),
            value => value
                .as_object()?
                .iter()
                .map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
        };
        let given = self.optional(field, "an object with string values", read)?;
        Ok(given.or_else(|| self.fields.contains_key(field).then(BTreeMap::new)))
    }

    /// An optional object.
    ///
    /// # Errors
    /// Where it is something else.
    pub fn optional_object(&self, field: &'static str) -> Result<Option<&Map<String, Value>>, Fault> {
        self.optional(field, "an object", Value::as_object)
    }

    /// A switch, off where it is not given.
    ///
    /// # Errors
    /// Where it is neither true nor false.
    pub fn switch(&self, field: &'static str) -> Result<bool, Fault> {
        Ok(self.optional_switch(field)?.unwrap_or_default())
    }
}

impl<S: Sync> FromRequest<S> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let json = is_json(request.headers());
        let (bytes, _kept) = receive(request).await?;
        if bytes.is_empty() {
            // Nothing given: whatever is required gets its sentence.
            return Ok(Self::default());
        }
        if !json {
            let message = "The request body must be sent as application/json.";
            return Err(ApiError::message(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => Ok(fields.into()),
            Ok(_) => Err(ApiError::message(StatusCode::BAD_REQUEST, "The request body must be a JSON object.")),
            Err(error) => {
                let message = format!("The request body is not valid JSON: {error}.");
                Err(ApiError::message(StatusCode::BAD_REQUEST, &message))
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

/// Reads a body whole. It counts among all that are kept until the second value is dropped.
async fn receive(request: Request) -> Result<(Vec<u8>, Kept), ApiError> {
    let mut kept = Kept::of(request.extensions().get());
    let limit = if kept.is_guests() { GUEST_BODY_LIMIT } else { UPLOAD_LIMIT };
    let length = request.body().size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    let mut stream = request.into_body().into_data_stream();
    let received = async {
        let (mut bytes, mut received) = (Vec::new(), 0);
        // All of it at once where that is known: bodies that grew side by side would all be refused in the end.
        let mut refused = length.and_then(|length| kept.add(length).err());
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|_| ApiError::message(StatusCode::BAD_REQUEST, "The request body broke off."))?;
            received += chunk.len();
            if refused.is_none() && length.is_none() {
                refused = kept.add(chunk.len()).err();
            }
            match refused {
                None => bytes.extend_from_slice(&chunk),
                Some(_) if received > DRAIN => break,
                Some(_) => {
                    bytes = Vec::new();
                    kept.give_back();
                }
            }
        }
        refused.map_or(Ok(bytes), |refused| Err(ApiError::from(refused)))
    };
    let late = |_| ApiError::message(StatusCode::REQUEST_TIMEOUT, "The request took too long.");
    let bytes = timeout(limit, received).await.map_err(late)??;
    Ok((bytes, kept))
}
