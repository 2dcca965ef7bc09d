//! The three forms of time on the wire. Each type reads and writes its own form and no other.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Declares a timestamp whose wire form is written by `$format`, matches `$shape` and is read by `$read`.
macro_rules! wire_time {
    ($(#[$meta:meta])* $name:ident, $expects:literal, $shape:literal, $format:expr, $read:expr) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub Timestamp);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let format: fn(Timestamp) -> String = $format;
                f.write_str(&format(self.0))
            }
        }

        impl std::str::FromStr for $name {
            type Err = jiff::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let read: fn(&str) -> Result<Timestamp, jiff::Error> = $read;
                read(text).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "pattern": $shape})
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(|_| de::Error::invalid_value(de::Unexpected::Str(&text), &$expects))
            }
        }
    };
}

wire_time! {
    /// `<YYYY-MM-DDTHH:MM:SS.ffffffZ>`: API keys, knowledgebases, documents, assistants and tools.
    IsoTimestamp, "an ISO 8601 UTC time", r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$",
    |time| time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string(),
    str::parse
}

wire_time! {
    /// ISO 8601 with a UTC offset, written as `+00:00`: session status.
    OffsetTimestamp, "an ISO 8601 time with an offset", r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$",
    |time| time.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string(),
    str::parse
}

wire_time! {
    /// `<YYYY-MM-DD HH:MM:SS>` in UTC: the conversation list.
    PlainTimestamp, "a time as YYYY-MM-DD HH:MM:SS", r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$",
    plain,
    |text| DateTime::strptime("%Y-%m-%d %H:%M:%S", text)
        .and_then(|time| Offset::UTC.to_timestamp(time))
}

/// Written by hand: a page has dozens of these, and parsing a format string for each takes a tenth of the page's time.
fn plain(time: Timestamp) -> String {
    let at = Offset::UTC.to_datetime(time);
    let Ok(year) = u16::try_from(at.year()) else { return time.strftime("%Y-%m-%d %H:%M:%S").to_string() };
    let digit = |number: u16| char::from_digit(u32::from(number % 10), 10).unwrap_or('0');
    let mut text = String::with_capacity(19);
    text.extend([1000, 100, 10, 1].map(|unit| digit(year / unit)));
    let rest = [('-', at.month()), ('-', at.day()), (' ', at.hour()), (':', at.minute()), (':', at.second())];
    for (before, number) in rest {
        let number = number.unsigned_abs().into();
        text.extend([before, digit(number / 10), digit(number)]);
    }
    text
}

/// The first microsecond of a day in UTC and that of the next day, as microseconds since 1970.
///
/// The last day that can be represented has no next one; its end is the end of time.
pub fn utc_day_bounds(day: Date) -> (i64, i64) {
    let micros = |date: Date| date.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp().as_microsecond());
    let start = micros(day).unwrap_or(i64::MIN);
    let end = day.tomorrow().and_then(micros).unwrap_or(i64::MAX);
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment() -> Timestamp {
        "2026-03-04T05:06:07.123456Z".parse().unwrap()
    }

    #[test]
    fn each_form_is_written_as_the_spec_shows_it() {
        assert_eq!(IsoTimestamp(moment()).to_string(), "2026-03-04T05:06:07.123456Z");
        assert_eq!(OffsetTimestamp(moment()).to_string(), "2026-03-04T05:06:07+00:00");
        assert_eq!(PlainTimestamp(moment()).to_string(), "2026-03-04 05:06:07");
    }

    #[test]
    fn a_plain_time_is_written_as_its_format_says() {
        for seconds in [-99_999_999_999, -1, 0, 951_782_399, 951_782_400, 253_402_207_199] {
            let time = Timestamp::from_second(seconds).unwrap();
            let formatted = time.strftime("%Y-%m-%d %H:%M:%S").to_string();
            assert_eq!(PlainTimestamp(time).to_string(), formatted);
        }
    }

    #[test]
    fn each_form_reads_what_it_writes() {
        for text in ["2026-03-04T05:06:07.123456Z", "2026-03-04T05:06:07.000000Z"] {
            assert_eq!(text.parse::<IsoTimestamp>().unwrap().to_string(), text);
        }
        assert_eq!("2026-03-04 05:06:07".parse::<PlainTimestamp>().unwrap().to_string(), "2026-03-04 05:06:07");
        assert_eq!(
            "2026-03-04T07:06:07+02:00".parse::<OffsetTimestamp>().unwrap().to_string(),
            "2026-03-04T05:06:07+00:00"
        );
        assert!("yesterday".parse::<PlainTimestamp>().is_err());
    }

    #[test]
    fn a_day_in_utc_is_24_hours_long() {
        let (start, end) = utc_day_bounds("2026-03-29".parse().unwrap());
        assert_eq!(end - start, 86_400_000_000);
    }
}
