//! A field of a form: its label and the control that holds its value.

use super::FormEvent;
use super::text::{TextArea, TextField};
use crate::ui::action::{FieldStep, TextEdit};
use crate::ui::fuzzy;
use crate::ui::input::Input;

/// Something that can be taken: a value of a choice, an item of a picker, a suggestion for a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Item {
    /// The value: what `Form::text_of` returns; empty for any or none.
    pub key: String,
    /// What the list shows.
    pub name: String,
    /// More about it, dim.
    pub about: String,
    /// Why it cannot be taken.
    pub barred: Option<String>,
}

impl Item {
    /// An item that can be taken.
    pub fn new(key: impl Into<String>, name: impl Into<String>) -> Self {
        Self { key: key.into(), name: name.into(), ..Self::default() }
    }

    /// With more about it.
    #[must_use]
    pub fn about(self, about: impl Into<String>) -> Self {
        Self { about: about.into(), ..self }
    }

    /// One that cannot be taken, and why.
    #[must_use]
    pub fn barred(self, reason: impl Into<String>) -> Self {
        Self { barred: Some(reason.into()), ..self }
    }
}

/// One of a few values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choice {
    pub(super) items: Vec<Item>,
    pub(super) chosen: String,
}

impl Choice {
    /// A choice with the item of this key chosen.
    pub fn new(items: Vec<Item>, chosen: impl Into<String>) -> Self {
        Self { items, chosen: chosen.into() }
    }

    pub(super) fn item(&self) -> Option<&Item> {
        self.items.iter().find(|item| item.key == self.chosen)
    }

    /// Chooses the next item that begins with a letter, or with a blank the next one.
    fn text(&mut self, input: &Input) -> FormEvent {
        let Input::Key(key) = input else { return FormEvent::Ignored };
        let letter = match key.typed() {
            Some(' ') => return self.step(true),
            Some(letter) => letter.to_lowercase().to_string(),
            None => return FormEvent::Ignored,
        };
        let now = self.items.iter().position(|item| item.key == self.chosen).map_or(0, |at| at + 1);
        let (before, after) = self.items.split_at(now);
        let fits = |item: &&Item| item.barred.is_none() && item.name.to_lowercase().starts_with(&letter);
        let Some(item) = after.iter().chain(before).find(fits) else { return FormEvent::Ignored };
        self.chosen = item.key.clone();
        FormEvent::Changed
    }

    /// Chooses the next or the previous item that can be taken.
    fn step(&mut self, forwards: bool) -> FormEvent {
        let count = self.items.len();
        let now = self.items.iter().position(|item| item.key == self.chosen);
        let order = (1..=count).map(|by| match (now, forwards) {
            (Some(now), true) => (now + by) % count,
            (Some(now), false) => (now + count - by) % count,
            (None, true) => by - 1,
            (None, false) => count - by,
        });
        let next = order.map(|at| &self.items[at]).find(|item| item.barred.is_none());
        match next.map(|item| item.key.clone()).filter(|key| *key != self.chosen) {
            Some(key) => self.chosen = key,
            None => return FormEvent::Ignored,
        }
        FormEvent::Changed
    }
}

/// One of many values, found by typing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picker {
    pub(super) choice: Choice,
    pub(super) search: TextField,
    /// The place of the mark among the matches, once it was moved.
    marked: Option<usize>,
}

impl Picker {
    /// A picker with the item of this key chosen; where any or none is possible, the first item has an empty key.
    pub fn new(items: Vec<Item>, chosen: impl Into<String>) -> Self {
        Self { choice: Choice::new(items, chosen), ..Self::default() }
    }

    /// The items that match what is typed, the best first.
    pub(super) fn matches(&self) -> Vec<&Item> {
        let texts = |item: &&Item| vec![item.name.clone().into(), item.about.clone().into()];
        fuzzy::rank(self.search.value(), &self.choice.items, texts).into_iter().map(|(item, _)| item).collect()
    }

    pub(super) fn is_searched(&self) -> bool {
        self.marked.is_some() || !self.search.value().is_empty()
    }

    /// Which match is marked: where nobody has moved the mark, the chosen one, else the best.
    pub(super) fn marked(&self, matches: &[&Item]) -> Option<usize> {
        let chosen = || matches.iter().position(|item| item.key == self.choice.chosen);
        let at = self.marked.or_else(|| chosen().filter(|_| !self.is_searched())).unwrap_or(0);
        matches.len().checked_sub(1).map(|last| at.min(last))
    }

    /// Moves the mark; false at the first and the last match.
    pub(super) fn mark(&mut self, down: bool) -> bool {
        let matches = self.matches();
        let Some(at) = self.marked(&matches) else { return false };
        let next = if down { (at + 1).min(matches.len() - 1) } else { at.saturating_sub(1) };
        let moved = next != at;
        if moved {
            self.marked = Some(next);
        }
        moved
    }

    pub(super) fn mark_at(&mut self, at: usize) {
        self.marked = Some(at);
    }

    /// Takes the marked item where the user searched for it, and ends the search. True where the value changed.
    pub(super) fn settle(&mut self) -> bool {
        let matches = self.matches();
        let item = self.marked(&matches).map(|at| matches[at]).filter(|item| item.barred.is_none());
        let key = item.filter(|_| self.is_searched()).map(|item| item.key.clone());
        self.end_search();
        let changed = key.filter(|key| *key != self.choice.chosen);
        changed.map(|key| self.choice.chosen = key).is_some()
    }

    /// True where the marked item cannot be taken.
    pub(super) fn is_barred(&self) -> bool {
        let matches = self.matches();
        self.marked(&matches).is_some_and(|at| matches[at].barred.is_some())
    }

    /// Empties the search; false where there was none.
    pub(super) fn end_search(&mut self) -> bool {
        let searched = self.is_searched();
        (self.search, self.marked) = (TextField::default(), None);
        searched
    }
}

/// A list of rows, each with the same cells; the cells themselves are fields of the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    pub(super) cells: Vec<Field>,
    pub(super) count: usize,
}

impl Rows {
    /// No rows yet; each will have these cells, named without the path of the field. `Form::set` adds rows.
    pub fn new(cells: Vec<Field>) -> Self {
        Self { cells, count: 0 }
    }
}

/// What holds the value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Control {
    /// A text of one line.
    Line(TextField),
    /// A text of several lines.
    Text(TextArea),
    /// One of a few values.
    Choice(Choice),
    /// Yes or no.
    Toggle(bool),
    /// A list of rows of cells.
    Rows(Rows),
    /// One of many values.
    Picker(Picker),
    /// A path of a file; Tab completes it from the suggestions.
    File(TextField),
}

impl Control {
    /// The value as text: what was typed, the key of what was chosen, `true` or `false`; empty for rows.
    pub fn value(&self) -> &str {
        match self {
            Self::Line(line) | Self::File(line) => line.value(),
            Self::Text(text) => text.buffer.text(),
            Self::Choice(choice) | Self::Picker(Picker { choice, .. }) => &choice.chosen,
            Self::Toggle(true) => "true",
            Self::Toggle(false) => "false",
            Self::Rows(_) => "",
        }
    }

    pub(super) fn set(&mut self, value: &str) {
        match self {
            Self::Line(line) | Self::File(line) => line.buffer.set(value),
            Self::Text(text) => text.buffer.set(value),
            Self::Choice(choice) | Self::Picker(Picker { choice, .. }) => value.clone_into(&mut choice.chosen),
            Self::Toggle(on) => *on = value == "true",
            Self::Rows(_) => {}
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Rows(rows) => rows.count == 0,
            control => control.value().trim().is_empty(),
        }
    }

    pub(super) fn row_count(&self) -> usize {
        if let Self::Rows(rows) = self { rows.count } else { 0 }
    }

    /// The text that keys edit: the value, or the search of a picker.
    pub(super) fn line(&self) -> Option<&TextField> {
        match self {
            Self::Line(line) | Self::File(line) | Self::Picker(Picker { search: line, .. }) => Some(line),
            _ => None,
        }
    }

    pub(super) fn is_suggested(&self) -> bool {
        self.line().is_some_and(|line| line.buffer.is_suggested())
    }

    pub(super) fn marked(&self) -> Option<&Item> {
        match self {
            Self::Line(line) | Self::File(line) => line.suggestions.get(line.marked?),
            Self::Picker(picker) => {
                let matches = picker.matches();
                picker.marked(&matches).map(|at| matches[at])
            }
            _ => None,
        }
    }

    pub(super) fn takes_text(&self) -> bool {
        self.line().is_some() || matches!(self, Self::Text(_))
    }

    pub(super) fn notice(&self) -> Option<&'static str> {
        match self {
            Self::Text(text) => text.buffer.notice,
            control => control.line()?.buffer.notice,
        }
    }

    pub(super) fn offer(&mut self, items: Vec<Item>) {
        match self {
            Self::Line(line) | Self::File(line) => {
                let marked = line.marked.and_then(|at| line.suggestions.get(at)).map(|item| &item.key);
                line.marked = marked.and_then(|key| items.iter().position(|item| item.key == *key));
                line.suggestions = items;
            }
            Self::Choice(choice) | Self::Picker(Picker { choice, .. }) => choice.items = items,
            _ => {}
        }
    }

    pub(super) fn text(&mut self, input: &Input) -> FormEvent {
        match self {
            Self::Line(line) | Self::File(line) => line.text(input),
            Self::Text(text) => text.buffer.input(input),
            Self::Choice(choice) => choice.text(input),
            Self::Picker(picker) => picker.searched(|search| search.text(input)),
            _ => FormEvent::Ignored,
        }
    }

    pub(super) fn edit(&mut self, edit: TextEdit) -> FormEvent {
        match self {
            Self::Line(line) | Self::File(line) => line.act(edit),
            Self::Text(text) => text.buffer.act(edit),
            Self::Picker(picker) => picker.searched(|search| search.act(edit)),
            _ => FormEvent::Ignored,
        }
    }

    /// Changes what is no text.
    pub(super) fn change(&mut self, step: FieldStep) -> FormEvent {
        match self {
            Self::Choice(choice) => choice.step(step == FieldStep::Change),
            Self::Toggle(on) => {
                *on = !*on;
                FormEvent::Changed
            }
            _ => FormEvent::Ignored,
        }
    }
}

impl Picker {
    /// Changes the search; the value stays until something is taken.
    fn searched(&mut self, change: impl FnOnce(&mut TextField) -> FormEvent) -> FormEvent {
        match change(&mut self.search) {
            FormEvent::Changed => {
                self.marked = None;
                FormEvent::Moved
            }
            event => event,
        }
    }
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The path on the wire, e.g. `name`; that of a cell starts with its row's, e.g. `headers.0.name`.
    pub name: String,
    /// What stands before the value.
    pub label: String,
    /// What stands in place of an empty value.
    pub hint: String,
    /// True where a form without this value cannot be submitted.
    pub required: bool,
    /// True where errors show while typing, not only once the field was left.
    pub eager: bool,
    /// What holds the value.
    pub control: Control,
}

impl Field {
    /// An optional field without a hint.
    pub fn new(name: impl Into<String>, label: impl Into<String>, control: Control) -> Self {
        let (name, label) = (name.into(), label.into());
        Self { name, label, hint: String::new(), required: false, eager: false, control }
    }

    pub(super) fn is_missing(&self) -> bool {
        self.required && self.control.is_blank()
    }

    /// With a text in place of an empty value.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }

    /// One that must be filled in.
    #[must_use]
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// One that shows its errors while typing.
    #[must_use]
    pub fn eager(self) -> Self {
        Self { eager: true, ..self }
    }
}
