//! Switchboard: the terminal dashboard for people who run AI assistants.
//!
//! The map of the crate; an import only ever points down this list:
//! `cli` → `ui` → `tasks` → `client`, `records` → `messaging` → `api`, and `cli` → `service` → `api`. `config` stands
//! beside `client` and is read by whoever needs a setting. `tests/walls.rs` holds it to that.

pub mod api;
pub mod cli;
pub mod client;
pub mod config;
pub mod messaging;
pub mod records;
pub mod service;
pub mod tasks;
pub mod ui;
