//! Pictures of every state in text, to be read by people when they change.

use super::scenes;
use crate::support::screen::Screen;

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
