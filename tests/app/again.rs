//! A message that would repeat a recent one, met from the dashboard.

use super::snapshots::picture;
use crate::support::canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::Value;
use std::sync::Arc;
use switchboard::records::Records;
use switchboard::ui::Options;

const PHONE: &str = "+14155550123";

fn story(size: (u16, u16)) -> Story<Inside> {
    let server = Server::start(&canned::still_world(), service_clock());
    let mut story = Story(Inside::start(size, Options::default(), server));
    story.sees("live").press("3").sees("appointment_reminder").press("shift-tab shift-tab");
    story
}

/// Fills the form, confirms it and lets the hold pass.
fn sends(story: &mut Story<Inside>, date: &str) {
    story.press("3 s").sees("Send a template").press("enter").types(PHONE).press("enter").types("Ada").press("enter");
    story.press("enter").types(date).press("enter").sees("Send this message?").passes(1).press("y").passes(6);
}

/// How many messages the server has of the conversation with that person.
fn delivered(story: &Story<Inside>) -> u64 {
    story.0.settle();
    let rows = story.0.server.get("/user/conversations?per_page=100")["data"].as_array().unwrap().clone();
    let of_ada = |row: &&Value| row["customer"]["phone"] == PHONE;
    rows.iter().find(of_ada).map_or(0, |row| row["message_count"].as_u64().unwrap())
}

#[test]
fn same_message_asks_again_naming_the_earlier_one_and_leaves_once_it_is_confirmed() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size);
        sends(&mut story, "3 May");
        story.sees("Accepted: the message to Ada");
        assert_eq!(delivered(&story), 1);
        sends(&mut story, "3 May");
        story.sees("Sent recently. Send it again?").sees("The earlier message").sees("accepted");
        picture(&mut story, &format!("send_again_{at}"), &[]);
        assert_eq!(delivered(&story), 1);
        story.press("esc").sees_no_more("Sent recently").passes(20);
        assert_eq!(delivered(&story), 1);
        // What was typed is still there.
        story.press("3 s").sees("Send a template").press("enter").types(PHONE).press("enter").sees("draft from");
        story.press("ctrl-s").sees("Send this message?").passes(1).press("y").passes(6);
        // Nobody has asked for the question: a key that was meant for something else is no answer.
        story.sees("Sent recently").press("y").passes(1).press("y").passes(1).sees("Sent recently").passes(1);
        assert_eq!(delivered(&story), 1);
        story.press("y").sees("Sending to Ada").passes(6).sees("Accepted");
        assert_eq!(delivered(&story), 2);
        sends(&mut story, "4 May");
        story.sees("Accepted").sees_no_more("Sent recently");
        assert_eq!(delivered(&story), 3);
    }
}

#[test]
fn what_the_outbox_may_have_forgotten_is_asked_about_and_leaves_once_it_is_confirmed() {
    let home = tempfile::tempdir().unwrap();
    drop(Records::open(home.path()).unwrap());
    std::fs::remove_file(home.path().join("records.db")).unwrap();
    let records = Arc::new(Records::open(home.path()).unwrap());
    let server = Server::start(&canned::still_world(), service_clock());
    let mut story = Story(Inside::start_on((120, 40), Options::default(), server, records));
    story.sees("live").press("3").sees("appointment_reminder").press("shift-tab shift-tab");
    sends(&mut story, "3 May");
    story.sees("Perhaps sent before. Send it?").sees("cannot tell whether Ada got this");
    story.press("esc").sees_no_more("Perhaps sent before").passes(20);
    assert_eq!(delivered(&story), 0);
    story.press("3 s").sees("Send a template").press("enter").types(PHONE).press("enter").sees("draft from");
    story.press("ctrl-s").sees("Send this message?").passes(1).press("y").passes(6);
    story.sees("Perhaps sent before").passes(2).press("y").sees("Sending to Ada").passes(6).sees("Accepted");
    assert_eq!(delivered(&story), 1);
}

#[test]
fn message_that_waits_is_told_and_taken_back() {
    let mut story = story((120, 40));
    story.0.server.fault(&serde_json::json!({"path": "/user/msgapp/send", "status": 429, "count": 9}));
    sends(&mut story, "3 May");
    story.sees("Waiting to send to Ada: the server asks to wait").press("u").sees("Not sent to Ada: taken back before");
    assert_eq!(delivered(&story), 0);
}
