//! The thread that works on what is kept on this machine: in the order given, and beside the requests.

use super::Answer;
use super::flight::Landing;
use super::handle::Clock;
use crate::client::FailureKind;
use crate::messaging::Phone;
use crate::records::{Keep, Records, Remembered};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

/// Something to do, and where its result goes.
type Job = (Keep, Landing);

/// The near end of the thread. When it is dropped, the thread does what it was given and ends.
pub(super) struct Keeper(Sender<Job>);

impl Keeper {
    /// Starts the thread. Where the system gives none, whatever is asked fails.
    pub(super) fn start(records: Arc<Records>, profile: String, clock: Clock) -> Self {
        let (jobs_in, jobs) = channel::<Job>();
        let work = move || {
            for (keep, mut landing) in jobs {
                // A panic ends this job only: the landing tells of it when it is dropped.
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    let result = records.keep(&profile, &keep, clock());
                    if let Ok(Remembered::Kept(kept)) = &result
                        && kept.watched.as_ref().is_some_and(|watched| !watched.is_empty())
                    {
                        // Whoever shows these numbers would wait for it.
                        Phone::warm_up();
                    }
                    landing.result_of(result.map(Answer::from).map_err(|error| FailureKind::Local(error.to_string())));
                    drop(landing);
                }));
            }
        };
        if let Err(error) = std::thread::Builder::new().name("records".to_owned()).spawn(work) {
            tracing::error!(%error, "there is no thread for the records");
        }
        Self(jobs_in)
    }

    /// Does it when everything before it is done.
    pub(super) fn run(&self, keep: Keep, landing: Landing) {
        // Without a thread the landing is dropped here, which is an answer too.
        drop(self.0.send((keep, landing)));
    }
}

impl From<Remembered> for Answer {
    fn from(remembered: Remembered) -> Self {
        match remembered {
            Remembered::Kept(kept) => Self::Kept(kept),
            Remembered::Entries(entries) => Self::Entries(entries),
            Remembered::Unfinished(batch) => Self::Unfinished(batch),
            Remembered::File(content) => Self::File(content),
            Remembered::Written(path) => Self::Written(path),
            Remembered::Done => Self::Done,
        }
    }
}
