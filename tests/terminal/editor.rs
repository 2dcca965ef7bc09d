//! A text in the user's editor: it has the terminal and the keyboard to itself, and gives both back.

use super::modes::check_undone;
use crate::support::pty::{self, Terminal};
use crate::support::story::Story;
use tempfile::TempDir;

/// The form of a freeform message with a text in it, in a terminal whose editor is this script.
fn writing(script: &str) -> Story<Terminal> {
    let home = TempDir::new().unwrap();
    let path = home.path().join("edit.sh");
    std::fs::write(&path, script).unwrap();
    let program =
        pty::dashboard(&home).arg("--demo").env_remove("VISUAL").env("EDITOR", format!("sh {}", path.display()));
    let mut story = Story(Terminal::run((100, 30), program, home));
    story.sees("page 1 of ").press("3").sees("WINDOWS").sees("open  ").press("j j f").sees("Write to").types("Hello");
    story.sees("Hello").press("ctrl-x");
    story
}

#[test]
fn an_editor_has_the_keyboard_and_its_text_comes_back() {
    let script = "stat -c %a \"$1\"; echo EDITING; read line; printf ' and %s\\n' \"$line\" >> \"$1\"";
    let mut story = writing(script);
    story.sees("600").sees("EDITING").types("more").press("enter");
    story.sees("Write to").sees("Hello and more").types("!").sees("Hello and more!").press("esc").sees("Draft saved");
    story.press("q");
    assert!(story.0.ends().success());
    check_undone(&story.0.bytes);
    assert!(story.0.is_as_before(), "the terminal's settings differ");
}

#[test]
fn an_editor_that_fails_leaves_the_text_as_it_was() {
    let mut story = writing("echo lost > \"$1\"; exit 3");
    story.sees("The text is as it was").sees("Hello").sees_no_more("lost");
}
