//! What people do, on every stage: the pure core, the app in process, and the real program in a terminal.

use crate::support::canned::{self, TOTAL};
use crate::support::inside::Inside;
use crate::support::pty::Terminal;
use crate::support::pure;
use crate::support::server::Server;
use crate::support::story::{Clocked, Stage, Story};
use switchboard::service::Clock;

const SIZE: (u16, u16) = (120, 40);

type Anywhere = Story<Box<dyn Stage>>;
type InTime = Story<Box<dyn Clocked>>;

/// A server on which nothing happens: its people live by its clock, and that stands.
fn still() -> Server {
    Server::start(&canned::world(), Clock::fixed(jiff::Timestamp::now()))
}

/// Tells a story on each stage, with the first page on screen.
fn everywhere(tell: fn(&mut Anywhere)) {
    let stages: [(&str, Box<dyn Stage>); 3] = [
        ("the pure core", Box::new(pure::story(SIZE).0)),
        ("the app in process", Box::new(Inside::small(SIZE))),
        ("the program in a terminal", Box::new(Terminal::on(SIZE, still(), ""))),
    ];
    for (name, stage) in stages {
        eprintln!("on {name}:");
        let mut story = Story(stage);
        story.sees(&format!("{TOTAL} conversations")).sees("page 1 of 3");
        tell(&mut story);
    }
}

/// Tells a story on each stage whose clock can be moved.
fn in_time(tell: fn(&mut InTime)) {
    let stages: [(&str, Box<dyn Clocked>); 2] =
        [("the pure core", Box::new(pure::story(SIZE).0)), ("the app in process", Box::new(Inside::small(SIZE)))];
    for (name, stage) in stages {
        eprintln!("on {name}:");
        let mut story = Story(stage);
        story.sees("page 1 of 3");
        tell(&mut story);
    }
}

#[test]
fn pages_turn_both_ways_and_to_either_end() {
    everywhere(|story| {
        story.press("n").sees("page 2 of 3").press("n").sees("page 3 of 3");
        story.press("n").sees("Not now: this is the last page");
        story.press("P").sees("page 1 of 3").press("N").sees("page 3 of 3").press("p").sees("page 2 of 3");
    });
}

#[test]
fn a_page_is_jumped_to_by_its_number_and_no_other_text_passes_for_one() {
    everywhere(|story| {
        story.press("#").sees("Go to page").sees("now 1 of 3");
        story.types("9").press("enter").sees("Enter a page from 1 to 3.");
        story.press("backspace").types("3").press("enter").sees("page 3 of 3").sees_no_more("Go to page");
    });
}

#[test]
fn rows_are_narrowed_as_letters_are_typed_and_come_back_with_esc() {
    everywhere(|story| {
        story.press("/").sees("clear and leave").types("order").sees("/ order").sees("Order bot");
        story.sees_no_more("Réception FR").sees(" of 50 loaded rows");
        story.press("enter").sees_no_more("clear and leave").sees("/ order");
        story.press("esc").sees("page 1 of 3").sees("Réception FR");
    });
}

#[test]
fn a_pasted_line_break_narrows_and_sends_nothing() {
    everywhere(|story| {
        story.press("/").sees("clear and leave").pastes("order\nbot\n").sees("/ order bot").sees("clear and leave");
    });
}

#[test]
fn a_filter_shows_as_a_chip_until_it_is_taken_away() {
    everywhere(|story| {
        story.press("f").sees("Filter conversations").types("m").sees("[messaging]").press("enter");
        story.sees("type: messaging").sees_no_more("120 conversations").sees_no_more("Filter conversations");
        story.press("x").sees("120 conversations").sees_no_more("type: messaging");
    });
}

#[test]
fn a_filter_that_nothing_passes_says_so_and_how_to_go_on() {
    everywhere(|story| {
        story
            .press("f")
            .sees("Filter conversations")
            .press("shift-tab")
            .types("2020-01-01")
            .sees("2020-01-01")
            .press("enter");
        story.sees("No conversation matches these filters.").sees("0 conversations").sees("created: 1 Jan 2020");
        story.press("/").types("x").sees("/ x").press("enter").sees_no_more("clear and leave");
        story.press("esc").sees("0 conversations").press("x").sees("120 conversations");
    });
}

#[test]
fn a_filter_by_assistant_is_found_by_a_few_letters() {
    everywhere(|story| {
        story
            .press("f")
            .sees("Filter conversations")
            .press("tab")
            .sees("Réception FR")
            .sees("no. 2")
            .types("sal")
            .sees_no_more("no. 2");
        story.press("enter").sees("assistant: Sales desk").sees_no_more("120 conversations");
    });
}

#[test]
fn a_day_that_is_none_is_told_while_it_is_typed_and_nothing_is_lost_by_leaving() {
    everywhere(|story| {
        story
            .press("f")
            .sees("Filter conversations")
            .press("shift-tab")
            .types("2026-11-32")
            .sees("There is no such day.");
        story.press("esc").sees_no_more("Filter conversations").press("f").sees("2026-11-32");
    });
}

#[test]
fn a_conversation_opens_with_all_its_fields_and_as_the_server_sent_it() {
    everywhere(|story| {
        story
            .press("enter")
            .sees("back")
            .sees("AI on")
            .press("v")
            .sees("Started    today")
            .press("v")
            .sees("\"total_cost\": ")
            .sees("\"ai_enabled\": ");
        story.press("v").sees_no_more("total_cost").press("esc").sees("narrow");
    });
}

#[test]
fn every_request_is_listed_and_opens_with_a_line_for_the_shell() {
    everywhere(|story| {
        story.press("8").sees("/user/conversations?per_page=50").sees("200");
        story.press("enter").sees("Succeeded.").sees("curl -sS -H \"Authorization: Bearer $SWITCHBOARD_TOKEN\"");
        story.press("esc").sees_no_more("Succeeded.").press("1").sees("page 1 of 3");
    });
}

#[test]
fn help_explains_the_keys_of_the_place_and_closes() {
    everywhere(|story| {
        story.press("?").sees("Keys that work here").sees("Filter all conversations on the server");
        story.press("esc").sees_no_more("Keys that work here").press("8").sees("METHOD").press("?");
        story.sees("Cancel the selected request").sees_no_more("Filter all conversations on the server");
    });
}

#[test]
fn a_command_is_found_by_its_name_and_done() {
    everywhere(|story| {
        story.press(":").sees("Commands").types("last pa").sees("Last page").press("enter").sees("page 3 of 3");
    });
}

#[test]
fn a_pause_says_so_and_ends_with_the_same_key() {
    everywhere(|story| {
        story.sees("live").press("space").sees("paused").press("space").sees("live");
    });
}

#[test]
fn the_selection_moves_with_keys_wheel_and_clicks() {
    everywhere(|story| {
        story.sees_selected(1).press("j j").sees_selected(3).press("k").sees_selected(2);
        let eighth = story.row(8);
        story.clicks(10, eighth).sees_selected(8).wheels_down(10, eighth).sees_selected(11);
        let tab = story.screen().lines()[1].find("Activity").unwrap();
        story.press("g").sees_selected(1).clicks(u16::try_from(tab).unwrap(), 1).sees("METHOD");
    });
}

#[test]
fn a_smaller_window_keeps_what_matters() {
    everywhere(|story| {
        story.resizes(80, 24).sees("page 1 of 3").sees("ASSISTANT").resizes(40, 12).sees("UPDATED");
        story.resizes(20, 4).sees("Make the window").resizes(120, 40).sees("page 1 of 3");
    });
}

#[test]
fn what_is_shown_tells_its_age_and_is_asked_for_again() {
    in_time(|story| {
        story.press("space").sees("paused").passes(30).sees("paused · 30 s ago");
        story.press("r").sees("paused · just now");
    });
}

#[test]
fn a_toast_goes_by_itself() {
    in_time(|story| {
        story.press("y").sees("copied to the clipboard").passes(4).sees_no_more("clipboard");
    });
}
