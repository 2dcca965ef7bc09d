//! What was sent, what was not, and what nobody knows yet.

mod draw;
mod verdict;
mod words;

use super::Known;
use super::compose::{Doubt, Sight, Wanted, forget_sent};
use crate::messaging::{Outcome, Outgoing};
use crate::records::{Draft, Entry, Intent, Mark, StorageRequest};
use crate::tasks::{Evidence, Sending};
use crate::ui::action::Motion;
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::Moment;
use crate::ui::widgets::list::{Cursor, scroll};
use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::HashMap;
use std::time::Duration;
use uuid::Uuid;

/// What came of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
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

/// What has been found out about an entry.
#[derive(Debug, Clone, PartialEq)]
enum Found {
    /// It has been asked for.
    Asked,
    /// This, at this time of the server's clock.
    Told(Box<Evidence>, Timestamp),
    /// Nothing, for this reason.
    Failed(String),
}

/// How far an entry has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State<'a> {
    /// It is being recorded, or its answer has not come.
    Leaving,
    /// The server has asked to wait until then: it was not sent yet.
    Waiting(Duration),
    /// A person has found out what became of it.
    Marked(Mark),
    /// It has an outcome.
    Over(&'a Outcome),
}

/// The outbox.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outbox {
    /// The newest first.
    entries: Vec<Entry>,
    /// True once it has been read.
    read: bool,
    /// True while only those are shown whose outcome nobody knows.
    alone: bool,
    cursor: Cursor,
    /// True while the details have the whole body.
    open: bool,
    /// Lines of the details that are scrolled away.
    scrolled: usize,
    /// Until when sends wait that the server has put off.
    waiting: HashMap<Uuid, Duration>,
    found: HashMap<Uuid, Found>,
    /// A mark that was pressed once.
    marking: Option<(Uuid, Mark)>,
    /// Drafts of sends under way: offered again only if they were not sent.
    drafts: HashMap<Uuid, Draft>,
}

impl Outbox {
    /// The entries as they are recorded, the newest first.
    pub fn entries(&mut self, entries: Vec<Entry>) {
        let selected = self.selected().map(|entry| entry.intent.id);
        // What is leaving may not be on disk yet.
        let known = |id: Uuid| entries.iter().any(|entry| entry.intent.id == id);
        let mut all: Vec<Entry> = std::mem::take(&mut self.entries);
        all.retain(|entry| {
            entry.outcome.is_none() && self.drafts.contains_key(&entry.intent.id) && !known(entry.intent.id)
        });
        all.extend(entries);
        (self.entries, self.read) = (all, true);
        self.keep_selected(selected);
    }

    fn keep_selected(&mut self, id: Option<Uuid>) {
        let place = id.and_then(|id| self.shown().position(|entry| entry.intent.id == id));
        self.cursor.at = place.unwrap_or(self.cursor.at).min(self.shown().count().saturating_sub(1));
    }

    /// The entries of the list.
    fn shown(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !self.alone || self.is_unknown(entry))
    }

    fn is_unknown(&self, entry: &Entry) -> bool {
        matches!(state(entry, &self.waiting), State::Over(Outcome::Unknown { .. }))
    }

    fn selected(&self) -> Option<&Entry> {
        self.shown().nth(self.cursor.at)
    }

    /// Adds the newest entry. Whoever looks at the newest goes on doing so.
    fn add(&mut self, entry: Entry) {
        let selected = self.selected().map(|entry| entry.intent.id).filter(|_| self.cursor.at > 0);
        self.entries.insert(0, entry);
        self.keep_selected(selected);
    }

    /// A send is on its way to be recorded and to leave. Its draft is not offered while nobody knows what becomes of it.
    pub fn leaving(&mut self, sending: &Sending, known: &mut Known, now: Moment) {
        let intent = &sending.intent;
        let draft = draft_of(sending, now);
        let draft = forget_sent(known, &draft).unwrap_or(draft);
        self.drafts.insert(intent.id, draft);
        let entry = Entry { intent: intent.clone(), began: now.wall, ended: None, outcome: None, mark: None };
        self.add(entry);
    }

    /// A send was not even recorded: nothing has left, and what was typed is offered again.
    pub fn dropped(&mut self, id: Uuid, known: &mut Known) {
        self.entries.retain(|entry| entry.intent.id != id);
        self.keep_selected(None);
        self.offer_again(id, known);
    }

    /// The server asked to wait until then: not sent yet.
    pub fn waiting(&mut self, id: Uuid, until: Moment) {
        self.waiting.insert(id, until.mono);
    }

    /// An entry has an outcome. Where its draft is of no use any more, that is to be kept.
    #[must_use]
    pub fn settled(&mut self, entry: Entry, known: &mut Known) -> Option<StorageRequest> {
        let id = entry.intent.id;
        self.waiting.remove(&id);
        let discard = match &entry.outcome {
            Some(Outcome::Accepted(_)) => self.discard(id, known),
            Some(Outcome::Refused(_)) => {
                self.offer_again(id, known);
                None
            }
            Some(Outcome::Unknown { .. }) | None => None,
        };
        match self.entries.iter_mut().find(|old| old.intent.id == id) {
            Some(old) => *old = entry,
            None => self.add(entry),
        }
        discard
    }

    /// A mark was written down. Where the entry's draft is of no use any more, that is to be kept.
    #[must_use]
    pub fn marked(&mut self, id: Uuid, mark: Mark, known: &mut Known) -> Option<StorageRequest> {
        let entry = self.entries.iter_mut().find(|entry| entry.intent.id == id)?;
        entry.mark = Some(mark);
        self.keep_selected(None);
        if mark == Mark::Sent {
            return self.discard(id, known);
        }
        self.offer_again(id, known);
        None
    }

    /// The draft of a message that was sent goes, unless something newer is typed under its pair.
    fn discard(&mut self, id: Uuid, known: &Known) -> Option<StorageRequest> {
        let key = self.drafts.remove(&id)?.key();
        let newer = known.drafts.iter().any(|newer| newer.key() == key);
        (!newer).then_some(StorageRequest::DeleteDraft(key))
    }

    /// The draft of a message that was not sent is offered again, unless something newer is typed under its pair.
    fn offer_again(&mut self, id: Uuid, known: &mut Known) {
        let Some(draft) = self.drafts.remove(&id) else { return };
        if !known.drafts.iter().any(|newer| newer.key() == draft.key()) {
            known.drafts.insert(0, draft);
        }
    }

    /// What was found out, at `now` of the server's clock.
    pub fn evidence(&mut self, evidence: Box<Evidence>, now: Timestamp) {
        self.found.insert(evidence.intent.id, Found::Told(evidence, now));
    }

    /// Nothing could be found out.
    pub fn check_failed(&mut self, id: Uuid, why: String) {
        self.found.insert(id, Found::Failed(why));
    }

    /// How many sends have an outcome that nobody knows.
    pub fn unknown(&self) -> usize {
        self.entries.iter().filter(|entry| self.is_unknown(entry)).count()
    }

    /// Whom a message was sent to, or may have been, without anybody knowing what became of it; the newest first.
    pub fn doubts(&self) -> Vec<Doubt> {
        let doubt = |entry: &Entry| {
            let leaving = match state(entry, &self.waiting) {
                State::Leaving | State::Waiting(_) => true,
                State::Over(Outcome::Unknown { .. }) => false,
                State::Over(_) | State::Marked(_) => return None,
            };
            Some(Doubt { phone: entry.intent.phone.clone(), began: entry.began, leaving })
        };
        self.entries.iter().filter_map(doubt).collect()
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, sight: &Sight<'_>) -> OutboxFlow {
        let marking = self.marking.take();
        let beside = draw::areas(sight.body, self.open).details.width > 0;
        if let Some(motion) = Motion::of(key) {
            self.step(motion, sight);
            return OutboxFlow::Stay;
        }
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') if self.open => {
                (self.open, self.scrolled) = (false, 0);
                return OutboxFlow::Stay;
            }
            KeyCode::Esc | KeyCode::Char('q' | 'o') => return OutboxFlow::Close,
            KeyCode::Char('r') => return OutboxFlow::Reload,
            KeyCode::Char('f') => {
                let selected = self.selected().map(|entry| entry.intent.id);
                (self.alone, self.open, self.scrolled) = (!self.alone, false, 0);
                self.keep_selected(selected);
                return OutboxFlow::Stay;
            }
            KeyCode::Enter => {
                self.open = self.selected().is_some() && !(beside && self.open);
                return OutboxFlow::Stay;
            }
            _ => {}
        }
        let Some(entry) = self.selected() else { return OutboxFlow::Stay };
        let id = entry.intent.id;
        match (key.code, state(entry, &self.waiting)) {
            (KeyCode::Char('c'), State::Over(Outcome::Unknown { .. })) => {
                let intent = Box::new(entry.intent.clone());
                self.found.insert(id, Found::Asked);
                OutboxFlow::Check(intent)
            }
            (KeyCode::Char(letter @ ('m' | 'u')), State::Over(Outcome::Unknown { .. })) => {
                let mark = if letter == 'm' { Mark::Sent } else { Mark::NotSent };
                if marking == Some((id, mark)) {
                    return OutboxFlow::Mark(id, mark);
                }
                self.marking = Some((id, mark));
                OutboxFlow::Stay
            }
            (KeyCode::Char('s'), State::Over(Outcome::Refused(_)) | State::Marked(Mark::NotSent)) => {
                let intent = &entry.intent;
                let wanted = Wanted {
                    sender_id: Some(intent.sender_id),
                    phone: Some(intent.phone.clone()),
                    name: intent.name.clone(),
                    template_id: intent.template.as_ref().map(|template| template.id),
                };
                if intent.template.is_some() { OutboxFlow::Again(wanted) } else { OutboxFlow::AgainFreeform(wanted) }
            }
            _ => OutboxFlow::Stay,
        }
    }

    /// Moves the selection, or the open details; for keys and the wheel.
    pub fn step(&mut self, motion: Motion, sight: &Sight<'_>) {
        let areas = draw::areas(sight.body, self.open);
        if self.open {
            let length = draw::details(self, sight, usize::from(areas.details.width)).len();
            self.scrolled = scroll(self.scrolled, motion, length, usize::from(areas.details.height));
        } else {
            self.cursor.step(motion, self.shown().count(), usize::from(areas.rows.height));
            self.scrolled = 0;
        }
    }

    /// Selects what lies at this cell.
    pub fn click(&mut self, x: u16, y: u16, sight: &Sight<'_>) {
        let rows: Rect = draw::areas(sight.body, self.open).rows;
        if rows.contains((x, y).into()) {
            let (at, length) = (self.cursor.offset + usize::from(y - rows.y), self.shown().count());
            if at < length {
                self.cursor.select(at, length, usize::from(rows.height));
                (self.marking, self.scrolled) = (None, 0);
            }
        }
    }

    /// When something changes by itself: the seconds of a wait.
    pub fn next_change(&self, sight: &Sight<'_>) -> Option<Duration> {
        let now = sight.now.mono;
        let next = |until: &Duration| {
            let left = until.saturating_sub(now);
            let whole = left.as_secs() - u64::from(left.subsec_nanos() == 0 && left.as_secs() > 0);
            (!left.is_zero()).then(|| until.saturating_sub(Duration::from_secs(whole)))
        };
        self.waiting.values().filter_map(next).min()
    }

    /// The bottom line.
    pub fn hints(&self, sight: &Sight<'_>) -> String {
        let mut hints = Vec::new();
        match self.marking {
            Some((_, Mark::Sent)) => return "m once more marks it as sent   any other key does not".to_owned(),
            Some((_, Mark::NotSent)) => return "u once more marks it as not sent   any other key does not".to_owned(),
            None => {}
        }
        match self.selected().map(|entry| state(entry, &self.waiting)) {
            Some(State::Over(Outcome::Unknown { .. })) => hints.extend(["c check", "m it was sent", "u it was not"]),
            Some(State::Over(Outcome::Refused(_)) | State::Marked(Mark::NotSent)) => hints.push("s write it again"),
            _ => {}
        }
        if !self.open && self.selected().is_some() && draw::areas(sight.body, false).details.width == 0 {
            hints.push("Enter details");
        }
        match self.alone {
            true => hints.push("f all"),
            false if self.unknown() > 0 => hints.push("f unknown alone"),
            false => {}
        }
        hints.push("r refresh");
        hints.push("Esc back");
        hints.join("   ")
    }

    /// Draws it.
    pub fn draw(&self, sight: &Sight<'_>, buffer: &mut Buffer) {
        draw::draw(self, sight, buffer);
    }
}

/// How far an entry has come.
fn state<'a>(entry: &'a Entry, waiting: &HashMap<Uuid, Duration>) -> State<'a> {
    match (&entry.outcome, entry.mark) {
        (Some(Outcome::Unknown { .. }), Some(mark)) => State::Marked(mark),
        (Some(outcome), _) => State::Over(outcome),
        (None, _) => waiting.get(&entry.intent.id).map_or(State::Leaving, |until| State::Waiting(*until)),
    }
}

/// What would have to be typed again to send this.
fn draft_of(sending: &Sending, now: Moment) -> Draft {
    let intent = &sending.intent;
    let (values, message) = match &sending.outgoing {
        Outgoing::Template(message) => (message.variables.clone(), None),
        Outgoing::Freeform(freeform) => (std::collections::BTreeMap::new(), Some(freeform.message.clone())),
    };
    Draft {
        sender_id: Some(intent.sender_id),
        phone: intent.phone.clone(),
        template_id: intent.template.as_ref().map(|template| template.id),
        name: intent.name.clone().unwrap_or_default(),
        values,
        message,
        saved: now.wall,
    }
}

#[cfg(test)]
mod tests;
