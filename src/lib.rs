//! Switchboard: the terminal dashboard for people who run AI assistants.
//!
//! The map of the crate; an import only ever points down this list:
//! `cli` → `ui` → `tasks` → `client`, `records` → `messaging` → `api`, and `cli` → `service` → `api`. `config` imports
//! only `api`; `cli` and `ui` read the settings. `receiver` imports `client` and `api`. `records` and `service` share
//! `sqlite`. `tests/walls.rs` enforces it.

pub mod api;
pub mod cli;
pub mod client;
pub mod config;
pub mod messaging;
pub mod receiver;
pub mod records;
pub mod service;
mod sqlite;
pub mod tasks;
#[cfg(test)]
mod testing;
pub mod ui;
