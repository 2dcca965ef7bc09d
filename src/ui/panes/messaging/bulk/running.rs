//! A running batch, and its outcomes.

use super::problems::{ProblemRow, Problems};
use super::review::{PreparedBatch, Review};
use super::{BatchEvent, BatchRequest, BatchSetup, format};
use crate::client::Failure;
use crate::messaging::Outcome;
use crate::messaging::batch::BadRow;
use crate::records::{BatchOf, StorageReply, StorageRequest};
use crate::tasks::{Answer, Batch, Progress, Task, Work};
use crate::ui::action::Action;
use crate::ui::panes::explain;
use std::path::PathBuf;
use std::time::Duration;

/// The figures change at most this often: nobody reads faster.
const FIGURES_EVERY: Duration = Duration::from_millis(250);
/// Refused rows listed on screen; the results have all.
const REFUSED_MAX: usize = 1000;

/// The file of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Results {
    /// The batch is not over.
    NotYet,
    Writing,
    Written(PathBuf),
    Failed(String),
}

/// A batch that was started. Times are those of `Moment::mono`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RunningBatch {
    pub(super) review: Box<Review>,
    /// The rows that are left out, since they were sent before.
    skipped: Vec<BadRow>,
    pub(super) batch: Batch,
    /// The figures on screen, when they were taken, and whether they have changed since.
    pub(super) shown: Progress,
    shown_at: Duration,
    is_stale: bool,
    /// True after the first press of the key that cancels.
    is_cancelling: bool,
    /// Until when the server has asked to wait.
    retry_at: Option<Duration>,
    /// Unknown rows, also those of earlier runs, and refused rows of this one.
    pub(super) problems: Problems,
    pub(super) results: Results,
}

impl RunningBatch {
    /// Starts the batch. It takes the review with it, so that no batch starts twice.
    ///
    /// # Errors
    /// The review, where it is not known yet what was sent before.
    pub(super) fn start(mut review: Box<Review>, now: Duration) -> Result<Self, Box<Review>> {
        let Some(PreparedBatch { batch, skipped, .. }) = review.prepared.take() else { return Err(review) };
        let unknown = batch.unknown().map(|(line, phone, why)| ProblemRow::unknown(line, phone, why)).collect();
        let (shown, problems, results) = (batch.progress(), Problems::new(unknown), Results::NotYet);
        let (shown_at, is_stale, is_cancelling, retry_at) = (now, true, false, None);
        Ok(Self { review, skipped, batch, shown, shown_at, is_stale, is_cancelling, retry_at, problems, results })
    }

    /// What storage keeps of it, should it be interrupted.
    pub(super) fn to_resume(&self, setup: &BatchSetup) -> BatchOf {
        BatchOf {
            batch: self.batch.id(),
            sender_id: setup.message.sender_id,
            template: setup.sheet.template.clone(),
            path: self.review.file.path.clone(),
            mapping: self.review.mapping.clone(),
            rows: self.shown.total,
        }
    }

    /// How long the server has asked to wait from now on.
    pub(super) fn retry_in(&self, now: Duration) -> Option<Duration> {
        self.retry_at.map(|until| until.saturating_sub(now)).filter(|left| !left.is_zero())
    }

    /// Why an action cannot be done now.
    pub(super) fn disabled(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::TogglePause | Action::CancelBatch if self.batch.is_over() => Some("the batch is over"),
            Action::TogglePause | Action::CancelBatch if self.batch.is_cancelled() => Some("the batch was cancelled"),
            Action::Save if !matches!(self.results, Results::Failed(_)) => Some("there are no results left to write"),
            _ => None,
        }
    }

    /// What the bottom line says of an action.
    pub(super) fn hint(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::TogglePause if self.batch.is_paused() => Some("resume"),
            Action::CancelBatch if self.is_cancelling => Some("again to cancel; any other key does not"),
            Action::Back if self.batch.is_over() => Some("close"),
            Action::Back => Some("leave it running"),
            _ => None,
        }
    }

    pub(super) fn act(&mut self, action: Action, now: Duration) -> BatchEvent {
        let is_cancelling = std::mem::take(&mut self.is_cancelling);
        match action {
            Action::Back if is_cancelling => {}
            Action::Back => return BatchEvent::Leave,
            Action::TogglePause if self.batch.is_paused() => self.batch.resume(),
            Action::TogglePause => self.batch.pause(),
            Action::CancelBatch if is_cancelling => self.batch.cancel(),
            Action::CancelBatch => self.is_cancelling = true,
            Action::Save => self.results = Results::NotYet,
            _ => return BatchEvent::Stay,
        }
        self.take_figures(now);
        BatchEvent::Stay
    }

    /// What leaves now: rows, then the results.
    pub(super) fn pump(&mut self, now: Duration) -> Vec<(BatchRequest, Task)> {
        let mut requests = Vec::new();
        while let Some(sending) = self.batch.next(now) {
            let line = sending.intent.row.as_ref().map_or(0, |row| row.line);
            requests.push((BatchRequest::Row(line), Work::Send(Box::new(sending)).into()));
            self.is_stale = true;
        }
        let writes = self.batch.is_over() && self.results == Results::NotYet;
        if writes {
            self.results = Results::Writing;
            let text = self.batch.results_csv(&self.review.bad, &self.skipped);
            let path = format::results(&self.review.file.path);
            requests.push((BatchRequest::Results, StorageRequest::WriteFile { path, text }.into()));
        }
        if writes || (self.is_stale && now >= self.shown_at + FIGURES_EVERY) {
            self.take_figures(now);
        }
        requests
    }

    fn take_figures(&mut self, now: Duration) {
        (self.shown, self.shown_at, self.is_stale) = (self.batch.progress(), now, false);
    }

    /// Takes the reply to the request that wrote the results.
    pub(super) fn written(&mut self, result: Result<Answer, Failure>) {
        self.results = match result {
            Ok(Answer::Stored(StorageReply::Written(path))) => Results::Written(path),
            Ok(_) => return,
            Err(failure) => Results::Failed(explain(&failure)),
        };
    }

    /// Takes the outcome of a row.
    pub(super) fn sent(&mut self, line: u64, result: Result<Answer, Failure>, now: Duration) {
        (self.retry_at, self.is_stale) = (None, true);
        let entry = match result {
            Ok(Answer::Sent(entry)) => entry,
            Ok(_) => return self.batch.failed(line, "the program has lost a reply"),
            Err(failure) => return self.batch.failed(line, &explain(&failure)),
        };
        self.batch.landed(&entry, now);
        let phone = &entry.intent.phone;
        match &entry.outcome {
            Some(Outcome::Unknown { why }) => self.problems.push(ProblemRow::unknown(line, phone, why)),
            Some(outcome @ Outcome::Refused(_)) if self.problems.len() - self.problems.unknown() < REFUSED_MAX => {
                self.problems.push(ProblemRow::new(line, phone, &format!("refused: {}", outcome.detail())));
            }
            _ => {}
        }
    }

    /// The server asked to wait until then.
    pub(super) fn retries_at(&mut self, at: Duration) {
        self.retry_at = self.retry_at.max(Some(at));
    }

    /// When the next row or the figures are due; where it is `shown`, also when the seconds of a wait change.
    pub(super) fn next_change(&self, now: Duration, shown: bool) -> Option<Duration> {
        let figures = self.is_stale.then(|| self.shown_at + FIGURES_EVERY);
        let wait = self.retry_in(now).filter(|_| shown).map(|left| now + format::to_next_second(left));
        [self.batch.next_at(), figures, wait].into_iter().flatten().min()
    }
}
