//! Templates, senders and windows: the pane that agents work in.

mod known;

pub use known::{Known, KnownSender, Watch};
