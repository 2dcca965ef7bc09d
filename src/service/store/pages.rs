//! Pages of the conversation list, as quick in the middle of a million rows as at its ends.
//!
//! The counts say on which day (of the last change) a page begins, so only that day's rows before the page are
//! stepped over, from the nearer end of the day and in an index that answers every filter by itself.

use super::conversations::{COLUMNS, ConversationRow, JOINS, Stored};
use super::counts::{self, Day};
use super::filter::Where;
use super::{Store, StoreError, many};
use crate::api::ConversationFilter;
use crate::service::known::Known;
use rusqlite::Connection;
use std::cmp::Reverse;
use std::sync::Arc;

/// A page and how many rows there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRows {
    /// The rows: newest change first, of equal ones the newer conversation first.
    pub rows: Vec<ConversationRow>,
    /// How many rows match the filter.
    pub total: u64,
}

type Days = Arc<[(Day, u64)]>;

/// Counts by day of a user's filter. They hold until one of the user's counts changes.
pub(super) type KnownDays = Known<256, (i64, ConversationFilter), Days>;

/// A part of one day's rows, counted from the newest.
#[derive(Debug, Clone, Copy)]
struct Part {
    day: Day,
    /// Rows of that day.
    count: u64,
    skip: u64,
    take: u64,
}

impl Store {
    /// The `limit` rows after the first `offset`. The assistant of the filter must be one of the user's.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn conversations(
        &self,
        user_id: i64,
        filter: &ConversationFilter,
        offset: u64,
        limit: u32,
    ) -> Result<PageRows, StoreError> {
        self.read_at_once(|reader| {
            let days = self.days(reader, user_id, filter)?;
            let mut stored = Vec::new();
            for part in parts(&days, offset, u64::from(limit)) {
                stored.append(&mut read(reader, user_id, filter, part)?);
            }
            stored.sort_unstable_by_key(|row: &Stored| Reverse((row.updated_at, row.id)));
            let rows = stored.into_iter().map(ConversationRow::try_from).collect::<Result<_, _>>()?;
            Ok(PageRows { rows, total: days.iter().map(|(_, count)| count).sum() })
        })
    }

    /// How many conversations match, by the day they last changed.
    fn days(&self, reader: &Connection, user_id: i64, filter: &ConversationFilter) -> Result<Days, StoreError> {
        // Read in the same moment as the rows that they belong to.
        let version = counts::version(reader, user_id)?;
        let count = || Ok(counts::by_day(reader, user_id, filter)?.into());
        self.known_days.get_or(version, (user_id, filter.clone()), count)
    }
}

/// Which rows of which days make up a page.
fn parts(days: &[(Day, u64)], offset: u64, limit: u64) -> Vec<Part> {
    let (mut before, mut wanted) = (offset, limit);
    let mut parts = Vec::new();
    for &(day, count) in days {
        if wanted == 0 {
            break;
        }
        let skip = before.min(count);
        before -= skip;
        let take = wanted.min(count - skip);
        wanted -= take;
        if take > 0 {
            parts.push(Part { day, count, skip, take });
        }
    }
    parts
}

/// The rows of a part, in no order.
fn read(reader: &Connection, user_id: i64, filter: &ConversationFilter, part: Part) -> Result<Vec<Stored>, StoreError> {
    let (sql, clause) = statement(user_id, filter, part);
    Ok(many(reader, &sql, clause.params(), Stored::read)?)
}

fn statement(user_id: i64, filter: &ConversationFilter, part: Part) -> (String, Where) {
    let after = part.count - part.skip - part.take;
    let (order, offset) = if part.skip <= after { ("DESC", part.skip) } else { ("ASC", after) };
    let owner = match filter.assistant_id {
        Some(assistant_id) => Where::default().and("assistant_id =", assistant_id),
        None => Where::default().and("user_id =", user_id),
    };
    let clause = owner
        .and_if("type =", filter.kind.as_ref().map(|kind| kind.as_str().to_owned()))
        .and("updated_at >=", part.day.micros().start)
        .and("updated_at <", part.day.micros().end)
        .and_if("created_at >=", filter.date_from.map(|date| Day::from(date).micros().start))
        .and_if("created_at <", filter.date_to.map(|date| Day::from(date).micros().end))
        .text(&format!(" ORDER BY updated_at {order}, id {order}"))
        .then(" LIMIT", signed(part.take))
        .then(" OFFSET", signed(offset));
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT id AS page_id FROM conversations{}) AS page \
         JOIN conversations AS c ON c.id = page.page_id {JOINS}",
        clause.sql()
    );
    (sql, clause)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
