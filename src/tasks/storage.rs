//! The thread that performs storage requests, in the order given.

use super::Answer;
use super::handle::Clock;
use super::pending::Completion;
use crate::client::{Failure, FailureKind};
use crate::records::{Records, StorageRequest};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

/// A request, and where its result goes.
type Job = (StorageRequest, Completion);

/// The handle of the thread. When it is dropped, the thread performs what it was given and ends.
pub(super) struct StorageWorker(Sender<Job>);

impl StorageWorker {
    /// Starts the thread. Where the system gives none, every request fails.
    pub(super) fn start(records: Arc<Records>, profile: String, clock: Clock) -> Self {
        let (jobs_in, jobs) = channel::<Job>();
        let work = move || {
            for (request, mut completion) in jobs {
                // A panic ends this job only: dropping the completion reports it.
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    let result = records.store(&profile, &request, clock());
                    let failed =
                        |error: crate::records::RecordsError| Failure::from(FailureKind::Local(error.to_string()));
                    completion.set(result.map(Answer::Stored).map_err(failed));
                    drop(completion);
                }));
            }
        };
        if let Err(error) = std::thread::Builder::new().name("storage".to_owned()).spawn(work) {
            tracing::error!(%error, "the storage thread cannot be started");
        }
        Self(jobs_in)
    }

    /// Performs a request when all before it are done.
    pub(super) fn run(&self, request: StorageRequest, completion: Completion) {
        // Without a thread the completion is dropped here, which reports a failure.
        drop(self.0.send((request, completion)));
    }
}
