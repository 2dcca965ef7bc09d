use super::layout::{At, Layout};
use super::*;
use crate::api::FunctionCall;
use crate::ui::Moment;
use crate::ui::text::width;
use proptest::prelude::*;
use serde_json::json;

fn message(role: &str, content: &str) -> HistoryMessage {
    HistoryMessage::new(role.into(), content.to_owned())
}

fn numbered(count: usize) -> Vec<HistoryMessage> {
    (1..=count).map(|n| message(if n % 2 == 1 { "user" } else { "assistant" }, &format!("message {n}"))).collect()
}

fn drawn(state: &Transcript, messages: &[HistoryMessage], size: (u16, u16)) -> Vec<String> {
    let (options, zone) = (Options::default(), jiff::tz::TimeZone::UTC);
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    state.draw(messages, None, &View::plain(&options, Moment::default(), &zone), area, &mut buffer);
    let line = |y| (0..size.0).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..size.1).map(line).collect()
}

#[test]
fn speakers_differ_by_side_glyph_and_word() {
    let mut call = message("assistant", "Friday at 10:30 is free, shall I book it?");
    let function = json!([{"name": "find_slot", "arguments": {"day": "Friday"}, "result": "10:30"}]);
    call.function_calls = serde_json::from_value::<Vec<FunctionCall>>(function).unwrap().into();
    let messages = [message("user", "Hi,\r\nis Friday free?"), call, message("system", "ended"), message("pilot", "")];
    assert_eq!(
        drawn(&Transcript::default(), &messages, (36, 15)),
        [
            "○ Customer",
            "  Hi,",
            "  is Friday free?",
            "",
            "      ● Assistant",
            "        → find_slot → \"10:30\"",
            "        Friday at 10:30 is free,",
            "        shall I book it?",
            "",
            "· System",
            "  ended",
            "",
            "– pilot",
            "  (no text)",
            "",
        ]
    );
}

#[test]
fn no_line_begins_with_the_end_of_a_sentence() {
    let messages = [message("user", "お願いした。はい")];
    let lines = drawn(&Transcript::default(), &messages, (14, 3));
    // The cell behind a wide letter is blank.
    assert_eq!(lines[1..], ["  お 願 い し", "  た 。 は い"]);
}

#[test]
fn tool_calls_unfold_to_their_arguments_and_results() {
    let mut call = message("assistant", "Friday is free.");
    let function = json!([{"name": "find_slot", "arguments": "{\"day\":\"Friday\"}", "result": ["10:30", "11:00"]}]);
    call.function_calls = serde_json::from_value::<Vec<FunctionCall>>(function).unwrap().into();
    let mut state = Transcript::default();
    state.toggle_calls();
    assert_eq!(
        drawn(&state, &[call.clone()], (36, 12)),
        [
            "      ● Assistant",
            "        → find_slot",
            "          arguments",
            "            {",
            "              \"day\": \"Friday\"",
            "            }",
            "          result",
            "            [",
            "              \"10:30\",",
            "              \"11:00\"",
            "            ]",
            "        Friday is free.",
        ]
    );
    state.toggle_calls();
    assert_eq!(drawn(&state, &[call], (36, 3))[1].trim_start().split(' ').nth(1), Some("find_slot"));
}

#[test]
fn end_is_followed_while_it_is_in_view() {
    let (mut state, options, size) = (Transcript::default(), Options::default(), Size::new(30, 5));
    let end = |state: &Transcript, count| drawn(state, &numbered(count), (30, 5)).pop().unwrap();
    assert_eq!(end(&state, 9).trim(), "message 9");
    assert_eq!(end(&state, 10).trim(), "message 10");
    state.scroll(Motion::Up, &numbered(10), &options, size);
    assert!(end(&state, 10).ends_with(" more ▾"), "{}", end(&state, 10));
    assert!(end(&state, 13).ends_with(" 3 new below ▾"), "{}", end(&state, 13));
    state.scroll(Motion::Down, &numbered(10), &options, size);
    assert_eq!(end(&state, 11).trim(), "message 11");
}

#[test]
fn paging_up_and_down_meets_the_same_lines() {
    let (messages, options, size) = (numbered(40), Options::default(), Size::new(30, 7));
    let mut state = Transcript::default();
    let mut seen = vec![drawn(&state, &messages, (30, 7))];
    for _ in 0..12 {
        state.scroll(Motion::PageUp, &messages, &options, size);
        seen.push(drawn(&state, &messages, (30, 7)));
    }
    while let Some(screen) = seen.pop() {
        assert_eq!(drawn(&state, &messages, (30, 7)), screen);
        state.scroll(Motion::PageDown, &messages, &options, size);
    }
    state.scroll(Motion::Top, &messages, &options, size);
    assert_eq!(drawn(&state, &messages, (30, 7))[..2], ["○ Customer", "  message 1"]);
    state.scroll(Motion::Bottom, &messages, &options, size);
    assert_eq!(state, Transcript::default());
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn every_line_fits_and_harms_nothing(text in "(?s).{0,80}", role in ".{0,9}", columns in 4u16..50, unfolded: bool) {
        let mut hostile = message(&role, &text);
        let call = FunctionCall { name: text.clone(), arguments: json!([text]), result: json!(text) };
        hostile.function_calls = vec![call].into();
        let messages = [hostile.clone(), message("assistant", &text), hostile];
        let options = Options::default();
        let (folds, marks) = (Folds { unfolded, except: BTreeSet::new() }, Marks { new_from: Some(1), by_person: [1].into(), times: Vec::new() });
            let layout = Layout { messages: &messages, options: &options, columns: columns.into(), folds: &folds, marks: &marks };
        for line in (0..messages.len()).flat_map(|at| layout.lines(at)) {
            let line = line.to_string();
            prop_assert!(width(&line) <= usize::from(columns.max(6)), "{line:?}");
            prop_assert!(!line.chars().any(crate::ui::text::is_hostile), "{line:?}");
        }
    }

    #[test]
    fn scrolling_stays_inside(steps in proptest::collection::vec((0usize..6, 0usize..9, 4u16..40, 0u16..9), 1..20)) {
        let motions = [Motion::Down, Motion::Up, Motion::PageDown, Motion::PageUp, Motion::Top, Motion::Bottom];
        let mut state = Transcript::default();
        for (motion, count, columns, height) in steps {
            state.scroll(motions[motion], &numbered(count), &Options::default(), Size::new(columns, height));
            drawn(&state, &numbered(count), (columns, height));
        }
    }
}

const READ: Rect = Rect { x: 0, y: 0, width: 30, height: 7 };

/// The message that is selected, and the lines in view.
fn after(state: &mut Transcript, messages: &[HistoryMessage], actions: &[Action]) -> (usize, Vec<String>) {
    for action in actions {
        assert!(state.act(*action, messages, &Options::default(), READ), "{action:?}");
    }
    (state.selected_at(messages.len()), drawn(state, messages, (READ.width, READ.height)))
}

#[test]
fn steps_go_from_message_to_message_and_through_a_long_one_line_by_line() {
    let mut messages = numbered(8);
    messages[5] = message("assistant", &(1..=20).map(|n| n.to_string()).collect::<Vec<_>>().join("\n"));
    let mut state = Transcript::default();
    assert_eq!(after(&mut state, &messages, &[]).0, 7);
    let up = Action::Move(Motion::Up);
    let (at, lines) = after(&mut state, &messages, &[up, up]);
    assert_eq!((at, lines[6].trim()), (5, "20               more ▾"), "its end comes first");
    let (at, lines) = after(&mut state, &messages, &[up]);
    assert_eq!((at, lines[6].trim()), (5, "19               more ▾"));
    let (at, lines) = after(&mut state, &messages, &[Action::Move(Motion::Top)]);
    assert_eq!((at, &*lines[0]), (0, "○ Customer"));
    let down = Action::Move(Motion::Down);
    let (at, lines) = after(&mut state, &messages, &[down; 5]);
    assert_eq!((at, lines[0].trim()), (5, "● Assistant"), "its start comes first");
    let (at, _) = after(&mut state, &messages, &[Action::Move(Motion::Bottom)]);
    assert_eq!((at, state.away), (7, None));
}

#[test]
fn calls_of_one_message_unfold_where_it_is_selected() {
    let call = |text: &str| {
        let mut call = message("assistant", text);
        let function = json!([{"name": "find_slot", "arguments": {"day": "Friday"}, "result": "10:30"}]);
        call.function_calls = serde_json::from_value::<Vec<FunctionCall>>(function).unwrap().into();
        call
    };
    let messages = [call("one"), call("two"), message("user", "three")];
    let mut state = Transcript::default();
    let unfolded = |state: &Transcript| [0, 1].map(|at| state.folds.is_unfolded(at));
    after(&mut state, &messages, &[Action::ToggleCalls]);
    assert_eq!(unfolded(&state), [true, true], "the last message has none: all of them");
    after(&mut state, &messages, &[Action::Move(Motion::Up), Action::ToggleCalls]);
    assert_eq!(unfolded(&state), [true, false]);
    after(&mut state, &messages, &[Action::Move(Motion::Bottom), Action::ToggleCalls]);
    assert_eq!(unfolded(&state), [false, false]);
}

#[test]
fn read_counts_messages_whose_end_has_been_in_view() {
    let (messages, options) = (numbered(8), Options::default());
    let mut state = Transcript::default();
    assert_eq!(state.read(&messages, &options, READ), 8);
    after(&mut state, &messages, &[Action::Move(Motion::Top)]);
    assert_eq!(state.read(&messages, &options, READ), 2, "the third shows only its name");
    assert_eq!(state.read(&[], &options, READ), 0);
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn selected_message_is_in_view_and_every_step_down_gets_on(
        steps in proptest::collection::vec(0usize..9, 1..30),
        lengths in proptest::collection::vec(1usize..30, 1..12), height in 2u16..12, columns in 4u16..40,
    ) {
        let motions = [Motion::Down, Motion::Up, Motion::PageDown, Motion::PageUp, Motion::Top, Motion::Bottom];
        let messages: Vec<_> = lengths.iter().map(|length| message("user", &"word ".repeat(*length))).collect();
        let (area, options, mut state) = (Rect::new(0, 0, columns, height), Options::default(), Transcript::default());
        for step in steps {
            let before = (state.away, state.selected);
            let motion = motions.get(step).copied().unwrap_or(Motion::Down);
            state.step(motion, &messages, &options, area);
            let text = state.layout(&messages, &options, columns);
            let (top, at) = (state.top(&text, height.into()), state.selected_at(messages.len()));
            let bottom = text.down(top, usize::from(height) - 1);
            prop_assert!(At::start_of(at) <= bottom && text.end_of(at) >= top, "{motion:?}: {at} not in {top:?} to {bottom:?}");
            let is_end = state.away.is_none() && at + 1 == messages.len();
            prop_assert!(motion != Motion::Down || is_end || before != (state.away, state.selected), "stuck at {at}");
        }
    }
}
