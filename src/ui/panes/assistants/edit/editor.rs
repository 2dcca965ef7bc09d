//! An assistant while it is edited: the form, what the record was when it was opened, and the draft.

use super::fields::{OF_MODE, Values, has, value};
use super::{Offers, changes, form};
use crate::api::AssistantChange;
use crate::api::rules::Fault;
use crate::records::{FormDraft, StorageRequest};
use crate::tasks::TaskId;
use crate::ui::ages::date_and_time;
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use crate::ui::widgets::{put_cut, put_right};
use jiff::Timestamp;
use ratatui::text::{Line, Span};
use std::collections::{BTreeMap, BTreeSet};

/// How long after the last change a draft is saved.
const PAUSE: Duration = Duration::from_secs(1);
/// From this width on the changes stand beside the form.
const BESIDE: u16 = 96;
/// Cells for the labels of changes.
pub const LABEL: usize = 19;

/// How far saving has come.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Not begun.
    Editing,
    /// The record is read again.
    Reading,
    /// The dialog asks about this.
    Confirming(Box<AssistantChange>),
    /// It is being sent.
    Saving(TaskId),
}

/// The draft of a form in storage.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Under which name.
    pub form: String,
    /// The request that loads it.
    pub loading: Option<TaskId>,
    /// When the one was saved that the form was filled in with.
    pub of: Option<Timestamp>,
    /// True where one is stored.
    stored: bool,
    /// When the form changed, where that is not stored yet.
    changed: Option<Instant>,
}

/// The form of an assistant with all around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Editor {
    /// The assistant; `None` for a new one.
    pub id: Option<i64>,
    /// What the title says.
    title: String,
    /// The record when the form was opened; empty for a new one.
    pub opened: Values,
    /// What the form began with: the record, an earlier version, or the one that is duplicated.
    preset: Values,
    /// What the form holds, and what it held of fields that it does not show now.
    held: Values,
    pub form: Form,
    pub offers: Offers,
    pub draft: Draft,
    pub step: Step,
    /// The changes have the focus, not the form.
    pub aside: bool,
    /// Lines of the changes that are scrolled away.
    scrolled: usize,
    /// The changes, made when one is: comparing prompts word by word is slow.
    changes: Details,
}

/// The areas of title, form and changes; on a narrow screen the one with the focus has all.
pub fn areas(body: Rect, aside: bool) -> [Rect; 3] {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let top = area.height.min(2);
    let below = Rect { y: area.y + top, height: area.height - top, ..area };
    let none = Rect { width: 0, height: 0, ..below };
    if body.width < BESIDE {
        return if aside { [title, none, below] } else { [title, below, none] };
    }
    let left = below.width / 2;
    [title, Rect { width: left, ..below }, Rect { x: below.x + left + 2, width: below.width - left - 2, ..below }]
}

impl Editor {
    /// A form with these values, of a record that is `opened`; `draft` is its name in storage.
    pub fn new(id: Option<i64>, (title, draft): (String, String), opened: Values, preset: Values, data: &Data) -> Self {
        let (offers, held) = (Offers::default(), preset.clone());
        let form = form::form(&held, &offers, data);
        let draft = Draft { form: draft, loading: None, of: None, stored: false, changed: None };
        let (step, aside, scrolled, changes) = (Step::Editing, false, 0, Details::default());
        Self { id, title, opened, preset, held, form, offers, draft, step, aside, scrolled, changes }
    }

    /// The values that saving would leave. A mode that changed resets what the form does not show.
    pub fn values(&self) -> Values {
        let mut values = self.held.clone();
        let mode = json_text(value(&values, "mode"));
        let stays = mode == json_text(value(&self.opened, "mode"));
        for name in OF_MODE.into_iter().filter(|name| !has(&mode, name)) {
            values.remove(name);
            if let Some(before) = self.opened.get(name).filter(|_| stays) {
                values.insert(name.to_owned(), before.clone());
            }
        }
        values
    }

    /// True where saving would change something.
    pub fn is_dirty(&self) -> bool {
        changes::changed(&self.opened, &self.values()).next().is_some()
    }

    /// The form has another value: rules, choices and draft follow.
    pub fn changed(&mut self, cx: &mut Context) {
        let before = json_text(value(&self.held, "mode"));
        self.held = form::read(&self.form, &self.held);
        let mode = json_text(value(&self.held, "mode"));
        if mode != before {
            if mode != "pipeline" && json_text(value(&self.held, "knowledgebase_mode")) == "prompt" {
                self.held.insert("knowledgebase_mode".to_owned(), "function_call".into());
            }
            self.refill(cx);
            self.form.focus("mode");
        }
        self.draft.changed = Some(cx.now.mono);
        self.refresh(cx);
    }

    /// Makes the form anew with what it should hold.
    fn refill(&mut self, cx: &Context) {
        self.form = form::form(&self.held, &self.offers, &cx.data);
    }

    /// Brings the choices in line with the catalogue, and the errors with the rules.
    pub fn refresh(&mut self, cx: &mut Context) {
        self.offers.want(&self.held, cx);
        form::offer(&mut self.form, &self.held, &self.offers, &cx.data);
        // What is said of a field that the form does not show is the server's to say.
        drop(self.form.set_errors(self.faults()));
        self.changes = self.details(&cx.view());
    }

    /// What is wrong by the rules.
    pub fn faults(&self) -> Vec<Fault> {
        let (change, mut faults) = changes::body(&self.opened, &self.values());
        if self.id.is_none() {
            faults.extend(change.missing());
        }
        let mut names = BTreeSet::new();
        for (path, name) in self.form.values() {
            let is_name = path.strip_prefix("variables.").is_some_and(|cell| cell.split('.').nth(1) == Some("name"));
            if is_name && !name.is_empty() && !names.insert(name) {
                faults.push(Fault::new(path, "Another variable has this name."));
            }
        }
        faults
    }

    // The draft.

    /// Stores the draft, where that is due or it is left.
    pub fn save_draft(&mut self, leaving: bool, cx: &mut Context) {
        if self.draft.changed.take_if(|at| leaving || cx.now.mono - *at >= PAUSE).is_none() {
            return;
        }
        let values = self.values();
        if changes::changed(&self.preset, &values).next().is_none() {
            return self.delete_draft(cx);
        }
        let names = changes::changed(&self.opened, &values).map(|field| field.name);
        let texts: BTreeMap<_, _> = names.map(|name| (name.to_owned(), value(&values, name).to_string())).collect();
        self.draft.stored = true;
        cx.run(Origin::new(cx.pane.0), StorageRequest::SaveFormDraft { form: self.draft.form.clone(), values: texts });
    }

    /// Deletes it.
    pub fn delete_draft(&mut self, cx: &mut Context) {
        if std::mem::take(&mut self.draft.stored) {
            cx.run(Origin::new(cx.pane.0), StorageRequest::DeleteFormDraft(self.draft.form.clone()));
        }
    }

    /// When it is due.
    pub fn next_change(&self) -> Option<Instant> {
        self.draft.changed.map(|at| at + PAUSE)
    }

    /// A draft was loaded: it is filled in, unless something was typed before it came.
    pub fn fill_in(&mut self, draft: Option<FormDraft>, cx: &mut Context) {
        self.draft.loading = None;
        let Some(draft) = draft else { return };
        self.draft.stored = true;
        if self.draft.changed.is_some() {
            return;
        }
        for (name, text) in draft.values {
            self.held.insert(name, serde_json::from_str(&text).unwrap_or_default());
        }
        self.draft.of = Some(draft.saved);
        self.refill(cx);
        self.refresh(cx);
    }

    /// Back to what the form began with.
    pub fn discard_draft(&mut self, cx: &mut Context) {
        self.held = self.preset.clone();
        (self.draft.of, self.draft.changed) = (None, None);
        self.delete_draft(cx);
        self.refill(cx);
        self.refresh(cx);
    }

    // The screen.

    /// What would change, beside the form.
    fn details(&self, view: &View<'_>) -> Details {
        let values = self.values();
        let details = Details::new(LABEL);
        if changes::changed(&self.opened, &values).next().is_none() {
            return details.text("Nothing has changed.").styled(view.options.theme.dim);
        }
        changes::details(details, &self.opened, &values, view)
    }

    pub fn scroll(&mut self, motion: Motion, cx: &Context) {
        let [.., aside] = areas(cx.body, true);
        self.scrolled = self.changes.scroll(self.scrolled, motion, &cx.options, aside);
    }

    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let [title, form, aside] = areas(view.body, self.aside);
        let (said, style) = match (&self.step, self.draft.of) {
            (Step::Reading, _) => ("reading it again".to_owned(), theme.dim),
            (Step::Saving(_), _) => ("saving".to_owned(), theme.dim),
            (_, Some(saved)) => {
                let discard = view.key(super::super::keys::FORM, Action::Remove, " discards it");
                (
                    format!("draft from {} {} {discard}", date_and_time(saved, view.now.wall, view.zone), glyphs.dot),
                    theme.warning,
                )
            }
            _ => (String::new(), theme.dim),
        };
        let line = Line::from(vec![Span::styled(&self.title, theme.accent)]);
        put_cut(buffer, title, &line, glyphs.ellipsis);
        put_right(buffer, title, &Line::styled(said, style));
        if !aside.is_empty() {
            let head = Rect { y: title.y + 1, height: 1, ..aside };
            let style = if self.aside { theme.accent } else { theme.dim };
            put_cut(buffer, head, &Line::styled("CHANGES", style), glyphs.ellipsis);
            self.changes.draw(self.scrolled, view, aside, buffer);
        }
        if !aside.is_empty() && !form.is_empty() {
            let edge = Rect { x: aside.x - 2, y: title.y + 1, width: 1, height: form.height + 1 };
            column(buffer, edge, glyphs.vertical, theme.dim);
        }
        let caret = (!form.is_empty()).then(|| self.form.draw(view, form, buffer)).flatten();
        caret.filter(|_| !self.aside)
    }
}
