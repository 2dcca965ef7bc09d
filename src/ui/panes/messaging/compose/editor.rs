//! Text of several lines that is being typed.

use crate::ui::input::{Key, KeyCode};
use crate::ui::text::{clean, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::ops::Range;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Bytes that the editor holds: far more than a message may have, so that a long paste can be cut down by hand.
const LONGEST: usize = 64 * 1024;

/// The editor: a text, and where the next character goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Editor {
    text: String,
    /// A byte of the text, on the edge of a grapheme cluster.
    at: usize,
}

impl Editor {
    /// An editor with a text in it.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), at: text.len() }
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Types or edits; `columns` is how wide the text is drawn. False where the key means nothing in a text.
    pub(super) fn key(&mut self, key: Key, columns: usize) -> bool {
        match key {
            Key { code: KeyCode::Char(char), ctrl: false, alt: false } => self.insert(char.encode_utf8(&mut [0; 4])),
            Key { code: KeyCode::Enter, .. } => self.insert("\n"),
            Key { code: KeyCode::Char('w'), ctrl: true, .. } | Key { code: KeyCode::Backspace, ctrl: true, .. } => {
                self.remove(self.word_before()..self.at);
            }
            Key { code: KeyCode::Char('u'), ctrl: true, .. } => self.remove(self.line_start()..self.at),
            Key { code: KeyCode::Char('k'), ctrl: true, .. } => self.remove(self.at..self.line_end()),
            Key { code: KeyCode::Backspace, .. } => self.remove(self.before()..self.at),
            Key { code: KeyCode::Delete, .. } => self.remove(self.at..self.behind()),
            Key { code: KeyCode::Char('a'), ctrl: true, .. } | Key { code: KeyCode::Home, .. } => {
                self.at = self.line_start();
            }
            Key { code: KeyCode::Char('e'), ctrl: true, .. } | Key { code: KeyCode::End, .. } => {
                self.at = self.line_end();
            }
            Key { code: KeyCode::Left, ctrl: true, .. } => self.at = self.word_before(),
            Key { code: KeyCode::Right, ctrl: true, .. } => self.at = self.word_behind(),
            Key { code: KeyCode::Left, .. } => self.at = self.before(),
            Key { code: KeyCode::Right, .. } => self.at = self.behind(),
            Key { code: KeyCode::Up, .. } => self.step(-1, columns),
            Key { code: KeyCode::Down, .. } => self.step(1, columns),
            Key { code: KeyCode::PageUp, .. } => self.step(-10, columns),
            Key { code: KeyCode::PageDown, .. } => self.step(10, columns),
            _ => return false,
        }
        true
    }

    /// Takes a pasted text with its line breaks.
    pub(super) fn paste(&mut self, pasted: &str) {
        self.insert(&pasted.replace("\r\n", "\n").replace('\r', "\n"));
    }

    fn insert(&mut self, text: &str) {
        let room = LONGEST.saturating_sub(self.text.len()).min(text.len());
        let room = (0..=room).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        self.text.insert_str(self.at, &text[..room]);
        self.at += room;
        // What was typed may have become one with what stands behind it.
        if !GraphemeCursor::new(self.at, self.text.len(), true).is_boundary(&self.text, 0).unwrap_or(true) {
            self.at = self.behind();
        }
    }

    fn remove(&mut self, range: Range<usize>) {
        self.at = range.start;
        self.text.replace_range(range, "");
        if !GraphemeCursor::new(self.at, self.text.len(), true).is_boundary(&self.text, 0).unwrap_or(true) {
            self.at = self.behind();
        }
    }

    fn before(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.at, self.text.len(), true);
        cursor.prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn behind(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.at, self.text.len(), true);
        cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len())
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }

    fn word_before(&self) -> usize {
        let words = self.text[..self.at].trim_end();
        words.rfind(char::is_whitespace).map_or(0, |at| at + words[at..].chars().next().map_or(0, char::len_utf8))
    }

    fn word_behind(&self) -> usize {
        let rest = &self.text[self.at..];
        let word = rest.find(|char: char| !char.is_whitespace()).unwrap_or(rest.len());
        let end = rest[word..].find(char::is_whitespace).unwrap_or(rest.len() - word);
        self.at + word + end
    }

    /// The bytes of each row as it is drawn: broken at line breaks, at blanks, and within words that are too long.
    fn rows(&self, columns: usize) -> Vec<Range<usize>> {
        let columns = columns.max(2);
        let mut rows = Vec::new();
        let (mut start, mut used, mut blank) = (0, 0, None);
        for (at, grapheme) in self.text.grapheme_indices(true) {
            if grapheme.contains('\n') {
                rows.push(start..at);
                (start, used, blank) = (at + grapheme.len(), 0, None);
                continue;
            }
            let wide = width(&clean(grapheme));
            if used + wide > columns && grapheme != " " {
                let broken = blank.unwrap_or(at);
                rows.push(start..broken);
                (start, blank) = (broken, None);
                used = width(&clean(&self.text[start..at]));
            }
            used += wide;
            if grapheme == " " {
                blank = Some(at + 1);
            }
        }
        rows.push(start..self.text.len());
        rows
    }

    /// The row and the column of the cursor.
    fn place(&self, rows: &[Range<usize>]) -> (usize, usize) {
        let row = rows.iter().rposition(|row| row.start <= self.at).unwrap_or(0);
        (row, width(&clean(&self.text[rows[row].start..self.at])))
    }

    /// Moves by rows and keeps the column.
    fn step(&mut self, by: isize, columns: usize) {
        let rows = self.rows(columns);
        let (row, column) = self.place(&rows);
        let to = row.saturating_add_signed(by).min(rows.len() - 1);
        if to == row {
            self.at = if by < 0 { rows[row].start } else { rows[row].end };
            return;
        }
        let mut used = 0;
        let line = &self.text[rows[to].clone()];
        let within = line.grapheme_indices(true).find(|(_, grapheme)| {
            used += width(&clean(grapheme));
            used > column
        });
        // The end of a row that goes on in the next one is the next one's beginning.
        let end = rows[to].end;
        let goes_on = rows.get(to + 1).is_some_and(|next| next.start == end);
        let last =
            line.grapheme_indices(true).next_back().filter(|_| goes_on).map_or(end, |(at, _)| rows[to].start + at);
        self.at = within.map_or(last, |(at, _)| rows[to].start + at);
    }

    /// Draws the rows around the cursor and tells where it is.
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, style: Style) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let rows = self.rows(usize::from(area.width));
        let (row, column) = self.place(&rows);
        let first = (row + 1).saturating_sub(usize::from(area.height));
        for (y, range) in (area.y..area.bottom()).zip(&rows[first..]) {
            buffer.set_stringn(area.x, y, clean(&self.text[range.clone()]), usize::from(area.width), style);
        }
        let x = u16::try_from(column).unwrap_or(u16::MAX).min(area.width - 1);
        let y = u16::try_from(row - first).unwrap_or(0);
        Some(Position { x: area.x + x, y: area.y + y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(keys: &str) -> Editor {
        let mut editor = Editor::default();
        for key in keys.split(' ') {
            let parsed = key.parse::<Key>().map_or_else(|_| key.chars().map(Key::char).collect(), |key| vec![key]);
            for key in parsed {
                editor.key(key, 10);
            }
        }
        editor
    }

    #[test]
    fn enter_makes_a_line_and_backspace_takes_it_back() {
        assert_eq!(typed("Hi enter there").text(), "Hi\nthere");
        assert_eq!(typed("Hi enter backspace !").text(), "Hi!");
        assert_eq!(typed("one enter two ctrl-u up end X").text(), "oneX\n");
    }

    #[test]
    fn a_paste_keeps_its_lines() {
        let mut editor = Editor::new("ab");
        editor.key(Key::plain(KeyCode::Left), 10);
        editor.paste("1\r\n2\r3");
        assert_eq!(editor.text(), "a1\n2\n3b");
    }

    #[test]
    fn rows_break_at_blanks_and_the_arrows_move_by_rows() {
        let mut editor = Editor::new("one two three four");
        assert_eq!(editor.rows(9), [0..8, 8..18 - 4, 14..18]);
        editor.key(Key::plain(KeyCode::Up), 9);
        editor.key(Key::char('|'), 9);
        assert_eq!(editor.text(), "one two thre|e four");
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn no_key_breaks_the_text_or_loses_the_cursor(
            keys in proptest::collection::vec(0usize..18, 0..60), columns in 1usize..12, start in ".{0,20}"
        ) {
            let all = ["a", "é", "受", "enter", "left", "right", "up", "down", "home", "end", "backspace", "del", "ctrl-w",
                "ctrl-left", "ctrl-right", "ctrl-k", "space", "pgup"];
            let mut editor = Editor::new(&start);
            for key in keys {
                editor.key(all[key].parse().unwrap(), columns);
                prop_assert!(editor.text.is_char_boundary(editor.at));
                let rows = editor.rows(columns);
                prop_assert!(rows.iter().all(|row| width(&clean(&editor.text[row.clone()])) <= columns.max(2) + 20));
                let area = Rect::new(0, 0, 12, 4);
                let mut buffer = Buffer::empty(area);
                let caret = editor.draw(&mut buffer, area, Style::new()).unwrap();
                prop_assert!(area.contains(caret));
            }
        }
    }
}
