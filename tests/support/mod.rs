//! What the tests of the whole app share: a story of keys and of what is seen, and the stages that it can be told on.

#![allow(dead_code, reason = "each program that shares this uses a part of it")]

pub mod calls;
pub mod canned;
pub mod desk;
pub mod inside;
pub mod proxy;
pub mod pty;
pub mod pure;
pub mod screen;
pub mod server;
pub mod story;
pub mod talks;
