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
struct Note {
    path: String,
    level: Level,
    text: String,
}

/// A field, or a cell of a field that holds rows: its field, then row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Stop {
    field: usize,
    cell: Option<(usize, usize)>,
}

/// A form.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    fields: Vec<Field>,
    focus: Stop,
    area: Rect,
    notes: Vec<Note>,
    left: BTreeSet<String>,
    submitted: bool,
    saved: Vec<(String, String)>,
}

impl Form {
    /// A form with the focus on the first required field that is empty, or on the first field.
    pub fn new(fields: Vec<Field>) -> Self {
        let mut form = Self {
            fields,
            focus: Stop::default(),
            area: Rect::new(0, 0, 80, 24),
            notes: Vec::new(),
            left: BTreeSet::new(),
            submitted: false,
            saved: Vec::new(),
        };
        form.mark_saved();
        let stops = form.stops();
        let first = stops.iter().find(|stop| form.is_missing(**stop)).or(stops.first());
        form.focus = first.copied().unwrap_or_default();
        form
    }

    // Values.

    /// The value under a path: the text typed, the key of what was chosen, `true` or `false`; empty where no field has
    /// this path.
    pub fn text_of(&self, path: &str) -> &str {
        self.find(path).and_then(|stop| self.field(stop)).map_or("", |field| field.control.value())
    }

    /// True where the toggle under this path is on.
    pub fn is_on(&self, path: &str) -> bool {
        self.text_of(path) == "true"
    }

    /// How many rows the field under this path has.
    pub fn rows_of(&self, path: &str) -> usize {
        match self.find(path).and_then(|stop| self.field(stop)) {
            Some(Field { control: Control::Rows(rows), .. }) => rows.rows.len(),
            _ => 0,
        }
    }

    /// All paths with their values, those of cells among them: what a draft keeps.
    pub fn values(&self) -> Vec<(String, String)> {
        self.entries().into_iter().filter(|stop| !self.is_rows(*stop)).map(|stop| self.entry(stop)).collect()
    }

    /// Puts in a value, which can be undone; adds the rows that the path of a cell needs.
    pub fn set(&mut self, path: &str, value: &str) {
        for field in &mut self.fields {
            let cell = path.strip_prefix(field.name.as_str()).and_then(|rest| rest.strip_prefix('.'));
            let row = cell.and_then(|cell| cell.split_once('.')?.0.parse::<usize>().ok());
            if let (Control::Rows(rows), Some(row)) = (&mut field.control, row) {
                while rows.rows.len() <= row.min(999) {
                    rows.insert(usize::MAX);
                }
            }
        }
        if let Some(field) = self.find(path).and_then(|stop| self.field_mut(stop)) {
            field.control.set(value);
        }
        self.repair_focus();
    }

    /// Puts a value into a line that the first character typed replaces. False where the user has edited the line.
    pub fn suggest(&mut self, path: &str, value: &str) -> bool {
        match self.find(path).and_then(|stop| self.field_mut(stop)).map(|field| &mut field.control) {
            Some(Control::Line(line) | Control::File(line)) => line.buffer.suggest(value),
            _ => false,
        }
    }

    /// Gives a line its suggestions, or a choice or a picker its items.
    pub fn offer(&mut self, path: &str, items: Vec<Item>) {
        if let Some(field) = self.find(path).and_then(|stop| self.field_mut(stop)) {
            field.control.offer(items);
        }
    }

    /// True where a value differs from what it was at first or at the last `mark_saved`; a suggested one does not.
    pub fn is_dirty(&self) -> bool {
        let stops: Vec<_> = self.entries().into_iter().filter(|stop| !self.is_rows(*stop)).collect();
        let suggested = |stop: Stop| self.field(stop).is_some_and(|field| field.control.is_suggested());
        let changed = |(stop, saved): (&Stop, &(String, String))| !suggested(*stop) && self.entry(*stop) != *saved;
        stops.len() != self.saved.len() || stops.iter().zip(&self.saved).any(changed)
    }

    /// Takes the values as saved.
    pub fn mark_saved(&mut self) {
        self.saved = self.values();
    }

    /// The fields, to add or remove some; what is focused stays where it can.
    pub fn change_fields(&mut self, change: impl FnOnce(&mut Vec<Field>)) {
        let path = self.focused();
        change(&mut self.fields);
        if !self.focus(&path) {
            self.repair_focus();
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
        let first = self.stops().into_iter().find(|stop| self.notes_of(*stop).any(|note| note.level == Level::Refused));
        if let Some(stop) = first {
            self.focus = stop;
        }
        rest
    }

    fn put_notes(&mut self, level: Level, faults: Vec<Fault>) -> Vec<Fault> {
        self.notes.retain(|note| note.level != level);
        let paths: Vec<_> = self.entries().into_iter().map(|stop| self.path(stop)).collect();
        let mut rest = Vec::new();
        for fault in faults {
            // What is said of a part that has no field of its own is said of the whole.
            let holds = |path: &&String| {
                fault.field.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            match paths.iter().filter(holds).max_by_key(|path| path.len()) {
                Some(path) => self.notes.push(Note { path: path.clone(), level, text: fault.sentence }),
                None => rest.push(fault),
            }
        }
        rest
    }

    fn notes_of(&self, stop: Stop) -> impl Iterator<Item = &Note> {
        let path = self.path(stop);
        self.notes.iter().filter(move |note| note.path == path)
    }

    /// What is said below a field now.
    fn shown(&self, stop: Stop) -> Vec<(Level, String)> {
        let Some(field) = self.field(stop) else { return Vec::new() };
        let errors = self.submitted || field.eager || self.left.contains(&self.path(stop));
        let notes = self.notes_of(stop).filter(|note| note.level != Level::Error || errors);
        let mut shown: Vec<_> = notes.map(|note| (note.level, note.text.clone())).collect();
        if self.submitted && self.is_missing(stop) && shown.iter().all(|(level, _)| *level == Level::Warning) {
            shown.push((Level::Error, "This field is required.".to_owned()));
        }
        shown.extend(field.control.notice().map(|notice| (Level::Warning, notice)));
        shown
    }

    fn is_missing(&self, stop: Stop) -> bool {
        self.field(stop).is_some_and(|field| field.required && field.control.is_blank())
    }

    fn is_bad(&self, stop: Stop) -> bool {
        self.is_missing(stop) || self.notes_of(stop).any(|note| note.level == Level::Error)
    }

    // Focus.

    /// The path of the field that has the focus.
    pub fn focused(&self) -> String {
        self.path(self.focus)
    }

    /// Focuses a field; false where there is none with this path.
    pub fn focus(&mut self, path: &str) -> bool {
        let stop = self.find(path);
        if let Some(stop) = stop {
            self.focus = stop;
            self.repair_focus();
        }
        stop.is_some()
    }

    /// The scopes of the keys that the focused field takes.
    pub fn scopes(&self) -> &'static [Scope] {
        const END: Scope = Scope::EVERYWHERE;
        let in_rows = matches!(self.fields.get(self.focus.field), Some(Field { control: Control::Rows(_), .. }));
        let control = self.field(self.focus).map(|field| &field.control);
        match (in_rows, control) {
            (true, Some(Control::Choice(_) | Control::Toggle(_))) => &[Scope::FORM, Scope::ROWS, Scope::CHOICE, END],
            (true, Some(Control::Rows(_)) | None) => &[Scope::FORM, Scope::ROWS, END],
            (true, _) => &[Scope::FORM, Scope::ROWS, Scope::TEXT, END],
            (false, Some(Control::Choice(_) | Control::Toggle(_))) => &[Scope::FORM, Scope::CHOICE, END],
            (false, Some(Control::Rows(_)) | None) => &[Scope::FORM, END],
            (false, _) => &[Scope::FORM, Scope::TEXT, END],
        }
    }

    /// True where the focused field takes typed characters.
    pub fn takes_text(&self) -> bool {
        self.field(self.focus).is_some_and(|field| field.control.takes_text())
    }

    fn field(&self, stop: Stop) -> Option<&Field> {
        let field = self.fields.get(stop.field)?;
        match (stop.cell, &field.control) {
            (Some((row, column)), Control::Rows(rows)) => rows.rows.get(row)?.get(column),
            (Some(_), _) => None,
            (None, _) => Some(field),
        }
    }

    fn field_mut(&mut self, stop: Stop) -> Option<&mut Field> {
        let field = self.fields.get_mut(stop.field)?;
        match (stop.cell, field) {
            (Some((row, column)), Field { control: Control::Rows(rows), .. }) => {
                rows.rows.get_mut(row)?.get_mut(column)
            }
            (Some(_), _) => None,
            (None, field) => Some(field),
        }
    }

    fn is_rows(&self, stop: Stop) -> bool {
        matches!(self.field(stop), Some(Field { control: Control::Rows(_), .. }))
    }

    /// All fields and cells in order; a field that holds rows stands before its cells.
    fn entries(&self) -> Vec<Stop> {
        let mut entries = Vec::new();
        for (at, field) in self.fields.iter().enumerate() {
            entries.push(Stop { field: at, cell: None });
            if let Control::Rows(rows) = &field.control {
                let cells =
                    rows.rows.iter().enumerate().flat_map(|(row, cells)| (0..cells.len()).map(move |cell| (row, cell)));
                entries.extend(cells.map(|cell| Stop { field: at, cell: Some(cell) }));
            }
        }
        entries
    }

    /// What the focus can be on: all but fields whose rows have it instead.
    fn stops(&self) -> Vec<Stop> {
        let stands_for_rows = |stop: &Stop| stop.cell.is_none() && self.rows_in(stop.field) > 0;
        self.entries().into_iter().filter(|stop| !stands_for_rows(stop)).collect()
    }

    fn rows_in(&self, field: usize) -> usize {
        match self.fields.get(field).map(|field| &field.control) {
            Some(Control::Rows(rows)) => rows.rows.len(),
            _ => 0,
        }
    }

    fn path(&self, stop: Stop) -> String {
        let Some(field) = self.fields.get(stop.field) else { return String::new() };
        match (stop.cell, self.field(stop)) {
            (Some((row, _)), Some(cell)) => format!("{}.{row}.{}", field.name, cell.name),
            _ => field.name.clone(),
        }
    }

    fn entry(&self, stop: Stop) -> (String, String) {
        (self.path(stop), self.field(stop).map_or("", |field| field.control.value()).to_owned())
    }

    fn find(&self, path: &str) -> Option<Stop> {
        self.entries().into_iter().find(|stop| self.path(*stop) == path)
    }

    /// Moves a focus that lies on nothing to the nearest stop before it.
    fn repair_focus(&mut self) {
        let key = |stop: Stop| (stop.field, stop.cell.map_or((0, 0), |(row, cell)| (row + 1, cell)));
        let stops = self.stops();
        let focus = if self.rows_in(self.focus.field) > 0 && self.focus.cell.is_none() {
            Stop { cell: Some((0, 0)), ..self.focus }
        } else {
            self.focus
        };
        let nearest = stops.iter().rev().find(|stop| key(**stop) <= key(focus)).or(stops.first());
        self.focus = nearest.copied().unwrap_or_default();
    }

    // Input.

    /// Tells where the form is drawn: clicks, and the cursor's moves by drawn rows, depend on it.
    pub fn resize(&mut self, area: Rect) {
        self.area = area;
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input) -> FormEvent {
        let focus = self.focus;
        let event = self.field_mut(focus).map_or(FormEvent::Ignored, |field| field.control.text(input));
        let path = self.path(focus);
        self.after(event, &path)
    }

    /// Takes an action.
    pub fn act(&mut self, action: Action) -> FormEvent {
        let (focus, path, room) = (self.focus, self.focused(), draw::value_area(self, self.area).width.into());
        let page = isize::try_from(self.area.height.clamp(3, 100) - 2).unwrap_or(1);
        let control = self.field_mut(focus).map(|field| &mut field.control);
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
        let (column, path) = (x.saturating_sub(area.x), self.focused());
        let event = self.go(row.stop);
        let focus = self.focus;
        let taken = match (row.part, self.field_mut(focus).map(|field| &mut field.control)) {
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
        let (focus, down) = (self.focus, step == FieldStep::Down);
        let control = self.field_mut(focus).map(|field| &mut field.control);
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
        let last = self.stops().last().copied() == Some(focus);
        match step {
            FieldStep::Enter if last => self.submit(),
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
    fn go(&mut self, to: Stop) -> FormEvent {
        if to == self.focus {
            return FormEvent::Moved;
        }
        let settled = self.settle();
        self.left.insert(self.focused());
        self.focus = to;
        self.repair_focus();
        if settled { FormEvent::Changed } else { FormEvent::Focused }
    }

    fn settle(&mut self) -> bool {
        let focus = self.focus;
        match self.field_mut(focus).map(|field| &mut field.control) {
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
        let bad: Vec<_> = self.entries().into_iter().filter(|stop| self.is_bad(*stop)).collect();
        if bad.contains(&self.focus) {
            return FormEvent::Moved;
        }
        bad.first().map_or(FormEvent::Submit, |first| self.go(*first))
    }

    fn change_rows(&mut self, step: FieldStep) -> FormEvent {
        let Stop { field, cell } = self.focus;
        let Some(Field { control: Control::Rows(rows), name, .. }) = self.fields.get_mut(field) else {
            return FormEvent::Ignored;
        };
        let to = match (step, cell) {
            (FieldStep::AddRow, cell) => {
                let at = cell.map_or(0, |(row, _)| row + 1);
                rows.insert(at);
                (at, 0)
            }
            (FieldStep::RemoveRow, Some((row, cell))) => {
                rows.rows.remove(row);
                (row.min(rows.rows.len().saturating_sub(1)), cell)
            }
            (FieldStep::RowUp, Some((row, cell))) if row > 0 => {
                rows.rows.swap(row, row - 1);
                (row - 1, cell)
            }
            (FieldStep::RowDown, Some((row, cell))) if row + 1 < rows.rows.len() => {
                rows.rows.swap(row, row + 1);
                (row + 1, cell)
            }
            _ => return FormEvent::Ignored,
        };
        // The paths of the rows have changed.
        let of_rows = format!("{name}.");
        self.notes.retain(|note| !note.path.starts_with(&of_rows) && note.path != of_rows[..of_rows.len() - 1]);
        self.left.retain(|path| !path.starts_with(&of_rows));
        self.focus.cell = (self.rows_in(field) > 0).then_some(to);
        FormEvent::Changed
    }
}
