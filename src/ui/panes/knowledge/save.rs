//! Saving what exists: it is read again, what changes is shown, and only that is sent.

use super::Knowledge;
use super::form::{self, Texts};
use super::write::{Target, base_texts, document_texts};
use crate::client::{Failure, FailureKind};
use crate::ui::editor::{Step, changed_elsewhere, fate};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::diff::{UNCONDITIONAL, arrow};

impl Knowledge {
    /// The record was read again, or could not be.
    pub(super) fn read_again(&mut self, by_list: bool, report: Report, cx: &mut Context) {
        let Some(writing) = &mut self.form else { return };
        writing.editor.step = Step::Editing;
        let (base, document) = match writing.target {
            Target::Document { base, id } => (base, Some(id)),
            Target::Base(id) | Target::Website { base: id } => (id, None),
            Target::NewBase => return,
        };
        let found = match report.result {
            Ok(answer) => match (answer.reply(Some), document) {
                (Some(Reply::GetKnowledgebase(base)), _) => Some(Some(base_texts(&base))),
                (Some(Reply::GetDocument(document)), _) => Some(Some(document_texts(&document))),
                // The list has the documents whole; of the knowledgebase it only proves that there is one.
                (Some(Reply::ListDocuments(rows)), Some(id)) => {
                    rows.iter().find(|row| row.id() == id).map(|row| Some(document_texts(row)))
                }
                _ => Some(None),
            },
            Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => {
                if !by_list {
                    writing.editor.step = Step::Reading;
                    let list = cx.run(Origin::new(cx.pane.0), Request::ListDocuments { id: base });
                    writing.reading = Some((list, true));
                    return;
                }
                None
            }
            Err(failure) => {
                let (what, why) = (writing.target.what(), explain(&failure));
                return cx.problem(format!("The {what} was not saved: it could not be read again: {why}."));
            }
        };
        if let Some(now) = found {
            return self.confirm_save(now.as_ref(), cx);
        }
        let what = writing.target.what();
        cx.problem(format!("The {what} was not saved: it does not exist any more. The draft is kept."));
    }

    /// Asks before it is saved: what changes, and what somebody else has changed meanwhile. `now` is the record as it is;
    /// `None` where the server does not tell.
    fn confirm_save(&mut self, now: Option<&Texts>, cx: &mut Context) {
        let Some(writing) = &mut self.form else { return };
        let (opened, yours) = (&writing.opened, writing.texts());
        let from = now.cloned().unwrap_or_else(|| opened.clone());
        // What is saved: the record as it is now, with what was changed in the form.
        let mine = form::label(opened, &yours);
        let saved = Texts {
            name: if mine.name.is_some() { yours.name.clone() } else { from.name.clone() },
            description: if mine.description.is_keep() { from.description.clone() } else { yours.description.clone() },
        };
        let body = form::label(&from, &saved);
        if body.name.is_none() && body.description.is_keep() {
            // As after an unclear outcome, when it was saved after all.
            let target = writing.target;
            writing.editor.draft.delete(cx);
            self.form = None;
            self.relist(target, cx);
            return cx.toast("It is saved already: nothing is left to change");
        }
        let (view, mut details) = (cx.view(), form::details());
        let (warning, dim) = (view.options.theme.warning, view.options.theme.dim);
        let theirs = form::label(opened, &from);
        if theirs.name.is_some() || !theirs.description.is_keep() {
            details = changed_elsewhere(details, &view);
            let fields = [
                ("Name", theirs.name.is_some(), mine.name.is_some(), &opened.name, &from.name),
                (
                    "Description",
                    !theirs.description.is_keep(),
                    !mine.description.is_keep(),
                    &opened.description,
                    &from.description,
                ),
            ];
            for (label, _, mine, was, is) in fields.into_iter().filter(|(_, theirs, ..)| *theirs) {
                let (said, style) = fate(mine, &view);
                details = details.wrapped(label, arrow(was, is, &view)).wrapped("", said).styled(style);
            }
            details = details.section("What is saved");
        }
        details = form::changes(details, &from, &saved, &view).text("");
        details = if now.is_some() {
            details.text(UNCONDITIONAL).styled(dim)
        } else {
            let words = "This server does not show the record by itself: whether somebody else has changed it since the \
                         form was opened cannot be known.";
            details.text(words).styled(warning)
        };
        let request = match writing.target {
            Target::Document { base, id } => Request::UpdateDocument { id: base, document_id: id, body },
            Target::Base(id) => Request::UpdateKnowledgebase { id, body },
            Target::NewBase | Target::Website { .. } => return,
        };
        writing.editor.confirm(request, Confirm::new(format!("Save {}?", clean(&saved.name)), details, "save"), cx);
    }
}
