use super::*;
use crate::ui::action::Motion;
use crate::ui::input::Key;
use crate::ui::{Moment, Options};
use jiff::{Timestamp, tz::TimeZone};
use proptest::prelude::*;

const SCREEN: Rect = Rect::new(0, 0, 80, 24);

fn at(millis: u64) -> Instant {
    Instant::after(Duration::from_millis(millis))
}

fn details() -> Details {
    Details::new(8).field("to", "Maria Souza").field("cost", "1 credit")
}

fn with_view<T>(options: &Options, mono: Instant, run: impl FnOnce(&View<'_>) -> T) -> T {
    run(&View::plain(options, Moment { wall: Timestamp::UNIX_EPOCH, mono }, &TimeZone::UTC))
}

/// A dialog that has been on screen since 0.
fn open() -> Confirm {
    let mut confirm = Confirm::new("Send this message?", details(), "send");
    assert_eq!(confirm.next_change(at(0)), Some(at(0)));
    assert_eq!(confirm.tick(at(0)), ConfirmEvent::Open);
    confirm
}

fn act_on(confirm: &mut Confirm, action: Action, millis: u64, screen: Rect) -> ConfirmEvent {
    confirm.act(action, &Options::default(), screen, at(millis))
}

fn act(confirm: &mut Confirm, action: Action, millis: u64) -> ConfirmEvent {
    act_on(confirm, action, millis, SCREEN)
}

fn press(confirm: &mut Confirm, millis: u64) -> ConfirmEvent {
    act(confirm, Action::Submit, millis)
}

fn screen(confirm: &Confirm, millis: u64, screen: Rect) -> (Vec<String>, Buffer) {
    let mut buffer = Buffer::empty(screen);
    with_view(&Options::default(), at(millis), |view| confirm.draw(view, screen, &mut buffer));
    let row = |y| (0..screen.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim().to_owned();
    ((0..screen.height).map(row).filter(|row: &String| !row.is_empty()).collect(), buffer)
}

#[test]
fn its_key_counts_after_a_moment_of_rest() {
    let mut confirm = open();
    assert_eq!(confirm.next_change(at(0)), Some(at(250)));
    assert!(!confirm.is_armed(at(249)) && confirm.is_armed(at(250)));
    assert_eq!(confirm.next_change(at(250)), None);
    assert_eq!(press(&mut confirm, 250), ConfirmEvent::Confirmed);
}

#[test]
fn dialog_that_nobody_asked_for_is_not_confirmed_by_what_is_being_typed() {
    let mut confirm = open().unasked();
    for (millis, typed) in [(100, "k"), (300, "a"), (600, "y"), (900, "y"), (1_800, "y")] {
        match typed {
            "y" => assert_eq!(press(&mut confirm, millis), ConfirmEvent::Open),
            "k" => assert_eq!(act(&mut confirm, Action::Move(Motion::Up), millis), ConfirmEvent::Open),
            _ => confirm.other_key(at(millis)),
        }
        assert_eq!(confirm.tick(at(millis + 260)), ConfirmEvent::Open, "{typed} at {millis}");
    }
    assert_eq!(confirm.next_change(at(1_800)), Some(at(3_300)));
    assert_eq!(press(&mut confirm, 3_299), ConfirmEvent::Open);
    assert_eq!(press(&mut confirm, 4_799), ConfirmEvent::Confirmed);
}

#[test]
fn an_early_press_counts_as_soon_as_the_dialog_has_rested() {
    let mut confirm = open();
    assert_eq!(press(&mut confirm, 100), ConfirmEvent::Open);
    assert_eq!(confirm.next_change(at(100)), Some(at(350)));
    assert_eq!(confirm.tick(at(349)), ConfirmEvent::Open);
    assert_eq!(confirm.tick(at(350)), ConfirmEvent::Confirmed);
}

#[test]
fn an_early_press_never_confirms_where_money_leaves_and_the_dialog_says_so() {
    for early in [0, 20, 100, 249] {
        let mut confirm = open().charges();
        assert_eq!(press(&mut confirm, early), ConfirmEvent::Open);
        assert!((early..9_000).all(|millis| confirm.tick(at(millis)) == ConfirmEvent::Open), "{early}");
        assert!(screen(&confirm, 9_000, SCREEN).0.iter().any(|row| row.contains("too early: y again sends")));
        assert_eq!(press(&mut confirm, 9_000), ConfirmEvent::Confirmed);
    }
}

#[test]
fn an_early_press_is_dropped_where_keys_keep_coming() {
    for after in [Action::Move(Motion::Down), Action::Refresh] {
        let mut confirm = open();
        press(&mut confirm, 100);
        act(&mut confirm, after, 200);
        assert!((200..5_000).all(|millis| confirm.tick(at(millis)) == ConfirmEvent::Open), "{after:?}");
        assert_eq!(press(&mut confirm, 5_000), ConfirmEvent::Confirmed);
    }
    let mut confirm = open();
    press(&mut confirm, 100);
    confirm.text(&Input::Paste("y\ny\n".to_owned()), at(120));
    assert_eq!(confirm.tick(at(400)), ConfirmEvent::Open, "a paste is no answer either");
    press(&mut confirm, 500);
    assert_eq!(act(&mut confirm, Action::Back, 510), ConfirmEvent::Cancelled);
}

#[test]
fn a_key_that_is_held_down_never_confirms() {
    for delay in [225, 250, 400, 500, 660, 900] {
        let mut confirm = open();
        // Already repeating as the dialog opens.
        press(&mut confirm, 10);
        press(&mut confirm, 40);
        for repeat in 0..100 {
            let now = 40 + delay + 30 * repeat;
            assert_eq!(confirm.tick(at(now)), ConfirmEvent::Open, "{delay}");
            assert_eq!(press(&mut confirm, now), ConfirmEvent::Open, "{delay}");
        }
        let last = 40 + delay + 30 * 99;
        assert_eq!(confirm.tick(at(last + 999)), ConfirmEvent::Open);
        assert_eq!(press(&mut confirm, last + 1_000), ConfirmEvent::Confirmed, "let go and pressed again");
    }
}

#[test]
fn what_is_typed_before_the_dialog_is_seen_is_no_answer() {
    let mut confirm = Confirm::new("Send?", details(), "send");
    assert_eq!((press(&mut confirm, 0), press(&mut confirm, 9_000)), (ConfirmEvent::Open, ConfirmEvent::Open));
    assert!((9_000..12_000).all(|millis| confirm.tick(at(millis)) == ConfirmEvent::Open));
}

#[test]
fn a_late_tick_lets_keys_that_wait_come_first() {
    let mut confirm = open();
    press(&mut confirm, 100);
    assert_eq!(confirm.tick(at(5_000)), ConfirmEvent::Open);
    assert_eq!(act(&mut confirm.clone(), Action::Back, 5_000), ConfirmEvent::Cancelled);
    assert_eq!(confirm.next_change(at(5_000)), Some(at(5_250)));
    assert_eq!(confirm.tick(at(5_250)), ConfirmEvent::Confirmed, "none came");
}

#[test]
fn a_name_must_be_typed() {
    let mut confirm = Confirm::new("Delete this key?", details(), "delete").name("Prod key");
    confirm.tick(at(0));
    assert!(confirm.takes_text() && confirm.scopes()[0] == Scope::CONFIRM_TYPED);
    assert_eq!(press(&mut confirm, 5_000), ConfirmEvent::Open);
    for char in "Prod keyy".chars() {
        confirm.text(&Input::Key(Key::char(char)), at(5_000));
    }
    assert_eq!(press(&mut confirm, 9_000), ConfirmEvent::Open);
    act(&mut confirm, Action::Text(crate::ui::action::TextEdit::Backspace), 9_000);
    assert_eq!(confirm.tick(at(9_200)), ConfirmEvent::Open, "never by itself");
    assert_eq!(press(&mut confirm, 9_300), ConfirmEvent::Confirmed);
}

#[test]
fn the_verb_lights_up_once_it_counts() {
    let confirm = open();
    let options = Options::default();
    for (millis, style) in [(249, options.theme.dim), (250, options.theme.strong)] {
        let (rows, buffer) = screen(&confirm, millis, SCREEN);
        assert!(rows.iter().any(|row| row.contains("esc back (default)") && row.contains("y send")), "{rows:#?}");
        let verb = buffer.content.windows(2).find(|cells| cells[0].symbol() == "y" && cells[1].symbol() == " ");
        assert!(verb.is_some_and(|cells| cells[0].modifier == style.add_modifier), "{millis}");
    }
}

#[test]
fn long_details_scroll_and_what_cannot_be_read_cannot_be_confirmed() {
    let long = (0..30).fold(Details::new(8), |details, line| details.field("line", line.to_string()));
    let mut confirm = Confirm::new("Delete?", long, "delete");
    confirm.tick(at(0));
    assert!(screen(&confirm, 0, SCREEN).0.iter().any(|row| row.contains("more")));
    act(&mut confirm, Action::Move(Motion::Bottom), 300);
    let (rows, _) = screen(&confirm, 300, SCREEN);
    assert!(rows.iter().any(|row| row.contains("29")) && !rows.iter().any(|row| row.contains("more")), "{rows:#?}");
    let tiny = Rect::new(0, 0, 80, 4);
    assert_eq!(act_on(&mut confirm, Action::Submit, 900, tiny), ConfirmEvent::Open);
    assert!(screen(&confirm, 900, tiny).0.iter().any(|row| row.contains("too small")));
    assert_eq!(press(&mut confirm, 1_200), ConfirmEvent::Confirmed, "reading to the end is not needed");
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn only_a_press_at_rest_confirms(steps in proptest::collection::vec((0u8..4, 0u64..600), 1..60)) {
        let mut confirm = open();
        // Since when no key was pressed, and whether the last one was the confirming key.
        let (mut now, mut last, mut pressed) = (0, 0, false);
        for (step, span) in steps {
            now += span;
            let event = match step {
                0 => confirm.tick(at(now)),
                1 => press(&mut confirm, now),
                2 => act(&mut confirm, Action::Refresh, now),
                _ => { confirm.text(&Input::Key(Key::char('x')), at(now)); ConfirmEvent::Open }
            };
            if event == ConfirmEvent::Confirmed {
                prop_assert!(now - last >= 250 && (step == 1 || step == 0 && pressed));
                break;
            }
            if step != 0 {
                (last, pressed) = (now, step == 1);
            }
        }
    }

    #[test]
    fn it_is_drawn_on_any_screen(width in 0u16..100, height in 0u16..30, typed: bool) {
        let confirm = Confirm::new("Send?", details(), "send");
        let confirm = if typed { confirm.name("Production") } else { confirm };
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        let caret = with_view(&Options::default(), at(0), |view| confirm.draw(view, area, &mut buffer));
        prop_assert!(caret.is_none_or(|caret| area.contains(caret)));
    }
}
