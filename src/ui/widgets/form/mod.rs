//! Forms: fields with labels and controls, focus, errors, suggestions, undo. What a field holds is text under the path
//! that it has on the wire; the rules about it are `api::rules`, applied by the caller after each change.

mod completions;
mod dialog;
mod draw;
mod field;
#[cfg(test)]
mod tests;

pub use completions::completions;
pub use dialog::{COLUMNS as DIALOG_COLUMNS, FormDialog};
pub use field::{Field, Item};

use crate::api::rules::Fault;
use crate::ui::action::{Action, FieldStep, Scope, TextEdit};
use crate::ui::input::Input;
use field::Kind;
use ratatui::layout::{Position, Rect};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// What became of an action or an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormEvent {
    /// Nothing.
    Ignored,
    /// The cursor, a mark or a search moved; no value changed.
    Moved,
    /// A value changed, and perhaps the focus too: check the rules and give suggestions.
    Changed,
    /// Another field has the focus.
    Focused,
    /// The form is to be submitted: nothing that it knows is wrong. A picker may have taken what was searched for just
    /// now, so check the rules once more.
    Submit,
    /// The form is to be closed.
    Cancel,
    /// The text of the focused field is to be opened in `$EDITOR`; put the result in with [`Form::set`].
    OpenEditor,
}

/// How bad a note below a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Warning,
    /// Wrong by the rules: shown once the field was left, and nothing is submitted.
    Error,
    /// Refused by the server: shown at once, until the field changes or the form is submitted again.
    Refused,
}

#[derive(Debug, Clone, PartialEq)]
struct FieldMessage {
    path: String,
    level: Level,
    text: String,
}

/// True where a path is this one or lies below it.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A form. The cells of rows are fields of their own, behind the field that holds the rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Form {
    fields: Vec<Field>,
    focus: usize,
    area: Rect,
    messages: Vec<FieldMessage>,
    left: BTreeSet<String>,
    submitted: bool,
    quick: bool,
    clearing: bool,
    initial: Vec<(String, String)>,
}

impl Form {
    /// A form with the focus on the first required field that is empty, or on the first field.
    pub fn new(fields: Vec<Field>) -> Self {
        let focus = fields.iter().position(Field::is_missing).unwrap_or(0);
        let form = Self { fields, focus, area: Rect::new(0, 0, 80, 24), ..Self::default() };
        Self { initial: form.values(), ..form }
    }

    /// The same form, which Enter submits from every field of one line: for forms that are seldom filled in whole.
    #[must_use]
    pub fn quick(self) -> Self {
        Self { quick: true, ..self }
    }

    /// The same form, all of which one key clears: the one that clears a line in other forms.
    #[must_use]
    pub fn clearing(self) -> Self {
        Self { clearing: true, ..self }
    }

    /// True where Enter submits from the focused field, unless it takes a suggestion.
    pub fn enter_submits(&self) -> bool {
        !self.is_in_text() && (self.quick || self.focus + 1 == self.fields.len())
    }

    // Values.

    fn field(&self, path: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == path)
    }

    fn field_mut(&mut self, path: &str) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| field.name == path)
    }

    /// The value under a path: the text typed, the key of what was chosen, `true` or `false`; empty where no field has
    /// this path.
    pub fn text_of(&self, path: &str) -> &str {
        self.field(path).map_or("", Field::value)
    }

    /// All paths with their values, those of cells among them: what a draft keeps.
    pub fn values(&self) -> Vec<(String, String)> {
        let valued = self.fields.iter().filter(|field| !matches!(field.kind, Kind::Rows { .. }));
        valued.map(|field| (field.name.clone(), field.value().to_owned())).collect()
    }

    /// Puts in a value, which can be undone; adds the rows that the path of a cell needs.
    pub fn set(&mut self, path: &str, value: &str) {
        let focused = self.focused().to_owned();
        let row_of =
            |field: &Field| path.strip_prefix(&*field.name)?.strip_prefix('.')?.split_once('.')?.0.parse().ok();
        let holds = |field: &Field| matches!(field.kind, Kind::Rows { .. }).then(|| row_of(field)).flatten();
        if let Some((holder, row)) = self.fields.iter().enumerate().find_map(|(at, field)| Some((at, holds(field)?))) {
            while self.fields[holder].row_count() <= usize::from(u8::min(row, 199)) {
                self.insert_row(holder, self.fields[holder].row_count());
            }
        }
        if let Some(field) = self.field_mut(path) {
            field.set(value);
        }
        self.focus(&focused);
    }

    /// Puts a value into a line that the first character typed replaces. False where the user has edited the line.
    pub fn suggest(&mut self, path: &str, value: &str) -> bool {
        self.field_mut(path).is_some_and(|field| field.has_suggestions() && field.text.suggest(value))
    }

    /// True where the value under a path was suggested and not edited.
    pub fn is_suggested(&self, path: &str) -> bool {
        self.field(path).is_some_and(|field| field.text.suggested)
    }

    /// The marked suggestion of a line, or the item that a picker would take.
    pub fn marked(&self, path: &str) -> Option<&Item> {
        self.field(path).and_then(Field::marked)
    }

    /// Gives a line its suggestions, or a choice or a picker its items.
    pub fn offer(&mut self, path: &str, items: Vec<Item>) {
        if let Some(field) = self.field_mut(path) {
            field.offer(items);
        }
    }

    /// How many rows the field of this path has.
    pub fn row_count(&self, path: &str) -> usize {
        self.field(path).map_or(0, Field::row_count)
    }

    /// Removes all rows of a field.
    pub fn clear_rows(&mut self, path: &str) {
        let Some(holder) = self.fields.iter().position(|field| field.name == path && field.row_count() > 0) else {
            return;
        };
        let focused = self.focused().to_owned();
        self.fields.retain(|field| field.cell.is_none() || !is_within(&field.name, path));
        self.number_rows(holder, 0);
        if !self.focus(&focused) {
            self.focus_at(holder);
        }
    }

    /// Shows the errors of all fields, as after an attempt to submit.
    pub fn show_errors(&mut self) {
        self.submitted = true;
    }

    /// Gives a text of several lines so many rows on screen.
    pub fn set_rows(&mut self, path: &str, rows: RangeInclusive<usize>) {
        if let Some(Kind::Text { rows: shown, .. }) = self.field_mut(path).map(|field| &mut field.kind) {
            *shown = rows;
        }
    }

    /// Shows a mark in place of each character of a line, or the characters again.
    pub fn mask(&mut self, path: &str, masked: bool) {
        if let Some(field) = self.field_mut(path) {
            field.masked = masked;
        }
    }

    /// True where a value differs from what it was at first; a suggested one does not.
    pub fn is_dirty(&self) -> bool {
        let values = self.values();
        let differs = |value: &(String, String)| !self.initial.contains(value) && !self.is_suggested(&value.0);
        values.len() != self.initial.len() || values.iter().any(differs)
    }

    /// The fields, to add or remove some; the focus stays on its field while there is one.
    pub fn change_fields(&mut self, change: impl FnOnce(&mut Vec<Field>)) {
        let focused = self.focused().to_owned();
        change(&mut self.fields);
        if !self.focus(&focused) {
            self.focus_at(self.focus);
        }
    }

    // Messages below fields.

    /// Replaces what is wrong by the rules. Each error is shown once its field was left or submit was tried; until
    /// they are gone nothing is submitted. Returns those of no field.
    pub fn set_errors(&mut self, faults: Vec<Fault>) -> Vec<Fault> {
        self.set_messages(Level::Error, faults)
    }

    /// Replaces the warnings; they keep nobody from submitting. Returns those of no field.
    pub fn set_warnings(&mut self, warnings: Vec<Fault>) -> Vec<Fault> {
        self.set_messages(Level::Warning, warnings)
    }

    /// Shows what the server refused and focuses the first field it named. Returns what it said of no field.
    pub fn set_refused(&mut self, faults: Vec<Fault>) -> Vec<Fault> {
        let rest = self.set_messages(Level::Refused, faults);
        if let Some(at) = self.fields.iter().position(|field| self.has_message(field, Level::Refused)) {
            self.focus_at(at);
        }
        rest
    }

    fn set_messages(&mut self, level: Level, faults: Vec<Fault>) -> Vec<Fault> {
        self.messages.retain(|message| message.level != level);
        let mut rest = Vec::new();
        for fault in faults {
            // What is said of a part that has no field of its own is said of the whole.
            let holds = |path: &&String| is_within(&fault.field, path);
            match self.fields.iter().map(|field| &field.name).filter(holds).max_by_key(|path| path.len()) {
                Some(path) => self.messages.push(FieldMessage { path: path.clone(), level, text: fault.sentence }),
                None => rest.push(fault),
            }
        }
        rest
    }

    fn has_message(&self, field: &Field, level: Level) -> bool {
        self.messages.iter().any(|message| message.level == level && message.path == field.name)
    }

    /// What is said below a field now.
    fn shown(&self, field: &Field) -> Vec<(Level, &str)> {
        let errors = self.submitted || field.eager || self.left.contains(&field.name);
        let messages = self.messages.iter().filter(|message| message.path == field.name);
        let messages = messages.filter(|message| message.level != Level::Error || errors);
        let mut shown: Vec<_> = messages.map(|message| (message.level, &*message.text)).collect();
        if self.submitted && field.is_missing() && shown.iter().all(|(level, _)| *level == Level::Warning) {
            shown.push((Level::Error, "This field is required."));
        }
        shown.extend(field.text.notice.map(|notice| (Level::Warning, notice)));
        shown
    }

    fn is_bad(&self, field: &Field) -> bool {
        field.is_missing() || self.has_message(field, Level::Error)
    }

    // Focus.

    fn focused_field(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    fn is_in_text(&self) -> bool {
        self.focused_field().is_some_and(|field| matches!(field.kind, Kind::Text { .. }))
    }

    /// The path of the field that has the focus.
    pub fn focused(&self) -> &str {
        self.focused_field().map_or("", |field| &field.name)
    }

    /// Focuses a field; false where there is none with this path.
    pub fn focus(&mut self, path: &str) -> bool {
        let found = self.fields.iter().position(|field| field.name == path);
        if let Some(at) = found {
            self.focus_at(at);
        }
        found.is_some()
    }

    /// Focuses a field; in place of one that holds rows, its first cell.
    fn focus_at(&mut self, at: usize) {
        let at = at.min(self.fields.len().saturating_sub(1));
        self.focus = at + usize::from(self.fields.get(at).is_some_and(|field| field.row_count() > 0));
    }

    /// The scopes of the keys that the focused field takes.
    pub fn scopes(&self) -> &'static [Scope] {
        const END: Scope = Scope::EVERYWHERE;
        let Some(field) = self.focused_field() else { return &[Scope::FORM, END] };
        match (&field.kind, field.cell) {
            (Kind::Rows { .. }, _) => &[Scope::FORM, Scope::ROWS, END],
            (Kind::Choice | Kind::Toggle, Some(_)) => &[Scope::FORM, Scope::ROWS, Scope::CHOICE, END],
            (Kind::Choice | Kind::Toggle, None) if self.clearing => &[Scope::FORM, Scope::CHOICE, Scope::TEXT, END],
            (Kind::Choice | Kind::Toggle, None) => &[Scope::FORM, Scope::CHOICE, END],
            (_, Some(_)) => &[Scope::FORM, Scope::ROWS, Scope::TEXT, END],
            (_, None) => &[Scope::FORM, Scope::TEXT, END],
        }
    }

    /// True where the focused field takes typed characters.
    pub fn takes_text(&self) -> bool {
        self.focused_field().is_some_and(Field::takes_text)
    }

    /// True where it takes letters otherwise than as keys: in a choice they choose.
    pub fn takes_letters(&self) -> bool {
        self.takes_text() || self.focused_field().is_some_and(|field| field.kind == Kind::Choice)
    }

    /// Why an action cannot be done in the focused field; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        (action == Action::Editor && !self.is_in_text()).then_some("this field has one line")
    }

    /// What the focus can be on: all but fields whose cells have it instead.
    fn stops(&self) -> Vec<usize> {
        (0..self.fields.len()).filter(|at| self.fields[*at].row_count() == 0).collect()
    }

    // Input.

    /// Tells where the form is drawn: clicks, and the cursor's moves by drawn rows, depend on it.
    pub fn resize(&mut self, area: Rect) {
        self.area = area;
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input) -> FormEvent {
        let event = self.fields.get_mut(self.focus).map_or(FormEvent::Ignored, |field| field.type_in(input));
        let path = self.focused().to_owned();
        self.after(event, &path)
    }

    /// Takes an action.
    pub fn act(&mut self, action: Action) -> FormEvent {
        if self.clearing && action == Action::Text(TextEdit::DeleteLine) {
            self.fields.iter_mut().for_each(|field| field.set(""));
            self.messages.clear();
            return FormEvent::Changed;
        }
        let (path, area) = (self.focused().to_owned(), draw::value_area(self, self.area));
        let done = self.fields.get_mut(self.focus).and_then(|field| field.act(action, area));
        let event = match (done, action) {
            (Some(FormEvent::Changed), Action::Field(FieldStep::Enter)) => {
                // A path goes on behind the suggestion that was taken, and a text behind its line break.
                if !self.quick && self.focused_field().is_some_and(|field| field.kind == Kind::Line) {
                    self.go_by(1, false);
                }
                FormEvent::Changed
            }
            (Some(event), _) => event,
            (None, Action::Submit) => self.submit(),
            (None, Action::Back) => FormEvent::Cancel,
            (None, Action::Field(step)) => self.step(step),
            (None, _) => FormEvent::Ignored,
        };
        self.after(event, &path)
    }

    /// Focuses what was clicked on and puts the cursor there; takes the item of a list.
    pub fn click(&mut self, x: u16, y: u16) -> FormEvent {
        let Some(row) = draw::row_at(self, self.area, Position { x, y }) else { return FormEvent::Ignored };
        let (path, area) = (self.focused().to_owned(), draw::value_area(self, self.area));
        let event = self.go(row.field);
        let column = x.saturating_sub(area.x);
        let field = self.fields.get_mut(self.focus);
        let changed = field.is_some_and(|field| field.click(&row.part, column, area.width));
        self.after(if changed { FormEvent::Changed } else { event }, &path)
    }

    /// What is known to be wrong with a value does not outlive it.
    fn after(&mut self, event: FormEvent, path: &str) -> FormEvent {
        if event == FormEvent::Changed {
            self.messages.retain(|message| message.path != path);
        }
        event
    }

    /// Takes a step that the focused field has left to the form.
    fn step(&mut self, step: FieldStep) -> FormEvent {
        match step {
            FieldStep::Enter if self.enter_submits() => self.submit(),
            FieldStep::Next => self.go_by(1, true),
            FieldStep::Previous => self.go_by(-1, true),
            FieldStep::Up => self.go_by(-1, false),
            FieldStep::Down | FieldStep::Enter => self.go_by(1, false),
            FieldStep::Change | FieldStep::ChangeBack => FormEvent::Ignored,
            FieldStep::AddRow | FieldStep::RemoveRow | FieldStep::RowUp | FieldStep::RowDown => self.change_rows(step),
        }
    }

    fn go_by(&mut self, by: isize, wraps: bool) -> FormEvent {
        let stops = self.stops();
        let Some(last) = stops.len().checked_sub(1) else { return FormEvent::Ignored };
        let at = stops.iter().position(|stop| *stop == self.focus).unwrap_or(0);
        let around = |at: usize| (at + stops.len()).saturating_add_signed(by) % stops.len();
        let to = if wraps { around(at) } else { at.saturating_add_signed(by).min(last) };
        self.go(stops[to])
    }

    /// Moves the focus; a picker takes what was searched for in it.
    fn go(&mut self, to: usize) -> FormEvent {
        if to == self.focus {
            return FormEvent::Moved;
        }
        let settled = self.fields.get_mut(self.focus).is_some_and(Field::settle);
        self.left.insert(self.focused().to_owned());
        self.focus_at(to);
        if settled { FormEvent::Changed } else { FormEvent::Focused }
    }

    fn submit(&mut self) -> FormEvent {
        self.fields.get_mut(self.focus).map(Field::settle);
        self.submitted = true;
        self.messages.retain(|message| message.level != Level::Refused);
        match self.fields.iter().position(|field| self.is_bad(field)) {
            None => FormEvent::Submit,
            Some(_) if self.focused_field().is_some_and(|field| self.is_bad(field)) => FormEvent::Moved,
            Some(first) => self.go(first),
        }
    }

    fn change_rows(&mut self, step: FieldStep) -> FormEvent {
        let cell = self.focused_field().and_then(|field| field.cell);
        let mut upwards = self.fields.iter().enumerate().take(self.focus + 1).rev();
        let rows = upwards.find_map(|(at, field)| match &field.kind {
            Kind::Rows { cells, count } => Some((at, cells.len(), *count)),
            _ => None,
        });
        let rows = rows.filter(|(holder, ..)| cell.is_some() || *holder == self.focus);
        let Some((holder, cells, count)) = rows else { return FormEvent::Ignored };
        let start = |row: usize| holder + 1 + row * cells;
        match (step, cell) {
            (FieldStep::AddRow, cell) => {
                let row = cell.map_or(0, |(row, _)| row + 1);
                self.insert_row(holder, row);
                self.focus = start(row);
            }
            (FieldStep::RemoveRow, Some((row, cell))) => {
                self.fields.drain(start(row)..start(row + 1));
                self.number_rows(holder, count - 1);
                self.focus = if count > 1 { start(row.min(count - 2)) + cell } else { holder };
            }
            (FieldStep::RowUp, Some((row, _))) if row > 0 => {
                self.fields[start(row - 1)..start(row + 1)].rotate_left(cells);
                self.number_rows(holder, count);
                self.focus -= cells;
            }
            (FieldStep::RowDown, Some((row, _))) if row + 1 < count => {
                self.fields[start(row)..start(row + 2)].rotate_left(cells);
                self.number_rows(holder, count);
                self.focus += cells;
            }
            _ => return FormEvent::Ignored,
        }
        FormEvent::Changed
    }

    fn insert_row(&mut self, holder: usize, row: usize) {
        if let Kind::Rows { cells, count } = &self.fields[holder].kind {
            let (at, cells, count) = (holder + 1 + row * cells.len(), cells.clone(), *count);
            self.fields.splice(at..at, cells);
            self.number_rows(holder, count + 1);
        }
    }

    /// Names the cells of so many rows by their paths; what was noted under other paths is void.
    fn number_rows(&mut self, holder: usize, rows: usize) {
        let (before, behind) = self.fields.split_at_mut(holder + 1);
        let Some(Field { kind: Kind::Rows { cells, count }, name, .. }) = before.last_mut() else { return };
        *count = rows;
        let places = |row| cells.iter().enumerate().map(move |(column, cell)| (row, column, &cell.name));
        for (field, (row, column, cell)) in behind.iter_mut().zip((0..rows).flat_map(places)) {
            (field.name, field.cell) = (format!("{name}.{row}.{cell}"), Some((row, column)));
        }
        self.messages.retain(|message| !is_within(&message.path, name));
        self.left.retain(|path| !is_within(path, name));
    }
}
