//! The threads on which everything runs that may write. A write may wait for its turn, and for another process that holds
//! the database; what only reads never runs here, so it does not wait with it.

use std::io;
use tokio::runtime::{Builder, Handle, Runtime};

/// Writes take turns, so more threads would only wait; with one, a request that does not write would wait for one that does.
const THREADS: usize = 2;

/// A runtime of its own. Dropping it ends what still runs, without waiting.
#[derive(Debug)]
pub(super) struct Writers(Option<Runtime>, Handle);

impl Writers {
    /// Starts the threads.
    pub(super) fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(THREADS).thread_name("writer").enable_all().build()?;
        let handle = runtime.handle().clone();
        Ok(Self(Some(runtime), handle))
    }

    /// Where to spawn.
    pub(super) fn handle(&self) -> &Handle {
        &self.1
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A runtime that is dropped waits for its threads, which nobody may within another one.
            runtime.shutdown_background();
        }
    }
}
