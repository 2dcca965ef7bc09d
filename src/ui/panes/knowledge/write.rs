//! The forms of the pane: name and description of a knowledgebase or a document, and a website. What exists is read again
//! before it is saved; an outcome that is not known is looked up in the list before another try is offered.

use super::form::{self, Texts};
use super::row::{description, name};
use super::{Knowledge, Part};
use crate::api::rules::Fault;
use crate::api::{Document, Knowledgebase};
use crate::client::{Failure, FailureKind};
use crate::records::StorageRequest;
use crate::tasks::TaskId;
use crate::ui::drafts::Draft;
use crate::ui::editor::{Editor, Step};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::diff::{UNCONDITIONAL, arrow};
use crate::ui::widgets::form::FormEvent;
use std::collections::BTreeSet;

/// The name of the dialog before something is saved.
const SAVE: &str = "save knowledge";

/// What a form is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    NewBase,
    Base(i64),
    Website { base: i64 },
    Document { base: i64, id: i64 },
}

impl Target {
    pub fn creates(self) -> bool {
        matches!(self, Self::NewBase | Self::Website { .. })
    }

    /// What it is called.
    pub fn what(self) -> &'static str {
        match self {
            Self::NewBase | Self::Base(_) => "knowledgebase",
            Self::Website { .. } | Self::Document { .. } => "document",
        }
    }

    /// Under which name its draft is stored.
    pub fn draft(self) -> String {
        match self {
            Self::NewBase => "new knowledgebase".to_owned(),
            Self::Base(id) => format!("knowledgebase {id}"),
            Self::Website { base } => format!("website of knowledgebase {base}"),
            Self::Document { id, .. } => format!("document {id}"),
        }
    }
}

/// A form with what it began with.
#[derive(Debug, Clone, PartialEq)]
pub struct Writing {
    pub target: Target,
    /// The record when the form was opened.
    opened: Texts,
    /// False where its name was not told.
    named: bool,
    pub editor: Editor<Request>,
    /// The request that reads the record again; true where it reads the list of documents instead.
    reading: Option<(TaskId, bool)>,
}

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

fn base_texts(base: &Knowledgebase) -> Texts {
    Texts { name: base.name.known().cloned().unwrap_or_default(), description: description(&base.description) }
}

fn document_texts(document: &Document) -> Texts {
    Texts { name: document.name.known().cloned().unwrap_or_default(), description: description(&document.description) }
}

impl Writing {
    fn new(target: Target, title: String, opened: Texts, named: bool, cx: &mut Context) -> Self {
        let draft = Draft::load(target.draft(), cx);
        let editor = Editor::new(title, Self::empty(target, &opened, named), draft);
        let mut writing = Self { target, opened, named, editor, reading: None };
        writing.check();
        writing
    }

    fn empty(target: Target, opened: &Texts, named: bool) -> Form {
        if let Target::Website { .. } = target { form::website_form() } else { form::label_form(opened, named) }
    }

    /// What is typed.
    fn texts(&self) -> Texts {
        let texts = form::texts(&self.editor.form);
        let stays = !self.named && texts.name.trim().is_empty();
        if stays { Texts { name: self.opened.name.clone(), ..texts } } else { texts }
    }

    /// True where saving would change something.
    fn is_dirty(&self) -> bool {
        self.editor.form.is_dirty()
    }

    /// What is wrong by the rules of the API.
    fn faults(&self) -> Vec<Fault> {
        if let Target::Website { .. } = self.target {
            return form::website(&self.editor.form).1;
        }
        form::label(&Texts::default(), &self.texts()).faults()
    }

    fn check(&mut self) {
        let faults = self.faults();
        drop(self.editor.form.set_errors(faults));
    }

    /// What would change, beside the form.
    pub fn details(&self, view: &View<'_>) -> Details {
        if let Target::Website { .. } = self.target {
            return form::website_details(&form::website(&self.editor.form).0, view);
        }
        if !self.is_dirty() {
            return form::details().text("Nothing has changed.").styled(view.options.theme.dim);
        }
        form::changes(form::details(), &self.opened, &self.texts(), view)
    }

    /// Saves the draft where that is due, or the form is left.
    pub fn save_draft(&mut self, leaving: bool, cx: &mut Context) {
        if !self.editor.draft.take_due(leaving, cx.now) {
            return;
        }
        if self.is_dirty() {
            self.editor.draft.save(self.editor.form.values().into_iter().collect(), cx);
        } else {
            self.editor.draft.delete(cx);
        }
    }

    /// The request that creates what is typed, and its name.
    fn creation(&self) -> Option<Request> {
        match self.target {
            Target::NewBase => {
                Some(Request::CreateKnowledgebase { body: form::label(&Texts::default(), &self.texts()) })
            }
            Target::Website { base } => {
                Some(Request::CreateWebsiteDocument { id: base, body: form::website(&self.editor.form).0 })
            }
            Target::Base(_) | Target::Document { .. } => None,
        }
    }
}

impl Knowledge {
    /// Why a write cannot be done now.
    pub(super) fn no_write(&self, action: Action) -> Option<&'static str> {
        let document = self.focus == Part::Documents;
        let lacks = |what| self.writes.lacks.contains(what);
        match action {
            Action::Create if self.writes.unknown.is_some() => {
                Some("the outcome of the last try is not known; r looks")
            }
            Action::Create if document && self.base().is_none() => Some("no knowledgebase is selected"),
            Action::Create if document && lacks("add") => Some("the server cannot add documents"),
            Action::Create if !document && lacks("create") => Some("the server cannot create knowledgebases"),
            Action::Edit if document && lacks("edit document") => Some("the server cannot change documents"),
            Action::Delete if document && lacks("delete document") => Some("the server cannot delete documents"),
            Action::Delete if !document && lacks("delete") => Some("the server cannot delete knowledgebases"),
            Action::Delete if self.deleting.is_some() => Some("a deletion is in flight"),
            _ => None,
        }
    }

    pub(super) fn open_form(&mut self, action: Action, cx: &mut Context) {
        let document = self.documents.selected().filter(|_| self.focus == Part::Documents);
        let opened = match (action, self.focus, self.base().map(Record::id)) {
            (Action::Create, Part::Knowledgebases, _) => {
                Some((Target::NewBase, "CREATE A KNOWLEDGEBASE".to_owned(), Texts::default(), true))
            }
            (Action::Create, Part::Documents, Some(base)) => {
                let title = format!("ADD A WEBSITE TO {}", self.base_name(base));
                Some((Target::Website { base }, title, Texts::default(), true))
            }
            (_, Part::Documents, Some(base)) => document.map(|document| {
                let (id, title) = (document.id(), format!("EDIT {}", name(&document.name, document.id())));
                let named = document.name.known().is_some();
                (Target::Document { base, id }, title, document_texts(document), named)
            }),
            (_, _, Some(id)) => self.base().map(|base| {
                let title = format!("EDIT {}", self.base_name(id));
                (Target::Base(id), title, base_texts(base), base.name.known().is_some())
            }),
            _ => None,
        };
        if let Some((target, title, opened, named)) = opened {
            self.form = Some(Box::new(Writing::new(target, title, opened, named, cx)));
        }
    }

    /// Lets the form take something, and does what follows.
    pub(super) fn with_form(&mut self, cx: &mut Context, change: impl FnOnce(&mut Form) -> FormEvent) {
        let Some(writing) = &mut self.form else { return };
        match writing.editor.input(cx, change) {
            FormEvent::Changed => {
                writing.editor.draft.touch(cx.now);
                writing.check();
            }
            FormEvent::Submit => self.submit(cx),
            FormEvent::Cancel => {
                writing.save_draft(true, cx);
                if writing.editor.draft.is_kept() {
                    cx.toast("The draft is kept");
                }
                self.form = None;
            }
            _ => {}
        }
    }

    pub(super) fn act_in_form(&mut self, action: Action, cx: &mut Context) {
        let Some(writing) = &mut self.form else { return };
        let shown = writing.clone();
        if writing.editor.act(action, |view| shown.details(view), cx) {
            return;
        }
        if action == Action::Remove {
            writing.editor.draft.delete(cx);
            writing.editor.form = Writing::empty(writing.target, &writing.opened, writing.named);
            return writing.check();
        }
        self.with_form(cx, |form| form.act(action));
    }

    fn submit(&mut self, cx: &mut Context) {
        let Some(writing) = &mut self.form else { return };
        writing.check();
        if !writing.faults().is_empty() {
            writing.editor.form.act(Action::Submit);
        } else if let Some(request) = writing.creation() {
            if self.writes.unknown.is_some() {
                return cx.toast("Not now: the outcome of the last try is not known; r in the list looks");
            }
            writing.save_draft(true, cx);
            writing.editor.step = Step::Saving(cx.run(Origin::new(cx.pane.0), request));
        } else if !writing.is_dirty() {
            cx.toast("Nothing has changed");
        } else if writing.editor.step == Step::Editing {
            let request = match writing.target {
                Target::Document { base, id } => Request::GetDocument { id: base, document_id: id },
                Target::Base(id) => Request::GetKnowledgebase { id },
                Target::NewBase | Target::Website { .. } => return,
            };
            writing.editor.step = Step::Reading;
            writing.reading = Some((cx.run(Origin::new(cx.pane.0), request), false));
        }
    }

    /// The record was read again, or could not be.
    fn read_again(&mut self, by_list: bool, report: Report, cx: &mut Context) {
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
            writing.editor.draft.delete(cx);
            self.form = None;
            return cx.toast("It is saved already: nothing is left to change");
        }
        let (view, mut details) = (cx.view(), form::details());
        let (warning, dim) = (view.options.theme.warning, view.options.theme.dim);
        let theirs = form::label(opened, &from);
        if theirs.name.is_some() || !theirs.description.is_keep() {
            details = details.text("Somebody else has changed it since the form was opened:").styled(warning);
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
                let (said, style) =
                    if mine { ("yours replaces it", warning) } else { ("stays: it is not changed in the form", dim) };
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
        writing.editor.step = Step::Confirming(request);
        cx.open(SAVE, Confirm::new(format!("Save {}?", clean(&saved.name)), details, "save"));
    }

    /// A dialog of the form was answered; false where it is another one.
    pub(super) fn form_overlay(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        let Some(writing) = &mut self.form else { return false };
        match (event, writing.editor.step.clone()) {
            (OverlayEvent::Confirmed(SAVE), Step::Confirming(request)) => {
                writing.save_draft(true, cx);
                writing.editor.step = Step::Saving(cx.run(Origin::new(cx.pane.0), request));
            }
            (OverlayEvent::Cancelled(SAVE), _) => writing.editor.step = Step::Editing,
            _ => return false,
        }
        true
    }

    /// Takes the report of a request of the form; any other comes back.
    pub(super) fn form_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(writing) = &mut self.form else { return Some(report) };
        if writing.editor.step == Step::Saving(report.id) {
            writing.editor.step = Step::Editing;
            self.written(report, cx);
            return None;
        }
        match writing.reading.take_if(|(task, _)| *task == report.id) {
            Some((_, by_list)) => self.read_again(by_list, report, cx),
            None => return self.draft_reply(report),
        }
        None
    }

    fn draft_reply(&mut self, report: Report) -> Option<Report> {
        let Some(writing) = &mut self.form else { return Some(report) };
        match writing.editor.draft.reply(report) {
            Err(report) => return Some(report),
            Ok(None) => {}
            Ok(Some(values)) => {
                for (path, value) in values {
                    writing.editor.form.set(&path, &value);
                }
                writing.check();
            }
        }
        None
    }

    fn written(&mut self, report: Report, cx: &mut Context) {
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
            self.told.insert(id, record);
            self.add_number(id, cx);
            self.fetch_numbered(cx);
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
