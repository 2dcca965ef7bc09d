//! The dry run: what can be sent, what cannot, what was sent before.

use super::going::Going;
use super::{File, Sight, Terms};
use crate::messaging::Phone;
use crate::messaging::batch::{BadRow, BatchKey, Checked, GoodRow, Mapping, check};
use crate::records::Entry;
use crate::tasks::{Batch, Progress};
use jiff::Timestamp;
use std::collections::HashMap;
use std::time::Duration;

/// The dry run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Review {
    pub(super) file: File,
    pub(super) mapping: Mapping,
    pub(super) good: Vec<GoodRow>,
    pub(super) bad: Vec<BadRow>,
    /// How many of the bad ones are bad only for being there twice.
    pub(super) duplicates: usize,
    /// The recipients' countries, the most frequent first.
    pub(super) countries: Vec<(&'static str, usize)>,
    /// Names this lookup of earlier runs.
    pub(super) lookup: u64,
    runs: Runs,
    /// True where everybody is written to once more.
    again: bool,
    /// The batch as it would be sent, and how far it is; `None` until it is known what was sent before.
    batch: Option<(Batch, Progress)>,
    /// Bad rows that are scrolled away.
    pub(super) scrolled: usize,
}

/// The last run of this batch that is in the outbox.
#[derive(Debug, Clone, PartialEq, Default)]
struct Runs {
    number: u32,
    entries: Vec<Entry>,
    /// Why that cannot be told.
    fault: Option<String>,
}

/// What was sent before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Earlier {
    pub(super) rows: usize,
    pub(super) last: Timestamp,
    pub(super) again: bool,
}

impl Review {
    /// Looks at every row of a file.
    pub(super) fn new(file: File, mapping: Mapping, terms: &Terms, lookup: u64) -> Self {
        let Checked { good, bad } = check(&file.table, &mapping, &terms.letter);
        let duplicates = bad.iter().filter(|row| row.is_duplicate()).count();
        let countries = countries(&good);
        let (runs, batch) = (Runs::default(), None);
        Self { file, mapping, good, bad, duplicates, countries, lookup, runs, again: false, batch, scrolled: 0 }
    }

    /// What makes this batch the same as one that was sent before.
    pub(super) fn key(&self, terms: &Terms) -> BatchKey {
        let (letter, file) = (&terms.letter, &self.file.bytes);
        BatchKey::new(&terms.sheet.profile, letter.sender_id, letter.template_id, &self.mapping, file)
    }

    /// A run is in the outbox; the next one is looked for.
    pub(super) fn found(&mut self, number: u32, entries: Vec<Entry>) {
        self.runs = Runs { number, entries, fault: None };
    }

    /// There are no more runs.
    pub(super) fn known(&mut self, terms: &Terms) {
        let first = self.runs.entries.is_empty();
        let (number, already): (u32, &[Entry]) = match () {
            () if first => (0, &[]),
            () if self.again => (self.runs.number + 1, &[]),
            () => (self.runs.number, &self.runs.entries),
        };
        let batch = Batch::new(self.key(terms).run(number), terms.sheet.clone(), self.good.clone(), already);
        let progress = batch.progress();
        self.batch = Some((batch, progress));
    }

    /// It cannot be told what was sent before.
    pub(super) fn unknowable(&mut self, why: String) {
        self.runs.fault = Some(why);
    }

    /// Skips what was sent before, or sends to all again.
    pub(super) fn toggle_again(&mut self, terms: &Terms) {
        if self.earlier().is_some() && self.batch.is_some() {
            self.again = !self.again;
            self.known(terms);
        }
    }

    /// What was sent before; `None` where nothing was, or it is not known yet.
    pub(super) fn earlier(&self) -> Option<Earlier> {
        let last = self.runs.entries.iter().map(|entry| entry.began).max()?;
        Some(Earlier { rows: self.runs.entries.len(), last, again: self.again })
    }

    /// Why it cannot be told what was sent before.
    pub(super) fn fault(&self) -> Option<&str> {
        self.runs.fault.as_deref()
    }

    /// How far the batch would be at its beginning; `None` until it is known what was sent before.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.batch.as_ref().map(|(_, progress)| *progress)
    }

    /// The row that leaves first.
    pub(super) fn first(&self) -> Option<&GoodRow> {
        match &self.batch {
            Some((batch, _)) => batch.first_left(),
            None => self.good.first(),
        }
    }

    /// Why it cannot go on; `None` where it can.
    pub(super) fn barred(&self, sight: &Sight<'_>) -> Option<String> {
        match (&self.runs.fault, &self.batch) {
            _ if self.good.is_empty() => Some("no row of the file can be sent".to_owned()),
            (Some(why), _) => Some(format!("it cannot be told what was sent before: {why}")),
            (None, None) => Some("it is being looked up what was sent before".to_owned()),
            _ if sight.options.read_only => Some("everything is read-only here, so nothing can be sent".to_owned()),
            _ => None,
        }
    }

    /// The batch on its way. It goes with it, so that it cannot begin twice.
    ///
    /// # Errors
    /// The dry run itself, where it is not known yet what was sent before.
    pub(super) fn into_going(self: Box<Self>, now: Duration) -> Result<Going, Box<Self>> {
        let Some((batch, progress)) = self.batch else { return Err(self) };
        Ok(Going::new(batch, progress, self.bad, self.file.path, now))
    }
}

/// The countries of the recipients, the most frequent first; those of equal frequency by their names.
fn countries(good: &[GoodRow]) -> Vec<(&'static str, usize)> {
    let mut counts: HashMap<&'static str, usize> = HashMap::new();
    for row in good {
        let phone = Phone::read(&row.message.recipient_phone, None).ok();
        let country = phone.as_ref().and_then(Phone::country).unwrap_or("elsewhere");
        *counts.entry(country).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(country, count)| (std::cmp::Reverse(*count), *country));
    counts
}
