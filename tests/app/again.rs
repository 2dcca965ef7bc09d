//! A message that would repeat a recent one, met from the dashboard.

use super::snapshots::picture;
use crate::support::canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::Value;
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
