//! Pages of the call list.

use super::calls::{COLUMNS, CallRecord};
use super::filter::Where;
use super::paging::{CALLS, Day, Found, Narrowing, Slice};
use super::{Store, StoreError, many, one};
use crate::api::{Call, CallFilter, CallStatus, CallType};
use rusqlite::Connection;
use std::cmp::Reverse;

impl Store {
    /// A page of a user's calls, newest first, and how many match. The assistant of the filter must be one of the user's.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn calls(
        &self,
        user_id: i64,
        filter: &CallFilter,
        offset: u64,
        limit: u32,
    ) -> Result<(Vec<Call>, u64), StoreError> {
        // There are no campaigns, so no call belongs to one.
        if filter.campaign_id.is_some() {
            return Ok((Vec::new(), 0));
        }
        self.read_at_once(|reader| {
            let found = match filter.phone_number {
                // Numbers are too many to count the calls of each.
                Some(_) => {
                    let clause = conditions(user_id, filter);
                    let count = format!("SELECT COUNT(*) FROM calls{}", clause.sql());
                    let total = one(reader, &count, clause.params(), |row| row.get::<_, i64>(0))?.unsigned_abs();
                    Found { slices: Slice::of_all(total, offset, limit).into_iter().collect(), total }
                }
                None => self.pages.find(reader, &CALLS, &narrowing(user_id, filter), offset, limit)?,
            };
            let mut stored = Vec::new();
            for slice in &found.slices {
                stored.append(&mut read(reader, user_id, filter, slice)?);
            }
            stored.sort_unstable_by_key(|row| Reverse(row.id));
            let rows = stored.into_iter().map(Call::try_from).collect::<Result<_, _>>()?;
            Ok((rows, found.total))
        })
    }
}

fn narrowing(user_id: i64, filter: &CallFilter) -> Narrowing {
    let CallFilter { assistant_id, kind, status, date_from, date_to, .. } = filter;
    let assistant = assistant_id.map(|id| id.to_string());
    let words = [assistant.as_deref(), kind.as_ref().map(CallType::as_str), status.as_ref().map(CallStatus::as_str)];
    Narrowing::new(user_id, &words, [*date_from, *date_to], words == [None; 3])
}

fn conditions(user_id: i64, filter: &CallFilter) -> Where {
    Where::default()
        .and("user_id =", user_id)
        .and_if("client_phone_number =", filter.phone_number.clone())
        .and_if("assistant_id =", filter.assistant_id)
        .and_if("type =", filter.kind.as_ref().map(|kind| kind.as_str().to_owned()))
        .and_if("status =", filter.status.as_ref().map(|status| status.as_str().to_owned()))
        .and_if("created_at >=", filter.date_from.map(|date| Day::from(date).start()))
        .and_if("created_at <", filter.date_to.map(|date| Day::from(date).end()))
}

/// The rows of a slice, in no order.
fn read(reader: &Connection, user_id: i64, filter: &CallFilter, slice: &Slice) -> Result<Vec<CallRecord>, StoreError> {
    let clause = slice.clause(&CALLS, conditions(user_id, filter));
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT id AS page_id FROM calls{}) AS page \
         JOIN calls AS c ON c.id = page.page_id JOIN assistants AS a ON a.id = c.assistant_id",
        clause.sql()
    );
    Ok(many(reader, &sql, clause.params(), CallRecord::read)?)
}

#[cfg(test)]
#[path = "call_pages_tests.rs"]
mod tests;
