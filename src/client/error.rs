//! What can go wrong with a request, as decisions: was it refused, is it worth another try, is its outcome unknown.

use crate::api::ErrorBody;
use jiff::Timestamp;
use std::time::Duration;

/// A request's method and path below the base URL, with its query: how it is named on screen and in logs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operation {
    /// The HTTP method, in capitals.
    pub method: &'static str,
    /// Path and query below the base URL, e.g. `/user/conversations?page=2`.
    pub path: String,
    /// The JSON body, where there is one. Bodies never carry a token.
    pub body: Option<String>,
}

/// One try of a request, for the activity log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// 1 for the first try.
    pub number: u32,
    /// The status of the answer, where one came.
    pub status: Option<u16>,
    /// From the first byte out to the last byte in.
    pub took: Duration,
    /// Why it failed, in a sentence; `None` on success.
    pub fault: Option<String>,
    /// How long until the next try; `None` where there is none.
    pub retry_in: Option<Duration>,
    /// The server's own clock, in whole seconds, where its answer tells it (the `Date` header).
    pub server_time: Option<Timestamp>,
}

/// A request that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {}: {kind}", .operation.method, .operation.path)]
pub struct Failure {
    /// What was asked.
    pub operation: Operation,
    /// What came of it.
    pub kind: FailureKind,
}

/// Why a request did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FailureKind {
    /// Nothing reached the server: name not found, connection refused, TLS refused.
    #[error("cannot reach the server: {0}")]
    Unreachable(String),
    /// The deadline passed, or the connection broke after the request had begun to leave.
    #[error("no answer: {0}")]
    NoAnswer(String),
    /// The server answered with an error status.
    #[error("{status}{}", .body.as_ref().map(|body| format!(": {}", body.words())).unwrap_or_default())]
    Status {
        /// The HTTP status.
        status: u16,
        /// The body, where it has one of the known shapes.
        body: Option<ErrorBody>,
        /// The wait that `Retry-After` or the body asks for.
        retry_after: Option<Duration>,
    },
    /// The answer came but is not what the contract says.
    #[error("unreadable answer: {0}")]
    Unreadable(String),
    /// Nobody wants the answer any more.
    #[error("cancelled")]
    Cancelled,
    /// Something on this machine forbids or prevents it, and nothing was asked of the server; what, in a sentence.
    #[error("{0}")]
    Local(String),
    /// A fault of the program itself.
    #[error("internal fault: {0}")]
    Internal(String),
}

impl FailureKind {
    /// True where the server cannot be reached or does not answer: the state that the title line calls offline.
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::NoAnswer(_))
    }

    /// True where the token is missing or not accepted.
    pub fn is_unauthenticated(&self) -> bool {
        matches!(self, Self::Status { status: 401, .. })
    }
}
