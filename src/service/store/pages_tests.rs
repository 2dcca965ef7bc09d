//! Pages against what plain SQL gives, and the plans behind them.

use super::*;
use crate::service::simulation::Generated;
use crate::service::store::bulk::{self, Owner};
use crate::service::store::many;
use crate::service::store::{Data, NewConversation, execute};
use jiff::Timestamp;
use jiff::civil::Date;
use proptest::prelude::*;
use uuid::Uuid;

const START: &str = "2026-10-01T00:00:00Z";
const DAY_MICROS: i64 = 86_400_000_000;

fn after(seconds: i64) -> Timestamp {
    let start: Timestamp = START.parse().unwrap();
    Timestamp::from_second(start.as_second() + seconds).unwrap()
}

fn date(day: i64) -> Date {
    after(day * 86_400).to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// Two users with two assistants each, and conversations over a week with many equal times.
fn store(rebuild: bool) -> Store {
    filled(rebuild, 400, made_up)
}

fn filled(rebuild: bool, conversations: u32, made_up: fn(&mut fastrand::Rng) -> Generated) -> Store {
    let store = Store::open(&Data::Memory).unwrap();
    let mut rng = fastrand::Rng::with_seed(7);
    store
        .write(|tx| {
            for id in 1..=2_i64 {
                execute(
                    tx,
                    "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                     VALUES ($1, $2, 'tenant', 0, 5, FALSE, 0)",
                    (id, format!("{id}@b.c")),
                )?;
            }
            for (id, user) in [(1_i64, 1_i64), (2, 1), (3, 2), (4, 2)] {
                execute(
                    tx,
                    "INSERT INTO assistants (id, uuid, user_id, name, type, mode, status, voice_id, language_id, timezone, \
                     initial_message, system_prompt, variables, webhook_url, is_webhook_active, created_at, \
                     updated_at) VALUES ($1, $2, $3, 'Name', 'outbound', 'pipeline', 'active', 1, 1, \
                     'UTC', '', '', '{}', NULL, FALSE, 0, 0)",
                    (id, Uuid::from_u128(id.unsigned_abs().into()).as_bytes(), user),
                )?;
            }
            let owners = [
                Owner { user_id: 1, assistants: vec![1, 2], senders: vec![] },
                Owner { user_id: 2, assistants: vec![3, 4], senders: vec![] },
            ];
            bulk::load(tx, if rebuild { u64::MAX } else { 0 }, || {
                owners.iter().try_for_each(|owner| bulk::insert(tx, owner, (0..conversations).map(|_| made_up(&mut rng))))
            })
        })
        .unwrap();
    store
}

fn made_up(rng: &mut fastrand::Rng) -> Generated {
    let created = rng.i64(0..7 * 24) * 3_600;
    Generated {
        uuid: Uuid::from_u128(rng.u128(..)),
        assistant: rng.usize(0..2),
        kind: ConversationType::KNOWN[rng.usize(0..4)].clone(),
        message_count: rng.u32(1..9),
        total_cost_micros: 1,
        ai_enabled: true,
        created_at: after(created),
        updated_at: after(created + rng.i64(0..48) * 3_600),
        ended: rng.bool(),
        sender: None,
        customer: None,
    }
}

/// One of a busy day and the day before, in which pages are found by slots.
fn busy(rng: &mut fastrand::Rng) -> Generated {
    let created = 3 * 86_400 - rng.i64(0..600);
    Generated {
        kind: ConversationType::KNOWN[rng.usize(0..2)].clone(),
        created_at: after(created),
        updated_at: after(created + rng.i64(0..600) * 60),
        ..made_up(rng)
    }
}

/// Every combination of filters.
fn filters() -> Vec<ConversationFilter> {
    let mut filters = Vec::new();
    for kind in [None, Some(ConversationType::Msgapp)] {
        for assistant_id in [None, Some(2)] {
            for date_from in [None, Some(date(2))] {
                for date_to in [None, Some(date(4))] {
                    let kind = kind.clone();
                    let filter = ConversationFilter { kind, assistant_id, date_from, date_to, customer_phone: None };
                    filters.push(filter);
                }
            }
        }
    }
    filters
}

/// The ids of user 1 that a filter lets through, in the order of the list, as plainly as it can be asked for.
fn plainly(store: &Store, filter: &ConversationFilter) -> Vec<Uuid> {
    let all = store
        .read(|reader| {
            let sql = "SELECT uuid, type, assistant_id, created_at FROM conversations WHERE user_id = $1 \
                       ORDER BY updated_at DESC, id DESC";
            Ok(many(reader, sql, [1], |row| {
                let (kind, created): (String, i64) = (row.get(1)?, row.get(3)?);
                Ok((Uuid::from_bytes(row.get(0)?), kind, row.get::<_, i64>(2)?, created))
            })?)
        })
        .unwrap();
    let day = |date: Date| Day::from(date).start();
    all.into_iter()
        .filter(|(_, kind, assistant, created)| {
            filter.kind.as_ref().is_none_or(|wanted| wanted.as_str() == kind)
                && filter.assistant_id.is_none_or(|wanted| wanted == *assistant)
                && filter.date_from.is_none_or(|from| *created >= day(from))
                && filter.date_to.is_none_or(|to| *created < day(to) + DAY_MICROS)
        })
        .map(|(uuid, ..)| uuid)
        .collect()
}

fn paged(store: &Store, filter: &ConversationFilter, limit: u32) -> Vec<Uuid> {
    let mut seen = Vec::new();
    loop {
        let offset = u64::try_from(seen.len()).unwrap();
        let page = store.conversations(1, filter, offset, limit, |row| Ok(row.uuid)).unwrap();
        seen.extend(&page.rows);
        if page.rows.is_empty() {
            assert_eq!(page.total, offset);
            return seen;
        }
    }
}

#[test]
fn pages_show_every_row_once_and_in_order_whatever_the_filter() {
    for rebuild in [false, true] {
        let store = store(rebuild);
        for filter in filters() {
            for limit in [1, 7, 100] {
                assert_eq!(paged(&store, &filter, limit), plainly(&store, &filter), "{filter:?} by {limit}");
            }
        }
    }
}

#[test]
fn pages_of_a_busy_day_show_every_row_once_and_in_order_whatever_the_filter() {
    let store = filled(false, 3000, busy);
    for filter in filters() {
        for limit in [15, 100] {
            assert_eq!(paged(&store, &filter, limit), plainly(&store, &filter), "{filter:?} by {limit}");
        }
    }
}

/// How many rows the index is stepped over for the page after `offset`.
fn stepped_over(store: &Store, filter: &ConversationFilter, offset: u64) -> u64 {
    let found = |reader: &Connection| store.pages.find(reader, &CONVERSATIONS, &narrowing(1, filter), offset, 15);
    store.read_at_once(found).unwrap().slices.iter().map(Slice::steps).sum()
}

#[test]
fn a_page_steps_over_half_a_slot_at_most_and_not_over_half_a_day() {
    let store = filled(false, 3000, busy);
    let kind = Some(ConversationType::KNOWN[0].clone());
    for filter in
        [ConversationFilter::default(), ConversationFilter { kind, assistant_id: Some(1), ..Default::default() }]
    {
        for offset in (0..700).step_by(15) {
            assert!(stepped_over(&store, &filter, offset) <= 200, "{filter:?} after {offset}");
        }
    }
}

/// User, narrowing, level, stretch, day and count.
type Counted = (i64, String, i64, i64, i64, i64);

/// The counts as they are kept, and as plain SQL counts them.
fn counts(store: &Store) -> [Vec<Counted>; 2] {
    let kept = "SELECT user_id, narrowing, level, stretch, created_day, count FROM list_counts WHERE list = 1 \
                ORDER BY 1, 2, 3, 4, 5";
    let plain = "WITH levels AS (SELECT 0 AS level, 86400000000 AS span UNION ALL SELECT 1, 900000000), \
                 words AS (SELECT 0 AS a, 0 AS t UNION ALL SELECT 0, 1 UNION ALL SELECT 1, 0 UNION ALL SELECT 1, 1) \
                 SELECT user_id, CASE WHEN a THEN assistant_id ELSE '' END || '/' || CASE WHEN t THEN type ELSE '' END, \
                 level, updated_at / span, created_at / 86400000000, COUNT(*) FROM conversations, levels, words \
                 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5";
    [kept, plain].map(|sql| {
        store
            .read(|reader| {
                let mut statement = reader.prepare(sql)?;
                let rows = statement.query_map([], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
                })?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            })
            .unwrap()
    })
}

#[test]
fn counts_are_in_step_after_every_kind_of_change() {
    let store = store(false);
    let holds = || {
        let [kept, plain] = counts(&store);
        assert_eq!(kept, plain);
    };
    holds();
    let opening = NewConversation {
        user_id: 1,
        assistant_id: 1,
        kind: ConversationType::Msgapp,
        between: None,
        uuid: Uuid::from_u128(1),
    };
    store.receive(&opening, "Hello", after(900_000)).unwrap();
    holds();
    // In the same slot, in another one, and on another day.
    for (seconds, which) in [(900_010, 0), (902_000, 0), (902_001, 7), (990_000, 0)] {
        assert!(store.exchange(1, which, 10, after(seconds)).unwrap());
        holds();
    }
    assert!(store.end_any(2, 6, after(990_001)).unwrap());
    holds();
}

#[test]
fn a_page_beyond_the_end_is_empty_and_knows_the_total() {
    let page = store(false).conversations(1, &ConversationFilter::default(), u64::MAX, 100, |_| Ok(())).unwrap();
    assert_eq!((page.rows.len(), page.total), (0, 400));
}

#[test]
fn changes_keep_totals_and_order() {
    let store = store(false);
    // After each kind of change, since what was read before it is kept.
    let holds = || {
        for filter in filters() {
            assert_eq!(paged(&store, &filter, 10), plainly(&store, &filter), "{filter:?}");
        }
    };
    holds();
    for day in 9..12 {
        for uuid in 0..3 {
            let opening = NewConversation {
                user_id: 1,
                assistant_id: 1,
                kind: ConversationType::Msgapp,
                between: None,
                uuid: Uuid::from_u128(day * 10 + uuid),
            };
            store.receive(&opening, "Hello", after(86_400 * i64::try_from(day).unwrap())).unwrap();
        }
        holds();
        let now = after(86_400 * i64::try_from(day).unwrap() + 60);
        assert!(store.exchange(1, 5, 10, now).unwrap());
        holds();
        // Twice on one day: no count changes the second time, and yet the order does.
        assert!(store.exchange(1, 9, 10, now).unwrap());
        holds();
        assert!(store.end_any(1, 6, now).unwrap());
        holds();
    }
}

#[test]
fn the_last_conversation_to_end_leaves_none_open() {
    let store = store(false);
    while store.end_any(2, 3, after(900_000)).unwrap() {}
    assert!(!store.exchange(2, 3, 1, after(900_001)).unwrap());
}

/// Something that happens to the conversations, so many seconds after the last.
#[derive(Debug, Clone)]
enum Step {
    Begin { user: i64, assistant: i64, kind: usize },
    Exchange(u64),
    End(u64),
}

fn steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
    let begin = (1..=2_i64, 0..2_i64, 0..4_usize).prop_map(|(user, nth, kind)| Step::Begin {
        user,
        assistant: 2 * user - 1 + nth,
        kind,
    });
    let step = prop_oneof![4 => begin, 3 => (0..20_u64).prop_map(Step::Exchange), 1 => (0..20_u64).prop_map(Step::End)];
    // A clock that is put back among them.
    let waits = prop_oneof![4 => Just(0), 4 => 0..1200_i64, 1 => 0..2 * 86_400_i64, 1 => -86_400..0_i64];
    proptest::collection::vec((waits, step), 0..40)
}

fn take(store: &Store, step: &Step, number: u128, now: Timestamp) {
    match *step {
        Step::Begin { user, assistant, kind } => {
            let opening = NewConversation {
                user_id: user,
                assistant_id: assistant,
                kind: ConversationType::KNOWN[kind].clone(),
                between: None,
                uuid: Uuid::from_u128(number),
            };
            store.receive(&opening, "Hello", now).unwrap();
        }
        Step::Exchange(which) => drop(store.exchange(1, which, 10, now).unwrap()),
        Step::End(which) => drop(store.end_any(1, which, now).unwrap()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..crate::testing::properties() })]

    #[test]
    fn a_page_is_what_plain_sql_gives_whatever_has_happened(
        steps in steps(),
        conversations in 0..300_u32,
        is_busy in any::<bool>(),
        asked in proptest::collection::vec((0..16_usize, 0..400_usize, 1..40_usize), 1..12),
    ) {
        let store = filled(false, conversations, if is_busy { busy } else { made_up });
        let mut now = 4 * 86_400;
        for (number, (wait, step)) in (1..).zip(&steps) {
            now += wait;
            take(&store, step, number, after(now));
        }
        for (which, offset, limit) in asked {
            let filter = &filters()[which];
            let all = plainly(&store, filter);
            let expected: Vec<_> = all.iter().skip(offset).take(limit).copied().collect();
            let limit = u32::try_from(limit).unwrap();
            let offset = u64::try_from(offset).unwrap();
            let page = store.conversations(1, filter, offset, limit, |row| Ok(row.uuid)).unwrap();
            prop_assert_eq!((page.rows, page.total), (expected, all.len() as u64), "{:?} after {}", filter, offset);
        }
        let [kept, plain] = counts(&store);
        prop_assert_eq!(kept, plain);
    }
}
