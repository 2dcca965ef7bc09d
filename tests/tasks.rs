//! The client and the task channel, over real connections to a server that misbehaves as it is told.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a helper that cannot go on fails its test")]

mod tasks {
    mod channel;
    mod client;
    mod faults;
    mod server;
}
