//! Keys as people set and press them.

use crate::support::canned::Canned;
use crate::support::pure::Pure;
use crate::support::screen::Screen;
use crate::support::story::Story;
use switchboard::config::KeyOverride;
use switchboard::ui::Options;
use switchboard::ui::input::Key;
use switchboard::ui::keymap::Keymap;

const SIZE: (u16, u16) = (80, 24);

/// The list with these keys for one action.
fn with_keys(name: &str, keys: &[&str]) -> Story<Pure> {
    let keys = KeyOverride { line: 1, keys: keys.iter().map(|&key| key.to_owned()).collect() };
    let (keymap, problems) = Keymap::with_overrides(&[(name.to_owned(), keys)].into());
    assert_eq!(problems, []);
    Story(Pure::connected(SIZE, Options { keymap, ..Options::default() }, Canned::default()))
}

#[test]
fn a_key_that_was_given_to_quit_is_shown_for_it_and_quits_from_every_pane() {
    for way in ["", "tab", "8"] {
        let mut story = with_keys("quit", &["x"]);
        story.press(way).sees("x quit").press("x");
        assert!(story.0.ended, "after {way:?}");
    }
}

#[test]
fn help_names_no_key_that_does_something_else_here() {
    let mut story = with_keys("next-page", &["k"]);
    story.press("?").sees("k              Next page").press("G pgup up up up up").sees("up             Up");
}

#[test]
fn keys_of_panes_do_nothing_in_help_over_a_form() {
    let mut story = Story(Pure::connected(SIZE, Options::default(), Canned::default()));
    story.press("f").sees("Filter conversations").press("f1").sees("Keys that work here").sees_no_more(": commands");
    story.press("8 3 : ! r").sees("Keys that work here").press("esc").sees("Filter conversations");
    story.press("esc").sees("page 1 of 3").press("? 8").sees_no_more("page 1 of 3");
}

#[test]
fn help_in_a_form_says_why_an_action_cannot_be_done() {
    let mut story = Story(Pure::connected((120, 60), Options::default(), Canned::default()));
    story.press("# f1").sees("Keys that work here");
    story.sees("$EDITOR  (this field has one line)").sees("nothing is sent  (no message is");
}

#[test]
fn the_line_that_tells_of_a_problem_names_the_keys_in_force() {
    let mut story = with_keys("messages", &["m"]);
    story.0.tell(switchboard::ui::Message::Problem("The roof is on fire.".to_owned()));
    story.sees("m read  esc dismiss").press("m").sees("The roof is on fire.");
}

#[test]
fn details_name_the_key_that_gives_up_on_a_request() {
    let mut story = with_keys("activity.cancel", &["c"]);
    story.0.server.mood = crate::support::canned::Mood::Silent;
    story.press("r 8 enter").sees("c cancels it");
}

#[test]
fn escape_and_a_key_that_come_as_one_are_both_heard() {
    let mut story = with_keys("jump", &["#"]);
    story.press("?").sees("Keys that work here").press("alt-n").sees_no_more("Keys that work here");
    story.sees("page 2 of 3").press("/").types("rec").press("alt-p").sees("page 1 of 3").sees_no_more("on this page");
    story.press("f").sees("Filter conversations").press("alt-ctrl-c");
    assert!(story.0.ended);
}

#[test]
fn a_key_with_alt_that_somebody_has_bound_stays_one_key() {
    let mut story = with_keys("next-page", &["alt-j"]);
    story.press("enter alt-j").sees("page 1 of 3").press("esc alt-j").sees("page 2 of 3").sees_selected(1);
}

#[test]
fn every_key_on_a_bottom_line_is_in_the_keymap() {
    let (keymap, mut seen) = (Keymap::default(), 0);
    for (name, scene) in super::scenes::all() {
        for size in [(80, 24), (120, 40)] {
            let stage = scene(size);
            let screen = Screen::of(&stage.app);
            let bottom = screen.lines().last().unwrap().clone();
            for hint in bottom.split("  ").map(str::trim).filter(|hint| !hint.is_empty()) {
                let (shown, says) = hint.split_once(' ').unwrap_or_else(|| panic!("{name}: {hint:?} of {bottom:?}"));
                let key: Key = shown.replace("Enter", "\u{21b5}").replace('\u{21b5}', "enter").parse().unwrap();
                let action = keymap.action(stage.app.scopes(), key);
                assert!(action.is_some(), "{name}: {shown} ({says}) is not bound in {:?}", stage.app.scopes());
                assert!(!stage.app.is_typing() || key.typed().is_none(), "{name}: {shown} types a letter here");
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen} hints");
}
