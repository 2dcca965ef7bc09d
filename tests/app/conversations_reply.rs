//! Replying below the messages of a conversation.

use super::scenes::remote;
use crate::support::canned::{Canned, Mood, conversations, noon};
use crate::support::pure::Pure;
use crate::support::story::Story;
use jiff::SignedDuration;
use std::path::PathBuf;
use switchboard::api::{ErrorBody, Field};
use switchboard::client::FailureKind;
use switchboard::config::Link;
use switchboard::messaging::{Outcome, Outgoing, Refusal};
use switchboard::records::Content;
use switchboard::ui::Options;

const WIDE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);
const MARIA: &str = "+5511912345678";

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

fn on_with(size: (u16, u16), options: Options, change: impl FnOnce(&mut Canned)) -> Story<Pure> {
    // A person answers Maria, who is the first; the AI answers the others.
    let mut server = Canned { rows: conversations(), ..Canned::default() };
    server.rows.iter_mut().for_each(|row| row.ai_enabled = true.into());
    server.rows[0].ai_enabled = false.into();
    change(&mut server);
    Story(Pure::connected(size, options, server))
}

fn on(size: (u16, u16), change: impl FnOnce(&mut Canned)) -> Story<Pure> {
    on_with(size, Options::default(), change)
}

fn closes(server: &mut Canned) {
    server.desk.windows.insert((1, MARIA.to_owned()), noon() - SignedDuration::from_hours(1));
}

/// The texts of what was sent.
fn sent(story: &Story<Pure>) -> Vec<String> {
    let text = |outgoing: &Outgoing| match outgoing {
        Outgoing::Freeform(message) => message.message.clone(),
        other => panic!("{other:?}"),
    };
    story.0.server.desk.sent.iter().map(|sending| text(&sending.outgoing)).collect()
}

#[test]
fn reply_is_written_below_the_messages_and_leaves_after_the_hold() {
    for (size, name) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = on(size, |_| {});
        story
            .passes(2)
            .press("s")
            .sees("▌ Reply")
            .sees("Maria Souza")
            .sees("window closes in 7:")
            .types("Até já,\u{20}");
        story.types("Maria!").press("ctrl-j").types("Ana");
        picture(&mut story, &format!("conversations_reply_{name}"));
        story.press("enter").sees("Send this message?").sees("Maria Souza  +55 11 91234-5678").sees("Acme Support");
        picture(&mut story, &format!("conversations_reply_confirm_{name}"));
        story.passes(1).press("y").sees("Sending to Maria Souza in 5 s").sees("held  Até já, Maria!");
        picture(&mut story, &format!("conversations_reply_held_{name}"));
        assert_eq!(sent(&story), [""; 0]);
        let reads = story.0.server.read.len();
        story.passes(6).sees("Accepted: the message to Maria Souza").sees_no_more("held  Até já");
        assert_eq!(sent(&story), ["Até já, Maria!\nAna"]);
        let intent = &story.0.server.desk.sent[0].intent;
        assert_eq!((intent.sender_id, intent.phone.as_str(), &intent.content), (1, MARIA, &Content::Freeform));
        assert!(intent.before.is_some(), "the window is recorded, so that the guard can compare");
        assert!(story.0.server.read.len() > reads, "the messages are read again");
        assert_eq!(story.0.server.desk.kept.drafts.len(), 1, "the outbox deletes it, not the pane");
        story.press("s").sees("▌ Reply").sees_no_more("Até já");
    }
}

#[test]
fn four_keys_and_the_text_answer_whom_a_person_must_answer() {
    for size in [WIDE, SMALL] {
        let mut story = on(size, |server| server.rows.swap(0, 4));
        let pressed = ["*", "s", "enter", "y"];
        story.press(pressed[0]).press(pressed[1]).types("Sofort.").press(pressed[2]).passes(1).press(pressed[3]);
        story.sees("Sending to Maria Souza").passes(6);
        assert_eq!(sent(&story), ["Sofort."]);
        let mut story = on(size, |server| server.rows.swap(0, 4));
        story.press("* enter").sees("AI off").sees("Maria Souza");
    }
}

#[test]
fn held_reply_that_is_taken_back_stands_in_its_line_again() {
    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").press("enter").passes(1).press("y").sees("Sending to").press("j j esc");
    story.press("u").sees("Taken back: nothing was sent to Maria Souza").sees("▌ Reply  Até já").passes(20);
    assert_eq!(sent(&story), [""; 0]);
    story.types("!").press("enter").sees("Até já!").passes(1).press("y").passes(6).sees("Accepted");
    assert_eq!(sent(&story), ["Até já!"]);
}

#[test]
fn closed_window_leads_to_a_template() {
    on(WIDE, closes)
        .passes(2)
        .press("s")
        .sees("Send a template")
        .sees("+55 11 91234-5678")
        .press("esc")
        .sees("UPDATED");
    // It may turn out to be closed only once the line is there.
    let mut story = on(WIDE, closes);
    story.press("s").sees("Send a template");
    let mut story = on(WIDE, closes);
    story.0.server.mood = Mood::Silent;
    story.press("s").sees("▌ Reply").types("Olá").press("enter").sees("Not yet: the");
    story.0.server.mood = Mood::Well;
    story.0.answers();
    story.passes(1).sees("Olá").press("enter").sees("the window has expired;");
    story.press("esc").sees("draft  Olá").press("s").sees("Write to Maria Souza").sees("expired");
    assert_eq!(sent(&story), [""; 0]);
}

#[test]
fn window_that_closes_during_the_hold_keeps_the_reply_here() {
    let mut story = on(WIDE, |_| {});
    story.passes(7 * 60 + 37).press("s").types("Até já").press("enter").sees("closes in").passes(1).press("y");
    story.sees("Sending to Maria Souza").passes(6).sees("Nothing was sent to Maria Souza: the window has expired");
    assert_eq!(sent(&story), [""; 0]);
    story.sees("draft  Até já");
}

#[test]
fn where_the_ai_answers_the_take_over_is_offered_first() {
    let on = |size| on(size, |server| server.rows[0].ai_enabled = true.into());
    for (size, name) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = on(size);
        story.passes(2).press("s").sees("The AI answers in this conversation").sees("Take over and reply");
        picture(&mut story, &format!("conversations_reply_take_over_{name}"));
        story.press("esc").sees_no_more("The AI answers").sees_no_more("▌ Reply");
        story.press("s enter").sees("▌ Reply").sees("AI off since 14:02, by you").sees("taken over");
        assert_eq!(story.0.server.rows[0].ai_enabled.known(), Some(&false));
    }
    let mut story = on(WIDE);
    story.passes(2).press("s right enter").sees("▌ Reply").sees("AI on").types("Olá").press("enter");
    story.sees("caution").sees("the AI answers here too");
}

#[test]
fn server_that_cannot_turn_the_ai_off_only_warns() {
    let body = Some(ErrorBody::message("The route could not be found."));
    let mut story = on(WIDE, |server| {
        server.rows[0].ai_enabled = true.into();
        server.keeps_ai = Some(FailureKind::Status { status: 404, body, retry_after: None });
    });
    story.passes(2).press("s enter").sees("▌ Reply").sees("this server cannot turn the AI").sees("AI on").types("Olá");
    story.press("enter").sees("Send this message?").sees("the AI answers here too").press("esc esc");
    story.press("s").sees("▌ Reply  Olá").sees_no_more("The AI answers in");
}

#[test]
fn text_that_is_left_stays_with_its_conversation_and_after_a_restart() {
    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").press("esc").sees("The reply is kept").sees("draft  Até já");
    story.press("esc j").passes(1).sees_no_more("draft  Até já").press("k").passes(1).sees("draft  Até já");
    picture(&mut story, "conversations_reply_draft_120x40");
    // The same draft is in Messaging, and what is typed there is here.
    story.press("3").sees("WINDOWS").press("f").sees("Write to Maria Souza").sees("draft from").sees("Até já");
    story.press("end").types("!").press("esc").press("1").sees("draft  Até já!");
    let kept = story.0.server.clone();
    let mut story = Story(Pure::connected(WIDE, Options::default(), kept));
    story.passes(2).sees("draft  Até já!").press("s").sees("▌ Reply  Até já!");
    story.press("ctrl-u esc").passes(1).sees_no_more("draft  ");
    assert_eq!(story.0.server.desk.kept.drafts, []);
}

#[test]
fn click_elsewhere_another_pane_and_the_end_keep_the_text() {
    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").clicks(10, 9).passes(1).sees_no_more("▌ Reply");
    assert_eq!(story.0.server.desk.kept.drafts.len(), 1);
    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").press("ctrl-c").passes(1);
    assert_eq!(story.0.server.desk.kept.drafts[0].message.as_deref(), Some("Até já"));
}

#[test]
fn reply_stays_with_its_customer_when_the_conversation_leaves_the_page() {
    for size in [WIDE, SMALL] {
        let mut story = on(size, |_| {});
        story.passes(2).press("s").types("Até já");
        story.0.server.rows.remove(0);
        story.passes(6).sees("▌ Reply  Até já").sees("Maria Souza").types(", as tests").press("enter");
        story.sees("Maria Souza  +55 11 91234-5678").passes(1).press("y").passes(6).sees("Accepted");
        assert_eq!(sent(&story), ["Até já, as tests"]);
        assert_eq!(story.0.server.desk.sent[0].intent.phone, MARIA);
    }
}

#[test]
fn narrowing_to_where_the_ai_answers_keeps_the_line_of_whom_it_was_turned_off_for() {
    let mut story = on(WIDE, |server| server.rows[0].ai_enabled = true.into());
    story.passes(2).press("/").types("ai:on").press("enter s").sees("The AI answers").press("enter").sees("▌ Reply");
    story.types("Ana aqui").passes(6).sees("▌ Reply  Ana aqui").sees("Maria Souza");
}

#[test]
fn ai_that_was_turned_off_meanwhile_is_not_turned_on() {
    let mut story = on(WIDE, |server| server.rows[0].ai_enabled = true.into());
    story.passes(2).press("s").sees("Take over and reply");
    story.0.server.rows[0].ai_enabled = false.into();
    story.passes(6).press("enter").sees("▌ Reply").passes(6);
    assert_eq!(story.0.server.rows[0].ai_enabled.known(), Some(&false));
}

#[test]
fn reply_does_not_leave_once_the_ai_answers_without_a_word_of_it() {
    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").press("enter").sees_no_more("the AI answers here too");
    story.0.server.rows[0].ai_enabled = true.into();
    story.passes(6).press("y").sees("Nothing was sent: the AI answers");
    story.press("enter").sees("the AI answers here too").passes(1).press("y").passes(6).sees("Accepted");
    assert_eq!(sent(&story), ["Até já"]);

    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").press("enter").passes(1).press("y").sees("Sending to Maria Souza");
    story.0.server.rows[0].ai_enabled = true.into();
    story.press("r").passes(6).sees("Nothing was sent to Maria Souza: the AI answers in this conversation again");
    assert_eq!(sent(&story), [""; 0]);
    assert_eq!(story.0.server.desk.kept.drafts[0].message.as_deref(), Some("Até já"));
}

#[test]
fn refusal_takes_nobody_to_another_conversation() {
    let refusal = Refusal { status: Some(403), code: None, words: "The sender was suspended.".to_owned() };
    let mut story = on(WIDE, |server| {
        server.desk.outcomes.insert(MARIA.to_owned(), Outcome::Refused(refusal));
    });
    story.passes(2).press("s").types("Até já").press("enter").passes(1).press("y").press("esc j").passes(6);
    story.sees("Not sent to Maria Souza: The sender was").sees_no_more("▌ Reply");
}

#[test]
fn text_typed_before_the_senders_are_known_is_kept() {
    let mut story = on(WIDE, |_| {});
    story.0.server.mood = Mood::Silent;
    story.press("s").sees("▌ Reply").types("Olá").press("esc").sees("kept with its conversation");
    story.press("s").sees("▌ Reply  Olá");
}

#[test]
fn reply_is_written_while_the_senders_cannot_be_loaded() {
    let mut story = on(WIDE, |_| {});
    story.0.server.mood = Mood::Failing(FailureKind::Unreachable("refused".to_owned()));
    story.passes(2).press("s").sees("▌ Reply").types("Olá").press("enter").sees("requested again.");
    story.press("esc").sees("kept with its conversation").press("s").sees("▌ Reply  Olá");
    story.0.server.mood = Mood::Well;
    story.press("enter").passes(1).press("enter").passes(1).sees("Send this message?");
}

#[test]
fn line_is_closed_while_another_pane_is_on_screen_and_opens_again_with_its_draft() {
    let mut story = on(WIDE, |_| {});
    story.passes(2).press("s").types("Até já").clicks(35, 1).passes(1).sees("WINDOWS");
    assert_eq!(story.0.server.desk.kept.drafts[0].message.as_deref(), Some("Até já"));
    story.press("1").sees("▌ Reply  Até já").types("!").sees("▌ Reply  Até já!");
}

#[test]
fn refused_reply_comes_back_with_the_reason_below_it() {
    let refusal = |words: &str| Refusal { status: Some(403), code: None, words: words.to_owned() };
    let mut story = on(WIDE, |server| {
        server.desk.outcomes.insert(MARIA.to_owned(), Outcome::Refused(refusal("The sender was suspended.")));
    });
    story.passes(2).press("s").types("Até já").press("enter").passes(1).press("y").passes(6);
    story.sees("▌ Reply  Até já").sees("Not sent: The sender was");
    picture(&mut story, "conversations_reply_refused_120x40");
    // Where somebody does something else by then, nothing opens in their way.
    story.press("enter").passes(1).press("y").press("3").passes(6).sees("Not sent to Maria Souza: The sender was");
    story.press("1").sees("draft  Até já");
}

#[test]
fn reply_of_unknown_outcome_is_not_offered_again_and_the_next_one_warns() {
    let mut story = on(WIDE, |server| {
        let unknown = Outcome::Unknown { why: "no answer".to_owned() };
        server.desk.outcomes.insert(MARIA.to_owned(), unknown);
    });
    story.passes(2).press("s").types("Até já").press("enter").passes(1).press("y").passes(6);
    story.sees("Delivery to Maria Souza unknown").press("s").sees_no_more("Até já");
    story.types("Sorry").press("enter").sees("Send this message?").sees("caution  delivery of a message of 14:02");
}

#[test]
fn reply_that_cannot_be_written_says_why() {
    on_with(WIDE, Options { read_only: true, ..remote() }, |_| {}).press("s").sees("Not now: this is read-only");
    on(WIDE, |_| {}).press("j s").sees("Not now: this is no messaging conversation").sees_no_more("▌ Reply");
    // Without senders or windows the form of Messaging says what is missing.
    on(WIDE, |server| server.desk.senders = None).passes(2).press("s").sees("the sender of this conversation is not");
    let mut story = on(WIDE, |server| server.desk.has_windows = false);
    story.passes(2).press("s").sees("Write to Maria Souza").sees("not known yet");
}

#[test]
fn canned_reply_is_found_and_inserted_with_its_variables() {
    let text = "[[reply]]\ntitle = \"Opening hours\"\ntext = \"We open at 9.\"\n\n[[reply]]\ntitle = \"Greeting\"\n\
                text = \"Hi {customer}, this is {sender}. About {order}: it is on its way.\"\n\n[[reply]]\ntitle = 7\n";
    let options = || Options { replies: Some(PathBuf::from("replies.toml")), ..Options::default() };
    let with = |size, text: &str| {
        let file = (PathBuf::from("replies.toml"), text.as_bytes().to_vec());
        on_with(size, options(), |server| server.desk.files.extend([file]))
    };
    for (size, name) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = with(size, text);
        story.passes(2).press("s").types("(").press("ctrl-r").sees("Insert a canned reply").sees("Opening hours");
        story.sees("replies.toml:10: reply.title: must be a text").types("gree").sees("Hi Maria Souza, this is");
        picture(&mut story, &format!("conversations_canned_{name}"));
        story.press("enter").sees_no_more("Insert a").sees("{order} is not known").types(")");
        story.press("enter").sees("(Hi Maria Souza, this is Acme Support.").sees("ot filled in: {order}");
    }
    let mut story = with(WIDE, &"#".repeat(65 * 1024));
    story.passes(2).press("s ctrl-r").sees("replies.toml is too large").types("x").sees("▌ Reply  x");
    let mut story = with(WIDE, "[[reply");
    story.passes(2).press("s ctrl-r").sees("replies.toml:1: not readable as TOML").types("x").sees("▌ Reply  x");
    let mut story = on_with(WIDE, options(), |_| {});
    story.passes(2).press("s ctrl-r").sees("The canned replies could not be read").types("x").sees("▌ Reply  x");
    on(WIDE, |_| {}).passes(2).press("s ctrl-r").sees("Not now: the profile has no file of replies");
}

#[test]
fn web_address_of_a_conversation_is_copied_and_opened() {
    let link = |link: &str| Options { link: Some(Link::parse(link).unwrap()), ..Options::default() };
    let mut story = on_with(WIDE, link("https://example.com/c/{id}?from=terminal"), |server| {
        server.rows[1].id = "../admin?x=1".to_owned().into();
    });
    story.press("L").sees("Link copied to the clipboard").press("enter B").press("J").passes(1).press("B");
    let first = story.0.server.rows[0].id.known().unwrap();
    let address = format!("https://example.com/c/{first}?from=terminal");
    assert_eq!(story.0.copied.concat(), address);
    assert_eq!(story.0.opened, [address, "https://example.com/c/..%2Fadmin%3Fx%3D1?from=terminal".to_owned()]);
    on(WIDE, |_| {}).press("L").sees("Not now: the profile has no link").press("B").sees("Not now: the profile has no");
    let mut nameless = on_with(WIDE, link("https://example.com/{id}"), |server| server.rows[0].id = Field::Missing);
    nameless.press("L").sees("Not now: the server gives this conversation no id");
}

#[test]
fn next_one_that_needs_a_person_may_be_on_another_loaded_page() {
    let mut story = on(SMALL, |server| {
        server.rows[0].ai_enabled = true.into();
        server.rows[60].ai_enabled = false.into();
    });
    // The next page is loaded ahead; once that is on screen, all are loaded.
    story.press("*").sees("page 2 of 3").sees("off").press("*").sees("No other loaded conversation needs a person ");
    let mut story = on(WIDE, |server| server.rows[0].ai_enabled = true.into());
    story.press("*").sees("No loaded conversation needs a person; 20 more are not loaded");
}
