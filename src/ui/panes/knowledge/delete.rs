//! Deleting a knowledgebase with its documents, or one document.

use super::row::name;
use super::write::Target;
use super::{Knowledge, Part};
use crate::records::StorageRequest;
use crate::ui::attachments::{Kind, users};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;

/// What is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    Base(i64),
    Document { base: i64, id: i64 },
}

/// Names of documents in the dialog.
const NAMED: usize = 6;
/// Cells for labels.
const LABEL: usize = 15;

impl Knowledge {
    pub(super) fn confirm_delete(&mut self, cx: &mut Context) {
        let Some(base) = self.base().map(Record::id) else { return };
        let base_name = self.base_name(base);
        if self.focus == Part::Documents {
            let Some(document) = self.documents.selected() else { return };
            let (id, said) = (document.id(), name(&document.name, document.id()));
            let details = Details::new(LABEL)
                .field("Document", format!("{said}  (id {id})"))
                .field("Knowledgebase", base_name)
                .text("")
                .text("Assistants do not know its content from then on. This cannot be undone.");
            let dialog = Confirm::new("Delete this document?", details, "delete");
            return self.deletion.ask(Deleted::Document { base, id }, said, dialog, cx);
        }
        let warning = cx.options.theme.warning;
        let documents = match self.loaded.rows(base) {
            Some(rows) if rows.is_empty() => "none".to_owned(),
            Some(rows) => {
                let names: Vec<_> = rows.iter().take(NAMED).map(|row| name(&row.name, row.id())).collect();
                let more = rows.len().saturating_sub(NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{}{more}", names.join(", "))
            }
            None => match self.base().and_then(|base| base.documents_count.known().copied()) {
                Some(documents) => count(documents, "document", "documents"),
                None => "not known: the list is not loaded".to_owned(),
            },
        };
        let documents_go = documents != "none";
        let lose = users(Kind::Knowledgebase, base, &cx.data);
        let loses = lose.as_ref().is_some_and(|names| !names.is_empty());
        let lose = match lose {
            Some(names) if names.is_empty() => "no assistant uses it".to_owned(),
            Some(names) => names.join(", "),
            None => match self.base().and_then(|base| base.assistants_count.known().copied()) {
                Some(assistants) => count(assistants, "assistant", "assistants"),
                None => "not known: the server does not list assistants".to_owned(),
            },
        };
        let mut details = Details::new(LABEL)
            .field("Knowledgebase", format!("{base_name}  (id {base})"))
            .wrapped("Its documents", documents)
            .wrapped("Assistants", lose);
        if loses {
            details = details.styled(warning);
        }
        let goes = match (documents_go, loses) {
            (true, true) => "Its documents are deleted with it, and these assistants lose it. ",
            (true, false) => "Its documents are deleted with it. ",
            (false, true) => "These assistants lose it. ",
            (false, false) => "",
        };
        let details = details.text("").text(format!("{goes}This cannot be undone."));
        let dialog = Confirm::new("Delete this knowledgebase?", details, "delete").name(&base_name);
        self.deletion.ask(Deleted::Base(base), base_name, dialog, cx);
    }

    /// The dialog was answered; false where it is another one.
    pub(super) fn delete_overlay(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        self.deletion.answer(event, cx, |target| match *target {
            Deleted::Document { base, id } => Request::DeleteDocument { id: base, document_id: id },
            Deleted::Base(id) => Request::DeleteKnowledgebase { id },
        })
    }

    /// Takes the result of the deletion; any other report comes back.
    pub(super) fn delete_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some((deleted, said)) = self.deletion.end(&report) else { return Some(report) };
        let (target, write) = match deleted {
            Deleted::Document { base, id } => (Target::Document { base, id }, "delete document"),
            Deleted::Base(id) => (Target::Base(id), "delete"),
        };
        if let Err(failure) = &report.result {
            self.writes.unsupported.learn(write, false, failure);
            cx.write_failed("", &format!("{} {said}", target.what()), "deleted", failure);
        } else {
            cx.toast(format!("Deleted: {said}"));
            self.reading = false;
            let mut drafts = vec![target.draft()];
            match deleted {
                Deleted::Document { base, id } => self.loaded.update(base, |rows| rows.retain(|row| row.id() != id)),
                Deleted::Base(id) => {
                    cx.data.knowledgebases.update(|rows| rows.rows.retain(|row| row.id() != id));
                    cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
                    self.remove_number(id, cx);
                    drafts.push(Target::Website { base: id }.draft());
                }
            }
            for draft in drafts {
                cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(draft));
            }
        }
        // The list says what is there now, also after an outcome that is not known.
        self.relist(target, cx);
        self.refresh(cx);
        None
    }
}
