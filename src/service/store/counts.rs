//! How many conversations there are, by everything that can be filtered and by day, and by quarters of an hour.
//!
//! Every change of a conversation keeps these in step in its own transaction, so a total never needs a look at the
//! conversations themselves.

use super::filter::Where;
use super::{StoreError, execute, many, one};
use crate::api::ConversationFilter;
use jiff::civil::{Date, date};
use rusqlite::{Connection, Transaction};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

const DAY_MICROS: i64 = 86_400_000_000;
const SLOT_MICROS: i64 = 900_000_000;
/// Stands for all assistants of a user where slots are counted; no assistant has it.
const ALL_ASSISTANTS: i64 = 0;
/// Stands for all types there.
const ALL_KINDS: &str = "";

/// A day in UTC, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Day(i64);

impl Day {
    /// The day of a time in microseconds.
    pub(super) fn of(micros: i64) -> Self {
        Self(micros.div_euclid(DAY_MICROS))
    }

    /// Its microseconds.
    pub(super) fn micros(self) -> Range<i64> {
        self.0 * DAY_MICROS..(self.0 + 1) * DAY_MICROS
    }
}

impl From<Date> for Day {
    fn from(day: Date) -> Self {
        Self(i64::from((day - date(1970, 1, 1)).get_days()))
    }
}

/// A quarter of an hour, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(i64);

impl Slot {
    /// The slot of a time in microseconds.
    pub(super) fn of(micros: i64) -> Self {
        Self(micros.div_euclid(SLOT_MICROS))
    }

    /// Its microseconds.
    pub(super) fn micros(self) -> Range<i64> {
        self.0 * SLOT_MICROS..(self.0 + 1) * SLOT_MICROS
    }
}

/// What conversations are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Bucket {
    pub(super) user_id: i64,
    pub(super) assistant_id: i64,
    pub(super) kind: String,
    pub(super) created: Day,
    pub(super) updated: Slot,
}

/// Adds to counts, or takes from them. What is taken from a count that gets it back is not written.
pub(super) fn add<'a>(
    tx: &Transaction<'_>,
    changes: impl IntoIterator<Item = (&'a Bucket, i64)>,
) -> Result<(), StoreError> {
    let mut days: HashMap<_, i64> = HashMap::new();
    let mut slots: HashMap<_, i64> = HashMap::new();
    for (Bucket { user_id, assistant_id, kind, created, updated }, change) in changes {
        let day = Day::of(updated.micros().start);
        *days.entry((*user_id, day.0, *assistant_id, kind.as_str(), created.0)).or_default() += change;
        for assistant_id in [ALL_ASSISTANTS, *assistant_id] {
            for kind in [ALL_KINDS, kind] {
                *slots.entry((*user_id, assistant_id, kind, updated.0)).or_default() += change;
            }
        }
    }
    let mut users = HashSet::new();
    for ((user_id, day, assistant_id, kind, created), change) in days.into_iter().filter(|(_, change)| *change != 0) {
        execute(
            tx,
            "INSERT INTO conversation_counts (user_id, updated_day, assistant_id, type, created_day, count) \
             VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (user_id, updated_day, assistant_id, type, created_day) \
             DO UPDATE SET count = conversation_counts.count + excluded.count",
            (user_id, day, assistant_id, kind, created, change),
        )?;
        if change < 0 {
            execute(
                tx,
                "DELETE FROM conversation_counts WHERE user_id = $1 AND updated_day = $2 AND assistant_id = $3 \
                 AND type = $4 AND created_day = $5 AND count = 0",
                (user_id, day, assistant_id, kind, created),
            )?;
        }
        users.insert(user_id);
    }
    for ((user_id, assistant_id, kind, slot), change) in slots.into_iter().filter(|(_, change)| *change != 0) {
        execute(
            tx,
            "INSERT INTO conversation_slots (user_id, assistant_id, type, slot, count) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (user_id, assistant_id, type, slot) \
             DO UPDATE SET count = conversation_slots.count + excluded.count",
            (user_id, assistant_id, kind, slot, change),
        )?;
        if change < 0 {
            execute(
                tx,
                "DELETE FROM conversation_slots WHERE user_id = $1 AND assistant_id = $2 AND type = $3 AND slot = $4 \
                 AND count = 0",
                (user_id, assistant_id, kind, slot),
            )?;
        }
    }
    for user_id in users {
        execute(tx, "UPDATE users SET counts_version = counts_version + 1 WHERE id = $1", [user_id])?;
    }
    Ok(())
}

/// Another one whenever a count by day of the user has changed.
pub(super) fn version(reader: &Connection, user_id: i64) -> Result<u64, StoreError> {
    let find = "SELECT counts_version FROM users WHERE id = $1";
    Ok(one(reader, find, [user_id], |row| row.get::<_, i64>(0))?.unsigned_abs())
}

/// How many conversations match, by the day they last changed: newest day first, days with none left out.
pub(super) fn by_day(
    reader: &Connection,
    user_id: i64,
    filter: &ConversationFilter,
) -> Result<Vec<(Day, u64)>, StoreError> {
    let (sql, clause) = statement(user_id, filter);
    Ok(many(reader, &sql, clause.params(), |row| {
        Ok((Day(row.get(0)?), u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default()))
    })?)
}

/// How many conversations last changed in each slot of a day, without regard to the filter's dates: newest slot first,
/// slots with none left out.
pub(super) fn by_slot(
    reader: &Connection,
    user_id: i64,
    filter: &ConversationFilter,
    day: Day,
) -> Result<Vec<(Slot, u64)>, StoreError> {
    let Range { start, end } = day.micros();
    let params = (
        user_id,
        filter.assistant_id.unwrap_or(ALL_ASSISTANTS),
        filter.kind.as_ref().map_or(ALL_KINDS, |kind| kind.as_str()),
        Slot::of(start).0,
        Slot::of(end).0,
    );
    Ok(many(reader, BY_SLOT, params, |row| {
        Ok((Slot(row.get(0)?), u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default()))
    })?)
}

const BY_SLOT: &str = "SELECT slot, count FROM conversation_slots WHERE user_id = $1 AND assistant_id = $2 AND type = $3 \
    AND slot >= $4 AND slot < $5 ORDER BY slot DESC";

fn statement(user_id: i64, filter: &ConversationFilter) -> (String, Where) {
    let from = filter.date_from.map(|date| Day::from(date).0);
    let clause = Where::default()
        .and("user_id =", user_id)
        // A conversation does not change before it begins.
        .and_if("updated_day >=", from)
        .and_if("assistant_id =", filter.assistant_id)
        .and_if("type =", filter.kind.as_ref().map(|kind| kind.as_str().to_owned()))
        .and_if("created_day >=", from)
        .and_if("created_day <=", filter.date_to.map(|date| Day::from(date).0))
        .text(" GROUP BY updated_day ORDER BY updated_day DESC");
    let sql = format!("SELECT updated_day, CAST(SUM(count) AS BIGINT) FROM conversation_counts{}", clause.sql());
    (sql, clause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ConversationType;
    use crate::service::store::{Data, Store};

    #[test]
    fn no_plan_sorts_the_counts_or_looks_at_those_of_other_users() {
        let store = Store::open(&Data::Memory).unwrap();
        let one = ConversationFilter { date_from: Some(date(2026, 1, 1)), ..ConversationFilter::default() };
        let all = ConversationFilter { kind: Some(ConversationType::Api), assistant_id: Some(1), ..one.clone() };
        for filter in [ConversationFilter::default(), one, all] {
            let (sql, clause) = statement(1, &filter);
            let explain = format!("EXPLAIN QUERY PLAN {sql}");
            let plan = store
                .read(|reader| Ok(many(reader, &explain, clause.params(), |row| row.get::<_, String>(3))?))
                .unwrap();
            assert_eq!(plan.len(), 1, "{plan:?}");
            assert!(plan[0].starts_with("SEARCH conversation_counts USING PRIMARY KEY (user_id=?"), "{plan:?}");
        }
    }

    #[test]
    fn the_slots_of_a_day_are_one_stretch_of_their_key() {
        let store = Store::open(&Data::Memory).unwrap();
        let explain = format!("EXPLAIN QUERY PLAN {BY_SLOT}");
        let plan =
            store.read(|reader| Ok(many(reader, &explain, (1, 0, "", 0, 96), |row| row.get::<_, String>(3))?)).unwrap();
        let found = "SEARCH conversation_slots USING PRIMARY KEY (user_id=? AND assistant_id=? AND type=? AND slot>? AND slot<?)";
        assert_eq!(plan, [found]);
    }

    #[test]
    fn days_hold_for_times_before_1970_and_for_the_ends_of_the_calendar() {
        assert_eq!(Day::of(-1), Day(-1));
        assert_eq!(Day::of(0), Day(0));
        assert_eq!(Day::from(date(1970, 1, 2)), Day(1));
        for end in [Date::MIN, Date::MAX] {
            let day = Day::from(end);
            assert_eq!(Day::of(day.micros().start), day);
            assert_eq!(Day::of(day.micros().end - 1), day);
        }
    }
}
