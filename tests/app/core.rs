//! What only the pure core can show: what was copied, what came too late, and that a record replays.

use super::scenes;
use crate::support::canned::{Canned, Mood, conversations};
use crate::support::pure::{self, Pure};
use crate::support::screen::Screen;
use crate::support::story::Story;
use switchboard::ui::Options;
use switchboard::ui::terminal::Encoder;

const SIZE: (u16, u16) = (120, 40);

#[test]
fn a_record_of_what_happened_replays_to_the_same_screen() {
    for (name, scene) in scenes::all() {
        let stage = scene((80, 24));
        let mut app = stage.began.clone();
        app.start();
        for message in stage.happened {
            app.update(message);
        }
        assert_eq!(Screen::of(&app).to_string(), Screen::of(&stage.app).to_string(), "{name}");
        assert_eq!(app, stage.app, "{name}");
    }
}

#[test]
fn what_is_copied_is_what_was_promised_and_never_the_token() {
    let mut story = pure::story(SIZE);
    story.press("y Y 8 y").sees("copied to the clipboard");
    let [id, json, line] = story.0.copied.as_slice() else { panic!("{:?}", story.0.copied) };
    let first = &conversations()[0];
    assert_eq!(Some(id), first.id.known());
    assert_eq!(serde_json::from_str::<serde_json::Value>(json).unwrap(), serde_json::to_value(first).unwrap());
    assert_eq!(
        line,
        "curl -sS -H \"Authorization: Bearer $SWITCHBOARD_TOKEN\" \
         'http://127.0.0.1:8787/api/user/conversations?per_page=50'"
    );
}

#[test]
fn rows_take_the_place_of_their_placeholders_when_they_come() {
    let silent = Canned { mood: Mood::Silent, ..Canned::default() };
    let mut story = Story(Pure::connected(SIZE, Options::default(), silent));
    story.sees_no_more("░").passes(1).sees("░");
    story.0.server.mood = Mood::Well;
    story.0.answers();
    story.sees("120 conversations").sees_no_more("░");
}

#[test]
fn an_answer_that_nobody_waits_for_any_more_changes_nothing() {
    let mut story = pure::story(SIZE);
    story.0.server.mood = Mood::Silent;
    story.press("N").passes(1).sees("loading page 3").press("P").sees("page 1 of 3");
    story.0.server.mood = Mood::Well;
    story.0.answers();
    story.sees("page 1 of 3").sees_selected(1);
}

#[test]
fn the_selection_stays_on_its_conversation_while_others_come_before_it() {
    let mut story = pure::story(SIZE);
    story.press("j j").passes(1).sees_selected(3).sees("田中 美咲");
    let newest = story.0.server.rows.remove(9);
    story.0.server.rows.insert(0, newest);
    story.passes(5).sees_selected(4).sees("田中 美咲");
}

#[test]
fn a_list_that_shrinks_shows_its_last_page() {
    let mut story = pure::story(SIZE);
    story.press("N").sees("page 3 of 3");
    story.0.server.rows.truncate(60);
    story.passes(5).sees("page 2 of 2").sees("60 conversations");
}

#[test]
fn a_move_in_view_costs_few_bytes() {
    let mut story = pure::story(SIZE);
    let mut encoder = Encoder::default();
    let mut encode = |screen: Screen| encoder.encode(screen.buffer, screen.caret).len();
    encode(story.screen());
    let moves = ["j"; 30].into_iter().chain(["k"; 30]);
    let mut bytes: Vec<usize> = moves.map(|key| encode(story.press(key).screen())).collect();
    bytes.sort_unstable();
    let [median, p95] = [50, 95].map(|percent| bytes[bytes.len() * percent / 100]);
    assert!(p95 <= 430, "median {median}, p95 {p95}, all {bytes:?}");
}

#[test]
fn q_ends_it() {
    let mut story = pure::story(SIZE);
    story.press("?").sees("Keys that work here").press("esc q");
    assert!(story.0.ended);
}
