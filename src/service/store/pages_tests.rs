//! Pages against what plain SQL gives, and the plans behind them.

use super::*;
use crate::api::ConversationType;
use crate::service::simulation::Generated;
use crate::service::store::bulk::{self, Owner};
use crate::service::store::{Data, NewConversation, execute};
use jiff::Timestamp;
use jiff::civil::Date;
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
    let day = |date: Date| Day::from(date).micros().start;
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
        let page = store.conversations(1, filter, offset, limit).unwrap();
        seen.extend(page.rows.iter().map(|row| row.uuid));
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
    store
        .read_at_once(|reader| {
            let days = store.days(reader, 1, filter)?;
            let mut rows = 0;
            for (day, part) in parts(&days, Day::micros, offset, 15) {
                let parts = narrowed(reader, 1, filter, day, part)?;
                rows += parts.iter().map(|part| part.skip.min(part.after())).sum::<u64>();
            }
            Ok(rows)
        })
        .unwrap()
}

#[test]
fn a_page_steps_over_half_a_slot_at_most_and_not_over_half_a_day() {
    let store = filled(false, 3000, busy);
    let kind = Some(ConversationType::KNOWN[0].clone());
    for filter in
        [ConversationFilter::default(), ConversationFilter { kind, assistant_id: Some(1), ..Default::default() }]
    {
        for offset in (0..700).step_by(15) {
            assert!(stepped_over(&store, &filter, offset) <= WORTH_SLOTS, "{filter:?} after {offset}");
        }
    }
}

/// User, assistant, type, slot and count.
type Counted = (i64, i64, String, i64, i64);

/// The slots as they are kept, and as plain SQL counts them.
fn slots(store: &Store) -> [Vec<Counted>; 2] {
    let kept = "SELECT user_id, assistant_id, type, slot, count FROM conversation_slots ORDER BY 1, 2, 3, 4";
    let plain = "WITH each AS (SELECT user_id, assistant_id, type, updated_at / 900000000 AS slot FROM conversations) \
                 SELECT *, COUNT(*) FROM each GROUP BY 1, 2, 3, 4 \
                 UNION ALL SELECT user_id, 0, type, slot, COUNT(*) FROM each GROUP BY 1, 3, 4 \
                 UNION ALL SELECT user_id, assistant_id, '', slot, COUNT(*) FROM each GROUP BY 1, 2, 4 \
                 UNION ALL SELECT user_id, 0, '', slot, COUNT(*) FROM each GROUP BY 1, 4 ORDER BY 1, 2, 3, 4";
    [kept, plain].map(|sql| {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
        store.read(|reader| Ok(many(reader, sql, [], row)?)).unwrap()
    })
}

#[test]
fn slots_are_in_step_after_every_kind_of_change_and_after_a_migration() {
    let store = store(false);
    let holds = || {
        let [kept, plain] = slots(&store);
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
    store
        .write(|tx| {
            tx.execute_batch("DROP TABLE conversation_slots")?;
            Ok(tx.execute_batch(include_str!("sql/0007_slots.sql"))?)
        })
        .unwrap();
    holds();
}

#[test]
fn a_page_beyond_the_end_is_empty_and_knows_the_total() {
    let page = store(false).conversations(1, &ConversationFilter::default(), u64::MAX, 100).unwrap();
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

/// The plan of every statement behind a page: each part of each filter, from both ends of a day.
fn plans(store: &Store) -> Vec<(String, Vec<String>)> {
    let mut plans = Vec::new();
    for filter in filters() {
        for skip in [0, 20] {
            let micros = Day::of(after(0).as_microsecond()).micros();
            let part = PageSlice { micros, count: 30, skip, take: 10 };
            let (sql, clause) = statement(1, &filter, &part);
            let plan = store
                .read(|reader| {
                    let explain = format!("EXPLAIN QUERY PLAN {sql}");
                    Ok(many(reader, &explain, clause.params(), |row| row.get::<_, String>(3))?)
                })
                .unwrap();
            plans.push((sql, plan));
        }
    }
    plans
}

#[test]
fn no_plan_scans_the_conversations_or_sorts_them() {
    let store = store(false);
    let plans = plans(&store);
    assert_eq!(plans.len(), 32);
    for (sql, plan) in plans {
        let shown = plan.join("\n");
        assert!(
            plan.iter().any(|step| step.starts_with("SEARCH conversations USING COVERING INDEX")),
            "{sql}\n{shown}"
        );
        for step in &plan {
            let scans = step.starts_with("SCAN") && step != "SCAN page";
            assert!(!scans && !step.contains("TEMP B-TREE"), "{sql}\n{shown}");
        }
    }
}

#[test]
fn plans_use_the_index_made_for_the_filter() {
    let store = store(false);
    for (filter, index) in [
        (ConversationFilter::default(), "conversations_by_user"),
        (
            ConversationFilter { kind: Some(ConversationType::Api), ..ConversationFilter::default() },
            "conversations_by_user_type",
        ),
        (ConversationFilter { assistant_id: Some(1), ..ConversationFilter::default() }, "conversations_by_assistant"),
    ] {
        let part = PageSlice { micros: 0..1, count: 30, skip: 0, take: 10 };
        let (sql, clause) = statement(1, &filter, &part);
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let plan = store
            .read(|reader| Ok(many(reader, &explain, clause.params(), |row| row.get::<_, String>(3))?))
            .unwrap()
            .join("\n");
        assert!(plan.contains(&format!("COVERING INDEX {index} (")), "{plan}");
    }
}
