//! A text that is being edited, on one line or on several: `tui-input` for the steps, and around it undo, a limit and
//! suggested values.

use super::form::FormEvent;
use crate::ui::action::TextEdit;
use crate::ui::input::Input;
use crate::ui::text::{clean, width, wrap_ranges};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::ops::Range;
use tui_input::InputRequest;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Bytes that a line holds, and what to say where they are too few; no line that a person means is longer.
const LINE_LIMIT: (usize, &str) = (4 * 1024, "Cut: a line holds 4 KiB; the rest was not inserted.");
/// Bytes that a multi-line text holds: more than a message may have, so that a long paste can be shortened by hand.
const TEXT_LIMIT: (usize, &str) = (64 * 1024, "Cut: a text holds 64 KiB; the rest was not inserted.");
/// Changes that can be undone.
const UNDO_DEPTH: usize = 200;

/// Columns of a text as it is drawn: grapheme by grapheme, each cleaned.
fn columns(text: &str) -> usize {
    text.graphemes(true).map(|grapheme| width(&clean(grapheme))).sum()
}

/// The first byte of `text` whose grapheme lies at or behind a column; the end where the text is shorter.
fn byte_at_column(text: &str, column: usize) -> usize {
    let mut used = 0;
    let found = text.grapheme_indices(true).find(|(_, grapheme)| {
        used += columns(grapheme);
        used > column
    });
    found.map_or(text.len(), |(at, _)| at)
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Snapshot {
    text: String,
    cursor: usize,
    suggested: bool,
}

/// A text, its cursor and its history. The cursor is always on the edge of a grapheme cluster.
#[derive(Debug, Clone, Default)]
pub struct TextInput {
    input: tui_input::Input,
    multi_line: bool,
    /// True while the value was put in by the program and no key has touched it.
    pub(super) suggested: bool,
    /// What to say about the last insertion, where it did not fit.
    pub(super) notice: Option<&'static str>,
    /// True while typed characters join the last undo step.
    typing: bool,
    undo: Vec<Snapshot>,
    redo: Vec<Snapshot>,
}

impl PartialEq for TextInput {
    fn eq(&self, other: &Self) -> bool {
        self.snapshot() == other.snapshot()
    }
}

impl TextInput {
    /// A line that holds a text, with the cursor behind it.
    pub fn new(text: &str) -> Self {
        Self { input: text.into(), ..Self::default() }
    }

    /// A text of several lines, with the cursor at its end.
    pub(super) fn multi_line(text: &str) -> Self {
        Self { multi_line: true, ..Self::new(text) }
    }

    /// The text.
    pub fn value(&self) -> &str {
        self.input.value()
    }

    /// The cursor as a byte of the text.
    pub(super) fn cursor(&self) -> usize {
        self.value().char_indices().nth(self.input.cursor()).map_or(self.value().len(), |(at, _)| at)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { text: self.value().to_owned(), cursor: self.input.cursor(), suggested: self.suggested }
    }

    /// Puts the cursor on a byte, or behind the grapheme that this byte is inside of.
    fn place(&mut self, at: usize) {
        let text = self.value();
        let mut edge = GraphemeCursor::new(at, text.len(), true);
        let at = match edge.is_boundary(text, 0) {
            Ok(false) => edge.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
            _ => at,
        };
        let characters = text[..at].chars().count();
        self.input.handle(InputRequest::SetCursor(characters));
    }

    fn replace(&mut self, range: Range<usize>, with: &str) {
        let end = range.start + with.len();
        let mut text = self.value().to_owned();
        text.replace_range(range, with);
        self.input = text.into();
        self.place(end);
    }

    /// Keeps the state before a change; typed characters of one word are one step.
    fn record(&mut self, before: Snapshot, typing: bool) {
        if !(typing && self.typing) {
            self.undo.push(before);
            if self.undo.len() > UNDO_DEPTH {
                self.undo.remove(0);
            }
        }
        (self.typing, self.suggested) = (typing, false);
        self.redo.clear();
    }

    /// Replaces the whole text, as one step that can be undone.
    pub(super) fn set(&mut self, text: &str) {
        if self.value() != text || self.suggested {
            let before = self.snapshot();
            self.replace(0..self.value().len(), text);
            self.record(before, false);
        }
    }

    /// Puts in a value that the first character typed replaces; false where the user has edited the text.
    pub(super) fn suggest(&mut self, text: &str) -> bool {
        let free = self.suggested || (self.value().is_empty() && self.undo.is_empty());
        if free {
            self.replace(0..self.value().len(), text);
            self.suggested = !text.is_empty();
        }
        free
    }

    /// Inserts typed characters or a paste, cleaned; in a single line, line breaks become spaces.
    pub fn text(&mut self, input: &Input) -> FormEvent {
        match input {
            Input::Key(key) => key.typed().map_or(FormEvent::Ignored, |char| {
                // A space begins the next word.
                self.typing &= !char.is_whitespace();
                self.insert(char.encode_utf8(&mut [0; 4]), true)
            }),
            Input::Paste(pasted) if self.multi_line => self.insert(pasted, false),
            Input::Paste(pasted) => self.insert(pasted.trim(), false),
            Input::Mouse(_) => FormEvent::Ignored,
        }
    }

    pub(super) fn insert(&mut self, inserted: &str, typing: bool) -> FormEvent {
        let ((limit, notice), line_break) = if self.multi_line { (TEXT_LIMIT, "\n") } else { (LINE_LIMIT, " ") };
        let lines = inserted.replace("\r\n", "\n").replace('\r', "\n");
        let inserted = lines.split('\n').map(clean).collect::<Vec<_>>().join(line_break);
        let before = self.snapshot();
        let range = if self.suggested { 0..self.value().len() } else { self.cursor()..self.cursor() };
        let room = limit.saturating_sub(self.value().len() - range.len());
        let ends = inserted.grapheme_indices(true).map(|(at, grapheme)| at + grapheme.len());
        let fits = ends.take_while(|end| *end <= room).last().unwrap_or(0);
        self.notice = (fits < inserted.len()).then_some(notice);
        if fits == 0 {
            return if self.notice.is_some() { FormEvent::Moved } else { FormEvent::Ignored };
        }
        self.replace(range, &inserted[..fits]);
        self.record(before, typing);
        FormEvent::Changed
    }

    /// Deletes, moves the cursor, undoes or redoes.
    pub fn act(&mut self, edit: TextEdit) -> FormEvent {
        let before = self.snapshot();
        let (at, line) = (self.cursor(), self.line());
        match edit {
            TextEdit::Undo | TextEdit::Redo => {
                let (undo, redo) = (&mut self.undo, &mut self.redo);
                let (from, to) = if edit == TextEdit::Undo { (undo, redo) } else { (redo, undo) };
                let Some(Snapshot { text, cursor, suggested }) = from.pop() else { return FormEvent::Ignored };
                to.push(before);
                (self.notice, self.typing, self.suggested) = (None, false, suggested);
                self.input = tui_input::Input::new(text).with_cursor(cursor);
                return FormEvent::Changed;
            }
            TextEdit::Backspace | TextEdit::Delete | TextEdit::DeleteWord if self.suggested => {
                self.replace(0..self.value().len(), "");
            }
            TextEdit::Start => self.place(line.start),
            TextEdit::End => self.place(line.end),
            TextEdit::DeleteLine => self.replace(line, ""),
            TextEdit::DeleteToEnd => self.replace(at..line.end, ""),
            edit => {
                self.input.handle(match edit {
                    TextEdit::Left => InputRequest::GoToPrevChar,
                    TextEdit::Right => InputRequest::GoToNextChar,
                    TextEdit::WordLeft => InputRequest::GoToPrevWord,
                    TextEdit::WordRight => InputRequest::GoToNextWord,
                    TextEdit::Backspace => InputRequest::DeletePrevChar,
                    TextEdit::Delete => InputRequest::DeleteNextChar,
                    _ => InputRequest::DeletePrevWord,
                });
                // What a deletion brings together may be one grapheme.
                self.place(self.cursor());
            }
        }
        self.notice = None;
        if self.value() != before.text {
            self.record(before, false);
            return FormEvent::Changed;
        }
        (self.suggested, self.typing) = (false, false);
        if self.snapshot() == before { FormEvent::Ignored } else { FormEvent::Moved }
    }

    /// The line with the cursor, as bytes.
    fn line(&self) -> Range<usize> {
        let (before, after) = self.value().split_at(self.cursor());
        let start = before.rfind('\n').filter(|_| self.multi_line).map_or(0, |at| at + 1);
        start..before.len() + after.find('\n').filter(|_| self.multi_line).unwrap_or(after.len())
    }

    // One line on screen.

    /// The first byte in view where the cursor is to be in view.
    fn visible_from(&self, room: u16) -> usize {
        let cursor = self.cursor();
        let mut used = 1;
        let before = self.value()[..cursor].grapheme_indices(true).rev();
        let fits = before.take_while(|(_, grapheme)| {
            used += columns(grapheme);
            used <= usize::from(room)
        });
        fits.last().map_or(cursor, |(at, _)| at)
    }

    /// Puts the cursor on a column of the drawn line.
    pub(super) fn click(&mut self, column: u16, room: u16) {
        let from = self.visible_from(room);
        self.place(from + byte_at_column(&self.value()[from..], column.into()));
    }

    /// The same with a mark in place of each character.
    pub(super) fn masked(&self) -> Self {
        let marks = |text: &str| "*".repeat(text.graphemes(true).count());
        let cursor = marks(&self.value()[..self.cursor()]).len();
        Self { input: tui_input::Input::new(marks(self.value())).with_cursor(cursor), ..Self::default() }
    }

    /// Draws the line around the cursor and returns where the cursor is.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, style: Style) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let from = self.visible_from(area.width);
        buffer.set_stringn(area.x, area.y, clean(&self.value()[from..]), usize::from(area.width), style);
        let x = columns(&self.value()[from..self.cursor()]);
        Some(Position { x: area.x + u16::try_from(x).unwrap_or(u16::MAX).min(area.width - 1), y: area.y })
    }

    // Several lines on screen.

    /// The bytes of each row as it is drawn.
    pub(super) fn rows(&self, room: usize) -> Vec<Range<usize>> {
        let mut next = 0;
        let lines = self.value().split('\n').flat_map(|line| {
            let start = next;
            next += line.len() + 1;
            let rows = wrap_ranges(line.strip_suffix('\r').unwrap_or(line), room.max(2), columns);
            rows.into_iter().map(move |row| start + row.start..start + row.end)
        });
        lines.collect()
    }

    /// Row and column of the cursor.
    pub(super) fn row_and_column(&self, rows: &[Range<usize>]) -> (usize, usize) {
        let at = self.cursor();
        let row = rows.iter().rposition(|row| row.start <= at).unwrap_or(0);
        (row, columns(&self.value()[rows[row].start..at.max(rows[row].start)]))
    }

    /// Moves the cursor by drawn rows and keeps its column; false at the first and the last row.
    pub(super) fn step(&mut self, by: isize, room: usize) -> bool {
        let rows = self.rows(room);
        let (row, column) = self.row_and_column(&rows);
        let to = row.saturating_add_signed(by).min(rows.len() - 1);
        self.click_row(&rows, to, column);
        to != row
    }

    /// Puts the cursor on a column of a row, on the last grapheme of a row that the next one continues.
    pub(super) fn click_row(&mut self, rows: &[Range<usize>], row: usize, column: usize) {
        let Some(range) = rows.get(row) else { return };
        let line = &self.value()[range.clone()];
        let at = byte_at_column(line, column);
        let continued = rows.get(row + 1).is_some_and(|next| next.start == range.end);
        let last = line.grapheme_indices(true).next_back().filter(|_| continued && at == line.len());
        self.place(range.start + last.map_or(at, |(last, _)| last));
    }
}
