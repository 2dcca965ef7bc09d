//! A batch on its way, and what has become of it.

use super::{BulkFlow, Question, Terms, words};
use crate::client::Failure;
use crate::messaging::Outcome;
use crate::messaging::batch::{BadRow, Mapping};
use crate::records::{BatchOf, StorageReply, StorageRequest};
use crate::tasks::{Answer, Batch, Progress, Task, Work};
use crate::ui::input::{Key, KeyCode};
use crate::ui::panes::explain;
use crate::ui::panes::messaging::words::seconds;
use std::path::PathBuf;
use std::time::Duration;

/// Between two looks at the figures: what changes faster nobody reads.
const LOOK: Duration = Duration::from_millis(250);
/// Rows that were refused and are kept to be shown; the results have all.
const REFUSED_MAX: usize = 1000;

/// A row that needs somebody's eyes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) line: u64,
    pub(super) phone: String,
    pub(super) why: String,
}

/// Where the results are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Results {
    /// There are none yet.
    NotYet,
    /// They are being written.
    Writing,
    /// They are there.
    Written(PathBuf),
    /// They could not be written.
    Failed(String),
}

/// A batch on its way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Going {
    batch: Batch,
    /// The rows that were left out as bad, and as sent before.
    bad: Vec<BadRow>,
    skipped: Vec<BadRow>,
    file: PathBuf,
    mapping: Mapping,
    /// The figures as they are shown, and since when.
    shown: Progress,
    looked: Duration,
    /// True where the figures have changed since.
    stale: bool,
    cancelled: bool,
    /// True after the first press of the key that cancels.
    pub(super) cancelling: bool,
    /// Until when the server has asked to wait.
    waiting: Option<Duration>,
    /// Rows that nobody knows the outcome of.
    pub(super) unknown: Vec<Trouble>,
    /// Rows that were refused in this run, the first ones.
    pub(super) refused: Vec<Trouble>,
    pub(super) results: Results,
    /// Rows of the list that are scrolled away.
    pub(super) scrolled: usize,
}

impl Going {
    /// A batch that begins.
    pub(super) fn new(
        batch: Batch,
        progress: Progress,
        (bad, skipped): (Vec<BadRow>, Vec<BadRow>),
        (file, mapping): (PathBuf, Mapping),
        now: Duration,
    ) -> Self {
        let trouble = |(line, phone, why): (u64, &str, &str)| Trouble {
            line,
            phone: phone.to_owned(),
            why: why.trim_end_matches('.').to_owned(),
        };
        let unknown = batch.unknown().map(trouble).collect();
        Self {
            batch,
            bad,
            skipped,
            file,
            mapping,
            shown: progress,
            looked: now,
            stale: true,
            cancelled: false,
            cancelling: false,
            waiting: None,
            unknown,
            refused: Vec::new(),
            results: Results::NotYet,
            scrolled: 0,
        }
    }

    /// What is remembered of it, should it be interrupted.
    pub(super) fn of(&self, terms: &Terms) -> BatchOf {
        BatchOf {
            batch: self.batch.id(),
            sender_id: terms.letter.sender_id,
            template: terms.sheet.template.clone(),
            path: self.file.clone(),
            mapping: self.mapping.clone(),
            rows: self.shown.total,
        }
    }

    /// True when nothing is on its way and nothing will be.
    pub(super) fn is_over(&self) -> bool {
        self.batch.is_over()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    pub(super) fn is_paused(&self) -> bool {
        self.batch.is_paused()
    }

    /// What made it pause by itself.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.batch.trouble()
    }

    /// The figures, a moment old at most.
    pub(super) fn shown(&self) -> Progress {
        self.shown
    }

    /// How many rows were left out as bad.
    pub(super) fn bad(&self) -> usize {
        self.bad.len()
    }

    /// Until when the server has asked to wait, where that is still to come.
    pub(super) fn waits(&self, now: Duration) -> Option<Duration> {
        self.waiting.map(|until| until.saturating_sub(now)).filter(|left| !left.is_zero())
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: Key, now: Duration) -> BulkFlow {
        let cancelling = std::mem::take(&mut self.cancelling);
        match key.code {
            KeyCode::Esc if cancelling => {}
            KeyCode::Esc if self.is_over() => return BulkFlow::Close,
            KeyCode::Esc => return BulkFlow::Leave,
            KeyCode::Char(' ') if self.is_paused() => self.batch.resume(),
            KeyCode::Char(' ') => self.batch.pause(),
            KeyCode::Char('x') if self.is_over() || self.cancelled => {}
            KeyCode::Char('x') if cancelling => {
                self.batch.cancel();
                self.cancelled = true;
            }
            KeyCode::Char('x') => self.cancelling = true,
            _ => return BulkFlow::Stay,
        }
        self.look(now);
        BulkFlow::Stay
    }

    /// What leaves now: rows, then the results. The figures are looked at when they are due.
    pub(super) fn pump(&mut self, now: Duration) -> Vec<(Question, Task)> {
        let mut wants = Vec::new();
        while let Some(sending) = self.batch.next(now) {
            let line = sending.intent.row.as_ref().map_or(0, |row| row.line);
            wants.push((Question::Row(line), Work::Send(Box::new(sending)).into()));
            self.stale = true;
        }
        if self.is_over() && self.results == Results::NotYet {
            wants.push(self.write());
            self.look(now);
        }
        if self.stale && now >= self.looked + LOOK {
            self.look(now);
        }
        wants
    }

    fn look(&mut self, now: Duration) {
        (self.shown, self.looked, self.stale) = (self.batch.progress(), now, false);
    }

    fn write(&mut self) -> (Question, Task) {
        let path = words::results(&self.file);
        self.results = Results::Writing;
        let text = self.batch.results_csv(&self.bad, &self.skipped);
        (Question::Results, Task::Store(StorageRequest::WriteFile { path, text }))
    }

    /// Whether and where the results were written.
    pub(super) fn written(&mut self, result: Result<Answer, String>) {
        self.results = match result {
            Ok(Answer::Stored(StorageReply::Written(path))) => Results::Written(path),
            Ok(_) => return,
            Err(why) => Results::Failed(why),
        };
    }

    /// A row has come back.
    pub(super) fn answered(&mut self, line: u64, result: Result<Answer, Failure>, now: Duration) {
        (self.waiting, self.stale) = (None, true);
        let entry = match result {
            Ok(Answer::Sent(entry)) => entry,
            Ok(_) => return self.batch.failed(line, "the program has lost an answer"),
            Err(failure) => return self.batch.failed(line, &explain(&failure)),
        };
        self.batch.landed(&entry, now);
        let trouble =
            |why: &str| Trouble { line, phone: entry.intent.phone.clone(), why: why.trim_end_matches('.').to_owned() };
        match &entry.outcome {
            Some(Outcome::Unknown { why }) => self.unknown.push(trouble(why)),
            Some(outcome @ Outcome::Refused(_)) if self.refused.len() < REFUSED_MAX => {
                self.refused.push(trouble(&outcome.detail()));
            }
            _ => {}
        }
    }

    /// The server asked to wait until then.
    pub(super) fn waiting(&mut self, until: Duration) {
        self.waiting = Some(self.waiting.map_or(until, |before| before.max(until)));
    }

    /// When the next row is due, or the figures are; where it is `seen`, also when the seconds of a wait change.
    pub(super) fn next_change(&self, now: Duration, seen: bool) -> Option<Duration> {
        let look = self.stale.then(|| self.looked + LOOK);
        let wait = self.waits(now).filter(|_| seen).map(|left| {
            let whole = seconds(left).saturating_sub(1);
            now + left.saturating_sub(Duration::from_secs(whole))
        });
        [self.batch.next_at(), look, wait].into_iter().flatten().min()
    }
}
