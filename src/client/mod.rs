//! The typed HTTP client: one method per operation, one error type, and the retry policy in one
//! place.

mod calls;
mod cause;
mod config;
mod departure;
mod error;
mod operation;
mod retry;
mod transport;
mod turns;

pub(crate) use cause::spell;
pub use config::{ClientConfig, ConfigError};
pub use departure::Departure;
pub use error::{Attempt, Failure, FailureKind, Operation};
pub use transport::{Client, Observer};
