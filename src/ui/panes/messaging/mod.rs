//! Templates, senders and windows: the pane that agents work in.

mod act;
mod add;
mod answers;
mod areas;
mod ask;
mod bulk;
pub mod compose;
mod draw;
mod keys;
mod known;
mod mouse;
pub mod outbox;
mod pane;
mod senders;
mod templates;
mod windows;
mod words;

pub use ask::Customer;
pub use keys::PARTS;
pub use known::{Known, KnownSender, Watch};

use crate::messaging::ServerClock;
use crate::records::Watched;
use crate::tasks::{Origin, TaskId};
use crate::ui::action::{Action, PaneId};
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::registry::Registration;
use areas::MessagingAreas;
use compose::{Composer, Sight};
use jiff::Timestamp;
use jiff::tz::TimeZone;
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
/// After this a part that is loading says so; before, it would only flicker.
const PATIENCE: Duration = Duration::from_millis(150);

/// A part of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The numbers to send from.
    Senders,
    /// The templates of one of them.
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

/// What a request was for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asked {
    /// What is kept for the profile.
    Recall,
    /// Something to keep; what it was, for people.
    Keep(&'static str),
    Senders,
    Account,
    Templates(i64),
    /// A window, for the list, the composer or both.
    Window(i64, String),
    /// Customers to watch on the first time, of this page of theirs, from 1.
    Customers(u32),
    Outbox,
    Sent(Uuid),
    /// Something for the view for many recipients.
    Bulk(bulk::Question),
    Evidence(Uuid),
}

/// How far the watch list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filling {
    /// What is kept has not been read yet.
    Recalling,
    /// Nothing was ever watched: it is filled from the conversations, once the senders are known.
    Wanted,
    /// That has been done, or is not wanted.
    Done,
}

/// What has the keys.
#[derive(Debug, Clone, PartialEq)]
enum Front {
    /// The part that has the focus.
    Parts,
    /// The text that narrows it.
    Narrowing,
    /// A message that is written; whether the outbox opened it.
    Composer(Box<Composer>, bool),
    /// What was sent.
    Outbox,
    /// One template to many.
    Bulk,
}

/// Whether the pane was ever on screen, which is when it begins to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    Before,
    Now,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Messaging {
    known: Known,
    clock: ServerClock,
    origin: Origin,
    asked: Vec<(TaskId, Asked)>,
    /// Where it is drawn.
    body: Rect,
    focus: Part,
    front: Front,
    senders: Senders,
    templates: Templates,
    windows: Windows,
    filling: Filling,
    /// Who is watched no longer, the last one last.
    removed: Vec<Watched>,
    /// A customer to be met once the senders are known, and whether to write to them.
    later: Option<(Customer, bool)>,
    visit: Visit,
    /// True once there is a server.
    connected: bool,
    outbox: Outbox,
    /// One template to many; it goes on while it is not in front.
    bulk: Option<Box<bulk::Bulk>>,
}

impl Messaging {
    /// A pane that has asked nothing yet.
    pub fn new(options: &Options, body: Rect) -> Self {
        Self {
            known: Known::default(),
            clock: ServerClock::default(),
            origin: Origin::new(ID.0),
            asked: Vec::new(),
            body,
            focus: Part::Windows,
            front: Front::Parts,
            senders: Senders::new(options.settings.refresh_interval),
            templates: Templates::default(),
            windows: Windows::new(options),
            filling: Filling::Recalling,
            removed: Vec::new(),
            later: None,
            visit: Visit::Never,
            connected: false,
            outbox: Outbox::default(),
            bulk: None,
        }
    }

    // What others may know.

    fn areas(&self) -> MessagingAreas {
        areas::of(self.body, self.focus)
    }

    /// Now, by the server's clock.
    pub fn server_now(&self, now: Moment) -> Timestamp {
        self.clock.now(now.wall, now.mono)
    }

    fn sight<'a>(&'a self, now: Moment, options: &'a Options, zone: &'a TimeZone) -> Sight<'a> {
        Sight { known: &self.known, options, zone, now, server_now: self.server_now(now), body: self.body }
    }

    /// True while every key belongs to the composer or the outbox.
    pub fn is_captured(&self) -> bool {
        matches!(self.front, Front::Outbox | Front::Bulk)
    }

    /// True while keys are text.
    pub fn is_typing(&self) -> bool {
        match &self.front {
            Front::Composer(composer, _) => composer.takes_text(),
            Front::Narrowing => true,
            Front::Bulk => self.bulk.as_ref().is_some_and(|bulk| bulk.is_typing()),
            Front::Parts | Front::Outbox => false,
        }
    }

    /// What the bottom line says while keys are text or belong to the composer or the outbox; `None` otherwise.
    pub fn hints(&self, now: Moment, options: &Options, zone: &TimeZone) -> Option<String> {
        let sight = self.sight(now, options, zone);
        match &self.front {
            Front::Parts => None,
            Front::Narrowing => Some("Enter keeps it   Esc leaves   letters are text".to_owned()),
            Front::Composer(..) => None,
            Front::Outbox => Some(self.outbox.hints(&sight)),
            Front::Bulk => self.bulk.as_ref().map(|bulk| bulk.hints().to_owned()),
        }
    }

    /// True where opening what is selected begins a message.
    pub fn open_writes(&self) -> bool {
        self.focus != Part::Senders
    }

    /// Why an action cannot be done now; `None` where it can.
    pub(super) fn why_not(&self, action: Action) -> Option<&'static str> {
        let (nobody, sender) = (self.windows.selected(&self.known.windows).is_none(), self.sender());
        match (action, self.focus) {
            (Action::Open | Action::Freeform | Action::Remove | Action::Copy, Part::Windows) if nobody => {
                Some("nobody is selected")
            }
            (Action::Restore, _) if self.removed.is_empty() => Some("nobody was removed"),
            (Action::Open, Part::Templates) if self.selected_template().is_none() => Some("no template is selected"),
            (Action::Add, Part::Senders) if self.senders.lists() => Some("this server lists its senders by itself"),
            (Action::Add | Action::Remove, Part::Templates) => {
                Some("templates are registered with the messaging platform")
            }
            (Action::Send | Action::Freeform, _) | (Action::Open, Part::Senders) | (Action::Add, Part::Windows)
                if sender.is_none() =>
            {
                Some("there is no sender yet")
            }
            (Action::Freeform, Part::Senders | Part::Templates) => Some("choose who it is for among the windows"),
            (Action::Remove, Part::Senders) if !sender.is_some_and(|sender| sender.added) => {
                Some("this sender was not added by hand")
            }
            (Action::Copy, Part::Senders | Part::Templates) if sender.is_none_or(|sender| sender.phone.is_none()) => {
                Some("the sender's number is not known")
            }
            _ => None,
        }
    }

    /// The selected sender: the one whose templates are shown.
    fn sender(&self) -> Option<&KnownSender> {
        self.senders.selected(&self.known.senders)
    }

    /// True where nobody knows which senders there are.
    fn listing_failed(&self) -> bool {
        matches!(self.senders.listing, senders::Listing::Failed(_) | senders::Listing::Unlisted)
    }

    fn selected_template(&self) -> Option<&crate::api::Template> {
        let sender = self.sender()?;
        self.templates.selected(self.known.templates.get(&sender.id)?)
    }

    // Time.

    /// When something on screen changes by itself, or something is due; `None` for never.
    pub(super) fn next_due(&self, now: Moment, options: &Options, zone: &TimeZone) -> Option<Duration> {
        let server_now = self.server_now(now);
        let due = self.windows.next_due(now.mono).filter(|_| self.connected);
        let poll = self.senders.next_poll().filter(|_| self.connected && self.visit != Visit::Never);
        let seen = self.front == Front::Bulk && self.visit == Visit::Now;
        let batch = self.bulk.as_ref().and_then(|bulk| bulk.next_change(now.mono, seen));
        let always = [due, poll, self.windows.next_edge(), batch];
        let sight = self.sight(now, options, zone);
        let on_screen = match &self.front {
            // A confirmed message waits to be taken back.
            Front::Composer(composer, _) => composer.next_change(&sight),
            _ if self.visit != Visit::Now => None,
            Front::Bulk => None,
            Front::Outbox => self.outbox.next_change(&sight),
            Front::Parts | Front::Narrowing => {
                let height = self.windows_height();
                let loading = [self.senders.loading(), self.loading_templates()].into_iter().flatten();
                let patience = loading.map(|since| since + PATIENCE).filter(|at| *at > now.mono).min();
                let rows = self.windows.next_change(&self.known.windows, now, server_now, height);
                rows.into_iter().chain(patience).min()
            }
        };
        always.into_iter().chain([on_screen]).flatten().min()
    }

    /// Since when the templates of the selected sender are asked for the first time.
    fn loading_templates(&self) -> Option<Duration> {
        let id = self.sender()?.id;
        if self.known.templates.contains_key(&id) { None } else { self.templates.loading(id) }
    }
}
