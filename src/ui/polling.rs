//! When a list is asked for by itself: after each answer, more patiently while nobody looks or nothing answers.

use crate::client::Failure;
use std::time::Duration;

/// The first pause after a failure where no interval is set.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest pause of our own between tries; a server may ask for a longer one.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How many times the interval lasts while nobody looks.
const UNSEEN: u32 = 6;

/// The clock of one list. All moments are times since the program began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polling {
    every: Option<Duration>,
    paused: bool,
    seen: bool,
    failures: u32,
    answered: Duration,
    /// `None` while a question is on its way, and where nothing is asked by itself.
    next: Option<Duration>,
}

impl Polling {
    /// For a list that is asked for this often; `None` for only when told.
    pub fn new(every: Option<Duration>) -> Self {
        Self { every, paused: every.is_none(), seen: true, failures: 0, answered: Duration::ZERO, next: None }
    }

    /// True where nothing is asked by itself.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// True where it never is.
    pub fn is_off(&self) -> bool {
        self.every.is_none()
    }

    /// How often it is asked for; `None` for only when told.
    pub fn every(&self) -> Option<Duration> {
        self.every
    }

    /// When the next question is due.
    pub fn next(&self) -> Option<Duration> {
        self.next
    }

    /// True where it is due now.
    pub fn is_due(&self, now: Duration) -> bool {
        self.next.is_some_and(|at| at <= now)
    }

    /// The pause between an answer and the next question as things are; `None` for only when told.
    pub fn interval(&self) -> Option<Duration> {
        let every = self.every.filter(|_| !self.paused)?;
        Some(if self.seen { every } else { every.saturating_mul(UNSEEN) })
    }

    /// A question is on its way: the next is due after its answer.
    pub fn asked(&mut self) {
        self.next = None;
    }

    /// An answer came at this moment.
    pub fn answered(&mut self, at: Duration) {
        (self.failures, self.answered) = (0, at);
        self.next = self.interval().map(|interval| at + interval);
    }

    /// Records a failed request. Automatic ones back off, manual ones do not; a refused token ends polling until the
    /// next manual one. True for the first failure in a row.
    pub fn failed(&mut self, automatic: bool, failure: &Failure, now: Duration) -> bool {
        let first = self.failures == 0;
        if automatic || first {
            self.failures = self.failures.saturating_add(1);
        }
        let doubled = 2u32.saturating_pow(self.failures.min(8) - 1);
        let pause = self.every.unwrap_or(PAUSE).saturating_mul(doubled).min(LONGEST_PAUSE);
        let stopped = self.paused || failure.kind.is_unauthenticated();
        self.next = (!stopped).then(|| now + pause.max(failure.kind.retry_after().unwrap_or_default()));
        first
    }

    /// Nobody wanted the answer any more.
    pub fn cancelled(&mut self, now: Duration) {
        self.next = self.interval().map(|interval| now + interval);
    }

    /// Stops, or takes up at once.
    pub fn toggle(&mut self, now: Duration) {
        self.paused = !self.paused;
        self.next = (!self.paused).then_some(now);
    }

    /// Somebody looks, or nobody does any more.
    pub fn see(&mut self, seen: bool, now: Duration) {
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

    #[test]
    fn unseen_it_is_asked_for_a_sixth_as_often_and_at_once_when_seen_again() {
        let mut polling = Polling::new(Some(s(5)));
        polling.answered(s(10));
        polling.see(false, s(11));
        assert_eq!(polling.next(), Some(s(40)));
        polling.see(true, s(30));
        assert_eq!(polling.next(), Some(s(30)));
    }

    #[test]
    fn failures_make_it_patient_and_impatience_does_not() {
        let mut polling = Polling::new(Some(s(5)));
        assert!(polling.failed(true, &status(503, None), s(0)));
        assert_eq!(polling.next(), Some(s(5)));
        assert!(!polling.failed(false, &status(503, None), s(1)));
        assert_eq!(polling.next(), Some(s(6)), "r was pressed");
        polling.failed(true, &status(503, None), s(10));
        assert_eq!(polling.next(), Some(s(20)));
        for _ in 0..20 {
            polling.failed(true, &status(503, None), s(100));
        }
        assert_eq!(polling.next(), Some(s(160)));
    }

    #[test]
    fn a_server_may_ask_for_a_longer_pause_than_ours() {
        let mut polling = Polling::new(Some(s(5)));
        polling.failed(true, &status(429, Some(s(3600))), s(0));
        assert_eq!(polling.next(), Some(s(3600)));
    }

    #[test]
    fn a_pause_holds_through_answers_and_failures() {
        let mut polling = Polling::new(Some(s(5)));
        polling.toggle(s(1));
        polling.answered(s(2));
        assert_eq!(polling.next(), None);
        polling.failed(true, &status(503, None), s(3));
        assert_eq!(polling.next(), None);
        polling.toggle(s(4));
        assert!(polling.is_due(s(4)));
    }

    #[test]
    fn refused_token_stops_polling_until_somebody_asks() {
        let mut polling = Polling::new(Some(s(5)));
        polling.failed(true, &status(401, None), s(0));
        assert_eq!(polling.next(), None);
        polling.asked();
        polling.answered(s(60));
        assert_eq!(polling.next(), Some(s(65)));
    }
}
