//! Which requests are retried, and after what wait.

use super::cause::spell_wait;
use super::{ClientConfig, FailureKind};
use crate::api::ErrorBody;
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use jiff::Timestamp;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// Too Many Requests.
const TOO_MANY: u16 = 429;

/// Reads wait no longer than this: they fail, and the user decides.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
const LONGEST_BACKOFF: Duration = Duration::from_secs(4);

/// The same for a message.
const LONGEST_WAIT_OF_MESSAGE: Duration = Duration::from_secs(2 * 60);
/// The longest total wait of a message.
const LONGEST_WAITS_OF_MESSAGE: Duration = Duration::from_secs(10 * 60);
/// The shortest wait of a message, and the longest where the server names none.
const BACKOFF_OF_MESSAGE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// What follows a failed try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Another try after this wait.
    TryAfter(Duration),
    /// None: a retry cannot help, or the retries are used up.
    GiveUp,
    /// None, because the server asks for a wait that is too long; the reason, as the end of a sentence.
    NotWorthWaiting(String),
}

/// The remaining retries of a request.
pub(super) struct Retries(Kind);

enum Kind {
    None,
    Read(ExponentialBackoff),
    Message { backoff: ExponentialBackoff, left_to_wait: Duration },
}

impl Retries {
    /// As many as the configuration grants a read.
    pub(super) fn of_read(config: &ClientConfig) -> Self {
        let backoff = ExponentialBuilder::new()
            .with_min_delay(config.min_backoff)
            .with_max_delay(LONGEST_BACKOFF)
            .with_max_times(usize::try_from(config.retries).unwrap_or(usize::MAX))
            .with_jitter();
        Self(Kind::Read(backoff.build()))
    }

    /// None: a write is sent once.
    pub(super) fn none() -> Self {
        Self(Kind::None)
    }

    /// Those of a message, which is retried only after 429.
    pub(super) fn of_message() -> Self {
        let (least, most) = BACKOFF_OF_MESSAGE;
        let backoff = ExponentialBuilder::new().with_min_delay(least).with_max_delay(most).without_max_times();
        Self(Kind::Message { backoff: backoff.build(), left_to_wait: LONGEST_WAITS_OF_MESSAGE })
    }

    /// What follows a try that failed like this.
    pub(super) fn next(&mut self, fault: &FailureKind) -> Next {
        match &mut self.0 {
            Kind::None => Next::GiveUp,
            Kind::Read(backoff) => {
                let asked = match fault {
                    FailureKind::Unreachable(_) | FailureKind::NoAnswer(_) => None,
                    FailureKind::Status { status: TOO_MANY | 502 | 503 | 504, retry_after, .. } => *retry_after,
                    _ => return Next::GiveUp,
                };
                let Some(backoff) = backoff.next() else { return Next::GiveUp };
                wait(backoff, asked, LONGEST_WAIT)
            }
            Kind::Message { backoff, left_to_wait } => {
                if !fault.is_turned_away() {
                    return Next::GiveUp;
                }
                let Some(backoff) = backoff.next() else { return Next::GiveUp };
                let next = wait(backoff, fault.retry_after(), LONGEST_WAIT_OF_MESSAGE);
                let Next::TryAfter(wait) = &next else { return next };
                let Some(left) = left_to_wait.checked_sub(*wait) else {
                    let most = spell_wait(LONGEST_WAITS_OF_MESSAGE);
                    return Next::NotWorthWaiting(format!("the server asks for waits of more than {most} in all"));
                };
                *left_to_wait = left;
                next
            }
        }
    }
}

/// The wait before the next try, where it is not too long.
fn wait(backoff: Duration, asked: Option<Duration>, longest: Duration) -> Next {
    match asked {
        Some(asked) if asked > longest => Next::NotWorthWaiting(format!(
            "the server asks to wait {}, longer than the {} that are worth waiting",
            spell_wait(asked),
            spell_wait(longest)
        )),
        asked => Next::TryAfter(backoff.max(asked.unwrap_or_default())),
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
        let body = (status == TOO_MANY).then(|| ErrorBody::message("Too Many Attempts."));
        FailureKind::Status { status, body, retry_after: retry_after.map(Duration::from_secs) }
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
    fn a_message_is_sent_again_only_where_it_was_turned_away() {
        assert!(matches!(Retries::of_message().next(&status(429, None)), Next::TryAfter(_)));
        for fault in [
            FailureKind::Unreachable("connection refused".to_owned()),
            FailureKind::NoAnswer("timed out".to_owned()),
            FailureKind::Unreadable("x".to_owned()),
            FailureKind::Internal("x".to_owned()),
            status(408, Some(1)),
            status(500, Some(1)),
            status(502, Some(1)),
            status(503, Some(1)),
            status(504, Some(1)),
            FailureKind::Status { status: 429, body: None, retry_after: Some(Duration::from_secs(1)) },
        ] {
            assert_eq!(Retries::of_message().next(&fault), Next::GiveUp, "{fault}");
        }
    }

    #[test]
    fn a_message_waits_as_told_a_second_at_least_and_ten_minutes_in_all() {
        let waits = |asked: Option<u64>| {
            let mut retries = Retries::of_message();
            let mut waits = Vec::new();
            loop {
                match retries.next(&status(429, asked)) {
                    Next::TryAfter(wait) => waits.push(wait.as_secs()),
                    Next::NotWorthWaiting(why) => return (waits, why),
                    Next::GiveUp => panic!("it says why"),
                }
            }
        };
        let (told, why) = waits(None);
        assert_eq!(told[..7], [1, 2, 4, 8, 16, 30, 30]);
        assert!((570..=600).contains(&told.iter().sum::<u64>()), "{told:?}");
        assert!(why.contains("more than 10 min in all"), "{why}");
        assert_eq!(waits(Some(0)).0[..2], [1, 2]);
        assert_eq!(waits(Some(120)).0, [120; 5]);
        let (none, why) = waits(Some(121));
        assert!(none.is_empty() && why.contains("to wait 3 min, longer than the 2 min"), "{why}");
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
