//! What changes keys, one write at a time, and what becomes of each.

use super::token::NewToken;
use super::{ApiKeys, ID, list};
use crate::api::rules::Fault;
use crate::api::{ApiKey, CreateApiKey, Token};
use crate::client::{Failure, FailureKind};
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, Task, TaskId};
use crate::ui::panes::explain;
use crate::ui::prelude::*;

/// A write in flight.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    id: TaskId,
    step: Step,
}

/// What a write is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A key of this name; in a rotation with the id of the old one.
    Create { name: String, old: Option<i64> },
    /// The shown token, into a file of its own.
    Save,
    /// The token of a rotation, into the profile's file.
    Replace { name: String, token: Token, old: i64 },
    /// The end of a key.
    Delete { name: String, id: i64, rotated: bool },
}

impl ApiKeys {
    pub(super) fn run(&mut self, step: Step, task: impl Into<Task>, cx: &mut Context<'_>) {
        let id = cx.run(Origin::new(ID.0), task);
        self.write = Some(Write { id, step });
    }

    pub(super) fn create(&mut self, name: String, old: Option<i64>, cx: &mut Context<'_>) {
        let request = Request::CreateApiKey { body: CreateApiKey { name: name.clone() } };
        self.run(Step::Create { name, old }, request, cx);
    }

    pub(super) fn delete(&mut self, key: &ApiKey, cx: &mut Context<'_>) {
        let id = list::id(key);
        self.run(Step::Delete { name: list::name(key), id, rotated: false }, Request::DeleteApiKey { id }, cx);
    }

    /// Takes the result of the write in flight.
    pub(super) fn written(&mut self, report: Report, cx: &mut Context<'_>) {
        let Some(Write { step, .. }) = self.write.take_if(|write| write.id == report.id) else { return };
        match (step, report.result) {
            (Step::Create { name, old }, Ok(answer)) => self.created(name, old, answer, cx),
            (Step::Save, Ok(Answer::Stored(StorageReply::Written(path)))) => {
                cx.overlays.close("save");
                if let Some(token) = &mut self.token {
                    token.saved = Some(path.display().to_string());
                }
            }
            (Step::Replace { name, token, old }, Ok(_)) => {
                cx.data.key_id = token.key_id();
                cx.push(Effect::Reconnect);
                let step = Step::Delete { name, id: old, rotated: true };
                self.run(step, Request::DeleteApiKey { id: old }, cx);
            }
            (Step::Delete { name, id, rotated }, Ok(_)) => {
                if rotated {
                    cx.toast(format!("Rotated: {name} has a new token, and the old key is deleted"));
                } else if cx.data.key_id == Some(id) {
                    let text =
                        "Signed out: the key in use was deleted. Put another token into the profile; r reads it.";
                    cx.notices.urgent(text, cx.now);
                } else {
                    cx.toast(format!("Deleted: {name}"));
                }
                self.keys.update(|rows| rows.rows.retain(|key| list::id(key) != id));
                self.fetch(cx);
            }
            (step, Err(failure)) => self.failed(step, &failure, cx),
            _ => {}
        }
    }

    fn created(&mut self, name: String, old: Option<i64>, answer: Answer, cx: &mut Context<'_>) {
        let Some(key) = answer.reply(Reply::create_api_key) else { return };
        cx.overlays.close("create");
        self.fetch(cx);
        let (Some(old), Some(path)) = (old, cx.options.token_file.clone()) else {
            self.token = Some(NewToken { name, token: key.token, copied: false, saved: None });
            return;
        };
        let request = StorageRequest::SaveToken { path, token: key.token.clone(), replace: true };
        self.run(Step::Replace { name, token: key.token, old }, request, cx);
    }

    fn failed(&mut self, step: Step, failure: &Failure, cx: &mut Context<'_>) {
        let why = explain(failure);
        let unclear = matches!(failure.kind, FailureKind::NoAnswer(_) | FailureKind::Unreadable(_))
            || matches!(failure.kind, FailureKind::Status { status: 500.., .. });
        match step {
            Step::Create { name, .. } if unclear => {
                cx.overlays.close("create");
                cx.notices
                    .urgent(format!("Unknown whether the key {name} was created: {why}. Check the list."), cx.now);
                self.fetch(cx);
            }
            Step::Create { name, .. } => {
                let faults = match &failure.kind {
                    FailureKind::Status { body: Some(body), .. } => {
                        body.field_errors().map(|(field, text)| Fault::new(field.to_owned(), text)).collect()
                    }
                    _ => Vec::new(),
                };
                let placed = !faults.is_empty()
                    && cx.overlays.form("create").is_some_and(|form| form.set_refused(faults).is_empty());
                if !placed {
                    cx.problem(format!("The key {name} was not created: {why}."));
                }
            }
            Step::Save => {
                let fault = vec![Fault::new("path", format!("{why}."))];
                if cx.overlays.form("save").is_none_or(|form| !form.set_refused(fault).is_empty()) {
                    cx.problem(format!("The token was not saved: {why}."));
                }
            }
            Step::Replace { name, token, .. } => {
                cx.problem(format!("The token file was not replaced: {why}. The old key stays in use."));
                self.token = Some(NewToken { name, token, copied: false, saved: None });
            }
            Step::Delete { name, rotated, .. } => {
                let what = if rotated { "The new token is in use, but the old key" } else { "The key" };
                let unknown = if unclear { "may not be" } else { "was not" };
                cx.problem(format!("{what} {name} {unknown} deleted: {why}."));
                self.fetch(cx);
            }
        }
    }
}
