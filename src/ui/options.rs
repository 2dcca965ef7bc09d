//! What the interface knows from its start on.

use super::keymap::Keymap;
use super::theme::{Glyphs, Theme};
use crate::config::{Link, Settings};
use std::path::PathBuf;

/// Which server the interface looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The embedded service with its simulated people.
    Sandbox,
    /// A profile, by its name.
    Profile(String),
}

impl Place {
    /// The name under which messages and whatever else is kept are recorded.
    pub fn profile(&self) -> &str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Profile(name) => name,
        }
    }
}

/// What the interface knows from its start on: the settings, and what follows from them, the flags and the terminal.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The server to show.
    pub place: Place,
    /// Whether every write is refused.
    pub read_only: bool,
    /// The country of phone numbers without a plus (ISO 3166, two capital letters).
    pub country: Option<String>,
    /// The file that the token was read from; `None` where it came from elsewhere.
    pub token_file: Option<PathBuf>,
    /// The file of canned replies.
    pub replies: Option<PathBuf>,
    /// Where a conversation is found on the web.
    pub link: Option<Link>,
    /// The settings in force.
    pub settings: Settings,
    /// The style of each role.
    pub theme: Theme,
    /// The symbols to draw with.
    pub glyphs: &'static Glyphs,
    /// The keys in force.
    pub keymap: Keymap,
}

impl Default for Options {
    fn default() -> Self {
        let settings = Settings::default();
        Self {
            place: Place::Sandbox,
            read_only: false,
            country: None,
            token_file: None,
            replies: None,
            link: None,
            theme: Theme::new(&settings),
            glyphs: &Glyphs::UNICODE,
            keymap: Keymap::default(),
            settings,
        }
    }
}
