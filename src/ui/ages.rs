//! Times as people say them, and when what they say changes next.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How long ago something was, in steps that are coarse enough not to fidget: ten seconds, a minute, an hour, a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    seconds: u64,
}

impl Age {
    /// The age of `then` at `now`; what lies ahead (a clock that is off) counts as this moment.
    pub fn between(then: Timestamp, now: Timestamp) -> Self {
        Self { seconds: u64::try_from(now.duration_since(then).as_secs()).unwrap_or(0) }
    }

    /// The age of something that lasted this long.
    pub fn of(span: Duration) -> Self {
        Self { seconds: span.as_secs() }
    }

    fn step(self) -> u64 {
        match self.seconds {
            0..MINUTE => 10,
            MINUTE..HOUR => MINUTE,
            HOUR..DAY => HOUR,
            _ => DAY,
        }
    }

    /// Seconds until [`Age::to_string`] says something else.
    pub fn changes_in(self) -> Duration {
        Duration::from_secs(self.step() - self.seconds % self.step())
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ages_are_said_as_people_say_them() {
        let said: Vec<String> = [0, 9, 12, 59, 60, 3599, 3600, 86_399, 86_400, 200_000]
            .map(|seconds| Age::of(Duration::from_secs(seconds)).to_string())
            .into();
        assert_eq!(
            said,
            [
                "just now",
                "just now",
                "10 s ago",
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
    fn days_are_named_in_the_users_zone() {
        let zone = TimeZone::get("Asia/Tokyo").unwrap();
        let now: Timestamp = "2026-11-21T15:30:00Z".parse().unwrap();
        assert_eq!(date_and_time("2026-11-21T15:01:00Z".parse().unwrap(), now, &zone), "today 00:01");
        assert_eq!(date_and_time("2026-11-21T14:59:00Z".parse().unwrap(), now, &zone), "yesterday 23:59");
        assert_eq!(date_and_time("2026-11-01T00:00:00Z".parse().unwrap(), now, &zone), "1 Nov 2026 09:00");
    }

    proptest! {
        #[test]
        fn an_age_holds_until_it_says_it_changes(seconds in 0u64..10_000_000) {
            let age = Age::of(Duration::from_secs(seconds));
            let wait = age.changes_in().as_secs();
            prop_assert!(wait > 0);
            let before = Age::of(Duration::from_secs(seconds + wait - 1)).to_string();
            prop_assert_eq!(age.to_string(), before);
            let after = Age::of(Duration::from_secs(seconds + wait)).to_string();
            prop_assert_ne!(age.to_string(), after);
        }
    }
}
