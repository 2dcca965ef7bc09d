//! A request that is not done, and how that is answered: always JSON, always one of the contract's shapes.

use super::Faults;
use crate::api::ErrorBody;
use crate::api::rules::Fault;
use crate::service::bodies::NotKept;
use crate::service::store::StoreError;
use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// Why a request is not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    body: ErrorBody,
    /// In seconds.
    retry_after: Option<u64>,
}

impl ApiError {
    /// A refusal with any of the shapes.
    pub fn new(status: StatusCode, body: ErrorBody) -> Self {
        let retry_after = if let ErrorBody::Limited { retry_after, .. } = &body { Some(*retry_after) } else { None };
        Self { status, body, retry_after }
    }

    /// A refusal that only says something.
    pub fn message(status: StatusCode, message: &str) -> Self {
        Self::new(status, ErrorBody::message(message))
    }

    /// What is asked for is not there, or is somebody else's: nobody can tell which.
    pub fn not_found(message: &str) -> Self {
        Self::message(StatusCode::NOT_FOUND, message)
    }

    /// No token, or none that is known.
    pub fn unauthenticated() -> Self {
        Self::message(StatusCode::UNAUTHORIZED, "Unauthenticated.")
    }

    /// Too many of these for now.
    pub fn too_many(wait: Duration) -> Self {
        // Rounded up: whoever waits that long is let in.
        let retry_after = u64::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u64::MAX).max(1);
        let body = ErrorBody::Limited { message: "Too Many Attempts.".to_owned(), retry_after };
        Self::new(StatusCode::TOO_MANY_REQUESTS, body)
    }

    /// Something that may not have so many bytes.
    pub fn too_large(what: &str, limit: usize) -> Self {
        Self::message(StatusCode::PAYLOAD_TOO_LARGE, &format!("The {what} may not be larger than {limit} bytes."))
    }

    /// A fault of the service itself. The cause goes to the log, not to the caller.
    pub fn internal(cause: &dyn std::error::Error) -> Self {
        tracing::error!(cause = %cause, "a request failed");
        Self::message(StatusCode::INTERNAL_SERVER_ERROR, "Server Error")
    }
}

impl From<NotKept> for ApiError {
    fn from(refused: NotKept) -> Self {
        match refused {
            NotKept::TooLarge { limit } => Self::too_large("request body", limit),
            NotKept::Busy => {
                let message = "Too many requests are being received.";
                let refusal = Self::message(StatusCode::SERVICE_UNAVAILABLE, message);
                Self { retry_after: Some(1), ..refusal }
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if error.is_unavailable() {
            // The store has logged it, once for all requests.
            return Self::message(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable");
        }
        Self::internal(&error)
    }
}

impl From<Faults> for ApiError {
    fn from(faults: Faults) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, faults.into())
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, fault.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, axum::http::HeaderValue::from_static("Bearer"));
        }
        response
    }
}
