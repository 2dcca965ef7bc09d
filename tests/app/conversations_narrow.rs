//! Narrowing the loaded conversations by fields and text.

use crate::support::pure::{self, Pure};
use crate::support::story::Story;

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

fn narrowed(size: (u16, u16), typed: &str) -> Story<Pure> {
    let mut story = pure::story(size);
    story.press("/").types(typed);
    story
}

#[test]
fn fields_and_text_narrow_together() {
    narrowed((120, 40), "ai:off").sees("10 of 50 loaded rows");
    narrowed((120, 40), "ai:off type:messaging").sees("3 of 50 loaded rows");
    narrowed((120, 40), "!ai:off age:<1h msgs:>40").sees("2 of 50 loaded rows");
    let mut story = narrowed((120, 40), "type:mess maria");
    story.sees("Maria Souza").sees_no_more("Jörg");
    picture(&mut story, "conversations_narrowed_120x40");
    picture(&mut narrowed((80, 24), "ai:off"), "conversations_narrowed_80x24");
}

#[test]
fn what_can_be_typed_is_told_first_and_unknown_fields_while_typing() {
    narrowed((120, 40), "").sees("ai:off, type:widget, msgs:>10").types("a").sees_no_more("msgs:>10");
    narrowed((120, 40), "colour:red").sees("no field \"colour\"; there are ai, type").sees("Maria Souza");
    narrowed((80, 24), "colour:red").sees("no field \"colour\"");
    narrowed((80, 24), "cost:>x").sees("cost: takes a number such as >0.5");
}

#[test]
fn nothing_that_matches_is_told_with_the_way_to_ask_the_server() {
    narrowed((80, 24), "cost:>9000").sees("No row of this page matches").sees("f asks the server");
}
