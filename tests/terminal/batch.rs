//! A batch of the dashboard, and the end of the program while the server asks to wait.

use crate::support::pty::{self, PROGRAM, Terminal};
use crate::support::server::{SENDER_WORLD, Server};
use crate::support::story::Story;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::process::Command;
use switchboard::service::Clock;
use switchboard::ui::terminal::hangup;
use tempfile::TempDir;

const ROWS: usize = 6;
const SEND: &str = "/user/msgapp/send";

/// A confirmed batch, with these seconds of hold; without one, the server asks each row to wait.
fn confirmed(server: Server, hold: u32) -> Story<Terminal> {
    let mut story = Story(Terminal::on((120, 40), server, &format!("[messaging]\nhold_seconds = {hold}\n")));
    let file = story.0.home.path().join("people.csv");
    let rows = [0, 1, 2, 3, 4, 5].map(|row| format!("+1415555012{row},{row} May\n")).concat();
    std::fs::write(&file, format!("to,date\n{rows}")).unwrap();
    story.press("3").sees("reminder").press("b").sees("Many recipients").types(file.to_str().unwrap());
    story.press("enter").sees("6 rows are good").sees("6 messages: deducted");
    if hold == 0 {
        let server = story.0.server.as_ref().unwrap();
        server.fault(&json!({"path": SEND, "status": 429, "count": 1000}));
    }
    confirm(&mut story);
    story
}

fn confirm(story: &mut Story<Terminal>) {
    story.press("enter").sees("Send 6 messages?");
    story.0.rests();
    story.press("y");
}

/// The outcomes in the outbox of this home.
fn outcomes(story: &Story<Terminal>) -> Vec<String> {
    let mut program = Command::new(PROGRAM);
    program.args(["outbox", "--json"]).env("HOME", story.0.home.path()).env_remove("XDG_STATE_HOME");
    let listed = String::from_utf8(program.output().unwrap().stdout).unwrap();
    let entries = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    entries.map(|entry| entry["outcome"].as_str().unwrap().to_owned()).collect()
}

/// How many conversations the server has, and how many messages were accepted.
fn sent(story: &Story<Terminal>) -> (usize, usize) {
    let server = story.0.server.as_ref().unwrap();
    let conversations = server.get("/user/conversations")["data"].as_array().unwrap().len();
    (conversations, outcomes(story).iter().filter(|outcome| *outcome == "accepted").count())
}

/// Sends the file once more from its beginning to the end.
fn resumes(story: &mut Story<Terminal>) {
    story.0.server.as_ref().unwrap().fault(&json!({"clear": true}));
    story.0.again();
    story.press("3").sees("reminder").press("b").sees("ctrl-r resumes it").press("ctrl-r");
    story.sees("6 messages: deducted");
    confirm(story);
    story.sees("6 of 6").sees("done");
    assert_eq!(sent(story), (ROWS, ROWS));
}

#[test]
fn batch_that_is_ended_while_the_server_asks_to_wait_is_sent_once_by_resuming() {
    let ends = [Signal::TERM, Signal::INT].into_iter().chain(hangup().map(|_| Signal::HUP)).map(Some);
    // Ctrl-C comes as a key.
    for end in ends.chain([None]) {
        let mut story = confirmed(Server::start(SENDER_WORLD, Clock::system()), 0);
        story.sees("the server asks to wait");
        match end {
            Some(signal) => story.0.signal(signal),
            None => _ = story.press("ctrl-c").sees("q again quits").press("ctrl-c"),
        }
        story.0.ends();
        let outcomes = outcomes(&story);
        assert!(!outcomes.is_empty() && outcomes.iter().all(|outcome| outcome == "not sent"), "{end:?}: {outcomes:?}");
        assert_eq!(sent(&story).0, 0, "{end:?}");
        resumes(&mut story);
    }
}

#[test]
fn batch_that_is_ended_in_its_hold_has_sent_nothing() {
    let mut story = confirmed(Server::start(SENDER_WORLD, Clock::system()), 60);
    story.sees("takes it back").0.signal(Signal::TERM);
    story.0.ends();
    let told = String::from_utf8_lossy(&story.0.bytes).into_owned();
    assert!(told.contains("The batch was not started; no row was sent."), "{told}");
    assert_eq!((outcomes(&story).len(), sent(&story).0), (0, 0));
}

#[test]
fn another_program_is_told_that_the_dashboard_sends_the_file() {
    let mut story = confirmed(Server::start(SENDER_WORLD, Clock::system()), 0);
    story.sees("the server asks to wait").press("space").sees("paused");
    let server = story.0.server.as_ref().unwrap();
    server.fault(&json!({"clear": true}));
    let mut program = Command::new(PROGRAM);
    program.args(["send", "--sender", "1", "--template", "1", "--yes", "--resume", "--base-url", &server.base_url()]);
    program.arg("--csv").arg(story.0.home.path().join("people.csv")).env("HOME", story.0.home.path());
    program.env("SWITCHBOARD_TOKEN", server.token.expose()).env_remove("XDG_STATE_HOME");
    let output = program.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("another program is sending this file (process "), "{told}");
}

#[test]
fn nothing_is_sent_where_the_outbox_cannot_be_opened() {
    let (server, home) = (Server::start(SENDER_WORLD, Clock::system()), TempDir::new().unwrap());
    std::fs::create_dir_all(home.path().join(".local/state/switchboard/records.db")).unwrap();
    let program = pty::dashboard(&home).args(["--base-url", &server.base_url()]);
    let program = program.env("SWITCHBOARD_TOKEN", server.token.expose());
    let mut story = Story(Terminal::run((120, 40), program, home));
    story.sees("Nothing can be sent: the outbox cannot be opened").press("esc 3").sees("reminder");
}
