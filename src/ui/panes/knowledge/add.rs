//! Knowledgebases by their number, for servers that do not list them.

use super::Knowledge;
use crate::api::rules::Fault;
use crate::client::Failure;
use crate::client::FailureKind;
use crate::records::{Resource, StorageRequest};
use crate::tasks::TaskId;
use crate::ui::prelude::*;

/// The name of the form.
pub const ADD: &str = "add knowledgebase";
const FIELD: &str = "id";

/// The number that is being checked: by its record, or where the server has no such operation, by its documents.
pub type Adding = Option<(TaskId, i64)>;

/// True where there is no such thing, or no such operation: the status alone does not tell which.
fn is_missing(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Status { status: 404 | 405, .. })
}

impl Knowledge {
    pub(super) fn open_add(cx: &mut Context) {
        let field = FormField::line(FIELD, "Number", "").required().hint("the knowledgebase's id in the API");
        cx.open(ADD, FormDialog::new("Add a knowledgebase", "add", Form::new(vec![field])));
    }

    pub(super) fn submit_add(&mut self, cx: &mut Context) {
        let Some(form) = cx.overlays.form(ADD) else { return };
        let number = form.text_of(FIELD).trim().parse().ok().filter(|id: &i64| *id > 0);
        match number {
            None => drop(form.set_refused(vec![Fault::new(FIELD, "A number is a whole number from 1.")])),
            Some(id) if self.numbers.contains(&id) => {
                drop(form.set_refused(vec![Fault::new(FIELD, "This one is in the list.")]));
            }
            Some(id) => self.adding = Some((cx.run(Origin::new(ID), Request::GetKnowledgebase { id }), id)),
        }
    }

    /// Takes the answer to whether there is one with this number; any other report comes back.
    pub(super) fn add_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some((_, id)) = self.adding.take_if(|(task, _)| *task == report.id) else { return Some(report) };
        match report.result {
            Ok(answer) => {
                let record = answer.reply(Reply::get_knowledgebase);
                self.add_number(id, cx);
                if record.is_some() {
                    self.fetch_numbered(cx);
                }
            }
            Err(failure) => {
                let asked_record = failure.operation.as_ref().is_none_or(|asked| !asked.path.ends_with("/documents"));
                if is_missing(&failure) && asked_record {
                    self.adding = Some((cx.run(Origin::new(ID), Request::ListDocuments { id }), id));
                } else {
                    let why = if is_missing(&failure) {
                        "This account has no knowledgebase with this number.".to_owned()
                    } else {
                        format!("It could not be looked up: {}.", explain(&failure))
                    };
                    match cx.overlays.form(ADD) {
                        Some(form) => drop(form.set_refused(vec![Fault::new(FIELD, why)])),
                        None => cx.problem(format!("Knowledgebase no. {id} was not added. {why}")),
                    }
                }
            }
        }
        None
    }

    /// Lists a knowledgebase by its number, now and later.
    pub(super) fn add_number(&mut self, id: i64, cx: &mut Context) {
        cx.overlays.close(ADD);
        if !self.numbers.contains(&id) {
            self.numbers.push(id);
            cx.run(Origin::new(ID), StorageRequest::AddId { resource: Resource::Knowledgebase, id });
        }
        self.wanted = Some(id);
    }

    /// Takes a knowledgebase off the list; the server keeps it.
    pub(super) fn remove_number(&mut self, id: i64, cx: &mut Context) {
        self.numbers.retain(|known| *known != id);
        self.numbered.remove(&id);
        self.loaded.forget(id);
        cx.run(Origin::new(ID), StorageRequest::RemoveId { resource: Resource::Knowledgebase, id });
        self.refresh(cx);
    }
}

const ID: &str = super::ID.0;
