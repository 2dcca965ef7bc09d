//! When a read is tried again, and after how long.

use super::cause::spell;
use super::{ClientConfig, FailureKind};
use crate::api::ErrorBody;
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use jiff::Timestamp;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// A server that asks for a longer wait than this gets none: the person is told instead.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
const LONGEST_BACKOFF: Duration = Duration::from_secs(4);

/// What follows a failed try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Another try after this wait.
    TryAfter(Duration),
    /// Nothing: trying again cannot help, or has been tried enough.
    GiveUp,
    /// Nothing, since the server asks for a wait that is too long; the reason as the end of a sentence.
    NotWorthWaiting(String),
}

/// The retries that one read has left.
pub(super) struct Retries(Option<ExponentialBackoff>);

impl Retries {
    /// As many as the configuration grants a read.
    pub(super) fn of_read(config: &ClientConfig) -> Self {
        let backoff = ExponentialBuilder::new()
            .with_min_delay(config.min_backoff)
            .with_max_delay(LONGEST_BACKOFF)
            .with_max_times(usize::try_from(config.retries).unwrap_or(usize::MAX))
            .with_jitter();
        Self(Some(backoff.build()))
    }

    /// None: a write is tried exactly once.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// What follows a try that failed like this.
    pub(super) fn next(&mut self, fault: &FailureKind) -> Next {
        let asked = match fault {
            FailureKind::Unreachable(_) | FailureKind::NoAnswer(_) => None,
            FailureKind::Status { status: 429 | 502 | 503 | 504, retry_after, .. } => *retry_after,
            _ => return Next::GiveUp,
        };
        let Some(backoff) = self.0.as_mut().and_then(Iterator::next) else { return Next::GiveUp };
        match asked {
            Some(asked) if asked > LONGEST_WAIT => Next::NotWorthWaiting(format!(
                "the server asks for a wait of {}, longer than the {} that are worth waiting",
                spell(asked),
                spell(LONGEST_WAIT)
            )),
            asked => Next::TryAfter(backoff.max(asked.unwrap_or_default())),
        }
    }
}

/// The wait that an answer asks for, in its `Retry-After` header (seconds or a date) or its body: the longer of the two.
pub(super) fn asked_wait(headers: &HeaderMap, body: Option<&ErrorBody>, now: Timestamp) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let time = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|date| date.timestamp());
    let header = text(RETRY_AFTER).and_then(|asked| {
        if let Ok(seconds) = asked.parse() {
            return Some(Duration::from_secs(seconds));
        }
        // By the server's own clock where it tells it: ours may be off.
        let now = text(DATE).and_then(time).unwrap_or(now);
        time(asked).map(|then| Duration::try_from(then.duration_since(now)).unwrap_or_default())
    });
    let body = match body {
        Some(ErrorBody::Limited { retry_after, .. }) => Some(Duration::from_secs(*retry_after)),
        _ => None,
    };
    header.max(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Token;

    fn retries(count: u32) -> Retries {
        let mut config = ClientConfig::new("http://localhost".parse().unwrap(), Token::new("t"));
        config.retries = count;
        Retries::of_read(&config)
    }

    fn status(status: u16, retry_after: Option<u64>) -> FailureKind {
        FailureKind::Status { status, body: None, retry_after: retry_after.map(Duration::from_secs) }
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn waits_grow_with_jitter_until_the_retries_are_used_up() {
        let mut retries = retries(3);
        for least in [250, 500, 1_000] {
            let Next::TryAfter(wait) = retries.next(&status(503, None)) else { panic!("a retry was left") };
            let least = Duration::from_millis(least);
            assert!((least..=least * 2).contains(&wait), "{wait:?}");
        }
        assert_eq!(retries.next(&status(503, None)), Next::GiveUp);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for fault in [
            FailureKind::Unreachable("connection refused".to_owned()),
            FailureKind::NoAnswer("timed out".to_owned()),
            status(429, None),
            status(502, None),
            status(503, None),
            status(504, None),
        ] {
            assert!(matches!(retries(1).next(&fault), Next::TryAfter(_)), "{fault}");
            assert_eq!(Retries::none().next(&fault), Next::GiveUp, "{fault}");
        }
        for fault in [
            status(400, None),
            status(401, None),
            status(422, None),
            status(500, None),
            FailureKind::Unreadable("x".to_owned()),
            FailureKind::Internal("x".to_owned()),
        ] {
            assert_eq!(retries(1).next(&fault), Next::GiveUp, "{fault}");
        }
    }

    #[test]
    fn the_wait_that_the_server_asks_for_is_kept_up_to_ten_seconds() {
        assert_eq!(retries(1).next(&status(429, Some(7))), Next::TryAfter(Duration::from_secs(7)));
        assert_eq!(retries(1).next(&status(429, Some(10))), Next::TryAfter(Duration::from_secs(10)));
        let Next::NotWorthWaiting(why) = retries(1).next(&status(429, Some(60))) else { panic!("too long") };
        assert!(why.contains("60 s"), "{why}");
    }

    #[test]
    fn an_asked_wait_is_read_from_seconds_from_a_date_and_from_the_body() {
        let now: Timestamp = "2026-11-21T08:00:00Z".parse().unwrap();
        let wait = |pairs: &[_], body: Option<&ErrorBody>| asked_wait(&headers(pairs), body, now).map(|w| w.as_secs());
        let later = ("retry-after", "Sat, 21 Nov 2026 08:00:07 GMT");
        assert_eq!(wait(&[("retry-after", "3")], None), Some(3));
        assert_eq!(wait(&[later], None), Some(7));
        assert_eq!(wait(&[later, ("date", "Sat, 21 Nov 2026 08:00:05 GMT")], None), Some(2));
        assert_eq!(wait(&[("retry-after", "Sat, 21 Nov 2026 07:00:00 GMT")], None), Some(0));
        assert_eq!(wait(&[("retry-after", "soon")], None), None);
        let body = ErrorBody::Limited { message: "Too Many Attempts.".to_owned(), retry_after: 60 };
        assert_eq!(wait(&[], Some(&body)), Some(60));
        assert_eq!(wait(&[("retry-after", "3")], Some(&body)), Some(60));
    }
}
