//! The list of conversations: who writes, since when, what stands out.

use crate::support::canned::Canned;
use crate::support::pure::{self, Pure};
use crate::support::story::Story;
use switchboard::api::Party;
use switchboard::ui::Options;

fn wide(server: Canned) -> Story<Pure> {
    Story(Pure::connected((200, 50), Options::default(), server))
}

#[test]
fn people_are_named_and_what_is_older_than_a_day_has_date_and_time() {
    for size in [(120, 40), (80, 24)] {
        pure::story(size).sees("CUSTOMER").sees("Maria Souza").sees("10 min ago");
    }
    pure::story((80, 24)).press("n").sees("20 Nov 02:48").sees("19 Nov 22:26");
}

#[test]
fn number_stands_in_for_a_name_and_is_never_cut() {
    let mut server = Canned::default();
    server.rows[0].customer = Party { name: None, phone: Some("+861234567890123".to_owned()) }.into();
    for size in [(120, 40), (80, 24), (60, 20)] {
        Story(Pure::connected(size, Options::default(), server.clone())).sees("+861234567890123  ");
    }
}

#[test]
fn senders_are_listed_where_there_are_several() {
    let mut server = Canned::default();
    assert!(!wide(server.clone()).screen().shows("SENDER"));
    server.rows[2].msgapp_sender = Party { name: Some("Acme Berlin".to_owned()), phone: None }.into();
    wide(server).sees("SENDER").sees("Acme Berlin").sees("Acme Support");
}

#[test]
fn conversations_are_marked_and_found_again() {
    let mut story = pure::story((120, 40));
    story.press("j m").sees("●  widget 3e784355").press("/").types("is:marked").sees("1 of 50 loaded rows");
    let kept = story.0.server.clone();
    let mut story = Story(Pure::connected((120, 40), Options::default(), kept));
    story.sees("●  widget 3e784355").press("j m").sees_no_more("●  widget 3e784355");
}
