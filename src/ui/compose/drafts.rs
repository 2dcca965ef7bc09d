//! Saving drafts: a moment after the last change and at once on leaving, under their recipient and template.

use crate::messaging::{Instant, Outcome, Outgoing};
use crate::records::{Draft, DraftKey, StorageReply, StorageRequest};
use crate::tasks::{Answer, Event, Report, Sending};
use crate::ui::action::PaneId;
use crate::ui::message::Moment;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long after the last change a draft is saved.
const PAUSE: Duration = Duration::from_millis(300);

/// What a form holds, as a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftState {
    /// Whom and what it is for.
    pub key: DraftKey,
    /// What is worth saving, without a time; `None` where nothing is.
    pub draft: Option<Draft>,
    /// True where the draft saved under the key has been filled in, so that it may be replaced.
    pub filled: bool,
    /// True where it stays a draft when the form turns to another recipient; that of an unfinished number does not.
    pub stays: bool,
}

/// The draft of a form, and what of it is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Drafts {
    seen: DraftState,
    /// When it changed, where that is not saved yet.
    changed: Option<Instant>,
    /// The key under which this form saved it.
    pub own: Option<DraftKey>,
    /// True where it is not discarded when the form turns to another recipient: a draft was saved there before, or it is
    /// theirs.
    stays: bool,
    /// The drafts to save or delete.
    pub queue: Vec<StorageRequest>,
}

impl Drafts {
    /// The state in which nothing has been typed yet; `queue` is still to be stored.
    pub fn new(seen: DraftState, queue: Vec<StorageRequest>) -> Self {
        Self { seen, changed: None, own: None, stays: false, queue }
    }

    /// Looks at what the form holds; `leaving` where there may be no later look.
    pub fn watch(&mut self, state: DraftState, known: &[Draft], now: Moment, leaving: bool) {
        if state != self.seen {
            // No other form will save what is theirs.
            if self.seen.stays && self.seen.key != state.key && self.changed.take().is_some() {
                self.save(known, now);
            }
            (self.seen, self.changed) = (state, Some(now.mono));
        }
        if self.changed.take_if(|at| leaving || now.mono - *at >= PAUSE).is_some() {
            self.save(known, now);
        }
    }

    fn save(&mut self, known: &[Draft], now: Moment) {
        let DraftState { key, draft, filled, stays } = &self.seen;
        // Under an unfinished number nothing stays behind; under another template it does.
        let abandoned = self.own.take_if(|own| own != key).filter(|own| own.phone != key.phone && !self.stays);
        self.queue.extend(abandoned.map(StorageRequest::DeleteDraft));
        let own = self.own.is_some();
        self.stays |= own && *stays;
        let there = known.iter().find(|known| known.key() == *key);
        if there.is_some() && !own && !filled {
            // A draft of somebody else is saved there, and nobody has seen it.
            return;
        }
        match draft {
            Some(draft) if there.is_some_and(|known| Draft { saved: draft.saved, ..known.clone() } == *draft) => {}
            Some(draft) => {
                if !own {
                    (self.own, self.stays) = (Some(key.clone()), *stays || there.is_some());
                }
                self.queue.push(StorageRequest::SaveDraft(Draft { saved: now.wall, ..draft.clone() }));
            }
            None if own || there.is_some() => {
                self.own = None;
                self.queue.push(StorageRequest::DeleteDraft(key.clone()));
            }
            None => {}
        }
    }

    /// When the next save is due.
    pub fn next_change(&self) -> Option<Instant> {
        self.changed.map(|at| at + PAUSE)
    }
}

/// Changes the loaded drafts as storage is changed.
pub fn remember(drafts: &mut Vec<Draft>, request: &StorageRequest) {
    match request {
        StorageRequest::SaveDraft(draft) => {
            drafts.retain(|old| old.key() != draft.key());
            drafts.insert(0, draft.clone());
        }
        StorageRequest::DeleteDraft(key) => drafts.retain(|old| old.key() != *key),
        _ => {}
    }
}

/// Takes the draft of a message away that is being sent, unless something newer was typed since it was confirmed.
pub fn forget_sent(drafts: &mut Vec<Draft>, sent: &Draft) -> Option<Draft> {
    let at = drafts.iter().position(|draft| draft.key() == sent.key())?;
    let draft = &drafts[at];
    let was_sent = |(name, value): (&String, &String)| sent.values.get(name).is_some_and(|sent| sent == value.trim());
    let same = draft.message.as_deref().map(str::trim) == sent.message.as_deref() && draft.values.iter().all(was_sent);
    same.then(|| drafts.remove(at))
}

/// The draft that would send this again.
pub fn draft_of(sending: &Sending, now: Moment) -> Draft {
    let intent = &sending.intent;
    let (values, message) = match &sending.outgoing {
        // A code lives no longer than its form.
        Outgoing::Template(_) if sending.is_code => (BTreeMap::new(), None),
        Outgoing::Template(message) => (message.variables.clone(), None),
        Outgoing::Freeform(freeform) => (BTreeMap::new(), Some(freeform.message.clone())),
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

/// Learns what the task channel tells of drafts: another pane has saved or deleted one, or its message was accepted.
pub fn hear(drafts: &mut Vec<Draft>, event: &Event, own: PaneId) {
    let Event::Done(Report { origin, result: Ok(answer), .. }) = event else { return };
    match answer {
        _ if origin.pane == own.0 => {}
        Answer::Stored(StorageReply::DraftSaved(draft)) => {
            remember(drafts, &StorageRequest::SaveDraft((**draft).clone()));
        }
        Answer::Stored(StorageReply::DraftDeleted(key)) => drafts.retain(|draft| draft.key() != *key),
        Answer::Sent(entry) if matches!(entry.outcome, Some(Outcome::Accepted(_))) => {
            // As in storage, what was typed since it was sent stays.
            let key = entry.intent.draft_key();
            drafts.retain(|draft| Some(draft.key()) != key || draft.saved > entry.began);
        }
        _ => {}
    }
}
