//! The commands that need no terminal, as scripts call them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

#[allow(dead_code, reason = "each program that shares this uses a part of it")]
#[path = "support/proxy.rs"]
mod proxy;

mod commands {
    mod listen;
    mod outbox;
    mod send;
}
