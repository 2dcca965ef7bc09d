//! The panes of the dashboard. A new pane is a line here.

use super::action::{Binding, PaneId, SHARED};
use super::keymap::Keymap;
use super::options::Options;
use super::pane::Pane;
use super::panes::{activity, api_keys, assistants, catalogue, conversations, knowledge, messaging, tools};
use crate::config::{KeyOverride, Problem};
use ratatui::layout::Rect;
use std::collections::BTreeMap;

/// How a pane is registered.
#[derive(Debug)]
pub struct Registration {
    /// Its name.
    pub id: PaneId,
    /// What its tab says.
    pub title: &'static str,
    /// The key that leads to it by default, shown in its tab.
    pub digit: char,
    /// Its table of bindings, with the one that leads to it.
    pub bindings: &'static [Binding],
    /// Makes it, for a body of this size.
    pub new: fn(&Options, Rect) -> Box<dyn Pane>,
}

/// The panes in the order of their tabs.
pub const PANES: &[Registration] = &[
    conversations::PANE,
    assistants::PANE,
    messaging::PANE,
    knowledge::PANE,
    tools::PANE,
    catalogue::PANE,
    api_keys::PANE,
    activity::PANE,
];

/// All bindings: those of the panes, then those that they share.
pub fn bindings() -> Vec<&'static Binding> {
    PANES.iter().flat_map(|pane| pane.bindings).chain(SHARED).collect()
}

impl Keymap {
    /// The default keys with the user's laid over them, and the problems of those, by line.
    pub fn with_overrides(overrides: &BTreeMap<String, KeyOverride>) -> (Self, Vec<Problem>) {
        Self::new(bindings(), overrides)
    }
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with_overrides(&BTreeMap::new()).0
    }
}
