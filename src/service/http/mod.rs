//! What every route shares: who calls, what the body and the query say, and how a refusal is answered.

mod api_error;
mod body;
mod caller;
mod date;
mod faults;
mod forwarded;
mod peer;
mod query;
mod spelling;
mod upload;

pub use api_error::ApiError;
pub use body::Body;
pub use caller::Caller;
pub use date::date;
pub use faults::Faults;
pub use forwarded::{Origin, authority, client as forwarded_client, origin as forwarded_origin};
pub use peer::Peer;
pub use query::Query;
pub use spelling::{Spelled, spell};
pub use upload::Upload;

/// The number in a path. A segment that is no number names nothing, and neither does 0: numbers count from 1.
pub fn number(segment: &str) -> i64 {
    segment.parse().unwrap_or_default()
}
