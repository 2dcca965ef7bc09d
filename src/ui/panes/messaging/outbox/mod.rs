//! The outbox: sends with their outcomes, and what can be done about those that failed or are unknown.

mod draw;
mod format;
mod pane;
#[cfg(test)]
mod tests;
mod verdict;

pub(super) use draw::draw;

use super::MessagingData;
use super::compose::{Preset, UnresolvedSend, forget_sent};
use crate::messaging::{Outcome, Outgoing};
use crate::records::{Content, Draft, Entry, Intent, Mark, StorageRequest};
use crate::tasks::{Evidence, Sending};
use crate::ui::action::{Action, Motion};
use crate::ui::message::Moment;
use crate::ui::pane::View;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::{Click, Follow, ListState};
use jiff::Timestamp;
use ratatui::layout::Rect;
use std::cmp::Ordering;
use std::time::Duration;
use uuid::Uuid;

/// What the pane has to do after an action.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum OutboxEvent {
    /// Nothing.
    None,
    /// The outbox was closed.
    Close,
    /// Collect the evidence for this send.
    Check(Box<Intent>),
    /// Ask before the selected send is marked.
    Confirm(Mark),
    /// Open the form with these values; the editor of freeform messages where `freeform`.
    WriteAgain {
        /// The recipient and the template.
        preset: Preset,
        /// True for a message without a template.
        freeform: bool,
    },
    /// Read the entries again.
    Reload,
}

/// The check of a send with an unknown outcome.
#[derive(Debug, Clone, PartialEq)]
enum Check {
    InFlight,
    /// The evidence, and when it came by the server's clock.
    Done(Box<Evidence>, Timestamp),
    Failed(String),
}

/// How far a send has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State<'a> {
    /// In flight.
    Leaving,
    /// Rate limited: tried again then.
    Waiting(Duration),
    /// A person has said what became of it.
    Marked(Mark),
    Over(&'a Outcome),
}

/// A send, with what only this run of the program knows about it.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    entry: Entry,
    waiting: Option<Duration>,
    check: Option<Check>,
    /// While the outcome is open: offered again if the message was not sent.
    draft: Option<Draft>,
}

impl Row {
    fn new(entry: Entry) -> Self {
        Self { entry, waiting: None, check: None, draft: None }
    }

    fn id(&self) -> Uuid {
        self.entry.intent.id
    }

    fn state(&self) -> State<'_> {
        match (&self.entry.outcome, self.entry.mark) {
            (Some(Outcome::Unknown { .. }), Some(mark)) => State::Marked(mark),
            (Some(outcome), _) => State::Over(outcome),
            (None, _) => self.waiting.map_or(State::Leaving, State::Waiting),
        }
    }

    fn is_unknown(&self) -> bool {
        matches!(self.state(), State::Over(Outcome::Unknown { .. }))
    }
}

/// The outbox.
#[derive(Debug, Clone, PartialEq)]
pub struct Outbox {
    /// The newest first.
    rows: Vec<Row>,
    /// True once storage has been read.
    loaded: bool,
    list: ListState<Uuid>,
    /// Where it is drawn.
    body: Rect,
    /// True while the details have the focus; on a narrow screen they have the whole body.
    open: bool,
    /// Lines of the details that are scrolled away.
    scrolled: usize,
}

impl Default for Outbox {
    fn default() -> Self {
        let (rows, list, body) = (Vec::new(), ListState::new(Follow::Top), Rect::new(0, 0, 80, 24));
        Self { rows, loaded: false, list, body, open: false, scrolled: 0 }
    }
}

/// What narrows the list to sends with an unknown outcome: those alone have this word.
const UNKNOWN: &str = "unknown";

impl Outbox {
    fn arrange(&mut self) {
        let height = self.height();
        let fields = |row: &Row| if row.is_unknown() { vec![UNKNOWN.into()] } else { Vec::new() };
        self.list.refresh(&self.rows, Row::id, |row| fields(row), |_, _, _| Ordering::Equal, height);
    }

    fn height(&self) -> usize {
        usize::from(draw::areas(self.body, self.open).table.height.saturating_sub(1))
    }

    /// The body has another size.
    pub fn resize(&mut self, body: Rect) {
        self.body = body;
        self.arrange();
    }

    /// Takes the entries from storage, the newest first.
    pub fn entries(&mut self, entries: Vec<Entry>) {
        let mut old = std::mem::take(&mut self.rows);
        let row = |entry: Entry| match old.iter().position(|row| row.id() == entry.intent.id) {
            Some(at) => Row { entry, ..old.remove(at) },
            None => Row::new(entry),
        };
        let rows: Vec<_> = entries.into_iter().map(row).collect();
        // What is leaving may not be on disk yet.
        old.retain(|row| row.entry.outcome.is_none() && row.draft.is_some());
        self.rows = old.into_iter().chain(rows).collect();
        self.loaded = true;
        self.arrange();
    }

    fn row(&mut self, id: Uuid) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.id() == id)
    }

    fn selected(&self) -> Option<&Row> {
        self.list.selected(&self.rows)
    }

    /// The selected entry.
    pub fn selected_entry(&self) -> Option<&Entry> {
        self.selected().map(|row| &row.entry)
    }

    /// A send is about to be recorded and to leave. Its draft is not offered while the outcome is open.
    pub fn leaving(&mut self, sending: &Sending, known: &mut MessagingData, now: Moment) {
        let intent = sending.intent.clone();
        let draft = draft_of(sending, now);
        let draft = forget_sent(known, &draft).unwrap_or(draft);
        let entry = Entry { intent, began: now.wall, ended: None, outcome: None, mark: None };
        self.rows.insert(0, Row { draft: Some(draft), ..Row::new(entry) });
        self.arrange();
    }

    /// A send was not even recorded: nothing has left, and its draft is offered again.
    pub fn dropped(&mut self, id: Uuid, known: &mut MessagingData) {
        if let Some(row) = self.row(id) {
            offer_again(row, known);
        }
        self.rows.retain(|row| row.id() != id);
        self.arrange();
    }

    /// The server asked to wait until then: not sent yet.
    pub fn waiting(&mut self, id: Uuid, until: Moment) {
        if let Some(row) = self.row(id) {
            row.waiting = Some(until.mono);
        }
    }

    /// A send has an outcome. Returns what to store: the deletion of its draft.
    #[must_use]
    pub fn settled(&mut self, entry: Entry, known: &mut MessagingData) -> Option<StorageRequest> {
        let id = entry.intent.id;
        if self.row(id).is_none() {
            self.rows.insert(0, Row::new(entry.clone()));
        }
        let row = self.row(id)?;
        (row.entry, row.waiting) = (entry, None);
        let discarded = match &row.entry.outcome {
            Some(Outcome::Accepted(_)) => discard(row, known),
            Some(Outcome::Refused(_)) => offer_again(row, known),
            Some(Outcome::Unknown { .. }) | None => None,
        };
        self.arrange();
        discarded
    }

    /// A person has said what became of a send. Returns what to store: the deletion of its draft.
    #[must_use]
    pub fn marked(&mut self, id: Uuid, mark: Mark, known: &mut MessagingData) -> Option<StorageRequest> {
        let row = self.row(id)?;
        row.entry.mark = Some(mark);
        let discarded = if mark == Mark::Sent { discard(row, known) } else { offer_again(row, known) };
        self.arrange();
        discarded
    }

    /// The evidence has come, at `now` of the server's clock.
    pub fn evidence(&mut self, evidence: Box<Evidence>, now: Timestamp) {
        if let Some(row) = self.row(evidence.intent.id) {
            row.check = Some(Check::Done(evidence, now));
        }
    }

    /// The evidence could not be collected.
    pub fn check_failed(&mut self, id: Uuid, why: String) {
        if let Some(row) = self.row(id) {
            row.check = Some(Check::Failed(why));
        }
    }

    fn unknown(&self) -> usize {
        self.rows.iter().filter(|row| row.is_unknown()).count()
    }

    /// Sends in flight or with an unknown outcome, the newest first: their recipients may have got a message.
    pub fn unresolved(&self) -> Vec<UnresolvedSend> {
        let unresolved = |row: &Row| {
            let leaving = match row.state() {
                State::Leaving | State::Waiting(_) => true,
                State::Over(Outcome::Unknown { .. }) => false,
                State::Over(_) | State::Marked(_) => return None,
            };
            Some(UnresolvedSend { phone: row.entry.intent.phone.clone(), began: row.entry.began, leaving })
        };
        self.rows.iter().filter_map(unresolved).collect()
    }

    /// Why an action cannot be done with the selected send; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let state = self.selected().map(Row::state);
        match action {
            Action::Open | Action::Check | Action::MarkSent | Action::MarkNotSent | Action::Send if state.is_none() => {
                Some("no send is selected")
            }
            Action::Check | Action::MarkSent | Action::MarkNotSent if !self.selected().is_some_and(Row::is_unknown) => {
                Some("the outcome of this send is not unknown")
            }
            Action::Send if !matches!(state, Some(State::Over(Outcome::Refused(_)) | State::Marked(Mark::NotSent))) => {
                Some("only a message that was not sent is written again")
            }
            Action::OnlyProblems if self.unknown() == 0 && !self.is_narrowed() => Some("no outcome is unknown"),
            _ => None,
        }
    }

    /// True while only sends with an unknown outcome are listed.
    pub fn is_narrowed(&self) -> bool {
        !self.list.narrow.value().is_empty()
    }

    /// Does what an action means.
    pub fn act(&mut self, action: Action, view: &View<'_>) -> OutboxEvent {
        if self.disabled(action).is_some() {
            return OutboxEvent::None;
        }
        match action {
            Action::Move(motion) => self.step(motion, view),
            Action::Back if self.open => (self.open, self.scrolled) = (false, 0),
            Action::Back => return OutboxEvent::Close,
            Action::Refresh => return OutboxEvent::Reload,
            Action::OnlyProblems => {
                self.list.narrow = TextInput::new(if self.is_narrowed() { "" } else { UNKNOWN });
                (self.open, self.scrolled) = (false, 0);
                self.arrange();
            }
            Action::Open => self.open = !self.open,
            Action::Check => {
                let Some(id) = self.selected().map(Row::id) else { return OutboxEvent::None };
                let Some(row) = self.row(id) else { return OutboxEvent::None };
                row.check = Some(Check::InFlight);
                return OutboxEvent::Check(Box::new(row.entry.intent.clone()));
            }
            Action::MarkSent => return OutboxEvent::Confirm(Mark::Sent),
            Action::MarkNotSent => return OutboxEvent::Confirm(Mark::NotSent),
            Action::Send => {
                let Some(Entry { intent, .. }) = self.selected_entry() else { return OutboxEvent::None };
                let preset = Preset {
                    sender_id: Some(intent.sender_id),
                    phone: Some(intent.phone.clone()),
                    name: intent.name.clone(),
                    template_id: intent.template().map(|template| template.id),
                };
                return OutboxEvent::WriteAgain { preset, freeform: intent.content == Content::Freeform };
            }
            _ => {}
        }
        OutboxEvent::None
    }

    /// Moves the selection, or scrolls the open details.
    fn step(&mut self, motion: Motion, view: &View<'_>) {
        if self.open {
            let area = draw::areas(self.body, true).details;
            self.scrolled = draw::details(self, view).scroll(self.scrolled, motion, view.options, area);
        } else {
            self.list.step(motion, self.height());
            self.scrolled = 0;
        }
    }

    /// Selects what lies at this cell.
    pub fn click(&mut self, x: u16, y: u16) {
        let table = draw::areas(self.body, self.open).table;
        if table.contains((x, y).into()) && y > table.y {
            let click = self.list.click(usize::from(y - table.y - 1), self.height());
            self.scrolled = if click == Click::Selected { 0 } else { self.scrolled };
        }
    }

    /// When something changes by itself: the seconds of a wait.
    pub fn next_change(&self, now: Moment) -> Option<Duration> {
        let next = |until: Duration| {
            let left = until.saturating_sub(now.mono);
            let whole = left.as_secs() - u64::from(left.subsec_nanos() == 0 && left.as_secs() > 0);
            (!left.is_zero()).then(|| until.saturating_sub(Duration::from_secs(whole)))
        };
        self.rows.iter().filter_map(|row| next(row.waiting?)).min()
    }
}

/// The draft of a message that was sent goes, unless a newer one is under its key.
fn discard(row: &mut Row, known: &MessagingData) -> Option<StorageRequest> {
    let key = row.draft.take()?.key();
    let newer = known.drafts.iter().any(|newer| newer.key() == key);
    (!newer).then_some(StorageRequest::DeleteDraft(key))
}

/// The draft of a message that was not sent is offered again, unless a newer one is under its key.
fn offer_again(row: &mut Row, known: &mut MessagingData) -> Option<StorageRequest> {
    let draft = row.draft.take()?;
    if !known.drafts.iter().any(|newer| newer.key() == draft.key()) {
        known.drafts.insert(0, draft);
    }
    None
}

/// The draft that would send this again.
fn draft_of(sending: &Sending, now: Moment) -> Draft {
    let intent = &sending.intent;
    let (values, message) = match &sending.outgoing {
        Outgoing::Template(message) => (message.variables.clone(), None),
        Outgoing::Freeform(freeform) => (std::collections::BTreeMap::new(), Some(freeform.message.clone())),
        Outgoing::Call(call) => (call.variables.clone(), None),
    };
    Draft {
        sender_id: Some(intent.sender_id),
        phone: intent.phone.clone(),
        template_id: intent.template().map(|template| template.id),
        name: intent.name.clone().unwrap_or_default(),
        values,
        message,
        saved: now.wall,
    }
}
