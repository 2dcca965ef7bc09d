//! One request on its way, and who waits for it.

use super::dispatch::Dispatch;
use super::{Answer, Effect, Origin, TaskId, Work};
use crate::client::{Attempt, Failure, FailureKind, Operation};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

/// Names a request; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FlightId(pub(super) u64);

/// An effect that waits for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asker {
    pub(super) id: TaskId,
    pub(super) origin: Origin,
}

impl From<&Effect> for Asker {
    fn from(effect: &Effect) -> Self {
        Self { id: effect.id, origin: effect.origin }
    }
}

/// A request, waiting for the connection or in flight.
pub(super) struct Flight {
    pub(super) work: Work,
    pub(super) operation: Operation,
    /// The first is the one under whose name the request is told. A message may be on its way without one.
    pub(super) askers: Vec<Asker>,
    pub(super) stage: Stage,
}

/// How far it is.
pub(super) enum Stage {
    /// There is no server yet.
    Waiting,
    /// Its request has left.
    Asking(AbortHandle),
    /// A message is being recorded and sent.
    Sending(Arc<Dispatch>, AbortHandle),
    /// The keeper has it. It needs no server.
    Keeping,
}

impl Stage {
    /// Breaks its request off, where there is one.
    pub(super) fn abort(&self) {
        if let Self::Asking(task) | Self::Sending(_, task) = self {
            task.abort();
        }
    }
}

impl Flight {
    /// True where the answer to this request is also the answer to `work`, asked in `epoch`.
    pub(super) fn answers(&self, work: &Work, epoch: u64) -> bool {
        self.operation.is_read()
            && self.work == *work
            && self.askers.first().is_some_and(|asker| asker.origin.epoch == epoch)
    }

    /// What is told to those who wait when the request is given up: a write that has left may have taken effect.
    pub(super) fn given_up(&self, why: &str) -> Failure {
        let kind = match self.stage {
            Stage::Asking(_) if !self.operation.is_read() => {
                FailureKind::NoAnswer(format!("{why} after the request had left; whether it took effect is unknown"))
            }
            Stage::Sending(..) => FailureKind::NoAnswer(format!(
                "{why} after the message had left; the outbox will tell what became of it"
            )),
            Stage::Waiting | Stage::Asking(_) | Stage::Keeping => FailureKind::Cancelled,
        };
        Failure { operation: self.operation.clone(), kind }
    }
}

/// What a running request tells.
pub(super) enum Note {
    /// A try ended.
    Tried(FlightId, Attempt),
    /// It is over.
    Landed(FlightId, Result<Answer, Failure>),
}

/// Tells how a request ended when it is dropped, whatever way that comes about; a failure until it is given a result.
pub(super) struct Landing {
    flight: FlightId,
    operation: Operation,
    notes: UnboundedSender<Note>,
    note: Option<Note>,
}

impl Landing {
    pub(super) fn new(flight: FlightId, operation: Operation, notes: UnboundedSender<Note>) -> Self {
        let kind = FailureKind::Internal("the program failed while it did this".to_owned());
        let note = Some(Note::Landed(flight, Err(Failure { operation: operation.clone(), kind })));
        Self { flight, operation, notes, note }
    }

    /// What was done without a request ended like this.
    pub(super) fn result_of(&mut self, result: Result<Answer, FailureKind>) {
        let operation = self.operation.clone();
        self.result(result.map_err(|kind| Failure { operation, kind }));
    }

    /// The request ended by itself, or by its deadline.
    pub(super) fn result(&mut self, result: Result<Answer, Failure>) {
        self.note = Some(Note::Landed(self.flight, result));
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        if let Some(note) = self.note.take() {
            // Nobody listens any more where the whole channel has ended; then it has answered for this one.
            let _ = self.notes.send(note);
        }
    }
}
