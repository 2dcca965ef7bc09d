//! Sending one template to many, a row at a time: what leaves next, what has come back, how far it is. Pure, so that the
//! interface and the command line drive the same batch, each on its own clock.

mod earlier;

pub use earlier::{Earlier, Start};

use super::Sending;
use crate::api::messaging::SENDS_PER_SECOND;
use crate::messaging::batch::{BadReason, BadRow, BatchKey, GoodRow, write_csv};
use crate::messaging::{Accepted, Instant, Outcome, Outgoing, Phone, Preview, Refusal};
use crate::records::{Again, Content, Entry, Intent, Mark, RowOf, TemplateName};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;
use uuid::Uuid;

/// The most rows on their way at once.
const IN_FLIGHT_MAX: usize = 4;
/// Between two rows: a little under the service's limit, so that a row that was written down also leaves. What waits
/// here and not in the client is not in doubt when the program is killed.
const PACE: Duration = Duration::from_millis(1_050 / SENDS_PER_SECOND as u64);
/// So many answers in a row that tell nothing, and it pauses: something is wrong that each further row would pay for.
const UNCLEAR_MAX: usize = 4;
/// How soon a row is looked at again whose person is being sent the same by another program.
const OTHER: Duration = Duration::from_secs(2);
/// How long a row waits for another program before it is left.
const OTHER_MAX: Duration = Duration::from_secs(300);
/// Over how many of the last answers the rate is taken.
const RATE_OVER: usize = 25;

/// The columns of the results.
const RESULTS: [&str; 7] = ["line", "phone", "name", "outcome", "detail", "message_sid", "conversation_id"];

/// What every row's intent has in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The profile it is sent with.
    pub profile: String,
    /// The sender for people: its phone number.
    pub sender: String,
    /// The template.
    pub template: TemplateName,
    /// The template's text, where each message's text is to be kept.
    pub kept_text: Option<Preview>,
    /// True for an authentication template.
    pub is_code: bool,
}

/// How far a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// It has not left; why not, where it was tried.
    Left(Option<Refusal>),
    InFlight,
    /// Another program is sending the same to this person.
    Waiting,
    /// What is known of it, now or from a run before.
    Landed(Outcome),
    /// The person was sent the same at that time, by other means.
    Skipped(Timestamp),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    good: GoodRow,
    state: State,
}

/// Whether more rows may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mode {
    Going,
    /// `Some` where something kept a row from being sent: what.
    Paused(Option<String>),
    Cancelled,
}

/// A template on its way to many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    id: Uuid,
    sheet: Sheet,
    rows: BTreeMap<u64, Row>,
    /// The lines that are left, in the order of the file.
    left: VecDeque<u64>,
    /// The lines that wait for another program, and when each is asked for again, the soonest first.
    waiting: VecDeque<(Instant, u64)>,
    /// Since when each of them has waited.
    waits: BTreeMap<u64, Instant>,
    /// What a person has confirmed to repeat.
    again: Again,
    in_flight: usize,
    mode: Mode,
    /// When the last row was given out.
    gave: Option<Instant>,
    /// When the last answers came, the oldest first.
    landings: VecDeque<Instant>,
    /// How many answers in a row have told nothing.
    unclear: usize,
}

/// How far a batch is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// All its rows.
    pub total: usize,
    /// Taken by the service.
    pub accepted: usize,
    /// Not sent, for a reason of their own.
    pub refused: usize,
    /// Perhaps sent; never sent again.
    pub unknown: usize,
    /// Not sent, since the person was sent the same lately.
    pub skipped: usize,
    /// On their way.
    pub in_flight: usize,
    /// Not asked for yet.
    pub left: usize,
    /// Rows a second in the last moments; `None` before two have landed.
    pub rate: Option<f64>,
    /// Until all have landed, as long as rows leave.
    pub eta: Option<Duration>,
}

impl Progress {
    /// How many rows have an outcome.
    pub fn landed(&self) -> usize {
        self.accepted + self.refused + self.unknown + self.skipped
    }
}

/// The rows of a new run whose person has perhaps been sent the same template by other means since then, by their lines,
/// with the entry that the outbox would find as they leave: the first in `outbox`, which has the newest first. A file in
/// which a bad row was corrected is another file, and its good rows must not be sent twice for that.
fn known_before<'a>(rows: &[GoodRow], run: Uuid, outbox: &'a [Entry], since: Timestamp) -> BTreeMap<u64, &'a Entry> {
    let is_other = |entry: &Entry| entry.intent.row.as_ref().is_none_or(|row| row.batch != run);
    let mut known: HashMap<(i64, String), &Entry> = HashMap::new();
    for entry in outbox.iter().filter(|entry| entry.began > since && is_other(entry) && entry.may_have_reached()) {
        if let Some(template) = entry.intent.template() {
            known.entry((template.id, Phone::plain(&entry.intent.phone))).or_insert(entry);
        }
    }
    if known.is_empty() {
        return BTreeMap::new();
    }
    let found = |row: &GoodRow| {
        let message = &row.message;
        known.get(&(message.template_id, Phone::plain(&message.recipient_phone))).copied()
    };
    rows.iter().filter_map(|row| Some((row.line, found(row)?))).collect()
}

/// Whether an entry is reason enough not to begin with a row. What is in flight or unknown is looked at once more as the row
/// leaves.
fn is_surely_sent(entry: &Entry) -> bool {
    matches!(entry.outcome, Some(Outcome::Accepted(_))) || entry.mark == Some(Mark::Sent)
}

impl Batch {
    /// The name of the run.
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// A run of a batch. What is in the outbox `already` of this run is never sent again, unless it was certainly not
    /// sent. `again`: what a person has confirmed to repeat.
    pub fn new(id: Uuid, sheet: Sheet, rows: Vec<GoodRow>, already: &[Entry], again: Again) -> Self {
        let rows = rows.into_iter().map(|good| (good.line, Row { good, state: State::Left(None) }));
        let mut batch = Self {
            id,
            sheet,
            rows: rows.collect(),
            left: VecDeque::new(),
            waiting: VecDeque::new(),
            waits: BTreeMap::new(),
            again,
            in_flight: 0,
            mode: Mode::Going,
            gave: None,
            landings: VecDeque::new(),
            unclear: 0,
        };
        for entry in already {
            batch.record(entry);
        }
        // What was tried comes last, so that a row that stops each run does not keep the others back.
        let of = |tried: bool| {
            let lines = batch.rows.values().filter(move |row| match &row.state {
                State::Left(refusal) => refusal.is_some() == tried,
                _ => false,
            });
            lines.map(|row| row.good.line)
        };
        batch.left = of(false).chain(of(true)).collect();
        batch
    }

    /// The next row to send at `now`, if one may leave: as many as can be taken at once, at a pace under the service's
    /// limit.
    pub fn next(&mut self, now: Instant) -> Option<Sending> {
        if self.next_at()? > now {
            return None;
        }
        let line = self.waiting_line(now).or_else(|| self.left.pop_front())?;
        let row = self.rows.get_mut(&line)?;
        row.state = State::InFlight;
        self.in_flight += 1;
        self.gave = Some(now);
        let message = row.good.message.clone();
        let kept = self.sheet.kept_text.as_ref().filter(|_| !self.sheet.is_code);
        let text = kept.map(|preview| preview.text_of(&message.variables));
        let intent = Intent {
            id: BatchKey::intent(self.id, line),
            profile: self.sheet.profile.clone(),
            sender_id: message.sender_id,
            sender: self.sheet.sender.clone(),
            phone: message.recipient_phone.clone(),
            name: message.recipient_name.clone(),
            content: Content::Template(self.sheet.template.clone()),
            row: Some(RowOf { batch: self.id, line }),
            before: None,
            text,
        };
        let (again, is_code) = (self.again, self.sheet.is_code);
        Some(Sending { intent, outgoing: Outgoing::Template(message), again, connection: None, is_code })
    }

    /// A line that has waited for another program long enough.
    fn waiting_line(&mut self, now: Instant) -> Option<u64> {
        self.waiting.front().filter(|(until, _)| *until <= now)?;
        self.waiting.pop_front().map(|(_, line)| line)
    }

    /// From when the next row may leave; `None` while none may.
    pub fn next_at(&self) -> Option<Instant> {
        if self.mode != Mode::Going || self.in_flight >= IN_FLIGHT_MAX {
            return None;
        }
        let pace = self.gave.map_or(Instant::START, |gave| gave + PACE);
        if !self.left.is_empty() {
            return Some(pace);
        }
        self.waiting.front().map(|(until, _)| pace.max(*until))
    }

    /// A row has come back with its entry. Where the others would fare no better, the batch pauses.
    pub fn landed(&mut self, entry: &Entry, now: Instant) {
        let Some(line) = entry.intent.row.as_ref().filter(|row| row.batch == self.id).map(|row| row.line) else {
            return;
        };
        let Some(outcome) = &entry.outcome else { return self.wait_for_other(line, now) };
        if !self.record(entry) {
            return;
        }
        self.in_flight -= 1;
        if let Outcome::NotSent(_) = outcome {
            self.left.push_back(line);
            return self.stop_for(outcome.words());
        }
        if self.landings.len() == RATE_OVER {
            self.landings.pop_front();
        }
        self.landings.push_back(now);
        self.unclear = if matches!(outcome, Outcome::Unknown { .. }) { self.unclear + 1 } else { 0 };
        if self.unclear >= UNCLEAR_MAX {
            self.stop_for(outcome.words());
        }
    }

    /// A row did not leave, since its person was sent the same before, as this entry. It waits where that has no outcome
    /// yet.
    pub fn repeats(&mut self, line: u64, earlier: &Entry, now: Instant) {
        if earlier.outcome.is_none() {
            return self.wait_for_other(line, now);
        }
        if let Some(row) = self.rows.get_mut(&line)
            && row.state == State::InFlight
        {
            row.state = match &earlier.outcome {
                Some(Outcome::Unknown { why }) if earlier.mark.is_none() => State::Landed(Outcome::Unknown {
                    why: format!("not sent; an earlier message to this person: {why}"),
                }),
                _ => State::Skipped(earlier.began),
            };
            self.in_flight -= 1;
        }
    }

    fn wait_for_other(&mut self, line: u64, now: Instant) {
        if let Some(row) = self.rows.get_mut(&line)
            && row.state == State::InFlight
        {
            self.in_flight -= 1;
            if now - *self.waits.entry(line).or_insert(now) < OTHER_MAX {
                row.state = State::Waiting;
                return self.waiting.push_back((now + OTHER, line));
            }
            self.waits.remove(&line);
            row.state = State::Left(None);
            self.left.push_back(line);
            self.stop_for("another program has been sending the same to this person for 5 minutes".to_owned());
        }
    }

    /// A row was neither written down nor sent; why, in a sentence. It is left for later, and the batch pauses: the next
    /// would fare no better.
    pub fn failed(&mut self, line: u64, why: &str) {
        if let Some(row) = self.rows.get_mut(&line)
            && row.state == State::InFlight
        {
            row.state = State::Left(None);
            self.in_flight -= 1;
            self.left.push_front(line);
            self.stop_for(why.to_owned());
        }
    }

    /// Lets no more rows leave for now.
    pub fn pause(&mut self) {
        if self.mode == Mode::Going {
            self.mode = Mode::Paused(None);
        }
    }

    /// Lets no more rows leave for now, for this reason, in a sentence.
    pub fn stop(&mut self, why: String) {
        self.stop_for(why);
    }

    /// Goes on.
    pub fn resume(&mut self) {
        if matches!(self.mode, Mode::Paused(_)) {
            self.mode = Mode::Going;
            self.unclear = 0;
        }
    }

    /// Lets no more rows leave. What is on its way lands.
    pub fn cancel(&mut self) {
        self.mode = Mode::Cancelled;
    }

    /// True while no rows leave and more may later.
    pub fn is_paused(&self) -> bool {
        matches!(self.mode, Mode::Paused(_))
    }

    /// True once it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.mode == Mode::Cancelled
    }

    /// What made it pause by itself, in a sentence.
    pub fn trouble(&self) -> Option<&str> {
        match &self.mode {
            Mode::Paused(trouble) => trouble.as_deref(),
            Mode::Going | Mode::Cancelled => None,
        }
    }

    /// True where the outbox has rows of this run.
    pub fn has_entries(&self) -> bool {
        self.rows.values().any(|row| matches!(&row.state, State::Left(Some(_)) | State::Landed(_) | State::InFlight))
    }

    /// True when nothing is on its way and nothing will be.
    pub fn is_over(&self) -> bool {
        let none_left = self.left.is_empty() && self.waiting.is_empty();
        self.in_flight == 0 && (none_left || self.mode == Mode::Cancelled)
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress { total: self.rows.len(), ..Progress::default() };
        for row in self.rows.values() {
            *match &row.state {
                // A row that was not sent is left, also while it is being recorded.
                State::Left(_) | State::Waiting | State::Landed(Outcome::NotSent(_)) => &mut progress.left,
                State::InFlight => &mut progress.in_flight,
                State::Landed(Outcome::Accepted(_)) => &mut progress.accepted,
                State::Landed(Outcome::Refused(_)) => &mut progress.refused,
                State::Landed(Outcome::Unknown { .. }) => &mut progress.unknown,
                State::Skipped(_) => &mut progress.skipped,
            } += 1;
        }
        progress.rate = self.rate();
        let open = progress.left + progress.in_flight;
        let each = progress.rate.map_or(PACE, |rate| Duration::from_secs_f64(1.0 / rate));
        progress.eta = (self.mode == Mode::Going).then(|| each.saturating_mul(u32::try_from(open).unwrap_or(u32::MAX)));
        progress
    }

    /// The row that leaves next.
    pub fn first_left(&self) -> Option<&GoodRow> {
        self.left.front().and_then(|line| self.rows.get(line)).map(|row| &row.good)
    }

    /// The row on this line, and whether it is still to be sent.
    pub fn row(&self, line: u64) -> Option<(&GoodRow, bool)> {
        self.rows.get(&line).map(|row| (&row.good, matches!(row.state, State::Left(_))))
    }

    /// The rows whose outcome is unknown: line, number, and why.
    pub fn unknown(&self) -> impl Iterator<Item = (u64, &str, &str)> {
        self.rows.values().filter_map(|row| match &row.state {
            State::Landed(Outcome::Unknown { why }) => {
                Some((row.good.line, row.good.message.recipient_phone.as_str(), why.as_str()))
            }
            _ => None,
        })
    }

    /// The results as CSV, in the order of the file: also of the rows that were found bad, and of those that were skipped,
    /// since they had been sent before.
    pub fn results_csv(&self, bad: &[BadRow], skipped: &[BadRow]) -> String {
        let mut rows: Vec<(u64, Vec<String>)> = self.rows.values().map(|row| (row.good.line, row.result())).collect();
        for (word, left_out) in [("bad row", bad), ("skipped", skipped)] {
            rows.extend(left_out.iter().map(|row| {
                let BadRow { line, phone, name, .. } = row;
                let told = [line.to_string(), phone.clone(), name.clone(), word.to_owned(), row.why()];
                (*line, told.into_iter().chain([String::new(), String::new()]).collect())
            }));
        }
        rows.sort_by_key(|(line, _)| *line);
        write_csv(&RESULTS, rows.iter().map(|(_, row)| row.iter().map(String::as_str)))
    }

    fn stop_for(&mut self, trouble: String) {
        if self.mode != Mode::Cancelled {
            self.mode = Mode::Paused(Some(trouble));
        }
    }

    /// Takes what an entry says of its row; false where that was known.
    fn record(&mut self, entry: &Entry) -> bool {
        let row = entry.intent.row.as_ref().filter(|row| row.batch == self.id);
        let Some(row) = row.and_then(|row| self.rows.get_mut(&row.line)) else { return false };
        let was_in_flight = row.state == State::InFlight;
        row.state = match entry.outcome.clone() {
            // Another program waits for the answer; the outbox tells it once this row is asked for.
            None => State::Left(None),
            Some(Outcome::NotSent(refusal)) => State::Left(Some(refusal)),
            Some(_) if entry.was_not_sent() => State::Left(None),
            Some(_) if entry.mark == Some(Mark::Sent) => State::Landed(Outcome::Accepted(Accepted::default())),
            Some(outcome) => State::Landed(outcome),
        };
        was_in_flight
    }

    fn rate(&self) -> Option<f64> {
        let (first, last) = (self.landings.front()?, self.landings.back()?);
        let span = (*last - *first).as_secs_f64();
        let count = u32::try_from(self.landings.len() - 1).unwrap_or(u32::MAX);
        (span > 0.0).then(|| f64::from(count) / span)
    }
}

impl Row {
    fn result(&self) -> Vec<String> {
        let GoodRow { line, message } = &self.good;
        let (word, detail, accepted) = match &self.state {
            State::Left(refusal) => {
                let why = refusal.clone().map(|refusal| Outcome::NotSent(refusal).detail());
                ("not sent", why.unwrap_or_default(), None)
            }
            State::Waiting => ("not sent", "another program was sending the same to this person".to_owned(), None),
            State::Skipped(when) => ("skipped", BadReason::SentBefore(*when).to_string(), None),
            State::InFlight => ("on its way", String::new(), None),
            State::Landed(outcome @ Outcome::Accepted(accepted)) => (outcome.word(), outcome.detail(), Some(accepted)),
            State::Landed(outcome) => (outcome.word(), outcome.detail(), None),
        };
        let conversation = accepted.and_then(|accepted| accepted.conversation_id);
        vec![
            line.to_string(),
            message.recipient_phone.clone(),
            message.recipient_name.clone().unwrap_or_default(),
            word.to_owned(),
            detail,
            accepted.and_then(|accepted| accepted.message_sid.clone()).unwrap_or_default(),
            conversation.map(|id| id.to_string()).unwrap_or_default(),
        ]
    }
}

#[cfg(test)]
mod tests;
