//! Pictures of every state in text, to be read by people when they change.

use super::scenes;
use crate::support::inside::Inside;
use crate::support::screen::Screen;
use crate::support::story::Story;

/// Replaces UUIDs by text of the same width.
pub const UUIDS: (&str, &str) =
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "[a uuid: 36 characters long]        ");

/// Compares the screen with its snapshot once nothing is in flight; each filter replaces a pattern.
pub fn picture(story: &mut Story<Inside>, name: &str, filters: &[(&str, &str)]) {
    story.0.settle();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (pattern, with) in filters {
        settings.add_filter(pattern, *with);
    }
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

#[test]
fn every_state_looks_as_it_did_at_both_usual_sizes() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, scene) in scenes::all() {
            for size in [(80, 24), (120, 40)] {
                let screen = Screen::of(&scene(size).app);
                let file = format!("{} {}x{}", name, size.0, size.1).replace(' ', "_");
                insta::assert_snapshot!(file, screen.with_looks());
            }
        }
    });
}
