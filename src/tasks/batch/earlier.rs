//! What was sent before a batch begins, so that nobody gets the same twice by mistake.

use super::{is_surely_sent, known_before};
use crate::messaging::batch::{BadReason, BadRow, BatchKey, GoodRow};
use crate::records::{Again, Entry, StorageReply, StorageRequest};
use crate::tasks::{Answer, Task, Work};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// The run that sends to nobody who has had the message; the others send to all once more, and ask after nobody.
const FIRST: u32 = 0;

/// The runs of a batch that are in the outbox, and what the template was recently sent to by any other means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// Once the account is known, the key of its batch.
    key: BatchKey,
    account: String,
    template_id: i64,
    text: String,
    since: Timestamp,
    now: Timestamp,
    /// What is to be read next.
    next: Option<Next>,
    /// The last run, and what it has sent; empty where there is none.
    number: u32,
    entries: Vec<Entry>,
    /// True where that run was sent with another text of the template.
    is_other_text: bool,
    lately: Vec<Entry>,
    /// When it was noticed that the outbox may lack what that run, or another, has sent.
    forgotten: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Account,
    Run(u32),
    Text,
    Lately,
    Forgotten,
}

/// A run as it would begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start<'a> {
    /// Its name.
    pub run: Uuid,
    /// What is sent.
    pub rows: Vec<GoodRow>,
    /// What is not, since another file has recently sent it to them.
    pub skipped: Vec<BadRow>,
    /// When the last of those was sent.
    pub skipped_last: Option<Timestamp>,
    /// By their lines, the rows whose recipients recently got it by other means, or may have, with the entry of that.
    pub known: BTreeMap<u64, &'a Entry>,
    /// What it has sent before.
    pub already: &'a [Entry],
    /// True where that was sent with another text of the template.
    pub is_other_text: bool,
    /// What was confirmed to be repeated: what was sent before a run that sends to all.
    pub again: Again,
}

impl Earlier {
    /// Nothing is known yet.
    ///
    /// Whoever got the template within `repeat` before `now` is not sent it out of another file without being asked for;
    /// `text` is the template's as it is now.
    pub fn new(key: BatchKey, (template_id, text): (i64, &str), repeat: SignedDuration, now: Timestamp) -> Self {
        Self {
            key,
            account: String::new(),
            template_id,
            text: text.to_owned(),
            since: now.checked_sub(repeat).unwrap_or(Timestamp::MIN),
            now,
            next: Some(Next::Account),
            number: FIRST,
            entries: Vec::new(),
            is_other_text: false,
            lately: Vec::new(),
            forgotten: None,
        }
    }

    /// What to find out next; `None` where everything is known.
    pub fn wants(&self) -> Option<Task> {
        self.next.map(|next| match next {
            Next::Account => Work::FindAccount.into(),
            Next::Run(number) => StorageRequest::ListBatch(self.key.run(number)).into(),
            Next::Text => {
                let (batch, text) = (self.key.run(self.number), self.text.clone());
                StorageRequest::CompareBatchText { batch, text }.into()
            }
            Next::Lately => {
                let (account, template_id, since) = (self.account.clone(), self.template_id, self.since);
                StorageRequest::ListSentSince { account, template_id, since }.into()
            }
            Next::Forgotten => {
                StorageRequest::FindForgotten { batch: self.key.run(self.number), since: self.since }.into()
            }
        })
    }

    /// Takes the answer to that; another one changes nothing.
    pub fn found(&mut self, answer: Answer) {
        self.next = match (self.next, answer) {
            (Some(Next::Account), Answer::Account(account)) => {
                (self.key, self.account) = (self.key.charged_to(&account), account);
                Some(Next::Run(FIRST))
            }
            (Some(Next::Run(number)), Answer::Stored(StorageReply::Entries(entries))) if !entries.is_empty() => {
                (self.number, self.entries) = (number, entries);
                Some(Next::Run(number + 1))
            }
            // There may be no first run, but those that send again follow one another.
            (Some(Next::Run(FIRST)), Answer::Stored(_)) => Some(Next::Run(FIRST + 1)),
            (Some(Next::Run(_)), Answer::Stored(_)) if !self.entries.is_empty() => Some(Next::Text),
            (Some(Next::Run(_)), Answer::Stored(_)) => Some(Next::Lately),
            (Some(Next::Text), Answer::Stored(StorageReply::BatchText { is_other })) => {
                self.is_other_text = is_other;
                Some(Next::Lately)
            }
            (Some(Next::Lately), Answer::Stored(StorageReply::Entries(entries))) => {
                self.lately = entries;
                Some(Next::Forgotten)
            }
            (Some(Next::Forgotten), Answer::Stored(StorageReply::Forgotten(at))) => {
                self.forgotten = at;
                None
            }
            (next, _) => next,
        };
    }

    /// The account that pays; empty until it is known.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// When it was noticed that the outbox was deleted or replaced by an older copy, where it cannot tell for that who was
    /// sent this: only a run that sends to all may begin.
    pub fn forgotten(&self) -> Option<Timestamp> {
        self.forgotten
    }

    /// How many rows of this very file were sent in the last run, and when the last one was; `None` where none were.
    pub fn of_this_file(&self) -> Option<(usize, Timestamp)> {
        self.entries.iter().map(|entry| entry.began).max().map(|last| (self.entries.len(), last))
    }

    /// How many of these rows a run that sends to all repeats: those that were surely sent, and those of unknown outcome.
    pub fn repeats(&self, rows: &[GoodRow]) -> (usize, usize) {
        let elsewhere = known_before(rows, self.key.run(self.number + 1), &self.lately, self.since);
        let here = self.entries.iter().filter(|entry| entry.may_have_reached());
        let here: BTreeMap<u64, &Entry> =
            here.filter_map(|entry| Some((entry.intent.row.as_ref()?.line, entry))).collect();
        let earlier = |row: &GoodRow| [here.get(&row.line), elsewhere.get(&row.line)].into_iter().flatten().copied();
        let all = rows.iter().filter(|row| earlier(row).next().is_some()).count();
        let sent = |row: &&GoodRow| earlier(row).next().is_some() && earlier(row).all(is_surely_sent);
        let sent = rows.iter().filter(sent).count();
        (sent, all - sent)
    }

    /// How a run would begin: the last one goes on, or, `again`, a new one sends to all.
    pub fn start(&self, again: bool, rows: Vec<GoodRow>) -> Start<'_> {
        let number = if again { self.number + 1 } else { self.number };
        let run = self.key.run(number);
        if number != FIRST {
            let already = if again { &[] } else { self.entries.as_slice() };
            let is_other_text = self.is_other_text && !again;
            let began = already.iter().map(|entry| entry.began).min().unwrap_or(self.now);
            let again = Again::Before(began);
            let (skipped, skipped_last, known) = (Vec::new(), None, BTreeMap::new());
            return Start { run, rows, skipped, skipped_last, known, already, is_other_text, again };
        }
        let known = known_before(&rows, run, &self.lately, self.since);
        let sent = |row: &GoodRow| known.get(&row.line).filter(|entry| is_surely_sent(entry)).map(|entry| entry.began);
        let skipped_last = rows.iter().filter_map(sent).max();
        let (skipped, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| sent(row).is_some());
        let skipped = skipped.into_iter().map(|row| BadRow {
            reasons: sent(&row).map(BadReason::SentBefore).into_iter().collect(),
            line: row.line,
            phone: row.message.recipient_phone,
            name: row.message.recipient_name.unwrap_or_default(),
        });
        let skipped = skipped.collect();
        let (already, again, is_other_text) = (self.entries.as_slice(), Again::No, self.is_other_text);
        Start { run, rows, skipped, skipped_last, known, already, is_other_text, again }
    }
}
