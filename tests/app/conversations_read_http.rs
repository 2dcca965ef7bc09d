//! Reading a conversation, against the real service.

use crate::support::canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::{Clocked as _, Story};
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::time::Duration;
use switchboard::records::Records;
use switchboard::ui::Options;

const WIDE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);

fn writes(story: &Story<Inside>, text: &str) {
    let message =
        json!({"sender_id": 1, "customer_phone": "+498912345678", "text": text, "customer_name": "Zoë Maier"});
    story.0.server.control("inbound-message", &message);
}

#[test]
fn customer_who_writes_is_read_as_it_happens() {
    let mut story = Story(Inside::still(WIDE));
    story.sees("live");
    writes(&story, "שלום, is Friday free? 金曜日は空いていますか。");
    story.passes(6).sees("Zoë Maier").press("enter").sees("Zoë Maier  +49 89 12345678").sees("is Friday free?");
    story.passes(1).sees("window open 23 h 5");
    writes(&story, "Or Saturday?");
    story.passes(6).sees("Or Saturday?").sees("new");
    story.press("v").sees("Window     open 23 h 5").press("v").sees("\"GET /conversations/{uuid}\"");
}

#[test]
fn conversation_is_read_with_another_word_for_the_channel() {
    let server = Server::speaking("pigeon".parse().unwrap(), &canned::still_world(), service_clock());
    let mut story = Story(Inside::start(SMALL, Options::default(), server));
    story.sees("live");
    writes(&story, "Is Friday free?");
    story.passes(6).sees("Zoë Maier").press("enter").sees("Zoë Maier").sees("Is Friday free?");
    story.passes(1).sees("window open 23 h 5");
}

#[test]
fn transcript_is_written_for_its_user_alone_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("zoe.txt");
    let mut story = Story(Inside::still(WIDE));
    story.sees("live");
    writes(&story, "Is Friday free?\nOr Saturday?");
    story.passes(6).sees("Zoë Maier").press("enter").sees("Or Saturday?");
    let write = |story: &mut Story<Inside>, format: &str| {
        story.press("E").sees("Export the conversation").types(format).press("tab ctrl-u");
        story.types(file.to_str().unwrap()).press("enter");
    };
    write(&mut story, "t");
    story.sees("Written to").sees("zoe.txt").sees_no_more("Export the conversation");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("Customer: Zoë Maier +498912345678\n"), "{text}");
    assert!(text.contains("Customer: Is Friday free?\nOr Saturday?\n"), "{text}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    write(&mut story, "m");
    story.sees("zoe-2.txt");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    let markdown = std::fs::read_to_string(folder.path().join("zoe-2.txt")).unwrap();
    assert!(markdown.contains("**Customer**\n\nIs Friday free?  \nOr Saturday?\n"), "{markdown}");
    story.press("E").sees("Export the conversation").types("j").sees(".json").press("tab ctrl-u");
    story.types("/nowhere/zoe.json").press("enter").sees("cannot be written").sees("/nowhere/zoe.json");
    story.press("ctrl-u").types(folder.path().join("zoe.json").to_str().unwrap()).press("enter").sees("zoe.json");
    story.sees_no_more("Export the conversation");
    let json = std::fs::read_to_string(folder.path().join("zoe.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["GET /conversations/{uuid}"]["history"].is_array());
}

#[test]
fn choice_of_what_is_shown_stays_with_the_profile() {
    let records = Arc::new(Records::in_memory().unwrap());
    let server = || Server::start(&canned::world(), service_clock());
    let mut story = Story(Inside::start_on(WIDE, Options::default(), server(), Arc::clone(&records)));
    story.sees("page 1 of 3").press("v").sees("Started  ").0.settle();
    drop(story);
    let mut story = Story(Inside::start_on(WIDE, Options::default(), server(), records));
    story.sees("page 1 of 3");
    story.0.pass(Duration::from_millis(200));
    story.sees("Started  ").press("v").sees("\"total_cost\"");
}

#[test]
fn messages_come_back_once_the_server_does() {
    let mut story = Story(Inside::small(SMALL));
    story.sees("page 1 of 3");
    story.0.server.fault(&json!({"path": "/conversations", "status": 500, "count": 9}));
    story.press("j enter").0.settle();
    story.passes(9).sees("The messages failed to load:");
    story.0.server.fault(&json!({"clear": true}));
    story.press("r").sees_no_more("failed to load").sees("Assistant");
}
