//! Templates, senders and windows: the pane that agents work in.

pub mod compose;
mod known;
pub mod outbox;

pub use known::{Known, KnownSender, Watch};
