//! How a request failed: refused, worth a retry, or with an unknown outcome.

use super::{Operation, Received};
use crate::api::ErrorBody;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;

/// One try of a request, for the activity log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// 1 for the first try.
    pub number: u32,
    /// The status of the answer, where one came.
    pub status: Option<u16>,
    /// From the first byte sent to the last byte received.
    pub took: Duration,
    /// Why it failed; `None` on success.
    pub fault: Option<String>,
    /// Time until the next try; `None` where there is none.
    pub retry_in: Option<Duration>,
    /// The server's clock, in whole seconds, from the answer's `Date` header.
    pub server_time: Option<Timestamp>,
    /// The answer, with its secrets masked; `None` where none came.
    pub received: Option<Arc<Received>>,
}

/// A request or a use of storage that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind}", .operation.as_ref().map(Operation::label).unwrap_or_default())]
pub struct Failure {
    /// The request; `None` where storage on this machine failed.
    pub operation: Option<Operation>,
    /// Why it failed.
    pub kind: FailureKind,
}

impl Failure {
    /// A failure of this request.
    pub fn of(operation: Operation, kind: FailureKind) -> Self {
        Self { operation: Some(operation), kind }
    }
}

/// A failure without a request.
impl From<FailureKind> for Failure {
    fn from(kind: FailureKind) -> Self {
        Self { operation: None, kind }
    }
}

/// Why it failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FailureKind {
    /// Nothing reached the server: name not found, connection refused, TLS refused.
    #[error("cannot reach the server: {0}")]
    Unreachable(String),
    /// The deadline passed, or the connection broke after the first byte was sent: the outcome is unknown.
    #[error("no answer: {0}")]
    NoAnswer(String),
    /// The server answered with an error status.
    #[error("{status}{}", .body.as_ref().map(|body| format!(": {}", body.words())).unwrap_or_default())]
    Status {
        /// The HTTP status.
        status: u16,
        /// The body, where it has one of the known shapes; with 429 a message only where there is nothing else in it.
        body: Option<ErrorBody>,
        /// The wait that `Retry-After` or the body asks for.
        retry_after: Option<Duration>,
    },
    /// The answer is not what the contract says; what is wrong with it.
    #[error("the server's answer is not in the expected format ({0})")]
    Unreadable(String),
    /// Cancelled before it was answered.
    #[error("cancelled")]
    Cancelled,
    /// Refused or failed on this machine; nothing was sent. The reason, for people.
    #[error("{0}")]
    Local(String),
    /// A bug of this program.
    #[error("internal error: {0}")]
    Internal(String),
}

impl FailureKind {
    /// True where the server cannot be reached or does not answer.
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::NoAnswer(_))
    }

    /// True where a write may have taken effect all the same.
    pub fn is_unclear(&self) -> bool {
        matches!(self, Self::NoAnswer(_) | Self::Unreadable(_) | Self::Status { status: 500.., .. })
    }

    /// True where the service turned the request away before it looked at it: 429 with nothing but a message.
    pub fn is_turned_away(&self) -> bool {
        use ErrorBody::{Error, Limited, Message};
        matches!(self, Self::Status { status: 429, body: Some(Limited { .. } | Message { .. } | Error { .. }), .. })
    }

    /// True where the token is missing or not accepted.
    pub fn is_unauthenticated(&self) -> bool {
        matches!(self, Self::Status { status: 401, .. })
    }

    /// How long the server asks to wait before the next try, if it does.
    pub fn retry_after(&self) -> Option<Duration> {
        if let Self::Status { retry_after, .. } = self { *retry_after } else { None }
    }
}
