//! The draft of a form in storage: saved a moment after the last change, and filled in when the form is opened again.

use super::ages::date_and_time;
use super::prelude::*;
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// How long after the last change a draft is saved.
const PAUSE: Duration = Duration::from_secs(1);

/// The draft of a form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// Under which name: `assistant 7`, `new tool`.
    form: String,
    /// The request that loads it.
    loading: Option<TaskId>,
    /// When the one was saved that the form was filled in with.
    of: Option<Timestamp>,
    /// True where one is stored.
    stored: bool,
    /// When the form changed, where that is not stored yet.
    changed: Option<Instant>,
}

impl Draft {
    /// The draft of this form, which is being loaded.
    pub fn load(form: String, cx: &mut Context) -> Self {
        let loading = Some(cx.run(Origin::new(cx.pane.0), StorageRequest::LoadFormDraft(form.clone())));
        Self { form, loading, ..Self::default() }
    }

    /// The draft of a form that begins with something else than its draft.
    pub fn unloaded(form: String) -> Self {
        Self { form, ..Self::default() }
    }

    /// Takes the draft that was loaded; any other report comes back. `None` where there is nothing to fill in: no draft,
    /// or something was typed before it came.
    ///
    /// # Errors
    /// The report, where it is of something else.
    #[expect(clippy::result_large_err, reason = "a report is handed from owner to owner, never kept")]
    pub fn reply(&mut self, report: Report) -> Result<Option<BTreeMap<String, String>>, Report> {
        if self.loading != Some(report.id) {
            return Err(report);
        }
        self.loading = None;
        let Ok(Answer::Stored(StorageReply::FormDraft(Some(draft)))) = report.result else { return Ok(None) };
        self.stored = true;
        if self.changed.is_some() {
            return Ok(None);
        }
        self.of = Some(draft.saved);
        Ok(Some(draft.values))
    }

    /// The form has changed.
    pub fn touch(&mut self, now: Moment) {
        self.changed = Some(now.mono);
    }

    /// True where it is time to save it, or the form is left with something unsaved.
    pub fn take_due(&mut self, leaving: bool, now: Moment) -> bool {
        self.changed.take_if(|at| leaving || now.mono - *at >= PAUSE).is_some()
    }

    /// When that is.
    pub fn next_change(&self) -> Option<Instant> {
        self.changed.map(|at| at + PAUSE)
    }

    /// Saves these values, by the names of the fields on the wire.
    pub fn save(&mut self, values: BTreeMap<String, String>, cx: &mut Context) {
        self.stored = true;
        cx.run(Origin::new(cx.pane.0), StorageRequest::SaveFormDraft { form: self.form.clone(), values });
    }

    /// Deletes it, where one is stored.
    pub fn delete(&mut self, cx: &mut Context) {
        (self.of, self.changed) = (None, None);
        if std::mem::take(&mut self.stored) {
            cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(self.form.clone()));
        }
    }

    /// True where the form was filled in with one.
    pub fn is_filled_in(&self) -> bool {
        self.of.is_some()
    }

    /// True where leaving the form keeps something.
    pub fn is_kept(&self) -> bool {
        self.stored || self.changed.is_some()
    }

    /// What the title says where the form was filled in with one; `discard` names the key that discards it.
    pub fn words(&self, discard: &str, view: &View<'_>) -> Option<String> {
        let saved = date_and_time(self.of?, view.now.wall, view.zone);
        Some(format!("draft from {saved} {} {discard}", view.options.glyphs.dot))
    }
}
