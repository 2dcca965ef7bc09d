//! One line of text that is being typed.

use crate::ui::action::TextEdit;
use crate::ui::input::{Input, Key, KeyCode};
use crate::ui::text;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use tui_input::InputRequest;

/// Bytes that are taken of a paste.
const LONGEST_PASTE: usize = 4096;

/// A text field of one line.
#[derive(Debug, Clone, Default)]
pub struct TextInput(tui_input::Input);

impl PartialEq for TextInput {
    fn eq(&self, other: &Self) -> bool {
        (self.0.value(), self.0.cursor()) == (other.0.value(), other.0.cursor())
    }
}

impl TextInput {
    /// A field that holds a text, with the cursor behind it.
    pub fn new(text: &str) -> Self {
        Self(tui_input::Input::new(text.to_owned()))
    }

    /// The text.
    pub fn value(&self) -> &str {
        self.0.value()
    }

    /// Edits, or moves the cursor.
    pub fn act(&mut self, edit: TextEdit) {
        let request = match edit {
            TextEdit::Left => InputRequest::GoToPrevChar,
            TextEdit::Right => InputRequest::GoToNextChar,
            TextEdit::WordLeft => InputRequest::GoToPrevWord,
            TextEdit::WordRight => InputRequest::GoToNextWord,
            TextEdit::Start => InputRequest::GoToStart,
            TextEdit::End => InputRequest::GoToEnd,
            TextEdit::Backspace => InputRequest::DeletePrevChar,
            TextEdit::Delete => InputRequest::DeleteNextChar,
            TextEdit::DeleteWord => InputRequest::DeletePrevWord,
            TextEdit::DeleteLine => InputRequest::DeleteLine,
            TextEdit::DeleteToEnd => InputRequest::DeleteTillEnd,
            TextEdit::Undo | TextEdit::Redo => return,
        };
        self.0.handle(request);
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input) {
        match input {
            Input::Key(key) => drop(self.key(*key)),
            Input::Paste(text) => self.paste(text),
            Input::Mouse(_) => {}
        }
    }

    /// Types or edits; false where the key means nothing in a text field.
    pub fn key(&mut self, key: Key) -> bool {
        let request = match key {
            Key { code: KeyCode::Char(char), ctrl: false, alt: false } => InputRequest::InsertChar(char),
            Key { code: KeyCode::Backspace, ctrl: false, alt: false } => InputRequest::DeletePrevChar,
            Key { code: KeyCode::Char('w'), ctrl: true, .. } | Key { code: KeyCode::Backspace, .. } => {
                InputRequest::DeletePrevWord
            }
            Key { code: KeyCode::Delete, .. } => InputRequest::DeleteNextChar,
            Key { code: KeyCode::Char('u'), ctrl: true, .. } => InputRequest::DeleteLine,
            Key { code: KeyCode::Char('k'), ctrl: true, .. } => InputRequest::DeleteTillEnd,
            Key { code: KeyCode::Char('a'), ctrl: true, .. } | Key { code: KeyCode::Home, .. } => {
                InputRequest::GoToStart
            }
            Key { code: KeyCode::Char('e'), ctrl: true, .. } | Key { code: KeyCode::End, .. } => InputRequest::GoToEnd,
            Key { code: KeyCode::Left, ctrl: true, .. } => InputRequest::GoToPrevWord,
            Key { code: KeyCode::Right, ctrl: true, .. } => InputRequest::GoToNextWord,
            Key { code: KeyCode::Left, .. } => InputRequest::GoToPrevChar,
            Key { code: KeyCode::Right, .. } => InputRequest::GoToNextChar,
            _ => return false,
        };
        self.0.handle(request);
        true
    }

    /// Takes a pasted text as it would have been typed; line breaks become spaces and send nothing. What is longer
    /// than any line that a person means is cut.
    pub fn paste(&mut self, pasted: &str) {
        let pasted = pasted.trim();
        let cut = (0..=pasted.len().min(LONGEST_PASTE)).rev().find(|at| pasted.is_char_boundary(*at)).unwrap_or(0);
        let pasted = text::clean(&pasted[..cut]);
        let (value, cursor) = (self.0.value(), self.0.cursor());
        let at = value.char_indices().nth(cursor).map_or(value.len(), |(at, _)| at);
        let value = [&value[..at], &*pasted, &value[at..]].concat();
        self.0 = tui_input::Input::new(value).with_cursor(cursor + pasted.chars().count());
    }

    /// Draws the field and tells where its cursor is.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, style: Style) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let scroll = self.0.visual_scroll(usize::from(area.width.saturating_sub(1)));
        let cleaned = text::clean(self.0.value());
        let mut skipped = 0;
        let visible = cleaned.trim_start_matches(|char: char| {
            let skip = skipped < scroll;
            if skip {
                skipped += text::width(char.encode_utf8(&mut [0; 4]));
            }
            skip
        });
        buffer.set_stringn(area.x, area.y, visible, usize::from(area.width), style);
        let x = u16::try_from(self.0.visual_cursor().saturating_sub(skipped.max(scroll))).unwrap_or(u16::MAX);
        Some(Position { x: area.x + x.min(area.width - 1), y: area.y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_with_line_breaks_stays_on_one_line() {
        let mut field = TextInput::new("to ");
        field.paste("one\ntwo\n");
        assert_eq!(field.value(), "to one two");
    }

    #[test]
    fn a_paste_goes_in_at_the_cursor() {
        let mut field = TextInput::new("é受");
        field.key(Key::plain(KeyCode::Left));
        field.paste("ab");
        field.key(Key::char('c'));
        assert_eq!(field.value(), "éabc受");
    }

    #[test]
    fn a_paste_that_is_no_line_is_cut_at_a_whole_character() {
        let mut field = TextInput::default();
        field.paste(&"受".repeat(100_000));
        assert_eq!(field.value(), "受".repeat(LONGEST_PASTE / 3));
    }

    #[test]
    fn the_cursor_stays_in_a_narrow_field() {
        let field = TextInput::new("a rather long text with 受付");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
        let caret = field.draw(&mut buffer, Rect::new(0, 0, 8, 1), Style::new()).unwrap();
        assert!(caret.x < 8);
        assert!(buffer.content().iter().any(|cell| cell.symbol() == "付"), "the end is in view");
    }
}
