//! The time left in a window, formatted, with the moment at which the text changes.

use super::Window;
use jiff::Timestamp;
use std::fmt;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);

/// Comfortable from here on.
const CALM: Duration = Duration::from_secs(4 * 3600);
/// A warning below this.
pub const WARNING: Duration = HOUR;
/// Urgent below this: the countdown shows seconds.
pub const URGENT: Duration = Duration::from_secs(600);

/// What is left of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remaining {
    /// Open for this long, never zero.
    Open(Duration),
    /// Expired this long ago; `None` if unknown.
    Expired(Option<Duration>),
    /// Never opened.
    None,
}

/// How urgent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It is closed.
    Closed,
    /// Open for four hours or more.
    Calm,
    /// Open for an hour or more.
    Normal,
    /// Open for less than an hour.
    Warning,
    /// Open for less than ten minutes.
    Urgent,
}

impl Remaining {
    /// What is left of a window at `now` of the server's clock.
    pub fn of(window: Window, now: Timestamp) -> Self {
        let since = |then: Timestamp| Duration::try_from(now.duration_since(then)).unwrap_or_default();
        match window.at(now) {
            Window::Open { expires } => {
                // An open window is one that expires later than now.
                Self::Open(Duration::try_from(expires.duration_since(now)).unwrap_or(Duration::MAX))
            }
            Window::Expired { since: then } => Self::Expired(then.map(since)),
            Window::None => Self::None,
        }
    }

    /// Its urgency.
    pub fn level(self) -> Level {
        match self {
            Self::Open(left) if left >= CALM => Level::Calm,
            Self::Open(left) if left >= WARNING => Level::Normal,
            Self::Open(left) if left >= URGENT => Level::Warning,
            Self::Open(_) => Level::Urgent,
            Self::Expired(_) | Self::None => Level::Closed,
        }
    }

    /// The label: "open", "closes in", "expired", "none yet".
    pub fn state(self) -> &'static str {
        match self {
            Self::Open(left) if left >= WARNING => "open",
            Self::Open(_) => "closes in",
            Self::Expired(_) => "expired",
            Self::None => "none yet",
        }
    }

    /// The figure: "22 h 05", "31 min", "7:41", "2 h ago"; empty if there is none.
    pub fn figure(self) -> String {
        match self {
            Self::Open(left) => {
                let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
                match self.level() {
                    Level::Urgent => format!("{minutes}:{seconds:02}"),
                    Level::Warning => format!("{minutes} min"),
                    _ => format!("{} h {:02}", minutes / 60, minutes % 60),
                }
            }
            Self::Expired(Some(ago)) => {
                let seconds = ago.as_secs();
                match seconds {
                    0..60 => "just now".to_owned(),
                    60..3_600 => format!("{} min ago", seconds / 60),
                    3_600..86_400 => format!("{} h ago", seconds / 3_600),
                    86_400..172_800 => "1 day ago".to_owned(),
                    _ => format!("{} days ago", seconds / 86_400),
                }
            }
            Self::Expired(None) | Self::None => String::new(),
        }
    }

    /// The step in which the figure counts.
    fn step(self) -> Option<Duration> {
        Some(match self {
            Self::Open(left) if left >= URGENT => MINUTE,
            Self::Open(_) => SECOND,
            Self::Expired(Some(ago)) if ago < HOUR => MINUTE,
            Self::Expired(Some(ago)) if ago < DAY => HOUR,
            Self::Expired(Some(_)) => DAY,
            Self::Expired(None) | Self::None => return None,
        })
    }

    /// Time until label, figure or urgency change; `None` if they never do.
    pub fn changes_in(self) -> Option<Duration> {
        let step = self.step()?;
        let past = |span: Duration| Duration::from_nanos(u64::try_from(span.as_nanos() % step.as_nanos()).unwrap_or(0));
        match self {
            // Within its last second: it expires.
            Self::Open(left) if left < SECOND => Some(left),
            // The figure is of what is still whole, so it changes just after that.
            Self::Open(left) => Some(past(left) + Duration::from_nanos(1)),
            Self::Expired(ago) => Some(step.saturating_sub(past(ago?))),
            Self::None => None,
        }
    }

    /// The part of the 24 hours that is left, in steps out of `of`: 0 if closed, at least 1 if open. Changes only together
    /// with the figure.
    pub fn steps(self, of: u16) -> u16 {
        let Self::Open(left) = self else { return 0 };
        let minutes = (left.as_secs() / 60).min(1440);
        let steps = (minutes * u64::from(of)).div_ceil(1440).max(1);
        u16::try_from(steps).unwrap_or(of).min(of)
    }
}

impl fmt::Display for Remaining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = self.figure();
        f.write_str(self.state())?;
        if figure.is_empty() { Ok(()) } else { write!(f, " {figure}") }
    }
}

/// A threshold, formatted: "10 min", "1 h", "1 h 30 min".
pub fn span(span: Duration) -> String {
    let minutes = span.as_secs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::SessionStatus;
    use jiff::tz::Offset;
    use proptest::prelude::*;
    use serde_json::json;

    fn said(window: Remaining) -> String {
        window.to_string()
    }

    const fn left(seconds: u64) -> Remaining {
        Remaining::Open(Duration::from_secs(seconds))
    }

    #[test]
    fn what_is_left_is_said_as_people_say_it() {
        let open: Vec<_> = [86_400, 79_500, 14_400, 3600, 3599, 1860, 600, 599, 461, 1].map(|s| said(left(s))).into();
        assert_eq!(
            open,
            [
                "open 24 h 00",
                "open 22 h 05",
                "open 4 h 00",
                "open 1 h 00",
                "closes in 59 min",
                "closes in 31 min",
                "closes in 10 min",
                "closes in 9:59",
                "closes in 7:41",
                "closes in 0:01"
            ]
        );
        let ago = |seconds| said(Remaining::Expired(Some(Duration::from_secs(seconds))));
        assert_eq!(
            [0, 60, 7_300, 90_000, 200_000].map(ago),
            ["expired just now", "expired 1 min ago", "expired 2 h ago", "expired 1 day ago", "expired 2 days ago"]
        );
        assert_eq!([Remaining::Expired(None), Remaining::None].map(said), ["expired", "none yet"]);
    }

    #[test]
    fn it_matters_more_the_less_is_left() {
        use Level::{Calm, Normal, Urgent, Warning};
        let levels = [14_400, 14_399, 3_600, 3_599, 600, 599].map(|seconds| left(seconds).level());
        assert_eq!(levels, [Calm, Normal, Normal, Warning, Warning, Urgent]);
        assert_eq!(Remaining::None.level(), Level::Closed);
    }

    #[test]
    fn the_gauge_is_full_at_first_and_shows_something_to_the_last() {
        assert_eq!([86_400, 43_200, 60, 1].map(|seconds| left(seconds).steps(64)), [64, 32, 1, 1]);
        assert_eq!(left(200_000).steps(64), 64);
        assert_eq!(Remaining::Expired(None).steps(64), 0);
    }

    #[test]
    fn thresholds_are_said_as_people_say_them() {
        assert_eq!([10, 60, 90].map(|minutes| span(MINUTE * minutes)), ["10 min", "1 h", "1 h 30 min"]);
    }

    fn at(nanos: i128) -> Timestamp {
        Timestamp::from_nanosecond(1_800_000_000_000_000_000 + nanos).unwrap()
    }

    /// The window of an answer whose server writes its time in some zone.
    fn told(expires: Timestamp, is_open: bool, zone: i8) -> Window {
        let text = expires.display_with_offset(Offset::constant(zone)).to_string();
        let window = json!({"is_open": is_open, "expires_at": is_open.then_some(&text), "expired_at": text});
        let status: SessionStatus =
            serde_json::from_value(json!({"has_conversation": true, "session_status": window})).unwrap();
        Window::read(&status, expires).unwrap()
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn the_words_hold_until_they_say_they_change(
            second in 0i64..200_000, nanos in -90_000_000_000_000i128..200_000_000_000_000, zone in -12i8..=12,
            skew in -1_000_000_000_000i128..1_000_000_000_000,
        ) {
            let expires = at(i128::from(second) * 1_000_000_000);
            // Whatever the zone of the answer is, and however far the server's clock is off.
            let now = |later: i128| at(i128::from(second) * 1_000_000_000 + nanos + skew + later);
            let window = told(expires, true, zone);
            let seen = |later| {
                let remaining = Remaining::of(window, now(later));
                (remaining.to_string(), remaining.level(), remaining.steps(64))
            };
            let change = Remaining::of(window, now(0)).changes_in().unwrap();
            prop_assert!(!change.is_zero());
            let change = i128::try_from(change.as_nanos()).unwrap();
            prop_assert_eq!(seen(0), seen(change - 1));
            prop_assert_eq!(seen(0), seen(change / 2));
            prop_assert_ne!(seen(0), seen(change));
        }

        #[test]
        fn the_zone_in_which_a_server_writes_makes_no_difference(second in 0i64..200_000, zone in -12i8..=12, open: bool) {
            let expires = at(i128::from(second) * 1_000_000_000);
            prop_assert_eq!(told(expires, open, zone), told(expires, open, 0));
        }
    }
}
