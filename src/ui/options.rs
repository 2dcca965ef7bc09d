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

impl Place {
    /// The name under which messages and whatever else is kept are recorded.
    pub fn profile(&self) -> &str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Profile(name) => name,
        }
    }
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
    /// How messages are sent and windows watched.
    pub messaging: Messaging,
}

/// How messages are sent and windows watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messaging {
    /// How long a confirmed send can be taken back before it leaves.
    pub hold: Duration,
    /// The country of numbers without a plus, as its two letters (ISO 3166).
    pub country: Option<String>,
    /// Whether the outbox keeps the text of messages.
    pub keep_text: bool,
    /// How long before a window expires that is told, the longest first.
    pub alerts: Vec<Duration>,
    /// How it is told outside the screen.
    pub notify: Notify,
}

/// How something is told outside the screen, where nobody may be looking at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notify {
    /// Not at all.
    #[default]
    Off,
    /// By the terminal's bell.
    Bell,
    /// By the bell and a notification in the words of iTerm2, Windows Terminal and others (OSC 9).
    Osc9,
    /// By the bell and a notification in the words of rxvt, foot and others (OSC 777).
    Osc777,
}

impl Default for Messaging {
    fn default() -> Self {
        Self {
            hold: Duration::from_secs(5),
            country: None,
            keep_text: false,
            alerts: vec![Duration::from_secs(3600), Duration::from_secs(600)],
            notify: Notify::default(),
        }
    }
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
            messaging: Messaging::default(),
        }
    }
}
