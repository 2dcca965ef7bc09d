//! The interface: all state, `update` and `draw`. Pure but for [`terminal`]: no I/O, no clock, no awaiting. Time
//! enters as data, so every screen can be tested without a terminal.

pub mod action;
mod ages;
mod app;
mod attachments;
mod by_number;
mod compose;

mod data;
mod drafts;
mod draw;
mod editor;
pub mod format;

mod fuzzy;
mod health;
mod held;
mod hosts;
pub mod input;
pub mod keymap;

mod layout;
mod links;
mod message;
mod notices;
mod options;
mod overlay;
mod pace;
mod pane;
mod panes;
mod phone;
mod polling;
mod popups;
mod prelude;
pub mod registry;

mod remote;
mod route;
mod run;
pub mod terminal;
pub mod text;
pub mod theme;
mod widgets;
mod writes;
mod zones;

pub use app::App;
pub use draw::draw;
pub use message::{Effect, Instant, Message, Moment};
pub use options::{Options, Place};
pub use run::{Outside, run};
pub use widgets::json;
