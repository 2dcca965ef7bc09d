//! Outcomes that could not be written down: kept, and written again until they are.

use crate::messaging::Outcome;
use crate::records::Records;
use jiff::Timestamp;
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// An outcome, of which entry, and when it came.
type Kept = (Uuid, Outcome, Timestamp);

/// What is known of sends, and is not on disk.
pub(super) struct Unwritten {
    records: Arc<Records>,
    kept: Mutex<Vec<Kept>>,
}

impl Unwritten {
    pub(super) fn new(records: Arc<Records>) -> Arc<Self> {
        Arc::new(Self { records, kept: Mutex::default() })
    }

    pub(super) fn keep(&self, id: Uuid, outcome: Outcome, at: Timestamp) {
        self.change(|kept| kept.push((id, outcome, at)));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.change(|kept| kept.is_empty())
    }

    /// Writes what can be written; true where nothing is left. It may block.
    pub(super) fn write(&self) -> bool {
        let failed = |(id, outcome, at): &Kept| {
            let settled = self.records.settle(*id, outcome, *at);
            settled.inspect_err(|error| tracing::error!(%id, %error, "an outcome is still not written down")).is_err()
        };
        // The first that fails is enough: the others would wait as long.
        let mut kept = self.change(std::mem::take);
        let left = kept.iter().position(failed).map_or_else(Vec::new, |at| kept.split_off(at));
        self.change(|kept| kept.extend(left));
        self.is_empty()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<Kept>) -> T) -> T {
        // A list is changed in one step, so a poisoned one is still right.
        change(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
