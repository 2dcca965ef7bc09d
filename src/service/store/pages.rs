//! Pages of the conversation list, as quick in the middle of a million rows as at its ends.
//!
//! The counts say on which day (of the last change) a page begins, and in a busy day in which quarter of an hour, so only
//! that one's rows before the page are stepped over, from its nearer end and in an index that answers every filter by
//! itself.

use super::conversations::{COLUMNS, ConversationRecord, ConversationRow, JOINS};
use super::counts::{self, Day, Slot};
use super::filter::Where;
use super::{Store, StoreError, many};
use crate::api::ConversationFilter;
use crate::service::cache::VersionedCache;
use rusqlite::Connection;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Stepping over fewer rows than this is quicker than looking up the slots of the day.
const WORTH_SLOTS: u64 = 200;

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
pub(super) type DayCounts = VersionedCache<256, (i64, ConversationFilter), Days>;

/// A part of the rows that last changed in a stretch of time, counted from the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PageSlice {
    /// Microseconds since 1970.
    micros: Range<i64>,
    /// Rows of that time.
    count: u64,
    skip: u64,
    take: u64,
}

impl PageSlice {
    /// Rows of that time after the part.
    fn after(&self) -> u64 {
        self.count - self.skip - self.take
    }
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
            for (day, part) in parts(&days, Day::micros, offset, u64::from(limit)) {
                for part in narrowed(reader, user_id, filter, day, part)? {
                    stored.append(&mut read(reader, user_id, filter, &part)?);
                }
            }
            stored.sort_unstable_by_key(|row: &ConversationRecord| Reverse((row.updated_at, row.id)));
            let rows = stored.into_iter().map(ConversationRow::try_from).collect::<Result<_, _>>()?;
            Ok(PageRows { rows, total: days.iter().map(|(_, count)| count).sum() })
        })
    }

    /// How many conversations match, by the day they last changed.
    fn days(&self, reader: &Connection, user_id: i64, filter: &ConversationFilter) -> Result<Days, StoreError> {
        // Read in the same moment as the rows that they belong to.
        let version = counts::version(reader, user_id)?;
        let count = || Ok(counts::by_day(reader, user_id, filter)?.into());
        self.day_counts.get_or(version, (user_id, filter.clone()), count)
    }
}

/// Which rows of which times make up a page.
fn parts<T: Copy>(
    times: &[(T, u64)],
    micros: impl Fn(T) -> Range<i64>,
    offset: u64,
    limit: u64,
) -> Vec<(T, PageSlice)> {
    let (mut before, mut wanted) = (offset, limit);
    let mut parts = Vec::new();
    for &(time, count) in times {
        if wanted == 0 {
            break;
        }
        let skip = before.min(count);
        before -= skip;
        let take = wanted.min(count - skip);
        wanted -= take;
        if take > 0 {
            parts.push((time, PageSlice { micros: micros(time), count, skip, take }));
        }
    }
    parts
}

/// The part of a day as parts of its slots, where that spares stepping over many rows.
fn narrowed(
    reader: &Connection,
    user_id: i64,
    filter: &ConversationFilter,
    day: Day,
    part: PageSlice,
) -> Result<Vec<PageSlice>, StoreError> {
    if part.skip.min(part.after()) < WORTH_SLOTS {
        return Ok(vec![part]);
    }
    let slots = counts::by_slot(reader, user_id, filter, day)?;
    // Where the filter's dates leave out some rows of the day, its slots do not tell which.
    if slots.iter().map(|(_, count)| count).sum::<u64>() != part.count {
        return Ok(vec![part]);
    }
    Ok(parts(&slots, Slot::micros, part.skip, part.take).into_iter().map(|(_, part)| part).collect())
}

/// The rows of a part, in no order.
fn read(
    reader: &Connection,
    user_id: i64,
    filter: &ConversationFilter,
    part: &PageSlice,
) -> Result<Vec<ConversationRecord>, StoreError> {
    let (sql, clause) = statement(user_id, filter, part);
    Ok(many(reader, &sql, clause.params(), ConversationRecord::read)?)
}

fn statement(user_id: i64, filter: &ConversationFilter, part: &PageSlice) -> (String, Where) {
    let after = part.after();
    let (order, offset) = if part.skip <= after { ("DESC", part.skip) } else { ("ASC", after) };
    let owner = match filter.assistant_id {
        Some(assistant_id) => Where::default().and("assistant_id =", assistant_id),
        None => Where::default().and("user_id =", user_id),
    };
    let clause = owner
        .and_if("type =", filter.kind.as_ref().map(|kind| kind.as_str().to_owned()))
        .and("updated_at >=", part.micros.start)
        .and("updated_at <", part.micros.end)
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
