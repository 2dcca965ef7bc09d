//! The dry run: which rows can be sent, which cannot, and which were sent before.

use super::{BatchRow, BatchSetup, RecipientFile};
use crate::messaging::Phone;
use crate::messaging::batch::{BadRow, BatchKey, Checked, GoodRow, Mapping, RowHint, check};
use crate::tasks::{Answer, Batch, Earlier, Progress, Start};
use crate::ui::held::Hold;
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};

/// The dry run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DryRun {
    pub(super) file: RecipientFile,
    pub(super) mapping: Mapping,
    pub(super) good: Vec<GoodRow>,
    pub(super) bad: Vec<BadRow>,
    /// Of the good rows: what is odd about their numbers.
    pub(super) hints: Vec<RowHint>,
    /// How many of the bad rows only repeat an earlier number.
    pub(super) duplicates: usize,
    /// Rows by country, the most frequent first.
    pub(super) countries: Vec<(&'static str, usize)>,
    /// What was sent before, as far as it has been looked up.
    pub(super) earlier: Earlier,
    /// Why the lookup failed, so that nothing can be sent.
    pub(super) lookup_failure: Option<String>,
    /// True where recipients are included who were sent this before.
    pub(super) includes_sent: bool,
    /// The batch that can begin; `None` until the lookup is done.
    pub(super) prepared: Option<Batch>,
    /// Rows that another file has sent, and when the last of them was.
    pub(super) skipped: Vec<BadRow>,
    skipped_last: Option<Timestamp>,
    /// True where the rows sent before had another text of the template.
    pub(super) is_other_text: bool,
    /// The connection with which its account was found out.
    pub(super) connection: usize,
    /// Once confirmed: until then it can be taken back.
    pub(super) hold: Option<Hold>,
}

impl DryRun {
    /// Checks every row of a file.
    pub(super) fn new(
        file: RecipientFile,
        mapping: Mapping,
        setup: &BatchSetup,
        repeat: SignedDuration,
        (connection, now): (usize, Timestamp),
    ) -> Self {
        let message = &setup.message;
        let (sender_id, template_id) = (message.sender_id, message.template_id);
        let Checked { good, bad, hints } = check(&file.table, &mapping, message);
        // Equal keys mean the same batch: it is resumed.
        let key = BatchKey::new(sender_id, template_id, &mapping, &file.bytes);
        Self {
            duplicates: bad.iter().filter(|row| row.is_duplicate()).count(),
            countries: countries(&good),
            earlier: Earlier::new(key, (template_id, message.preview.body()), repeat, now),
            hints,
            file,
            mapping,
            good,
            bad,
            lookup_failure: None,
            includes_sent: false,
            prepared: None,
            skipped: Vec::new(),
            skipped_last: None,
            is_other_text: false,
            connection,
            hold: None,
        }
    }

    /// Takes the answer to one request of the lookup.
    pub(super) fn looked_up(&mut self, answer: Answer, setup: &BatchSetup) {
        self.earlier.found(answer);
        if self.earlier.wants().is_none() {
            self.prepare(setup);
        }
    }

    fn prepare(&mut self, setup: &BatchSetup) {
        let Start { run, rows, skipped, skipped_last, already, again, is_other_text, .. } =
            self.earlier.start(self.includes_sent, self.good.clone());
        self.prepared = Some(Batch::new(run, setup.sheet.clone(), rows, already, again));
        (self.skipped, self.skipped_last, self.is_other_text) = (skipped, skipped_last, is_other_text);
    }

    /// Skips recipients who were sent this before, or includes them.
    pub(super) fn toggle_sent(&mut self, setup: &BatchSetup) {
        if self.prepared.is_some() {
            self.includes_sent = !self.includes_sent;
            self.prepare(setup);
        }
    }

    /// True where rows were sent before, skipped or not.
    pub(super) fn was_sent_before(&self) -> bool {
        self.includes_sent
            || self.earlier.forgotten().is_some()
            || self.earlier.of_this_file().is_some()
            || self.sent_from_another_file().is_some()
    }

    /// True where the outbox has perhaps forgotten who was sent this, and nobody has confirmed to send it to all.
    pub(super) fn forgets(&self) -> bool {
        self.earlier.forgotten().is_some() && !self.includes_sent
    }

    /// Where recipients are included who were sent this before: how many surely got it, and of how many nobody knows.
    pub(super) fn repeats(&self) -> Option<(usize, usize)> {
        self.includes_sent.then(|| self.earlier.repeats(&self.good)).filter(|rows| *rows != (0, 0))
    }

    /// How many rows are skipped because another file recently sent them, and when the last one was.
    pub(super) fn sent_from_another_file(&self) -> Option<(usize, Timestamp)> {
        self.skipped_last.map(|last| (self.skipped.len(), last))
    }

    /// The figures before the first row; `None` until the lookup is done.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.prepared.as_ref().map(Batch::progress)
    }

    /// The row that is sent first.
    pub(super) fn first(&self) -> Option<&GoodRow> {
        self.prepared.as_ref().map_or_else(|| self.good.first(), Batch::first_left)
    }

    /// Every row of the file: those that need attention first, then the others in the order of the file.
    pub(super) fn rows(&self) -> Vec<BatchRow> {
        let bad = self.bad.iter().map(|row| BatchRow::bad(row.line, &row.phone, &row.why()));
        let hints: HashSet<u64> = self.hints.iter().map(|row| row.line).collect();
        let hinted = self.hints.iter().map(|row| BatchRow::hint(row.line, &row.phone, &row.hint));
        let others = self.good.iter().filter(|row| !hints.contains(&row.line));
        let others = others.map(|row| match &self.prepared {
            Some(batch) if !batch.row(row.line).is_some_and(|(_, is_left)| is_left) => {
                BatchRow::skipped(row.line, &row.message.recipient_phone)
            }
            _ => BatchRow::ready(row.line, &row.message.recipient_phone),
        });
        bad.chain(hinted).chain(others).collect()
    }

    /// The row on this line, where it can be sent.
    pub(super) fn good(&self, line: u64) -> Option<&GoodRow> {
        self.good.binary_search_by_key(&line, |row| row.line).ok().map(|at| &self.good[at])
    }

    /// Why the batch cannot begin.
    pub(super) fn blocked(&self, is_read_only: bool) -> Option<String> {
        match (&self.lookup_failure, &self.prepared) {
            _ if self.good.is_empty() => Some("no row of the file can be sent".to_owned()),
            (Some(why), _) => Some(format!("it is unknown what was sent before: {why}")),
            (None, None) => Some("the outbox is being searched for what was sent before".to_owned()),
            _ if is_read_only => Some("this is read-only".to_owned()),
            _ if self.forgets() => Some("the outbox cannot tell who was sent this before".to_owned()),
            _ => None,
        }
    }
}

/// The countries of the recipients, the most frequent first, then by name.
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
