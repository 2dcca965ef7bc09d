//! Every state at every size: nothing panics, nothing hostile is drawn, and drawing writes whole characters only.

use super::scenes;
use crate::support::canned::{self, Canned, Mood};
use crate::support::pure::Pure;
use crate::support::screen::Screen;
use crate::support::story::Story;
use switchboard::client::FailureKind;
use switchboard::ui::Options;
use switchboard::ui::text::width;
use switchboard::ui::theme::{Glyphs, Theme};

/// From nothing to where all of a small screen shows, then the usual ones. Of the small ones every third, so that each
/// width and each height is there a few times.
fn sizes() -> impl Iterator<Item = (u16, u16)> {
    let small = (0..=12).flat_map(|height| (0..=40).map(move |width| (width, height)));
    let small = small.filter(|(width, height)| (width + height) % 3 == 0);
    small.chain([(59, 14), (60, 15), (80, 24), (95, 30), (96, 30), (120, 40), (200, 60), (500, 3), (3, 200)])
}

/// What no terminal must be sent.
fn is_hostile(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn check(screen: &Screen, of: &str) {
    let area = screen.buffer.area;
    for (at, cell) in screen.buffer.content().iter().enumerate() {
        let symbol = cell.symbol();
        assert!(!symbol.chars().any(is_hostile), "{of}: {symbol:?}");
        let x = at % usize::from(area.width);
        assert!(x + width(symbol) <= usize::from(area.width), "{of}: {symbol:?} hangs over the edge\n{screen}");
    }
    if let Some(caret) = screen.caret {
        assert!(area.contains(caret), "{of}: the cursor at {caret:?}");
    }
}

#[test]
fn every_state_is_drawn_at_every_size() {
    for (name, scene) in scenes::all() {
        let stage = scene((120, 40));
        for (width, height) in sizes() {
            let mut story = Story(stage.clone());
            let screen = story.resizes(width, height).screen();
            check(&screen, &format!("{name} at {width}x{height}"));
        }
    }
}

/// Sizes where something comes or goes; what keys do in all of them would take minutes.
const EDGES: [(u16, u16); 6] = [(0, 0), (23, 5), (24, 5), (40, 12), (60, 15), (120, 40)];

fn use_it(stage: &Pure, size: (u16, u16), keys: &str, of: &str) {
    let mut story = Story(stage.clone());
    story.resizes(size.0, size.1).press(keys);
    check(&story.screen(), of);
    for (x, y) in [(0, 0), (size.0 / 2, size.1 / 2), (size.0.saturating_sub(1), size.1.saturating_sub(1)), (900, 900)] {
        story.clicks(x, y).wheels_down(x, y);
    }
    check(&story.screen(), of);
    story.resizes(120, 40);
    check(&story.screen(), of);
}

#[test]
fn keys_and_the_mouse_are_taken_in_every_state_at_every_size() {
    for (name, scene) in scenes::all() {
        let stage = scene((80, 24));
        for size in EDGES {
            for keys in
                ["j pgdn G k pgup g n tab j G", "enter v G j esc f tab down enter esc", ": end del up enter 8 enter G"]
            {
                use_it(&stage, size, keys, &format!("{name} at {size:?} after {keys}"));
            }
        }
    }
}

#[test]
fn with_ascii_signs_nothing_but_the_servers_words_is_beyond_ascii() {
    let rows = canned::conversations().into_iter().filter(|row| {
        let names = [row.assistant_name.known(), row.customer.known().and_then(|customer| customer.name.as_ref())];
        names.into_iter().flatten().all(|name| name.is_ascii())
    });
    let well = Canned { rows: rows.collect(), assistants: vec!["Reception".to_owned()], ..Canned::default() };
    let gone = Canned { mood: Mood::Failing(FailureKind::Unreachable("refused".to_owned())), ..well.clone() };
    let empty = Canned { rows: Vec::new(), ..well.clone() };
    let silent = Canned { mood: Mood::Silent, ..well.clone() };
    for server in [well, gone, empty, silent] {
        let options = Options { theme: Theme::mono(), glyphs: &Glyphs::ASCII, ..Options::default() };
        let stage = Pure::connected((80, 24), options, server);
        for keys in [
            "r",
            "?",
            ": n",
            "f tab",
            "f m enter",
            "#",
            "# x enter",
            "8 enter",
            "/ z z",
            "enter",
            "v",
            "space",
            "!",
            "y",
            "o",
        ] {
            let mut story = Story(stage.clone());
            let screen = story.press(keys).passes(1).screen();
            assert!(screen.to_string().is_ascii(), "after {keys}:\n{screen}");
        }
    }
}

#[test]
fn what_is_selected_stays_in_view_while_the_window_changes() {
    let mut story = crate::support::pure::story((120, 40));
    story.press("G");
    for (width, height) in [(80, 24), (24, 6), (200, 60), (60, 15), (120, 40)] {
        story.resizes(width, height).sees("▌");
    }
}
