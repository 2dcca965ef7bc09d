//! Times as people say them, and when what they say changes next.

use super::message::{Instant, Moment};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Ages are told as of the last full ten seconds, so that a screen full of them changes at once and seldom.
const BEAT: i64 = 10;

/// How long ago something was, in steps that are coarse enough not to fidget: ten seconds, a minute, an hour, a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    seconds: u64,
}

impl Age {
    /// The age of `then` at `now`; what lies ahead (a clock that is off) counts as this moment.
    pub fn between(then: Timestamp, now: Timestamp) -> Self {
        let beat = now.as_second().div_euclid(BEAT) * BEAT;
        let span = beat.saturating_sub(then.as_second());
        Self { seconds: u64::try_from(span).unwrap_or(0) }
    }

    /// How long after `now` the age of `then` is told in other words.
    pub fn changes_in(then: Timestamp, now: Timestamp) -> Duration {
        let Self { seconds } = Self::between(then, now);
        let step = match seconds {
            0..MINUTE => 10,
            MINUTE..HOUR => MINUTE,
            HOUR..DAY => HOUR,
            _ => DAY,
        };
        let next = (seconds / step + 1) * step;
        let at = then.as_second().saturating_add(i64::try_from(next).unwrap_or(i64::MAX));
        let beat = at.saturating_add(BEAT - 1).div_euclid(BEAT) * BEAT;
        let millis = beat.saturating_mul(1000).saturating_sub(now.as_millisecond());
        Duration::from_millis(u64::try_from(millis).unwrap_or(0).max(1))
    }
}

impl std::fmt::Display for Age {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seconds } = *self;
        match seconds {
            0..10 => f.write_str("just now"),
            10..MINUTE => write!(f, "{} s ago", seconds / 10 * 10),
            MINUTE..HOUR => write!(f, "{} min ago", seconds / MINUTE),
            HOUR..DAY => write!(f, "{} h ago", seconds / HOUR),
            DAY..172_800 => f.write_str("1 day ago"),
            _ => write!(f, "{} days ago", seconds / DAY),
        }
    }
}

/// Seconds, rounded up.
pub fn seconds(span: Duration) -> u64 {
    span.as_secs() + u64::from(span.subsec_nanos() > 0)
}

/// When the whole seconds left until then change; `None` where none are left.
pub fn next_second(until: Instant, now: Instant) -> Option<Instant> {
    let left = seconds(until - now);
    (left > 0).then(|| until - Duration::from_secs(left - 1))
}

/// The day and the minute in the user's zone: `today 14:01`, `yesterday 09:30`, `1 Nov 2026 08:15`.
pub fn date_and_time(time: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (then, today) = (time.to_zoned(zone.clone()), now.to_zoned(zone.clone()).date());
    let day = if then.date() == today {
        "today".to_owned()
    } else if today.yesterday().is_ok_and(|yesterday| then.date() == yesterday) {
        "yesterday".to_owned()
    } else {
        then.strftime("%-d %b %Y").to_string()
    };
    format!("{day} {}", then.strftime("%H:%M"))
}

/// How long ago something was, within a day; else day and minute in the user's zone, or the day of another year:
/// `12 min ago`, `20 Nov 14:02`, `3 Jul 2025`.
pub fn age_or_date(time: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let age = Age::between(time, now);
    if age.seconds < DAY {
        return age.to_string();
    }
    let then = time.to_zoned(zone.clone());
    let same_year = then.year() == now.to_zoned(zone.clone()).year();
    then.strftime(if same_year { "%-d %b %H:%M" } else { "%-d %b %Y" }).to_string()
}

/// Hours and minutes in the user's zone.
pub fn time_of_day(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// Hours, minutes and seconds in the user's zone.
pub fn to_the_second(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// Until the next whole minute of the clock.
pub fn until_next_minute(now: Timestamp) -> Duration {
    let into = now.as_millisecond().rem_euclid(60_000);
    Duration::from_millis(u64::try_from(60_000 - into).unwrap_or(60_000))
}

/// A span of work: `84 ms`, `1.2 s`.
pub fn took(span: Duration) -> String {
    match span.as_millis() {
        0 => "<1 ms".to_owned(),
        millis @ 1..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", span.as_secs_f64()),
    }
}

/// A time of today, or the day with it.
pub fn time_today(time: Timestamp, now: Moment, zone: &TimeZone) -> String {
    let said = date_and_time(time, now.wall, zone);
    if said.starts_with("today ") { time_of_day(time, zone) } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    #[test]
    fn ages_are_said_as_people_say_them() {
        let said: Vec<String> = [0, 9, 20, 50, 60, 3590, 3600, 86_390, 86_400, 200_000]
            .map(|seconds| Age::between(at(0), at(seconds)).to_string())
            .into();
        assert_eq!(
            said,
            [
                "just now",
                "just now",
                "20 s ago",
                "50 s ago",
                "1 min ago",
                "59 min ago",
                "1 h ago",
                "23 h ago",
                "1 day ago",
                "2 days ago"
            ]
        );
    }

    #[test]
    fn ages_change_together() {
        let changes = [3, 7, 9].map(|then| at(15) + Age::changes_in(at(then), at(15)));
        assert_eq!(changes, [at(20), at(20), at(20)]);
    }

    #[test]
    fn days_are_named_in_the_users_zone() {
        let zone = TimeZone::get("Asia/Tokyo").unwrap();
        let now: Timestamp = "2026-11-21T15:30:00Z".parse().unwrap();
        assert_eq!(date_and_time("2026-11-21T15:01:00Z".parse().unwrap(), now, &zone), "today 00:01");
        assert_eq!(date_and_time("2026-11-21T14:59:00Z".parse().unwrap(), now, &zone), "yesterday 23:59");
        assert_eq!(date_and_time("2026-11-01T00:00:00Z".parse().unwrap(), now, &zone), "1 Nov 2026 09:00");
    }

    #[test]
    fn what_is_older_than_a_day_is_told_by_its_date() {
        let (zone, now) = (TimeZone::get("Europe/Berlin").unwrap(), "2026-11-21T13:00:00Z".parse().unwrap());
        let said = |then: &str| age_or_date(then.parse().unwrap(), now, &zone);
        assert_eq!(said("2026-11-20T13:00:10Z"), "23 h ago");
        assert_eq!(said("2026-11-20T13:00:00Z"), "20 Nov 14:00");
        assert_eq!(said("2025-12-31T22:59:00Z"), "31 Dec 2025");
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn an_age_holds_until_it_says_it_changes(then in 0i64..100, age in 0i64..10_000_000) {
            let (then, now) = (at(then), at(then + age));
            let wait = i64::try_from(Age::changes_in(then, now).as_secs()).unwrap();
            prop_assert!(wait > 0);
            let said = |seconds: i64| Age::between(then, now + jiff::SignedDuration::from_secs(seconds)).to_string();
            prop_assert_eq!(said(0), said(wait - 1));
            prop_assert_ne!(said(0), said(wait));
        }
    }
}
