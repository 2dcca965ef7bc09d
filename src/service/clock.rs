//! The service's clock: the system's, or one that stands still, and in a sandbox moved on by hand.

use jiff::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Tells the time to the whole service. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The time at which it stands; `None` follows the system.
    fixed: Option<Timestamp>,
    steady: Steady,
    offset_micros: AtomicI64,
    moved: Notify,
}

impl Clock {
    /// Follows the clock of the system.
    pub fn system() -> Self {
        Self::new(None)
    }

    /// Stands at a time until it is moved on.
    pub fn fixed(time: Timestamp) -> Self {
        Self::new(Some(time))
    }

    fn new(fixed: Option<Timestamp>) -> Self {
        let steady = Steady(Mutex::new((Timestamp::now(), Instant::now())));
        Self(Arc::new(Inner { fixed, steady, offset_micros: AtomicI64::new(0), moved: Notify::new() }))
    }

    /// The start of the year 9000. It shows nothing later, so that whatever is due later than now has a time as well.
    pub const LATEST: Timestamp = Timestamp::constant(221_845_392_000, 0);

    /// The time, to the microsecond.
    pub fn now(&self) -> Timestamp {
        let micros = self.base().saturating_add(self.0.offset_micros.load(Ordering::Relaxed));
        Timestamp::from_microsecond(micros).map_or(Self::LATEST, |now| now.min(Self::LATEST))
    }

    /// The time before it was moved on by hand, in microseconds.
    fn base(&self) -> i64 {
        let now = || self.0.steady.at(Timestamp::now(), Instant::now());
        self.0.fixed.unwrap_or_else(now).as_microsecond()
    }

    /// Moves it on; it never goes back. False where that would lead beyond [`Self::LATEST`]: it stays as it is.
    pub fn advance(&self, by: Duration) -> bool {
        let most = Self::LATEST.as_microsecond().saturating_sub(self.base());
        let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        let add = |offset: i64| offset.checked_add(by).filter(|offset| *offset <= most);
        let moved = self.0.offset_micros.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok();
        self.0.moved.notify_waiters();
        moved
    }

    /// How far it was moved on, in microseconds.
    pub fn offset_micros(&self) -> i64 {
        self.0.offset_micros.load(Ordering::Relaxed)
    }

    /// Moves it on as far as it had been before, unless it is further.
    pub fn restore(&self, offset_micros: i64) {
        self.0.offset_micros.fetch_max(offset_micros, Ordering::Relaxed);
        self.0.moved.notify_waiters();
    }

    /// Like [`Self::until`]; for ever where nothing is due.
    pub async fn until_any(&self, due: Option<Timestamp>) {
        match due {
            Some(due) => self.until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Waits until the clock shows `due`, however it gets there.
    pub async fn until(&self, due: Timestamp) {
        loop {
            let moved = self.0.moved.notified();
            let left = due.as_microsecond().saturating_sub(self.now().as_microsecond());
            let Ok(left @ 1..) = u64::try_from(left) else { return };
            if self.0.fixed.is_some() {
                moved.await;
            } else {
                tokio::select! {
                    () = moved => {}
                    () = tokio::time::sleep(Duration::from_micros(left)) => {}
                }
            }
        }
    }
}

/// The time of the system without its steps back, which would keep what is due waiting: it goes on as if there had been
/// none, until the system's clock is ahead again.
#[derive(Debug)]
struct Steady(Mutex<(Timestamp, Instant)>);

impl Steady {
    fn at(&self, wall: Timestamp, now: Instant) -> Timestamp {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (time, read) = *last;
        let steady = time.saturating_add(now.saturating_duration_since(read)).unwrap_or(Timestamp::MAX);
        if wall < steady {
            return steady;
        }
        *last = (wall, now);
        wall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn a_step_back_of_the_system_is_no_step_back_and_no_stand_still() {
        let (start, read) = (Timestamp::from_second(10_000).unwrap(), Instant::now());
        let steady = Steady(Mutex::new((start, read)));
        let at = |wall: i64, seconds: u64| {
            let time = steady.at(Timestamp::from_second(wall).unwrap(), read + Duration::from_secs(seconds));
            time.as_second()
        };
        assert_eq!(at(10_010, 10), 10_010);
        // An hour back.
        assert_eq!(at(6_411, 11), 10_011);
        assert_eq!(at(6_420, 20), 10_020);
        // The machine slept, or its clock was put right.
        assert_eq!(at(20_000, 21), 20_000);
        assert_eq!(at(20_001, 22), 20_001);
    }

    #[test]
    fn a_clock_that_stands_moves_only_when_it_is_moved() {
        let start: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
        let clock = Clock::fixed(start);
        assert_eq!(clock.now(), start);
        clock.clone().advance(Duration::from_secs(86_400));
        assert_eq!(clock.now().to_string(), "2026-11-22T09:00:00Z");
    }

    #[test]
    fn the_end_of_time_is_no_panic() {
        let clock = Clock::fixed(Timestamp::UNIX_EPOCH);
        assert!(!clock.advance(Duration::MAX));
        assert_eq!(clock.now(), Timestamp::UNIX_EPOCH);
        let all = Duration::from_secs(Clock::LATEST.as_second().unsigned_abs());
        assert!(clock.advance(all) && !clock.advance(Duration::from_micros(1)));
        assert_eq!(clock.now().to_string(), "9000-01-01T00:00:00Z");
        clock.restore(i64::MAX);
        assert_eq!(clock.now(), Clock::LATEST);
    }

    #[test]
    fn waiting_ends_when_the_clock_is_moved_past_what_was_waited_for() {
        let clock = Clock::fixed(Timestamp::UNIX_EPOCH);
        let mut wait = Box::pin(clock.until(Timestamp::from_second(60).unwrap()));
        assert_eq!((&mut wait).now_or_never(), None);
        clock.advance(Duration::from_secs(59));
        assert_eq!((&mut wait).now_or_never(), None);
        clock.advance(Duration::from_secs(1));
        assert_eq!((&mut wait).now_or_never(), Some(()));
    }
}
