//! The task channel: takes an [`Effect`], runs it off the interface's thread, and returns exactly one [`Report`] for each.

mod account;
mod batch;
mod channel;
mod dispatch;
mod effect;
mod events;
mod handle;
mod listener;
mod pending;
mod requests;
mod storage;
#[cfg(test)]
mod tests;
mod unwritten;
mod upload;
mod verdict;

pub use batch::{Batch, Earlier, Progress, Sheet, Start};
pub use effect::{
    Answer, Effect, Event, Evidence, LastMessages, Listening, Origin, Report, Sending, Task, TaskId, Uploading, Work,
};
pub use events::Events;
pub use handle::{Clock, Config, Connected, Handle, start};
pub use requests::Requests;
pub use verdict::outcome;
