//! What became of a form that was sent. A creation without an answer is looked up in the list before another try is offered.

use super::Knowledge;
use super::write::{Target, Writing};
use crate::api::Knowledgebase;
use crate::client::{Failure, FailureKind};
use crate::records::StorageRequest;
use crate::ui::prelude::*;
use crate::ui::writes::Unsupported;

/// A creation without an answer: it may be in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    target: Target,
    name: String,
    /// What was in the list before.
    before: Vec<i64>,
    /// True while the list that is being loaded may be older than the creation.
    outdated: bool,
}

/// What the pane knows of writes beside the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Writes {
    /// The creation whose outcome is not known yet.
    pub unknown: Option<Unknown>,
    pub unsupported: Unsupported,
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
                        self.wanted_document = created.data.id.known().copied();
                        self.relist(target, cx);
                    }
                    _ => self.relist(target, cx),
                }
                self.refresh(cx);
            }
            Err(failure) => {
                self.learn_unsupported(target, &failure, cx);
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
    fn learn_unsupported(&mut self, target: Target, failure: &Failure, cx: &mut Context) {
        let FailureKind::Status { status: status @ (404 | 405), .. } = failure.kind else { return };
        match (target, status) {
            (Target::NewBase, _) => self.writes.unsupported.add("create"),
            (Target::Website { .. }, 405) => self.writes.unsupported.add("add"),
            (Target::Base(_), 405) => self.writes.unsupported.add("edit"),
            (Target::Document { .. }, 405) => self.writes.unsupported.add("edit document"),
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
        let (before, outdated) = match target {
            Target::Website { base } => (
                self.loaded.rows(base).into_iter().flatten().map(Record::id).collect(),
                self.loaded.of(base).is_some_and(|remote| remote.freshness().pending),
            ),
            _ => (self.bases.source.iter().map(Record::id).collect(), cx.data.knowledgebases.freshness().pending),
        };
        if target == Target::NewBase && !cx.data.knowledgebases.is_offered() {
            // There is no list to look it up in; that its outcome is unknown has been said.
            return;
        }
        self.writes.unknown = Some(Unknown { target, name: writing.texts().name, before, outdated });
        self.list_again(cx);
    }

    /// Requests the list that says what became of a creation without an answer.
    pub(super) fn list_again(&mut self, cx: &mut Context) {
        if let Some(target) = self.writes.unknown.as_ref().map(|unknown| unknown.target) {
            self.relist(target, cx);
        }
    }

    /// Requests the list that this is in.
    pub(super) fn relist(&mut self, target: Target, cx: &mut Context) {
        match target {
            Target::Website { base } | Target::Document { base, .. } => self.loaded.fetch(base, cx),
            Target::NewBase | Target::Base(_) if cx.data.knowledgebases.is_offered() => {
                cx.data.fetch(Item::Knowledgebases, &mut cx.tasks, cx.now);
            }
            Target::NewBase | Target::Base(_) => self.known.refresh(cx),
        }
    }

    /// The list of documents has come again.
    pub(super) fn documents_listed(&mut self, base: i64, cx: &mut Context) {
        let Some(remote) = self.loaded.of(base).filter(|remote| remote.failure().is_none()) else { return };
        if self.writes.doubted.take_if(|doubted| *doubted == base).is_some() {
            self.writes.unsupported.add("add");
        }
        let rows: Vec<_> =
            remote.value().into_iter().flatten().map(|row| (row.id(), row.name.known().cloned())).collect();
        if let Some(found) = self.found_out(Target::Website { base }, &rows, cx) {
            self.wanted_document = Some(found);
        }
    }

    /// The list of knowledgebases has perhaps come again.
    pub(super) fn bases_listed(&mut self, cx: &mut Context) {
        let listed = &cx.data.knowledgebases;
        if listed.freshness().pending || listed.failure().is_some() || listed.value().is_none() {
            return;
        }
        let rows = listed.value().into_iter().flatten();
        let rows: Vec<_> = rows.map(|row| (row.id(), row.name.known().cloned())).collect();
        self.wanted = self.found_out(Target::NewBase, &rows, cx).or(self.wanted);
    }

    /// Says whether a creation without an answer is in this list, and which it is.
    fn found_out(&mut self, target: Target, rows: &[(i64, Option<String>)], cx: &mut Context) -> Option<i64> {
        let unknown = self.writes.unknown.as_mut().filter(|unknown| unknown.target == target)?;
        if std::mem::take(&mut unknown.outdated) {
            self.list_again(cx);
            return None;
        }
        let Unknown { name, before, .. } = self.writes.unknown.take()?;
        let new = rows.iter().filter(|(id, known)| known.as_ref() == Some(&name) && !before.contains(id));
        let (found, said) = (new.map(|(id, _)| *id).max(), clean(&name));
        if found.is_some() {
            cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(target.draft()));
            cx.toast(format!("It was created after all: {said}"));
        } else {
            cx.toast(format!("{said} is not in the list; c opens the form with what was typed"));
        }
        found
    }
}
