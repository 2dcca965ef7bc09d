//! The async task channel: takes an [`Effect`], runs it off the interface's thread, and sends back exactly one
//! [`Report`] for each.

mod batch;
mod channel;
mod dispatch;
mod effect;
mod flight;
mod handle;
mod keeper;
mod outlet;
mod perform;
#[cfg(test)]
mod tests;
mod verdict;

pub use batch::{Batch, Earlier, Progress, Sheet, Start};
pub use effect::{Answer, Effect, Event, Evidence, LastMessages, Origin, Report, Sending, TaskId, Work};
pub use handle::{Clock, Config, Connected, Handle, start};
pub use outlet::Events;
pub use perform::Requests;
pub use verdict::outcome;
