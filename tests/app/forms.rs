//! Forms on screens that are too small for all of them.

use crate::support::pure;

#[test]
fn the_field_that_has_the_keys_is_in_view_on_the_smallest_screens() {
    for size in [(30, 8), (60, 15), (24, 5)] {
        let mut story = pure::story(size);
        story.press("f").sees("▌ type").press("shift-tab").sees("▌ crea").types("2026-11-01");
        let screen = story.screen();
        let caret = screen.caret.unwrap_or_else(|| panic!("no cursor at {size:?}\n{screen}"));
        let line = &screen.lines()[usize::from(caret.y)];
        assert!(line.contains("▌ crea"), "{size:?}\n{screen}");
        story.press("up").sees("▌ assi").press("up").sees("[all]");
    }
}

#[test]
fn a_fault_is_told_on_a_small_screen_too() {
    let mut story = pure::story((60, 15));
    story.press("f tab tab").types("2026-02-30").press("enter").sees("There is no such day.").sees("esc back");
    story.resizes(60, 8).sees("▌ crea").sees("There is no such day.");
}
