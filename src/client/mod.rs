//! The typed HTTP client: one method per operation, one error type, and the retry policy in one place.

mod error;

pub use error::{Attempt, Failure, FailureKind, Operation};
