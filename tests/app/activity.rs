//! The log of requests, where there is more to tell than fits.

use crate::support::canned::{Canned, Mood};
use crate::support::pure::Pure;
use crate::support::story::Story;
use switchboard::api::ErrorBody;
use switchboard::client::FailureKind;
use switchboard::ui::Options;

/// The log, with the details of a request to which the server said this with a 503.
fn details_of(words: &str) -> Story<Pure> {
    let body = Some(ErrorBody::message(words));
    let mood = Mood::Failing(FailureKind::Status { status: 503, body, retry_after: None });
    let mut story = Story(Pure::connected((80, 24), Options::default(), Canned { mood, ..Canned::default() }));
    story.press("esc 8 enter").sees("Failed: the server says");
    story
}

#[test]
fn details_that_do_not_fit_are_read_to_their_end() {
    let mut story = details_of(&"Everything is on fire. ".repeat(20));
    story.sees("more ▾").sees_no_more("Sent 14:02:30");
    story.press("tab G").sees("\"data\": [],").sees_no_more("more ▾");
    story.press("k").sees("more ▾").press("esc").sees("Failed: the server says");
    story.press("esc").sees_no_more("Failed:");
}

#[test]
fn the_wheel_reads_on_in_details() {
    let mut story = details_of(&"Everything is on fire. ".repeat(20));
    for _ in 0..9 {
        story.wheels_down(40, 20);
    }
    story.sees("\"data\": [],");
}

#[test]
fn a_status_is_told_once_and_the_curl_line_before_the_tries() {
    let mut story = details_of("A fault");
    let lines = story.sees("Try 1, 12 ms: 503: A fault").screen().lines();
    let at = |text: &str| lines.iter().position(|line| line.contains(text)).unwrap();
    assert!(at("curl -sS") < at("Try 1"));
}

#[test]
fn polls_are_hidden_until_asked_for_and_failures_never() {
    let mut story = Story(Pure::connected((80, 24), Options::default(), Canned::default()));
    story.passes(5).press("8").sees("1 request · p50 12 ms · p95 12 ms · 0 failed").sees("polls hidden (a)");
    story.press("a").sees("page=2").sees_no_more("hidden");
    story.press("a 1").0.server.mood = Mood::Failing(FailureKind::Unreachable("refused".to_owned()));
    story.passes(5).press("8").sees("✕ failed").sees("1 failed").sees("hidden");
}

#[test]
fn failures_are_listed_alone_and_narrowed_by_what_is_typed() {
    let mut story = details_of("A fault");
    story
        .press("esc F")
        .sees("1 request · p50 12 ms")
        .sees("✕ 503")
        .press("F /")
        .types("agents")
        .sees("No request matches.");
    story.press("esc").sees("/user/conversations").press("/").types("503").press("enter").sees("✕ 503");
}

#[test]
fn details_show_the_answer_with_its_headers_and_body() {
    let mut story = Story(Pure::connected((80, 40), Options::default(), Canned::default()));
    story.press("8 enter").sees("HTTP/1.1 200").sees("content-type            application/json");
    story.sees("\"data\": [],").sees("set-cookie              •••");
}
