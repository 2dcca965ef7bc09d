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

/// Does all of that with the form for Jörg: what belongs to one person is neither seen nor saved under another.
fn stays_with(mut bench: Bench, owner: &str, secret: &str, acts: Vec<Act>) -> Result<(), TestCaseError> {
    for act in acts {
        if bench.is_closed() {
            bench = bench.form(preset(JOERG, "Jörg Brandt"));
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
        let pair = bench.composer().and_then(|composer| composer.message.pair(&snapshot!(bench)));
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
    fn nothing_is_sent_but_by_an_answer_to_the_dialog_and_a_hold_and_once_each(
        acts in proptest::collection::vec(act(), 1..60), freeform in any::<bool>(), hold in 0u64..6
    ) {
        let mut bench = Bench::new(80, 24);
        bench.options.settings.messaging.hold = Duration::from_secs(hold);
        let start = preset(MARIA, "Maria Souza");
        let mut bench = if freeform { bench.editor(start) } else { bench.form(start) };
        // Since when the dialog has asked, and whether it has had an answer since.
        let (mut asked, mut answered) = (None, false);
        for act in acts {
            if bench.is_closed() {
                break;
            }
            let keys: Vec<Key> = match act {
                Act::Wait(millis) => { bench.wait(millis); Vec::new() }
                Act::Paste(text) => { bench.paste(text); Vec::new() }
                Act::Key(keys) => keys.parse::<Key>().map_or_else(|_| keys.chars().map(Key::char).collect(), |key| vec![key]),
            };
            for key in keys {
                answered |= bench.is_asking() && key == Key::char('y');
                bench.key(key);
                if !bench.is_asking() && bench.held() + bench.sent.len() == 0 {
                    (asked, answered) = (None, false);
                }
                asked = asked.or(bench.is_asking().then_some(bench.now.mono));
            }
            if bench.held() + bench.sent.len() > 0 {
                prop_assert!(answered && bench.now.mono >= asked.unwrap() + Duration::from_millis(250));
            }
            if !bench.sent.is_empty() {
                prop_assert!(bench.now.mono >= asked.unwrap() + Duration::from_millis(250) + Duration::from_secs(hold));
            }
        }
        prop_assert!(bench.held() + bench.sent.len() <= 1);
        bench.wait(10_000);
        let sent = bench.sent.len();
        prop_assert!(sent <= 1 && (sent == 0 || answered));
        if bench.is_closed() {
            for _ in 0..3 {
                bench.press("y enter esc").wait(10_000);
            }
            prop_assert_eq!(bench.sent.len(), sent, "one message, once");
        }
    }

    #[test]
    fn no_draft_is_seen_or_saved_under_another_person(acts in proptest::collection::vec(act(), 1..60)) {
        let mut bench = Bench::new(80, 24);
        let secret = "XSECRETX";
        bench.known.drafts = vec![
            draft(MARIA, Some(1), &[("date", secret)], None),
            draft(MARIA, None, &[], Some(secret)),
        ];
        let bench = bench.form(preset(JOERG, "Jörg Brandt"));
        stays_with(bench, MARIA, secret, acts)?;
    }

    #[test]
    fn what_is_typed_for_one_person_is_never_seen_or_saved_under_another(
        acts in proptest::collection::vec(act(), 1..60)
    ) {
        let mut bench = Bench::new(80, 24).form(preset(JOERG, "Jörg Brandt"));
        let secret = "XSECRETX";
        bench.press("enter enter").press(secret);
        stays_with(bench, JOERG, secret, acts)?;
    }

    #[test]
    fn every_size_can_be_drawn(width in 0u16..140, height in 0u16..45, stage in 0usize..5, ascii_set in any::<bool>()) {
        let mut bench = Bench::new(80, 24);
        if ascii_set {
            bench.options = ascii(bench.options);
        }
        let start = preset(MARIA, "Maria Souza");
        let mut bench = if stage == 4 { bench.editor(start) } else { bench.form(start) };
        match stage {
            1 => { bench.press("tab enter tab enter tab tab"); }
            2 => { bench.press("enter enter May enter"); }
            3 => { bench.press("enter enter May enter").confirm(); }
            4 => { bench.press("Oi enter Maria"); }
            _ => {}
        }
        bench.resize(width, height);
        let screen = bench.screen();
        prop_assert!(!ascii_set || screen.replace(['ö', 'á'], "").is_ascii(), "{screen}");
    }
}
