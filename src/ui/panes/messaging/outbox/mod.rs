//! The outbox: sends with their outcomes, and what can be done about those that failed or are unknown.

mod draw;
mod pane;
#[cfg(test)]
mod tests;
mod verdict;

pub(super) use draw::draw;

use super::MessagingData;
use super::compose::Preset;
use crate::api::Call;
use crate::messaging::{Accepted, Outcome};
use crate::records::{Draft, Entry, Intent, Mark, StorageRequest};
use crate::tasks::{Evidence, Sending};
use crate::ui::ages::next_second;
use crate::ui::compose::UnresolvedSend;
use crate::ui::compose::drafts::{draft_of, forget_sent};
use crate::ui::held::{HeldSend, Hold};
use crate::ui::prelude::*;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::{Click, Follow, ListState};
use crate::ui::widgets::table;
use jiff::Timestamp;
use std::collections::VecDeque;
use uuid::Uuid;

/// The check of a send with an unknown outcome.
#[derive(Debug, Clone, PartialEq)]
pub enum EvidenceCheck {
    /// The evidence is requested.
    InFlight,
    /// The evidence, and when it came by the server's clock.
    Done(Box<Evidence>, Timestamp),
    /// The newest calls of the assistant to the number; `None` where the server does not list calls.
    Calls(Option<Vec<Call>>),
    /// Why the evidence could not be collected, as a sentence.
    Failed(String),
}

/// How far a send has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SendState<'a> {
    /// It has not left, and can be taken back.
    Held(Hold),
    InFlight,
    /// Rate limited: tried again then.
    Waiting(Instant),
    /// Its outcome was unknown, and a person has marked it.
    Marked(Mark),
    Over(&'a Outcome),
}

/// A send, with what only this run of the program knows about it.
#[derive(Debug, Clone, PartialEq)]
struct OutboxRow {
    entry: Entry,
    /// While it is held; nothing of it is on disk then.
    held: Option<Hold>,
    waiting: Option<Instant>,
    check: Option<EvidenceCheck>,
    /// While the outcome is open: offered again if the message was not sent.
    draft: Option<Draft>,
    /// What the recipient reads: of this run's messages, and of earlier ones where the settings store it.
    text: Option<String>,
}

impl OutboxRow {
    fn new(entry: Entry) -> Self {
        let text = entry.intent.text.clone();
        Self { entry, held: None, waiting: None, check: None, draft: None, text }
    }

    /// What was done if it left.
    fn done(&self) -> &'static str {
        if self.entry.intent.is_call() { "made" } else { "sent" }
    }

    fn id(&self) -> Uuid {
        self.entry.intent.id
    }

    fn state(&self) -> SendState<'_> {
        if let Some(hold) = self.held {
            return SendState::Held(hold);
        }
        match (&self.entry.outcome, self.entry.mark) {
            (Some(Outcome::Unknown { .. }), Some(mark)) => SendState::Marked(mark),
            (Some(outcome), _) => SendState::Over(outcome),
            (None, _) => self.waiting.map_or(SendState::InFlight, SendState::Waiting),
        }
    }

    fn is_unknown(&self) -> bool {
        matches!(self.state(), SendState::Over(Outcome::Unknown { .. }))
    }

    /// Takes the draft out; `None` also where a newer one is under its key.
    fn take_draft(&mut self, known: &MessagingData) -> Option<Draft> {
        self.draft.take().filter(|draft| !known.drafts.iter().any(|newer| newer.key() == draft.key()))
    }

    /// True for a message that was not sent: it can be written again.
    fn was_not_sent(&self) -> bool {
        use Outcome::{NotSent, Refused};
        matches!(self.state(), SendState::Over(Refused(_) | NotSent(_)) | SendState::Marked(Mark::NotSent))
    }
}

/// The outbox.
#[derive(Debug, Clone, PartialEq)]
pub struct Outbox {
    /// The newest first.
    rows: Vec<OutboxRow>,
    /// True once storage has been read.
    loaded: bool,
    list: ListState<Uuid>,
    /// The texts of this run's messages, the newest last; without those that may carry a code.
    texts: VecDeque<(Uuid, String)>,
    /// True while only sends with an unknown outcome are listed.
    pub(super) only_unknown: bool,
    /// True while letters narrow the list.
    pub(super) narrowing: bool,
    /// Where it is drawn.
    body: Rect,
    /// Lines of the details that are scrolled away while these have the focus; on a narrow screen they have the whole
    /// body.
    details: Option<usize>,
}

impl Outbox {
    /// An outbox that has not been read.
    pub fn new(body: Rect) -> Self {
        let (rows, list) = (Vec::new(), ListState::new(Follow::Top));
        let texts = VecDeque::new();
        Self { rows, loaded: false, list, texts, only_unknown: false, narrowing: false, body, details: None }
    }

    fn arrange(&mut self) {
        let (height, only_unknown) = (self.height(), self.only_unknown);
        let keep = |row: &OutboxRow| !only_unknown || row.is_unknown();
        let compare = table::compare(&draw::COLUMNS);
        self.list.refresh(&self.rows, keep, OutboxRow::id, draw::fields, compare, height);
    }

    fn height(&self) -> usize {
        table::height(draw::areas(self).table)
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
            Some(at) => OutboxRow { entry, ..old.remove(at) },
            None => OutboxRow::new(entry),
        };
        let rows: Vec<_> = entries.into_iter().map(row).collect();
        // A send in flight may not be on disk yet.
        old.retain(|row| row.held.is_some() || row.entry.outcome.is_none() && row.draft.is_some());
        self.rows = old.into_iter().chain(rows).collect();
        for row in self.rows.iter_mut().filter(|row| row.text.is_none()) {
            let (id, known) = (row.id(), self.texts.iter());
            row.text = known.rev().find(|(of, _)| *of == id).map(|(_, text)| text.clone());
        }
        self.loaded = true;
        self.arrange();
    }

    fn row(&mut self, id: Uuid) -> Option<&mut OutboxRow> {
        self.rows.iter_mut().find(|row| row.id() == id)
    }

    fn selected(&self) -> Option<&OutboxRow> {
        self.list.selected(&self.rows)
    }

    /// The selected entry.
    pub fn selected_entry(&self) -> Option<&Entry> {
        self.selected().map(|row| &row.entry)
    }

    /// True where the selected entry is a call.
    pub fn is_at_call(&self) -> bool {
        self.selected_entry().is_some_and(|entry| entry.intent.is_call())
    }

    /// Keeps what a message of this run says, for as long as the program runs.
    pub fn says(&mut self, id: Uuid, text: String) {
        if self.texts.len() == TEXTS_MAX {
            self.texts.pop_front();
        }
        self.texts.push_back((id, text));
    }

    /// A send with this text is about to be recorded and to leave. Its draft is not offered while the outcome is open.
    pub fn leaving(&mut self, sending: &Sending, text: &str, known: &mut MessagingData, now: Moment) {
        let draft = draft_of(sending, now);
        let draft = forget_sent(&mut known.drafts, &draft).unwrap_or(draft);
        let entry = Entry { intent: sending.intent.clone(), began: now.wall, ended: None, outcome: None, mark: None };
        let text = (!sending.is_code).then(|| text.to_owned());
        if let Some(text) = &text {
            self.says(entry.intent.id, text.clone());
        }
        self.rows.insert(0, OutboxRow { draft: Some(draft), text, ..OutboxRow::new(entry) });
        self.arrange();
    }

    /// Lists what is held now, the newest first.
    pub fn hold(&mut self, held: &[HeldSend], now: Moment) {
        let listed = self.rows.iter().filter(|row| row.held.is_some()).map(OutboxRow::id);
        if listed.eq(held.iter().rev().map(|held| held.sending.intent.id)) {
            return;
        }
        let (old, rows) = std::mem::take(&mut self.rows).into_iter().partition::<Vec<_>, _>(|row| row.held.is_some());
        self.rows = rows;
        for held in held {
            let intent = held.sending.intent.clone();
            let began = old.iter().find(|row| row.id() == intent.id).map_or(now.wall, |row| row.entry.began);
            let entry = Entry { intent, began, ended: None, outcome: None, mark: None };
            let text = (!held.sending.is_code).then(|| held.text.clone());
            self.rows.insert(0, OutboxRow { held: Some(held.hold), text, ..OutboxRow::new(entry) });
        }
        self.arrange();
    }

    /// The selected send, while it is held.
    pub fn selected_hold(&self) -> Option<Uuid> {
        self.selected().filter(|row| row.held.is_some()).map(OutboxRow::id)
    }

    /// A send was not even recorded: nothing has left, and its draft is offered again.
    pub fn dropped(&mut self, id: Uuid, known: &mut MessagingData) {
        if let Some(draft) = self.row(id).and_then(|row| row.take_draft(known)) {
            known.drafts.insert(0, draft);
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
        match self.row(id) {
            Some(row) => (row.entry, row.waiting) = (entry, None),
            None => self.rows.insert(0, OutboxRow::new(entry)),
        }
        self.release_draft(id, known)
    }

    /// A person has marked a send. Returns what to store: the deletion of its draft.
    #[must_use]
    pub fn marked(&mut self, id: Uuid, mark: Mark, known: &mut MessagingData) -> Option<StorageRequest> {
        self.row(id)?.entry.mark = Some(mark);
        self.release_draft(id, known)
    }

    /// Deletes the draft of a message that was sent, and offers that of one that was not sent again. Neither happens where
    /// a newer draft is under its key.
    fn release_draft(&mut self, id: Uuid, known: &mut MessagingData) -> Option<StorageRequest> {
        self.arrange();
        let row = self.row(id)?;
        let was_sent = match row.state() {
            SendState::Over(Outcome::Accepted(_)) | SendState::Marked(Mark::Sent) => true,
            _ if row.was_not_sent() => false,
            _ => return None,
        };
        let draft = row.take_draft(known)?;
        if was_sent {
            return Some(StorageRequest::DeleteDraft(draft.key()));
        }
        known.drafts.insert(0, draft);
        None
    }

    /// Notes how far the check of a send is.
    pub fn check(&mut self, id: Uuid, check: EvidenceCheck) {
        if let Some(row) = self.row(id) {
            row.check = Some(check);
        }
    }

    /// The numbers of the calls that are known to belong to other entries.
    fn known_calls(&self) -> Vec<i64> {
        let accepted = self.rows.iter().filter_map(|row| match &row.entry.outcome {
            Some(Outcome::Accepted(Accepted { call_id, .. })) => *call_id,
            _ => None,
        });
        accepted.collect()
    }

    fn unknown(&self) -> usize {
        self.rows.iter().filter(|row| row.is_unknown()).count()
    }

    /// Sends in flight or with an unknown outcome, the newest first: their recipients may have got a message.
    pub fn unresolved(&self) -> Vec<UnresolvedSend> {
        let unresolved = |row: &OutboxRow| {
            let leaving = row.entry.outcome.is_none() && row.held.is_none();
            let phone = row.entry.intent.phone.clone();
            let is_open = (leaving || row.is_unknown()) && !row.entry.intent.is_call();
            is_open.then_some(UnresolvedSend { phone, began: row.entry.began, leaving })
        };
        self.rows.iter().filter_map(unresolved).collect()
    }

    /// Why an action cannot be done with the selected send; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let row = self.selected();
        match action {
            Action::Open | Action::Check | Action::MarkSent | Action::MarkNotSent | Action::Send if row.is_none() => {
                Some("no send is selected")
            }
            Action::Check | Action::MarkSent | Action::MarkNotSent if !row.is_some_and(OutboxRow::is_unknown) => {
                Some("the outcome of this send is not unknown")
            }
            Action::Send if row.is_some_and(|row| row.entry.intent.is_call()) => {
                Some("this is a call; C in Assistants calls again")
            }
            Action::Send if !row.is_some_and(OutboxRow::was_not_sent) => {
                Some("only a message that was not sent is written again")
            }
            Action::OnlyProblems if self.unknown() == 0 && !self.only_unknown => Some("no outcome is unknown"),
            Action::Copy if row.is_none() => Some("no send is selected"),
            Action::CopyAll if row.is_none_or(|row| row.text.is_none()) => Some("its text is not known any more"),
            Action::Narrow if self.details.is_some() => Some("the details have the focus"),
            _ => None,
        }
    }

    /// Does what an action means for the list and the details.
    fn act(&mut self, action: Action, view: &View<'_>) {
        match (action, self.details) {
            (Action::Move(motion), Some(scrolled)) => {
                let area = draw::areas(self).details;
                self.details = Some(draw::details(self, view).scroll(scrolled, motion, view.options, area));
            }
            (Action::Move(motion), None) => drop(self.list.step(motion, self.height())),
            (Action::Back, None) => (self.narrowing, self.list.narrow) = (false, TextInput::default()),
            (Action::Back, Some(_)) => self.details = None,
            (Action::Narrow, _) => self.narrowing = true,
            (Action::Submit, _) => self.narrowing = false,
            (Action::Text(edit), _) => drop(self.list.narrow.act(edit)),
            (Action::Open, open) => self.details = open.is_none().then_some(0),
            (Action::OnlyProblems, _) => {
                (self.only_unknown, self.details) = (!self.only_unknown, None);
            }
            _ => return,
        }
        self.arrange();
    }

    /// Takes a typed character or a paste while letters narrow the list.
    pub fn text(&mut self, input: &Input) {
        self.list.narrow.text(input);
        self.arrange();
    }

    /// True while letters narrow the list, or have done so.
    pub fn is_narrowed(&self) -> bool {
        self.narrowing || !self.list.narrow.value().is_empty()
    }

    /// Selects what lies at this cell.
    pub fn click(&mut self, x: u16, y: u16) {
        let table = draw::areas(self).table;
        if table.contains((x, y).into())
            && y > table.y
            && self.list.click(usize::from(y - table.y - 1), self.height()) == Click::Selected
        {
            self.details = self.details.map(|_| 0);
        }
    }

    /// When something changes by itself: the seconds of a wait.
    pub fn next_change(&self, now: Moment) -> Option<Instant> {
        let waits = self.rows.iter().filter_map(|row| next_second(row.waiting?, now.mono));
        waits.chain(self.rows.iter().filter_map(|row| Some(row.held?.next_change(now.mono)))).min()
    }
}

/// Texts of this run's messages that are kept; the outbox lists as many entries.
const TEXTS_MAX: usize = 500;

/// The form that would write to the recipient of a send again.
fn preset(intent: &Intent) -> Preset {
    Preset {
        sender_id: Some(intent.sender_id),
        phone: Some(intent.phone.clone()),
        name: intent.name.clone(),
        template_id: intent.template().map(|template| template.id),
    }
}
