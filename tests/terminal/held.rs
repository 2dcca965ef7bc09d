//! A message that waits to leave is not lost when the program ends: it is named on the terminal, and remains as a draft.

use crate::support::pty::Terminal;
use crate::support::server::{SENDER_WORLD, Server};
use crate::support::story::{PATIENCE, Story};
use rustix::process::Signal;
use std::time::{Duration, Instant};
use switchboard::records::Records;
use switchboard::service::Clock;

const UNSENT: &str = "Nothing was sent to Maria Souza: the program was stopped. The draft is kept.";

/// The dashboard while a message to Maria is held.
fn held() -> Story<Terminal> {
    let server = Server::start(SENDER_WORLD, Clock::system());
    let mut story = Story(Terminal::on((100, 30), server, "[messaging]\nhold_seconds = 60\n"));
    story.sees("live").press("3").sees("reminder").press("s").sees("Send a template").press("enter");
    story.types("+5511912345678").press("enter").types("Maria Souza").press("enter").types("3 December");
    story.press("enter").sees("Send this message?");
    story.0.rests();
    story.press("y").sees("Sending to Maria Souza in ");
    story
}

/// Waits until the draft is on disk; there is no sign of that on screen.
fn waits_for_the_draft(story: &mut Story<Terminal>) {
    let records = Records::open(&story.0.home.path().join(".local/state/switchboard")).unwrap();
    let profile = story.0.server.as_ref().unwrap().address.to_string();
    let deadline = Instant::now() + PATIENCE;
    while records.profile_data(&profile).unwrap().drafts.iter().all(|draft| !draft.values.contains_key("date")) {
        assert!(Instant::now() < deadline, "no draft");
        story.0.is_quiet(Duration::from_millis(50));
    }
}

#[test]
fn message_in_its_hold_is_named_at_the_end_and_is_a_draft_afterwards() {
    for signal in [None, Some(Signal::TERM), Some(Signal::KILL)] {
        let mut story = held();
        match signal {
            None => drop(story.press("ctrl-c").sees("A message is waiting to be sent").press("ctrl-c")),
            Some(signal) => {
                if signal == Signal::KILL {
                    waits_for_the_draft(&mut story);
                }
                story.0.signal(signal);
            }
        }
        let ended = story.0.ends();
        let code = [Some(0), Some(1), None][signal.map_or(0, |signal| if signal == Signal::KILL { 2 } else { 1 })];
        assert_eq!(ended.code(), code, "a signal has kept it from leaving");
        // Who is killed says nothing.
        assert_eq!(story.0.screen().shows(UNSENT), signal != Some(Signal::KILL), "{}", story.0.screen());
        let conversations = story.0.server.as_ref().unwrap().get("/user/conversations");
        assert_eq!(conversations["data"], serde_json::json!([]));
        story.0.again();
        if signal.is_some() {
            let told = "1 was not sent because the program ended: o in Messaging shows it.";
            story.sees(told).press("esc").sees_no_more(told);
        }
        story.sees("live").press("3").sees("reminder").press("s").sees("Send a template").press("enter");
        story.types("+5511912345678").press("enter");
        story.waits(&format!("the draft after {signal:?}"), |screen| screen.shows("draft from")).sees("3 December");
        story.press("ctrl-c");
        story.0.ends();
    }
}
