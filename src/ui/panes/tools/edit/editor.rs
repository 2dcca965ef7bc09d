//! A tool while it is edited: the form, what the record was when it was opened, the draft, and the whole as JSON.

use super::super::keys;
use super::fields::{self, Values, changed, value};
use super::json;
use crate::api::rules::Fault;
use crate::api::{ToolChange, ToolHeader};
use crate::tasks::TaskId;
use crate::ui::drafts::Draft;
use crate::ui::editor::Editor;
use crate::ui::prelude::*;
use std::collections::BTreeMap;

/// Cells for the labels of changes.
pub const LABEL: usize = 13;

/// What an editor begins with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Preset {
    /// The tool; `None` for a new one.
    pub id: Option<i64>,
    /// What the title says.
    pub title: String,
    /// The name of the draft: what is opened again in the same way is filled in with it.
    pub draft: String,
    /// The record; empty for a new one.
    pub opened: Values,
    /// What the form holds at first.
    pub held: Values,
    /// What of an import was not taken over.
    pub notes: Vec<String>,
}

/// The form of a tool with all around it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolEditor {
    pub kit: Editor<Box<ToolChange>>,
    pub id: Option<i64>,
    /// The record when the form was opened; empty for a new one.
    pub opened: Values,
    /// What the form began with: the record, a copy, or what was imported.
    preset: Values,
    pub notes: Vec<String>,
    /// Header values that look like secrets are shown.
    pub shows_secrets: bool,
    /// The request that reads the record again.
    pub reading: Option<TaskId>,
    /// The whole as JSON in `$EDITOR`: what was handed over, or what could not be read when it came back.
    whole: Option<String>,
    /// True while `$EDITOR` has the whole.
    has_whole: bool,
}

impl ToolEditor {
    /// An editor of this.
    pub fn new(preset: Preset, cx: &mut Context) -> Self {
        let Preset { id, title, draft, opened, held, notes } = preset;
        let draft = Draft::load(draft, cx);
        let mut editor = Self {
            kit: Editor::new(title, fields::form(&held), draft),
            id,
            opened,
            preset: Values::new(),
            notes,
            shows_secrets: false,
            reading: None,
            whole: None,
            has_whole: false,
        };
        editor.preset = editor.values();
        editor.check();
        editor
    }

    /// What saving would leave.
    pub fn values(&self) -> Values {
        let mut values = fields::read(&self.kit.form);
        // A timeout that the server did not tell is not set by opening the form.
        if self.kit.form.text_of("timeout").is_empty() && value(&self.opened, "timeout").is_null() {
            values.remove("timeout");
        }
        values
    }

    /// True where saving would change something.
    pub fn is_dirty(&self) -> bool {
        !changed(&self.opened, &self.values()).is_empty()
    }

    /// What is wrong by the rules. What is missing the form knows itself.
    pub fn faults(&self) -> Vec<Fault> {
        let values = self.values();
        let faults = fields::body(&self.opened, &values).1.into_iter();
        faults.filter(|fault| !self.kit.form.text_of(&fault.field).is_empty()).collect()
    }

    /// The form has another value.
    pub fn changed(&mut self, cx: &Context) {
        self.kit.draft.touch(cx.now);
        self.check();
    }

    /// Brings errors and masks in line with the values.
    fn check(&mut self) {
        let values = self.values();
        let (faults, warnings) = (self.faults(), fields::warnings(&values));
        let form = &mut self.kit.form;
        // All fields are in the form.
        drop(form.set_errors(faults));
        drop(form.set_warnings(warnings));
        for (at, header) in fields::list::<ToolHeader>(&values, "headers").iter().enumerate() {
            form.mask(&format!("headers.{at}.value"), !self.shows_secrets && header.is_secret());
        }
    }

    /// Shows secrets, or masks them.
    pub fn toggle_secrets(&mut self) {
        self.shows_secrets = !self.shows_secrets;
        self.check();
    }

    fn fill(&mut self, values: &Values) {
        self.kit.form = fields::form(values);
        self.check();
    }

    // The draft.

    /// Saves the draft, where that is due or the form is left.
    pub fn save_draft(&mut self, leaving: bool, cx: &mut Context) {
        if !self.kit.draft.take_due(leaving, cx.now) {
            return;
        }
        let values = self.values();
        if changed(&self.preset, &values).is_empty() {
            return self.kit.draft.delete(cx);
        }
        let names = changed(&self.opened, &values).into_iter();
        let texts = names.map(|(name, _)| (name.to_owned(), value(&values, name).to_string())).collect();
        self.kit.draft.save(texts, cx);
    }

    /// Fills in the draft that was loaded.
    pub fn fill_in(&mut self, draft: BTreeMap<String, String>) {
        let mut values = self.preset.clone();
        for (name, text) in draft {
            values.insert(name, serde_json::from_str(&text).unwrap_or_default());
        }
        self.fill(&values);
    }

    /// Back to what the form began with.
    pub fn discard_draft(&mut self, cx: &mut Context) {
        self.kit.draft.delete(cx);
        self.fill(&self.preset.clone());
    }

    // The whole as JSON.

    /// Hands the whole to `$EDITOR`; what could not be read the last time is handed over once more.
    pub fn open_whole(&mut self, cx: &mut Context) {
        let left = self.whole.take();
        let text = left.unwrap_or_else(|| json::write(&self.values(), self.shows_secrets));
        self.whole = Some(text.clone());
        self.has_whole = true;
        cx.push(Effect::EditText(text));
    }

    /// Takes what came back from `$EDITOR`, where it had the whole; false where it had a field.
    pub fn edited(&mut self, text: &str, cx: &mut Context) -> bool {
        if !std::mem::take(&mut self.has_whole) {
            return false;
        }
        match json::read(text, &self.values()) {
            Ok((values, unknown)) => {
                self.whole = None;
                for (name, _) in changed(&self.values(), &values) {
                    fields::put(&mut self.kit.form, &values, name);
                }
                if !unknown.is_empty() {
                    cx.problem(format!("Not taken over from the JSON: {}.", unknown.join(", ")));
                }
                self.changed(cx);
                self.kit.form.show_errors();
            }
            Err(why) => {
                self.whole = Some(text.to_owned());
                let again = cx.view().key(keys::FORM, Action::EditWhole, " reopens it");
                cx.problem(format!("The JSON was not taken over ({again}): {why}."));
            }
        }
        true
    }

    // The screen.

    /// What would change, beside the form.
    pub fn details(&self, view: &View<'_>) -> Details {
        let theme = &view.options.theme;
        let mut details = Details::new(LABEL);
        for note in &self.notes {
            details = details.text(format!("{} {note}", view.options.glyphs.alert)).styled(theme.warning);
        }
        if !self.notes.is_empty() {
            details = details.text("");
        }
        if self.is_dirty() {
            fields::differences(details, (&self.opened, &self.values()), self.shows_secrets, view)
        } else {
            details.text("Nothing has changed.").styled(theme.dim)
        }
    }

    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let discard = view.key(keys::FORM, Action::Remove, " discards it");
        self.kit.draw(&self.details(view), &discard, view, buffer)
    }
}
