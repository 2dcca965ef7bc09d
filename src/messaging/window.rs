//! The 24-hour window of a sender and a recipient.

use crate::api::{Field, SessionStatus};
use jiff::{SignedDuration, Timestamp};

/// The state of a window, by the server's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// Freeform messages are allowed.
    Open {
        /// When it expires.
        expires: Timestamp,
    },
    /// Expired: only templates are allowed.
    Expired {
        /// When it expired, if known.
        since: Option<Timestamp>,
    },
    /// Never opened: only templates are allowed.
    None,
}

impl Window {
    /// Reads an answer that came at `now` of the server's clock; `None` where it does not say whether the window is open.
    ///
    /// Where an open window does not tell when it expires, its minutes are counted from `now`.
    pub fn read(status: &SessionStatus, now: Timestamp) -> Option<Self> {
        let window = status.session_status.known()?;
        let is_open = *window.is_open.known()?;
        let expires = match &window.expires_at {
            Field::Known(Some(time)) => Some(time.0),
            _ => None,
        };
        if is_open {
            let minutes = window.minutes_remaining.known().and_then(|minutes| i64::try_from(*minutes).ok());
            let counted = || now.checked_add(SignedDuration::from_mins(minutes?)).ok();
            return Some(Self::Open { expires: expires.or_else(counted)? });
        }
        let since = window.expired_at.known().map(|time| time.0);
        let known = since.is_some() || status.has_conversation.known() == Some(&true);
        Some(if known { Self::Expired { since } } else { Self::None })
    }

    /// The state at `now` of the server's clock: an open window expires by itself.
    #[must_use]
    pub fn at(self, now: Timestamp) -> Self {
        match self {
            Self::Open { expires } if expires <= now => Self::Expired { since: Some(expires) },
            other => other,
        }
    }

    /// Whether freeform messages are allowed at `now` of the server's clock.
    pub fn is_open(self, now: Timestamp) -> bool {
        matches!(self.at(now), Self::Open { .. })
    }
}

/// What a server tells of the customer's last message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LastMessage {
    /// When it came; `None` where they have never written.
    At(Option<Timestamp>),
    /// Only when the window expires: their messages put that off.
    Expiry,
    /// Nothing. An end that is counted from minutes follows the clock.
    #[default]
    Untold,
}

impl LastMessage {
    /// Reads an answer.
    pub fn read(status: &SessionStatus) -> Self {
        match &status.last_customer_message_at {
            Field::Known(time) => Self::At(time.as_ref().map(|time| time.0)),
            Field::Odd(_) => Self::Untold,
            Field::Missing => {
                let expires = status.session_status.known().and_then(|window| window.expires_at.known()?.as_ref());
                if expires.is_some() { Self::Expiry } else { Self::Untold }
            }
        }
    }

    /// The same by another clock, which the server's is `ahead` of.
    #[must_use]
    pub fn behind(self, ahead: SignedDuration) -> Self {
        match self {
            Self::At(Some(time)) => Self::At(Some(time.checked_sub(ahead).unwrap_or(time))),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(status: serde_json::Value) -> Option<Window> {
        Window::read(&serde_json::from_value(status).unwrap(), time("2026-11-21T12:00:30Z"))
    }

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn an_open_window_expires_when_it_says_or_in_its_minutes() {
        let open = |extra: serde_json::Value| {
            let mut window = json!({"is_open": true});
            window.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            read(json!({"has_conversation": true, "session_status": window}))
        };
        let expires = time("2026-11-21T13:00:00Z");
        let told = open(json!({"expires_at": "2026-11-21T13:00:00+00:00", "minutes_remaining": 3}));
        assert_eq!(told, Some(Window::Open { expires }));
        let counted = open(json!({"minutes_remaining": 60}));
        assert_eq!(counted, Some(Window::Open { expires: time("2026-11-21T13:00:30Z") }));
        assert_eq!(open(json!({})), None, "open, and nobody knows for how long");
    }

    #[test]
    fn a_window_that_is_not_open_has_expired_or_never_was() {
        let expired = read(json!({"has_conversation": true, "session_status":
            {"is_open": false, "expired_at": "2026-11-21T11:00:00+00:00"}}));
        assert_eq!(expired, Some(Window::Expired { since: Some(time("2026-11-21T11:00:00Z")) }));
        let never = read(json!({"has_conversation": false, "session_status": {"is_open": false, "expires_at": null}}));
        assert_eq!(never, Some(Window::None));
        assert_eq!(read(json!({"success": true})), None);
    }

    #[test]
    fn the_last_message_is_told_or_else_the_expiry_but_never_the_minutes() {
        let read = |status: serde_json::Value| LastMessage::read(&serde_json::from_value(status).unwrap());
        let window = json!({"is_open": true, "expires_at": "2026-11-21T13:00:00+00:00"});
        let told = |at: serde_json::Value| read(json!({"last_customer_message_at": at, "session_status": window}));
        let at = time("2026-11-21T12:00:00Z");
        assert_eq!(told(json!("2026-11-21T12:00:00+00:00")), LastMessage::At(Some(at)));
        assert_eq!(
            told(json!("2026-11-21T12:00:00+00:00")).behind(SignedDuration::from_secs(9)),
            LastMessage::At(Some(time("2026-11-21T11:59:51Z")))
        );
        assert_eq!(told(json!(null)), LastMessage::At(None));
        assert_eq!(told(json!(7)), LastMessage::Untold);
        assert_eq!(read(json!({"session_status": window})), LastMessage::Expiry);
        assert_eq!(read(json!({"session_status": {"is_open": true, "minutes_remaining": 60}})), LastMessage::Untold);
    }

    #[test]
    fn an_open_window_expires_by_itself() {
        let expires = time("2026-11-21T13:00:00Z");
        let window = Window::Open { expires };
        assert!(window.is_open(time("2026-11-21T12:59:59Z")));
        assert_eq!(window.at(expires), Window::Expired { since: Some(expires) });
    }
}
