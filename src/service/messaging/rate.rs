//! The limit of the send operations: so many requests within any one second for each user.
//!
//! Every request that reaches an operation counts, whatever its answer; one that is turned away here does not, so that a
//! caller who goes on knocking gets in again.

use crate::api::messaging::SENDS_PER_SECOND;
use crate::service::http::{ApiError, Caller};
use crate::service::state::State;
use axum::extract::{Request, State as Shared};
use axum::http::HeaderName;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const SPAN: SignedDuration = SignedDuration::from_secs(1);
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// What came of a request's wish to be let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    /// Whether it was.
    pub admitted: bool,
    /// How many more are, at this moment.
    pub remaining: usize,
    /// When the oldest one that counts does so no longer.
    pub reset: Timestamp,
}

/// When each user's requests of the last second were let in.
#[derive(Debug, Default)]
pub struct SendRate(Mutex<HashMap<i64, VecDeque<Timestamp>>>);

impl SendRate {
    /// Lets a user's request in, or turns it away. The clock is read under the lock, so that times are in order.
    pub fn admit(&self, user_id: i64, clock: impl FnOnce() -> Timestamp) -> Admission {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock();
        let times = users.entry(user_id).or_default();
        // Times ahead of the clock are from before it was put back; they would shut the user out until it caught up.
        times.retain(|time| *time <= now && now.duration_since(*time) < SPAN);
        let admitted = times.len() < SENDS_PER_SECOND;
        if admitted {
            times.push_back(now);
        }
        let oldest = times.front().copied().unwrap_or(now);
        let reset = oldest.saturating_add(SPAN).unwrap_or(Timestamp::MAX);
        Admission { admitted, remaining: SENDS_PER_SECOND - times.len(), reset }
    }
}

/// The layer before the send operations: it finds the caller, who is handed on, and counts the request.
///
/// # Errors
/// 401 without a valid token, 429 beyond the limit.
pub async fn limit(Shared(state): Shared<Arc<State>>, caller: Caller, mut request: Request, next: Next) -> Response {
    let mut now = Timestamp::UNIX_EPOCH;
    let admission = state.send_rate.admit(caller.user_id, || {
        now = state.clock.now();
        now
    });
    let mut response = if admission.admitted {
        request.extensions_mut().insert(caller);
        next.run(request).await
    } else {
        ApiError::too_many(Duration::from_secs(wait(now, admission.reset))).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(LIMIT, SENDS_PER_SECOND.into());
    headers.insert(REMAINING, admission.remaining.into());
    headers.insert(RESET, whole_seconds(admission.reset).into());
    response
}

/// Whole seconds to wait, at least one: who waits that long gets in.
fn wait(now: Timestamp, reset: Timestamp) -> u64 {
    let micros = u64::try_from(reset.duration_since(now).as_micros()).unwrap_or_default();
    micros.div_ceil(1_000_000).max(1)
}

/// Seconds since 1970, rounded up.
fn whole_seconds(time: Timestamp) -> i64 {
    time.as_microsecond().div_euclid(1_000_000) + i64::from(time.subsec_nanosecond() != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(micros: i64) -> Timestamp {
        Timestamp::from_microsecond(micros).unwrap()
    }

    fn admitted(rate: &SendRate, at: i64) -> bool {
        rate.admit(1, || micros(at)).admitted
    }

    #[test]
    fn no_second_wherever_it_begins_holds_more_than_the_limit() {
        let rate = SendRate::default();
        let mut let_in = Vec::new();
        let mut rng = fastrand::Rng::with_seed(3);
        let mut now = 0;
        for _ in 0..2_000 {
            now += rng.i64(0..120_000);
            if admitted(&rate, now) {
                let_in.push(now);
            }
        }
        for (at, begin) in let_in.iter().enumerate() {
            let within = let_in[at..].iter().take_while(|time| *time - begin < 1_000_000).count();
            assert!(within <= SENDS_PER_SECOND, "{within} within the second from {begin}");
        }
        // And it is no stricter than that: among so many wishes almost every second is full.
        assert!(let_in.len() > usize::try_from(now / 1_000_000).unwrap() * 4);
    }

    #[test]
    fn a_request_gets_in_as_soon_as_the_oldest_is_a_second_old() {
        let rate = SendRate::default();
        assert!((0..5).all(|at| admitted(&rate, at)));
        assert_eq!(
            rate.admit(1, || micros(999_999)),
            Admission { admitted: false, remaining: 0, reset: micros(1_000_000) }
        );
        assert!(admitted(&rate, 1_000_000));
        assert!(!admitted(&rate, 1_000_000));
    }

    #[test]
    fn users_do_not_take_each_others_turns() {
        let rate = SendRate::default();
        assert!((0..5).all(|_| admitted(&rate, 0)));
        assert_eq!(rate.admit(2, || micros(0)), Admission { admitted: true, remaining: 4, reset: micros(1_000_000) });
    }

    #[test]
    fn a_clock_put_back_shuts_nobody_out() {
        let rate = SendRate::default();
        assert!((0..5).all(|_| admitted(&rate, 3_600_000_000)));
        assert!(admitted(&rate, 0));
    }

    #[test]
    fn threads_share_the_limit_exactly() {
        let rate = SendRate::default();
        let let_in: usize = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| (0..100).filter(|_| admitted(&rate, 7)).count())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(let_in, SENDS_PER_SECOND);
    }

    #[test]
    fn waits_and_resets_are_rounded_up() {
        assert_eq!(wait(micros(0), micros(1_000_000)), 1);
        assert_eq!(wait(micros(999_999), micros(1_000_000)), 1);
        assert_eq!((whole_seconds(micros(1_000_000)), whole_seconds(micros(1_000_001))), (1, 2));
    }
}
