//! Days as people write them. They are days of the user's zone; the server knows only those of UTC.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// What to write.
pub const HINT: &str = "today, yesterday, -7d, 11-01, 2026-11-01, or two with .. between";
const NO_DAY: &str = "There is no such day.";
const WRONG: &str = "Write today, yesterday, -7d, 11-01 or 2026-11-01, or a range such as 11-01..11-05.";
const BACKWARDS: &str = "The last day lies before the first one.";
/// Days that can be counted back.
const BACK_MAX: i32 = 36_500;

/// The first and the last day, both included, in the user's zone; `None` where a side is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Days {
    /// The first day.
    pub from: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
}

/// From this moment on, and before that one.
pub type Span = (Option<Timestamp>, Option<Timestamp>);

impl Days {
    /// Reads what was typed; nothing means all days. A month and a day are the last that have been.
    ///
    /// # Errors
    /// What to write instead.
    pub fn parse(typed: &str, today: Date) -> Result<Self, &'static str> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Ok(Self::default());
        }
        let Some((from, until)) = typed.split_once("..") else {
            let from = day(typed, today)?;
            let until = if typed.starts_with('-') { today } else { from };
            return Ok(Self { from: Some(from), until: Some(until) });
        };
        let side = |typed: &str| Some(typed.trim()).filter(|typed| !typed.is_empty()).map(|typed| day(typed, today));
        let days = Self { from: side(from).transpose()?, until: side(until).transpose()? };
        match days {
            Self { from: None, until: None } => Err(WRONG),
            Self { from: Some(from), until: Some(until) } if from > until => Err(BACKWARDS),
            days => Ok(days),
        }
    }

    /// From the start of the first day to the end of the last.
    pub fn span(self, zone: &TimeZone) -> Span {
        let start = |day: Date| day.to_zoned(zone.clone()).ok().map(|start| start.timestamp());
        (self.from.and_then(start), self.until.and_then(|until| start(until.tomorrow().ok()?)))
    }

    /// The first and the last of the UTC days that cover these.
    pub fn in_utc(self, zone: &TimeZone) -> (Option<Date>, Option<Date>) {
        let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
        let (start, end) = self.span(zone);
        let last = end.and_then(|end| end.checked_sub(SignedDuration::from_nanos(1)).ok());
        (start.map(day), last.map(day))
    }

    /// True where the UTC days that cover these hold more than these.
    pub fn is_wider_in_utc(self, zone: &TimeZone) -> bool {
        let (from, until) = self.in_utc(zone);
        Self { from, until }.span(&TimeZone::UTC) != self.span(zone)
    }

    /// In words: `today`, `1 Nov 2026`, `1 Nov 2026 to 5 Nov 2026`, `since 1 Nov 2026`.
    pub fn words(self, today: Date) -> String {
        let word = |day: Date| match day {
            day if day == today => "today".to_owned(),
            day if today.yesterday().is_ok_and(|yesterday| day == yesterday) => "yesterday".to_owned(),
            day => day.strftime("%-d %b %Y").to_string(),
        };
        match (self.from, self.until) {
            (Some(from), Some(until)) if from == until => word(from),
            (Some(from), Some(until)) => format!("{} to {}", word(from), word(until)),
            (Some(from), None) => format!("since {}", word(from)),
            (None, Some(until)) => format!("until {}", word(until)),
            (None, None) => "any day".to_owned(),
        }
    }
}

/// True where the span holds this moment.
pub fn holds((start, end): Span, time: Timestamp) -> bool {
    start.is_none_or(|start| start <= time) && end.is_none_or(|end| time < end)
}

/// True where what was typed may become days by typing on.
pub fn is_half(typed: &str) -> bool {
    let last = typed.rsplit("..").next().unwrap_or(typed).trim();
    let words = ["today", "yesterday"].iter().any(|word| word.starts_with(last));
    let digits = last.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    words || (digits && last.len() < 10)
}

fn day(typed: &str, today: Date) -> Result<Date, &'static str> {
    let lower = typed.trim().to_lowercase();
    let number = |text: &str| text.parse::<i32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    match lower.as_str() {
        "today" => return Ok(today),
        "yesterday" => return today.yesterday().map_err(|_| NO_DAY),
        _ => {}
    }
    if let Some(count) = lower.strip_prefix('-').and_then(|rest| rest.strip_suffix('d')) {
        let back = number(count).filter(|back| *back <= BACK_MAX).ok_or(WRONG)?;
        return today.checked_sub(back.days()).map_err(|_| NO_DAY);
    }
    let parts: Vec<_> = lower.split('-').collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    let numbers: Option<Vec<i32>> = parts.iter().map(|part| number(part)).collect();
    let date = |year: i32, month: i32, day: i32| {
        let (year, month, day) = (i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        Date::new(year, month, day).ok()
    };
    match (&lengths[..], numbers.as_deref()) {
        ([4, 2, 2], Some(&[year, month, day])) => date(year, month, day).ok_or(NO_DAY),
        ([1 | 2, 1 | 2], Some(&[month, day])) => {
            // 29 February may lie some years back.
            let year = i32::from(today.year());
            let past = (0..=8).filter_map(|back| date(year - back, month, day)).find(|day| *day <= today);
            past.ok_or(NO_DAY)
        }
        _ => Err(WRONG),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn date(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn parsed(typed: &str) -> Result<(Option<String>, Option<String>), &'static str> {
        let text = |day: Option<Date>| day.map(|day| day.to_string());
        Days::parse(typed, date("2026-11-21")).map(|days| (text(days.from), text(days.until)))
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        for (typed, from, until) in [
            ("", "", ""),
            ("today", "2026-11-21", "2026-11-21"),
            (" Yesterday ", "2026-11-20", "2026-11-20"),
            ("-7d", "2026-11-14", "2026-11-21"),
            ("11-01", "2026-11-01", "2026-11-01"),
            ("12-24", "2025-12-24", "2025-12-24"),
            ("2-29", "2024-02-29", "2024-02-29"),
            ("2026-11-01", "2026-11-01", "2026-11-01"),
            ("11-01..11-05", "2026-11-01", "2026-11-05"),
            ("-7d .. yesterday", "2026-11-14", "2026-11-20"),
            ("11-01..", "2026-11-01", ""),
            ("..2020-01-01", "", "2020-01-01"),
        ] {
            let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            assert_eq!(parsed(typed), Ok((some(from), some(until))), "{typed}");
        }
        for typed in ["2026-02-30", "13-01", "11-31"] {
            assert_eq!(parsed(typed), Err(NO_DAY), "{typed}");
        }
        for typed in ["soon", "..", "-d", "-7", "1", "2026-1-1", "11-01..x", "+1-+1"] {
            assert_eq!(parsed(typed), Err(WRONG), "{typed}");
        }
        assert_eq!(parsed("11-05..11-01"), Err(BACKWARDS));
    }

    #[test]
    fn local_days_are_covered_by_days_of_utc() {
        let days = Days::parse("today", date("2026-11-21")).unwrap();
        let zone = |name: &str| TimeZone::get(name).unwrap();
        let covered = |zone: &TimeZone| days.in_utc(zone);
        assert_eq!(covered(&zone("Europe/Berlin")), (Some(date("2026-11-20")), Some(date("2026-11-21"))));
        assert_eq!(covered(&zone("America/New_York")), (Some(date("2026-11-21")), Some(date("2026-11-22"))));
        assert_eq!(covered(&TimeZone::UTC), (Some(date("2026-11-21")), Some(date("2026-11-21"))));
        assert!(days.is_wider_in_utc(&zone("Europe/Berlin")) && !days.is_wider_in_utc(&TimeZone::UTC));
    }

    #[test]
    fn half_typed_days_are_not_called_wrong() {
        for half in ["t", "yester", "2026-1", "-", "-7", "11-01..", "11-01..1", "11-01."] {
            assert!(is_half(half), "{half}");
        }
        for whole in ["x", "2026-13-01", "todayy", "-7x"] {
            assert!(!is_half(whole), "{whole}");
        }
    }

    proptest! {
        #[test]
        fn no_moment_of_a_local_day_is_left_out(
            at in 0i64..2_000_000_000, back in 0i32..400, zone in 0usize..5, second in 0i64..86_400
        ) {
            let names = ["Europe/Berlin", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu", "UTC"];
            let zone = TimeZone::get(names[zone]).unwrap();
            let today = Timestamp::from_second(at).unwrap().to_zoned(zone.clone()).date();
            let days = Days::parse(&format!("-{back}d"), today).unwrap();
            let (start, end) = days.span(&zone);
            prop_assert_eq!(start.unwrap().to_zoned(zone.clone()).date(), days.from.unwrap());
            let (from, until) = days.in_utc(&zone);
            let utc = Days { from, until }.span(&TimeZone::UTC);
            prop_assert!(utc.0 <= start && utc.1 >= end);
            // And no day too many is asked for.
            prop_assert!(start.unwrap().duration_since(utc.0.unwrap()) < SignedDuration::from_hours(24));
            prop_assert!(utc.1.unwrap().duration_since(end.unwrap()) < SignedDuration::from_hours(24));
            let moment = start.unwrap() + SignedDuration::from_secs(second.min(80_000));
            prop_assert!(holds((start, end), moment) && holds(utc, moment));
        }

        #[test]
        fn whatever_is_typed_is_read_or_refused(typed in "[-0-9a-z. ]{0,14}|\\PC{0,8}") {
            if let Ok(Days { from: Some(from), until: Some(until) }) = Days::parse(&typed, date("2026-11-21")) {
                prop_assert!(from <= until);
            }
        }
    }
}
