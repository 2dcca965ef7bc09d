//! The client and the task channel, over real connections to a server that misbehaves as it is told.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a helper that cannot go on fails its test")]

mod support;

mod tasks {
    mod audit;
    mod calls;
    mod channel;
    mod client;
    mod faults;
    mod operations;
    mod outbox;
    mod sends;
    mod server;
    mod storage;
    mod uploads;
}
