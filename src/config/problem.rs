//! What is wrong with the settings, said to the user without preventing the start.

use std::fmt;

/// Something in the settings that could not be used; the default stands in its place.
///
/// It never holds a token. Names and values in it come from the user's file as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line in the settings file, from 1; `None` where the file as a whole is meant.
    pub line: Option<usize>,
    /// The key with its tables, e.g. `profiles.live.base_url`; `None` where no key is to blame.
    pub key: Option<String>,
    /// What is wrong, and what is done instead.
    pub message: String,
}

impl Problem {
    /// About one key.
    pub fn key(line: usize, key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: Some(line), key: Some(key.into()), message: message.into() }
    }

    /// About a line that holds no readable key.
    pub fn line(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), key: None, message: message.into() }
    }

    /// About the file as a whole.
    pub fn file(message: impl Into<String>) -> Self {
        Self { line: None, key: None, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}
