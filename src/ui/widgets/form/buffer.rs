//! Text that is being edited: `tui-input` for the steps, and around it undo, a limit and suggested values.

use super::FormEvent;
use crate::ui::action::TextEdit;
use crate::ui::input::Input;
use crate::ui::text::{clean, width};
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
pub(super) fn columns(text: &str) -> usize {
    text.graphemes(true).map(|grapheme| width(&clean(grapheme))).sum()
}

/// The first byte of `text` whose grapheme lies at or behind a column; the end where the text is shorter.
pub(super) fn byte_at_column(text: &str, column: usize) -> usize {
    let mut used = 0;
    let found = text.grapheme_indices(true).find(|(_, grapheme)| {
        used += width(&clean(grapheme));
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
pub(super) struct TextBuffer {
    input: tui_input::Input,
    multi_line: bool,
    /// True while the value was put in by the program and no key has touched it.
    suggested: bool,
    /// What to say about the last insertion, where it did not fit.
    pub(super) notice: Option<&'static str>,
    /// True while typed characters join the last undo step.
    typing: bool,
    undo: Vec<Snapshot>,
    redo: Vec<Snapshot>,
}

impl PartialEq for TextBuffer {
    fn eq(&self, other: &Self) -> bool {
        self.snapshot() == other.snapshot()
    }
}

impl TextBuffer {
    pub(super) fn new(text: &str, multi_line: bool) -> Self {
        Self { input: text.into(), multi_line, ..Self::default() }
    }

    pub(super) fn text(&self) -> &str {
        self.input.value()
    }

    /// The cursor as a byte of the text.
    pub(super) fn cursor(&self) -> usize {
        self.text().char_indices().nth(self.input.cursor()).map_or(self.text().len(), |(at, _)| at)
    }

    pub(super) const fn is_suggested(&self) -> bool {
        self.suggested
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { text: self.text().to_owned(), cursor: self.input.cursor(), suggested: self.suggested }
    }

    fn restore(&mut self, snapshot: Snapshot) {
        (self.notice, self.typing, self.suggested) = (None, false, snapshot.suggested);
        self.input = tui_input::Input::new(snapshot.text).with_cursor(snapshot.cursor);
    }

    /// Puts the cursor on a byte, or behind the grapheme that this byte is inside of.
    pub(super) fn place(&mut self, at: usize) {
        let text = self.text();
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
        let mut text = self.text().to_owned();
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
        if self.text() != text || self.suggested {
            let before = self.snapshot();
            self.replace(0..self.text().len(), text);
            self.record(before, false);
        }
    }

    /// Puts in a value that the first character typed replaces; false where the user has edited the text.
    pub(super) fn suggest(&mut self, text: &str) -> bool {
        let free = self.suggested || (self.text().is_empty() && self.undo.is_empty());
        if free {
            self.replace(0..self.text().len(), text);
            self.suggested = !text.is_empty();
        }
        free
    }

    /// Inserts typed characters or a paste, cleaned; in a single line, line breaks become spaces.
    pub(super) fn input(&mut self, input: &Input) -> FormEvent {
        match input {
            Input::Key(key) => match key.typed() {
                Some(char) => {
                    // A space begins the next word.
                    self.typing &= !char.is_whitespace();
                    self.insert(char.encode_utf8(&mut [0; 4]), true)
                }
                None => FormEvent::Ignored,
            },
            Input::Paste(pasted) if self.multi_line => self.insert(pasted, false),
            Input::Paste(pasted) => self.insert(pasted.trim(), false),
            Input::Mouse(_) => FormEvent::Ignored,
        }
    }

    pub(super) fn insert(&mut self, inserted: &str, typing: bool) -> FormEvent {
        let inserted = if self.multi_line {
            let lines = inserted.replace("\r\n", "\n").replace('\r', "\n");
            lines.split('\n').map(clean).collect::<Vec<_>>().join("\n")
        } else {
            clean(inserted).into_owned()
        };
        let (limit, notice) = if self.multi_line { TEXT_LIMIT } else { LINE_LIMIT };
        let before = self.snapshot();
        let range = if self.suggested { 0..self.text().len() } else { self.cursor()..self.cursor() };
        let room = limit.saturating_sub(self.text().len() - range.len());
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
    pub(super) fn act(&mut self, edit: TextEdit) -> FormEvent {
        let before = self.snapshot();
        let at = self.cursor();
        let (start, end) = self.line();
        match edit {
            TextEdit::Undo | TextEdit::Redo => {
                let (from, to) = if edit == TextEdit::Undo {
                    (&mut self.undo, &mut self.redo)
                } else {
                    (&mut self.redo, &mut self.undo)
                };
                let Some(snapshot) = from.pop() else { return FormEvent::Ignored };
                to.push(before);
                self.restore(snapshot);
                return FormEvent::Changed;
            }
            TextEdit::Backspace | TextEdit::Delete | TextEdit::DeleteWord if self.suggested => {
                self.replace(0..self.text().len(), "");
            }
            TextEdit::Start => self.place(start),
            TextEdit::End => self.place(end),
            TextEdit::DeleteLine => self.replace(start..end, ""),
            TextEdit::DeleteToEnd => self.replace(at..end, ""),
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
        if self.text() != before.text {
            self.record(before, false);
            return FormEvent::Changed;
        }
        (self.suggested, self.typing) = (false, false);
        if self.snapshot() == before { FormEvent::Ignored } else { FormEvent::Moved }
    }

    /// Start and end of the line with the cursor, as bytes.
    fn line(&self) -> (usize, usize) {
        let (text, at) = (self.text(), self.cursor());
        if !self.multi_line {
            return (0, text.len());
        }
        (text[..at].rfind('\n').map_or(0, |at| at + 1), text[at..].find('\n').map_or(text.len(), |end| at + end))
    }
}
