//! What is written and when: nothing before the first frame but modes, and nothing at all while nothing changes.

use crate::support::canned;
use crate::support::pty::Terminal;
use crate::support::server::Server;
use crate::support::story::Story;
use std::time::Duration;
use switchboard::service::Clock;

const SIZE: (u16, u16) = (120, 40);
/// A span in which an idle program is listened to. Ages change every ten seconds and the clock every minute, so one of
/// a few spans may hold a change, and not all.
const SPAN: Duration = Duration::from_millis(300);

/// The dashboard on a server where nothing happens, asking only when told.
fn idle() -> Story<Terminal> {
    let server = Server::start(&canned::world(), Clock::fixed(jiff::Timestamp::now()));
    let mut story = Story(Terminal::on(SIZE, server, "refresh_interval = 0"));
    story.sees("page 1 of 3").sees("paused");
    // The next page is fetched ahead; once its request is listed as done, nothing is under way.
    story.press("8 a").sees("page=2").sees_no_more("running").press("1").sees("page 1 of 3");
    story
}

#[test]
fn nothing_but_modes_is_written_before_the_first_frame() {
    let mut story = Story(Terminal::dashboard(SIZE, &["--demo"]));
    story.sees("switchboard");
    let written = String::from_utf8_lossy(&story.0.bytes).into_owned();
    let before = written.split("switchboard").next().unwrap();
    assert!(!before.contains("\x1b]") && !before.contains("\x1bP"), "{before:?}");
    // What a control sequence does is its last letter: these set modes and colours, move and erase, and ask nothing.
    let does = |sequence: &str| sequence.chars().find(|letter| ('@'..='~').contains(letter));
    let asks = |sequence: &str| !does(sequence).is_some_and(|letter| "hlmHJKGCdX".contains(letter));
    assert!(!before.split("\x1b[").skip(1).any(asks), "{before:?}");
    // The first frame begins by clearing the screen.
    let (modes, _) = before.split_once("\x1b[2J").unwrap();
    let is_mode = |mode: &str| mode == "m" || mode.starts_with('?') && mode.ends_with(['h', 'l']);
    assert!(modes.split("\x1b[").skip(1).all(is_mode), "{modes:?}");
}

#[test]
fn an_idle_program_writes_nothing() {
    let mut story = idle();
    let quiet = (0..4).any(|_| story.0.is_quiet(SPAN));
    assert!(quiet, "it writes without a reason: {:?}", String::from_utf8_lossy(&story.0.bytes));
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_program_sleeps() {
    let mut story = idle();
    // What is shown and its neighbours are loaded first, and after two seconds it counts as read.
    let slept = (0..12).any(|_| {
        let before = story.0.naps();
        story.0.is_quiet(SPAN) && story.0.naps() == before
    });
    assert!(slept, "something in it wakes up without a reason");
}

#[test]
fn a_key_that_changes_nothing_writes_nothing() {
    let mut story = idle();
    let quiet = (0..4).any(|_| {
        story.press("k");
        story.0.is_quiet(SPAN)
    });
    assert!(quiet, "the first row stays selected, yet something is written");
}
