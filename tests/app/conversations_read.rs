//! Reading a conversation, on the pure core: what is fetched when, and how it looks.

use super::scenes::{only, unreachable, with};
use crate::support::canned::{Canned, Mood, Paging, conversations};
use crate::support::pure::{self, Pure};
use crate::support::screen::Screen;
use crate::support::story::{Clocked as _, Story};
use crate::support::talks;
use serde_json::json;
use std::time::Duration;
use switchboard::ui::Options;

const WIDE: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);
const REST: Duration = Duration::from_millis(150);

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

fn id(at: usize) -> String {
    conversations()[at].id.known().unwrap().clone()
}

/// The transcript of the row at this place, from 0, with the focus.
fn reading(size: (u16, u16), server: Canned, at: usize) -> Story<Pure> {
    let mut story = Story(Pure::connected(size, Options::default(), server));
    for _ in 0..at {
        story.press("j");
    }
    story.press("enter");
    story
}

fn saying(at: usize, talk: switchboard::api::ConversationHistory) -> Canned {
    let mut server = Canned::default();
    server.rows[at].message_count = (talk.history.len() as u64).into();
    server.talks.insert(id(at), Some(talk));
    server
}

#[test]
fn selected_is_fetched_once_it_rests_and_its_neighbours_after_it() {
    let mut story = pure::story(WIDE);
    story.0.pass(Duration::from_millis(149));
    assert_eq!(story.0.server.read, Vec::<String>::new());
    story.0.pass(Duration::from_millis(1));
    assert_eq!(story.0.server.read, [id(0), id(1)]);
    story.sees("Can I move my appointment").press("j").sees("Order bot · AI on · 14 messages").sees("→ check_calendar");
    story.0.pass(REST);
    assert_eq!(story.0.server.read, [id(0), id(1), id(2)], "what was read is not read again");
    story.passes(60);
    assert_eq!(story.0.server.read.len(), 3, "nothing has changed");
    story.0.server.rows[1].message_count = 16.into();
    story.passes(5).sees("16 messages");
    assert_eq!(story.0.server.read.len(), 4);
}

#[test]
fn while_a_key_is_held_nothing_is_fetched_or_drawn_anew() {
    let mut story = pure::story(WIDE);
    story.0.pass(REST);
    let right = |screen: &Screen| -> Vec<String> {
        screen.lines()[4..38].iter().map(|line| line.chars().skip(72).collect()).collect()
    };
    story.press("j");
    let (read, shown) = (story.0.server.read.len(), right(&story.screen()));
    for _ in 0..30 {
        story.0.pass(Duration::from_millis(33));
        story.press("j");
        assert_eq!(right(&story.screen()), shown);
    }
    assert_eq!(story.0.server.read.len(), read);
    story.0.pass(REST);
    assert_eq!(story.0.server.read[read..], [id(31), id(32), id(30)]);
    assert_ne!(right(&story.screen()), shown);
}

#[test]
fn an_hour_of_reading_asks_no_more_than_was_opened_and_fetched_ahead() {
    let mut story = pure::story(WIDE);
    story.press("f").types("m").press("enter").sees("type: messaging");
    let opened = 600;
    for step in 0..opened {
        story.press(if step / 40 % 2 == 0 { "j" } else { "k" }).passes(6);
    }
    let requests = story.0.happened.iter().filter_map(|message| match message {
        switchboard::ui::Message::Task(switchboard::tasks::Event::Started { operation, .. }) => {
            Some(operation.path.clone())
        }
        _ => None,
    });
    let requests: Vec<_> = requests.collect();
    let count = |start: &str| requests.iter().filter(|path| path.starts_with(start)).count();
    let [lists, talks, windows] = ["/user/conversations", "/conversations/", "/user/msgapp/session-status"].map(count);
    println!("an hour of reading: {lists} lists, {talks} conversations, {windows} windows, {} in all", requests.len());
    // A poll every 5 seconds, and every 30 seconds the next page ahead.
    assert!(lists <= 720 + 120 + 4, "{lists}");
    assert!(talks <= 50, "all rows of the page at most: {talks}");
    assert!(windows <= 5 * 13, "five customers, each every five minutes: {windows}");
}

#[test]
fn server_without_messages_is_asked_once_and_its_facts_are_shown() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = reading(size, Canned { has_messages: false, ..Canned::default() }, 2);
        story.sees("This server does not give").sees("Assistant  Empfang Berlin");
        picture(&mut story, &format!("conversations_read_not_offered_{at}"));
        story.press("esc j j").passes(30);
        assert_eq!(story.0.server.read.len(), 1);
        story.press("enter v").sees("\"total_cost\"").press("v").sees("This server does not give");
    }
}

#[test]
fn what_keeps_the_messages_away_is_said() {
    let mut server = Canned::default();
    server.talks.insert(id(1), None);
    let mut story = reading(SMALL, server, 1);
    story.sees("The messages failed to load:").sees("Conversation not found");
    picture(&mut story, "conversations_read_gone_80x24");
    story.0.server.talks.clear();
    story.press("r").sees("Can I move my appointment");

    let mut story = reading(SMALL, saying(1, talks::reply(&[])), 1);
    story.sees("No messages yet.");

    let mut stage = Pure::connected(SMALL, Options::default(), Canned::default());
    stage.server.mood = Mood::Silent;
    let mut story = Story(stage);
    story.press("j enter").sees("14 messages").sees_no_more("░░░").passes(1).sees("░░░");
    story.0.server.mood = unreachable();
    story.0.answers();
    story.sees("The messages failed to load:").sees("connection refused").press("v").sees("Started");
}

#[test]
fn a_list_without_totals_is_read_like_any_other() {
    let server = Canned { paging: Paging::Cursor, ..Canned::default() };
    let mut story = Story(with(WIDE, server, |_| {}));
    story.press("n").passes(1).sees("● Assistant");
    picture(&mut story, "conversations_read_by_cursor_120x40");
}

#[test]
fn row_without_an_id_shows_its_facts() {
    let row = serde_json::from_value(json!({"assistant_name": "Reception", "message_count": 3})).unwrap();
    let mut story = Story(with(SMALL, only(vec![row]), |_| {}));
    story.press("enter").sees("no id, so its messages cannot be read").passes(9);
    assert_eq!(story.0.server.read, Vec::<String>::new());
}

#[test]
fn transcript_looks_as_it_did_in_every_script() {
    for (size, at) in [(WIDE, "120x40"), (SMALL, "80x24")] {
        let mut story = reading(size, Canned::default(), 1);
        story.passes(1);
        picture(&mut story, &format!("conversations_read_{at}"));
        story.press("enter").sees("\"room\": 2");
        picture(&mut story, &format!("conversations_read_tools_{at}"));
        let mut story = reading(size, Canned::default(), 3);
        story.sees("AI off").sees("保険証");
        picture(&mut story, &format!("conversations_read_japanese_{at}"));
        let mut story = reading(size, saying(2, talks::arabic(6)), 2);
        story.passes(1).sees("window open 22 h 05");
        picture(&mut story, &format!("conversations_read_arabic_{at}"));
        story.press("v").sees("Told to the assistant").sees("Extracted by the assistant");
        picture(&mut story, &format!("conversations_read_facts_{at}"));
    }
}

#[test]
fn new_messages_are_marked_and_the_end_is_followed_while_it_is_in_view() {
    let mut story = reading(SMALL, saying(1, talks::english(20)), 1);
    story.sees("20 messages").sees("Of course.");
    let says = |story: &mut Story<Pure>, count: u64| {
        story.0.server.rows[1].message_count = count.into();
        story.0.server.talks.insert(id(1), Some(talks::english(count)));
        story.passes(5);
    };
    says(&mut story, 21);
    story.sees("Customer  new").sees("bring anything?");
    story.press("pgup").sees_no_more("Customer  new").sees("more ▾");
    says(&mut story, 24);
    story.sees("3 new below").sees_no_more("See you on Thursday!");
    picture(&mut story, "conversations_read_new_below_80x24");
    story.press("G").sees("See you on Thursday!").sees("Assistant  new").sees_no_more("new below");
    // What another person wrote before is no longer new at the next look.
    story.press("esc k").passes(3).press("j enter").sees("See you on Thursday!").sees_no_more("Assistant  new");
}

#[test]
fn what_was_read_and_how_it_was_shown_are_known_after_a_restart() {
    let mut story = reading(SMALL, saying(1, talks::english(4)), 1);
    story.sees("I have booked").press("g").passes(1).press("v").sees("Told to the assistant");
    let mut server = saying(1, talks::english(6));
    server.desk = story.0.server.desk.clone();
    assert_eq!(server.desk.reads, [(id(1), 4)].into());
    let mut story = reading(SMALL, server, 1);
    story.sees("Messages   6 · 2 not read").press("v v").sees("Customer  new").sees("Assistant  new");
    story.press("v").sees("Messages   6").sees_no_more("not read");
}

#[test]
fn resting_beside_a_conversation_reads_it_and_passing_by_does_not() {
    let mut story = pure::story(WIDE);
    story.0.pass(Duration::from_millis(1900));
    assert_eq!(story.0.server.desk.reads, [].into());
    story.press("j").passes(2);
    assert_eq!(story.0.server.desk.reads, [(id(1), 14)].into());
}

#[test]
fn what_the_assistant_says_while_the_ai_is_off_is_marked_as_a_persons() {
    let mut server = saying(3, talks::english(4));
    server.rows[3].ai_enabled = false.into();
    let mut story = reading(WIDE, server, 3);
    story.sees("I have booked");
    story.0.server.rows[3].message_count = 6.into();
    story.0.server.talks.insert(id(3), Some(talks::english(6)));
    story.passes(5).sees("◐ A person  new").sees("○ Customer  new");
}

#[test]
fn words_are_searched_for_backwards_from_the_end() {
    let mut story = reading(SMALL, saying(1, talks::english(24)), 1);
    story.press("/").types("need to bring").sees("/ need to bring").sees("4 of 4").press("enter").sees("4 of 4");
    picture(&mut story, "conversations_read_search_80x24");
    story.press("N").sees("3 of 4").press("n n").sees("1 of 4").press("y");
    assert_eq!(story.0.copied, ["10:30 please. And do I need to bring anything?"]);
    story.press("esc").sees_no_more("/ need").press("n").sees("Not now: nothing is searched for");
    story.press("/").types("CHECK_cal").sees("1 of 4").press("esc").press("esc").sees("narrow");
}

#[test]
fn messages_are_walked_through_and_copied() {
    let mut story = reading(SMALL, saying(1, talks::english(8)), 1);
    story.press("y").sees("Message copied to the clipboard").press("k y g y Y");
    let copied = &story.0.copied;
    assert!(copied[0].starts_with("Of course.") && copied[1].starts_with("Hi!") && copied[2].starts_with("Hi!"));
    let whole: Vec<_> = copied[3].lines().collect();
    assert_eq!(whole.len(), 10, "{whole:?}");
    assert_eq!(whole[0], "Customer: Hi! Can I move my appointment to Thursday?");
    assert_eq!(whole[1], r#"Assistant: [check_calendar {"day":"Thursday","room":2} -> ["10:30","14:00"]]"#);
    story.press("v y v Y");
    assert_eq!(story.0.copied[4], id(1));
    let both: serde_json::Value = serde_json::from_str(&story.0.copied[5]).unwrap();
    assert_eq!(both["GET /conversations/{uuid}"]["history"].as_array().unwrap().len(), 8);
    assert_eq!(both["GET /user/conversations"]["message_count"], 8);
}

#[test]
fn next_and_previous_are_read_without_leaving() {
    let mut story = reading(SMALL, Canned::default(), 1);
    story.sees("Order bot · AI on").passes(1).press("J").sees("田中 美咲").passes(1).press("J").sees("受付 · AI off");
    story.press("K K").sees_no_more("Order bot").passes(1);
    story.sees("Order bot · AI on").press("esc").sees_selected(2);
}

#[test]
fn way_leads_to_the_customers_other_conversations() {
    let mut story = reading(WIDE, Canned::default(), 2);
    story.press("v").sees("Other loaded conversations").press("o").sees("Other conversations of the customer");
    picture(&mut story, "conversations_read_others_120x40");
    story.press("down enter").sees_no_more("To ");
    let selected = story.screen().lines().iter().any(|line| line.starts_with(" ▌"));
    assert!(selected);
    story.0.pass(REST);
    assert_ne!(story.0.server.read.last(), Some(&id(2)));
    let mut story = reading(WIDE, only(conversations()[..3].to_vec()), 2);
    story.press("o").sees("Not now: no other conversation of the customer is loaded");
}

#[test]
fn hostile_words_reach_no_terminal_and_marks_of_direction_are_left_out() {
    let said = "\u{1b}]52;c;aGk=\u{7}\u{202e}evil\u{202c} \u{200f}שלום\u{200f} \u{2067}עולם\u{2069}";
    let talk = talks::read(&json!({"history": [
        {"role": "user", "content": said},
        {"role": "\u{1b}[2J", "content": null, "function_calls": [{"name": "a\u{1b}b", "arguments": said, "result": {"\u{1b}": said}}]},
    ], "variables": {"\u{1b}[31m": said}}));
    let mut story = reading(WIDE, saying(1, talk), 1);
    story.sees("שלום עולם").press("enter").sees("arguments");
    for _ in 0..3 {
        let screen = story.screen();
        let hostile = |char: char| {
            char.is_control() || matches!(char, '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(screen.lines().iter().all(|line| !line.contains(hostile)), "{screen}");
        story.press("v");
    }
}
