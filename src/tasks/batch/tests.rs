use super::*;
use crate::api::SendTemplate;
use crate::messaging::batch::BadReason;
use crate::messaging::batch::{Mapping, Table};
use crate::messaging::{Accepted, Refusal};
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, Task, Work};
use jiff::SignedDuration;
use proptest::prelude::*;
use std::collections::BTreeSet;

const SECOND: Duration = Duration::from_secs(1);
const RUN: Uuid = Uuid::from_u128(7);

const fn s(seconds: u64) -> Instant {
    Instant::after(Duration::from_secs(seconds))
}

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
        is_code: false,
        kept_text: Some(Preview::new("See you on {{1}}.", &["date".to_owned()])),
    };
    Batch::new(RUN, sheet, rows(count), already, Again::No)
}

fn entry(sending: Sending, outcome: Option<Outcome>) -> Entry {
    Entry { intent: sending.intent, began: Timestamp::UNIX_EPOCH, ended: None, outcome, mark: None }
}

fn accepted() -> Outcome {
    Outcome::Accepted(Accepted { conversation_id: Some(9), message_sid: Some("SM1".to_owned()), ..Accepted::default() })
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
    assert_eq!(batch.next_at(), Some(Instant::START));
    let first = batch.next(s(1)).unwrap();
    assert_eq!(first.intent.row, Some(RowOf { batch: RUN, line: 2 }));
    assert_eq!(first.intent.text.as_deref(), Some("See you on 3 May."));
    assert_eq!(first.intent.phone, first.outgoing.recipient_phone());
    assert_eq!(batch.next(s(1)), None, "not two at once");
    let mut now = s(1);
    for _ in 1..IN_FLIGHT_MAX {
        now = batch.next_at().unwrap();
        assert!(batch.next(now).is_some());
    }
    assert_eq!(now, s(1) + PACE * 3);
    assert_eq!((batch.next_at(), batch.next(s(9))), (None, None), "as many are on their way as may be");
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
    assert!(batch.is_paused() && batch.next(s(1)).is_none() && batch.progress().eta.is_none());
    batch.resume();
    let sending = batch.next(s(1)).unwrap();
    batch.cancel();
    batch.resume();
    assert!(batch.next(s(2)).is_none() && !batch.is_over(), "one is on its way");
    batch.landed(&entry(sending, Some(refused())), s(1));
    assert!(batch.is_over());
    assert_eq!(batch.progress().left, 2);
}

#[test]
fn what_was_not_even_written_down_is_left_and_the_batch_pauses() {
    let mut batch = batch(2, &[]);
    let sending = batch.next(s(1)).unwrap();
    batch.failed(2, "the outbox cannot be written");
    assert_eq!(batch.trouble(), Some("the outbox cannot be written"));
    assert_eq!(batch.next(s(2)), None);
    batch.resume();
    assert_eq!(batch.trouble(), None);
    assert_eq!(batch.next(s(2)), Some(sending), "the same intent, so that it cannot be recorded twice");
}

#[test]
fn it_pauses_where_the_next_row_would_fare_no_better() {
    let refusal = |status, code: Option<&str>| Refusal {
        status,
        code: code.map(Into::into),
        words: "The network is down.".to_owned(),
    };
    let refused = |status, code| Outcome::Refused(refusal(status, code));
    let not_sent = |status, code| Outcome::NotSent(refusal(status, code));
    let mut batch = batch(20, &[]);
    let mut now = Instant::START;
    let mut land = |batch: &mut Batch, outcome: Outcome| {
        now = now + PACE;
        let sending = batch.next(now).unwrap();
        batch.landed(&entry(sending, Some(outcome)), now);
        batch.trouble().map(str::to_owned)
    };
    assert_eq!(land(&mut batch, refused(Some(422), Some("INVALID_PHONE"))), None);
    assert_eq!(land(&mut batch, not_sent(None, None)).as_deref(), Some("not sent · The network is down"));
    batch.resume();
    let low = not_sent(Some(402), Some("INSUFFICIENT_BALANCE"));
    assert_eq!(land(&mut batch, low).as_deref(), Some("not sent · the balance is too low"));
    assert_eq!(batch.progress().left, 19, "both are left");
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
        .zip(0..)
        .map(|(outcome, at)| {
            let sending = before.next(s(at)).unwrap();
            entry(sending, outcome)
        })
        .collect();
    let mut batch = batch(6, &already);
    let progress = batch.progress();
    assert_eq!((progress.accepted, progress.refused, progress.unknown, progress.left), (1, 1, 1, 3));
    assert_eq!(batch.unknown().map(|(line, ..)| line).collect::<Vec<_>>(), [4]);
    // Another program waits for its answer: the outbox tells it, and the row stays away until then.
    let asked = batch.next(s(1)).unwrap();
    assert_eq!(asked.intent.row.as_ref().unwrap().line, 5);
    batch.landed(&entry(asked, None), s(1));
    assert_eq!(batch.next(s(2)).unwrap().intent.row.unwrap().line, 6);
    let asked = batch.next(s(3)).unwrap();
    assert_eq!(asked.intent.row.as_ref().unwrap().line, 5);
    batch.landed(&entry(asked, Some(accepted())), s(3));
    assert_eq!(batch.next(s(4)).unwrap().intent.row.unwrap().line, 7);
    assert_eq!(batch.progress().accepted, 2);
}

#[test]
fn row_whose_person_was_sent_the_same_is_skipped_and_waits_where_that_is_in_flight() {
    let mut batch = batch(2, &[]);
    let other = entry(batch.next(s(1)).unwrap(), Some(accepted()));
    batch.repeats(2, &other, s(1));
    let sending = batch.next(s(2)).unwrap();
    batch.repeats(3, &entry(sending.clone(), None), s(2));
    assert_eq!((batch.next(s(3)), batch.next_at(), batch.is_over()), (None, Some(s(2) + OTHER), false));
    assert_eq!(batch.next(s(4)), Some(sending));
    batch.repeats(3, &other, s(4));
    assert!(batch.is_over());
    assert_eq!(batch.progress().skipped, 2);
    assert!(batch.results_csv(&[], &[]).contains("skipped,\"sent before, on 1970-01-01 00:00 UTC\""));
}

#[test]
fn row_that_waits_too_long_for_another_program_is_left_and_the_batch_pauses() {
    let mut batch = batch(1, &[]);
    let mut now = s(1);
    let mut asked = 0;
    while batch.trouble().is_none() {
        let sending = batch.next(now).unwrap();
        batch.repeats(2, &entry(sending, None), now);
        asked += 1;
        now = batch.next_at().unwrap_or(now);
    }
    assert_eq!((asked, now), (151, s(301)));
    assert_eq!((batch.progress().left, batch.is_over()), (1, false));
    batch.resume();
    assert!(batch.next(s(400)).is_some(), "it can be tried again");
}

#[test]
fn what_was_not_sent_is_sent_when_the_batch_goes_on() {
    let offline = Outcome::NotSent(Refusal { status: None, code: None, words: "No connection.".to_owned() });
    let mut first = batch(3, &[]);
    let already = [
        entry(first.next(s(1)).unwrap(), Some(accepted())),
        entry(first.next(s(2)).unwrap(), Some(offline)),
        Entry { mark: Some(Mark::NotSent), ..entry(first.next(s(3)).unwrap(), Some(unknown())) },
    ];
    let mut batch = batch(3, &already);
    assert_eq!(batch.progress().left, 2);
    assert!(batch.results_csv(&[], &[]).contains("not sent,No connection"));
    let lines = [s(1), s(2)].map(|now| batch.next(now).unwrap().intent.row.unwrap().line);
    assert_eq!(lines, [4, 3], "what was tried comes last, so that it keeps no other row back");
}

#[test]
fn who_has_got_it_out_of_another_file_is_found() {
    let at = |second: i64| Timestamp::from_second(second).unwrap();
    let other = Uuid::from_u128(8);
    let outbox: Vec<Entry> =
        [(2, other, accepted()), (3, other, refused()), (4, other, unknown()), (5, RUN, accepted())]
            .into_iter()
            .map(|(line, run, outcome)| {
                let mut batch = batch(9, &[]);
                let mut now = s(1);
                let mut sending = batch.next(now).unwrap();
                while sending.intent.row.as_ref().unwrap().line < line {
                    batch.landed(&entry(sending, Some(accepted())), now);
                    now = now + SECOND;
                    sending = batch.next(now).unwrap();
                }
                sending.intent.row = Some(RowOf { batch: run, line: 99 });
                Entry { began: at(i64::try_from(line).unwrap()), ..entry(sending, Some(outcome)) }
            })
            .collect();
    let found = |outbox: &[Entry], since| {
        let known = known_before(&rows(9), RUN, outbox, since);
        let sent: BTreeMap<_, _> =
            known.iter().filter(|(_, entry)| is_surely_sent(entry)).map(|(line, entry)| (*line, entry.began)).collect();
        (known.len(), sent)
    };
    let sent = BTreeMap::from([(2, at(2))]);
    assert_eq!(found(&outbox, at(0)), (2, sent), "what is unknown is looked at as the row leaves");
    assert_eq!(found(&outbox, at(2)).1, BTreeMap::new(), "that was too long ago");
    let not_sent: Vec<Entry> =
        outbox.iter().map(|entry| Entry { mark: Some(Mark::NotSent), ..entry.clone() }).collect();
    assert_eq!(found(&not_sent, at(0)).0, 0);
    // However the number was written then, and the newest entry decides.
    let written = |phone: &str, outcome| {
        let mut entry = Entry { outcome, ..outbox[0].clone() };
        entry.intent.phone = phone.to_owned();
        entry
    };
    let brazil = |phone: &str| {
        let mut rows = rows(1);
        rows[0].message.recipient_phone = phone.to_owned();
        rows
    };
    let entries = [written("+5511991234567", None), written("+551191234567", Some(accepted()))];
    let known = known_before(&brazil("+551191234567"), RUN, &entries, at(0));
    assert_eq!(known.values().map(|entry| entry.outcome.is_none()).collect::<Vec<_>>(), [true]);
    assert!(known_before(&brazil("+551191234568"), RUN, &entries, at(0)).is_empty());
}

/// Holds the answers of an outbox with these runs, and tells the runs that were asked for.
fn look(runs: &[u32]) -> (BatchKey, Earlier, Vec<u32>) {
    let table = Table::read(b"phone\n+1").unwrap();
    let key = BatchKey::new(1, 2, &Mapping::guess(&table.header, &[]), b"file");
    let mut earlier = Earlier::new(key, (2, "Hello."), SignedDuration::from_hours(24), Timestamp::UNIX_EPOCH);
    let key = key.charged_to("ada");
    let mut asked = Vec::new();
    while let Some(task) = earlier.wants() {
        if task == Task::from(Work::FindAccount) {
            earlier.found(Answer::Account("ada".to_owned()));
            continue;
        }
        if let Task::Store(StorageRequest::CompareBatchText { batch, text }) = &task {
            assert_eq!((*batch, text.as_str()), (key.run(*asked.iter().rev().nth(1).unwrap()), "Hello."));
            earlier.found(Answer::Stored(StorageReply::BatchText { is_other: true }));
            continue;
        }
        if let Task::Store(StorageRequest::FindForgotten { .. }) = &task {
            earlier.found(Answer::Stored(StorageReply::Forgotten(None)));
            continue;
        }
        let number = (0..9).find(|number| task == StorageRequest::ListBatch(key.run(*number)).into());
        asked.extend(number);
        let sent = number.is_some_and(|number| runs.contains(&number));
        let entries = if sent { vec![entry(batch(1, &[]).next(s(1)).unwrap(), None)] } else { Vec::new() };
        earlier.found(Answer::Stored(StorageReply::Entries(entries)));
    }
    (key, earlier, asked)
}

#[test]
fn the_last_run_is_gone_on_with_also_where_there_was_no_first() {
    let begins = |runs: &[u32], again| {
        let (key, earlier, asked) = look(runs);
        let start = earlier.start(again, rows(3));
        let number = (0..9).find(|number| start.run == key.run(*number)).unwrap();
        assert_eq!(start.is_other_text, !start.already.is_empty(), "a new run has one text");
        (asked.len(), number, start.already.len())
    };
    assert_eq!([begins(&[], false), begins(&[], true)], [(2, 0, 0), (2, 1, 0)]);
    assert_eq!([begins(&[0], false), begins(&[0], true)], [(2, 0, 1), (2, 1, 0)]);
    assert_eq!([begins(&[1, 2], false), begins(&[1, 2], true)], [(4, 2, 1), (4, 3, 0)]);
}

#[test]
fn results_are_a_table_of_all_rows() {
    let mut batch = batch(3, &[]);
    let sending = batch.next(s(1)).unwrap();
    batch.landed(&entry(sending, Some(accepted())), s(1));
    let sending = batch.next(s(2)).unwrap();
    batch.landed(&entry(sending, Some(unknown())), s(2));
    let bad = BadRow {
        line: 5,
        phone: "+x".to_owned(),
        name: "@B".to_owned(),
        reasons: ["one", "two"].map(|why| BadReason::Invalid(why.to_owned())).into(),
    };
    assert_eq!(
        batch.results_csv(&[bad], &[]),
        "line,phone,name,outcome,detail,message_sid,conversation_id\n\
         2,+14155550002,'=Ada,accepted,,SM1,9\n\
         3,+14155550003,'=Ada,unknown,the connection broke,,\n\
         4,+14155550004,'=Ada,not sent,,,\n\
         5,'+x,'@B,bad row,one; two,,\n"
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
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn however_often_it_is_killed_no_line_is_sent_twice(
        count in 1u64..20,
        steps in prop::collection::vec(step(), 0..200),
    ) {
        let mut outbox: Vec<Entry> = Vec::new();
        let mut sent = BTreeSet::new();
        let mut batch = self::batch(count, &[]);
        let mut flying: Vec<Sending> = Vec::new();
        let mut now = Instant::START;
        for step in steps {
            now = now + PACE;
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
