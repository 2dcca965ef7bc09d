//! A call, and the end of the program.

use crate::support::pty::{PROGRAM, Terminal};
use crate::support::server::Server;
use crate::support::story::Story;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::process::Command;
use std::time::Duration;
use switchboard::service::Clock;

const WORLD: &str = "[[users]]\nemail = \"ada@example.com\"\nkind = \"tenant\"\nbalance = 9.0\ntokens = [\"ada\"]\n\
                     [[users.assistants]]\nname = \"Reception\"\n";
/// Longer than a confirm dialog rests before its key counts.
const RESTS: Duration = Duration::from_millis(400);

#[test]
fn call_in_flight_when_the_program_is_killed_is_unknown_at_the_next_start() {
    let server = Server::start(WORLD, Clock::system());
    server.fault(&json!({"path": "/user/make_call", "latency_ms": 600_000, "count": 1}));
    let mut story = Story(Terminal::on((120, 40), server, "[messaging]\nhold_seconds = 0\n"));
    story.press("2").sees("▌Reception").press("C").sees("Call by Reception").types("+4930901820").press("ctrl-s");
    story.sees("Make this call?").0.is_quiet(RESTS);
    story.press("y").sees("in flight").0.signal(Signal::KILL);
    story.0.ends();
    let home = story.0.home.path();
    let mut program = Command::new(PROGRAM);
    let program = program.args(["outbox", "--json"]).env("HOME", home).env_remove("XDG_STATE_HOME");
    let listed = program.output().unwrap().stdout;
    let entry: Value = serde_json::from_slice(&listed).unwrap();
    assert_eq!((&entry["kind"], &entry["assistant"]), (&json!("call"), &json!("Reception")), "{entry}");
    assert_eq!((&entry["phone"], &entry["outcome"]), (&json!("+4930901820"), &json!("unknown")), "{entry}");
}
