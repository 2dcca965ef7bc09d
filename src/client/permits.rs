//! The rate limiter of sends: the client stays below the service's limit.

use crate::api::messaging::SENDS_PER_SECOND;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// How long a permit stays taken after its answer: the second that the service counts, plus a margin for clock drift.
const SPAN: Duration = Duration::from_millis(1_020);

/// As many permits as the service accepts messages within a second. The service counts a message between its departure
/// and its answer, and a permit is free a second after the answer. So no second exceeds the limit, however long a
/// message travels.
#[derive(Debug)]
pub(super) struct RateLimiter {
    free: Semaphore,
    /// From when each free permit may be used.
    from: Mutex<Vec<Instant>>,
}

/// The right to send one message. It is returned when it is dropped.
pub(super) struct Permit<'a> {
    limiter: &'a RateLimiter,
    _permit: Option<SemaphorePermit<'a>>,
}

impl RateLimiter {
    /// All permits are free.
    pub(super) fn new() -> Self {
        Self { free: Semaphore::new(SENDS_PER_SECOND), from: Mutex::new(vec![Instant::now(); SENDS_PER_SECOND]) }
    }

    /// Waits for a permit, first come first served.
    pub(super) async fn permit(&self) -> Permit<'_> {
        // The semaphore is never closed, so there always is one.
        let permit = self.free.acquire().await.ok();
        let from = self.take_earliest();
        // From here on it is returned, also where the wait is dropped.
        let permit = Permit { limiter: self, _permit: permit };
        sleep_until(from).await;
        permit
    }

    fn take_earliest(&self) -> Instant {
        let mut from = self.from();
        let earliest = (0..from.len()).min_by_key(|at| from[*at]);
        // A time is put back before its permit is, so there are at least as many as permits.
        earliest.map_or_else(Instant::now, |at| from.swap_remove(at))
    }

    fn from(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.from.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limiter.from().push(Instant::now() + SPAN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::time::sleep;

    #[tokio::test(start_paused = true)]
    async fn no_second_exceeds_the_limit_however_long_messages_travel() {
        let limiter = Arc::new(RateLimiter::new());
        let arrivals = Arc::new(Mutex::new(Vec::new()));
        let mut rng = fastrand::Rng::with_seed(5);
        let mut senders = Vec::new();
        for _ in 0..200 {
            let mut travel = || Duration::from_millis(if rng.u8(..) < 64 { rng.u64(0..1_500) } else { rng.u64(0..40) });
            let (there, back) = (travel(), travel());
            let (limiter, arrivals) = (Arc::clone(&limiter), Arc::clone(&arrivals));
            senders.push(tokio::spawn(async move {
                let _permit = limiter.permit().await;
                sleep(there).await;
                arrivals.lock().unwrap().push(Instant::now());
                sleep(back).await;
            }));
        }
        for sender in senders {
            sender.await.unwrap();
        }
        let mut arrivals = arrivals.lock().unwrap().clone();
        arrivals.sort();
        assert_eq!(arrivals.len(), 200);
        for (at, begin) in arrivals.iter().enumerate() {
            let within = arrivals[at..].iter().take_while(|time| **time < *begin + Duration::from_secs(1)).count();
            assert!(within <= SENDS_PER_SECOND, "{within} within a second");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn permits_are_given_as_fast_as_the_limit_allows() {
        let (limiter, began) = (RateLimiter::new(), Instant::now());
        for _ in 0..30 {
            let _permit = limiter.permit().await;
        }
        let took = began.elapsed();
        assert!(took >= SPAN * 5 && took < SPAN * 5 + Duration::from_millis(20), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn abandoned_wait_loses_no_permit() {
        let limiter = RateLimiter::new();
        for _ in 0..20 {
            for _ in 0..SENDS_PER_SECOND {
                drop(limiter.permit().await);
            }
            assert!(tokio::time::timeout(Duration::from_millis(1), limiter.permit()).await.is_err());
        }
        limiter.permit().await;
    }
}
