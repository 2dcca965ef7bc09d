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
mod mouse;
pub mod outbox;
mod pane;
mod replies;
mod requests;
mod senders;
mod templates;
mod windows;

pub use data::{MessagingData, MessagingSender, WatchedWindow};
use format as words;
pub use keys::{OUTBOX, PARTS};
pub use requests::Customer;

use crate::messaging::ServerClock;
use crate::records::Watched;
use crate::tasks::{Origin, TaskId};
use crate::ui::action::{Action, PaneId};
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::registry::Registration;
use areas::MessagingAreas;
use compose::{Composer, Snapshot};
use jiff::Timestamp;
use outbox::Outbox;
use ratatui::layout::Rect;
use senders::Senders;
use std::time::Duration;
use templates::Templates;
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

    fn other(self, forward: bool) -> Self {
        let at = Self::ALL.iter().position(|part| *part == self).unwrap_or(0);
        Self::ALL[(at + if forward { 1 } else { 2 }) % 3]
    }
}

/// What a request in flight is for. Senders, templates and the account keep their own.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PendingRequest {
    LoadStorage,
    /// Something to store; what it is, for people.
    Store(&'static str),
    /// A window, for the list, the composer or both.
    Window(i64, String),
    /// Customers to fill the watch list with, of this page of conversations, from 1.
    Customers(u32),
    Outbox,
    Send(Uuid),
    /// The evidence for a send with an unknown outcome.
    Check(Uuid),
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

/// Whether the pane was ever on screen, which is when requests begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    Before,
    Now,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Messaging {
    known: MessagingData,
    clock: ServerClock,
    origin: Origin,
    pending: Vec<(TaskId, PendingRequest)>,
    /// Where it is drawn.
    body: Rect,
    focus: Part,
    front: Front,
    senders: Senders,
    templates: Templates,
    windows: Windows,
    source: WatchListSource,
    /// Recipients removed from the watch list, the latest last.
    removed: Vec<Watched>,
    /// A customer to watch or write to (`true`) once the senders are loaded.
    later: Option<(Customer, bool)>,
    visit: Visit,
    /// True once there is a server.
    connected: bool,
    outbox: Outbox,
    /// One template to many recipients; it goes on while it is not in front.
    bulk: Option<Box<bulk::Bulk>>,
}

impl Messaging {
    /// A pane that has requested nothing yet.
    pub fn new(options: &Options, body: Rect) -> Self {
        Self {
            known: MessagingData::default(),
            clock: ServerClock::default(),
            origin: Origin::new(ID.0),
            pending: Vec::new(),
            body,
            focus: Part::Windows,
            front: Front::Parts,
            senders: Senders::new(options.settings.refresh_interval),
            templates: Templates::default(),
            windows: Windows::new(options),
            source: WatchListSource::Unknown,
            removed: Vec::new(),
            later: None,
            visit: Visit::Never,
            connected: false,
            outbox: Outbox::new(body),
            bulk: None,
        }
    }

    fn areas(&self) -> MessagingAreas {
        areas::of(self.body, self.focus)
    }

    /// Rows in view of a part.
    fn height_of(&self, part: Part) -> usize {
        let lines = if part == Part::Senders { senders::LINES } else { 1 };
        (self.areas().part(part).rows.height / lines).into()
    }

    /// Now, by the server's clock.
    pub fn server_now(&self, now: Moment) -> Timestamp {
        self.clock.now(now.wall, now.mono)
    }

    fn snapshot<'a>(&'a self, view: &'a View<'_>) -> Snapshot<'a> {
        Snapshot {
            known: &self.known,
            options: view.options,
            zone: view.zone,
            now: view.now,
            server_now: self.server_now(view.now),
            body: self.body,
        }
    }

    /// Why an action cannot be done in the part that has the focus; `None` where it can.
    fn disabled_in_parts(&self, action: Action) -> Option<&'static str> {
        let (nobody, sender) = (self.windows.selected(&self.known.windows).is_none(), self.sender());
        match (action, self.focus) {
            (Action::Open | Action::Freeform | Action::Remove | Action::Copy, Part::Windows) if nobody => {
                Some("nobody is selected")
            }
            (Action::Restore, _) if self.removed.is_empty() => Some("nobody was removed"),
            (Action::Open, Part::Templates) if self.selected_template().is_none() => Some("no template is selected"),
            (Action::Add, Part::Senders) if self.senders.are_listed() => Some("this server lists its senders"),
            (Action::Add | Action::Remove, Part::Templates) => {
                Some("templates are registered with the messaging platform")
            }
            (Action::Send | Action::Freeform, _) | (Action::Open, Part::Senders) | (Action::Add, Part::Windows)
                if sender.is_none() =>
            {
                Some("there is no sender yet")
            }
            (Action::Freeform, Part::Senders | Part::Templates) => Some("select a recipient among the windows"),
            (Action::Remove, Part::Senders) if !sender.is_some_and(|sender| sender.added) => {
                Some("only a sender that was added can be removed")
            }
            (Action::Copy, Part::Senders | Part::Templates) if sender.is_none_or(|sender| sender.phone.is_none()) => {
                Some("the sender's number is not known")
            }
            _ => None,
        }
    }

    /// The selected sender: the one whose templates are shown.
    fn sender(&self) -> Option<&MessagingSender> {
        self.senders.list.selected(&self.known.senders)
    }

    fn selected_template(&self) -> Option<&crate::api::Template> {
        self.templates.list.selected(self.known.templates_of(self.sender()?.id)?)
    }

    /// When something on screen changes by itself, or something is due; `None` for never.
    fn next_due(&self, view: &View<'_>) -> Option<Duration> {
        let now = view.now;
        let due = self.windows.next_due(&self.known.windows, now.mono).filter(|_| self.connected);
        let poll = self.senders.remote.next_change().filter(|_| self.polls_senders());
        let seen = self.front == Front::Bulk && self.visit == Visit::Now;
        let batch = self.bulk.as_ref().and_then(|bulk| bulk.next_change(now.mono, seen));
        let on_screen = match &self.front {
            Front::Composer(composer, _) => composer.next_change(&self.snapshot(view)),
            _ if self.visit != Visit::Now => None,
            Front::Bulk => None,
            Front::Outbox => self.outbox.next_change(now),
            Front::Parts | Front::Narrowing => {
                let states = Part::ALL.into_iter().filter_map(|part| draw::state(self, view, part));
                let loading = states.filter_map(|state| state.next_change(now.mono)).min();
                let (height, server_now) = (self.height_of(Part::Windows), self.server_now(now));
                let rows = self.windows.next_change(&self.known.windows, now, server_now, height);
                rows.into_iter().chain(loading).min()
            }
        };
        [due, poll, self.windows.next_edge(), batch, on_screen].into_iter().flatten().min()
    }
}
