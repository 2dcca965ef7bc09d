//! The list of windows while messages wait to leave, and from one recipient to the next.

use super::scenes::remote;
use crate::support::canned::{Canned, Mood, noon};
use crate::support::desk::Desk;
use crate::support::pure::Pure;
use crate::support::screen::Screen;
use crate::support::story::{Clocked as _, Story};
use jiff::SignedDuration;
use ratatui::style::Color;
use std::path::PathBuf;
use std::time::Duration;
use switchboard::api::Field;
use switchboard::config::{Messaging, Settings};
use switchboard::messaging::{Outcome, Refusal};
use switchboard::records::{Content, Entry, Intent, ProfileData, Watched};
use switchboard::ui::Options;

const SIZE: (u16, u16) = (120, 40);
/// How long a person takes from key to key.
const KEY: Duration = Duration::from_millis(200);

fn on(size: (u16, u16), options: Options, change: impl FnOnce(&mut Desk)) -> Story<Pure> {
    let mut server = Canned::default();
    change(&mut server.desk);
    Story(Pure::connected(size, options, server))
}

fn desk(change: impl FnOnce(&mut Desk)) -> Story<Pure> {
    let mut story = on(SIZE, Options::default(), change);
    story.press("3").sees("WINDOWS");
    story
}

/// A server that is no sandbox, where so many people are watched; the first window closes in half an hour, the others
/// four minutes apart.
fn people(size: (u16, u16), number: i64) -> Story<Pure> {
    const NAMES: [&str; 7] = [
        "Maria Souza",
        "Liam Carter",
        "Małgorzata Kowalczyk",
        "田中 美咲",
        "Liam Carter",
        "Zoë",
        "Íñigo Hernández Ruiz",
    ];
    let options = Options { read_only: false, ..remote() };
    let mut story = on(size, options, |desk| {
        let phone = |at: i64| format!("+4930901{at:04}");
        let name = |at: i64| NAMES[usize::try_from(at).unwrap() % NAMES.len()].to_owned();
        let watched = |at: i64| Watched { sender_id: 1, phone: phone(at), name: Some(name(at)) };
        desk.kept = ProfileData { watched: Some((0..number).map(watched).collect()), ..ProfileData::default() };
        let expires = |at: i64| noon() + SignedDuration::from_mins(30 + 4 * at);
        desk.windows = (0..number).map(|at| ((1, phone(at)), expires(at))).collect();
    });
    story.press("3").passes(30).sees("WINDOWS");
    story
}

/// Fills the form of the selected recipient, and confirms it.
fn sends(story: &mut Story<Pure>, date: &str) {
    story.press("s").sees("Send a template").press("enter").types(date).press("enter").sees("Send this message?");
    story.0.pass(Duration::from_millis(300));
    story.press("y").sees("WINDOWS");
}

fn sent(story: &Story<Pure>) -> Vec<&str> {
    story.0.server.desk.sent.iter().map(|sending| sending.intent.phone.as_str()).collect()
}

fn snapshot(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

#[test]
fn holds_run_side_by_side_and_u_takes_back_the_newest_with_its_draft() {
    let mut story = desk(|_| {});
    story.sees("▌▲ Maria Souza");
    sends(&mut story, "3 May");
    story.sees("Sending to Maria Souza in 5 s · u takes it back").sees("▌◐ Jörg Brandt");
    sends(&mut story, "4 May");
    story.sees("2 sending, next in 5 s · u takes back the newest").sees("▌● Noah Smith").passes(1);
    story.sees("2 sending, next in 4 s").press("u").sees("Taken back: nothing was sent to Jörg Brandt");
    story.sees("Sending to Maria Souza in 4 s · u takes it back").sees("▌◐ Jörg Brandt");
    story.press("s").sees("draft from").sees("4 May").press("esc").passes(6).sees("Accepted: the message to Maria");
    assert_eq!(sent(&story), ["+5511912345678"]);
}

#[test]
fn any_held_message_is_taken_back_in_the_outbox() {
    let mut story = desk(|_| {});
    for date in ["3 May", "4 May", "5 May"] {
        sends(&mut story, date);
    }
    story
        .press("o")
        .sees("1 of 3")
        .sees("3 held · 0 sends")
        .sees("held · leaves in 5 s")
        .sees("u takes back the selected one")
        .press("j");
    story.sees("2 of 3").passes(1).sees("held · leaves in 4 s").press("u").sees("nothing was sent to Jörg Brandt");
    story.sees_no_more("4 May").sees("2 of 2").sees("2 sending, next in").passes(5).sees("accepted");
    story.sees_no_more("held").sees("2 sends");
    assert_eq!(sent(&story), ["+5511912345678", "+14155550123"]);
}

#[test]
fn message_taken_back_is_a_draft_though_nothing_of_it_was_typed() {
    let mut story = desk(|desk| {
        let template = desk.templates.get_mut(&1).unwrap().rows.iter_mut().find(|row| row.id.known() == Some(&14));
        let template = template.unwrap();
        (template.body_text, template.variables) = ("See you.".to_owned().into(), Vec::new().into());
    });
    story.press("s").sees("See you.").press("enter").sees("Send this message?").passes(1).press("y");
    assert_eq!(story.0.server.desk.kept.drafts.len(), 1);
    story.press("u").sees("Taken back").passes(9);
    assert_eq!(story.0.server.desk.kept.drafts.len(), 1);
    story.press("s").sees("draft from").press("enter").sees("Send this message?").passes(1).press("y").passes(6);
    assert_eq!((sent(&story).len(), story.0.server.desk.kept.drafts.len()), (1, 0));
}

#[test]
fn quitting_during_holds_asks_and_tells_what_was_not_sent() {
    for key in ["q", "ctrl-c"] {
        let mut story = desk(|_| {});
        sends(&mut story, "3 May");
        sends(&mut story, "4 May");
        story.press(key).sees("2 messages are waiting to be sent: q again quits");
        assert!(!story.0.ended);
        story.press(key);
        assert!(story.0.ended);
        let said = |who: &str| format!("Nothing was sent to {who}: the program was stopped. The draft is kept.");
        assert_eq!(story.0.app.unsent(), [said("Maria Souza"), said("Jörg Brandt")]);
        let drafts = &story.0.server.desk.kept.drafts;
        let of = |phone: &str| drafts.iter().any(|draft| draft.phone == phone && draft.values["date"].contains("May"));
        assert!(of("+5511912345678") && of("+4930901820"), "{drafts:?}");
        story.passes(30);
        assert_eq!(sent(&story), Vec::<&str>::new());
    }
}

#[test]
fn quitting_asks_anew_once_what_was_held_is_on_its_way() {
    let mut story = desk(|_| {});
    sends(&mut story, "3 May");
    story.0.server.mood = Mood::Silent;
    story.passes(3).press("q").sees("A message is waiting to be sent").passes(3).press("q");
    assert!(!story.0.ended);
    story.sees("A message is being sent: q again quits").press("q");
    assert!(story.0.ended);
}

#[test]
fn next_recipient_is_the_one_of_the_same_sender_whose_window_closes_next() {
    let options = Options { read_only: false, ..remote() };
    let mut story = on(SIZE, options, |desk| {
        // Acme Berlin is offline in the other stories.
        let senders = desk.senders.as_mut().unwrap();
        senders.rows[1].status = switchboard::api::SenderStatus::Online.into();
        let watch = |sender_id: i64, phone: &str, name: &str| Watched {
            sender_id,
            phone: phone.to_owned(),
            name: Some(name.to_owned()),
        };
        desk.kept.watched = Some(vec![
            watch(1, "+5511912345678", "Maria Souza"),
            watch(2, "+4930901820", "Jörg Brandt"),
            watch(1, "+14155550123", "Noah Smith"),
            watch(1, "+351213456789", "Ana Lima"),
        ]);
        desk.windows.insert((2, "+4930901820".to_owned()), noon() + SignedDuration::from_mins(31));
    });
    story.press("3").sees("▌▲ Maria Souza");
    sends(&mut story, "3 May");
    story.sees("▌● Noah Smith");
    sends(&mut story, "4 May");
    // Nobody else has an open window there, and those two are being written to.
    story.sees("▌● Noah Smith").press("k").sees("▌◐ Jörg Brandt").sees("terminbestaetigung");
}

#[test]
fn template_of_the_list_is_the_one_of_the_form_and_comes_back_with_its_sender() {
    let mut story = desk(|_| {});
    story.press("shift-tab j").sees("▌order_update").press("tab s").sees("Your order").types("A17").press("enter");
    story.sees("Send this message?").passes(1).press("y").sees("▌◐ Jörg Brandt").sees("▌order_update");
    story.press("tab j").sees("terminbestaetigung").press("k").sees("▌order_update").press("tab tab s");
    story.sees("Your order ⟨order⟩").types("A18").press("enter").passes(1).press("y").passes(9);
    let orders: Vec<_> = story.0.server.desk.sent.iter().map(|sending| sending.intent.template().unwrap().id).collect();
    assert_eq!(orders, [12, 12]);
    // One chosen in the form is that of the list afterwards.
    story.press("s shift-tab shift-tab shift-tab").types("app").press("enter").sees("we look forward").press("ctrl-s");
    story.sees("Send a template").press("esc");
}

#[test]
fn draft_of_a_recipient_comes_before_the_template_of_the_list() {
    let mut story = desk(|_| {});
    story.press("s enter").types("3 May").passes(1).press("esc shift-tab j").sees("▌order_update").press("tab s");
    story.sees("draft from").sees("3 May");
}

#[test]
fn esc_leads_back_to_where_the_form_was_opened() {
    let mut story = on(SIZE, Options::default(), |desk| {
        let intent = Intent {
            id: uuid::Uuid::from_u128(7),
            profile: "sandbox".to_owned(),
            sender_id: 1,
            sender: "+14155550100".to_owned(),
            phone: "+351213456789".to_owned(),
            name: Some("Ana Lima".to_owned()),
            content: Content::Freeform,
            row: None,
            before: None,
            text: None,
        };
        let words = "the window has expired".to_owned();
        let outcome = Some(Outcome::Refused(Refusal { status: Some(403), code: None, words }));
        desk.entries.push(Entry { intent, began: noon(), ended: Some(noon()), outcome, mark: None });
    });
    // Her window is closed; hers is the nineteenth conversation.
    story.press(&"j ".repeat(18)).passes(2).press("s").sees("Send a template").press("esc").sees("UPDATED");
    story
        .press("3 o")
        .sees("1 send")
        .press("s")
        .sees("Send a template")
        .press("esc")
        .sees("1 send")
        .sees("s write again");
    story.press("esc s").sees("Send a template").press("esc").sees("WINDOWS");
}

#[test]
fn message_begun_while_the_window_is_not_known_stays_whatever_the_window_turns_out_to_be() {
    for (begun, form) in [("", "Send a template"), ("Olá", "Write to Ana Lima")] {
        let options = Options { read_only: false, ..remote() };
        let mut server = Canned::default();
        server.desk.kept.watched = Some(Vec::new());
        // Without an id a conversation is answered in Messaging. Hers is the ninth with a customer.
        server.rows.iter_mut().for_each(|row| row.id = Field::Missing);
        let mut story = Story(Pure::connected(SIZE, options, server));
        story.press("3 1 f").types("m").press("enter").sees("type: messaging");
        story.0.server.mood = Mood::Silent;
        story.press("j j j j j j j j s").sees("Write to Ana Lima").types(begun);
        story.0.server.mood = Mood::Well;
        story.0.answers();
        story.sees(form).press("esc").sees("UPDATED");
    }
}

#[test]
fn number_stands_beside_every_name_at_every_size() {
    for size in [(120, 40), (200, 50), (80, 24)] {
        let mut story = people(size, 20);
        let lines = story.screen().lines();
        let named: Vec<_> = lines.iter().filter(|line| line.contains("Liam Carter")).collect();
        assert!(named.len() >= 4 && named.iter().all(|line| line.contains("+49 30 9010")), "{size:?} {lines:#?}");
        story.sees("+49 30 9010004").sees("WINDOWS  1 of 20");
    }
    // Where there is no room for all of it, its end tells who it is.
    people((62, 24), 20).sees("Liam Carter   …10004").sees("Liam Carter   …10001");
}

#[test]
fn list_stays_where_the_most_urgent_are_in_sight() {
    let mut story = people(SIZE, 60);
    story.press("G").sees("60 of 60").sees_no_more("9010000").press("g").sees("1 of 60").press("j j j");
    story.sees("▌◐ 田中 美咲");
    // The first three close while the fourth is selected; it moves up, and the first stay in view.
    story.passes(30 * 60 + 9 * 60).sees("▌▲ 田中 美咲").sees("WINDOWS  1 of 60");
    // The last one with an open window is written to: the first one is next, and the list is at its top again.
    story.press("G k k k").sees("57 of 60").sees_no_more("9010003");
    sends(&mut story, "3 May");
    story.sees("▌▲ 田中 美咲").sees("WINDOWS  1 of 60").sees("9010004");
}

#[test]
fn selection_follows_its_person_when_the_window_closes() {
    let mut story = people(SIZE, 60);
    story.press("j").sees("▌◐ Liam Carter").sees("2 of 60").passes(30 * 60).sees("▌").sees("1 of 60");
    story.passes(5 * 60).sees("▌○ Liam Carter").press("s").sees("+49 30 9010001");
}

#[test]
fn recipients_of_a_batch_join_the_windows_unless_the_settings_say_otherwise() {
    for (watch_batches, watched) in [(true, 7), (false, 5)] {
        let settings =
            Settings { messaging: Messaging { watch_batches, ..Messaging::default() }, ..Settings::default() };
        let mut story = on(SIZE, Options { settings, ..Options::default() }, |desk| {
            let list = b"phone,order\n+14155550101,A1\n+14155550102,A2\n".to_vec();
            desk.files.insert(PathBuf::from("list.csv"), list);
        });
        story.press("3").sees("1 of 5").press("shift-tab j").sees("Your order").press("b").sees("Many recipients");
        story.types("list.csv").press("enter enter").passes(1).press("y").passes(9).sees("done").press("esc tab");
        story.sees(&format!(" of {watched}"));
        assert_eq!(story.0.server.desk.sent.len(), 2);
    }
}

#[test]
fn signs_are_explained_in_the_help_of_the_list_and_only_there() {
    let mut story = desk(|_| {});
    story.press("?").sees("Signs").sees("▲").sees("the window closes within 10 minutes").press("esc");
    story.press("o ?").sees("Keys that work here").sees_no_more("Signs").press("esc esc s ?").sees_no_more("Signs");
    let mut story = on((80, 24), Options::default(), |_| {});
    story.press("3 ?").press("pgdn").sees("Signs");
    snapshot(&mut story, "messaging_signs_80x24");
    snapshot(desk(|_| {}).press("?"), "messaging_signs_120x40");
}

#[test]
fn nothing_is_green_that_a_server_without_a_list_of_senders_does_not_tell() {
    let mut story = on(SIZE, remote(), |desk| desk.senders = None);
    story.press("3 tab a").types("1").press("enter").sees("sender 1").sees("status unknown");
    let Screen { buffer, .. } = story.screen();
    // The windows are known: these are told by another operation.
    let green = |y: u16| (0..60).any(|x| buffer[(x, y)].fg == Color::Green);
    assert!(!(3..buffer.area.height).any(green), "{}", story.screen().with_looks());
}

#[test]
fn cost_is_told_with_its_unit_and_in_the_sandbox_with_its_amount() {
    let mut story = desk(|_| {});
    story.press("s enter").types("3 May").press("enter").sees("Send this message?");
    story.sees("0.03 credits from the balance (241.20 credits)").press("esc esc f").types("Olá");
    story.press("ctrl-s").sees("0.005 credits from the balance (241.20 credits)");
    let mut story = people(SIZE, 3);
    story.press("s enter").types("3 May").press("enter").sees("Send this message?");
    story.sees("  deducted from the balance (241.20 credits or minutes)");
}

#[test]
fn ten_sends_in_a_row_by_keyboard_to_those_whose_windows_close_first() {
    let mut story = people(SIZE, 133);
    let (began, mut keys) = (story.0.now, 0);
    let mut press = |story: &mut Story<Pure>, key: &str| {
        story.press(key).0.pass(KEY);
        keys += 1;
    };
    for order in 1..=10 {
        // The name is read, the day is typed; the confirm dialog is read for the time of a key.
        for key in ["s", "enter", "3", "enter"] {
            press(&mut story, key);
        }
        story.sees("Send this message?").0.pass(KEY);
        press(&mut story, "y");
        let next = format!("+49 30 9010{order:03}");
        let is_selected =
            |line: &str| line.rsplit('│').next().is_some_and(|row| row.contains('▌') && row.contains(&next));
        story.waits("the next one to be selected", |screen| screen.lines().iter().any(|line| is_selected(line)));
        story.sees("· u takes");
    }
    let took = story.0.now.mono - began.mono;
    story.passes(5).sees_no_more("· u takes");
    let first_ten: Vec<_> = (0..10).map(|at| format!("+4930901{at:04}")).collect();
    assert_eq!(sent(&story), first_ten, "the first ten, in their order");
    println!("ten sends: {keys} keys, {:.1} s at a key every {} ms", took.as_secs_f64(), KEY.as_millis());
    assert_eq!(keys, 50, "five keys a person, one of them the value");
}

#[test]
fn list_looks_well_while_holds_run() {
    for (size, name) in [((80, 24), "80x24"), ((120, 40), "120x40"), ((200, 50), "200x50")] {
        let mut story = people(size, 133);
        for date in ["3 May", "4 May", "5 May"] {
            sends(&mut story, date);
        }
        story.passes(2).sees("3 sending, next in 3 s · u takes back the newest").sees("4 of 133");
        snapshot(&mut story, &format!("messaging_holds_{name}"));
    }
}
