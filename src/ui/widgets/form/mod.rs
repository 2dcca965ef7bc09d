//! Forms: fields with labels and controls, focus, errors, suggestions, undo. What a field holds is text under the path
//! that it has on the wire; the rules about it are `api::rules`, applied by the caller after each change.

mod buffer;
mod dialog;
mod draw;
mod field;
#[cfg(test)]
mod tests;
mod text;

pub use dialog::FormDialog;
pub use field::{Choice, Control, Field, Item, Picker, Rows};
pub use text::{TextArea, TextField};

use crate::api::rules::Fault;
use crate::ui::action::{Action, FieldStep, Motion, Scope};
use crate::ui::input::Input;
use draw::Part;
use ratatui::layout::{Position, Rect};
use std::collections::BTreeSet;

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

/// A place among rows: the field that holds them, how many cells a row has, and row and column of a cell.
struct InRows {
    holder: usize,
    cells: usize,
    cell: Option<(usize, usize)>,
}

/// A form. The cells of rows are fields of their own, behind the field that holds the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    fields: Vec<Field>,
    focus: usize,
    area: Rect,
    notes: Vec<FieldMessage>,
    left: BTreeSet<String>,
    submitted: bool,
    quick: bool,
    saved: Vec<(String, String)>,
}

impl Form {
    /// A form with the focus on the first required field that is empty, or on the first field.
    pub fn new(fields: Vec<Field>) -> Self {
        let focus = fields.iter().position(Field::is_missing).unwrap_or(0);
        let (area, left, notes, saved) = (Rect::new(0, 0, 80, 24), BTreeSet::new(), Vec::new(), Vec::new());
        let mut form = Self { fields, focus, area, notes, left, submitted: false, quick: false, saved };
        form.mark_saved();
        form
    }

    /// The same form, which Enter submits from every field of one line: for forms that are seldom filled in whole.
    #[must_use]
    pub fn quick(self) -> Self {
        Self { quick: true, ..self }
    }

    /// True where Enter submits from the focused field, unless it takes a suggestion.
    pub fn enter_submits(&self) -> bool {
        let is_text = matches!(self.fields.get(self.focus).map(|field| &field.control), Some(Control::Text(_)));
        !is_text && (self.quick || self.focus + 1 == self.fields.len())
    }

    // Values.

    fn find(&self, path: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == path)
    }

    fn control(&self, path: &str) -> Option<&Control> {
        self.find(path).map(|at| &self.fields[at].control)
    }

    fn control_mut(&mut self, path: &str) -> Option<&mut Control> {
        self.find(path).map(|at| &mut self.fields[at].control)
    }

    /// The value under a path: the text typed, the key of what was chosen, `true` or `false`; empty where no field has
    /// this path.
    pub fn text_of(&self, path: &str) -> &str {
        self.control(path).map_or("", Control::value)
    }

    /// True where the toggle under this path is on.
    pub fn is_on(&self, path: &str) -> bool {
        self.text_of(path) == "true"
    }

    /// How many rows the field under this path has.
    pub fn rows_of(&self, path: &str) -> usize {
        self.control(path).map_or(0, Control::row_count)
    }

    fn valued(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !matches!(field.control, Control::Rows(_)))
    }

    /// All paths with their values, those of cells among them: what a draft keeps.
    pub fn values(&self) -> Vec<(String, String)> {
        self.valued().map(|field| (field.name.clone(), field.control.value().to_owned())).collect()
    }

    /// Puts in a value, which can be undone; adds the rows that the path of a cell needs.
    pub fn set(&mut self, path: &str, value: &str) {
        let focused = self.focused().to_owned();
        let row = |field: &Field| path.strip_prefix(&*field.name)?.strip_prefix('.')?.split_once('.')?.0.parse().ok();
        let held = |(at, field): (usize, &Field)| {
            matches!(field.control, Control::Rows(_)).then(|| Some((at, row(field)?))).flatten()
        };
        if let Some((holder, row)) = self.fields.iter().enumerate().find_map(held) {
            while self.fields[holder].control.row_count() <= usize::from(u8::min(row, 199)) {
                self.insert_row(holder, self.fields[holder].control.row_count());
            }
        }
        if let Some(control) = self.control_mut(path) {
            control.set(value);
        }
        self.focus(&focused);
    }

    /// Puts a value into a line that the first character typed replaces. False where the user has edited the line.
    pub fn suggest(&mut self, path: &str, value: &str) -> bool {
        match self.control_mut(path) {
            Some(Control::Line(line) | Control::File(line)) => line.buffer.suggest(value),
            _ => false,
        }
    }

    /// True where the value under a path was suggested and not edited.
    pub fn is_suggested(&self, path: &str) -> bool {
        self.control(path).is_some_and(Control::is_suggested)
    }

    /// The marked suggestion of a line, or the item that a picker would take.
    pub fn marked(&self, path: &str) -> Option<&Item> {
        self.control(path).and_then(Control::marked)
    }

    /// Gives a line its suggestions, or a choice or a picker its items.
    pub fn offer(&mut self, path: &str, items: Vec<Item>) {
        if let Some(control) = self.control_mut(path) {
            control.offer(items);
        }
    }

    /// True where a value differs from what it was at first or at the last `mark_saved`; a suggested one does not.
    pub fn is_dirty(&self) -> bool {
        let differs = |(field, (path, value)): (&Field, &(String, String))| {
            !field.control.is_suggested() && (&field.name, field.control.value()) != (path, value)
        };
        self.valued().count() != self.saved.len() || self.valued().zip(&self.saved).any(differs)
    }

    /// Takes the values as saved.
    pub fn mark_saved(&mut self) {
        self.saved = self.values();
    }

    /// The fields, to add or remove some; the focus stays on its field while there is one.
    pub fn change_fields(&mut self, change: impl FnOnce(&mut Vec<Field>)) {
        let focused = self.focused().to_owned();
        change(&mut self.fields);
        if !self.focus(&focused) {
            self.focus_at(self.focus);
        }
    }

    // Errors.

    /// Replaces what is wrong by the rules. Each error is shown once its field was left or submit was tried; until
    /// they are gone nothing is submitted. Returns those of no field.
    pub fn set_errors(&mut self, faults: Vec<Fault>) -> Vec<Fault> {
        self.put_notes(Level::Error, faults)
    }

    /// Replaces the warnings; they keep nobody from submitting. Returns those of no field.
    pub fn set_warnings(&mut self, warnings: Vec<Fault>) -> Vec<Fault> {
        self.put_notes(Level::Warning, warnings)
    }

    /// Shows what the server refused and focuses the first field it named. Returns what it said of no field.
    pub fn set_refused(&mut self, faults: Vec<Fault>) -> Vec<Fault> {
        let rest = self.put_notes(Level::Refused, faults);
        if let Some(at) = (0..self.fields.len()).find(|at| self.has_note(*at, Level::Refused)) {
            self.focus_at(at);
        }
        rest
    }

    fn put_notes(&mut self, level: Level, faults: Vec<Fault>) -> Vec<Fault> {
        self.notes.retain(|note| note.level != level);
        let mut rest = Vec::new();
        for fault in faults {
            // What is said of a part that has no field of its own is said of the whole.
            let holds = |path: &&String| {
                fault.field.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            match self.fields.iter().map(|field| &field.name).filter(holds).max_by_key(|path| path.len()) {
                Some(path) => self.notes.push(FieldMessage { path: path.clone(), level, text: fault.sentence }),
                None => rest.push(fault),
            }
        }
        rest
    }

    fn has_note(&self, at: usize, level: Level) -> bool {
        self.notes.iter().any(|note| note.level == level && note.path == self.fields[at].name)
    }

    /// What is said below a field now.
    fn shown(&self, field: &Field) -> Vec<(Level, &str)> {
        let errors = self.submitted || field.eager || self.left.contains(&field.name);
        let notes = self.notes.iter().filter(|note| note.path == field.name && (note.level != Level::Error || errors));
        let mut shown: Vec<_> = notes.map(|note| (note.level, &*note.text)).collect();
        if self.submitted && field.is_missing() && shown.iter().all(|(level, _)| *level == Level::Warning) {
            shown.push((Level::Error, "This field is required."));
        }
        shown.extend(field.control.notice().map(|notice| (Level::Warning, notice)));
        shown
    }

    fn is_bad(&self, at: usize) -> bool {
        self.fields[at].is_missing() || self.has_note(at, Level::Error)
    }

    // Focus.

    /// The path of the field that has the focus.
    pub fn focused(&self) -> &str {
        self.fields.get(self.focus).map_or("", |field| &field.name)
    }

    /// Focuses a field; false where there is none with this path.
    pub fn focus(&mut self, path: &str) -> bool {
        let found = self.find(path);
        if let Some(at) = found {
            self.focus_at(at);
        }
        found.is_some()
    }

    /// Focuses a field; in place of one that holds rows, its first cell.
    fn focus_at(&mut self, at: usize) {
        let at = at.min(self.fields.len().saturating_sub(1));
        self.focus = at + usize::from(self.fields.get(at).is_some_and(|field| field.control.row_count() > 0));
    }

    /// The scopes of the keys that the focused field takes.
    pub fn scopes(&self) -> &'static [Scope] {
        const END: Scope = Scope::EVERYWHERE;
        match (self.rows_around(self.focus).is_some(), self.fields.get(self.focus).map(|field| &field.control)) {
            (true, Some(Control::Choice(_) | Control::Toggle(_))) => &[Scope::FORM, Scope::ROWS, Scope::CHOICE, END],
            (true, Some(Control::Rows(_))) => &[Scope::FORM, Scope::ROWS, END],
            (true, _) => &[Scope::FORM, Scope::ROWS, Scope::TEXT, END],
            (false, Some(Control::Choice(_) | Control::Toggle(_))) => &[Scope::FORM, Scope::CHOICE, END],
            (false, _) => &[Scope::FORM, Scope::TEXT, END],
        }
    }

    /// True where the focused field takes typed characters.
    pub fn takes_text(&self) -> bool {
        self.fields.get(self.focus).is_some_and(|field| field.control.takes_text())
    }

    /// True where it takes letters otherwise than as keys: in a choice they choose.
    pub fn takes_letters(&self) -> bool {
        let focused = self.fields.get(self.focus).map(|field| &field.control);
        self.takes_text() || matches!(focused, Some(Control::Choice(_)))
    }

    /// Why an action cannot be done in the focused field; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let several_lines = matches!(self.fields.get(self.focus).map(|field| &field.control), Some(Control::Text(_)));
        (action == Action::Editor && !several_lines).then_some("this field has one line")
    }

    /// What the focus can be on: all but fields whose cells have it instead.
    fn stops(&self) -> Vec<usize> {
        (0..self.fields.len()).filter(|at| self.fields[*at].control.row_count() == 0).collect()
    }

    /// Where a field stands among rows; `None` outside of them.
    fn rows_around(&self, at: usize) -> Option<InRows> {
        let fields = self.fields.iter().take(at + 1).enumerate();
        let (holder, cells, count) = fields.rev().find_map(|(at, field)| match &field.control {
            Control::Rows(rows) => Some((at, rows.cells.len(), rows.count)),
            _ => None,
        })?;
        match (at - holder).checked_sub(1) {
            None => Some(InRows { holder, cells, cell: None }),
            Some(at) => (at < cells * count).then(|| InRows { holder, cells, cell: Some((at / cells, at % cells)) }),
        }
    }

    // Input.

    /// Tells where the form is drawn: clicks, and the cursor's moves by drawn rows, depend on it.
    pub fn resize(&mut self, area: Rect) {
        self.area = area;
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input) -> FormEvent {
        let event = self.fields.get_mut(self.focus).map_or(FormEvent::Ignored, |field| field.control.text(input));
        let path = self.focused().to_owned();
        self.after(event, &path)
    }

    /// Takes an action.
    pub fn act(&mut self, action: Action) -> FormEvent {
        let (path, room) = (self.focused().to_owned(), draw::value_area(self, self.area).width.into());
        let page = isize::try_from(self.area.height.clamp(3, 100) - 2).unwrap_or(1);
        let control = self.fields.get_mut(self.focus).map(|field| &mut field.control);
        let event = match (action, control) {
            (Action::Submit, _) => self.submit(),
            (Action::Back, Some(Control::Picker(picker))) if picker.is_searched() => {
                picker.end_search();
                FormEvent::Moved
            }
            (Action::Back, _) => FormEvent::Cancel,
            (Action::Editor, Some(Control::Text(_))) => FormEvent::OpenEditor,
            (Action::Text(edit), Some(control)) => control.edit(edit),
            (Action::Move(motion @ (Motion::PageDown | Motion::PageUp)), Some(Control::Text(text))) => {
                text.step(if motion == Motion::PageDown { page } else { -page }, room);
                FormEvent::Moved
            }
            (Action::Field(step @ (FieldStep::Change | FieldStep::ChangeBack)), Some(control)) => control.change(step),
            (Action::Field(step), Some(_)) => self.step(step, room),
            _ => FormEvent::Ignored,
        };
        self.after(event, &path)
    }

    /// Focuses what was clicked on and puts the cursor there; takes the item of a list.
    pub fn click(&mut self, x: u16, y: u16) -> FormEvent {
        let Some(row) = draw::row_at(self, self.area, Position { x, y }) else { return FormEvent::Ignored };
        let area = draw::value_area(self, self.area);
        let (column, path) = (x.saturating_sub(area.x), self.focused().to_owned());
        let event = self.go(row.field);
        let taken = match (row.part, self.fields.get_mut(self.focus).map(|field| &mut field.control)) {
            (Part::Control(_), Some(Control::Line(line) | Control::File(line))) => {
                line.click(column, area.width);
                false
            }
            (Part::Control(at), Some(Control::Text(text))) => {
                let rows = text.wrapped(area.width.into());
                text.place(&rows, at, column.into());
                false
            }
            (Part::Item(at), Some(Control::Line(line) | Control::File(line))) => {
                line.marked = Some(at);
                line.take()
            }
            (Part::Item(at), Some(Control::Picker(picker))) => {
                picker.mark_at(at);
                !picker.is_barred() && picker.settle()
            }
            _ => false,
        };
        self.after(if taken { FormEvent::Changed } else { event }, &path)
    }

    /// What is known to be wrong with a value does not outlive it.
    fn after(&mut self, event: FormEvent, path: &str) -> FormEvent {
        if event == FormEvent::Changed {
            self.notes.retain(|note| note.path != path);
        }
        event
    }

    fn step(&mut self, step: FieldStep, room: usize) -> FormEvent {
        let down = step == FieldStep::Down;
        let control = self.fields.get_mut(self.focus).map(|field| &mut field.control);
        let done = match (step, control) {
            (FieldStep::Next, Some(Control::File(line))) => line.complete().then_some(FormEvent::Changed),
            (FieldStep::Enter, Some(Control::Text(text))) => Some(text.buffer.insert("\n", false)),
            (FieldStep::Enter, Some(Control::File(line))) => line.take().then_some(FormEvent::Changed),
            (FieldStep::Enter, Some(Control::Line(line))) => {
                let taken = line.take();
                if taken {
                    self.go_by(1, false);
                }
                taken.then_some(FormEvent::Changed)
            }
            (FieldStep::Enter, Some(Control::Picker(picker))) if picker.is_searched() && picker.is_barred() => {
                Some(FormEvent::Ignored)
            }
            (FieldStep::Up | FieldStep::Down, Some(Control::Text(text))) => {
                text.step(if down { 1 } else { -1 }, room).then_some(FormEvent::Moved)
            }
            (FieldStep::Up | FieldStep::Down, Some(Control::Line(line) | Control::File(line))) => {
                line.mark(down).then_some(FormEvent::Moved)
            }
            (FieldStep::Up | FieldStep::Down, Some(Control::Picker(picker))) => {
                picker.mark(down).then_some(FormEvent::Moved)
            }
            (FieldStep::AddRow | FieldStep::RemoveRow | FieldStep::RowUp | FieldStep::RowDown, _) => {
                Some(self.change_rows(step))
            }
            _ => None,
        };
        if let Some(event) = done {
            return event;
        }
        match step {
            FieldStep::Enter if self.enter_submits() => self.submit(),
            FieldStep::Next => self.go_by(1, true),
            FieldStep::Previous => self.go_by(-1, true),
            FieldStep::Up => self.go_by(-1, false),
            _ => self.go_by(1, false),
        }
    }

    fn go_by(&mut self, by: isize, around: bool) -> FormEvent {
        let stops = self.stops();
        let Some(last) = stops.len().checked_sub(1) else { return FormEvent::Ignored };
        let at = stops.iter().position(|stop| *stop == self.focus).unwrap_or(0);
        let to = match at.checked_add_signed(by).filter(|to| *to <= last) {
            Some(to) => to,
            None if !around => at,
            None if by < 0 => last,
            None => 0,
        };
        self.go(stops[to])
    }

    /// Moves the focus; a picker takes what was searched for in it.
    fn go(&mut self, to: usize) -> FormEvent {
        if to == self.focus {
            return FormEvent::Moved;
        }
        let settled = self.settle();
        self.left.insert(self.focused().to_owned());
        self.focus_at(to);
        if settled { FormEvent::Changed } else { FormEvent::Focused }
    }

    fn settle(&mut self) -> bool {
        match self.fields.get_mut(self.focus).map(|field| &mut field.control) {
            Some(Control::Picker(picker)) => picker.settle(),
            Some(Control::Line(line) | Control::File(line)) => {
                line.marked = None;
                false
            }
            _ => false,
        }
    }

    fn submit(&mut self) -> FormEvent {
        self.settle();
        self.submitted = true;
        self.notes.retain(|note| note.level != Level::Refused);
        match (0..self.fields.len()).find(|at| self.is_bad(*at)) {
            None => FormEvent::Submit,
            Some(_) if self.is_bad(self.focus) => FormEvent::Moved,
            Some(first) => self.go(first),
        }
    }

    fn change_rows(&mut self, step: FieldStep) -> FormEvent {
        let Some(InRows { holder, cells, cell }) = self.rows_around(self.focus) else { return FormEvent::Ignored };
        let start = |row: usize| holder + 1 + row * cells;
        let count = self.fields[holder].control.row_count();
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
        if let Control::Rows(Rows { cells, count }) = &self.fields[holder].control {
            let (at, cells, count) = (holder + 1 + row * cells.len(), cells.clone(), *count);
            self.fields.splice(at..at, cells);
            self.number_rows(holder, count + 1);
        }
    }

    /// Names the cells of so many rows by their paths; what was noted under other paths is void.
    fn number_rows(&mut self, holder: usize, count: usize) {
        let (before, cells) = self.fields.split_at_mut(holder + 1);
        let Some(Field { control: Control::Rows(rows), name, .. }) = before.last_mut() else { return };
        rows.count = count;
        let paths = (0..count).flat_map(|row| rows.cells.iter().map(move |cell| (row, &cell.name)));
        for (cell, (row, of_cell)) in cells.iter_mut().zip(paths) {
            cell.name = format!("{name}.{row}.{of_cell}");
        }
        let inside =
            |path: &str| path.strip_prefix(&**name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.notes.retain(|note| !inside(&note.path));
        self.left.retain(|path| !inside(path));
    }
}
