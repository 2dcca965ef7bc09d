//! The service's clock: the system's, or one that stands still, and in a sandbox moved on by hand.

use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// Tells the time to the whole service. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The time at which it stands; `None` follows the system.
    fixed: Option<Timestamp>,
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
        Self(Arc::new(Inner { fixed, offset_micros: AtomicI64::new(0), moved: Notify::new() }))
    }

    /// The time, to the microsecond.
    pub fn now(&self) -> Timestamp {
        let base = self.0.fixed.unwrap_or_else(Timestamp::now).as_microsecond();
        let micros = base.saturating_add(self.0.offset_micros.load(Ordering::Relaxed));
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MAX)
    }

    /// Moves it on; it never goes back.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        let add = |offset: i64| Some(offset.saturating_add(by));
        // The closure never refuses, so neither does the update.
        let _ = self.0.offset_micros.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

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
        let clock = Clock::system();
        clock.advance(Duration::MAX);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp::MAX);
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
