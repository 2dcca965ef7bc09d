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
    story.press("esc 8 enter").sees("It failed: the server says");
    story
}

#[test]
fn details_that_do_not_fit_are_read_to_their_end() {
    let mut story = details_of(&"Everything is on fire. ".repeat(20));
    story.sees("tab more ▾").sees_no_more("It left at");
    story.press("tab G").sees("It left at 14:02:30.").sees_no_more("more ▾");
    story.press("k").sees("more ▾").press("esc").sees("It failed: the server says");
    story.press("esc").sees_no_more("It failed");
}

#[test]
fn the_wheel_reads_on_in_details() {
    let mut story = details_of(&"Everything is on fire. ".repeat(20));
    for _ in 0..9 {
        story.wheels_down(40, 20);
    }
    story.sees("It left at 14:02:30.");
}

#[test]
fn a_status_is_told_once_and_the_curl_line_before_the_tries() {
    let mut story = details_of("A fault");
    let lines = story.sees("Try 1, 12 ms: 503: A fault").screen().lines();
    let at = |text: &str| lines.iter().position(|line| line.contains(text)).unwrap();
    assert!(at("curl -sS") < at("Try 1"));
}
