//! However the program ends, the terminal is as it was.

use super::modes::{check_undone, switches};
use crate::support::pty::{self, Terminal};
use crate::support::story::Story;
use pty_process::blocking::Command;
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};
use switchboard::ui::terminal::{Guard, hangup, restore_after_panic};
use tempfile::TempDir;

const SIZE: (u16, u16) = (80, 24);
/// Set for the program that [`it_panics_where_it_is_told_to`] is run as.
const PANICS: &str = "SWITCHBOARD_TEST_PANICS";

/// The dashboard on its sandbox, with rows on screen.
fn dashboard() -> Story<Terminal> {
    let mut story = Story(Terminal::dashboard(SIZE, &["--demo"]));
    story.sees("SANDBOX").sees("page 1 of ");
    assert!(!story.0.is_as_before(), "keys come one by one while it runs");
    story
}

/// The program ends, and leaves the terminal as it found it.
fn leaves_all_as_it_was(mut story: Story<Terminal>) -> ExitStatus {
    let status = story.0.ends();
    assert_eq!(check_undone(&story.0.bytes), [1049, 2004, 1000, 1006]);
    assert!(story.0.is_as_before(), "the terminal's settings differ");
    status
}

#[test]
fn rows_are_shown_turned_and_filtered_and_q_quits() {
    let mut story = dashboard();
    story.press("n").sees("page 2 of ").press("p").sees("page 1 of ");
    story.press("f").sees("Filter conversations").types("w").sees("[widget]").press("enter").sees("type: widget");
    story.press("q");
    assert!(leaves_all_as_it_was(story).success());
}

#[test]
fn ctrl_c_quits() {
    let mut story = dashboard();
    story.press("ctrl-c");
    assert!(leaves_all_as_it_was(story).success());
}

#[test]
fn ctrl_c_quits_while_something_is_typed() {
    let mut story = dashboard();
    story.press("/").sees("esc clear").types("rec").press("ctrl-c");
    assert!(leaves_all_as_it_was(story).success());
}

#[test]
fn quitting_before_the_sandbox_stands_is_no_different() {
    let mut story = Story(Terminal::dashboard(SIZE, &["--demo"]));
    story.sees("switchboard").press("q");
    assert!(leaves_all_as_it_was(story).success());
}

#[test]
fn a_signal_to_end_is_obeyed() {
    // Where the tests themselves run under nohup, a hangup is ignored.
    let hangup = hangup().map(|_| Signal::HUP);
    for signal in [Signal::TERM, Signal::INT, Signal::QUIT].into_iter().chain(hangup) {
        let story = dashboard();
        story.0.signal(signal);
        assert!(leaves_all_as_it_was(story).success(), "{signal:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn hangup_that_was_ignored_from_the_start_stays_so() {
    let home = TempDir::new().unwrap();
    let script = ["-c", "trap '' HUP; exec \"$0\" \"$@\"", pty::PROGRAM, "--demo"];
    let program = pty::at_home(Command::new("/bin/sh"), &home).args(script);
    let mut story = Story(Terminal::run(SIZE, program, home));
    story.sees("SANDBOX").sees("page 1 of ").0.signal(Signal::HUP);
    story.press("n").sees("page 2 of ").press("q");
    assert!(leaves_all_as_it_was(story).success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_to_end_is_obeyed_while_nobody_reads_what_is_written() {
    let mut story = dashboard();
    // The terminal takes nothing more, as where a connection hangs: the next frame is not written to its end.
    story.0.takes_nothing_more();
    story.press("?");
    story.0.waits_for_a_stuck_write();
    story.0.signal(Signal::TERM);
    assert_eq!(story.0.ends().code(), Some(128 + 15));
    assert!(story.0.is_as_before(), "the terminal's settings differ");
}

#[test]
#[cfg(target_os = "linux")]
fn a_second_signal_to_end_does_not_wait_for_the_terminal() {
    let mut story = dashboard();
    story.0.takes_nothing_more();
    story.press("?");
    story.0.waits_for_a_stuck_write();
    let began = std::time::Instant::now();
    story.0.signal(Signal::TERM);
    story.0.signal(Signal::HUP);
    story.0.ends();
    assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn a_window_that_is_closed_ends_the_program() {
    let mut story = dashboard();
    story.0.closes_the_window();
    // It has nobody to tell; what matters is that it does not go on.
    story.0.ends();
}

#[test]
fn the_end_of_input_ends_the_program_where_no_signal_tells_of_it() {
    let home = TempDir::new().unwrap();
    // The shell leads the session and ignores the hang-up, which goes to nobody else.
    let shell = format!("trap '' HUP; {} --demo; exit $?", pty::PROGRAM);
    let program = pty::at_home(Command::new("sh").args(["-c", &shell]), &home);
    let mut story = Story(Terminal::run(SIZE, program, home));
    story.sees("page 1 of ");
    story.0.closes_the_window();
    story.0.ends();
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_the_program_is_continued() {
    let mut story = dashboard();
    story.press("n").sees("page 2 of ").press("ctrl-z");
    story.0.stops();
    assert!(story.0.listens_until(|terminal| switches(&terminal.bytes).ends_with(&[(1049, false)])));
    assert_eq!(check_undone(&story.0.bytes), [1049, 2004, 1000, 1006]);
    assert!(story.0.is_as_before(), "the terminal's settings differ");

    story.0.bytes.clear();
    story.0.signal(Signal::CONT);
    story.sees("page 2 of ").press("p").sees("page 1 of ").press("q");
    // All modes were turned on again, and all off.
    assert!(leaves_all_as_it_was(story).success());
}

#[test]
fn a_stop_from_outside_gives_the_terminal_back_too() {
    let mut story = dashboard();
    story.0.signal(Signal::TSTP);
    story.0.stops();
    story.0.signal(Signal::CONT);
    story.sees("page 1 of ").press("q");
    assert!(story.0.ends().success());
    assert_eq!(story.0.bytes.windows(8).filter(|bytes| bytes == b"\x1b[?1049h").count(), 2);
    assert!(story.0.is_as_before());
}

#[test]
fn a_mistake_in_how_it_is_called_touches_no_mode() {
    let mut story = Story(Terminal::dashboard(SIZE, &["--profile", "nope"]));
    assert_eq!(story.0.ends().code(), Some(2));
    let said = String::from_utf8_lossy(&story.0.bytes).into_owned();
    assert!(said.contains("no valid profile \"nope\""), "{said}");
    assert!(!said.contains('\x1b'), "{said:?}");
    assert!(story.0.is_as_before());
}

#[test]
fn without_a_terminal_it_says_what_it_needs() {
    let home = TempDir::new().unwrap();
    let program = pty::dashboard(&home).arg("--demo").stdin(Stdio::null());
    let mut story = Story(Terminal::run(SIZE, program, home));
    assert_eq!(story.0.ends().code(), Some(1));
    let said = String::from_utf8_lossy(&story.0.bytes).into_owned();
    assert!(said.starts_with("error: the dashboard needs a terminal"), "{said}");
    assert_eq!(said.lines().count(), 1, "a sentence, and no report of a fault: {said}");
    assert!(!said.contains('\x1b'), "{said:?}");
}

/// Not a test of its own: [`a_panic_gives_the_terminal_back_before_it_is_reported`] runs it as a program.
#[test]
fn it_panics_where_it_is_told_to() {
    if std::env::var_os(PANICS).is_some() {
        restore_after_panic();
        let _guard = Guard::enter(true).unwrap();
        panic!("the roof is on fire");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_is_reported() {
    let itself = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "terminal::ways_out::it_panics_where_it_is_told_to"])
        .env(PANICS, "1")
        .env("RUST_BACKTRACE", "0");
    let mut story = Story(Terminal::run(SIZE, itself, TempDir::new().unwrap()));
    let status = story.0.ends();
    assert_eq!((status.code(), status.signal()), (Some(101), None));
    assert_eq!(check_undone(&story.0.bytes), [1049, 2004, 1000, 1006]);
    assert!(story.0.is_as_before());
    let said = String::from_utf8_lossy(&story.0.bytes).into_owned();
    let (restored, reported) = (said.find("\x1b[?1049l").unwrap(), said.find("the roof is on fire").unwrap());
    assert!(restored < reported, "the report would go with the screen: {said:?}");
}
