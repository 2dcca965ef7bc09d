//! The outbox as a person reads it, and what its keys ask for.

use super::super::OUTBOX;
use super::*;
use crate::api::{ErrorCode, HistoryMessage, Role, SendFreeform};
use crate::messaging::Outgoing;
use crate::messaging::{Accepted, LastMessage, Refusal};
use crate::records::{Again, Before, Content, TemplateName};
use crate::tasks::LastMessages;
use crate::ui::action::Scope;
use crate::ui::input::Key;
use crate::ui::options::Options;
use crate::ui::theme::Glyphs;
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use serde_json::json;

const MARIA: &str = "+5511912345678";
const JOERG: &str = "+4915112345678";
const SCOPES: &[Scope] = &[OUTBOX, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

fn noon() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

struct Bench {
    options: Options,
    now: Moment,
    body: Rect,
}

const UTC: &TimeZone = &TimeZone::UTC;

impl Bench {
    fn new(width: u16, height: u16) -> Self {
        let now = Moment { wall: noon(), mono: Instant::after(Duration::from_secs(100)) };
        // Above and below the body lie five lines of the screen.
        Self { options: Options::default(), now, body: Rect::new(0, 0, width, height.saturating_sub(5)) }
    }

    fn view(&self) -> View<'_> {
        View { body: self.body, ..View::plain(&self.options, self.now, UTC) }
    }
}

const ANA: &str = "+351912345678";

fn intent(number: u128, phone: &str, name: Option<&str>) -> Intent {
    Intent {
        id: Uuid::from_u128(number),
        profile: "sandbox".to_owned(),
        sender_id: 1,
        sender: "+14155550100".to_owned(),
        phone: phone.to_owned(),
        name: name.map(str::to_owned),
        content: Content::Template(TemplateName { id: 1, name: "appointment_reminder".to_owned() }),
        row: None,
        before: Some(Before { open: false, expiry: None, last_message: LastMessage::Untold }),
        text: None,
    }
}

fn entry(intent: Intent, minutes: i64, outcome: Option<Outcome>) -> Entry {
    let began = noon() - SignedDuration::from_mins(minutes);
    let ended = outcome.as_ref().map(|_| began + SignedDuration::from_secs(1));
    Entry { intent, began, ended, outcome, mark: None }
}

fn accepted() -> Outcome {
    Outcome::Accepted(Accepted {
        conversation_id: Some(71),
        message_id: Some(1234),
        msgapp_message_id: Some(99),
        message_sid: Some("SM0123456789abcdef".to_owned()),
        status: Some("queued".to_owned()),
        call_id: None,
    })
}

fn refused(code: ErrorCode) -> Outcome {
    let words = "The sender is offline.".to_owned();
    Outcome::Refused(Refusal { status: Some(503), code: Some(code), words })
}

fn unknown() -> Outcome {
    Outcome::Unknown { why: "timed out after 30 s".to_owned() }
}

/// One of each.
fn filled() -> Outbox {
    let mut outbox = Outbox::new(Rect::new(0, 0, 80, 24));
    outbox.entries(vec![
        entry(intent(5, JOERG, Some("Jörg Brandt")), 0, None),
        entry(intent(4, MARIA, Some("Maria Souza")), 1, None),
        entry(intent(3, ANA, Some("Ana Lima")), 3, Some(unknown())),
        entry(intent(2, JOERG, Some("Jörg Brandt")), 30, Some(refused(ErrorCode::SenderOffline))),
        entry(intent(1, "+819012345678", None), 26 * 60, Some(accepted())),
    ]);
    outbox.waiting(Uuid::from_u128(4), Moment { wall: noon(), mono: Instant::after(Duration::from_secs(148)) });
    outbox
}

/// Presses keys as the app does: what is disabled is not done. Returns the last action, if it was done.
fn press(outbox: &mut Outbox, bench: &Bench, keys: &str) -> Option<Action> {
    outbox.resize(bench.body);
    let mut last = None;
    for key in keys.split(' ') {
        let action = bench.options.keymap.action(SCOPES, key.parse::<Key>().unwrap()).unwrap();
        last = outbox.disabled(action).is_none().then_some(action);
        if last.is_some() {
            outbox.act(action, &bench.view());
        }
    }
    last
}

/// The screen, and below it the keys of the bottom line.
fn screen(outbox: &Outbox, bench: &Bench) -> String {
    let mut outbox = outbox.clone();
    outbox.resize(bench.body);
    let mut buffer = Buffer::empty(bench.body);
    draw::draw(&outbox, &bench.view(), &mut buffer);
    let text = |y| (0..bench.body.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    let lines: Vec<String> = (0..bench.body.height).map(text).collect();
    let keys = bench.options.keymap.listed(&[OUTBOX]).filter(|(row, _)| outbox.disabled(row.action).is_none());
    let keys: Vec<String> = keys.map(|(row, mut keys)| format!("{} {}", keys.next().unwrap(), row.hint)).collect();
    format!("{}\n{}", lines.join("\n"), keys.join("  "))
}

fn evidence(minutes_ago_opened: Option<i64>) -> Box<Evidence> {
    let window = match minutes_ago_opened {
        None => json!({"has_conversation": true, "session_status": {"is_open": false}}),
        Some(minutes) => {
            let expires = noon() + SignedDuration::from_hours(24) - SignedDuration::from_mins(minutes);
            let expires = crate::api::OffsetTimestamp(expires).to_string();
            json!({"has_conversation": true, "session_status": {"is_open": true, "expires_at": expires}})
        }
    };
    Box::new(Evidence {
        intent: intent(3, ANA, Some("Ana Lima")),
        window: serde_json::from_value(window).unwrap(),
        messages: LastMessages::Told(vec![HistoryMessage::new(
            Role::Assistant,
            "Hi Ana, see you on 3 December.".to_owned(),
        )]),
    })
}

fn sending(intent: Intent) -> Sending {
    let message = SendFreeform {
        sender_id: 1,
        recipient_phone: intent.phone.clone(),
        message: "Wir sind da.\nBis gleich!".to_owned(),
    };
    Sending {
        intent: Intent { content: Content::Freeform, ..intent },
        outgoing: Outgoing::Freeform(message),
        again: Again::No,
        connection: None,
        is_code: false,
    }
}

#[test]
fn those_that_nobody_knows_of_are_shown_alone_and_go_when_they_are_marked() {
    let bench = Bench::new(120, 40);
    let mut outbox = filled();
    assert!(screen(&outbox, &bench).contains("5 sends · 1 unknown"));
    assert_eq!(press(&mut outbox, &bench, "f"), Some(Action::OnlyProblems));
    let shown = screen(&outbox, &bench);
    assert!(shown.contains("the 1 unknown of 5 sends"), "{shown}");
    assert!(shown.contains("Ana Lima") && !shown.contains("Jörg Brandt"), "{shown}");
    let id = Uuid::from_u128(3);
    assert_eq!(press(&mut outbox, &bench, "j m"), Some(Action::MarkSent));
    let _ = outbox.marked(id, Mark::Sent, &mut MessagingData::default());
    assert!(screen(&outbox, &bench).contains("No unknown outcomes"));
    press(&mut outbox, &bench, "f");
    assert!(screen(&outbox, &bench).contains("Jörg Brandt"));
}

#[test]
fn each_outcome_has_a_sign_a_word_and_advice() {
    for (width, height) in [(80, 24), (120, 40)] {
        let bench = Bench::new(width, height);
        let mut outbox = filled();
        insta::assert_snapshot!(format!("outbox_{width}x{height}"), screen(&outbox, &bench));
        for (name, down) in [("waiting", 1), ("unknown", 2), ("refused", 3), ("accepted", 4)] {
            let mut outbox = filled();
            (0..down).for_each(|_| _ = press(&mut outbox, &bench, "j"));
            press(&mut outbox, &bench, "enter");
            insta::assert_snapshot!(format!("outbox_{name}_{width}x{height}"), screen(&outbox, &bench));
        }
        press(&mut outbox, &bench, "j j c enter");
        outbox.check(Uuid::from_u128(3), EvidenceCheck::Done(evidence(Some(2)), noon()));
        insta::assert_snapshot!(format!("outbox_evidence_{width}x{height}"), screen(&outbox, &bench));
    }
}

#[test]
fn an_outbox_that_is_empty_or_being_read_says_so() {
    let bench = Bench::new(80, 24);
    let mut outbox = Outbox::new(Rect::new(0, 0, 80, 24));
    assert!(screen(&outbox, &bench).contains("loading"));
    outbox.entries(Vec::new());
    assert!(screen(&outbox, &bench).contains("No sends yet"));
}

#[test]
fn unknown_send_is_checked_marked_and_written_again() {
    let bench = Bench::new(80, 24);
    let mut outbox = filled();
    let id = Uuid::from_u128(3);
    assert_eq!(outbox.unknown(), 1);
    assert_eq!(press(&mut outbox, &bench, "j j c"), Some(Action::Check));
    assert_eq!(outbox.selected_entry().map(|entry| &entry.intent), Some(&intent(3, ANA, Some("Ana Lima"))));
    assert_eq!(press(&mut outbox, &bench, "u"), Some(Action::MarkNotSent));
    assert_eq!(outbox.selected_entry().map(|entry| entry.intent.id), Some(id));
    assert_eq!(outbox.marked(id, Mark::NotSent, &mut MessagingData::default()), None);
    assert_eq!(outbox.unknown(), 0);
    let again =
        Preset { sender_id: Some(1), phone: Some(ANA.into()), name: Some("Ana Lima".into()), template_id: Some(1) };
    assert_eq!(press(&mut outbox, &bench, "s"), Some(Action::Send));
    assert_eq!(preset(&outbox.selected_entry().unwrap().intent), again);
}

#[test]
fn only_what_was_not_sent_is_written_again() {
    let bench = Bench::new(80, 24);
    let mut outbox = filled();
    assert_eq!(press(&mut outbox, &bench, "s"), None, "it is leaving");
    assert_eq!(press(&mut outbox, &bench, "j s"), None, "it waits");
    assert_eq!(press(&mut outbox, &bench, "j s"), None, "nobody knows");
    assert_eq!(press(&mut outbox, &bench, "j s"), Some(Action::Send), "it was refused");
    assert_eq!(press(&mut outbox, &bench, "j s"), None, "it was sent");
    assert_eq!(press(&mut outbox, &bench, "m"), None, "an outcome that is known is not marked");
}

#[test]
fn the_draft_of_a_send_under_way_comes_back_only_if_it_was_not_sent() {
    let now = Moment { wall: noon(), mono: Instant::after(Duration::from_secs(9)) };
    for (outcome, comes_back, goes) in
        [(accepted(), false, true), (refused(ErrorCode::SenderOffline), true, false), (unknown(), false, false)]
    {
        let mut known = MessagingData::default();
        let mut outbox = Outbox::new(Rect::new(0, 0, 80, 24));
        let sending = sending(intent(7, MARIA, Some("Maria Souza")));
        outbox.leaving(&sending, "Hi.", &mut known, now);
        // Read anew while it is under way, the list still has it.
        outbox.entries(Vec::new());
        assert_eq!(outbox.rows.len(), 1);
        let keep = outbox.settled(entry(sending.intent.clone(), 0, Some(outcome)), &mut known);
        assert_eq!(keep, goes.then(|| StorageRequest::DeleteDraft(draft_of(&sending, now).key())));
        assert_eq!(known.drafts.first().and_then(|draft| draft.message.as_deref()).is_some(), comes_back);
        assert_eq!(outbox.rows.len(), 1);
    }
}

#[test]
fn what_is_typed_while_a_send_is_under_way_is_not_discarded_with_it() {
    let now = Moment { wall: noon(), mono: Instant::after(Duration::from_secs(9)) };
    let mut known = MessagingData::default();
    let mut outbox = Outbox::new(Rect::new(0, 0, 80, 24));
    let sending = sending(intent(7, MARIA, Some("Maria Souza")));
    outbox.leaving(&sending, "Hi.", &mut known, now);
    known.drafts = vec![Draft { message: Some("newer".to_owned()), ..draft_of(&sending, now) }];
    assert_eq!(outbox.settled(entry(sending.intent.clone(), 0, Some(accepted())), &mut known), None);
    assert_eq!(known.drafts.len(), 1);
}

#[test]
fn what_was_not_even_recorded_leaves_the_list() {
    let now = Moment { wall: noon(), mono: Instant::after(Duration::from_secs(9)) };
    let (mut known, mut outbox) = (MessagingData::default(), Outbox::new(Rect::new(0, 0, 80, 24)));
    outbox.leaving(&sending(intent(7, MARIA, None)), "Hi.", &mut known, now);
    outbox.dropped(Uuid::from_u128(7), &mut known);
    assert!(outbox.rows.is_empty());
    assert_eq!(known.drafts.len(), 1, "what was typed is offered again");
}

#[test]
fn the_selection_stays_on_its_entry() {
    let bench = Bench::new(80, 24);
    let mut outbox = filled();
    press(&mut outbox, &bench, "j j");
    outbox.leaving(&sending(intent(9, MARIA, None)), "Hi.", &mut MessagingData::default(), bench.now);
    assert_eq!(outbox.selected_entry().unwrap().intent.id, Uuid::from_u128(3));
    let entries: Vec<_> = filled().rows.into_iter().map(|row| row.entry).collect();
    outbox.entries(entries[1..].to_vec());
    assert_eq!(outbox.selected_entry().unwrap().intent.id, Uuid::from_u128(3));
}

#[test]
fn a_wait_counts_down_and_wakes_each_second() {
    let mut bench = Bench::new(80, 24);
    let mut outbox = filled();
    press(&mut outbox, &bench, "j");
    assert!(screen(&outbox, &bench).contains("not sent yet · 48 s"), "{}", screen(&outbox, &bench));
    for second in (0..48).rev() {
        bench.now.mono = outbox.next_change(bench.now).unwrap();
        let said = if second == 0 { "· now".to_owned() } else { format!("· {second} s") };
        assert!(screen(&outbox, &bench).contains(&said), "{second}\n{}", screen(&outbox, &bench));
    }
    assert_eq!(outbox.next_change(bench.now), None);
}

#[test]
fn every_size_can_be_drawn() {
    for width in (0..130).step_by(7) {
        for height in 5..40 {
            let mut bench = Bench::new(width, height);
            if width % 2 == 0 {
                bench.options.glyphs = &Glyphs::ASCII;
            }
            let mut outbox = filled();
            press(&mut outbox, &bench, "j j c");
            outbox.check(Uuid::from_u128(3), EvidenceCheck::Done(evidence(None), noon()));
            screen(&outbox, &bench);
            press(&mut outbox, &bench, "enter pgdn");
            screen(&outbox, &bench);
        }
    }
}

#[test]
fn whoever_may_have_got_a_message_is_told() {
    let unresolved = filled().unresolved();
    let unresolved: Vec<_> = unresolved.iter().map(|send| (send.phone.as_str(), send.leaving)).collect();
    assert_eq!(unresolved, [(JOERG, true), (MARIA, true), (ANA, false)]);
}
