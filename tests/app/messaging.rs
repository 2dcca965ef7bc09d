//! Senders, templates and windows, told as stories.

use super::scenes::{remote, told, unreachable};
use crate::support::canned::{self, Canned};
use crate::support::desk::Desk;
use crate::support::inside::{Inside, service_clock};
use crate::support::pty::Terminal;
use crate::support::pure::{self, Pure};
use crate::support::server::Server;
use crate::support::story::{Clocked as _, Stage, Story};
use jiff::SignedDuration;
use serde_json::json;
use std::time::Duration;
use switchboard::config::{Messaging, Notify, Settings};
use switchboard::messaging::Outcome;
use switchboard::records::{Content, Entry, Intent, ProfileData, Watched};
use switchboard::ui::Options;

const SIZE: (u16, u16) = (120, 40);

type Anywhere = Story<Box<dyn Stage>>;

/// Tells a story on each stage, with the pane on screen.
fn everywhere(tell: fn(&mut Anywhere)) {
    // The world's past is generated up to this moment: which windows are open must not depend on when the tests run.
    let still = || Server::start(&canned::world(), service_clock());
    let stages: [(&str, Box<dyn Stage>); 3] = [
        ("the pure core", Box::new(pure::story(SIZE).0)),
        ("the app in process", Box::new(Inside::small(SIZE))),
        ("the program in a terminal", Box::new(Terminal::on(SIZE, still(), ""))),
    ];
    for (name, stage) in stages {
        eprintln!("on {name}:");
        let mut story = Story(stage);
        story.sees("page 1 of 3").press("3").sees("WINDOWS").sees("appointment_reminder");
        tell(&mut story);
    }
}

fn desk(change: impl FnOnce(&mut Desk)) -> Story<Pure> {
    let mut server = Canned::default();
    change(&mut server.desk);
    let mut story = Story(Pure::connected(SIZE, Options::default(), server));
    story.press("3");
    story
}

#[test]
fn senders_templates_and_windows_are_there_at_once() {
    everywhere(|story| {
        story.sees("+1 415-555-0100").sees("online").sees("old_promo").sees("rejected").sees("open");
        story.sees("Hi ⟨customer_name⟩");
    });
}

#[test]
fn a_number_is_watched_by_typing_it_and_removed_again() {
    everywhere(|story| {
        story.press("a").sees("Watch a number").types("089 12").press("enter").sees("needs a +");
        story.press("shift-tab ctrl-u").types("+49 (89) 123456-78").sees("+49 89 12345678  (Germany)");
        story.press("tab").types("Zoë").press("enter").sees_no_more("Watch a number").sees("none yet");
        story.sees("▌– Zoë").press("d").sees("Zoë is no longer watched").sees_no_more("▌– Zoë");
    });
}

#[test]
fn templates_are_narrowed_by_what_they_are_and_what_they_are_called() {
    everywhere(|story| {
        story.press("shift-tab /").sees("↵ keep").types("rejected").sees_no_more("appointment_reminder");
        story.sees("1 of 1").press("enter").sees_no_more("↵ keep").press("esc");
        story.sees("appointment_reminder");
    });
}

#[test]
fn the_customer_of_a_conversation_is_written_to_or_watched() {
    everywhere(|story| {
        story.press("1 f").sees("Filter conversations").types("m").press("enter").sees("type: messaging");
        story.sees_no_more("120 conversations");
        story.press("W").sees("is watched; 3 shows it");
    });
}

#[test]
fn a_conversation_without_a_customer_says_why_it_is_not_written_to() {
    let mut story = pure::story(SIZE);
    story.press("j s").sees("Not now: this is no messaging conversation").sees("page 1 of 3");
    story.press("j W").sees("The window of 田中 美咲 is watched");
}

/// The first page, where the window of the first customer is closed.
fn closed() -> Story<Pure> {
    let mut server = Canned::default();
    server.desk.windows.insert((1, "+5511912345678".to_owned()), canned::noon() - SignedDuration::from_hours(1));
    let mut story = Story(Pure::connected(SIZE, Options::default(), server));
    story.passes(2);
    story
}

#[test]
fn whoever_is_written_to_before_the_pane_was_ever_seen_is_found_all_the_same() {
    let mut story = closed();
    story.press("s").sees("Send a template").sees("Maria Souza");
}

#[test]
fn what_is_lost_first_comes_first() {
    let lines = desk(|_| {}).screen().lines();
    let at = |name: &str| lines.iter().position(|line| line.contains(name)).unwrap();
    let order = ["Maria Souza", "Jörg Brandt", "Noah Smith", "田中 美咲", "Ana Lima"].map(at);
    assert!(order.is_sorted(), "{lines:#?}");
}

#[test]
fn a_window_counts_down_by_the_minute_and_in_its_last_ten_minutes_by_the_second() {
    let mut story = desk(|_| {});
    story.sees("closes in    7:41").sees("closes in  31 min").sees("  3 h 12").sees(" 22 h 05");
    story.passes(1).sees("closes in    7:40").passes(19).sees("closes in    7:21").sees("closes in  31 min");
    story.passes(1).sees("closes in  30 min").passes(439).sees("closes in    0:01").passes(2).sees("expired just now");
    story.sees_no_more("closes in    0:");
}

#[test]
fn only_the_cell_that_counts_is_written_anew() {
    let mut story = desk(|_| {});
    story.passes(12);
    let before = story.screen();
    let after = story.passes(1).screen();
    let changed = before.buffer.content().iter().zip(after.buffer.content()).filter(|(one, other)| one != other);
    assert!(changed.count() <= 4, "{before}\n{after}");
}

#[test]
fn nothing_wakes_it_while_nothing_on_screen_changes() {
    let kept = ProfileData { watched: Some(vec![watched("+14155550123", "Noah Smith")]), ..ProfileData::default() };
    let mut server = Canned::default();
    server.desk.kept = kept;
    let options = Options { settings: Settings { refresh_interval: None, ..Settings::default() }, ..remote() };
    let mut story = Story(Pure::connected(SIZE, options, server));
    story.press("3").passes(70);
    let next = story.0.app.next_wake().unwrap();
    // The clock of the title line is next, then the minute of the window.
    assert_eq!(next, story.0.now.mono + Duration::from_secs(20));
    assert!(story.0.now.wall.as_second() % 60 == 40);
}

fn watched(phone: &str, name: &str) -> Watched {
    Watched { sender_id: 1, phone: phone.to_owned(), name: Some(name.to_owned()) }
}

#[test]
fn a_local_clock_that_is_off_does_not_lie_about_windows() {
    for ahead in [-7_300, -185, 185, 100_000] {
        let mut story = desk(|desk| {
            desk.ahead = Some(SignedDuration::from_secs(ahead));
            for expires in desk.windows.values_mut() {
                *expires += SignedDuration::from_secs(ahead);
            }
        });
        story.sees("closes in    7:4").sees("your clock is").passes(300).sees("closes in    2:4").sees("  3 h 07");
    }
}

#[test]
fn a_local_clock_that_is_set_while_it_runs_changes_nothing() {
    let mut story = desk(|_| {});
    story.sees("closes in    7:41");
    story.0.now.wall += SignedDuration::from_hours(5);
    story.0.server.desk.ahead = Some(SignedDuration::from_hours(-5));
    story.passes(1).sees("closes in    7:40").sees("your clock is 5 h ahead of the server's");
}

#[test]
fn a_server_that_does_not_tell_its_time_is_believed_in_what_it_tells() {
    let mut story = desk(|desk| desk.ahead = None);
    story.sees("closes in    7:42").sees_no_more("your clock is").passes(60).sees("closes in    6:42");
}

fn notifying(notify: Notify) -> Settings {
    Settings { messaging: Messaging { notify, ..Messaging::default() }, ..Settings::default() }
}

#[test]
fn thresholds_are_told_once_and_again_when_a_window_has_opened_again() {
    let options = Options { settings: notifying(Notify::Osc9), ..Options::default() };
    let mut story = Story(Pure::connected(SIZE, options, Canned::default()));
    story.press("3").sees("2 windows close within 1 h");
    assert_eq!(story.0.notified, ["2 windows close within 1 h"]);
    story.passes(31 * 60 + 21 - 601).passes(1).sees("Jörg Brandt: 10 min left");
    assert_eq!(story.0.notified.len(), 2);
    story.passes(500);
    assert_eq!(story.0.notified.len(), 2, "once");
    let now = story.0.now.wall;
    story.0.server.desk.writes("+4930901820", now);
    story.press("r").passes(22 * 3600 + 3600 - 1);
    story.0.notified.clear();
    story.passes(3600).passes(1);
    assert!(story.0.notified.iter().any(|said| said == "Jörg Brandt: 1 h left"), "{:?}", story.0.notified);
}

#[test]
fn who_was_removed_by_mistake_comes_back() {
    let mut story = desk(|_| {});
    story
        .press("u")
        .sees("nobody was removed")
        .press("j")
        .sees("▌◐ Jörg Brandt")
        .press("d d")
        .sees("watched; u undoes");
    story
        .sees_no_more("● Noah Smith")
        .sees("▌● 田中 美咲")
        .press("u")
        .sees("▌● Noah Smith")
        .press("u")
        .sees("▌◐ Jörg Brandt");
}

#[test]
fn several_alerts_at_once_are_told_with_the_nearest_first_and_its_own_time() {
    // At the same moment Jörg Brandt's has ten minutes left and this one an hour.
    let at = canned::noon() + SignedDuration::from_secs(31 * 60 + 21 + 3_000);
    let mut story = desk(|desk| desk.windows.extend([((1, "+14155550123".to_owned()), at)]));
    story.passes(31 * 60 + 21 - 600 + 1).sees("Jörg Brandt: 10 min left; 1 other: 1 h");
}

#[test]
fn the_selection_stays_with_the_person_who_was_seen_though_their_window_closes() {
    let mut story = desk(|_| {});
    story.sees("▌▲ ").passes(7 * 60 + 50).sees("expired");
    let before = story.0.now;
    story.press("s");
    let form = story.screen().to_string();
    assert!(form.contains("+55 11 91234-5678"), "at {before:?}\n{form}");
}

#[test]
fn what_is_asked_for_more_seldom_since_nobody_looks_is_not_old() {
    let mut story = desk(|_| {});
    for _ in 0..12 {
        story.passes(5).sees("live").sees_no_more("old ·");
    }
}

#[test]
fn without_the_setting_nothing_is_told_outside_the_screen() {
    let mut story = desk(|_| {});
    story.passes(3600);
    assert_eq!(story.0.notified, Vec::<String>::new());
}

#[test]
fn windows_are_asked_after_sooner_near_their_end_and_seldom_while_nobody_looks() {
    let mut story = desk(|_| {});
    let asked = |story: &Story<Pure>, phone: &str| story.0.server.desk.asked[&(1, phone.to_owned())];
    let [urgent, soon, calm] = ["+5511912345678", "+4930901820", "+81312345678"];
    story.passes(7 * 60);
    assert_eq!([urgent, soon, calm].map(|phone| asked(&story, phone)), [8, 2, 1]);
    story.passes(21 * 60);
    assert!((2..=3).contains(&asked(&story, calm)), "every quarter of an hour or a little more");
    let before = asked(&story, calm);
    story.press("1").passes(60 * 60);
    assert!(asked(&story, calm) <= before + 1, "six times as seldom");
}

#[test]
fn a_customer_who_writes_is_seen_as_soon_as_the_conversations_tell() {
    let mut story = desk(|_| {});
    story.sees("expired 2 h ago").passes(60);
    let now = story.0.now.wall;
    story.0.server.desk.writes("+351213456789", now);
    let ana = |row: &&mut switchboard::api::Conversation| {
        row.customer.known().and_then(|party| party.phone.as_deref()) == Some("+351213456789")
    };
    let row = story.0.server.rows.iter_mut().find(ana).unwrap();
    row.updated_at = switchboard::api::PlainTimestamp(now).into();
    story.passes(40).sees("23 h 59").sees_no_more("expired");
}

#[test]
fn a_server_that_is_away_stops_no_countdown() {
    let mut story = desk(|_| {});
    story.0.server.mood = unreachable();
    story.passes(90).press("esc").sees("not refreshed").sees("closes in    6:11");
    story.0.server.mood = canned::Mood::Well;
    story.press("r").sees_no_more("not refreshed");
}

#[test]
fn senders_that_no_server_lists_are_added_by_their_number() {
    let mut story = desk(|desk| desk.senders = None);
    story.sees("This server does not").press("tab a").sees("Add a sender").types("x").press("enter");
    story.sees("A sender id is a whole number").press("ctrl-u").types("1").press("enter").sees("sender 1");
    story.sees("appointment_reminder").press("a").types("7").press("enter").sees("there is no such sen");
    story.press("d").sees("Sender 7 removed").sees_no_more("✕ sender 7");
    assert_eq!(story.0.server.desk.kept.senders, [1]);
}

#[test]
fn senders_that_cannot_be_read_are_counted_with_the_reason() {
    let list = |value: serde_json::Value| Some(serde_json::from_value(value).unwrap());
    let mut story = desk(|desk| desk.senders = list(json!([{"id": "abc"}, 7])));
    story.sees("2 rows could not").sees("row 1: its id is").sees_no_more("There are no senders");
    let good = json!({"id": "1", "phone_number": "+14155550100", "status": "online"});
    let mut story = desk(|desk| desk.senders = list(json!([good, {"id": "abc"}])));
    story.sees("+1 415-555-0100").sees("1 row could not").sees("appointment_reminder");
}

#[test]
fn templates_that_cannot_be_read_are_counted_with_the_reason() {
    let unreadable = |desk: &mut Desk| desk.templates.get_mut(&1).unwrap().unreadable = vec!["row 9: no id".to_owned()];
    desk(unreadable).sees("appointment_reminder").sees("1 row could not").sees("row 9: no id");
    let mut story = desk(|desk| {
        unreadable(desk);
        desk.templates.get_mut(&1).unwrap().rows.clear();
    });
    story.sees("1 row could not").sees("row 9: no id").sees_no_more("This sender has no templates");
}

#[test]
fn the_watch_list_is_filled_once_and_kept() {
    let mut server = Canned::default();
    let mut story = Story(Pure::connected(SIZE, remote(), server.clone()));
    story.press("3").sees("Maria Souza");
    server.desk.kept = story.0.server.desk.kept.clone();
    assert_eq!(server.desk.kept.watched.as_ref().unwrap().len(), 5);
    server.rows.clear();
    let mut story = Story(Pure::connected(SIZE, remote(), server));
    story.press("3").sees("Maria Souza").press("d").sees_no_more("Maria Souza:");
    assert_eq!(story.0.server.desk.kept.watched.as_ref().unwrap().len(), 4);
}

#[test]
fn nothing_is_asked_for_before_the_pane_is_seen() {
    let mut story = pure::story(SIZE);
    story.press("8").sees("/user/conversations").sees_no_more("/user/msgapp").press("3 8").sees("/user/msgapp/senders");
}

#[test]
fn a_thousand_windows_are_asked_after_a_few_at_a_time() {
    let people = |at: u32| watched(&format!("+49301{at:06}"), &format!("Person {at}"));
    let mut server = Canned::default();
    server.desk.kept.watched = Some((0..1000).map(people).collect());
    let mut story = Story(Pure::connected(SIZE, remote(), server));
    story.press("3");
    let asked = |story: &Story<Pure>| story.0.server.desk.asked.values().sum::<usize>();
    let rows = asked(&story);
    assert!(rows <= 40, "those in view: {rows}");
    story.passes(1);
    assert!(asked(&story) <= rows + 26, "{}", asked(&story));
    story.passes(60);
    assert_eq!(asked(&story), 1000);
    story.passes(14 * 60);
    let first = asked(&story);
    story.passes(5 * 60);
    let most = asked(&story) - first;
    assert!((800..=1100).contains(&most), "{most} in the five minutes over which they are spread");
}

#[test]
fn the_selection_stays_on_its_person_while_others_move() {
    let mut story = desk(|_| {});
    story.press("j j").sees("▌● Noah Smith").passes(8 * 60).sees("▌● Noah Smith").press("k").sees("▌◐ Jörg Brandt");
}

#[test]
fn a_click_selects_part_and_row() {
    let mut story = desk(|_| {});
    let lines = story.screen().lines();
    let row = |name: &str| u16::try_from(lines.iter().position(|line| line.contains(name)).unwrap()).unwrap();
    story.clicks(100, row("Noah Smith")).sees("▌● Noah Smith").clicks(40, row("order_update"));
    story.sees("order_update · utility · 1 variable").clicks(5, row("offline")).sees("terminbestaetigung");
}

#[test]
fn one_part_at_a_time_is_reached_by_tab_on_small_screens() {
    let mut story = desk(|_| {});
    story
        .resizes(50, 14)
        .sees("WINDOWS")
        .sees_no_more("TEMPLATES")
        .press("tab")
        .sees("SENDERS")
        .sees_no_more("WINDOWS");
    story.press("tab").sees("TEMPLATES").sees_no_more("SENDERS").resizes(80, 24).sees("TEMPLATES").sees("WINDOWS");
    story.press("h").sees("SENDERS").sees_no_more("TEMPLATES").resizes(120, 40).sees("TEMPLATES");
}

#[test]
fn after_a_send_from_conversations_the_list_is_there_again() {
    let mut story = closed();
    story.press("s").sees("Send a template").press("enter enter").types("3 December").press("enter");
    story.sees("Send this message?").passes(1).press("y").sees("page 1 of 3").sees("Sending to Maria Souza in 5 s");
    assert!(story.0.server.desk.sent.is_empty());
    story.passes(6).sees("Accepted");
    assert_eq!(story.0.server.desk.sent.len(), 1);
}

#[test]
fn a_held_message_is_taken_back_from_every_pane_and_quitting_asks_first() {
    let mut story = pure::story(SIZE);
    story.press("s right enter").sees("▌ Reply").types("Até já").press("enter").passes(1);
    story.press("y").sees("Sending to").press("8").sees("Sending to").press("q").sees("waiting to be sent");
    assert!(!story.0.ended);
    story.press("u").sees("Taken back: nothing was sent to Maria Souza").passes(20);
    assert!(story.0.server.desk.sent.is_empty());
    story.press("1").sees("draft  Até já").press("s right enter").sees("▌ Reply  Até já");
}

#[test]
fn a_form_is_filled_sent_and_its_recipient_watched_with_the_new_window() {
    let mut stage = pure::story(SIZE);
    stage.press("3 G").sees("▌○ Ana Lima").press("s").types("Ana").press("enter").types("3 December");
    stage.press("enter").sees("Send this message?").0.pass(Duration::from_millis(500));
    stage.press("y").passes(6).sees("WINDOWS").sees("23 h 59").sees_no_more("expired");
    let sent = &stage.0.server.desk.sent;
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].intent.phone, "+351213456789");
}

#[test]
fn a_window_that_could_not_be_told_is_asked_for_again_while_the_form_is_open() {
    let mut story = pure::story(SIZE);
    story.press("3 shift-tab j").sees("Your order").press("s").sees("Send a template");
    story.0.server.mood = unreachable();
    story.types("+498912345678").press("enter").passes(30).sees_no_more("none yet: this template opens");
    story.0.server.mood = canned::Mood::Well;
    story.passes(10).sees("none yet: this template opens").passes(60);
    assert_eq!(story.0.server.desk.asked[&(1, "+498912345678".to_owned())], 1);
}

#[test]
fn quitting_while_a_message_is_on_its_way_asks_first() {
    for answered in [false, true] {
        let mut story = pure::story(SIZE);
        story.press("3 G").sees("▌○ Ana Lima").press("s").types("Ana").press("enter").types("3 December");
        story.press("enter").sees("Send this message?").0.pass(Duration::from_millis(500));
        story.0.server.mood = canned::Mood::Silent;
        story.press("y").passes(6).sees("WINDOWS").press("q").sees("A message is being sent: q again quits");
        assert!(!story.0.ended);
        if answered {
            story.0.server.mood = canned::Mood::Well;
            story.0.answers();
            story.passes(9).sees_no_more("being sent");
        }
        story.press("q");
        assert!(story.0.ended);
    }
}

#[test]
fn outbox_keys_are_in_help_and_a_mark_asks_first() {
    let mut story = desk(|desk| {
        let intent = Intent {
            id: uuid::Uuid::from_u128(7),
            profile: "sandbox".to_owned(),
            sender_id: 1,
            sender: "+14155550100".to_owned(),
            phone: "+351912345678".to_owned(),
            name: Some("Ana Lima".to_owned()),
            content: Content::Freeform,
            row: None,
            before: None,
            text: None,
        };
        let outcome = Some(Outcome::Unknown { why: "timed out after 30 s".to_owned() });
        desk.entries.push(Entry { intent, began: canned::noon(), ended: Some(canned::noon()), outcome, mark: None });
    });
    story.press("o").sees("1 send · 1 unknown").sees("m mark sent").press("?").sees("outcome as not sent");
    story.press("esc :").types("unknown").sees("List only sends with an unknown outcome").press("esc");
    story.press("s").sees("Not now: only a message that was not sent").press("m").sees("Mark this message as sent?");
    story
        .press("enter")
        .sees_no_more("Mark this message")
        .sees("1 unknown")
        .press("m")
        .0
        .pass(Duration::from_millis(500));
    story.press("y").sees("marked as sent").sees_no_more("1 unknown").press("1").sees("page 1 of 3");
}

/// The service's own clock is moved on: every state of a window, over HTTP.
#[test]
fn time_travel_takes_a_window_through_all_its_states() {
    const PHONE: &str = "+498912345678";
    let mut story = Story(Inside::still(SIZE));
    story.sees("live");
    let writes = |story: &Story<Inside>| {
        let message = json!({"sender_id": 1, "customer_phone": PHONE, "text": "Hello?", "customer_name": "Zoë Maier"});
        story.0.server.control("inbound-message", &message);
    };
    writes(&story);
    story
        .press("3")
        .sees("appointment_reminder")
        .press("a")
        .types(PHONE)
        .press("enter enter")
        .sees("Zoë Maier")
        .press("/")
        .types("Zoë")
        .press("enter");
    // The server's time is known to a second, so each step ends seconds away from where the row says something else.
    story.passes(7).0.settle();
    story.sees("23 h 59").passes(23 * 3600 + 600 + 17).0.settle();
    story.sees("closes in  49 min").passes(44 * 60 + 41).0.settle();
    story.sees("▲ Zoë Maier").sees("closes in    4:5").passes(307).0.settle();
    story.sees("expired just now").passes(3600).0.settle();
    story.sees("expired 1 h ago");
    writes(&story);
    story.press("r").0.settle();
    story.passes(7).0.settle();
    story.sees("23 h 59").sees("● Zoë Maier");
}

#[test]
fn what_a_person_called_like_a_sequence_does_to_the_terminal_is_nothing() {
    let mut server = Canned::default();
    server.desk.kept.watched = Some(vec![watched("+5511912345678", "\u{1b}]0;x\u{7}Maria")]);
    let options = Options { settings: notifying(Notify::Bell), ..remote() };
    let stage = told(Pure::connected(SIZE, options, server), |story| {
        story.press("3");
    });
    assert!(stage.notified.iter().all(|said| !said.contains('\u{1b}')), "{:?}", stage.notified);
}
