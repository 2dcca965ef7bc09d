//! The commands that need no terminal, as scripts call them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod commands {
    mod outbox;
}
