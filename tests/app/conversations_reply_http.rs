//! Replying to a conversation, against the real service.

use super::snapshots::picture;
use crate::support::canned;
use crate::support::inside::{Inside, service_clock};
use crate::support::server::Server;
use crate::support::story::Story;
use serde_json::json;
use std::sync::Arc;
use switchboard::records::Records;
use switchboard::ui::Options;

const WIDE: (u16, u16) = (120, 40);
const ZOE: &str = "+498912345678";

fn writes(story: &Story<Inside>, text: &str) {
    let message = json!({"sender_id": 1, "customer_phone": ZOE, "text": text, "customer_name": "Zoë Maier"});
    story.0.server.control("inbound-message", &message);
}

fn started(records: &Arc<Records>) -> Story<Inside> {
    let server = Server::start(&canned::still_world(), service_clock());
    let mut story = Story(Inside::start_on(WIDE, Options::default(), server, Arc::clone(records)));
    story.sees("live");
    writes(&story, "Is Friday free?");
    story.passes(6).sees("Zoë Maier").press("enter").sees("Is Friday free?").passes(1).sees("window open");
    story
}

/// The messages of her conversation at the server.
fn messages(story: &Story<Inside>) -> usize {
    story.0.settle();
    let rows = story.0.server.get("/user/conversations?per_page=100");
    let id = rows["data"][0]["id"].as_str().unwrap().to_owned();
    story.0.server.get(&format!("/conversations/{id}"))["history"].as_array().unwrap().len()
}

#[test]
fn reply_reaches_the_customer_once_and_the_same_text_asks_before_it_leaves_again() {
    let records = Arc::new(Records::in_memory().unwrap());
    let mut story = started(&records);
    let before = messages(&story);
    let reply = |story: &mut Story<Inside>| {
        story.press("s").sees("▌ Reply").types("Yes, at ten.").press("enter").sees("Send this message?").passes(1);
        story.press("y").sees("Sending to Zoë Maier").passes(6);
    };
    story.press("s").sees("The AI answers in this conversation").press("enter").sees("▌ Reply").sees("taken over");
    story.press("esc");
    reply(&mut story);
    story.sees("Accepted: the message to Zoë Maier").sees("Yes, at ten.").sees_no_more("sending");
    assert_eq!(messages(&story), before + 1);
    reply(&mut story);
    story.sees("Sent recently. Send it again?").sees("The earlier message").sees("accepted").press("esc");
    story.sees_no_more("Sent recently").sees("draft  Yes, at ten.").passes(20);
    assert_eq!(messages(&story), before + 1);
    // Once she has written again, the same words are an answer to something else.
    writes(&story, "And on Saturday?");
    story.passes(6).sees("And on Saturday?").passes(1);
    story.press("s").sees("Yes, at ten.").press("enter").sees("Send this message?").passes(1).press("y").passes(6);
    story.sees("Accepted").sees_no_more("draft  ");
    assert_eq!(messages(&story), before + 3);
    story.press("3 o").sees("2 sends").sees("Zoë Maier");
}

#[test]
fn reply_that_was_sent_from_here_asks_in_messaging_too() {
    let records = Arc::new(Records::in_memory().unwrap());
    let mut story = started(&records);
    story.press("s right enter").sees("▌ Reply").types("At ten.").press("enter").sees("the AI answers here too");
    story.passes(1).press("y").sees("Sending to").passes(6).sees("Accepted");
    let before = messages(&story);
    story.press("3").sees("▌● Zoë Maier").press("f").sees("Write to Zoë Maier").types("At ten.").press("ctrl-s");
    story.sees("Send this message?").passes(1).press("y").sees("Sending to").passes(6).sees("Sent recently");
    story.press("esc").passes(6);
    assert_eq!(messages(&story), before);
}

#[test]
fn half_written_reply_is_there_after_a_restart() {
    let records = Arc::new(Records::in_memory().unwrap());
    let mut story = started(&records);
    story.press("s right enter").sees("▌ Reply").types("At t").press("esc").sees("draft  At t");
    story.0.settle();
    drop(story);
    let mut story = started(&records);
    story.sees("draft  At t").press("s right enter").sees("▌ Reply  At t");
}

#[test]
fn assistant_of_a_conversation_is_tried_with_its_variables_and_esc_leads_back() {
    for (size, name) in [(WIDE, "120x40"), ((80, 24), "80x24")] {
        let mut story = Story(Inside::small(size));
        story.sees("120 conversations").press("enter").sees("Customer").passes(1);
        story.0.settle();
        story.press("t").sees("TRY IT").sees("1 message").sees("With the conversation's variables: ").sees("canned");
        story.0.settle();
        picture(&mut story, &format!("conversations_try_{name}"), &[]);
        story.types("Can I pay by card?").press("enter").sees("3 messages");
        story.press("esc").sees("120 conversations").press("t").sees("3 messages").press("esc");
        story.press("esc").sees("UPDATED");
    }
}
