//! The typed HTTP client: [`operations`] has a line an operation, with one error type and one retry policy for all.

mod answer;
mod cause;
mod config;
mod content;
mod departure;
mod error;
mod forward;
mod mask;
mod operation;
mod operations;
mod permits;
mod received;
mod retry;
mod table;
mod transport;
mod trial;
mod upload;

pub(crate) use cause::{spell, spell_wait};
pub use config::{ClientConfig, ConfigError};
pub use departure::Departure;
pub use error::{Attempt, Failure, FailureKind};
pub use forward::Forwarder;
pub use operation::Operation;
pub use operations::{Reply, Request};
pub use received::{Received, masked_headers};
pub use transport::{Client, Observer};
pub use trial::{Trial, TrialAnswer, Tried};
pub use upload::Transfer;
