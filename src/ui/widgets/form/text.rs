//! The two text controls: one line, and several lines wrapped by words.

use super::FormEvent;
use super::buffer::{TextBuffer, byte_at_column, columns};
use super::field::Item;
use crate::ui::action::TextEdit;
use crate::ui::input::Input;
use crate::ui::text::clean;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::ops::{Range, RangeInclusive};
use unicode_segmentation::UnicodeSegmentation;

/// A text of one line, with suggestions where the caller gives some.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextField {
    pub(super) buffer: TextBuffer,
    /// What the caller suggests for what is typed; the caller narrows them.
    pub(super) suggestions: Vec<Item>,
    pub(super) marked: Option<usize>,
}

impl TextField {
    /// A field that holds a text, with the cursor behind it.
    pub fn new(text: &str) -> Self {
        Self { buffer: TextBuffer::new(text, false), ..Self::default() }
    }

    /// The text.
    pub fn value(&self) -> &str {
        self.buffer.text()
    }

    /// Deletes, moves the cursor, undoes or redoes.
    pub fn act(&mut self, edit: TextEdit) -> FormEvent {
        self.marked = None;
        self.buffer.act(edit)
    }

    /// Takes a typed character or a paste, whose line breaks become spaces.
    pub fn text(&mut self, input: &Input) -> FormEvent {
        self.marked = None;
        self.buffer.input(input)
    }

    /// Marks the next or the previous suggestion; above the first there is no mark. False where nothing changes.
    pub(super) fn mark(&mut self, down: bool) -> bool {
        let before = self.marked;
        self.marked = match before {
            Some(at) if down => Some((at + 1).min(self.suggestions.len().saturating_sub(1))),
            Some(at) => at.checked_sub(1),
            None => (down && !self.suggestions.is_empty()).then_some(0),
        };
        before.is_some() || self.marked.is_some()
    }

    /// Takes the marked suggestion; false where none is marked, or it is barred.
    pub(super) fn take(&mut self) -> bool {
        let item = self.marked.and_then(|at| self.suggestions.get(at)).filter(|item| item.barred.is_none());
        let Some(text) = item.map(|item| item.key.clone()) else { return false };
        self.buffer.set(&text);
        (self.marked, self.suggestions) = (None, Vec::new());
        true
    }

    /// Completes what all suggestions begin with; false where that is no more than the text.
    pub(super) fn complete(&mut self) -> bool {
        let mut keys = self.suggestions.iter().map(|item| item.key.as_str());
        let Some(first) = keys.next() else { return false };
        let common = keys.fold(first, |common, key| {
            let same = common.graphemes(true).zip(key.graphemes(true)).take_while(|(one, other)| one == other);
            &common[..same.map(|(one, _)| one.len()).sum()]
        });
        let longer = common.len() > self.value().len() && common.starts_with(self.value());
        let common = common.to_owned();
        if longer {
            self.buffer.set(&common);
        }
        longer
    }

    /// The first byte in view where the cursor is to be in view.
    fn visible_from(&self, room: u16) -> usize {
        let cursor = self.buffer.cursor();
        let mut used = 1;
        let before = self.value()[..cursor].grapheme_indices(true).rev();
        let fits = before.take_while(|(_, grapheme)| {
            used += columns(grapheme);
            used <= usize::from(room)
        });
        fits.last().map_or(cursor, |(at, _)| at)
    }

    /// Puts the cursor on a column of the drawn text.
    pub(super) fn click(&mut self, column: u16, room: u16) {
        let from = self.visible_from(room);
        let at = from + byte_at_column(&self.value()[from..], usize::from(column));
        self.buffer.place(at);
    }

    /// Draws the text around the cursor and returns where the cursor is.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, style: Style) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let from = self.visible_from(area.width);
        buffer.set_stringn(area.x, area.y, clean(&self.value()[from..]), usize::from(area.width), style);
        let x = columns(&self.value()[from..self.buffer.cursor()]);
        Some(Position { x: area.x + u16::try_from(x).unwrap_or(u16::MAX).min(area.width - 1), y: area.y })
    }
}

/// A text of several lines.
#[derive(Debug, Clone, PartialEq)]
pub struct TextArea {
    pub(super) buffer: TextBuffer,
    /// Rows it takes on screen, at least and at most.
    pub(super) rows: RangeInclusive<usize>,
    /// Characters the API accepts, shown as a counter.
    pub(super) limit: Option<usize>,
}

impl TextArea {
    /// A text with the cursor at its end; 3 to 8 rows high.
    pub fn new(text: &str) -> Self {
        Self { buffer: TextBuffer::new(text, true), rows: 3..=8, limit: None }
    }

    /// As high as its text, within these rows.
    #[must_use]
    pub fn rows(self, rows: RangeInclusive<usize>) -> Self {
        Self { rows, ..self }
    }

    /// With a counter of the characters used.
    #[must_use]
    pub fn limit(self, characters: usize) -> Self {
        Self { limit: Some(characters), ..self }
    }

    /// The bytes of each row as it is drawn: broken at line breaks, at spaces, and within words that are too long.
    pub(super) fn wrapped(&self, room: usize) -> Vec<Range<usize>> {
        let room = room.max(2);
        let text = self.buffer.text();
        let mut rows = Vec::new();
        let (mut start, mut used, mut space) = (0, 0, None);
        for (at, grapheme) in text.grapheme_indices(true) {
            if grapheme.contains('\n') {
                rows.push(start..at);
                (start, used, space) = (at + grapheme.len(), 0, None);
                continue;
            }
            let wide = columns(grapheme);
            if used + wide > room && grapheme != " " {
                let broken = space.unwrap_or(at);
                rows.push(start..broken);
                (start, space) = (broken, None);
                used = columns(&text[start..at]);
            }
            used += wide;
            if grapheme == " " {
                space = Some(at + 1);
            }
        }
        rows.push(start..text.len());
        rows
    }

    /// Row and column of the cursor.
    pub(super) fn cursor(&self, rows: &[Range<usize>]) -> (usize, usize) {
        let at = self.buffer.cursor();
        let row = rows.iter().rposition(|row| row.start <= at).unwrap_or(0);
        (row, columns(&self.buffer.text()[rows[row].start..at.max(rows[row].start)]))
    }

    /// Moves the cursor by drawn rows and keeps its column; false at the first and the last row.
    pub(super) fn step(&mut self, by: isize, room: usize) -> bool {
        let rows = self.wrapped(room);
        let (row, column) = self.cursor(&rows);
        let to = row.saturating_add_signed(by).min(rows.len() - 1);
        self.place(&rows, to, column);
        to != row
    }

    /// Puts the cursor on a column of a row, on the last grapheme of a row that the next one continues.
    pub(super) fn place(&mut self, rows: &[Range<usize>], row: usize, column: usize) {
        let Some(range) = rows.get(row) else { return };
        let line = &self.buffer.text()[range.clone()];
        let at = byte_at_column(line, column);
        let continued = rows.get(row + 1).is_some_and(|next| next.start == range.end);
        let last = line.grapheme_indices(true).next_back().filter(|_| continued && at == line.len());
        let at = range.start + last.map_or(at, |(last, _)| last);
        self.buffer.place(at);
    }
}
