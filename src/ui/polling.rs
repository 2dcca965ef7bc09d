//! When a list is polled: an interval after each reply, less often while its pane is hidden or requests fail.

use super::message::Instant;
use crate::client::Failure;
use std::time::Duration;

/// The first backoff where no interval is set.
const FIRST_BACKOFF: Duration = Duration::from_secs(5);
/// The longest backoff; a server may ask for a longer one with `Retry-After`.
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);
/// The factor of the interval while the pane is hidden.
const HIDDEN_FACTOR: u32 = 6;

/// The poll timer of one list. Times are those of [`super::Moment::mono`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polling {
    every: Option<Duration>,
    paused: bool,
    seen: bool,
    failures: u32,
    answered: Instant,
    /// `None` while a request is in flight, and while polling is off.
    next: Option<Instant>,
}

impl Polling {
    /// Polls at this interval; `None`: manual refresh only.
    pub fn new(every: Option<Duration>) -> Self {
        Self { every, paused: every.is_none(), seen: true, failures: 0, answered: Instant::START, next: None }
    }

    /// True while the user has paused polling, or there is no interval.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The interval while the pane is visible; `None`: manual refresh only.
    pub fn every(&self) -> Option<Duration> {
        self.every
    }

    /// When the next poll is due.
    pub fn next(&self) -> Option<Instant> {
        self.next
    }

    /// True where a poll is due now.
    pub fn is_due(&self, now: Instant) -> bool {
        self.next.is_some_and(|at| at <= now)
    }

    /// The interval in force between a reply and the next poll; `None` while paused.
    pub fn interval(&self) -> Option<Duration> {
        let every = self.every.filter(|_| !self.paused)?;
        Some(if self.seen { every } else { every.saturating_mul(HIDDEN_FACTOR) })
    }

    /// Records a request in flight: the next poll waits for its reply.
    pub fn asked(&mut self) {
        self.next = None;
    }

    /// Records a reply, and ends the backoff.
    pub fn answered(&mut self, at: Instant) {
        (self.failures, self.answered) = (0, at);
        self.next = self.interval().map(|interval| at + interval);
    }

    /// Records a failed request. Automatic polls back off, manual refreshes do not; a refused token stops polling until
    /// the next manual refresh. True for the first failure in a row.
    pub fn failed(&mut self, automatic: bool, failure: &Failure, now: Instant) -> bool {
        let first = self.failures == 0;
        if automatic || first {
            self.failures = self.failures.saturating_add(1);
        }
        let doubled = 2u32.saturating_pow(self.failures.min(8) - 1);
        let pause = self.every.unwrap_or(FIRST_BACKOFF).saturating_mul(doubled).min(LONGEST_BACKOFF);
        let stopped = self.paused || failure.kind.is_unauthenticated();
        self.next = (!stopped).then(|| now + pause.max(failure.kind.retry_after().unwrap_or_default()));
        first
    }

    /// Records a cancelled request.
    pub fn cancelled(&mut self, now: Instant) {
        self.next = self.interval().map(|interval| now + interval);
    }

    /// Pauses polling, or resumes it with a poll at once.
    pub fn toggle(&mut self, now: Instant) {
        self.paused = !self.paused;
        self.next = (!self.paused).then_some(now);
    }

    /// Records whether the pane is visible. A poll that is overdue when it becomes visible is due at once.
    pub fn see(&mut self, seen: bool, now: Instant) {
        if std::mem::replace(&mut self.seen, seen) != seen && self.failures == 0 && self.next.is_some() {
            self.next = self.interval().map(|interval| (self.answered + interval).max(now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{FailureKind, Operation};

    fn status(status: u16, retry_after: Option<Duration>) -> Failure {
        let operation = Some(Operation { method: "GET", path: "/user/tools".to_owned(), body: None });
        Failure { operation, kind: FailureKind::Status { status, body: None, retry_after } }
    }

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const fn at(seconds: u64) -> Instant {
        Instant::after(s(seconds))
    }

    #[test]
    fn hidden_list_is_polled_a_sixth_as_often_and_at_once_when_shown() {
        let mut polling = Polling::new(Some(s(5)));
        polling.answered(at(10));
        polling.see(false, at(11));
        assert_eq!(polling.next(), Some(at(40)));
        polling.see(true, at(30));
        assert_eq!(polling.next(), Some(at(30)));
    }

    #[test]
    fn automatic_polls_back_off_and_manual_refreshes_do_not() {
        let mut polling = Polling::new(Some(s(5)));
        assert!(polling.failed(true, &status(503, None), at(0)));
        assert_eq!(polling.next(), Some(at(5)));
        assert!(!polling.failed(false, &status(503, None), at(1)));
        assert_eq!(polling.next(), Some(at(6)), "r was pressed");
        polling.failed(true, &status(503, None), at(10));
        assert_eq!(polling.next(), Some(at(20)));
        for _ in 0..20 {
            polling.failed(true, &status(503, None), at(100));
        }
        assert_eq!(polling.next(), Some(at(160)));
    }

    #[test]
    fn retry_after_may_exceed_the_longest_backoff() {
        let mut polling = Polling::new(Some(s(5)));
        polling.failed(true, &status(429, Some(s(3600))), at(0));
        assert_eq!(polling.next(), Some(at(3600)));
    }

    #[test]
    fn pause_holds_through_replies_and_failures() {
        let mut polling = Polling::new(Some(s(5)));
        polling.toggle(at(1));
        polling.answered(at(2));
        assert_eq!(polling.next(), None);
        polling.failed(true, &status(503, None), at(3));
        assert_eq!(polling.next(), None);
        polling.toggle(at(4));
        assert!(polling.is_due(at(4)));
    }

    #[test]
    fn refused_token_stops_polling_until_a_manual_refresh() {
        let mut polling = Polling::new(Some(s(5)));
        polling.failed(true, &status(401, None), at(0));
        assert_eq!(polling.next(), None);
        polling.asked();
        polling.answered(at(60));
        assert_eq!(polling.next(), Some(at(65)));
    }
}
