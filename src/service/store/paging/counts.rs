//! How many rows of a list there are: by everything that it is narrowed by, by stretch of its key and by day of beginning.
//!
//! Every change of a row keeps these in step in its own transaction, so a total never needs a look at the rows.

use super::{List, Narrowing};
use crate::service::store::{StoreError, execute, many, one};
use jiff::civil::{Date, date};
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const DAY_MICROS: i64 = 86_400_000_000;

/// Coarse stretches, as the table of counts has them.
const COARSE: i64 = 0;
/// Fine stretches.
const FINE: i64 = 1;

/// A day in UTC, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) struct Day(i64);

impl Day {
    /// The day of a time in microseconds.
    pub(in super::super) fn of(micros: i64) -> Self {
        Self(micros.div_euclid(DAY_MICROS))
    }

    /// Its first microsecond.
    pub(in super::super) fn start(self) -> i64 {
        self.0 * DAY_MICROS
    }

    /// The first microsecond after it.
    pub(in super::super) fn end(self) -> i64 {
        (self.0 + 1) * DAY_MICROS
    }
}

impl From<Date> for Day {
    fn from(day: Date) -> Self {
        Self(i64::from((day - date(1970, 1, 1)).get_days()))
    }
}

/// What a row is counted by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Entry {
    user_id: i64,
    words: Vec<String>,
    fine: i64,
    created: Day,
}

impl Entry {
    /// `words`: the value of each property that the list is narrowed by. `created_at`: microseconds since 1970.
    pub(in super::super) fn new(list: &List, user_id: i64, words: &[&str], key: i64, created_at: i64) -> Self {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Self { user_id, words, fine: key.div_euclid(list.fine), created: Day::of(created_at) }
    }

    /// The words of every narrowing that lets the row through.
    fn narrowings(&self) -> impl Iterator<Item = String> {
        (0..1_u32 << self.words.len()).map(|chosen| {
            let words = self.words.iter().enumerate();
            let words: Vec<_> = words.map(|(nth, word)| (chosen >> nth & 1 == 1).then_some(word.as_str())).collect();
            joined(&words)
        })
    }
}

/// The words of a narrowing as the table has them, such as `12//completed`.
pub(super) fn joined(words: &[Option<&str>]) -> String {
    words.iter().map(|word| word.unwrap_or_default()).collect::<Vec<_>>().join("/")
}

/// Adds to counts, or takes from them. What is taken from a count that gets it back is not written.
pub(in super::super) fn add(
    tx: &Transaction<'_>,
    list: &List,
    changes: impl IntoIterator<Item = (Entry, i64)>,
) -> Result<(), StoreError> {
    // In the order of their key, so that writers that lock rows never wait for each other in a circle.
    let mut counts: BTreeMap<_, i64> = BTreeMap::new();
    for (entry, change) in changes {
        for words in entry.narrowings() {
            for (level, stretch) in [(COARSE, entry.fine.div_euclid(list.ratio)), (FINE, entry.fine)] {
                *counts.entry((entry.user_id, words.clone(), level, stretch, entry.created.0)).or_default() += change;
            }
        }
    }
    counts.retain(|_, change| *change != 0);
    let users: BTreeSet<i64> = counts.keys().map(|(user_id, ..)| *user_id).collect();
    for ((user_id, words, level, stretch, created), change) in counts {
        execute(
            tx,
            "INSERT INTO list_counts (list, user_id, narrowing, level, stretch, created_day, count) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (list, user_id, narrowing, level, stretch, created_day) \
             DO UPDATE SET count = list_counts.count + excluded.count",
            (list.number, user_id, &words, level, stretch, created, change),
        )?;
        if change < 0 {
            execute(
                tx,
                "DELETE FROM list_counts WHERE list = $1 AND user_id = $2 AND narrowing = $3 AND level = $4 \
                 AND stretch = $5 AND created_day = $6 AND count = 0",
                (list.number, user_id, &words, level, stretch, created),
            )?;
        }
    }
    for user_id in users {
        execute(
            tx,
            "INSERT INTO list_versions (list, user_id, version) VALUES ($1, $2, 1) \
             ON CONFLICT (list, user_id) DO UPDATE SET version = list_versions.version + 1",
            (list.number, user_id),
        )?;
    }
    Ok(())
}

/// Another one whenever a count of the user's list has changed.
pub(super) fn version(reader: &Connection, list: &List, user_id: i64) -> Result<u64, StoreError> {
    let find = "SELECT version FROM list_versions WHERE list = $1 AND user_id = $2";
    let version = one(reader, find, (list.number, user_id), |row| row.get::<_, i64>(0)).optional()?;
    Ok(version.unwrap_or_default().unsigned_abs())
}

/// How many rows match in each coarse stretch: newest first, stretches with none left out.
pub(super) fn coarse(reader: &Connection, list: &List, narrowing: &Narrowing) -> Result<Vec<(i64, u64)>, StoreError> {
    read(reader, list, narrowing, COARSE, i64::MIN..i64::MAX)
}

/// The same of the fine stretches that make a coarse one.
pub(super) fn fine(
    reader: &Connection,
    list: &List,
    narrowing: &Narrowing,
    coarse: i64,
) -> Result<Vec<(i64, u64)>, StoreError> {
    read(reader, list, narrowing, FINE, coarse * list.ratio..(coarse + 1) * list.ratio)
}

fn read(
    reader: &Connection,
    list: &List,
    narrowing: &Narrowing,
    level: i64,
    stretches: Range<i64>,
) -> Result<Vec<(i64, u64)>, StoreError> {
    let (from, to) = narrowing.created.map_or((i64::MIN, i64::MAX), |(from, to)| (from.0, to.0));
    let params = (list.number, narrowing.user_id, &narrowing.words, level, stretches.start, stretches.end, from, to);
    Ok(many(
        reader,
        "SELECT stretch, CAST(SUM(count) AS BIGINT) FROM list_counts WHERE list = $1 AND user_id = $2 AND narrowing = $3 \
         AND level = $4 AND stretch >= $5 AND stretch < $6 AND created_day >= $7 AND created_day <= $8 \
         GROUP BY stretch ORDER BY stretch DESC",
        params,
        |row| Ok((row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default())),
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_counted_under_every_choice_of_its_words() {
        let entry = Entry::new(&super::super::CALLS, 1, &["12", "web"], 5, 0);
        assert_eq!(entry.narrowings().collect::<Vec<_>>(), ["/", "12/", "/web", "12/web"]);
    }

    #[test]
    fn days_hold_for_times_before_1970_and_for_the_ends_of_the_calendar() {
        assert_eq!(Day::of(-1), Day(-1));
        assert_eq!(Day::of(0), Day(0));
        assert_eq!(Day::from(date(1970, 1, 2)), Day(1));
        for end in [Date::MIN, Date::MAX] {
            let day = Day::from(end);
            assert_eq!((Day::of(day.start()), Day::of(day.end() - 1)), (day, day));
        }
    }
}
