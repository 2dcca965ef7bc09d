//! What is kept for this pane from one start to the next: the last filter, those with a name, marks.

use super::filter::Wanted;
use super::{Conversations, ID};
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::prelude::*;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The form that asks for the name of a filter.
pub const SAVE: &str = "save filter";
/// The form that lists the filters with a name.
pub const SAVED: &str = "saved filters";

const NAME: &str = "name";
const DO: &str = "do";
const DELETE: &str = "delete";
/// Names under which the records keep the last filter, the named ones and the marks.
const LAST: &str = "conversations.filter";
const NAMED: &str = "conversations.filters";
const MARKS: &str = "conversations.marks";
const TAKEN: &str = "conversations.taken";
/// Conversations taken over that are kept.
const TAKEN_MAX: usize = 200;
/// Marks that are kept.
const MARKS_MAX: usize = 1000;

/// What is kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Saved {
    filters: BTreeMap<String, Wanted>,
    /// The ids of marked conversations.
    marks: BTreeSet<String>,
    /// When somebody here took conversations over, in seconds of Unix time.
    taken: BTreeMap<String, i64>,
    /// Uses of the storage in flight.
    pending: Vec<TaskId>,
    /// A filter was set before the last one had been loaded.
    chosen: bool,
}

impl Saved {
    /// True where a person has marked the conversation.
    pub fn is_marked(&self, id: &str) -> bool {
        self.marks.contains(id)
    }

    /// When somebody here took this conversation over.
    pub fn taken_at(&self, id: &str) -> Option<Timestamp> {
        self.taken.get(id).and_then(|second| Timestamp::from_second(*second).ok())
    }

    /// The conversation was taken over at this time, or is handed back.
    pub fn take_over(&mut self, id: &str, since: Option<Timestamp>, cx: &mut Context) {
        self.taken.remove(id);
        if let Some(since) = since {
            if self.taken.len() >= TAKEN_MAX
                && let Some(oldest) = self.taken.iter().min_by_key(|(_, since)| **since).map(|(id, _)| id.clone())
            {
                self.taken.remove(&oldest);
            }
            self.taken.insert(id.to_owned(), since.as_second());
        }
        let taken = self.taken.clone();
        self.save(TAKEN, &taken, cx);
    }

    fn save(&mut self, name: &str, value: &impl Serialize, cx: &mut Context) {
        // Texts, maps and sets of texts always have a form in JSON.
        let Ok(value) = serde_json::to_string(value) else { return };
        let request = StorageRequest::SavePreference { name: name.to_owned(), value };
        self.pending.push(cx.run(Origin::new(ID.0), request));
    }

    /// Keeps the filter in force for the next start.
    pub fn keep_last(&mut self, wanted: &Wanted, cx: &mut Context) {
        self.chosen = true;
        self.save(LAST, wanted, cx);
    }
}

impl Conversations {
    /// Loads what is kept.
    pub(super) fn load_saved(&mut self, cx: &mut Context) {
        self.saved.pending.push(cx.run(Origin::new(ID.0), StorageRequest::LoadPreferences));
    }

    /// Takes the report of a use of the storage; any other comes back.
    pub(super) fn saved_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(at) = self.saved.pending.iter().position(|id| *id == report.id) else { return Some(report) };
        self.saved.pending.remove(at);
        match report.result {
            Ok(Answer::Stored(StorageReply::Preferences(all))) => {
                fn read<T: serde::de::DeserializeOwned + Default>(text: Option<&String>) -> T {
                    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
                }
                self.saved.filters = read(all.get(NAMED));
                self.saved.marks = read(all.get(MARKS));
                self.saved.taken = read(all.get(TAKEN));
                let last: Wanted = read(all.get(LAST));
                if !self.saved.chosen && last != self.paged.wanted {
                    self.want(last, cx);
                }
                self.arrange(cx);
            }
            Ok(_) => {}
            Err(failure) => cx.problem(format!("Filters and marks could not be kept: {}.", explain(&failure))),
        }
        None
    }

    /// Marks the selected conversation, or removes its mark.
    pub(super) fn mark(&mut self, cx: &mut Context) {
        let Some(id) = self.selected().and_then(|row| row.id.known().cloned()) else { return };
        if !self.saved.marks.remove(&id) {
            if self.saved.marks.len() >= MARKS_MAX {
                return cx.toast(format!("Not marked: there are {MARKS_MAX} marks already"));
            }
            self.saved.marks.insert(id);
        }
        let marks = self.saved.marks.clone();
        self.saved.save(MARKS, &marks, cx);
        self.arrange(cx);
    }

    /// Asks for a name for the filter in force.
    pub(super) fn open_save(cx: &mut Context) {
        let field = FormField::line(NAME, "name", "").required().hint("one that is there already is replaced");
        cx.open(SAVE, FormDialog::new("Save the filter", "save", Form::new(vec![field])));
    }

    /// Keeps it.
    pub(super) fn submit_save(&mut self, cx: &mut Context) {
        let Some(name) = cx.overlays.submit(SAVE, |form| Ok(clean(form.text_of(NAME).trim()).into_owned())) else {
            return;
        };
        self.saved.filters.insert(name.clone(), self.paged.wanted.clone());
        let filters = self.saved.filters.clone();
        self.saved.save(NAMED, &filters, cx);
        cx.toast(format!("Filter saved as {name}"));
    }

    /// Lists the filters with a name.
    pub(super) fn open_saved(&self, cx: &mut Context) {
        let items = self.saved.filters.iter().map(|(name, wanted)| {
            let about = super::draw::chips(wanted, &self.known(&cx.data), &cx.view());
            Value::new(name, name).about(about.join(", "))
        });
        let first = self.saved.filters.keys().next().cloned().unwrap_or_default();
        let choices = vec![Value::new("", "apply"), Value::new(DELETE, "delete")];
        let fields = vec![
            FormField::picker(NAME, "filter", items.collect(), first).required(),
            FormField::choice(DO, "and", choices, ""),
        ];
        cx.open(SAVED, FormDialog::new("Saved filters", "do it", Form::new(fields).quick()));
    }

    /// Applies one of them, or deletes it.
    pub(super) fn submit_saved(&mut self, cx: &mut Context) {
        let read = |form: &Form| Ok((form.text_of(NAME).to_owned(), form.text_of(DO) == DELETE));
        match cx.overlays.submit(SAVED, read) {
            Some((name, true)) => {
                self.saved.filters.remove(&name);
                let filters = self.saved.filters.clone();
                self.saved.save(NAMED, &filters, cx);
                cx.toast(format!("Filter {name} deleted"));
            }
            Some((name, false)) => {
                if let Some(wanted) = self.saved.filters.get(&name).cloned() {
                    self.set_wanted(wanted, cx);
                }
            }
            None => {}
        }
    }

    /// True where no filter has a name.
    pub(super) fn has_no_saved(&self) -> bool {
        self.saved.filters.is_empty()
    }
}
