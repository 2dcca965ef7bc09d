//! What asks before it does something, on a terminal where somebody can answer.

use crate::support::pty::{PROGRAM, Terminal, at_home};
use crate::support::server::{SENDER_WORLD, Server};
use crate::support::story::Story;
use pty_process::blocking::Command;
use switchboard::service::Clock;
use tempfile::TempDir;

/// `switchboard send` of one message, at its question.
fn asked() -> Story<Terminal> {
    let server = Server::start(SENDER_WORLD, Clock::system());
    let home = TempDir::new().unwrap();
    let send = ["send", "--sender", "1", "--template", "1", "--to", "+5511912345678", "--name", "Maria Souza"];
    let program = at_home(Command::new(PROGRAM), &home).args(send).args(["--var", "date=3 December"]);
    let program =
        program.env("SWITCHBOARD_BASE_URL", server.base_url()).env("SWITCHBOARD_TOKEN", server.token.expose());
    let mut story = Story(Terminal::run((80, 24), program, home));
    story.0.server = Some(server);
    story.sees("to        Maria Souza  +55 11 91234-5678  (Brazil)");
    story.sees("from      Acme Support  +1 415-555-0100").sees("text      See you on 3 December.");
    story.sees("cost      deducted from the balance (241.20)").sees("Send this message? [y/N]");
    story
}

#[test]
fn a_message_is_shown_as_it_will_be_read_and_sent_after_a_yes() {
    let mut story = asked();
    story.types("y").press("enter").sees("accepted · queued");
    assert_eq!(story.0.ends().code(), Some(0));
}

#[test]
fn an_empty_answer_sends_nothing() {
    let mut story = asked();
    story.press("enter").sees("nothing was sent");
    assert_eq!(story.0.ends().code(), Some(1));
}
