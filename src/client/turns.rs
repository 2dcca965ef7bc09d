//! The pace of sending: the client keeps under the service's limit by itself.

use crate::api::messaging::SENDS_PER_SECOND;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep_until};

/// How long a turn stays taken after its answer: the second that the service counts, and a little for clocks that differ.
const SPAN: Duration = Duration::from_millis(1_020);

/// As many turns as the service lets messages in within a second. The service counts a message somewhere between its
/// leaving and its answer, and a turn is free again a second after the answer. So however long anything travels, no second
/// of the service's holds more than the limit.
#[derive(Debug)]
pub(super) struct Turns {
    free: Semaphore,
    /// From when each free turn may be used.
    from: Mutex<Vec<Instant>>,
}

/// The right to send one message. It is given back when it is dropped.
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    _permit: Option<SemaphorePermit<'a>>,
}

impl Turns {
    /// All are free.
    pub(super) fn new() -> Self {
        Self { free: Semaphore::new(SENDS_PER_SECOND), from: Mutex::new(vec![Instant::now(); SENDS_PER_SECOND]) }
    }

    /// Waits for a turn, in the order of asking.
    pub(super) async fn next(&self) -> Turn<'_> {
        // The semaphore is never closed, so there always is a permit.
        let permit = self.free.acquire().await.ok();
        let from = self.take_earliest();
        // From here on it is given back, whatever happens to the wait.
        let turn = Turn { turns: self, _permit: permit };
        sleep_until(from).await;
        turn
    }

    fn take_earliest(&self) -> Instant {
        let mut from = self.from();
        let earliest = (0..from.len()).min_by_key(|at| from[*at]);
        // A time is put back before its permit is, so there are as many as permits at least.
        earliest.map_or_else(Instant::now, |at| from.swap_remove(at))
    }

    fn from(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.from.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.turns.from().push(Instant::now() + SPAN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::time::sleep;

    #[tokio::test(start_paused = true)]
    async fn no_second_of_the_service_holds_more_than_its_limit_however_long_messages_travel() {
        let turns = Arc::new(Turns::new());
        let arrivals = Arc::new(Mutex::new(Vec::new()));
        let mut rng = fastrand::Rng::with_seed(5);
        let mut senders = Vec::new();
        for _ in 0..200 {
            let mut travel = || Duration::from_millis(if rng.u8(..) < 64 { rng.u64(0..1_500) } else { rng.u64(0..40) });
            let (there, back) = (travel(), travel());
            let (turns, arrivals) = (Arc::clone(&turns), Arc::clone(&arrivals));
            senders.push(tokio::spawn(async move {
                let _turn = turns.next().await;
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
    async fn turns_are_used_as_fast_as_the_limit_lets_them() {
        let (turns, began) = (Turns::new(), Instant::now());
        for _ in 0..30 {
            let _turn = turns.next().await;
        }
        let took = began.elapsed();
        assert!(took >= SPAN * 5 && took < SPAN * 5 + Duration::from_millis(20), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_that_nobody_waits_for_any_more_is_not_lost() {
        let turns = Turns::new();
        for _ in 0..20 {
            for _ in 0..SENDS_PER_SECOND {
                drop(turns.next().await);
            }
            assert!(tokio::time::timeout(Duration::from_millis(1), turns.next()).await.is_err());
        }
        turns.next().await;
    }
}
