//! What the interface is told at its start.

use super::keymap::Keymap;
use super::theme::{Glyphs, Theme};
use std::time::Duration;

/// Which server the interface looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The embedded service with its simulated people.
    Sandbox,
    /// A profile, by its name.
    Profile(String),
}

/// What the interface is told at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Which server.
    pub place: Place,
    /// True where nothing may be changed on it.
    pub read_only: bool,
    /// How things look.
    pub theme: Theme,
    /// The signs to use.
    pub glyphs: &'static Glyphs,
    /// The keys in force.
    pub keymap: Keymap,
    /// Rows a page; `None` for as many as the screen shows at the start.
    pub per_page: Option<u32>,
    /// How often lists are asked for anew; `None` for only when told.
    pub refresh: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            place: Place::Sandbox,
            read_only: false,
            theme: Theme::terminal(ratatui::style::Color::Cyan),
            glyphs: &Glyphs::UNICODE,
            keymap: Keymap::default(),
            per_page: Some(50),
            refresh: Some(Duration::from_secs(5)),
        }
    }
}
