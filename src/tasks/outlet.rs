//! The way out: events, and the count of effects that are still owed a result.

use super::flight::Asker;
use super::{Answer, Effect, Event, Report};
use crate::client::{Failure, FailureKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Takes each event, in order. It is called on the thread of the tasks and must not block.
pub type Events = Arc<dyn Fn(Event) + Send + Sync>;

/// Where events leave. The only place that sends a result, and it counts each.
pub(super) struct Outlet {
    events: Events,
    ledger: Mutex<Ledger>,
    changed: Condvar,
}

/// What is still open.
#[derive(Default)]
struct Ledger {
    outstanding: usize,
    ended: bool,
}

impl Outlet {
    pub(super) fn new(events: Events) -> Self {
        Self { events, ledger: Mutex::default(), changed: Condvar::new() }
    }

    /// An effect was taken: it is owed a result from now on.
    pub(super) fn owe(&self) {
        self.ledger().outstanding += 1;
    }

    /// The result of an effect. It has left before it stops to count.
    pub(super) fn done(&self, asker: Asker, result: Result<Answer, Failure>) {
        self.tell(Event::Done(Report { id: asker.id, origin: asker.origin, result }));
        self.ledger().outstanding -= 1;
        self.changed.notify_all();
    }

    /// The result of an effect that comes too late.
    pub(super) fn refuse(&self, effect: &Effect) {
        let failure = Failure { operation: effect.work.operation(), kind: FailureKind::Cancelled };
        self.done(Asker::from(effect), Err(failure));
    }

    pub(super) fn tell(&self, event: Event) {
        (self.events)(event);
    }

    /// The thread is over.
    pub(super) fn end(&self) {
        self.ledger().ended = true;
        self.changed.notify_all();
    }

    pub(super) fn outstanding(&self) -> usize {
        self.ledger().outstanding
    }

    /// Waits until nothing is owed; false where that took longer than `timeout`.
    pub(super) fn wait_idle(&self, timeout: Duration) -> bool {
        self.wait(timeout, |ledger| ledger.outstanding == 0)
    }

    /// Waits until the thread is over; false where that took longer than `timeout`.
    pub(super) fn wait_end(&self, timeout: Duration) -> bool {
        self.wait(timeout, |ledger| ledger.ended)
    }

    fn wait(&self, timeout: Duration, reached: impl Fn(&Ledger) -> bool) -> bool {
        let ledger = self.ledger();
        let outcome = self.changed.wait_timeout_while(ledger, timeout, |ledger| !reached(ledger));
        !outcome.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // Counting cannot panic half way, so a poisoned count is still right.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
