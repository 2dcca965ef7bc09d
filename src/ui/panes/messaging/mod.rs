//! Templates, senders and windows: the pane that agents work in.

mod act;
mod add;
mod areas;
mod bulk;
pub mod compose;
mod data;
mod draw;
mod format;
mod keys;
mod next;
pub mod outbox;
mod pane;
mod replies;
mod requests;
mod senders;
mod templates;
mod windows;

use crate::ui::prelude::*;
pub use data::{MessagingData, WatchedWindow};
use format as words;
pub use keys::{OUTBOX, PARTS};
pub use requests::Customer;

use crate::messaging::ServerClock;
use crate::records::{DraftKey, Watched};
use crate::tasks::TaskId;
use crate::ui::compose::{Leaving, MessagingSender, Repeated};
use crate::ui::widgets::list::{Follow, ListState};
use areas::{MessagingAreas, Needs};
use compose::{Composer, Preset};
use jiff::Timestamp;
use outbox::Outbox;
use senders::Senders;
use std::collections::BTreeMap;
use uuid::Uuid;
use windows::Windows;

/// The name of the pane.
pub const ID: PaneId = PaneId("messaging");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Messaging",
    digit: '3',
    bindings: keys::BINDINGS,
    new: |options, body| Box::new(Messaging::new(options, body)),
};

/// A part of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The numbers to send from.
    Senders,
    /// The templates of the selected one.
    Templates,
    /// The watched recipients.
    Windows,
}

impl Part {
    /// The parts from left to right.
    pub const ALL: [Self; 3] = [Self::Senders, Self::Templates, Self::Windows];

    /// Lines of a row.
    fn lines(self) -> u16 {
        if self == Self::Senders { 2 } else { 1 }
    }

    fn other(self, forward: bool) -> Self {
        Self::ALL[(self as usize + if forward { 1 } else { 2 }) % 3]
    }
}

/// Identifies a row: the id of a sender or of a template; for a window its sender's id and the recipient in E.164.
pub type RowId = (i64, String);

/// What a request in flight is for. Senders, templates and the account keep their own.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PendingRequest {
    LoadStorage,
    /// Something to store; what it is, for people.
    Store(&'static str),
    /// A window, for the list, the composer or both.
    Window(RowId),
    /// Customers to fill the watch list with, of this page of conversations, from 1.
    Customers(u32),
    Outbox,
    Send(Uuid),
    /// The evidence for a send with an unknown outcome.
    Check(Uuid),
    /// The conversation of this sender and recipient, for the composer.
    History(RowId),
    /// Whether the draft that is about to be sent is still there.
    Draft(DraftKey),
    /// The batch that was interrupted.
    Unfinished,
}

/// Where the watch list comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WatchListSource {
    /// Storage has not been read yet.
    Unknown,
    /// Nothing was ever watched: the conversations, once the senders are loaded.
    Conversations,
    Storage,
}

/// Where the composer was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opener {
    Parts,
    Outbox,
    Pane(PaneId),
}

/// What has the keys.
#[derive(Debug, Clone, PartialEq)]
enum Front {
    /// The part that has the focus.
    Parts,
    /// The text that narrows it.
    Narrowing,
    /// The message being written, and where that began.
    Composer(Box<Composer>, Opener),
    /// The sends so far.
    Outbox,
    /// One template to many recipients.
    Bulk,
}

impl Front {
    /// The composer was opened from here.
    fn set_opener(&mut self, from: Opener) {
        if let Self::Composer(_, opener) = self {
            *opener = from;
        }
    }
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Messaging {
    data: MessagingData,
    clock: ServerClock,
    pending: Vec<(TaskId, PendingRequest)>,
    /// The messages on their way.
    leaving: Vec<Leaving>,
    /// The one that is asked about, since the same was sent lately.
    repeated: Repeated,
    /// Where it is drawn.
    body: Rect,
    focus: Part,
    front: Front,
    /// The lists of the parts.
    lists: [ListState<RowId>; 3],
    senders: Senders,
    /// The sender whose templates are shown.
    templates_of: Option<i64>,
    /// By sender id, the template that was selected or sent last.
    chosen_templates: BTreeMap<i64, i64>,
    /// How wide the content of senders and templates is.
    needs: Needs,
    /// Templates loaded before are requested again when they are looked at.
    refreshed: Instant,
    windows: Windows,
    source: WatchListSource,
    /// Recipients removed from the watch list, the latest last.
    removed: Vec<Watched>,
    /// A customer to watch or write to (`true`) once the senders are loaded.
    later: Option<(Customer, bool)>,
    /// The recipient of a freeform message that becomes a template where the window turns out to be closed.
    undecided: Option<Preset>,
    /// True once the pane was on screen, which is when requests begin.
    visited: bool,
    outbox: Outbox,
    /// One template to many recipients; it goes on while it is not in front.
    bulk: Option<Box<bulk::Bulk>>,
}

impl Messaging {
    /// A pane that has requested nothing yet.
    pub fn new(options: &Options, body: Rect) -> Self {
        Self {
            data: MessagingData::default(),
            clock: ServerClock::default(),
            pending: Vec::new(),
            leaving: Vec::new(),
            repeated: Repeated::default(),
            body,
            focus: Part::Windows,
            front: Front::Parts,
            lists: [ListState::default(), ListState::default(), ListState::new(Follow::Urgent)],
            senders: Senders::new(options.settings.refresh_interval),
            templates_of: None,
            chosen_templates: BTreeMap::new(),
            needs: Needs::default(),
            refreshed: Instant::START,
            windows: Windows::default(),
            source: WatchListSource::Unknown,
            removed: Vec::new(),
            later: None,
            undecided: None,
            visited: false,
            outbox: Outbox::new(body),
            bulk: None,
        }
    }

    fn areas(&self) -> MessagingAreas {
        areas::of(self.body, self.focus, self.needs)
    }

    fn list(&self, part: Part) -> &ListState<RowId> {
        &self.lists[part as usize]
    }

    fn list_mut(&mut self, part: Part) -> &mut ListState<RowId> {
        &mut self.lists[part as usize]
    }

    /// Rows in view of a part.
    fn height_of(&self, part: Part) -> usize {
        (self.areas().part(part).rows.height / part.lines()).into()
    }

    /// Now, by the server's clock.
    pub fn server_now(&self, now: Moment) -> Timestamp {
        self.clock.now(now.wall, now.mono)
    }

    /// Why an action cannot be done in the part that has the focus; `None` where it can.
    fn disabled_in_parts(&self, action: Action) -> Option<&'static str> {
        let (nobody, sender) = (self.selected_window().is_none(), self.sender());
        Some(match (action, self.focus) {
            (Action::Open | Action::Freeform | Action::Remove | Action::Copy, Part::Windows) if nobody => {
                "nobody is selected"
            }
            (Action::Restore, _) if self.removed.is_empty() => "nobody was removed",
            (Action::Open, Part::Templates) if self.selected_template().is_none() => "no template is selected",
            (Action::Add, Part::Senders) if self.senders.are_listed() => "this server lists its senders",
            (Action::Add | Action::Remove, Part::Templates) => "templates are registered with the messaging platform",
            (Action::Send | Action::Freeform, _) | (Action::Open, Part::Senders) | (Action::Add, Part::Windows)
                if sender.is_none() =>
            {
                "there is no sender yet"
            }
            (Action::Freeform, Part::Senders | Part::Templates) => "select a recipient among the windows",
            (Action::Remove, Part::Senders) if !sender.is_some_and(|sender| sender.added) => {
                "only a sender that was added can be removed"
            }
            (Action::Copy, Part::Senders | Part::Templates) if sender.is_none_or(|sender| sender.phone.is_none()) => {
                "the sender's number is not known"
            }
            _ => return None,
        })
    }

    /// The selected sender: the one whose templates are shown.
    fn sender(&self) -> Option<&MessagingSender> {
        self.list(Part::Senders).selected(&self.data.senders)
    }

    fn selected_template(&self) -> Option<&crate::api::Template> {
        self.list(Part::Templates).selected(self.data.templates_of(self.sender()?.id)?)
    }
}
