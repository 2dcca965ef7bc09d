//! The evidence about a send with an unknown outcome, in sentences.

use super::super::format::{speaker, time};
use crate::api::{Call, HistoryMessage};
use crate::messaging::Window;
use crate::records::{Before, Entry};
use crate::tasks::{Evidence, LastMessages};
use crate::ui::format;
use crate::ui::pane::View;
use jiff::{SignedDuration, Timestamp};

/// Clocks differ and a send takes time: moments at most this far apart count as the same.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(2);
/// How long a window that a template opens lasts.
const WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// What the evidence shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was almost certainly sent.
    Sent,
    /// It was probably not sent.
    NotSent,
    /// It may or may not have been sent.
    Unclear,
}

/// Compares the window before a send that began at `began` with the window after it.
pub(super) fn of_windows(before: Option<Before>, after: Option<Window>, began: Timestamp) -> Verdict {
    let (Some(before), Some(after)) = (before, after) else { return Verdict::Unclear };
    match (before.open, after) {
        // A template opens a window, for 24 hours from when it was sent.
        (false, Window::Open { expires }) => {
            let opened = expires.checked_sub(WINDOW).unwrap_or(expires);
            if opened.duration_since(began).abs() <= TOLERANCE { Verdict::Sent } else { Verdict::Unclear }
        }
        (false, Window::Expired { .. } | Window::None) => Verdict::NotSent,
        (true, _) => Verdict::Unclear,
    }
}

/// The window before the send, the window now, and the verdict, a sentence each. `now` is by the server's clock.
pub(super) fn sentences(entry: &Entry, evidence: &Evidence, now: Timestamp, view: &View<'_>) -> Vec<String> {
    let (before, after) = (entry.intent.before, Window::read(&evidence.window, now));
    let at = |moment| time(moment, view.now, view.zone);
    let was = match before.map(|before| (before.open, before.expiry)) {
        None => "The window before this send is not known.".to_owned(),
        Some((true, Some(expiry))) => format!("Before, the window was open until {}.", at(expiry)),
        Some((true, None)) => "Before, the window was open.".to_owned(),
        Some((false, Some(expiry))) => format!("Before, the window had expired ({}).", at(expiry)),
        Some((false, None)) => "Before, there was no open window.".to_owned(),
    };
    let is = match after {
        Some(Window::Open { expires }) => format!("Now it is open until {}.", at(expires)),
        Some(Window::Expired { .. }) => "Now it has expired.".to_owned(),
        Some(Window::None) => "Now there is none.".to_owned(),
        None => "The server does not say what it is now.".to_owned(),
    };
    let verdict = match of_windows(before, after, entry.began) {
        Verdict::Sent => "The window opened at about the time of this send: almost certainly sent. Mark it as sent.",
        Verdict::NotSent => {
            "A template opens the window, so this one was probably not sent. If the window stays closed for some \
             minutes, mark it as not sent."
        }
        Verdict::Unclear if before.is_some_and(|before| before.open) => {
            "A send does not change an open window, so this proves nothing. Read the last messages."
        }
        Verdict::Unclear => "This does not show whether it was sent. Ask the customer, or read the conversation.",
    };
    vec![was, is, verdict.to_owned()]
}

/// The last messages of the conversation, a line each, or why there are none.
pub(super) fn messages(evidence: &Evidence) -> Vec<String> {
    let messages = match &evidence.messages {
        LastMessages::Unreadable => return vec!["This server does not let the conversation be read.".to_owned()],
        LastMessages::NotFound => {
            return vec!["The newest 100 conversations include none of this sender and recipient.".to_owned()];
        }
        LastMessages::Told(none) if none.is_empty() => return vec!["The conversation has no messages.".to_owned()],
        LastMessages::Told(messages) => messages,
    };
    let line = |message: &HistoryMessage| {
        format!("{}: {}", speaker(message), message.content.known().map_or("(no text)", String::as_str))
    };
    messages.iter().map(line).collect()
}

/// What the newest calls of the assistant to the number show of a call, in a sentence. `known` are the numbers of calls
/// that belong to other entries.
pub(super) fn of_calls(entry: &Entry, found: Option<&[Call]>, known: &[i64]) -> &'static str {
    let Some(found) = found else { return "This server does not list calls. Ask the person who was to be called." };
    let is_other = |call: &Call| call.id.known().is_some_and(|id| known.contains(id));
    let near = |call: &Call| match call.created_at.known() {
        Some(created) => created.0.duration_since(entry.began).abs() <= TOLERANCE,
        None => true,
    };
    let mut near = found.iter().filter(|call| !is_other(call) && near(call));
    match near.next() {
        Some(call) if call.created_at.known().is_some() => {
            "The server lists a call at about that time: almost certainly made. Mark it as made."
        }
        Some(_) => "The server lists calls without their times. Compare them, then mark the call.",
        None => {
            "The server lists no call at about that time: probably not made. If none appears within some minutes, mark \
             it as not made."
        }
    }
}

/// A call in a line.
pub(super) fn call(call: &Call, view: &View<'_>) -> String {
    let created = call.created_at.known().map(|created| time(created.0, view.now, view.zone));
    format!("{}  {}", created.unwrap_or_default(), format::call(call)).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::LastMessage;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minutes * 60).unwrap()
    }

    #[test]
    fn a_call_listed_at_about_that_time_was_made_unless_it_is_another_entrys() {
        let intent = crate::records::Intent {
            id: uuid::Uuid::nil(),
            profile: String::new(),
            sender_id: 1,
            sender: String::new(),
            phone: String::new(),
            name: None,
            content: crate::records::Content::Call,
            row: None,
            before: None,
            text: None,
        };
        let entry = Entry { intent, began: at(0), ended: None, outcome: None, mark: None };
        let call = |id: i64, minutes: i64| Call {
            id: id.into(),
            created_at: crate::api::IsoTimestamp(at(minutes)).into(),
            ..Call::default()
        };
        let of_calls = |found: Option<&[Call]>| of_calls(&entry, found, &[7]);
        assert!(of_calls(Some(&[call(8, 1)])).contains("almost certainly made"));
        for none in [vec![], vec![call(7, 1)], vec![call(8, 30), call(9, -30)]] {
            assert!(of_calls(Some(&none)).contains("probably not made"), "{none:?}");
        }
        assert!(of_calls(Some(&[Call::default()])).contains("without their times"));
        assert!(of_calls(None).contains("does not list calls"));
    }

    #[test]
    fn a_window_that_opened_about_then_says_it_was_sent() {
        let closed = Some(Before { open: false, expiry: None, last_message: LastMessage::Untold });
        let open = |minutes: i64| Some(Window::Open { expires: at(minutes + 24 * 60) });
        assert_eq!(of_windows(closed, open(1), at(0)), Verdict::Sent);
        assert_eq!(of_windows(closed, open(30), at(0)), Verdict::Unclear, "the customer may have written since");
        assert_eq!(of_windows(closed, Some(Window::None), at(0)), Verdict::NotSent);
        let was_open = Some(Before { open: true, expiry: Some(at(60)), last_message: LastMessage::Untold });
        assert_eq!(of_windows(was_open, open(0), at(0)), Verdict::Unclear, "it tells nothing");
        assert_eq!(of_windows(None, open(0), at(0)), Verdict::Unclear);
    }
}
