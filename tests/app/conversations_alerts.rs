//! What needs a person: alerts of the settings, the AI that is off, hand-overs.

use crate::support::canned::Canned;
use crate::support::pure::{self, Pure};
use crate::support::story::{Clocked as _, Story};
use std::time::Duration;
use switchboard::config::Settings;
use switchboard::ui::Options;

fn alerted(size: (u16, u16), alerts: &str) -> Story<Pure> {
    let (settings, problems) = Settings::parse(&format!("{alerts}\n[messaging]\nnotify = 'bell'\n"));
    assert_eq!(problems, []);
    Story(Pure::connected(size, Options { settings, ..Options::default() }, Canned::default()))
}

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

#[test]
fn alerts_are_counted_marked_and_told_once() {
    let mut story = alerted((120, 40), "alert = ['ai:off age:<10m', 'msgs:>90']");
    story.sees("▲ 1 alert").sees("▲  ");
    assert!(story.0.notified.is_empty(), "what is there at the start is no news");
    picture(&mut story, "conversations_alert_120x40");
    story.0.server.rows[1].message_count = 91.into();
    story.passes(6).sees("▲ 2 alerts");
    assert_eq!(story.0.notified, ["widget 3e784355: msgs:>90"]);
    story.0.server.rows[1].message_count = 92.into();
    story.passes(30);
    assert_eq!(story.0.notified.len(), 1);
    picture(&mut alerted((80, 24), "alert = ['ai:off age:<10m', 'msgs:>90']"), "conversations_alert_80x24");
}

#[test]
fn alert_that_means_nothing_is_told_at_the_start() {
    alerted((120, 40), "alert = ['colour:red']").sees("alert \"colour:red\" in the settings is ignored");
    let (_, problems) = Settings::parse("alert = 'ai:off'");
    assert_eq!(problems.len(), 1);
}

#[test]
fn one_key_leads_to_the_conversations_that_need_a_person() {
    let mut story = pure::story((120, 40));
    story.press("*").sees_selected(4).press("*").sees_selected(9).press("k *").sees_selected(9);
    let mut nobody = Canned::default();
    nobody.rows.iter_mut().for_each(|row| row.ai_enabled = true.into());
    let mut story = Story(Pure::connected((80, 24), Options::default(), nobody));
    story.press("*").sees("No loaded conversation needs a person; 20 more are not loaded");
}

#[test]
fn conversation_that_was_answered_last_waits_for_nobody() {
    let mut story = pure::story((120, 40));
    story.0.pass(Duration::from_secs(1));
    story.press("*").sees_selected(4);
    // Its forty messages end with one of the assistant.
    story.0.pass(Duration::from_secs(1));
    story.press("g *").sees_selected(9);
}

#[test]
fn hand_over_is_told_once_it_has_stood() {
    let mut story = alerted((120, 40), "");
    story.0.server.rows[0].ai_enabled = false.into();
    story.passes(6);
    assert!(story.0.notified.is_empty());
    story.passes(9).sees("Maria Souza waits for a person");
    assert_eq!(story.0.notified.len(), 1);
    story.passes(60);
    assert_eq!(story.0.notified.len(), 1);
    story.0.server.rows[2].ai_enabled = false.into();
    story.passes(5);
    story.0.server.rows[2].ai_enabled = true.into();
    story.passes(30);
    assert_eq!(story.0.notified.len(), 1, "it did not stand");
}
