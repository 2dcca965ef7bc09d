//! A request that has not been answered, and who waits for it.

use super::dispatch::Dispatch;
use super::upload::Upload;
use super::{Answer, Effect, Origin, Task, TaskId};
use crate::client::{Attempt, Failure, FailureKind, Operation};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

/// The name of a pending request; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RequestId(pub(super) u64);

/// An effect that waits for its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiter {
    pub(super) id: TaskId,
    pub(super) origin: Origin,
}

impl From<&Effect> for Waiter {
    fn from(effect: &Effect) -> Self {
        Self { id: effect.id, origin: effect.origin }
    }
}

/// A request that waits for the connection or is in flight, or a use of storage.
pub(super) struct PendingRequest {
    pub(super) task: Task,
    /// `None` for what stays on this machine.
    pub(super) operation: Option<Operation>,
    /// Events are reported under the first one. A message may be in flight without any.
    pub(super) waiters: Vec<Waiter>,
    pub(super) stage: Stage,
}

/// How far it is.
pub(super) enum Stage {
    /// There is no server yet.
    Waiting,
    /// In flight.
    Requested(AbortHandle),
    /// A message is being recorded and sent.
    Sending(Arc<Dispatch>, AbortHandle),
    /// A file is being recorded and uploaded.
    Uploading(Arc<Upload>, AbortHandle),
    /// The storage worker has it.
    Storing,
}

impl Stage {
    /// Aborts the request, where there is one.
    pub(super) fn abort(&self) {
        if let Self::Requested(task) | Self::Sending(_, task) | Self::Uploading(_, task) = self {
            task.abort();
        }
    }
}

impl PendingRequest {
    /// True for a read of the server.
    pub(super) fn is_read(&self) -> bool {
        matches!(&self.task, Task::Server(work) if work.is_read())
    }

    /// True where its answer is also the answer to `task`, asked in `epoch`.
    pub(super) fn answers(&self, task: &Task, epoch: u64) -> bool {
        self.is_read() && self.task == *task && self.waiters.first().is_some_and(|waiter| waiter.origin.epoch == epoch)
    }

    pub(super) fn failure(&self, kind: FailureKind) -> Failure {
        Failure { operation: self.operation.clone(), kind }
    }

    /// The result when the request is given up. A write that has left may have taken effect.
    pub(super) fn given_up(&self, why: &str) -> Failure {
        self.failure(match self.stage {
            Stage::Requested(_) if !self.is_read() => {
                FailureKind::NoAnswer(format!("{why} after the request was sent; it may have taken effect"))
            }
            Stage::Sending(..) | Stage::Waiting | Stage::Requested(_) | Stage::Uploading(..) | Stage::Storing => {
                FailureKind::Cancelled
            }
        })
    }
}

/// What a running request reports to the loop.
pub(super) enum Update {
    /// A try ended.
    Tried(RequestId, Attempt),
    /// A message has left.
    Left(RequestId),
    /// An outcome cannot be written down; in a sentence.
    Unwritten(String),
    /// Outcomes were written down; all of them, or not.
    Written(bool),
    /// So many bytes of a file were handed to the connection.
    Progress(RequestId, u64),
    /// It is over.
    Completed(RequestId, Result<Answer, Failure>),
}

/// Reports the result of a request when it is dropped, however that comes about. The result is a failure until it is set.
pub(super) struct Completion {
    request: RequestId,
    updates: UnboundedSender<Update>,
    result: Option<Result<Answer, Failure>>,
}

impl Completion {
    pub(super) fn new(request: RequestId, operation: Option<Operation>, updates: UnboundedSender<Update>) -> Self {
        let kind = FailureKind::Internal("a task panicked; the log has more".to_owned());
        Self { request, updates, result: Some(Err(Failure { operation, kind })) }
    }

    /// Sets the result.
    pub(super) fn set(&mut self, result: Result<Answer, Failure>) {
        self.result = Some(result);
    }
}

impl Drop for Completion {
    fn drop(&mut self) {
        if let Some(result) = self.result.take() {
            // Once the channel has ended, it has answered for this request itself.
            let _ = self.updates.send(Update::Completed(self.request, result));
        }
    }
}
