//! Pages of calls against what plain SQL gives, while calls begin, go on and are deleted.

use super::*;
use crate::api::Channel;
use crate::service::simulation::calls::Plan;
use crate::service::store::{Data, NewCall, execute};
use jiff::Timestamp;
use jiff::civil::Date;
use proptest::prelude::*;
use rusqlite::OptionalExtension;
use std::collections::BTreeMap;

const START: i64 = 1_767_225_600;
const DAY: i64 = 86_400;

fn after(seconds: i64) -> Timestamp {
    Timestamp::from_second(START + seconds).unwrap()
}

fn date(day: i64) -> Date {
    after(day * DAY).to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// Two users, the first with the assistants 1 and 2, the other with 3.
fn store() -> Store {
    let store = Store::open(&Data::Memory).unwrap();
    store
        .write(|tx| {
            for id in 1..=2_i64 {
                let user = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                            VALUES ($1, $2, 'tenant', 1000000000, 5, FALSE, 0)";
                execute(tx, user, (id, format!("{id}@b.c")))?;
            }
            for (id, user) in [(1_i64, 1_i64), (2, 1), (3, 2)] {
                let assistant = "INSERT INTO assistants (id, uuid, user_id, name, type, mode, status, voice_id, \
                                 language_id, timezone, initial_message, system_prompt, variables, webhook_url, \
                                 is_webhook_active, created_at, updated_at) VALUES ($1, $2, $3, 'Name', 'outbound', \
                                 'pipeline', 'active', 1, 1, 'UTC', '', '', '{}', NULL, FALSE, 0, 0)";
                execute(tx, assistant, (id, id.to_be_bytes(), user))?;
            }
            Ok(())
        })
        .unwrap();
    store
}

/// Something that happens to the calls.
#[derive(Debug, Clone)]
enum Step {
    Begin {
        assistant: i64,
        kind: usize,
        phone: u8,
        outcome: usize,
        seconds: i64,
    },
    /// Numbers that other databases have used up: calls lie in stretches far apart.
    Skip(i64),
    /// Time goes by, for a clock that was put back maybe the other way.
    Wait(i64),
    Delete(i64),
    /// All calls of an assistant end.
    EndAll(i64),
}

fn outcomes() -> impl Iterator<Item = &'static CallStatus> {
    CallStatus::KNOWN.iter().filter(|status| status.is_over())
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let begin = (1..=3_i64, 0..3_usize, 0..3_u8, 0..outcomes().count(), 0..200_i64).prop_map(
        |(assistant, kind, phone, outcome, seconds)| Step::Begin { assistant, kind, phone, outcome, seconds },
    );
    let step = prop_oneof![
        8 => begin,
        1 => prop_oneof![1..200_i64, 60_000..70_000_i64].prop_map(Step::Skip),
        3 => prop_oneof![0..300_i64, 0..3 * DAY, -DAY..0].prop_map(Step::Wait),
        1 => (0..60_i64).prop_map(Step::Delete),
        1 => (1..=3_i64).prop_map(Step::EndAll),
    ];
    proptest::collection::vec(step, 0..60)
}

fn take(store: &Store, step: &Step, now: &mut i64) {
    match *step {
        Step::Begin { assistant, kind, phone, outcome, seconds } => {
            let plan = Plan {
                outcome: outcomes().nth(outcome).unwrap().clone(),
                talk_seconds: seconds,
                answered_by: Some("human"),
            };
            let new = NewCall {
                user_id: if assistant == 3 { 2 } else { 1 },
                assistant_id: assistant,
                kind: CallType::KNOWN[kind].clone(),
                phone: &format!("+1415555010{phone}"),
                variables: BTreeMap::new(),
                plan,
            };
            store.begin_call(new, after(*now)).unwrap().unwrap();
        }
        Step::Skip(numbers) => {
            let skip = "UPDATE sqlite_sequence SET seq = seq + $1 WHERE name = 'calls'";
            store.write(|tx| Ok(tx.execute(skip, [numbers])?)).unwrap();
        }
        Step::Wait(seconds) => {
            *now += seconds;
            store.advance_calls(after(*now)).unwrap();
        }
        Step::Delete(nth) => {
            let find = "SELECT id FROM calls WHERE user_id = 1 ORDER BY id LIMIT 1 OFFSET $1";
            let id = store.read(|reader| Ok(reader.query_row(find, [nth], |row| row.get(0)).optional()?)).unwrap();
            if let Some(id) = id {
                assert!(store.delete_call(1, id, after(*now)).unwrap());
            }
        }
        Step::EndAll(assistant) => {
            store.write(|tx| super::super::call_progress::end_all(tx, assistant, after(*now))).unwrap();
        }
    }
}

fn filters() -> impl Strategy<Value = CallFilter> {
    let word = |known: usize| proptest::option::of(0..known);
    let day = || proptest::option::of(-1..8_i64);
    let dims = (word(CallStatus::KNOWN.len()), word(CallType::KNOWN.len()), proptest::option::of(1..=2_i64));
    (dims, proptest::option::weighted(0.2, 0..3_u8), day(), day()).prop_map(
        |((status, kind, assistant_id), phone, from, to)| CallFilter {
            status: status.map(|at| CallStatus::KNOWN[at].clone()),
            kind: kind.map(|at| CallType::KNOWN[at].clone()),
            assistant_id,
            phone_number: phone.map(|phone| format!("+1415555010{phone}")),
            date_from: from.map(date),
            date_to: to.map(date),
            campaign_id: None,
        },
    )
}

/// The numbers of a page, and how many match, as plainly as it can be asked for.
fn plainly(store: &Store, filter: &CallFilter, offset: u64, limit: u32) -> (Vec<i64>, u64) {
    let day = |date: Date| date.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp().as_microsecond();
    let quoted = |word: &str| format!("'{word}'");
    let conditions: String = [
        ("assistant_id =", filter.assistant_id.map(|id| id.to_string())),
        ("type =", filter.kind.as_ref().map(|kind| quoted(kind.as_str()))),
        ("status =", filter.status.as_ref().map(|status| quoted(status.as_str()))),
        ("client_phone_number =", filter.phone_number.as_deref().map(quoted)),
        ("created_at >=", filter.date_from.map(|date| day(date).to_string())),
        ("created_at <", filter.date_to.map(|date| day(date.tomorrow().unwrap()).to_string())),
    ]
    .into_iter()
    .filter_map(|(condition, value)| Some(format!(" AND {condition} {}", value?)))
    .collect();
    let page = format!("SELECT id FROM calls WHERE user_id = 1{conditions} ORDER BY id DESC LIMIT $1 OFFSET $2");
    let count = format!("SELECT COUNT(*) FROM calls WHERE user_id = 1{conditions}");
    store
        .read(|reader| {
            let mut statement = reader.prepare(&page)?;
            let ids = statement.query_map((limit, i64::try_from(offset).unwrap()), |row| row.get(0))?;
            let total: i64 = reader.query_row(&count, [], |row| row.get(0))?;
            Ok((ids.collect::<rusqlite::Result<_>>()?, total.unsigned_abs()))
        })
        .unwrap()
}

fn page(store: &Store, filter: &CallFilter, offset: u64, limit: u32) -> (Vec<i64>, u64) {
    let mut piece = Piece::new(&Channel::default());
    let page = store.calls(1, filter, offset, limit, &mut piece).unwrap();
    assert_eq!(piece.count(), page.ids.len());
    (page.ids, page.total)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..crate::testing::properties() })]

    #[test]
    fn a_page_is_what_plain_sql_gives_whatever_has_happened(
        before in steps(),
        later in steps(),
        asked in proptest::collection::vec((filters(), 0..50_u64, 1..20_u32), 1..20),
    ) {
        let (store, mut now) = (store(), 0);
        for steps in [before, later] {
            for step in &steps {
                take(&store, step, &mut now);
            }
            // Each twice: the second answer comes from what is remembered.
            for (filter, offset, limit) in asked.iter().chain(&asked) {
                prop_assert_eq!(
                    page(&store, filter, *offset, *limit),
                    plainly(&store, filter, *offset, *limit),
                    "{:?} after {}", filter, offset
                );
            }
        }
    }
}

#[test]
fn no_call_belongs_to_a_campaign_and_a_page_beyond_the_end_knows_the_total() {
    let store = store();
    take(&store, &Step::Begin { assistant: 1, kind: 0, phone: 0, outcome: 0, seconds: 0 }, &mut 0);
    let campaign = CallFilter { campaign_id: Some(1), ..CallFilter::default() };
    assert_eq!(page(&store, &campaign, 0, 10), (vec![], 0));
    assert_eq!(page(&store, &CallFilter::default(), u64::MAX, 10), (vec![], 1));
}
