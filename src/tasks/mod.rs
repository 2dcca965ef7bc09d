//! The async task channel: takes an [`Effect`], runs it off the interface's thread, and sends back exactly one
//! [`Report`] for each.

mod effect;

pub use effect::{Answer, Effect, Event, Origin, Report, TaskId, Work};
