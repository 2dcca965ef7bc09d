//! The server's clock, estimated from its replies, so that a wrong or changed local clock does not affect windows.

use super::Instant;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// The resolution of a `Date` header.
const SECOND: SignedDuration = SignedDuration::from_secs(1);
/// Warn of a local clock that is off by more than this.
const TELLING: SignedDuration = SignedDuration::from_mins(2);

/// When the program's own steady clock was at zero, by the server's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Zero {
    /// Not before.
    earliest: Timestamp,
    /// Not after.
    latest: Timestamp,
    /// The estimate in use; it stays unchanged while it lies between the two.
    at: Timestamp,
}

/// The server's clock, continued by the monotonic clock (`mono`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServerClock(Option<Zero>);

impl ServerClock {
    /// An answer came at `mono`, `took` after its request began, and says that it was `date`, in whole seconds.
    ///
    /// Returns whether the estimate changed.
    pub fn heard(&mut self, date: Timestamp, took: Duration, mono: Instant) -> bool {
        let end = date.checked_add(SECOND).ok();
        let (Some(earliest), Some(latest)) = (mono.start_by(date), end.and_then(|end| (mono - took).start_by(end)))
        else {
            return false;
        };
        let before = self.0;
        // Where the two do not meet, one of the clocks was set, and what was heard before is of no use.
        let (earliest, latest) = before
            .map(|zero| (zero.earliest.max(earliest), zero.latest.min(latest)))
            .filter(|(earliest, latest)| earliest <= latest)
            .unwrap_or((earliest, latest));
        let middle = earliest.checked_add(latest.duration_since(earliest) / 2).unwrap_or(earliest);
        let at = before.map_or(middle, |zero| zero.at.clamp(earliest, latest));
        self.0 = Some(Zero { earliest, latest, at });
        before.map(|zero| zero.at) != Some(at)
    }

    /// The server's time; before the first reply that of the local `wall` clock.
    pub fn now(&self, wall: Timestamp, mono: Instant) -> Timestamp {
        let told = self.0.and_then(|zero| zero.at.checked_add(SignedDuration::try_from(mono.since_start()).ok()?).ok());
        told.unwrap_or(wall)
    }

    /// A warning if the local clock is off by minutes; `None` if it is right or unknown.
    pub fn note(&self, wall: Timestamp, mono: Instant) -> Option<String> {
        self.0?;
        let ahead = wall.duration_since(self.now(wall, mono));
        if ahead.abs() <= TELLING {
            return None;
        }
        // To the nearest: the server's time is known to half a second.
        let minutes = (ahead.abs().as_secs() + 30) / 60;
        let span = match minutes {
            0..120 => format!("{minutes} min"),
            120..2880 => format!("{} h", (minutes + 30) / 60),
            _ => format!("{} days", (minutes + 720) / 1440),
        };
        let side = if ahead.is_negative() { "behind" } else { "ahead of" };
        Some(format!("your clock is {span} {side} the server's"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    const fn s(seconds: u64) -> Instant {
        Instant::after(Duration::from_secs(seconds))
    }

    #[test]
    fn before_any_answer_the_local_clock_is_as_good_as_any() {
        let clock = ServerClock::default();
        assert_eq!(clock.now(time("2026-11-21T12:00:00Z"), s(7)), time("2026-11-21T12:00:00Z"));
        assert_eq!(clock.note(time("2026-11-21T12:00:00Z"), s(7)), None);
    }

    #[test]
    fn a_local_clock_that_is_set_changes_nothing() {
        let mut clock = ServerClock::default();
        assert!(clock.heard(time("2026-11-21T12:00:00Z"), Duration::ZERO, s(10)));
        let now = clock.now(time("1999-01-01T00:00:00Z"), s(70));
        assert_eq!(now, time("2026-11-21T12:01:00.5Z"));
    }

    #[test]
    fn a_server_whose_clock_is_set_is_followed_at_once() {
        let mut clock = ServerClock::default();
        clock.heard(time("2026-11-21T12:00:00Z"), Duration::ZERO, s(10));
        assert!(!clock.heard(time("2026-11-21T12:00:05Z"), Duration::ZERO, s(15)));
        assert!(clock.heard(time("2026-11-22T12:00:00Z"), Duration::ZERO, s(20)));
        let now = clock.now(Timestamp::UNIX_EPOCH, s(20));
        assert!(now.duration_since(time("2026-11-22T12:00:00Z")) <= SECOND, "{now}");
    }

    #[test]
    fn a_local_clock_that_is_off_is_told_in_words() {
        let mut clock = ServerClock::default();
        clock.heard(time("2026-11-21T12:00:00Z"), Duration::ZERO, s(0));
        let said = |wall: &str| clock.note(time(wall), s(0));
        assert_eq!(said("2026-11-21T12:01:30Z"), None);
        assert_eq!(said("2026-11-21T11:57:00Z").as_deref(), Some("your clock is 3 min behind the server's"));
        assert_eq!(said("2026-11-21T17:00:00Z").as_deref(), Some("your clock is 5 h ahead of the server's"));
        assert_eq!(said("2026-11-11T12:00:00Z").as_deref(), Some("your clock is 10 days behind the server's"));
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        /// Answers that take some time and tell whole seconds only: the clock is never off by more than they leave open.
        #[test]
        fn it_is_never_off_by_more_than_the_best_answer_leaves_open(
            skew in -100_000_000i64..100_000_000,
            answers in proptest::collection::vec((0u64..60_000, 0u64..3_000, 0u64..=100), 1..20),
        ) {
            let zero = time("2026-11-21T12:00:00Z").checked_add(SignedDuration::from_millis(skew)).unwrap();
            let at = |mono: Instant| zero.checked_add(SignedDuration::try_from(mono.since_start()).unwrap()).unwrap();
            let (mut clock, mut mono, mut best) = (ServerClock::default(), Instant::START, SignedDuration::MAX);
            for (pause, took, share) in answers {
                let begun = mono + Duration::from_millis(pause);
                let told = Timestamp::from_second(at(begun + Duration::from_millis(took * share / 100)).as_second());
                mono = begun + Duration::from_millis(took);
                clock.heard(told.unwrap(), Duration::from_millis(took), mono);
                best = best.min(SECOND + SignedDuration::from_millis(i64::try_from(took).unwrap()));
                let off = clock.now(Timestamp::UNIX_EPOCH, mono).duration_since(at(mono)).abs();
                prop_assert!(off <= best, "off by {off}, {best} at most");
            }
        }
    }
}
