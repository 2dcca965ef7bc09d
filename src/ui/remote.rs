//! One value of the server's: requested, polled, kept while newer ones fail, and how old it is.

use super::health::Freshness;
use super::message::{Effect, Instant, Moment};
use super::pane::{Context, Tasks, View};
use super::panes::explain;
use super::polling::Polling;
use super::widgets::state::State;
use crate::client::{Failure, FailureKind, Reply, Request};
use crate::tasks::{Origin, Report, TaskId};
use std::time::Duration;

/// A value that the server has. It is replaced by newer ones, and stays while those fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Remote<T> {
    value: Option<T>,
    loaded: Option<Moment>,
    failure: Option<Failure>,
    pending: Option<(TaskId, Instant)>,
    request: Option<Request>,
    polling: Polling,
}

impl<T> Default for Remote<T> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<T> Remote<T> {
    /// A value that nobody has requested; polled so often from the first request on, `None` for manual refresh only.
    pub fn new(every: Option<Duration>) -> Self {
        let polling = Polling::new(every);
        Self { value: None, loaded: None, failure: None, pending: None, request: None, polling }
    }

    /// A value that this request loads once somebody looks.
    pub fn of(request: Request, every: Option<Duration>) -> Self {
        Self { request: Some(request), ..Self::new(every) }
    }

    /// A value that has been loaded, for tests.
    #[cfg(test)]
    pub fn loaded(value: T) -> Self {
        Self { value: Some(value), ..Self::new(None) }
    }

    /// The value as it last came.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Why the last request failed; `None` after a success.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// False where the server has no such operation.
    pub fn is_offered(&self) -> bool {
        let kind = self.failure.as_ref().map(|failure| &failure.kind);
        !matches!(kind, Some(FailureKind::Status { status: 404 | 405, .. }))
    }

    /// Since when the first value is awaited; `None` where there is one, or no request is in flight.
    pub fn loading_since(&self) -> Option<Instant> {
        self.pending.filter(|_| self.value.is_none()).map(|(_, since)| since)
    }

    /// Requests the value, unless it is there or in flight. A failed request is not repeated.
    pub fn want(&mut self, request: Request, origin: Origin, tasks: &mut Tasks, now: Moment) {
        if self.value.is_none() && self.failure.is_none() {
            self.fetch(request, origin, tasks, now);
        }
    }

    /// Requests the value now. Another question than the one in flight takes its place.
    pub fn fetch(&mut self, request: Request, origin: Origin, tasks: &mut Tasks, now: Moment) {
        if let Some((id, _)) = self.pending {
            if self.request.as_ref() == Some(&request) {
                return;
            }
            tasks.effects.push(Effect::Cancel(id));
        }
        self.polling.asked();
        self.pending = Some((tasks.run(origin, request.clone()), now.mono));
        self.request = Some(request);
    }

    /// Repeats the last request now.
    pub fn refresh(&mut self, cx: &mut Context) {
        if let Some(request) = self.request.clone() {
            self.fetch(request, Origin::new(cx.pane.0), &mut cx.tasks, cx.now);
        }
    }

    /// Somebody looks at the value, or nobody does any more, and it is polled less often. The first look requests it.
    pub fn show(&mut self, shown: bool, cx: &mut Context) {
        self.see(shown, cx.now);
        if shown && self.value.is_none() && self.failure.is_none() {
            self.refresh(cx);
        }
    }

    /// Requests the value again where that is due and there is a server.
    pub fn tick(&mut self, cx: &mut Context) {
        if cx.is_connected() {
            self.poll(Origin::new(cx.pane.0), &mut cx.tasks, cx.now);
        }
    }

    /// Requests the value again where that is due.
    pub fn poll(&mut self, origin: Origin, tasks: &mut Tasks, now: Moment) {
        if let Some(request) = self.request.clone().filter(|_| self.polling.is_due(now.mono)) {
            self.fetch(request, origin, tasks, now);
        }
    }

    /// Takes the reply to the last request, read by `read`. Any other report comes back.
    pub fn reply(&mut self, report: Report, read: fn(Reply) -> Option<T>, now: Moment) -> Option<Report> {
        if self.pending.is_none_or(|(id, _)| id != report.id) {
            return Some(report);
        }
        self.pending = None;
        match report.result {
            Ok(answer) => {
                self.value = answer.reply(read).or(self.value.take());
                (self.loaded, self.failure) = (Some(now), None);
                self.polling.answered(now.mono);
            }
            Err(Failure { kind: FailureKind::Cancelled, .. }) => self.polling.cancelled(now.mono),
            Err(failure) => {
                self.polling.failed(true, &failure, now.mono);
                self.failure = Some(failure);
            }
        }
        None
    }

    /// What stands in place of the value; `None` once there is one. `what` begins a sentence: "The voices".
    pub fn state<'a>(&'a self, what: &str, view: &'a View<'_>) -> Option<State<'a>> {
        if self.value.is_some() {
            return None;
        }
        if let Some(reason) = view.unconnected() {
            return Some(State::NotConnected(reason.into()));
        }
        Some(match &self.failure {
            Some(_) if !self.is_offered() => {
                let what = format!("{what} are not offered by this server.");
                State::NotOffered(what.into(), "The API has no such operation there.".into())
            }
            Some(failure) => State::Failed {
                what: format!("{what} could not be loaded:").into(),
                why: format!("{}.", explain(failure)).into(),
                next: "r tries again".into(),
            },
            None => State::Loading(self.pending.map_or(view.now.mono, |(_, since)| since)),
        })
    }

    /// Takes a value that came otherwise, such as in the reply to a write.
    pub fn learn(&mut self, value: T, now: Moment) {
        (self.value, self.loaded, self.failure) = (Some(value), Some(now), None);
    }

    /// Changes the value in place, as after a write whose reply told the new one.
    pub fn update(&mut self, change: impl FnOnce(&mut T)) {
        if let Some(value) = &mut self.value {
            change(value);
        }
    }

    /// Records whether the value is visible; hidden ones are polled less often.
    pub fn see(&mut self, seen: bool, now: Moment) {
        self.polling.see(seen, now.mono);
    }

    /// When the next poll is due.
    pub fn next_change(&self) -> Option<Instant> {
        self.polling.next().filter(|_| self.pending.is_none())
    }

    /// How fresh the value is.
    pub fn freshness(&self) -> Freshness<'_> {
        Freshness {
            loaded: self.loaded,
            interval: self.polling.interval(),
            paused: false,
            pending: self.pending.is_some(),
            failure: self.failure.as_ref(),
            next: self.polling.next(),
        }
    }
}
