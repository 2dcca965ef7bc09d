//! Mistakes in the settings, reported without preventing the start.

use std::fmt;

/// A mistake in the settings; the default is used instead.
///
/// It never holds a token. Names and values in it come from the user's file as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The settings file, with the home folder as `~`; `None` until [`Self::in_file`] names it.
    pub file: Option<String>,
    /// The line in the settings file, from 1; `None` where the file as a whole is meant.
    pub line: Option<usize>,
    /// The key with its tables, e.g. `profiles.live.base_url`; `None` where no key is to blame.
    pub key: Option<String>,
    /// What is wrong, and what is used instead.
    pub message: String,
}

impl Problem {
    /// About one key.
    pub fn key(line: usize, key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: None, line: Some(line), key: Some(key.into()), message: message.into() }
    }

    /// About a line that holds no readable key.
    pub fn line(line: usize, message: impl Into<String>) -> Self {
        Self { file: None, line: Some(line), key: None, message: message.into() }
    }

    /// About the file as a whole.
    pub fn file(message: impl Into<String>) -> Self {
        Self { file: None, line: None, key: None, message: message.into() }
    }

    /// The same problem, named as one of this file.
    #[must_use]
    pub fn in_file(self, file: Option<&str>) -> Self {
        Self { file: file.map(str::to_owned), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some(line)) => write!(f, "line {line}: ")?,
            (None, None) => {}
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}
