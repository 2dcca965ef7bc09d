//! A running batch, and its outcomes.

use super::dry_run::DryRun;
use super::{BatchRequest, paths};
use crate::messaging::batch::BadRow;
use crate::records::{Entry, StorageRequest};
use crate::tasks::{Batch, Progress, Sending, Task, Work};
use crate::ui::ages::next_second;
use crate::ui::prelude::*;
use std::path::PathBuf;

/// The figures change at most this often: nobody reads faster.
const FIGURES_EVERY: Duration = Duration::from_millis(250);

/// The file of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ResultsFile {
    /// The batch is not over, or they are to be written once more.
    NotYet,
    Writing,
    Written(PathBuf),
    Failed(String),
}

/// A batch that was started. Times are those of `Moment::mono`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RunningBatch {
    /// The file of recipients.
    path: PathBuf,
    /// The rows that cannot be sent.
    pub(super) bad: Vec<BadRow>,
    /// The rows that are left out, since they were sent before.
    skipped: Vec<BadRow>,
    pub(super) batch: Batch,
    /// The connection with which it was confirmed.
    connection: usize,
    /// The figures on screen, when they were taken, and whether they have changed since.
    pub(super) shown: Progress,
    shown_at: Instant,
    is_stale: bool,
    /// True once it is on disk that it has begun: before that no row leaves, for another program may be sending the file.
    is_saved: bool,
    /// True after the first press of the key that cancels.
    pub(super) is_cancelling: bool,
    /// Until when the server has asked to wait.
    pub(super) retry_at: Option<Instant>,
    pub(super) results: ResultsFile,
}

impl RunningBatch {
    /// Starts the batch of a dry run. It takes the batch out, so that none starts twice; `None` where it is not known yet
    /// what was sent before.
    pub(super) fn start(dry_run: &mut DryRun, now: Instant) -> Option<Self> {
        let batch = dry_run.prepared.take()?;
        Some(Self {
            path: dry_run.file.path.clone(),
            bad: std::mem::take(&mut dry_run.bad),
            skipped: std::mem::take(&mut dry_run.skipped),
            shown: batch.progress(),
            batch,
            connection: dry_run.connection,
            shown_at: now,
            is_stale: true,
            is_saved: false,
            is_cancelling: false,
            retry_at: None,
            results: ResultsFile::NotYet,
        })
    }

    pub(super) fn act(&mut self, action: Action, now: Instant) {
        let is_cancelling = std::mem::take(&mut self.is_cancelling);
        match action {
            Action::Back => {}
            Action::TogglePause if self.batch.is_paused() => self.batch.resume(),
            Action::TogglePause => self.batch.pause(),
            Action::CancelBatch if is_cancelling => self.batch.cancel(),
            Action::CancelBatch => self.is_cancelling = true,
            Action::Save => self.results = ResultsFile::NotYet,
            _ => return,
        }
        self.take_figures(now);
    }

    /// What leaves now: rows, then the results.
    pub(super) fn take_requests(&mut self, now: Instant) -> Vec<(BatchRequest, Task)> {
        let mut requests = Vec::new();
        while let Some(sending) = self.is_saved.then(|| self.batch.next(now)).flatten() {
            let line = sending.intent.row.as_ref().map_or(0, |row| row.line);
            let sending = Sending { connection: Some(self.connection), ..sending };
            requests.push((BatchRequest::Row(line), Work::Send(Box::new(sending)).into()));
            self.is_stale = true;
        }
        let writes = self.batch.is_over() && self.results == ResultsFile::NotYet;
        if writes {
            self.results = ResultsFile::Writing;
            let text = self.batch.results_csv(&self.bad, &self.skipped);
            let path = paths::results(&self.path);
            requests.push((BatchRequest::Results, StorageRequest::WriteFile { path, text }.into()));
            requests.push((BatchRequest::End, StorageRequest::EndBatch(self.batch.id()).into()));
        }
        if writes || (self.is_stale && now >= self.shown_at + FIGURES_EVERY) {
            self.take_figures(now);
        }
        requests
    }

    fn take_figures(&mut self, now: Instant) {
        (self.shown, self.shown_at, self.is_stale) = (self.batch.progress(), now, false);
    }

    /// It is on disk that the batch has begun, or why not: then it waits for the person.
    pub(super) fn saved(&mut self, result: Result<(), String>) {
        (self.is_saved, self.is_stale) = (true, true);
        if let Err(why) = result {
            self.batch.stop(why);
        }
    }

    /// Takes the outcome of a row.
    pub(super) fn sent(&mut self, entry: &Entry, now: Instant) {
        (self.retry_at, self.is_stale) = (None, true);
        self.batch.landed(entry, now);
    }

    /// A row did not leave, since its person was sent the same before, as this entry.
    pub(super) fn repeats(&mut self, line: u64, earlier: &Entry, now: Instant) {
        (self.retry_at, self.is_stale) = (None, true);
        self.batch.repeats(line, earlier, now);
    }

    /// A row was neither recorded nor sent.
    pub(super) fn failed(&mut self, line: u64, why: &str) {
        (self.retry_at, self.is_stale) = (None, true);
        self.batch.failed(line, why);
    }

    /// When the next row or the figures are due; where it is `shown`, also when the seconds of a wait change.
    pub(super) fn next_change(&self, now: Instant, shown: bool) -> Option<Instant> {
        let figures = self.is_stale.then(|| self.shown_at + FIGURES_EVERY);
        let wait = self.retry_at.filter(|_| shown).and_then(|until| next_second(until, now));
        let next = self.batch.next_at().filter(|_| self.is_saved);
        [next, figures, wait].into_iter().flatten().min()
    }
}
