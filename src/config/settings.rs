//! The settings that a user can change, as plain values.

use super::choice::{Colour, GlyphsChoice, LogLevel, ThemeChoice};
use super::messaging::Messaging;
use super::problem::Problem;
use super::profile::Profile;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;
use std::time::Duration;

/// The settings file as it is shipped: every key at its default, with an explanation.
pub const DEFAULT_FILE: &str = include_str!("../../config/default.toml");

/// All settings. [`Settings::default`] is what [`DEFAULT_FILE`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The file they come from, with the home folder as `~`; `None` where there is none.
    pub file: Option<String>,
    /// The profile to start on: a key of `profiles`.
    pub profile: Option<String>,
    /// The servers that the file names.
    pub profiles: BTreeMap<String, Profile>,
    /// Time between two automatic refreshes of what is on screen; `None`: manual refresh only.
    pub refresh_interval: Option<Duration>,
    /// Rows per page, within the limits of the API; `None`: as many as fit on the screen.
    pub rows_per_page: Option<u32>,
    /// Where colours come from.
    pub theme: ThemeChoice,
    /// The colour of what has the focus.
    pub accent: Colour,
    /// Which characters lines and marks are made of.
    pub glyphs: GlyphsChoice,
    /// The time zone of displayed times.
    pub time_zone: Zone,
    /// Whether the dashboard captures the mouse.
    pub mouse: bool,
    /// The level of the log file.
    pub log_level: LogLevel,
    /// Conversations that need a person, in the words by which the list is narrowed; unchecked, since only the list
    /// knows these.
    pub alerts: Vec<String>,
    /// The table `[messaging]`.
    pub messaging: Messaging,
    /// Keys by the name of their action, unchecked: only the keymap knows actions and keys.
    pub keys: BTreeMap<String, KeyOverride>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            file: None,
            profile: None,
            profiles: BTreeMap::new(),
            refresh_interval: Some(Duration::from_secs(5)),
            rows_per_page: Some(50),
            theme: ThemeChoice::default(),
            accent: Colour::default(),
            glyphs: GlyphsChoice::default(),
            time_zone: Zone::Local,
            mouse: true,
            log_level: LogLevel::default(),
            alerts: Vec::new(),
            messaging: Messaging::default(),
            keys: BTreeMap::new(),
        }
    }
}

/// The zone in which times are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Zone {
    /// That of the machine.
    Local,
    /// The one with this IANA name, which is looked up only by [`Zone::resolve`].
    Named {
        /// The name as the file has it.
        name: String,
        /// Its line in the file.
        line: usize,
    },
}

impl Zone {
    /// Reads the zone from the system's database. That opens files: call it behind the first frame.
    ///
    /// A name that the database does not have gives the machine's own zone and a problem.
    pub fn resolve(&self) -> (TimeZone, Option<Problem>) {
        match self {
            Self::Local => (TimeZone::system(), None),
            Self::Named { name, line } => TimeZone::get(name).map_or_else(
                |_| {
                    let message = format!("{name:?} is not a time zone on this machine; using \"local\"");
                    (TimeZone::system(), Some(Problem::key(*line, "time_zone", message)))
                },
                |zone| (zone, None),
            ),
        }
    }
}

/// The keys that the file gives an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyOverride {
    /// The line in the file.
    pub line: usize,
    /// The keys as they are written there; none takes the action its keys.
    pub keys: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_that_does_not_exist_gives_the_local_one_and_a_problem() {
        let (zone, problem) = Zone::Named { name: "Nowhere/Else".to_owned(), line: 4 }.resolve();
        assert_eq!(zone, TimeZone::system());
        let said = problem.unwrap().to_string();
        assert_eq!(said, "line 4: time_zone: \"Nowhere/Else\" is not a time zone on this machine; using \"local\"");
    }

    #[test]
    fn a_zone_that_exists_is_used() {
        let (zone, problem) = Zone::Named { name: "UTC".to_owned(), line: 1 }.resolve();
        assert_eq!((zone, problem), (TimeZone::UTC, None));
    }
}
