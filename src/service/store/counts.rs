//! How many conversations there are, by everything that can be filtered and by day.
//!
//! Every change of a conversation keeps these in step in its own transaction, so a total never needs a look at the
//! conversations themselves.

use super::filter::Where;
use super::{StoreError, execute, many, one};
use crate::api::ConversationFilter;
use jiff::civil::{Date, date};
use rusqlite::{Connection, Transaction};
use std::ops::Range;

const DAY_MICROS: i64 = 86_400_000_000;

/// A day in UTC, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Day(pub(super) i64);

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

/// What conversations are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Bucket {
    pub(super) user_id: i64,
    pub(super) assistant_id: i64,
    pub(super) kind: String,
    pub(super) created: Day,
    pub(super) updated: Day,
}

/// Adds to a count, or takes from it.
pub(super) fn add(tx: &Transaction<'_>, bucket: &Bucket, change: i64) -> Result<(), StoreError> {
    let Bucket { user_id, assistant_id, kind, created, updated } = bucket;
    execute(
        tx,
        "INSERT INTO conversation_counts (user_id, updated_day, assistant_id, type, created_day, count) \
         VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (user_id, updated_day, assistant_id, type, created_day) \
         DO UPDATE SET count = conversation_counts.count + excluded.count",
        (user_id, updated.0, assistant_id, kind, created.0, change),
    )?;
    if change < 0 {
        execute(
            tx,
            "DELETE FROM conversation_counts WHERE user_id = $1 AND updated_day = $2 AND assistant_id = $3 \
             AND type = $4 AND created_day = $5 AND count = 0",
            (user_id, updated.0, assistant_id, kind, created.0),
        )?;
    }
    execute(tx, "UPDATE users SET counts_version = counts_version + 1 WHERE id = $1", [user_id])?;
    Ok(())
}

/// Another one whenever a count of the user has changed.
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
