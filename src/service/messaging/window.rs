//! The 24-hour messaging window of a sender and a recipient.
//!
//! | State | Moved by | Next |
//! |---|---|---|
//! | none or expired | a template message | open, counted from it |
//! | any | a message of the customer | open, counted from it |
//! | open | 24 hours of the service's time | expired |
//!
//! A template message in an open window changes nothing: the 24 hours go on counting from what opened it.

use crate::api::{Field, OffsetTimestamp, WindowStatus};
use jiff::{SignedDuration, Timestamp};

/// The state of a window at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowState {
    /// There has been no message.
    None,
    /// Freeform messages may be sent.
    Open {
        /// Until when.
        until: Timestamp,
        /// Whole minutes until then.
        minutes: u64,
    },
    /// Only a template may be sent.
    Expired {
        /// Since when.
        since: Timestamp,
    },
}

impl WindowState {
    /// How long one is open.
    pub const LENGTH: SignedDuration = SignedDuration::from_hours(24);

    /// The state at `now` of a window whose 24 hours count from `from`.
    pub fn at(now: Timestamp, from: Option<Timestamp>) -> Self {
        let Some(from) = from else { return Self::None };
        // One that begins later than now was opened before the clock was put back; it is open no longer for that.
        let end = from.min(now).saturating_add(Self::LENGTH).unwrap_or(Timestamp::MAX);
        match u64::try_from(end.duration_since(now).as_secs()) {
            Ok(seconds) if now < end => Self::Open { until: end, minutes: seconds / 60 },
            _ => Self::Expired { since: end },
        }
    }

    /// Whether freeform messages may be sent.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Open { .. })
    }
}

impl From<WindowState> for WindowStatus {
    fn from(window: WindowState) -> Self {
        let open = window.is_open();
        let status = Self {
            is_open: open.into(),
            can_send_freeform: open.into(),
            requires_template: (!open).into(),
            ..Self::default()
        };
        match window {
            WindowState::None => Self {
                message: "No conversation exists with this recipient. Send a template message first.".to_owned().into(),
                expires_at: Field::Known(None),
                ..status
            },
            WindowState::Open { until, minutes } => Self {
                message: format!(
                    "Session open ({} hr {} min remaining). Unlimited free-form messages allowed.",
                    minutes / 60,
                    minutes % 60
                )
                .into(),
                minutes_remaining: minutes.into(),
                expires_at: Some(OffsetTimestamp(until)).into(),
                ..status
            },
            WindowState::Expired { since } => Self {
                message: "Session expired. Send a template or wait for customer to reply.".to_owned().into(),
                expired_at: OffsetTimestamp(since).into(),
                ..status
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> WindowState {
        WindowState::at(Timestamp::from_second(seconds).unwrap(), Some(Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn a_window_is_open_for_24_hours_and_not_a_moment_longer() {
        let end = Timestamp::from_second(86_400).unwrap();
        assert_eq!(at(0), WindowState::Open { until: end, minutes: 1440 });
        assert_eq!(at(59), WindowState::Open { until: end, minutes: 1439 });
        assert_eq!(at(86_399), WindowState::Open { until: end, minutes: 0 });
        assert_eq!(at(86_400), WindowState::Expired { since: end });
    }

    #[test]
    fn a_window_at_the_end_of_time_is_no_panic() {
        assert!(WindowState::at(Timestamp::MIN, Some(Timestamp::MAX)).is_open());
        assert!(!WindowState::at(Timestamp::MAX, Some(Timestamp::MAX)).is_open());
        assert!(!WindowState::at(Timestamp::MAX, Some(Timestamp::MIN)).is_open());
    }
}
