//! Raw keys for text fields, for panes whose keys do not come as actions yet.

pub use super::form::TextField as TextInput;

use super::form::FormEvent;
use crate::ui::action::TextEdit;
use crate::ui::input::{Input, Key, KeyCode};

impl TextInput {
    /// Types or edits; false where the key means nothing in a text field.
    pub fn key(&mut self, key: Key) -> bool {
        let edit = match key {
            Key { code: KeyCode::Char(_), ctrl: false, alt: false } => {
                return self.text(&Input::Key(key)) != FormEvent::Ignored;
            }
            Key { code: KeyCode::Backspace, ctrl: false, alt: false } => TextEdit::Backspace,
            Key { code: KeyCode::Char('w'), ctrl: true, .. } | Key { code: KeyCode::Backspace, .. } => {
                TextEdit::DeleteWord
            }
            Key { code: KeyCode::Delete, .. } => TextEdit::Delete,
            Key { code: KeyCode::Char('u'), ctrl: true, .. } => TextEdit::DeleteLine,
            Key { code: KeyCode::Char('k'), ctrl: true, .. } => TextEdit::DeleteToEnd,
            Key { code: KeyCode::Char('a'), ctrl: true, .. } | Key { code: KeyCode::Home, .. } => TextEdit::Start,
            Key { code: KeyCode::Char('e'), ctrl: true, .. } | Key { code: KeyCode::End, .. } => TextEdit::End,
            Key { code: KeyCode::Left, ctrl: true, .. } => TextEdit::WordLeft,
            Key { code: KeyCode::Right, ctrl: true, .. } => TextEdit::WordRight,
            Key { code: KeyCode::Left, .. } => TextEdit::Left,
            Key { code: KeyCode::Right, .. } => TextEdit::Right,
            _ => return false,
        };
        self.act(edit);
        true
    }

    /// Takes a pasted text; line breaks become spaces.
    pub fn paste(&mut self, pasted: &str) {
        self.text(&Input::Paste(pasted.to_owned()));
    }
}
