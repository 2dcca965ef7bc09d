//! What became of a form that was sent. A creation without an answer is looked up in the list before another try is offered.

use super::Knowledge;
use super::write::{Target, Writing};
use crate::api::Knowledgebase;
use crate::client::{Failure, FailureKind};
use crate::records::StorageRequest;
use crate::ui::prelude::*;
use std::collections::BTreeSet;

/// A creation without an answer: it may be in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    target: Target,
    name: String,
    /// What was in the list before.
    before: Vec<i64>,
}

/// What the pane knows of writes beside the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Writes {
    /// The creation whose outcome is not known yet.
    pub unknown: Option<Unknown>,
    /// The writes that the server has no operation for.
    pub lacks: BTreeSet<&'static str>,
    /// A knowledgebase to which a website could not be added: either it is gone, or the server has no such operation.
    doubted: Option<i64>,
}

impl Knowledge {
    pub(super) fn written(&mut self, report: Report, cx: &mut Context) {
        let Some(mut writing) = self.form.take() else { return };
        let target = writing.target;
        let done = if target.creates() { "created" } else { "saved" };
        match report.result {
            Ok(answer) => {
                let said = clean(&writing.texts().name).into_owned();
                cx.toast(format!("{}: {said}", if target.creates() { "Created" } else { "Saved" }));
                writing.editor.draft.delete(cx);
                match answer.reply(Some) {
                    Some(Reply::CreateKnowledgebase(created) | Reply::UpdateKnowledgebase(created)) => {
                        self.base_written(created.data, cx);
                    }
                    Some(Reply::CreateWebsiteDocument(created)) => {
                        if let Target::Website { base } = target {
                            self.wanted_document = created.data.id.known().copied();
                            self.loaded.update(base, |rows| rows.push(created.data));
                            self.loaded.fetch(base, cx);
                        }
                    }
                    _ => {
                        if let Target::Document { base, .. } = target {
                            self.loaded.fetch(base, cx);
                        }
                    }
                }
                self.refresh(cx);
            }
            Err(failure) => {
                self.learn_lacks(target, &failure, cx);
                let unclear = failure.kind.is_unclear() && target.creates();
                writing.editor.refuse(target.what(), done, &failure, cx);
                if unclear {
                    self.look_up(&writing, cx);
                } else {
                    self.form = Some(writing);
                }
            }
        }
    }

    /// A knowledgebase was created or changed.
    fn base_written(&mut self, record: Knowledgebase, cx: &mut Context) {
        let id = record.id();
        if cx.data.knowledgebases.is_offered() {
            cx.data.fetch(Item::Knowledgebases, &mut cx.tasks, cx.now);
        } else {
            self.known.put(id, Some(record), cx);
        }
        self.wanted = Some(id);
    }

    /// Finds out whether the server has the operation at all; 404 may also say that there is no such record.
    fn learn_lacks(&mut self, target: Target, failure: &Failure, cx: &mut Context) {
        let FailureKind::Status { status: status @ (404 | 405), .. } = failure.kind else { return };
        match (target, status) {
            (Target::NewBase, _) => drop(self.writes.lacks.insert("create")),
            (Target::Website { .. }, 405) => drop(self.writes.lacks.insert("add")),
            (Target::Document { .. }, 405) => drop(self.writes.lacks.insert("edit document")),
            (Target::Website { base }, _) => {
                self.writes.doubted = Some(base);
                self.loaded.fetch(base, cx);
            }
            _ => {}
        }
    }

    /// A creation has no answer: the list says whether it was created.
    fn look_up(&mut self, writing: &Writing, cx: &mut Context) {
        let target = writing.target;
        let before = match target {
            Target::Website { base } => self.loaded.rows(base).into_iter().flatten().map(Record::id).collect(),
            _ => self.bases.source.iter().map(Record::id).collect(),
        };
        self.writes.unknown = Some(Unknown { target, name: writing.texts().name, before });
        match target {
            Target::Website { base } => self.loaded.fetch(base, cx),
            _ => cx.data.fetch(Item::Knowledgebases, &mut cx.tasks, cx.now),
        }
    }

    /// The list of documents has come again.
    pub(super) fn documents_listed(&mut self, base: i64, cx: &mut Context) {
        let Some(remote) = self.loaded.of(base).filter(|remote| remote.failure().is_none()) else { return };
        if self.writes.doubted.take_if(|doubted| *doubted == base).is_some() {
            self.writes.lacks.insert("add");
        }
        let asked = self.writes.unknown.as_ref().filter(|unknown| unknown.target == Target::Website { base });
        if let Some(unknown) = asked {
            let rows = remote.value().into_iter().flatten();
            let found = rows.filter(|row| row.name.known() == Some(&unknown.name)).map(Record::id);
            let found = found.filter(|id| !unknown.before.contains(id)).max();
            self.wanted_document = found;
            self.found_out(found.is_some(), cx);
        }
    }

    /// The list of knowledgebases has come again.
    pub(super) fn bases_listed(&mut self, cx: &mut Context) {
        let Some(unknown) = self.writes.unknown.as_ref().filter(|one| one.target == Target::NewBase) else { return };
        let listed = &cx.data.knowledgebases;
        if !listed.is_offered() {
            let text =
                format!("This server does not list knowledgebases: whether {} exists is not known", unknown.name);
            self.writes.unknown = None;
            return cx.problem(text);
        }
        if listed.freshness().pending || listed.failure().is_some() {
            return;
        }
        let rows = listed.value().into_iter().flatten();
        let found = rows.filter(|row| row.name.known() == Some(&unknown.name)).map(Record::id);
        let found = found.filter(|id| !unknown.before.contains(id)).max();
        self.wanted = found.or(self.wanted);
        self.found_out(found.is_some(), cx);
    }

    fn found_out(&mut self, created: bool, cx: &mut Context) {
        let Some(unknown) = self.writes.unknown.take() else { return };
        let said = clean(&unknown.name).into_owned();
        if created {
            cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(unknown.target.draft()));
            cx.toast(format!("It was created after all: {said}"));
        } else {
            cx.toast(format!("{said} is not in the list: it was not created. c opens the form with the draft"));
        }
    }
}
