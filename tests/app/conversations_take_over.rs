//! Taking a conversation over from the AI, and handing it back.

use crate::support::canned::{Canned, Mood};
use crate::support::inside::Inside;
use crate::support::pure::{self, Pure};
use crate::support::story::Story;
use switchboard::api::ErrorBody;
use switchboard::client::FailureKind;
use switchboard::ui::Options;

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

fn refusing(status: u16, body: ErrorBody) -> Story<Pure> {
    let keeps_ai = Some(FailureKind::Status { status, body: Some(body), retry_after: None });
    Story(Pure::connected((120, 40), Options::default(), Canned { keeps_ai, ..Canned::default() }))
}

#[test]
fn conversation_is_taken_over_after_a_question_and_handed_back() {
    for (size, name) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = pure::story(size);
        story.press("a").sees("Take this conversation over?").sees("Maria Souza");
        picture(&mut story, &format!("conversations_take_over_{name}"));
        story.passes(1).press("y").sees("Maria Souza: taken over").press("enter").sees("AI off since 14:02, by you");
        picture(&mut story, &format!("conversations_taken_over_{name}"));
        story
            .press("a")
            .sees("Hand this conversation back to the AI?")
            .passes(1)
            .press("y")
            .sees("AI on")
            .sees_no_more("by you");
    }
}

#[test]
fn it_is_still_known_after_a_restart() {
    let mut story = pure::story((120, 40));
    story.press("a").passes(1).press("y").sees("taken over");
    let kept = story.0.server.clone();
    Story(Pure::connected((120, 40), Options::default(), kept)).sees("AI off since 14:02, by you");
}

#[test]
fn change_shows_at_once_and_polls_do_not_turn_it_back() {
    let mut story = pure::story((120, 40));
    story.0.server.mood = Mood::Silent;
    story
        .press("a")
        .passes(1)
        .press("y")
        .sees("AI off since 14:02, by you")
        .press("a")
        .sees("Not now: the last change");
    story.0.server.mood = Mood::Well;
    story.0.answers();
    story.sees("Maria Souza: taken over").passes(12).sees("AI off since 14:02, by you");
    assert!(story.0.notified.is_empty(), "what one does oneself is no news");
}

#[test]
fn refused_change_is_undone_and_says_why() {
    refusing(401, ErrorBody::message("Unauthorized"))
        .press("a")
        .passes(1)
        .press("y")
        .sees("automation_key_file")
        .sees("AI on");
    let gone = ErrorBody::Failed { status: false, error: "Conversation not found".to_owned() };
    refusing(404, gone)
        .press("a")
        .passes(1)
        .press("y")
        .sees("Conversation not found")
        .sees("AI on")
        .press("a")
        .sees("Take this");
    let mut story = refusing(404, ErrorBody::message("The route could not be found."));
    story
        .press("a")
        .passes(1)
        .press("y")
        .sees("this server cannot turn the AI")
        .sees("AI on")
        .press("a")
        .sees("Not now: this server cannot");
}

#[test]
fn embedded_service_turns_the_ai_off_and_on() {
    let mut story = Story(Inside::small((120, 40)));
    story
        .sees("120 conversations")
        .press("a")
        .sees("Take this conversation over?")
        .passes(1)
        .press("y")
        .sees("taken over");
    story.press("a").sees("Hand this conversation back").passes(1).press("y").sees("handed back");
}
