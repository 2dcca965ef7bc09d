//! A call, and the end of the program.

use crate::support::pty::{PROGRAM, Terminal};
use crate::support::server::Server;
use crate::support::story::{PATIENCE, Story};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::process::Command;
use std::time::Instant;
use switchboard::service::Clock;

const WORLD: &str = "[[users]]\nemail = \"ada@example.com\"\nkind = \"tenant\"\nbalance = 9.0\ntokens = [\"ada\"]\n\
                     [[users.assistants]]\nname = \"Reception\"\n";

/// Confirms a call on a terminal with this many seconds of hold.
fn confirmed(server: Server, hold: u32) -> Story<Terminal> {
    let mut story = Story(Terminal::on((120, 40), server, &format!("[messaging]\nhold_seconds = {hold}\n")));
    story.press("2").sees("▌Reception").press("C").sees("Call by Reception").types("+4930901820").press("ctrl-s");
    story.sees("Make this call?");
    story.0.rests();
    story.press("y");
    story
}

/// What the outbox of this home lists.
fn outbox(story: &Story<Terminal>) -> Vec<u8> {
    let mut program = Command::new(PROGRAM);
    program.args(["outbox", "--json"]).env("HOME", story.0.home.path()).env_remove("XDG_STATE_HOME");
    program.output().unwrap().stdout
}

#[test]
fn call_in_its_hold_when_the_program_is_killed_is_never_made() {
    let mut story = confirmed(Server::start(WORLD, Clock::system()), 60);
    story.sees("takes it back").0.signal(Signal::KILL);
    story.0.ends();
    // The screen shows the hold a moment before it is on disk: a kill in between leaves no entry.
    let told = outbox(&story);
    let entry: Option<Value> = (!told.is_empty()).then(|| serde_json::from_slice(&told).unwrap());
    assert!(entry.as_ref().is_none_or(|entry| entry["outcome"] == "not sent"), "{entry:?}");
}

#[test]
fn call_in_flight_when_the_program_is_killed_is_unknown_at_the_next_start() {
    let server = Server::start(WORLD, Clock::system());
    server.fault(&json!({"path": "/user/make_call", "latency_ms": 600_000, "count": 1}));
    let mut story = confirmed(server, 0);
    story.sees("in flight");
    // The screen says so a moment before the intent is on disk.
    let began = Instant::now();
    while outbox(&story).is_empty() && began.elapsed() < PATIENCE {}
    story.0.signal(Signal::KILL);
    story.0.ends();
    let entry: Value = serde_json::from_slice(&outbox(&story)).unwrap();
    assert_eq!((&entry["kind"], &entry["assistant"]), (&json!("call"), &json!("Reception")), "{entry}");
    assert_eq!((&entry["phone"], &entry["outcome"]), (&json!("+4930901820"), &json!("unknown")), "{entry}");
    story.0.again();
    story.sees("1 recent send has an unknown outcome: o in Messaging shows it.");
}
