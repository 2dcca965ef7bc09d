//! What every route shares: who calls, what the body and the query say, and how a refusal is answered.

mod body;
mod caller;
mod faults;
mod query;
mod refusal;
mod spelling;

pub use body::Body;
pub use caller::Caller;
pub use faults::Faults;
pub use query::Query;
pub use refusal::Refusal;
pub use spelling::spell;
