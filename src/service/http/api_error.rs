//! A request that is not done, and how that is answered: always JSON, always one of the contract's shapes.

use super::Faults;
use crate::api::ErrorBody;
use crate::api::rules::Fault;
use crate::service::store::StoreError;
use axum::Json;
use axum::http::StatusCode;
use axum::http::header::WWW_AUTHENTICATE;
use axum::response::{IntoResponse, Response};

/// Why a request is not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    body: ErrorBody,
}

impl ApiError {
    /// A refusal with any of the shapes.
    pub fn new(status: StatusCode, body: ErrorBody) -> Self {
        Self { status, body }
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

    /// A fault of the service itself. The cause goes to the log, not to the caller.
    pub fn internal(cause: &dyn std::error::Error) -> Self {
        tracing::error!(cause = %cause, "a request failed");
        Self::message(StatusCode::INTERNAL_SERVER_ERROR, "Server Error")
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
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
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, axum::http::HeaderValue::from_static("Bearer"));
        }
        response
    }
}
