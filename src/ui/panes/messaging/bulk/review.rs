//! The dry run: what can be sent, what cannot, what was sent before.

use super::going::Going;
use super::{File, Sight, Terms};
use crate::messaging::Phone;
use crate::messaging::batch::{BadRow, BatchKey, Checked, GoodRow, Mapping, check};
use crate::records::{Entry, StorageRequest};
use crate::tasks::{Batch, Earlier, Progress, Start};
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
    earlier: Earlier,
    /// Why that cannot be told.
    fault: Option<String>,
    /// True where everybody is written to once more.
    pub(super) again: bool,
    /// The batch as it would be sent; `None` until it is known what was sent before.
    ready: Option<Ready>,
    /// Bad rows that are scrolled away.
    pub(super) scrolled: usize,
}

/// A batch that can begin.
#[derive(Debug, Clone, PartialEq)]
struct Ready {
    batch: Batch,
    progress: Progress,
    /// Rows that are left out since they were sent out of another file.
    skipped: Vec<BadRow>,
    skipped_last: Option<Timestamp>,
}

impl Review {
    /// Looks at every row of a file.
    pub(super) fn new(file: File, mapping: Mapping, terms: &Terms, lookup: u64, now: Timestamp) -> Self {
        let Checked { good, bad } = check(&file.table, &mapping, &terms.letter);
        let duplicates = bad.iter().filter(|row| row.is_duplicate()).count();
        let countries = countries(&good);
        let letter = &terms.letter;
        // What makes this batch the same as one that was sent before.
        let key = BatchKey::new(&terms.sheet.profile, letter.sender_id, letter.template_id, &mapping, &file.bytes);
        let earlier = Earlier::new(key, letter.sender_id, letter.template_id, now);
        let (fault, ready) = (None, None);
        Self {
            file,
            mapping,
            good,
            bad,
            duplicates,
            countries,
            lookup,
            earlier,
            fault,
            again: false,
            ready,
            scrolled: 0,
        }
    }

    /// What to read next to know what was sent before; `None` where everything is known.
    pub(super) fn wants(&self) -> Option<StorageRequest> {
        self.earlier.wants()
    }

    /// That was read.
    pub(super) fn found(&mut self, entries: Vec<Entry>, terms: &Terms) {
        self.earlier.found(entries);
        if self.earlier.wants().is_none() {
            self.prepare(terms);
        }
    }

    fn prepare(&mut self, terms: &Terms) {
        let Start { run, rows, skipped, skipped_last, already } = self.earlier.start(self.again, self.good.clone());
        let batch = Batch::new(run, terms.sheet.clone(), rows, already);
        let progress = batch.progress();
        self.ready = Some(Ready { batch, progress, skipped, skipped_last });
    }

    /// It cannot be told what was sent before.
    pub(super) fn unknowable(&mut self, why: String) {
        self.fault = Some(why);
    }

    /// Skips what was sent before, or sends to all again.
    pub(super) fn toggle_again(&mut self, terms: &Terms) {
        let anything = self.again || self.of_this_file().is_some() || self.of_another_file().is_some();
        if anything && self.ready.is_some() {
            self.again = !self.again;
            self.prepare(terms);
        }
    }

    /// How many rows were sent before out of this file, and when the last one was; `None` where none were.
    pub(super) fn of_this_file(&self) -> Option<(usize, Timestamp)> {
        self.earlier.of_this_file()
    }

    /// How many rows are left out since their recipients have got it out of another file of late, and when the last one
    /// was; `None` where none are.
    pub(super) fn of_another_file(&self) -> Option<(usize, Timestamp)> {
        let ready = self.ready.as_ref()?;
        ready.skipped_last.map(|last| (ready.skipped.len(), last))
    }

    /// Why it cannot be told what was sent before.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// How far the batch would be at its beginning; `None` until it is known what was sent before.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.ready.as_ref().map(|ready| ready.progress)
    }

    /// The columns that the template does not use, for people; `None` where it uses all.
    pub(super) fn unused(&self) -> Option<String> {
        self.mapping.unused_in_words(&self.file.table.header)
    }

    /// The row that leaves first.
    pub(super) fn first(&self) -> Option<&GoodRow> {
        match &self.ready {
            Some(ready) => ready.batch.first_left(),
            None => self.good.first(),
        }
    }

    /// Why it cannot go on; `None` where it can.
    pub(super) fn barred(&self, sight: &Sight<'_>) -> Option<String> {
        match (&self.fault, &self.ready) {
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
        let Some(Ready { batch, progress, skipped, .. }) = self.ready else { return Err(self) };
        Ok(Going::new(batch, progress, (self.bad, skipped), (self.file.path, self.mapping), now))
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
