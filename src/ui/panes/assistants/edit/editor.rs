//! An assistant while it is edited: the form, what the record was when it was opened, and the draft.

use super::fields::{OF_MODE, Values, has, value};
use super::{Offers, changes, form};
use crate::api::AssistantChange;
use crate::api::rules::Fault;
use crate::ui::drafts::Draft;
use crate::ui::editor;
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use std::collections::{BTreeMap, BTreeSet};

/// Cells for the labels of changes.
pub const LABEL: usize = 19;

/// The form of an assistant with all around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Editor {
    pub kit: editor::Editor<Box<AssistantChange>>,
    /// The assistant; `None` for a new one.
    pub id: Option<i64>,
    /// The record when the form was opened; empty for a new one.
    pub opened: Values,
    /// What the form began with: the record, an earlier version, or the one that is duplicated.
    preset: Values,
    /// What the form holds, and what it held of fields that it does not show now.
    held: Values,
    pub offers: Offers,
    /// The changes, made when one is: comparing prompts word by word is slow.
    changes: Details,
}

impl Editor {
    /// A form with these values, of a record that is `opened`.
    pub fn new(id: Option<i64>, title: String, draft: Draft, opened: Values, preset: Values, data: &Data) -> Self {
        let (offers, held) = (Offers::default(), preset.clone());
        let kit = editor::Editor::new(title, form::form(&held, &offers, data), draft);
        Self { kit, id, opened, preset, held, offers, changes: Details::default() }
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
        self.held = form::read(&self.kit.form, &self.held);
        let mode = json_text(value(&self.held, "mode"));
        if mode != before {
            if mode != "pipeline" && json_text(value(&self.held, "knowledgebase_mode")) == "prompt" {
                self.held.insert("knowledgebase_mode".to_owned(), "function_call".into());
            }
            self.refill(cx);
            self.kit.form.focus("mode");
        }
        self.kit.draft.touch(cx.now);
        self.refresh(cx);
    }

    /// Makes the form anew with what it should hold.
    fn refill(&mut self, cx: &Context) {
        self.kit.form = form::form(&self.held, &self.offers, &cx.data);
    }

    /// Brings the choices in line with the catalogue, and the errors with the rules.
    pub fn refresh(&mut self, cx: &mut Context) {
        self.offers.want(&self.held, cx);
        form::offer(&mut self.kit.form, &self.held, &self.offers, &cx.data);
        // What is said of a field that the form does not show is the server's to say.
        drop(self.kit.form.set_errors(self.faults()));
        self.changes = self.details(&cx.view());
    }

    /// What is wrong by the rules.
    pub fn faults(&self) -> Vec<Fault> {
        let (change, mut faults) = changes::body(&self.opened, &self.values());
        if self.id.is_none() {
            faults.extend(change.missing());
        }
        let mut names = BTreeSet::new();
        for (path, name) in self.kit.form.values() {
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
        if !self.kit.draft.take_due(leaving, cx.now) {
            return;
        }
        let values = self.values();
        if changes::changed(&self.preset, &values).next().is_none() {
            return self.kit.draft.delete(cx);
        }
        let names = changes::changed(&self.opened, &values).map(|field| field.name);
        let texts = names.map(|name| (name.to_owned(), value(&values, name).to_string())).collect();
        self.kit.draft.save(texts, cx);
    }

    /// Fills the form in with a draft.
    pub fn fill_in(&mut self, draft: BTreeMap<String, String>, cx: &mut Context) {
        for (name, text) in draft {
            self.held.insert(name, serde_json::from_str(&text).unwrap_or_default());
        }
        self.refill(cx);
        self.refresh(cx);
    }

    /// Back to what the form began with.
    pub fn discard_draft(&mut self, cx: &mut Context) {
        self.held = self.preset.clone();
        self.kit.draft.delete(cx);
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

    /// Does what a key means for the changes beside the form; false where it is for the form.
    pub fn act(&mut self, action: Action, cx: &mut Context) -> bool {
        let changes = &self.changes;
        self.kit.act(action, |_| changes.clone(), cx)
    }

    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let discard = view.key(super::super::keys::FORM, Action::Remove, " discards it");
        self.kit.draw(&self.changes, &discard, view, buffer)
    }
}
