//! What a person does at the terminal, in the interface's own words.

use std::fmt;
use std::str::FromStr;

/// A key without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyCode {
    /// A character; capitals carry no shift of their own.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Delete to the left.
    Backspace,
    /// Delete to the right.
    Delete,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1.
    F(u8),
}

/// A key as it was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// Ctrl was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
}

impl Key {
    /// A key with nothing held.
    pub const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// A character with nothing held.
    pub const fn char(char: char) -> Self {
        Self::plain(KeyCode::Char(char))
    }

    /// A character with Ctrl held.
    pub const fn ctrl(char: char) -> Self {
        Self { code: KeyCode::Char(char), ctrl: true, alt: false }
    }

    /// This key without Alt, where a terminal writes the two as Escape and the key: as somebody writes who types fast.
    pub fn behind_escape(self) -> Option<Self> {
        let plain = matches!(self.code, KeyCode::Char(_) | KeyCode::Enter | KeyCode::Tab);
        (self.alt && plain).then_some(Self { alt: false, ..self })
    }

    /// The character that this key types in a text field.
    pub fn typed(self) -> Option<char> {
        match self {
            Self { code: KeyCode::Char(char), ctrl: false, alt: false } => Some(char),
            _ => None,
        }
    }
}

/// The names of keys that are no single character, in the config file and on screen.
const NAMES: &[(&str, KeyCode)] = &[
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("del", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        match (self.code, NAMES.iter().find(|(_, code)| *code == self.code)) {
            (_, Some((name, _))) => f.write_str(name),
            (KeyCode::F(number), None) => write!(f, "f{number}"),
            (KeyCode::Char(char), None) => write!(f, "{char}"),
            (other, None) => write!(f, "{other:?}"),
        }
    }
}

/// A text that names no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" names no key; keys are written j, G, ctrl-r, space, pgdn, f5 …")]
pub struct NoSuchKey(String);

impl FromStr for Key {
    type Err = NoSuchKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut rest, mut ctrl, mut alt) = (text, false, false);
        while let Some((held, key)) = rest.split_once('-').filter(|(_, key)| !key.is_empty()) {
            match held {
                "ctrl" => ctrl = true,
                "alt" => alt = true,
                _ => break,
            }
            rest = key;
        }
        let function = || rest.strip_prefix('f')?.parse().ok().filter(|n| (1..=12).contains(n)).map(KeyCode::F);
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(char), None) => Some(KeyCode::Char(char)),
            _ => NAMES.iter().find(|(name, _)| *name == rest).map(|(_, code)| *code).or_else(function),
        };
        code.map(|code| Self { code, ctrl, alt }).ok_or_else(|| NoSuchKey(text.to_owned()))
    }
}

/// What the mouse did, at which cell, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    /// What it did.
    pub kind: MouseKind,
    /// The column.
    pub x: u16,
    /// The row.
    pub y: u16,
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button went down.
    Press,
    /// The wheel turned away from the person.
    WheelUp,
    /// The wheel turned towards the person.
    WheelDown,
}

/// One thing that a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed.
    Key(Key),
    /// A text was pasted as a whole.
    Paste(String),
    /// The mouse was used.
    Mouse(Mouse),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for text in ["j", "G", "?", "-", "ctrl-c", "ctrl--", "alt-x", "space", "shift-tab", "pgdn", "f12", "ctrl-left"]
        {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_names_no_key_is_refused() {
        for text in ["", "ctrl-", "hyper-x", "f0", "f13", "jj"] {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }
}
