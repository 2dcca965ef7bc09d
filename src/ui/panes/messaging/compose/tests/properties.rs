//! What must hold whatever is pressed.

use super::*;
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Act {
    Key(&'static str),
    Wait(u64),
    Paste(&'static str),
}

fn act() -> impl Strategy<Value = Act> {
    const KEYS: [&str; 22] = [
        "enter",
        "enter",
        "enter",
        "y",
        "y",
        "esc",
        "u",
        "n",
        "tab",
        "shift-tab",
        "up",
        "down",
        "May",
        "+49151",
        "12345678",
        "backspace",
        "ctrl-u",
        "left",
        "greet",
        "s",
        "maria",
        "lima",
    ];
    const PASTES: [&str; 4] = ["y", "\ny\n", "+5511912345678", "3 December\n"];
    prop_oneof![
        6 => (0..KEYS.len()).prop_map(|at| Act::Key(KEYS[at])),
        2 => prop_oneof![Just(0u64), Just(10), Just(399), Just(400), Just(500), Just(5_000), Just(9_999)].prop_map(Act::Wait),
        1 => (0..PASTES.len()).prop_map(|at| Act::Paste(PASTES[at])),
    ]
}

/// What the test itself keeps count of: since when the box has asked and been left alone, and what was answered.
#[derive(Default)]
struct Watch {
    asked: Option<Duration>,
    early: bool,
    answered: Option<Duration>,
    confirms: usize,
}

impl Watch {
    fn before_key(&mut self, bench: &Bench, key: Key) {
        if bench.is_asking() {
            let rest = Duration::from_millis(if self.early { 1_000 } else { 400 });
            let old_enough = self.asked.is_some_and(|at| bench.now.mono.saturating_sub(at) >= rest);
            let (was_early, scrolls) = (self.early, matches!(key.code, KeyCode::Up | KeyCode::Down));
            self.early = key == Key::char('y');
            if key == Key::char('y') && old_enough {
                self.answered = Some(bench.now.mono);
                self.confirms += 1;
            }
            // Reading on is no reason to wait longer.
            if was_early || !scrolls {
                self.asked = Some(bench.now.mono);
            }
        }
    }

    fn after(&mut self, bench: &Bench) {
        if !bench.is_asking() {
            (self.asked, self.early) = (None, false);
        } else if self.asked.is_none() {
            self.asked = Some(bench.now.mono);
        }
    }
}

/// Does all of that with the form for Jörg: what belongs to one person is neither seen nor saved under another.
fn stays_with(mut bench: Bench, owner: &str, secret: &str, acts: Vec<Act>) -> Result<(), TestCaseError> {
    for act in acts {
        if bench.closed {
            bench = bench.form(wanted(JOERG, "Jörg Brandt"));
        }
        match act {
            Act::Wait(millis) => {
                bench.wait(millis);
            }
            Act::Paste(text) => {
                bench.paste(text);
            }
            Act::Key(keys) => {
                bench.press(keys);
            }
        }
        if !bench.sent.is_empty() {
            break;
        }
        let pair = bench.composer.as_ref().unwrap().page.pair(&sight!(bench));
        if pair.is_none_or(|(_, phone)| phone != owner) {
            prop_assert!(!bench.screen().contains(secret), "{}", bench.screen());
        }
        for draft in &bench.known.drafts {
            prop_assert!(draft.phone == owner || draft.values.values().all(|value| !value.contains(secret)));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..crate::testing::properties() })]

    #[test]
    fn nothing_is_sent_but_by_an_answer_to_the_box_and_a_hold_and_once_each(
        acts in proptest::collection::vec(act(), 1..60), freeform in any::<bool>(), hold in 0u64..6
    ) {
        let mut bench = Bench::new(80, 24);
        bench.options.settings.messaging.hold = Duration::from_secs(hold);
        let start = wanted(MARIA, "Maria Souza");
        let mut bench = if freeform { bench.editor(start) } else { bench.form(start) };
        let mut watch = Watch::default();
        for act in acts {
            if bench.closed || !bench.sent.is_empty() {
                break;
            }
            match act {
                Act::Wait(millis) => { bench.wait(millis); }
                Act::Paste(text) => { bench.paste(text); }
                Act::Key(keys) => {
                    for key in keys.parse::<Key>().map_or_else(|_| keys.chars().map(Key::char).collect(), |key| vec![key]) {
                        watch.before_key(&bench, key);
                        bench.key(key);
                        watch.after(&bench);
                    }
                }
            }
            watch.after(&bench);
            prop_assert!(bench.sent.len() <= watch.confirms);
            if let (Some(_), Some(answered)) = (bench.sent.first(), watch.answered) {
                prop_assert!(bench.now.mono >= answered + Duration::from_secs(hold));
            }
        }
        let sent = bench.sent.len();
        for _ in 0..3 {
            bench.press("y enter").wait(10_000);
        }
        prop_assert!(sent == 0 || bench.sent.len() == sent, "one message, once");
    }

    #[test]
    fn no_draft_is_seen_or_saved_under_another_person(acts in proptest::collection::vec(act(), 1..60)) {
        let mut bench = Bench::new(80, 24);
        let secret = "XSECRETX";
        bench.known.drafts = vec![
            draft(MARIA, Some(1), &[("date", secret)], None),
            draft(MARIA, None, &[], Some(secret)),
        ];
        let bench = bench.form(wanted(JOERG, "Jörg Brandt"));
        stays_with(bench, MARIA, secret, acts)?;
    }

    #[test]
    fn what_is_typed_for_one_person_is_never_seen_or_saved_under_another(
        acts in proptest::collection::vec(act(), 1..60)
    ) {
        let mut bench = Bench::new(80, 24).form(wanted(JOERG, "Jörg Brandt"));
        let secret = "XSECRETX";
        bench.press("enter enter").press(secret);
        stays_with(bench, JOERG, secret, acts)?;
    }

    #[test]
    fn every_size_can_be_drawn(width in 0u16..140, height in 0u16..45, stage in 0usize..5, ascii_set in any::<bool>()) {
        let mut bench = Bench::new(80, 24);
        bench.size = Size { width, height };
        if ascii_set {
            bench.options = ascii(bench.options);
        }
        let start = wanted(MARIA, "Maria Souza");
        let mut bench = if stage == 4 { bench.editor(start) } else { bench.form(start) };
        match stage {
            1 => { bench.press("tab enter tab enter tab tab"); }
            2 => { bench.press("enter enter May enter"); }
            3 => { bench.press("enter enter May enter").confirm(); }
            4 => { bench.press("Oi enter Maria"); }
            _ => {}
        }
        let screen = bench.screen();
        prop_assert!(!ascii_set || screen.replace(['ö', 'á'], "").is_ascii(), "{screen}");
    }
}
