//! Limits and validation rules (spec: Limits), one function a rule; the sentences are those of the API.

use super::ErrorBody;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use url::Url;

/// Fewest rows a page.
pub const PER_PAGE_MIN: u32 = 1;
/// Most rows a page.
pub const PER_PAGE_MAX: u32 = 100;
/// Rows a page where none are asked for.
pub const PER_PAGE_DEFAULT: u32 = 15;
/// Longest label of an API key, in characters (ours: the spec gives none).
pub const API_KEY_NAME_MAX: usize = 255;

/// Longest message of a chat, in characters.
pub const CHAT_MESSAGE_MAX: usize = 2000;
/// Longest name or description of most things, in characters.
pub const TEXT_MAX: usize = 255;
/// Longest URL, in characters.
pub const URL_MAX: usize = 2048;

/// What a phone number in E.164 matches.
pub const E164_PATTERN: &str = r"^\+[1-9][0-9]{7,14}$";

/// The name of a field on the wire.
pub type Field = Cow<'static, str>;

/// A fault of one field: its name on the wire and a sentence about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct Fault {
    /// The field's name on the wire; inside of lists with its place, e.g. `headers.0.name`.
    pub field: Field,
    /// What is wrong with it, for people.
    pub sentence: String,
}

impl Fault {
    /// A fault in words of its own.
    pub fn new(field: impl Into<Field>, sentence: impl Into<String>) -> Self {
        Self { field: field.into(), sentence: sentence.into() }
    }
}

impl From<Fault> for ErrorBody {
    fn from(fault: Fault) -> Self {
        Self::invalid(&fault.field, fault.sentence)
    }
}

/// A field's name as its sentences say it: `assistant_id` is "assistant id".
pub fn spoken(field: &str) -> String {
    field.replace('_', " ")
}

/// The fault of a required field that is missing, null or empty.
pub fn required(field: impl Into<Field>) -> Fault {
    let field = field.into();
    let sentence = format!("The {} field is required.", spoken(&field));
    Fault::new(field, sentence)
}

/// The fault of a value of the wrong kind: `what` is "a string", "an integer" …
pub fn must_be(field: impl Into<Field>, what: &str) -> Fault {
    let field = field.into();
    let sentence = format!("The {} must be {what}.", spoken(&field));
    Fault::new(field, sentence)
}

/// The fault of a word that is none of those the API lists.
pub fn not_listed(field: impl Into<Field>) -> Fault {
    let field = field.into();
    let sentence = format!("The selected {} is invalid.", spoken(&field));
    Fault::new(field, sentence)
}

/// A text of at most `max` characters (Unicode scalar values).
///
/// # Errors
/// The fault, where the text is longer.
pub fn at_most(field: impl Into<Field>, text: &str, max: usize) -> Result<(), Fault> {
    if text.chars().count() > max {
        let field = field.into();
        let sentence = format!("The {} may not be greater than {max} characters.", spoken(&field));
        return Err(Fault::new(field, sentence));
    }
    Ok(())
}

/// A text that says something and has at most `max` characters.
///
/// # Errors
/// The fault, where the text is blank or longer.
pub fn filled(field: impl Into<Field>, text: &str, max: usize) -> Result<(), Fault> {
    let field = field.into();
    if text.trim().is_empty() { Err(required(field)) } else { at_most(field, text, max) }
}

/// A whole number within bounds.
///
/// # Errors
/// The fault, where it lies outside.
pub fn between(field: impl Into<Field>, number: i64, bounds: &RangeInclusive<i64>) -> Result<(), Fault> {
    if bounds.contains(&number) {
        return Ok(());
    }
    let field = field.into();
    let sentence = format!("The {} must be between {} and {}.", spoken(&field), bounds.start(), bounds.end());
    Err(Fault::new(field, sentence))
}

/// An `http` or `https` URL of at most 2,048 characters.
///
/// # Errors
/// The fault, where the text is anything else.
pub fn web_url(field: impl Into<Field>, text: &str) -> Result<(), Fault> {
    let field = field.into();
    at_most(field.clone(), text, URL_MAX)?;
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(()),
        _ => {
            let sentence = format!("The {} must be a valid URL.", spoken(&field));
            Err(Fault::new(field, sentence))
        }
    }
}

/// The name of an IANA time zone.
///
/// # Errors
/// The fault, where there is no such zone.
pub fn timezone(field: impl Into<Field>, name: &str) -> Result<(), Fault> {
    match TimeZone::get(name) {
        Ok(_) => Ok(()),
        Err(_) => Err(must_be(field, "a valid time zone")),
    }
}

/// A day written `YYYY-MM-DD`, and in no other way.
///
/// # Errors
/// The fault, where it is written otherwise or is no day of the calendar.
pub fn day(field: &'static str, text: &str) -> Result<Date, Fault> {
    let shaped = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    let day = if shaped { text.parse().ok() } else { None };
    day.ok_or_else(|| Fault::new(field, format!("The {} does not match the format YYYY-MM-DD.", spoken(field))))
}

/// Rows a page, 1 to 100.
///
/// # Errors
/// The fault, where the text is no whole number or lies outside the bounds.
pub fn per_page(text: &str) -> Result<u32, Fault> {
    let number: i64 = text.parse().map_err(|_| Fault::new("per_page", "The per page must be an integer."))?;
    match u32::try_from(number) {
        Ok(rows @ PER_PAGE_MIN..=PER_PAGE_MAX) => Ok(rows),
        _ if number < i64::from(PER_PAGE_MIN) => {
            Err(Fault::new("per_page", format!("The per page must be at least {PER_PAGE_MIN}.")))
        }
        _ => Err(Fault::new("per_page", format!("The per page may not be greater than {PER_PAGE_MAX}."))),
    }
}

/// A page number as the API reads it: anything that is no number from 1 on is page 1.
pub fn page(text: &str) -> u64 {
    text.parse().ok().filter(|page| *page >= 1).unwrap_or(1)
}

/// The label of an API key.
///
/// # Errors
/// The fault, where it is empty or too long.
pub fn api_key_name(text: &str) -> Result<(), Fault> {
    if text.trim().is_empty() {
        return Err(required("name"));
    }
    at_most("name", text, API_KEY_NAME_MAX)
}

/// A phone number in E.164: `+` and 8 to 15 digits, the first of them not 0.
///
/// # Errors
/// The fault, where the text is anything else.
pub fn e164(field: &'static str, text: &str) -> Result<(), Fault> {
    let digits = text.strip_prefix('+').unwrap_or_default().as_bytes();
    if (8..=15).contains(&digits.len()) && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit) {
        return Ok(());
    }
    Err(Fault::new(field, format!("The {} must be in E.164 format, e.g. +14155551234.", spoken(field))))
}

/// A customer's message in a chat.
///
/// # Errors
/// The fault, where it is empty or too long.
pub fn chat_message(text: &str) -> Result<(), Fault> {
    if text.trim().is_empty() {
        return Err(required("message"));
    }
    at_most("message", text, CHAT_MESSAGE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn days_are_checked_as_they_are_written() {
        assert!(day("date_from", "2026-02-28").is_ok());
        for wrong in ["2026-02-29", "2026-2-28", "28.02.2026", "", "2026-02-28T00:00", "２０２６-02-28"] {
            assert!(day("date_from", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn urls_are_those_of_the_web() {
        for right in ["https://example.com", "http://127.0.0.1:8080/hook?x=1", "https://münchen.example/ü"] {
            assert_eq!(web_url("webhook_url", right), Ok(()), "{right}");
        }
        for wrong in ["", "example.com", "ftp://example.com", "https://", "mailto:a@b.c", "javascript:alert(1)"] {
            let fault = web_url("webhook_url", wrong).unwrap_err();
            assert_eq!(fault.sentence, "The webhook url must be a valid URL.", "{wrong}");
        }
        let long = format!("https://example.com/{}", "é".repeat(2_028));
        assert_eq!(web_url("webhook_url", &long), Ok(()));
        assert!(web_url("webhook_url", &(long + "é")).is_err());
    }

    #[test]
    fn time_zones_have_the_names_of_the_iana() {
        assert_eq!(timezone("timezone", "Europe/Berlin"), Ok(()));
        for wrong in ["Berlin", "", "Europe/Atlantis"] {
            assert!(timezone("timezone", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_a_page_have_bounds() {
        assert_eq!(per_page("1"), Ok(1));
        assert_eq!(per_page("100"), Ok(100));
        for wrong in ["0", "101", "-1", "ten", "", "1.5"] {
            assert!(per_page(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn odd_pages_are_page_one() {
        for odd in ["0", "-3", "x", "", "1.5"] {
            assert_eq!(page(odd), 1, "{odd}");
        }
        assert_eq!(page("7"), 7);
    }

    #[test]
    fn phone_numbers_are_strictly_e164() {
        for right in ["+14155551234", "+12345678", "+123456789012345", "+4915112345678"] {
            assert_eq!(e164("phone_number", right), Ok(()), "{right}");
        }
        for wrong in
            ["", "+", "14155551234", "+1234567", "+1234567890123456", "+04155551234", "+1 4155551234", "+٤١٥٥٥٥١٢٣"]
        {
            let fault = e164("phone_number", wrong).unwrap_err();
            assert_eq!(fault.sentence, "The phone number must be in E.164 format, e.g. +14155551234.", "{wrong}");
        }
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn every_day_reads_back(year in 1i16..=9999, day_of_year in 1i16..=365) {
            let date = Date::new(year, 1, 1).unwrap().with().day_of_year(day_of_year).build().unwrap();
            prop_assert_eq!(day("date_from", &date.to_string()), Ok(date));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = (day("date_to", &text), per_page(&text), page(&text), api_key_name(&text), e164("x", &text));
        }
    }
}
