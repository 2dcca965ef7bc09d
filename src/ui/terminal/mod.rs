//! The terminal: the only part of the interface that reads or writes anything.

pub(in crate::ui) mod encode;
mod events;
mod guard;
mod keys;
mod screen;
mod widths;

pub use encode::{Encoder, ansi};
pub use events::{hangup, size, watch_input, watch_signals};
pub use guard::{Guard, restore_after_panic};
pub use keys::KeyReader;
pub use screen::Screen;
