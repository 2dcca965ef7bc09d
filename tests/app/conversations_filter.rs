//! Filters of the list: days as people mean them, assistants seen in rows, filters with a name.

use crate::support::canned::{Canned, Paging};
use crate::support::pure::{self, Pure};
use crate::support::screen::Screen;
use crate::support::story::{Clocked as _, Story};
use std::time::Duration;
use switchboard::config::Settings;
use switchboard::tasks::Event;
use switchboard::ui::{Message, Options};

fn picture(story: &mut Story<Pure>, name: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story.screen().with_looks()));
}

fn filtered_by_days(size: (u16, u16), typed: &str) -> Story<Pure> {
    let mut story = pure::story(size);
    story.press("f shift-tab").types(typed).press("enter");
    story
}

/// The paths of the conversations' pages, in the order in which they were requested.
fn pages(story: &Story<Pure>) -> Vec<String> {
    let started = story.0.happened.iter().filter_map(|message| match message {
        Message::Task(Event::Started { operation, .. }) => Some(operation.path.clone()),
        _ => None,
    });
    started.filter(|path| path.starts_with("/user/conversations")).collect()
}

/// As many rows as the table shows.
fn rows(screen: &Screen) -> usize {
    screen.lines().iter().filter(|line| line.contains(" ago") || line.contains("just now  ")).count()
}

#[test]
fn local_days_are_asked_for_by_the_days_of_utc_that_cover_them() {
    let mut story = filtered_by_days((120, 40), "today");
    story.sees("created: today").sees("by UTC days").sees("outside hidden");
    let covers = |path: &String| path.contains("date_from=2026-11-20&date_to=2026-11-21");
    assert!(pages(&story).iter().any(covers));
    assert!(rows(&story.screen()) > 10);
    picture(&mut story, "conversations_today_120x40");
    picture(&mut filtered_by_days((80, 24), "today"), "conversations_today_80x24");
}

#[test]
fn today_is_another_day_after_midnight() {
    let settings = Settings { refresh_interval: None, ..Settings::default() };
    let options = Options { settings, ..Options::default() };
    let mut story = Story(Pure::connected((120, 40), options, Canned::default()));
    story.press("f shift-tab").types("today").press("enter");
    // It is 14:02 in Berlin.
    story.0.pass(Duration::from_secs(10 * 3600));
    story.sees("created: today");
    let last = pages(&story).pop().unwrap();
    assert!(last.contains("date_from=2026-11-21&date_to=2026-11-22"), "{last}");
}

#[test]
fn days_are_told_in_words() {
    for (typed, told) in [
        ("yesterday", "created: yesterday"),
        ("-7d", "created: 14 Nov 2026 to today"),
        ("11-01", "created: 1 Nov 2026"),
        ("11-01..11-05", "created: 1 Nov 2026 to 5 Nov 2026"),
        ("11-01..", "created: since 1 Nov 2026"),
    ] {
        filtered_by_days((120, 40), typed).sees(told);
    }
}

#[test]
fn form_opens_on_the_filter_in_force_and_is_cleared_by_one_key() {
    let mut story = filtered_by_days((120, 40), "-7d");
    story.press("f").sees("Filter conversations").sees("-7d").press("ctrl-u enter");
    story.sees("120 conversations").sees_no_more("created:");
}

#[test]
fn assistant_that_only_rows_tell_of_filters_what_is_loaded() {
    let server = Canned { assistants: vec!["Reception".to_owned()], ..Canned::default() };
    let mut story = Story(Pure::connected((120, 40), Options::default(), server));
    story.press("f tab").types("sales").sees("loaded rows only").press("enter");
    story.sees("assistant: Sales desk (loaded rows)").sees("outside hidden").sees_no_more("Order bot");
}

#[test]
fn selected_value_of_the_sorted_column_becomes_the_filter() {
    let mut story = pure::story((120, 40));
    story.press("=").sees("Not now: the rows are in the server's order");
    story.press("o o o g").sees("sorted by type").press("=").sees("type: API").press("x").sees("120 conversations");
    story.press("o o g =").sees("/ msgs:47").sees("loaded rows");
}

#[test]
fn filter_is_saved_by_name_and_the_last_one_is_there_again() {
    let mut story = filtered_by_days((120, 40), "yesterday");
    story.press(":").types("save filter").press("enter").sees("Save the filter").types("Late").press("enter");
    story.sees("Filter saved as Late").press("x").sees("120 conversations");
    story.press("F").sees("Saved filters").sees("created: yesterday").press("enter").sees("created: yesterday");
    let kept = story.0.server.clone();
    let mut story = Story(Pure::connected((120, 40), Options::default(), kept));
    story.sees("created: yesterday").press("x F down right enter").sees("Filter Late deleted");
    story.press("F").sees("Not now: no filter has been saved");
}

#[test]
fn customer_is_asked_for_only_where_the_server_filters_by_it() {
    assert!(!pure::story((120, 40)).press("f").screen().shows("customer"));
    let server = Canned { paging: Paging::Cursor, ..Canned::default() };
    let mut story = Story(Pure::connected((120, 40), Options::default(), server));
    story.press("f shift-tab").types("+49 30 901820").press("enter").sees("customer: +4930901820");
    assert!(pages(&story).pop().unwrap().contains("customer_phone=%2B4930901820"));
}
