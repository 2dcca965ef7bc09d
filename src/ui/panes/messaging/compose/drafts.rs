//! Keeping what is typed: saved a moment after the last change and at once on leaving, under its recipient and template.

use super::Snapshot;
use crate::records::{Draft, DraftKey, StorageRequest};
use crate::ui::panes::messaging::MessagingData;
use std::time::Duration;

/// How long after the last change a draft is saved.
const PAUSE: Duration = Duration::from_millis(300);
/// How many values of a variable are offered again.
const OFFERED: usize = 8;

/// What is typed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Typed {
    /// Whom and what it is for.
    pub(super) key: DraftKey,
    /// What there is to keep, without a time; `None` where nothing was typed.
    pub(super) draft: Option<Draft>,
    /// True where a draft that lay under the key before has been filled in, so that it may be replaced.
    pub(super) filled: bool,
    /// True where it stays a draft when the form turns to somebody else; half a number's does not.
    pub(super) stays: bool,
}

/// What is typed, and what of it is saved.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drafts {
    seen: Typed,
    /// When it changed, where that is not saved yet.
    changed: Option<Duration>,
    /// Under which key it was saved from here.
    own: Option<DraftKey>,
    /// True where it is not discarded when the form turns to somebody else: a draft lay there before, or it is theirs.
    stays: bool,
    queue: Vec<StorageRequest>,
}

impl Drafts {
    /// The state in which nothing has been typed yet.
    pub(super) fn new(typed: Typed) -> Self {
        Self { seen: typed, changed: None, own: None, stays: false, queue: Vec::new() }
    }

    /// Sees what is typed; `leaving` where there may be no later look.
    pub(super) fn watch(&mut self, typed: Typed, context: &Snapshot<'_>, leaving: bool) {
        let now = context.now.mono;
        if typed != self.seen {
            // Nobody else will save what is theirs.
            if self.seen.stays && self.seen.key != typed.key && self.changed.take().is_some() {
                self.save(context);
            }
            (self.seen, self.changed) = (typed, Some(now));
        }
        if self.changed.is_some_and(|at| leaving || now.saturating_sub(at) >= PAUSE) {
            self.changed = None;
            self.save(context);
        }
    }

    fn save(&mut self, context: &Snapshot<'_>) {
        let Typed { key, draft, filled, stays } = &self.seen;
        // Under half a number nothing stays behind; under another template it does.
        if let Some(own) = self.own.take_if(|own| own != key)
            && own.phone != key.phone
            && !self.stays
        {
            self.queue.push(StorageRequest::DeleteDraft(own));
        }
        let own = self.own.is_some();
        self.stays |= own && *stays;
        let there = context.known.drafts.iter().find(|known| known.key() == *key);
        if there.is_some() && !own && !filled {
            // Somebody else's words lie there, and nobody has seen them.
            return;
        }
        match draft {
            Some(draft) if there.is_some_and(|known| Draft { saved: draft.saved, ..known.clone() } == *draft) => {}
            Some(draft) => {
                if !own {
                    (self.own, self.stays) = (Some(key.clone()), *stays || there.is_some());
                }
                self.queue.push(StorageRequest::SaveDraft(Draft { saved: context.now.wall, ..draft.clone() }));
            }
            None if own || there.is_some() => {
                self.own = None;
                self.queue.push(StorageRequest::DeleteDraft(key.clone()));
            }
            None => {}
        }
    }

    /// True where this form has saved what it holds.
    pub(super) fn has_saved(&self) -> bool {
        self.own.is_some()
    }

    /// When the next save is due.
    pub(super) fn next_change(&self) -> Option<Duration> {
        self.changed.map(|at| at + PAUSE)
    }

    /// Adds to what is to be kept.
    pub(super) fn queue(&mut self, keeps: impl IntoIterator<Item = StorageRequest>) {
        self.queue.extend(keeps);
    }

    /// Takes what is to be kept.
    pub(super) fn take(&mut self) -> Vec<StorageRequest> {
        std::mem::take(&mut self.queue)
    }
}

/// Changes what is known as what is kept changes, so that a draft or a value is offered again at once.
pub fn remember(known: &mut MessagingData, keep: &StorageRequest) {
    match keep {
        StorageRequest::SaveDraft(draft) => {
            forget(known, &draft.key());
            known.drafts.insert(0, draft.clone());
        }
        StorageRequest::DeleteDraft(key) => {
            forget(known, key);
        }
        StorageRequest::SaveValues(values) => {
            for value in values {
                known.used.retain(|old| old != value);
                known.used.insert(0, value.clone());
                let mut count = 0;
                known.used.retain(|old| {
                    let same = (old.template_id, &old.variable) == (value.template_id, &value.variable);
                    count += usize::from(same);
                    !same || count <= OFFERED
                });
            }
        }
        _ => {}
    }
}

/// Takes the draft of a message away that is being sent, unless something newer was typed since it was confirmed.
pub(in crate::ui::panes::messaging) fn forget_sent(known: &mut MessagingData, sent: &Draft) -> Option<Draft> {
    let draft = known.drafts.iter().find(|draft| draft.key() == sent.key())?;
    let was_sent =
        |(variable, value): (&String, &String)| sent.values.get(variable).is_some_and(|sent| sent == value.trim());
    let same = draft.message.as_deref().map(str::trim) == sent.message.as_deref() && draft.values.iter().all(was_sent);
    if same { forget(known, &sent.key()) } else { None }
}

/// Takes the draft that belongs to this away.
pub(in crate::ui::panes::messaging) fn forget(known: &mut MessagingData, key: &DraftKey) -> Option<Draft> {
    let at = known.drafts.iter().position(|draft| draft.key() == *key)?;
    Some(known.drafts.remove(at))
}
