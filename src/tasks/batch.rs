//! Sending one template to many, a row at a time: what leaves next, what has come back, how far it is. Pure, so that the
//! interface and the command line drive the same batch, each on its own clock.

use super::Sending;
use crate::api::messaging::SENDS_PER_SECOND;
use crate::messaging::batch::{BadRow, BatchKey, GoodRow, write_csv};
use crate::messaging::{Outcome, Outgoing, Preview};
use crate::records::{Entry, Intent, RowOf, TemplateName};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use uuid::Uuid;

/// The most rows on their way at once.
const IN_FLIGHT_MAX: usize = 4;
/// Between two rows: a little under the service's limit, so that a row that was written down also leaves. What waits
/// here and not in the client is not in doubt when the program is killed.
const PACE: Duration = Duration::from_millis(1_050 / SENDS_PER_SECOND as u64);
/// So many answers in a row that tell nothing, and it pauses: something is wrong that each further row would pay for.
const UNCLEAR_MAX: usize = 4;
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
}

/// How far a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// It has not been asked for.
    Left,
    InFlight,
    /// What is known of it, now or from a run before.
    Landed(Outcome),
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
    in_flight: usize,
    mode: Mode,
    /// When the last row was given out.
    gave: Option<Duration>,
    /// When the last answers came, the oldest first.
    landings: VecDeque<Duration>,
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
    /// On their way.
    pub in_flight: usize,
    /// Not asked for yet.
    pub left: usize,
    /// Rows a second, of late; `None` before two have landed.
    pub rate: Option<f64>,
    /// Until all have landed, as long as rows leave.
    pub eta: Option<Duration>,
}

impl Batch {
    /// A run of a batch. What is in the outbox `already` of this run is never sent again, whatever came of it.
    pub fn new(id: Uuid, sheet: Sheet, rows: Vec<GoodRow>, already: &[Entry]) -> Self {
        let rows = rows.into_iter().map(|good| (good.line, Row { good, state: State::Left }));
        let mut batch = Self {
            id,
            sheet,
            rows: rows.collect(),
            left: VecDeque::new(),
            in_flight: 0,
            mode: Mode::Going,
            gave: None,
            landings: VecDeque::new(),
            unclear: 0,
        };
        for entry in already {
            batch.record(entry);
        }
        batch.left = batch.rows.values().filter(|row| row.state == State::Left).map(|row| row.good.line).collect();
        batch
    }

    /// The next row to send at `now`, if one may leave: as many as can be taken at once, at a pace under the service's
    /// limit.
    pub fn next(&mut self, now: Duration) -> Option<Sending> {
        if self.next_at()? > now {
            return None;
        }
        let line = self.left.pop_front()?;
        let row = self.rows.get_mut(&line)?;
        row.state = State::InFlight;
        self.in_flight += 1;
        self.gave = Some(now);
        let message = row.good.message.clone();
        let text = self.sheet.kept_text.as_ref().map(|preview| preview.text_of(&message.variables));
        let intent = Intent {
            id: BatchKey::intent(self.id, line),
            profile: self.sheet.profile.clone(),
            sender_id: message.sender_id,
            sender: self.sheet.sender.clone(),
            phone: message.recipient_phone.clone(),
            name: message.recipient_name.clone(),
            template: Some(self.sheet.template.clone()),
            row: Some(RowOf { batch: self.id, line }),
            before: None,
            text,
        };
        Some(Sending { intent, outgoing: Outgoing::Template(message) })
    }

    /// From when the next row may leave; `None` while none may.
    pub fn next_at(&self) -> Option<Duration> {
        let may = self.mode == Mode::Going && self.in_flight < IN_FLIGHT_MAX && !self.left.is_empty();
        may.then(|| self.gave.map_or(Duration::ZERO, |gave| gave + PACE))
    }

    /// A row has come back with its entry. Where the others would fare no better, the batch pauses.
    pub fn landed(&mut self, entry: &Entry, now: Duration) {
        if !self.record(entry) {
            return;
        }
        self.in_flight -= 1;
        if self.landings.len() == RATE_OVER {
            self.landings.pop_front();
        }
        self.landings.push_back(now);
        let Some(outcome) = &entry.outcome else { return };
        self.unclear = if matches!(outcome, Outcome::Unknown { .. }) { self.unclear + 1 } else { 0 };
        let concerns_all = matches!(outcome, Outcome::Refused(refusal) if refusal.concerns_all());
        if concerns_all || self.unclear >= UNCLEAR_MAX {
            self.stop_for(outcome.words());
        }
    }

    /// A row was neither written down nor sent; why, in a sentence. It is left for later, and the batch pauses: the next
    /// would fare no better.
    pub fn failed(&mut self, line: u64, why: &str) {
        if let Some(row) = self.rows.get_mut(&line)
            && row.state == State::InFlight
        {
            row.state = State::Left;
            self.in_flight -= 1;
            let at = self.left.partition_point(|other| *other < line);
            self.left.insert(at, line);
            self.stop_for(why.to_owned());
        }
    }

    /// Lets no more rows leave for now.
    pub fn pause(&mut self) {
        if self.mode == Mode::Going {
            self.mode = Mode::Paused(None);
        }
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

    /// What made it pause by itself, in a sentence.
    pub fn trouble(&self) -> Option<&str> {
        match &self.mode {
            Mode::Paused(trouble) => trouble.as_deref(),
            Mode::Going | Mode::Cancelled => None,
        }
    }

    /// True when nothing is on its way and nothing will be.
    pub fn is_over(&self) -> bool {
        self.in_flight == 0 && (self.left.is_empty() || self.mode == Mode::Cancelled)
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress { total: self.rows.len(), ..Progress::default() };
        for row in self.rows.values() {
            *match &row.state {
                State::Left => &mut progress.left,
                State::InFlight => &mut progress.in_flight,
                State::Landed(Outcome::Accepted(_)) => &mut progress.accepted,
                State::Landed(Outcome::Refused(_)) => &mut progress.refused,
                State::Landed(Outcome::Unknown { .. }) => &mut progress.unknown,
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

    /// The rows whose outcome is unknown: line, number, and why.
    pub fn unknown(&self) -> impl Iterator<Item = (u64, &str, &str)> {
        self.rows.values().filter_map(|row| match &row.state {
            State::Landed(Outcome::Unknown { why }) => {
                Some((row.good.line, row.good.message.recipient_phone.as_str(), why.as_str()))
            }
            _ => None,
        })
    }

    /// The results as CSV, in the order of the file: the rows that were checked and found bad as well.
    pub fn results_csv(&self, bad: &[BadRow]) -> String {
        let mut rows: Vec<(u64, Vec<String>)> = self.rows.values().map(|row| (row.good.line, row.result())).collect();
        rows.extend(bad.iter().map(|row| {
            let [line, phone, name] = [row.line.to_string(), row.phone.clone(), row.name.clone()];
            let (word, reasons) = ("bad row".to_owned(), row.reasons.join("; "));
            (row.line, vec![line, phone, name, word, reasons, String::new(), String::new()])
        }));
        rows.sort_by_key(|(line, _)| *line);
        write_csv(&RESULTS, rows.into_iter().map(|(_, row)| row))
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
        let elsewhere = || Outcome::Unknown { why: "another run of the program waits for the answer".to_owned() };
        let outcome = entry.outcome.clone().unwrap_or_else(elsewhere);
        let was_in_flight = row.state == State::InFlight;
        row.state = State::Landed(outcome);
        was_in_flight
    }

    fn rate(&self) -> Option<f64> {
        let (first, last) = (self.landings.front()?, self.landings.back()?);
        let span = last.saturating_sub(*first).as_secs_f64();
        let count = u32::try_from(self.landings.len() - 1).unwrap_or(u32::MAX);
        (span > 0.0).then(|| f64::from(count) / span)
    }
}

impl Row {
    fn result(&self) -> Vec<String> {
        let GoodRow { line, message } = &self.good;
        let (word, detail, accepted) = match &self.state {
            State::Left => ("not sent", String::new(), None),
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
mod tests {
    use super::*;
    use crate::api::SendTemplate;
    use crate::messaging::{Accepted, Refusal};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const SECOND: Duration = Duration::from_secs(1);
    const RUN: Uuid = Uuid::from_u128(7);

    fn rows(count: u64) -> Vec<GoodRow> {
        let message = |line: u64| SendTemplate {
            sender_id: 1,
            template_id: 2,
            recipient_phone: format!("+1415555{line:04}"),
            recipient_name: Some("=Ada".to_owned()),
            variables: BTreeMap::from([("date".to_owned(), "3 May".to_owned())]),
        };
        (2..count + 2).map(|line| GoodRow { line, message: message(line) }).collect()
    }

    fn batch(count: u64, already: &[Entry]) -> Batch {
        let sheet = Sheet {
            profile: "live".to_owned(),
            sender: "+14155550100".to_owned(),
            template: TemplateName { id: 2, name: "reminder".to_owned() },
            kept_text: Some(Preview::new("See you on {{1}}.", &["date".to_owned()])),
        };
        Batch::new(RUN, sheet, rows(count), already)
    }

    fn entry(sending: Sending, outcome: Option<Outcome>) -> Entry {
        Entry { intent: sending.intent, began: jiff::Timestamp::UNIX_EPOCH, ended: None, outcome, mark: None }
    }

    fn accepted() -> Outcome {
        Outcome::Accepted(Accepted {
            conversation_id: Some(9),
            message_sid: Some("SM1".to_owned()),
            ..Accepted::default()
        })
    }

    fn refused() -> Outcome {
        Outcome::Refused(Refusal { status: Some(422), code: None, words: "No.".to_owned() })
    }

    fn unknown() -> Outcome {
        Outcome::Unknown { why: "the connection broke".to_owned() }
    }

    #[test]
    fn rows_leave_in_order_a_few_at_a_time_under_the_limit() {
        let mut batch = batch(6, &[]);
        assert_eq!(batch.next_at(), Some(Duration::ZERO));
        let first = batch.next(SECOND).unwrap();
        assert_eq!(first.intent.row, Some(RowOf { batch: RUN, line: 2 }));
        assert_eq!(first.intent.text.as_deref(), Some("See you on 3 May."));
        assert_eq!(first.intent.phone, first.outgoing.recipient_phone());
        assert_eq!(batch.next(SECOND), None, "not two at once");
        let mut now = SECOND;
        for _ in 1..IN_FLIGHT_MAX {
            now = batch.next_at().unwrap();
            assert!(batch.next(now).is_some());
        }
        assert_eq!(now, SECOND + PACE * 3);
        assert_eq!((batch.next_at(), batch.next(SECOND * 9)), (None, None), "as many are on their way as may be");
        batch.landed(&entry(first, Some(accepted())), now);
        assert!(batch.next_at().is_some());
        let progress = batch.progress();
        assert_eq!((progress.accepted, progress.in_flight, progress.left, progress.total), (1, 3, 2, 6));
        assert!(PACE * 5 > SECOND);
    }

    #[test]
    fn a_batch_pauses_goes_on_and_is_cancelled() {
        let mut batch = batch(3, &[]);
        batch.pause();
        assert!(batch.is_paused() && batch.next(SECOND).is_none() && batch.progress().eta.is_none());
        batch.resume();
        let sending = batch.next(SECOND).unwrap();
        batch.cancel();
        batch.resume();
        assert!(batch.next(SECOND * 2).is_none() && !batch.is_over(), "one is on its way");
        batch.landed(&entry(sending, Some(refused())), SECOND);
        assert!(batch.is_over());
        assert_eq!(batch.progress().left, 2);
    }

    #[test]
    fn what_was_not_even_written_down_is_left_and_the_batch_pauses() {
        let mut batch = batch(2, &[]);
        let sending = batch.next(SECOND).unwrap();
        batch.failed(2, "the outbox cannot be written");
        assert_eq!(batch.trouble(), Some("the outbox cannot be written"));
        assert_eq!(batch.next(SECOND * 2), None);
        batch.resume();
        assert_eq!(batch.trouble(), None);
        assert_eq!(batch.next(SECOND * 2), Some(sending), "the same intent, so that it cannot be recorded twice");
    }

    #[test]
    fn it_pauses_where_the_next_row_would_fare_no_better() {
        let refused = |status, code: Option<&str>| {
            Outcome::Refused(Refusal { status, code: code.map(Into::into), words: "The network is down.".to_owned() })
        };
        let mut batch = batch(20, &[]);
        let mut now = Duration::ZERO;
        let mut land = |batch: &mut Batch, outcome: Outcome| {
            now += PACE;
            let sending = batch.next(now).unwrap();
            batch.landed(&entry(sending, Some(outcome)), now);
            batch.trouble().map(str::to_owned)
        };
        assert_eq!(land(&mut batch, refused(Some(422), Some("INVALID_PHONE"))), None);
        assert_eq!(land(&mut batch, refused(None, None)).as_deref(), Some("refused · The network is down"));
        batch.resume();
        let low = refused(Some(402), Some("INSUFFICIENT_BALANCE"));
        assert_eq!(land(&mut batch, low).as_deref(), Some("refused · the balance is too low"));
        batch.resume();
        for told in [unknown(), unknown(), unknown(), accepted(), unknown(), unknown(), unknown()] {
            assert_eq!(land(&mut batch, told), None);
        }
        assert_eq!(land(&mut batch, unknown()).as_deref(), Some("unknown · the connection broke"));
    }

    #[test]
    fn what_the_outbox_has_is_counted_and_never_sent_again() {
        let outcomes = [Some(accepted()), Some(refused()), Some(unknown()), None];
        let mut before = batch(6, &[]);
        let already: Vec<Entry> = outcomes
            .into_iter()
            .enumerate()
            .map(|(at, outcome)| {
                let sending = before.next(SECOND * u32::try_from(at).unwrap()).unwrap();
                entry(sending, outcome)
            })
            .collect();
        let mut batch = batch(6, &already);
        let progress = batch.progress();
        assert_eq!((progress.accepted, progress.refused, progress.unknown, progress.left), (1, 1, 2, 2));
        assert_eq!(batch.unknown().map(|(line, ..)| line).collect::<Vec<_>>(), [4, 5]);
        assert_eq!(batch.next(SECOND).unwrap().intent.row.unwrap().line, 6);
    }

    #[test]
    fn results_are_a_table_of_all_rows() {
        let mut batch = batch(3, &[]);
        let sending = batch.next(SECOND).unwrap();
        batch.landed(&entry(sending, Some(accepted())), SECOND);
        let sending = batch.next(SECOND * 2).unwrap();
        batch.landed(&entry(sending, Some(unknown())), SECOND * 2);
        let bad = BadRow {
            line: 5,
            phone: "+x".to_owned(),
            name: "@B".to_owned(),
            reasons: vec!["one".to_owned(), "two".to_owned()],
        };
        assert_eq!(
            batch.results_csv(&[bad]),
            "line,phone,name,outcome,detail,message_sid,conversation_id\n\
             2,+14155550002,'=Ada,accepted,,SM1,9\n\
             3,+14155550003,'=Ada,unknown,the connection broke,,\n\
             4,+14155550004,'=Ada,not sent,,,\n\
             5,+x,'@B,bad row,one; two,,\n"
        );
    }

    /// What happens to a run next.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Give,
        Land(u8),
        Fail,
        Pause,
        Resume,
        Kill,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            6 => Just(Step::Give),
            4 => any::<u8>().prop_map(Step::Land),
            1 => Just(Step::Fail),
            1 => Just(Step::Pause),
            2 => Just(Step::Resume),
            1 => Just(Step::Kill),
        ]
    }

    proptest! {
        #[test]
        fn however_often_it_is_killed_no_line_is_sent_twice(
            count in 1u64..20,
            steps in prop::collection::vec(step(), 0..200),
        ) {
            let mut outbox: Vec<Entry> = Vec::new();
            let mut sent = BTreeSet::new();
            let mut batch = self::batch(count, &[]);
            let mut flying: Vec<Sending> = Vec::new();
            let mut now = Duration::ZERO;
            for step in steps {
                now += PACE;
                match step {
                    Step::Give => if let Some(sending) = batch.next(now) {
                        let line = sending.intent.row.as_ref().unwrap().line;
                        prop_assert!(!sent.contains(&line), "line {line} is given out again");
                        prop_assert!(flying.len() < IN_FLIGHT_MAX);
                        flying.push(sending);
                    },
                    Step::Land(which) => if !flying.is_empty() {
                        let sending = flying.remove(usize::from(which) % flying.len());
                        sent.insert(sending.intent.row.as_ref().unwrap().line);
                        let entry = entry(sending, Some([accepted(), refused(), unknown()][usize::from(which % 3)].clone()));
                        batch.landed(&entry, now);
                        batch.landed(&entry, now);
                        outbox.push(entry);
                    },
                    // Nothing was recorded, so nothing has left.
                    Step::Fail => if let Some(sending) = flying.pop() {
                        batch.failed(sending.intent.row.unwrap().line, "no");
                    },
                    Step::Pause => batch.pause(),
                    Step::Resume => batch.resume(),
                    Step::Kill => {
                        for sending in flying.drain(..) {
                            sent.insert(sending.intent.row.as_ref().unwrap().line);
                            outbox.push(entry(sending, Some(unknown())));
                        }
                        batch = self::batch(count, &outbox);
                    }
                }
                let progress = batch.progress();
                let landed = progress.accepted + progress.refused + progress.unknown;
                prop_assert_eq!(landed, outbox.len());
                prop_assert_eq!(progress.in_flight, flying.len());
                prop_assert_eq!(landed + progress.in_flight + progress.left, usize::try_from(count).unwrap());
            }
        }
    }
}
