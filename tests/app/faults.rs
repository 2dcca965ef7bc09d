//! When the server is slow, broken or gone: the app says so, keeps what it has, and stays quick.

use crate::support::canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::pty::Terminal;
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use switchboard::service::Clock;
use switchboard::ui::Options;

const SIZE: (u16, u16) = (120, 40);
/// Longer than any test waits: an answer that is this late does not come.
const NEVER: u64 = 600_000;

fn inside() -> Story<Inside> {
    let mut story = Story(Inside::small(SIZE));
    story.sees("page 1 of 3");
    story.0.settle();
    story
}

#[test]
fn a_server_that_goes_away_leaves_its_rows_and_is_found_again_when_it_is_back() {
    let mut story = inside();
    story.0.server.stop();
    story.passes(5).sees("offline").sees("the server cannot be reached").sees("Reception").sees("page 1 of 3");
    story.press("j j").sees_selected(3).press("?").sees("Keys that work here").press("esc");
    story.press("esc").sees_no_more("cannot be reached");
    story.0.server.restart();
    story.passes(5).sees("live").sees("page 1 of 3");
}

#[test]
fn keys_are_answered_while_every_answer_is_late() {
    let mut story = inside();
    story.0.server.fault(&json!({"path": "/", "latency_ms": NEVER, "count": 1000}));
    story.press("r j j").sees_selected(3).press("N").sees_selected(3);
    story.press("?").sees("Keys that work here").press("esc").sees_no_more("Keys that work here");
    story.press("8").sees("running").press("1").sees("120 conversations").press("q");
    story.0.ends();
}

#[test]
fn keys_are_answered_in_the_terminal_while_every_answer_is_late() {
    let server = Server::start(&canned::world(), Clock::fixed(jiff::Timestamp::now()));
    server.fault(&json!({"path": "/", "latency_ms": NEVER, "count": 1000}));
    let mut story = Story(Terminal::on(SIZE, server, ""));
    story.sees("░").press("?").sees("Keys that work here").press("esc").sees_no_more("Keys that work here");
    story.press("8").sees("running").press("q");
    assert!(story.0.ends().success());
}

#[test]
fn a_request_under_way_can_be_given_up() {
    let mut story = inside();
    story.0.server.fault(&json!({"path": "/", "latency_ms": NEVER, "count": 1000}));
    story.press("r 8").sees("running").press("x").sees("cancelled").sees_no_more("running");
}

#[test]
fn a_server_that_fails_is_quoted_and_then_forgiven() {
    let mut story = inside();
    story.0.server.fault(&json!({"path": "/user/conversations", "status": 503, "count": 1}));
    story.press("r").sees("failing").sees("(503)").press("8").sees("✕ 503").press("1 r").sees("live");
}

#[test]
fn a_connection_that_breaks_counts_as_offline() {
    let mut story = inside();
    story.0.server.fault(&json!({"path": "/user/conversations", "drop": true, "count": 1}));
    story.press("r").sees("offline").press("r").sees("live");
}

#[test]
fn a_token_that_is_not_known_is_told_with_what_to_do() {
    let mut server = Server::start(&canned::world(), service_clock());
    server.token = switchboard::api::Token::new("stale");
    let mut story = Story(Inside::start(SIZE, Options::default(), server));
    story.sees("token refused").sees("the server does not accept the token (401)").sees("SWITCHBOARD_TOKEN");
}

#[test]
fn the_program_goes_on_without_its_server_and_recovers() {
    let server = Server::start(&canned::world(), Clock::fixed(jiff::Timestamp::now()));
    let mut story = Story(Terminal::on(SIZE, server, "refresh_interval = 1"));
    story.sees("page 1 of 3");
    story.0.server.as_mut().unwrap().stop();
    story.sees("offline").sees("page 1 of 3").press("j").sees_selected(2);
    story.0.server.as_mut().unwrap().restart();
    story.sees("live");
}
