//! What was sent, what was not, and what nobody knows yet.

use super::Known;
use super::compose::{Sight, Wanted};
use crate::records::{Entry, Intent, Keep, Mark};
use crate::tasks::Evidence;
use crate::ui::action::Motion;
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::Moment;
use jiff::Timestamp;
use ratatui::buffer::Buffer;
use std::time::Duration;
use uuid::Uuid;

/// What came of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutboxFlow {
    /// It goes on.
    Stay,
    /// It was left.
    Close,
    /// Find out what became of this send.
    Check(Box<Intent>),
    /// A person has found it out.
    Mark(Uuid, Mark),
    /// Open the form for the same recipient and template again.
    Again(Wanted),
    /// Open the editor for the same recipient again.
    AgainFreeform(Wanted),
    /// Read the outbox again.
    Reload,
}

/// The outbox.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outbox {
    entries: Vec<Entry>,
}

impl Outbox {
    /// The entries as they are recorded, the newest first.
    pub fn entries(&mut self, entries: Vec<Entry>) {
        self.entries = entries;
    }

    /// A send is on its way to be recorded and to leave.
    pub fn leaving(&mut self, _intent: &Intent, _now: Moment) {}

    /// A send was not even recorded: nothing has left.
    pub fn dropped(&mut self, _id: Uuid, _why: String) {}

    /// The server asked to wait: not sent yet.
    pub fn waiting(&mut self, _id: Uuid, _until: Moment) {}

    /// An entry has an outcome. Where its draft is of no use any more, that is to be kept.
    #[must_use]
    pub fn settled(&mut self, _entry: Entry, _known: &Known) -> Option<Keep> {
        None
    }

    /// What was found out.
    pub fn evidence(&mut self, _evidence: Box<Evidence>, _now: Timestamp) {}

    /// Nothing could be found out.
    pub fn check_failed(&mut self, _id: Uuid, _why: String) {}

    /// How many sends have an outcome that nobody knows.
    pub fn unknown(&self) -> usize {
        0
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, _sight: &Sight<'_>) -> OutboxFlow {
        if key.code == KeyCode::Esc { OutboxFlow::Close } else { OutboxFlow::Stay }
    }

    /// Moves the selection, for the wheel.
    pub fn step(&mut self, _motion: Motion, _sight: &Sight<'_>) {}

    /// Selects what lies at this cell.
    pub fn click(&mut self, _x: u16, _y: u16, _sight: &Sight<'_>) {}

    /// When something changes by itself.
    pub fn next_change(&self, _sight: &Sight<'_>) -> Option<Duration> {
        None
    }

    /// The bottom line.
    pub fn hints(&self, _sight: &Sight<'_>) -> String {
        "Esc back".to_owned()
    }

    /// Draws it.
    pub fn draw(&self, _sight: &Sight<'_>, _buffer: &mut Buffer) {}
}
