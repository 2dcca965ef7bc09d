//! A field of a form: its label, its value, and what it makes of actions, typed text and clicks.

use super::FormEvent;
use super::draw::Part;
use crate::ui::action::{Action, FieldStep, Motion};
use crate::ui::fuzzy;
use crate::ui::input::Input;
use crate::ui::widgets::input::TextInput;
use ratatui::layout::Rect;
use std::ops::RangeInclusive;
use unicode_segmentation::UnicodeSegmentation;

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
}

/// How a field holds its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A text of one line.
    Line,
    /// A path of a file; Tab completes it from the suggestions.
    File,
    /// A text of several lines: the rows it takes on screen, and the characters that the API accepts, for a counter.
    Text { rows: RangeInclusive<usize>, limit: Option<usize> },
    /// One of a few values, shown side by side.
    Choice,
    /// Yes or no: a choice of `true` and `false`.
    Toggle,
    /// One of many values, found by typing.
    Picker,
    /// Rows of cells; the cells of all rows are fields of the form, behind this one.
    Rows { cells: Vec<Field>, count: usize },
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
    pub(super) kind: Kind,
    /// True where a mark stands in place of each character of a line.
    pub(super) masked: bool,
    /// Its row and column, where it is a cell of rows.
    pub(super) cell: Option<(usize, usize)>,
    /// What is typed: the value, or in a picker what is searched for.
    pub(super) text: TextInput,
    /// The key of what is chosen.
    pub(super) chosen: String,
    /// What can be chosen, or what is suggested for a line.
    pub(super) items: Vec<Item>,
    /// The place of the mark in [`Self::list`], once it was moved.
    marked: Option<usize>,
}

impl Field {
    fn new(name: &str, label: &str, kind: Kind) -> Self {
        let (name, label, hint, chosen) = (name.to_owned(), label.to_owned(), String::new(), String::new());
        let (cell, text, items) = (None, TextInput::default(), Vec::new());
        let (required, eager, marked) = (false, false, None);
        Self { name, label, hint, required, eager, kind, masked: false, cell, text, chosen, items, marked }
    }

    /// A text of one line.
    pub fn line(name: &str, label: &str, text: &str) -> Self {
        Self { text: TextInput::new(text), ..Self::new(name, label, Kind::Line) }
    }

    /// The path of a file, completed with Tab from what the caller suggests.
    pub fn file(name: &str, label: &str, path: &str) -> Self {
        Self { text: TextInput::new(path), ..Self::new(name, label, Kind::File) }
    }

    /// A text of several lines, as high as it needs within these rows; with a limit, its characters are counted.
    pub fn text(name: &str, label: &str, text: &str, rows: RangeInclusive<usize>, limit: Option<usize>) -> Self {
        Self { text: TextInput::multi_line(text), ..Self::new(name, label, Kind::Text { rows, limit }) }
    }

    /// One of a few values, with the item of this key chosen.
    pub fn choice(name: &str, label: &str, items: Vec<Item>, chosen: impl Into<String>) -> Self {
        Self { items, chosen: chosen.into(), ..Self::new(name, label, Kind::Choice) }
    }

    /// One of many values, found by typing; where any or none is possible, the first item has an empty key.
    pub fn picker(name: &str, label: &str, items: Vec<Item>, chosen: impl Into<String>) -> Self {
        Self { items, chosen: chosen.into(), ..Self::new(name, label, Kind::Picker) }
    }

    /// Yes or no.
    pub fn toggle(name: &str, label: &str, on: bool) -> Self {
        let items = vec![Item::new("false", "no"), Item::new("true", "yes")];
        Self { items, chosen: on.to_string(), ..Self::new(name, label, Kind::Toggle) }
    }

    /// No rows yet; each will have these cells, named without the path of the field. `Form::set` adds rows.
    pub fn rows(name: &str, label: &str, cells: Vec<Field>) -> Self {
        Self::new(name, label, Kind::Rows { cells, count: 0 })
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

    // The value.

    /// The value as text: what was typed, the key of what was chosen, `true` or `false`; empty for rows.
    pub(super) fn value(&self) -> &str {
        let is_chosen = matches!(self.kind, Kind::Choice | Kind::Toggle | Kind::Picker);
        if is_chosen { &self.chosen } else { self.text.value() }
    }

    pub(super) fn set(&mut self, value: &str) {
        match self.kind {
            Kind::Toggle => self.chosen = (value == "true").to_string(),
            Kind::Choice | Kind::Picker => value.clone_into(&mut self.chosen),
            Kind::Rows { .. } => {}
            Kind::Line | Kind::File | Kind::Text { .. } => self.text.set(value),
        }
    }

    pub(super) fn row_count(&self) -> usize {
        if let Kind::Rows { count, .. } = self.kind { count } else { 0 }
    }

    pub(super) fn is_missing(&self) -> bool {
        self.required && self.row_count() == 0 && self.value().trim().is_empty()
    }

    pub(super) fn has_suggestions(&self) -> bool {
        matches!(self.kind, Kind::Line | Kind::File)
    }

    pub(super) fn takes_text(&self) -> bool {
        !matches!(self.kind, Kind::Choice | Kind::Toggle | Kind::Rows { .. })
    }

    /// The item that is chosen.
    pub(super) fn item(&self) -> Option<&Item> {
        self.items.iter().find(|item| item.key == self.chosen)
    }

    // The list below the field.

    /// What a picker is searched for, or the suggestions of a line; and the place of the mark. Where nobody has moved
    /// it, a line has none, and in a picker it is on the chosen item, else on the best.
    pub(super) fn list(&self) -> (Vec<&Item>, Option<usize>) {
        if self.has_suggestions() {
            return (self.items.iter().collect(), self.marked);
        }
        if self.kind != Kind::Picker {
            return (Vec::new(), None);
        }
        let texts = |item: &&Item| vec![item.name.clone().into(), item.about.clone().into()];
        let ranked = fuzzy::rank(self.text.value(), &self.items, texts);
        let matches: Vec<_> = ranked.into_iter().map(|(item, _)| item).collect();
        let chosen = || matches.iter().position(|item| item.key == self.chosen).filter(|_| !self.is_searched());
        let at = self.marked.or_else(chosen).unwrap_or(0);
        let marked = matches.len().checked_sub(1).map(|last| at.min(last));
        (matches, marked)
    }

    /// The marked item.
    pub(super) fn marked(&self) -> Option<&Item> {
        let (items, marked) = self.list();
        items.get(marked?).copied()
    }

    /// True where somebody searches in a picker.
    pub(super) fn is_searched(&self) -> bool {
        self.kind == Kind::Picker && (self.marked.is_some() || !self.text.value().is_empty())
    }

    fn is_barred(&self) -> bool {
        self.marked().is_some_and(|item| item.barred.is_some())
    }

    /// Gives a line its suggestions, or a choice or a picker its items; the mark stays on its item.
    pub(super) fn offer(&mut self, items: Vec<Item>) {
        let marked = self.marked.and_then(|_| self.marked()).map(|item| item.key.clone());
        self.items = items;
        self.marked = marked.and_then(|key| self.list().0.iter().position(|item| item.key == key));
    }

    /// Moves the mark. A line has no mark above its first suggestion; a picker's is left at both ends of its list.
    fn step_mark(&mut self, down: bool) -> Option<FormEvent> {
        let (items, at) = self.list();
        let last = items.len().checked_sub(1)?;
        let next = match at {
            None => down.then_some(0),
            Some(at) if down => Some((at + 1).min(last)),
            Some(at) => at.checked_sub(1),
        };
        let stays = if self.kind == Kind::Picker { next.is_none() || next == at } else { (at, next) == (None, None) };
        if !stays {
            self.marked = next;
        }
        (!stays).then_some(FormEvent::Moved)
    }

    /// Takes the marked item; in a picker, where somebody searched for it, and the search ends. True where the value
    /// changed.
    pub(super) fn take(&mut self) -> bool {
        let item = self.marked().filter(|item| item.barred.is_none());
        let key = item.filter(|_| self.has_suggestions() || self.is_searched()).map(|item| item.key.clone());
        self.marked = None;
        match key {
            Some(key) if self.has_suggestions() => {
                self.items.clear();
                self.text.set(&key);
                true
            }
            key => {
                self.end_search();
                key.filter(|key| *key != self.chosen).map(|key| self.chosen = key).is_some()
            }
        }
    }

    fn end_search(&mut self) {
        self.marked = None;
        if self.kind == Kind::Picker {
            self.text = TextInput::default();
        }
    }

    /// The focus leaves, or the form is submitted: a picker takes what was searched for.
    pub(super) fn settle(&mut self) -> bool {
        self.marked = self.marked.filter(|_| self.kind == Kind::Picker);
        self.take()
    }

    /// Completes what all suggestions begin with; false where that is no more than the text.
    fn complete(&mut self) -> bool {
        let mut keys = self.items.iter().map(|item| item.key.as_str());
        let Some(first) = keys.next() else { return false };
        let common = keys.fold(first, |common, key| {
            let same = common.graphemes(true).zip(key.graphemes(true)).take_while(|(one, other)| one == other);
            &common[..same.map(|(one, _)| one.len()).sum()]
        });
        let longer = common.len() > self.value().len() && common.starts_with(self.value());
        if longer {
            self.text.set(common);
        }
        longer
    }

    // Input.

    /// Chooses the next or the previous item that can be taken and fits.
    fn choose(&mut self, forwards: bool, fits: impl Fn(&Item) -> bool) -> FormEvent {
        let count = self.items.len();
        let now = self.items.iter().position(|item| item.key == self.chosen);
        let from = now.unwrap_or(if forwards { count.saturating_sub(1) } else { 0 });
        let order = (1..=count).map(|by| (from + if forwards { by } else { count - by }) % count);
        let next = order.map(|at| &self.items[at]).find(|item| item.barred.is_none() && fits(item));
        match next.map(|item| item.key.clone()).filter(|key| *key != self.chosen) {
            Some(key) => self.chosen = key,
            None => return FormEvent::Ignored,
        }
        FormEvent::Changed
    }

    /// Changes the text; in a picker that is only the search, and the value stays until something is taken.
    fn edit(&mut self, edit: impl FnOnce(&mut TextInput) -> FormEvent) -> FormEvent {
        let event = edit(&mut self.text);
        if event != FormEvent::Ignored {
            self.marked = None;
        }
        if event == FormEvent::Changed && self.kind == Kind::Picker { FormEvent::Moved } else { event }
    }

    /// Takes a typed character or a paste. In a choice a letter chooses the next item that begins with it, a blank the
    /// next one.
    pub(super) fn type_in(&mut self, input: &Input) -> FormEvent {
        match input {
            input if self.takes_text() => self.edit(|text| text.text(input)),
            Input::Key(key) if self.kind == Kind::Choice => match key.typed() {
                Some(' ') => self.choose(true, |_| true),
                Some(letter) => {
                    let letter = letter.to_lowercase().to_string();
                    self.choose(true, |item| item.name.to_lowercase().starts_with(&letter))
                }
                None => FormEvent::Ignored,
            },
            _ => FormEvent::Ignored,
        }
    }

    /// What the field does with an action; `None` where it leaves that to the form. `area` is as wide as the values and
    /// as high as the form.
    pub(super) fn act(&mut self, action: Action, area: Rect) -> Option<FormEvent> {
        let changed = |done: bool| done.then_some(FormEvent::Changed);
        let room = area.width.into();
        let page = isize::try_from(area.height.clamp(3, 100) - 2).unwrap_or(1);
        match (&self.kind, action) {
            (Kind::Text { .. }, Action::Editor) => Some(FormEvent::OpenEditor),
            (Kind::Text { .. }, Action::Field(FieldStep::Enter)) => Some(self.text.insert("\n", false)),
            (Kind::Text { .. }, Action::Field(step @ (FieldStep::Up | FieldStep::Down))) => {
                let moved = self.text.step(if step == FieldStep::Down { 1 } else { -1 }, room);
                moved.then_some(FormEvent::Moved)
            }
            (Kind::Text { .. }, Action::Move(motion @ (Motion::PageDown | Motion::PageUp))) => {
                self.text.step(if motion == Motion::PageDown { page } else { -page }, room);
                Some(FormEvent::Moved)
            }
            (Kind::File, Action::Field(FieldStep::Next)) => changed(self.complete()),
            (Kind::Line | Kind::File, Action::Field(FieldStep::Enter)) => changed(self.take()),
            (Kind::Picker, Action::Field(FieldStep::Enter)) => {
                (self.is_searched() && self.is_barred()).then_some(FormEvent::Ignored)
            }
            (Kind::Picker, Action::Back) if self.is_searched() => {
                self.end_search();
                Some(FormEvent::Moved)
            }
            (_, Action::Field(step @ (FieldStep::Up | FieldStep::Down))) => self.step_mark(step == FieldStep::Down),
            (Kind::Choice | Kind::Toggle, Action::Field(step @ (FieldStep::Change | FieldStep::ChangeBack))) => {
                Some(self.choose(step == FieldStep::Change, |_| true))
            }
            (_, Action::Text(edit)) if self.takes_text() => Some(self.edit(|text| text.act(edit))),
            _ => None,
        }
    }

    /// Puts the cursor where the field was clicked on, or takes an item of its list. True where the value changed.
    pub(super) fn click(&mut self, part: &Part, column: u16, room: u16) -> bool {
        match part {
            Part::Control(at) if matches!(self.kind, Kind::Text { .. }) => {
                let rows = self.text.rows(room.into());
                self.text.click_row(&rows, *at, column.into());
            }
            Part::Control(_) if self.has_suggestions() => self.text.click(column, room),
            Part::Item(at) => {
                self.marked = Some(*at);
                return !self.is_barred() && self.take();
            }
            _ => {}
        }
        false
    }
}
