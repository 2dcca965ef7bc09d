//! The forms of the pane: name and description of a knowledgebase or a document, and a website. What exists is read again
//! before it is saved; an outcome that is not known is looked up in the list before another try is offered.

use super::form::{self, Texts};
use super::row::{description, name};
use super::{Knowledge, Part};
use crate::api::rules::Fault;
use crate::api::{Document, Knowledgebase};
use crate::tasks::TaskId;
use crate::ui::drafts::Draft;
use crate::ui::editor::{Editor, Step};
use crate::ui::prelude::*;
use crate::ui::widgets::form::FormEvent;

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
    pub opened: Texts,
    /// False where its name was not told.
    named: bool,
    pub editor: Editor<Request>,
    /// The request that reads the record again; true where it reads the list of documents instead.
    pub reading: Option<(TaskId, bool)>,
}

pub fn base_texts(base: &Knowledgebase) -> Texts {
    Texts { name: base.name.known().cloned().unwrap_or_default(), description: description(&base.description) }
}

pub fn document_texts(document: &Document) -> Texts {
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
    pub fn texts(&self) -> Texts {
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

    /// Shows what is wrong; that a name is missing says the form once it is left or submitted.
    fn check(&mut self) {
        let mut faults = self.faults();
        faults.retain(|fault| fault.field != "name" || !self.editor.form.text_of("name").is_empty());
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
        let lacks = |what| self.writes.unsupported.has(what);
        match action {
            Action::Create if self.writes.unknown.is_some() => {
                Some("the outcome of the last try is not known; r looks")
            }
            Action::Create if document && self.base().is_none() => Some("no knowledgebase is selected"),
            Action::Create if document && lacks("add") => Some("the server cannot add documents"),
            Action::Create if !document && lacks("create") => Some("the server cannot create knowledgebases"),
            Action::Edit if document && lacks("edit document") => Some("the server cannot change documents"),
            Action::Edit if !document && lacks("edit") => Some("the server cannot change knowledgebases"),
            Action::Delete if document && lacks("delete document") => Some("the server cannot delete documents"),
            Action::Delete if !document && lacks("delete") => Some("the server cannot delete knowledgebases"),
            Action::Delete => self.deletion.disabled(),
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
            writing.editor.save(request, cx);
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

    /// A dialog of the form was answered; false where it is another one.
    pub(super) fn form_overlay(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        let Some(writing) = &mut self.form else { return false };
        writing.save_draft(true, cx);
        writing.editor.answer(event, cx, |request| request)
    }

    /// Takes the report of a request of the form; any other comes back.
    pub(super) fn form_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(writing) = &mut self.form else { return Some(report) };
        if writing.editor.end(&report) {
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
}
