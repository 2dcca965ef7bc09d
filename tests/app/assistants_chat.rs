//! Test chats with assistants, against the real service.

use super::snapshots::picture;
use crate::support::canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use switchboard::ui::Options;

fn story(size: (u16, u16)) -> Story<Inside> {
    let mut story = Story(Inside::small(size));
    story.sees("page 1 of 3").press("2").sees("1 of 6");
    story
}

/// The chat once the assistant has said something.
fn trying(size: (u16, u16)) -> Story<Inside> {
    let mut story = story(size);
    story.press("t").sees("TRY IT").sees("1 message").sees("● Assistant");
    story
}

#[test]
fn assistant_is_tried_beside_what_it_is_told_and_the_chat_is_free() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = trying(size);
        story.types("Can I pay by card?").press("enter").sees("3 messages").sees("canned");
        picture(&mut story, &format!("assistants_chat_{at}"), &[]);
    }
}

#[test]
fn chat_goes_on_after_leaving_it_until_another_assistant_is_tried() {
    let mut story = trying((120, 40));
    story.types("Hello").press("enter").sees("3 messages").types("half a th");
    story.press("esc").sees("ASSISTANTS").press("t").sees("3 messages").sees("half a th");
    story.press("ctrl-n").sees("1 message").sees("half a th");
    story.types("ought").press("enter").sees("3 messages").sees("half a thought");
    story.press("esc").sees("ASSISTANTS").press("j t").sees("1 message").sees_no_more("half a thought");
}

#[test]
fn message_that_fails_comes_back_into_its_line() {
    let mut story = trying((80, 24));
    story.0.server.fault(&serde_json::json!({"path": "/conversations", "status": 500, "count": 1}));
    story.types("Hello there").press("enter").sees("Unknown whether the message arrived").sees("Hello there");
    picture(&mut story, "assistants_chat_failed_80x24", &[]);
    story.press("enter").sees("3 messages");
    story.pastes(&"x".repeat(2001)).press("enter").sees("may not be greater than 2000 characters");
    story.press("backspace enter").sees("5 messages");
}

#[test]
fn chat_that_did_not_start_starts_with_the_message() {
    let mut story = story((80, 24));
    story.0.server.fault(&serde_json::json!({"path": "/conversations", "status": 503, "count": 1}));
    story.press("t").sees("The chat was not started");
    story.types("Hello").press("enter").sees("3 messages");
}

#[test]
fn long_chat_scrolls_and_says_that_more_is_below() {
    let mut story = trying((80, 24));
    for count in 1..=6 {
        story.types("Hello").press("enter").sees(&format!("{} messages", 2 * count + 1));
    }
    story.press("up").sees("more ▾").press("pgup pgup pgup pgup pgup").sees("more ▾").press("pgdn pgdn pgdn pgdn pgdn");
    story.sees_no_more("more ▾").press("up").sees("more ▾").types("x").press("enter").sees_no_more("more ▾");
}

#[test]
fn what_keeps_from_trying_is_said() {
    let mut story = story((80, 24));
    story.0.server.fault(&serde_json::json!({"path": "/conversations", "status": 405, "count": 1}));
    story.press("t").sees("This server has no test chats.").press("esc t").sees("Not now: this server has no test");

    let options = Options { read_only: true, ..Options::default() };
    let server = Server::start(&canned::world(), service_clock());
    let mut story = Story(Inside::start((80, 24), options, server));
    story.sees("page 1 of 3").press("2").sees(" of 6").press("t").sees("Not now: this is read-only");

    let server = Server::start(&canned::world(), service_clock());
    server.fault(&serde_json::json!({"path": "/user/assistants/get", "status": 404, "count": 9}));
    let mut story = Story(Inside::start((80, 24), Options::default(), server));
    story.sees("page 1 of 3").press("2").sees("OUTBOUND").press("t").sees("Not now: the server does not tell UUIDs");
}
