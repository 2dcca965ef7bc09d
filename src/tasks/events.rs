//! Sends events, and counts the effects that have no result yet.

use super::pending::Waiter;
use super::{Answer, Effect, Event, Report};
use crate::client::{Failure, FailureKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Called with each event, in order, on the task thread. It must not block.
pub type Events = Arc<dyn Fn(Event) + Send + Sync>;

/// The only place that sends results: it counts each.
pub(super) struct EventSink {
    events: Events,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Effects without a result.
    outstanding: usize,
    ended: bool,
}

impl EventSink {
    pub(super) fn new(events: Events) -> Self {
        Self { events, state: Mutex::default(), changed: Condvar::new() }
    }

    /// An effect was accepted: it has no result yet.
    pub(super) fn accepted(&self) {
        self.state().outstanding += 1;
    }

    /// Sends the result of an effect, then stops counting it.
    pub(super) fn done(&self, waiter: Waiter, result: Result<Answer, Failure>) {
        self.send(Event::Done(Report { id: waiter.id, origin: waiter.origin, result }));
        self.state().outstanding -= 1;
        self.changed.notify_all();
    }

    /// Sends the result of an effect that came too late.
    pub(super) fn refuse(&self, effect: &Effect) {
        let operation = effect.task.operation();
        self.done(Waiter::from(effect), Err(Failure { operation, kind: FailureKind::Cancelled }));
    }

    pub(super) fn send(&self, event: Event) {
        (self.events)(event);
    }

    /// The thread is over.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    pub(super) fn outstanding(&self) -> usize {
        self.state().outstanding
    }

    /// Waits until every effect has its result; false where that took longer than `timeout`.
    pub(super) fn wait_idle(&self, timeout: Duration) -> bool {
        self.wait(timeout, |state| state.outstanding == 0)
    }

    /// Waits until the thread is over; false where that took longer than `timeout`.
    pub(super) fn wait_end(&self, timeout: Duration) -> bool {
        self.wait(timeout, |state| state.ended)
    }

    fn wait(&self, timeout: Duration, reached: impl Fn(&State) -> bool) -> bool {
        let state = self.state();
        let outcome = self.changed.wait_timeout_while(state, timeout, |state| !reached(state));
        !outcome.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Counting cannot panic half way, so a poisoned count is still right.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
