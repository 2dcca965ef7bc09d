//! The real program in a real pseudo-terminal: every way in and out, and what it writes.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking, its helpers too")]

mod support;

mod terminal {
    mod asks;
    mod batch;
    mod calls;
    mod editor;
    mod held;
    mod killed;
    mod log;
    mod modes;
    mod quiet;
    mod tools;
    mod uploads;
    mod ways_out;
}
