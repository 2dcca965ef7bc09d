//! Pages of the call list.

use super::calls::{COLUMNS, CallRecord};
use super::filter::Where;
use super::paging::{CALLS, Day, Found, Narrowing, Slice};
use super::{Store, StoreError, many, one, prepare};
use crate::api::{Call, CallFilter, CallStatus, CallType};
use crate::service::pieces::Piece;
use rusqlite::{Connection, OptionalExtension};
use std::cmp::Reverse;

/// Which calls are on a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallPage {
    ids: Vec<i64>,
    /// How many calls match the filter.
    pub total: u64,
}

impl CallPage {
    /// Their ids, the newest first.
    pub fn ids(&self) -> &[i64] {
        &self.ids
    }
}

impl Store {
    /// A page of a user's calls, with as many of its rows as one piece takes. The assistant of the filter must be one of the
    /// user's.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn calls(
        &self,
        user_id: i64,
        filter: &CallFilter,
        offset: u64,
        limit: u32,
        piece: &mut Piece,
    ) -> Result<CallPage, StoreError> {
        // There are no campaigns, so no call belongs to one.
        if filter.campaign_id.is_some() {
            return Ok(CallPage::default());
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
            let mut page = CallPage { ids: Vec::new(), total: found.total };
            for slice in &found.slices {
                let clause = slice.clause(&CALLS, conditions(user_id, filter));
                let sql = format!("SELECT id FROM calls{}", clause.sql());
                page.ids.append(&mut many(reader, &sql, clause.params(), |row| row.get(0))?);
            }
            page.ids.sort_unstable_by_key(|id| Reverse(*id));
            fill(reader, &page, piece)?;
            Ok(page)
        })
    }

    /// Reads more rows of a page. A call that was deleted since is left out.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn more_calls(&self, page: &CallPage, piece: &mut Piece) -> Result<(), StoreError> {
        self.read(|reader| fill(reader, page, piece))
    }
}

/// Reads the rows after those that were read, for as long as the piece takes them: transcripts are long.
fn fill(reader: &Connection, page: &CallPage, piece: &mut Piece) -> Result<(), StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM calls AS c JOIN assistants AS a ON a.id = c.assistant_id WHERE c.id = $1");
    let mut find = prepare(reader, &sql)?;
    let read = piece.last();
    for id in page.ids.iter().filter(|id| read.is_none_or(|last| **id < last)) {
        if !piece.takes_next() {
            break;
        }
        if let Some(row) = find.query_row([id], CallRecord::read).optional()? {
            piece.push(*id, &Call::try_from(row)?)?;
        }
    }
    Ok(())
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

#[cfg(test)]
#[path = "call_pages_tests.rs"]
mod tests;
