//! The time on every answer, by the service's own clock: a caller may ask for nothing else to learn what it shows.

use axum::http::HeaderValue;
use axum::http::header::DATE;
use axum::response::Response;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;

/// Dates an answer. Where there is a date already, hyper adds none of the system's clock.
pub fn date(response: &mut Response, now: Timestamp) {
    if let Some(now) = imf_fixdate(now) {
        response.headers_mut().insert(DATE, now);
    }
}

/// As RFC 9110 has it; none before the year 0.
fn imf_fixdate(time: Timestamp) -> Option<HeaderValue> {
    HeaderValue::try_from(DateTimePrinter::new().timestamp_to_rfc9110_string(&time).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_time_has_a_date_or_none_and_no_panic() {
        let at = |time: Timestamp| imf_fixdate(time).map(|date| date.to_str().unwrap().to_owned());
        assert_eq!(at(Timestamp::UNIX_EPOCH).as_deref(), Some("Thu, 01 Jan 1970 00:00:00 GMT"));
        assert!(at(Timestamp::MAX).unwrap().ends_with("Dec 9999 22:00:00 GMT"));
        assert_eq!(at(Timestamp::MIN), None);
    }
}
