//! Saving drafts: a moment after the last change and at once on leaving, under their recipient and template.

use super::Snapshot;
use super::suggestions::is_secret;
use crate::messaging::Instant;
use crate::records::{Draft, DraftKey, StorageRequest};
use crate::ui::pane::Context;
use crate::ui::panes::messaging::{Messaging, MessagingData};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long after the last change a draft is saved.
const PAUSE: Duration = Duration::from_millis(300);

/// What a form holds, as a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DraftState {
    /// Whom and what it is for.
    pub(super) key: DraftKey,
    /// What is worth saving, without a time; `None` where nothing is.
    pub(super) draft: Option<Draft>,
    /// True where the draft saved under the key has been filled in, so that it may be replaced.
    pub(super) filled: bool,
    /// True where it stays a draft when the form turns to another recipient; that of an unfinished number does not.
    pub(super) stays: bool,
}

/// The draft of a form, and what of it is saved.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drafts {
    seen: DraftState,
    /// When it changed, where that is not saved yet.
    changed: Option<Instant>,
    /// The key under which this form saved it.
    pub(super) own: Option<DraftKey>,
    /// True where it is not discarded when the form turns to another recipient: a draft was saved there before, or it is
    /// theirs.
    stays: bool,
    /// The drafts to save or delete.
    pub(super) queue: Vec<StorageRequest>,
}

impl Drafts {
    /// The state in which nothing has been typed yet; `queue` is still to be stored.
    pub(super) fn new(seen: DraftState, queue: Vec<StorageRequest>) -> Self {
        Self { seen, changed: None, own: None, stays: false, queue }
    }

    /// Looks at what the form holds; `leaving` where there may be no later look.
    pub(super) fn watch(&mut self, state: DraftState, context: &Snapshot<'_>, leaving: bool) {
        let now = context.view.now.mono;
        if state != self.seen {
            // No other form will save what is theirs.
            if self.seen.stays && self.seen.key != state.key && self.changed.take().is_some() {
                self.save(context);
            }
            (self.seen, self.changed) = (state, Some(now));
        }
        if self.changed.take_if(|at| leaving || now - *at >= PAUSE).is_some() {
            self.save(context);
        }
    }

    fn save(&mut self, context: &Snapshot<'_>) {
        let DraftState { key, draft, filled, stays } = &self.seen;
        // Under an unfinished number nothing stays behind; under another template it does.
        let abandoned = self.own.take_if(|own| own != key).filter(|own| own.phone != key.phone && !self.stays);
        self.queue.extend(abandoned.map(StorageRequest::DeleteDraft));
        let own = self.own.is_some();
        self.stays |= own && *stays;
        let there = context.known.drafts.iter().find(|known| known.key() == *key);
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
                self.queue.push(StorageRequest::SaveDraft(Draft { saved: context.view.now.wall, ..draft.clone() }));
            }
            None if own || there.is_some() => {
                self.own = None;
                self.queue.push(StorageRequest::DeleteDraft(key.clone()));
            }
            None => {}
        }
    }

    /// When the next save is due.
    pub(super) fn next_change(&self) -> Option<Instant> {
        self.changed.map(|at| at + PAUSE)
    }
}

/// Changes the loaded drafts and values as storage is changed, so that they are suggested again at once.
pub fn remember(known: &mut MessagingData, request: &StorageRequest) {
    match request {
        StorageRequest::SaveDraft(draft) => {
            known.drafts.retain(|old| old.key() != draft.key());
            known.drafts.insert(0, draft.clone());
        }
        StorageRequest::DeleteDraft(key) => known.drafts.retain(|old| old.key() != *key),
        StorageRequest::SaveValues(values) => {
            for value in values {
                known.used.retain(|old| old != value);
                known.used.insert(0, value.clone());
            }
        }
        _ => {}
    }
}

impl Messaging {
    /// Deletes what earlier versions have stored of values that may be codes, once it is known whose they are.
    pub(in crate::ui::panes::messaging) fn forget_codes(&mut self, cx: &mut Context) {
        let templates = self.data.templates.values().filter_map(|remote| remote.value()).flatten();
        let secret: BTreeSet<i64> = templates
            .filter(|template| is_secret(template))
            .filter_map(|template| template.id.known().copied())
            .collect();
        let has_code =
            |draft: &Draft| !draft.values.is_empty() && draft.template_id.is_some_and(|id| secret.contains(&id));
        let drafted = self.data.drafts.iter().filter(|draft| has_code(draft)).filter_map(|draft| draft.template_id);
        let used = self.data.used.iter().map(|used| used.template_id).filter(|id| secret.contains(id));
        let ids: BTreeSet<i64> = drafted.chain(used).collect();
        if !ids.is_empty() {
            self.data.drafts.retain(|draft| !has_code(draft));
            self.data.used.retain(|used| !secret.contains(&used.template_id));
            let template_ids = ids.into_iter().collect();
            self.store("The drafts", StorageRequest::DeleteValues { template_ids }, cx);
        }
    }
}

/// Takes the draft of a message away that is being sent, unless something newer was typed since it was confirmed.
pub(in crate::ui::panes::messaging) fn forget_sent(known: &mut MessagingData, sent: &Draft) -> Option<Draft> {
    let at = known.drafts.iter().position(|draft| draft.key() == sent.key())?;
    let draft = &known.drafts[at];
    let was_sent = |(name, value): (&String, &String)| sent.values.get(name).is_some_and(|sent| sent == value.trim());
    let same = draft.message.as_deref().map(str::trim) == sent.message.as_deref() && draft.values.iter().all(was_sent);
    same.then(|| known.drafts.remove(at))
}
