//! What a run leaves in the log.

use crate::support::canned;
use crate::support::pty::{self, Terminal};
use crate::support::server::Server;
use crate::support::story::Story;
use switchboard::service::Clock;
use tempfile::TempDir;

const SIZE: (u16, u16) = (80, 24);

fn logged(story: &Story<Terminal>) -> String {
    std::fs::read_to_string(story.0.home.path().join(".local/state/switchboard/switchboard.log")).unwrap()
}

#[test]
fn a_run_tells_when_it_began_where_it_connected_and_that_it_ended() {
    let server = Server::start(&canned::world(), Clock::fixed(jiff::Timestamp::now()));
    let (base_url, token) = (server.base_url(), server.token.expose().to_owned());
    let mut story = Story(Terminal::on(SIZE, server, ""));
    story.sees("page 1 of 3").press("q");
    assert!(story.0.ends().success());
    let log = logged(&story);
    let at = |text: &str| log.find(text).unwrap_or_else(|| panic!("no {text:?} in\n{log}"));
    assert!(at("started") < at(&base_url) && at(&base_url) < at("ended"), "{log}");
    assert!(!log.contains(&token), "{log}");
}

#[test]
fn a_try_that_fails_is_a_warning_in_the_log() {
    let home = TempDir::new().unwrap();
    // Nobody listens on port 1.
    let program =
        pty::dashboard(&home).args(["--base-url", "http://127.0.0.1:1/api"]).env("SWITCHBOARD_TOKEN", "very-secret");
    let mut story = Story(Terminal::run(SIZE, program, home));
    story.sees("cannot be reached").press("q");
    story.0.ends();
    let log = logged(&story);
    assert!(log.contains("WARN") && log.contains("/user/conversations") && log.contains("refused"), "{log}");
    assert!(!log.contains("very-secret"), "{log}");
}
