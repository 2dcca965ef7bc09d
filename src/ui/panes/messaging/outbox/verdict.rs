//! What the evidence says of a send whose outcome is unknown, in words.

use super::super::compose::{Sight, words::time};
use crate::api::{HistoryMessage, Role};
use crate::messaging::Window;
use crate::records::{Before, Entry};
use crate::tasks::{Evidence, LastMessages};
use jiff::{SignedDuration, Timestamp};

/// Clocks differ, and a send takes its time: so far apart two moments still count as the same.
const ABOUT: SignedDuration = SignedDuration::from_mins(2);
/// A window lasts so long.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// How sure the evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was almost certainly sent.
    Sent,
    /// It was probably not sent.
    NotSent,
    /// It cannot be told from this.
    Open,
}

/// What the windows before and after say.
pub(super) fn of_windows(before: Option<Before>, after: Option<Window>, began: Timestamp) -> Verdict {
    let (Some(before), Some(after)) = (before, after) else { return Verdict::Open };
    match (before.open, after) {
        // A template opens a window, for 24 hours from when it was sent.
        (false, Window::Open { expires }) => {
            let opened = expires.checked_sub(DAY).unwrap_or(expires);
            if opened.duration_since(began).abs() <= ABOUT { Verdict::Sent } else { Verdict::Open }
        }
        (false, Window::Expired { .. } | Window::None) => Verdict::NotSent,
        (true, _) => Verdict::Open,
    }
}

/// What was found out, in sentences.
pub(super) fn sentences(entry: &Entry, evidence: &Evidence, now: Timestamp, sight: &Sight<'_>) -> Vec<String> {
    let after = Window::read(&evidence.window, now);
    let before = entry.intent.before;
    let was = match before {
        None => "What the window was before is not known.".to_owned(),
        Some(Before { open: true, expiry: Some(expiry) }) => {
            format!("Before, the window was open until {}.", time(expiry, sight))
        }
        Some(Before { open: true, expiry: None }) => "Before, the window was open.".to_owned(),
        Some(Before { open: false, expiry: Some(expiry) }) => {
            format!("Before, the window had expired ({}).", time(expiry, sight))
        }
        Some(Before { open: false, expiry: None }) => "Before, there was no open window.".to_owned(),
    };
    let is = match after {
        Some(Window::Open { expires }) => format!("Now it is open until {}.", time(expires, sight)),
        Some(Window::Expired { .. }) => "Now it has expired.".to_owned(),
        Some(Window::None) => "Now there is none.".to_owned(),
        None => "The server does not tell what it is now.".to_owned(),
    };
    let verdict = match of_windows(before, after, entry.began) {
        Verdict::Sent => "It opened about when this was sent, so it was almost certainly sent. Mark it with m.",
        Verdict::NotSent => {
            "A template that is sent opens the window, so it was probably not sent. If it stays closed for some \
             minutes, mark it with u."
        }
        Verdict::Open if before.is_some_and(|before| before.open) => {
            "An open window stays as it is when something is sent, so it does not tell. Look at the last messages."
        }
        Verdict::Open => "This does not tell whether it was sent. Ask the customer, or look into the conversation.",
    };
    vec![was, is, verdict.to_owned()]
}

/// The last messages of the conversation, a line each.
pub(super) fn messages(evidence: &Evidence) -> Vec<String> {
    let messages = match &evidence.messages {
        LastMessages::Unreadable => return vec!["The conversation cannot be read on this server.".to_owned()],
        LastMessages::NotFound => {
            let said = "Among the newest 100 conversations there is none of this sender and recipient.";
            return vec![said.to_owned()];
        }
        LastMessages::Told(none) if none.is_empty() => return vec!["The conversation has no messages.".to_owned()],
        LastMessages::Told(messages) => messages,
    };
    let line = |message: &HistoryMessage| {
        let who = match message.role.known() {
            Some(Role::User) => "Customer",
            Some(Role::Assistant) => "Assistant",
            Some(Role::System) => "Platform",
            Some(Role::Other(role)) => role,
            None => "Somebody",
        };
        format!("{who}: {}", message.content.known().map_or("(cannot be shown)", String::as_str))
    };
    messages.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minutes * 60).unwrap()
    }

    #[test]
    fn a_window_that_opened_about_then_says_it_was_sent() {
        let closed = Some(Before { open: false, expiry: None });
        let open = |minutes: i64| Some(Window::Open { expires: at(minutes + 24 * 60) });
        assert_eq!(of_windows(closed, open(1), at(0)), Verdict::Sent);
        assert_eq!(of_windows(closed, open(30), at(0)), Verdict::Open, "the customer may have written since");
        assert_eq!(of_windows(closed, Some(Window::None), at(0)), Verdict::NotSent);
        let was_open = Some(Before { open: true, expiry: Some(at(60)) });
        assert_eq!(of_windows(was_open, open(0), at(0)), Verdict::Open, "it tells nothing");
        assert_eq!(of_windows(None, open(0), at(0)), Verdict::Open);
    }
}
