//! What was sent before a batch begins, so that nobody gets the same twice by mistake.

use super::sent_before;
use crate::messaging::batch::{BadReason, BadRow, BatchKey, GoodRow};
use crate::records::{Entry, StorageRequest};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// The run that sends to nobody who has had the message; the others send to all once more, and ask after nobody.
const FIRST: u32 = 0;
/// Whoever got the template so lately is not sent it out of another file without being asked for.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

/// The runs of a batch that are in the outbox, and what its template was sent to of late out of anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    key: BatchKey,
    sender_id: i64,
    template_id: i64,
    since: Timestamp,
    /// What is to be read next.
    next: Option<Next>,
    /// The last run, and what it has sent; empty where there is none.
    number: u32,
    entries: Vec<Entry>,
    lately: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Run(u32),
    Lately,
}

/// A run as it would begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start<'a> {
    /// Its name.
    pub run: Uuid,
    /// What is sent.
    pub rows: Vec<GoodRow>,
    /// What is not, since its recipients have got it out of another file of late.
    pub skipped: Vec<BadRow>,
    /// When the last of those was sent.
    pub skipped_last: Option<Timestamp>,
    /// What it has sent before.
    pub already: &'a [Entry],
}

impl Earlier {
    /// Nothing is known yet.
    pub fn new(key: BatchKey, sender_id: i64, template_id: i64, now: Timestamp) -> Self {
        let since = now.checked_sub(LATELY).unwrap_or(Timestamp::MIN);
        let (entries, lately) = (Vec::new(), Vec::new());
        Self { key, sender_id, template_id, since, next: Some(Next::Run(FIRST)), number: FIRST, entries, lately }
    }

    /// What to read next; `None` where everything is known.
    pub fn wants(&self) -> Option<StorageRequest> {
        let Self { sender_id, template_id, since, .. } = *self;
        self.next.map(|next| match next {
            Next::Run(number) => StorageRequest::ListBatch(self.key.run(number)),
            Next::Lately => StorageRequest::ListSentSince { sender_id, template_id, since },
        })
    }

    /// Takes what was read.
    pub fn found(&mut self, entries: Vec<Entry>) {
        self.next = match self.next {
            Some(Next::Run(number)) if !entries.is_empty() => {
                (self.number, self.entries) = (number, entries);
                Some(Next::Run(number + 1))
            }
            // There may be no first run, but those that send again follow one another.
            Some(Next::Run(FIRST)) => Some(Next::Run(FIRST + 1)),
            Some(Next::Run(_)) => Some(Next::Lately),
            Some(Next::Lately) => {
                self.lately = entries;
                None
            }
            None => None,
        };
    }

    /// How many rows of this very file were sent in the last run, and when the last one was; `None` where none were.
    pub fn of_this_file(&self) -> Option<(usize, Timestamp)> {
        self.entries.iter().map(|entry| entry.began).max().map(|last| (self.entries.len(), last))
    }

    /// How a run would begin: the last one goes on, or, `again`, a new one sends to all.
    pub fn start(&self, again: bool, rows: Vec<GoodRow>) -> Start<'_> {
        let number = if again { self.number + 1 } else { self.number };
        let run = self.key.run(number);
        if number != FIRST {
            let already = if again { &[] } else { self.entries.as_slice() };
            return Start { run, rows, skipped: Vec::new(), skipped_last: None, already };
        }
        let sent = sent_before(&rows, run, &self.lately, self.since);
        let (skipped, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| sent.contains_key(&row.line));
        let skipped = skipped.into_iter().map(|row| BadRow {
            line: row.line,
            phone: row.message.recipient_phone,
            name: row.message.recipient_name.unwrap_or_default(),
            reasons: sent.get(&row.line).copied().map(BadReason::SentBefore).into_iter().collect(),
        });
        let skipped = skipped.collect();
        Start { run, rows, skipped, skipped_last: sent.values().max().copied(), already: &self.entries }
    }
}
