//! What a server does not list, added by its number. The numbers are stored per profile; the records come one by one.

use super::prelude::*;
use crate::api::rules::Fault;
use crate::client::{Failure, FailureKind};
use crate::records::{Resource, StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};

/// The form that asks for a number, and its field.
const ADD: &str = "add by number";
const ID: &str = "id";

/// A record that can be added by its number.
pub trait Numbered: Clone + PartialEq {
    /// What its number is stored as.
    const RESOURCE: Resource;
    /// What one is called: `tool`.
    const NAME: &'static str;
    /// Takes it out of the reply to [`Self::request`].
    const READ: fn(Reply) -> Option<Self>;

    /// The request of one by itself.
    fn request(id: i64) -> Request;

    /// A request that fails where there is none, for servers that do not show one by itself.
    fn proof(_id: i64) -> Option<Request> {
        None
    }
}

/// Those that were added, in that order.
#[derive(Debug, Clone, PartialEq)]
pub struct ByNumber<T> {
    records: Vec<(i64, Remote<T>)>,
    /// The number that is being looked up; true where its proof is requested.
    adding: Option<(TaskId, i64, bool)>,
    /// The one that was added last, until it is taken.
    added: Option<i64>,
    /// The request that loads the numbers.
    loading: Option<TaskId>,
    /// True once they were requested.
    loaded: bool,
}

impl<T> Default for ByNumber<T> {
    fn default() -> Self {
        Self { records: Vec::new(), adding: None, added: None, loading: None, loaded: false }
    }
}

impl<T: Numbered> ByNumber<T> {
    /// The numbers with their records.
    pub fn iter(&self) -> impl Iterator<Item = &(i64, Remote<T>)> {
        self.records.iter()
    }

    /// True where this one is listed here.
    pub fn contains(&self, id: i64) -> bool {
        self.records.iter().any(|(known, _)| *known == id)
    }

    /// The one that was added last, once.
    pub fn take_added(&mut self) -> Option<i64> {
        self.added.take()
    }

    /// Loads the numbers, once.
    pub fn load(&mut self, cx: &mut Context) {
        if !std::mem::replace(&mut self.loaded, true) {
            self.loading = Some(cx.run(Origin::new(cx.pane.0), StorageRequest::ListIds(T::RESOURCE)));
        }
    }

    /// Requests all records again.
    pub fn refresh(&mut self, cx: &mut Context) {
        self.records.iter_mut().for_each(|(_, remote)| remote.refresh(cx));
    }

    /// Lists one, without storing its number.
    pub fn list(&mut self, id: i64, record: Option<T>, cx: &mut Context) {
        if self.contains(id) {
            return;
        }
        let mut remote = Remote::of(T::request(id), None);
        match record {
            Some(record) => remote.learn(record, cx.now),
            None => remote.refresh(cx),
        }
        self.records.push((id, remote));
    }

    /// Lists one, now and later. What is known of it replaces what was.
    pub fn put(&mut self, id: i64, record: Option<T>, cx: &mut Context) {
        match (self.records.iter_mut().find(|(known, _)| *known == id), record) {
            (Some((_, remote)), Some(record)) => remote.learn(record, cx.now),
            (_, record) => self.list(id, record, cx),
        }
        cx.run(Origin::new(cx.pane.0), StorageRequest::AddId { resource: T::RESOURCE, id });
    }

    /// Takes one off the list; the server keeps it.
    pub fn remove(&mut self, id: i64, cx: &mut Context) {
        if self.contains(id) {
            self.records.retain(|(known, _)| *known != id);
            cx.run(Origin::new(cx.pane.0), StorageRequest::RemoveId { resource: T::RESOURCE, id });
        }
    }

    /// Asks for a number.
    pub fn open(cx: &mut Context) {
        let field = FormField::line(ID, "Id", "").required().hint("its number in the API");
        cx.open(ADD, FormDialog::new(format!("Add a {}", T::NAME), "add", Form::new(vec![field])));
    }

    /// Takes what happened to the form; false where it is another overlay.
    pub fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        if event == OverlayEvent::Submitted(ADD)
            && self.adding.is_none()
            && let Some(form) = cx.overlays.form(ADD)
        {
            let id = form.text_of(ID).trim().parse().ok().filter(|id| *id > 0);
            let why = match id {
                None => format!("The id of a {} is a whole number from 1.", T::NAME),
                Some(id) if self.contains(id) => format!("This {} is listed already.", T::NAME),
                Some(id) => {
                    self.adding = Some((cx.run(Origin::new(cx.pane.0), T::request(id)), id, false));
                    return true;
                }
            };
            drop(form.set_refused(vec![Fault::new(ID, why)]));
        }
        matches!(event, OverlayEvent::Submitted(ADD) | OverlayEvent::Changed(ADD) | OverlayEvent::Cancelled(ADD))
    }

    /// Takes a report that is about these; any other comes back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if self.loading.take_if(|task| *task == report.id).is_some() {
            if let Ok(Answer::Stored(StorageReply::Ids(ids))) = report.result {
                for id in ids {
                    self.list(id, None, cx);
                }
            }
            return None;
        }
        let Some((_, id, proven)) = self.adding.take_if(|(task, ..)| *task == report.id) else {
            return self
                .records
                .iter_mut()
                .try_fold(report, |report, (_, remote)| remote.reply(report, T::READ, cx.now));
        };
        match report.result {
            Ok(answer) => {
                cx.overlays.close(ADD);
                self.put(id, if proven { None } else { answer.reply(T::READ) }, cx);
                self.added = Some(id);
            }
            Err(failure) => self.not_found(id, proven, &failure, cx),
        }
        None
    }

    /// 404 may say that there is no such record, or no such operation: then its proof tells.
    fn not_found(&mut self, id: i64, proven: bool, failure: &Failure, cx: &mut Context) {
        let is_missing = matches!(failure.kind, FailureKind::Status { status: 404 | 405, .. });
        let why = match T::proof(id) {
            Some(proof) if is_missing && !proven => {
                self.adding = Some((cx.run(Origin::new(cx.pane.0), proof), id, true));
                return;
            }
            Some(_) if is_missing => format!("This account has no {} with this id.", T::NAME),
            _ => format!("It could not be looked up: {}.", explain(failure)),
        };
        match cx.overlays.form(ADD) {
            Some(form) => drop(form.set_refused(vec![Fault::new(ID, why)])),
            None => cx.problem(format!("The {} {id} was not added. {why}", T::NAME)),
        }
    }
}
