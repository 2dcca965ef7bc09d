//! Pages of the conversation list.

use super::conversations::{COLUMNS, ConversationRecord, ConversationRow, JOINS};
use super::filter::Where;
use super::paging::{CONVERSATIONS, Day, Narrowing, Slice};
use super::{Store, StoreError, many};
use crate::api::{ConversationFilter, ConversationType};
use rusqlite::Connection;
use std::cmp::Reverse;

/// A page and how many rows there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRows {
    /// The rows: newest change first, of equal ones the newer conversation first.
    pub rows: Vec<ConversationRow>,
    /// How many rows match the filter.
    pub total: u64,
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
            let found = self.pages.find(reader, &CONVERSATIONS, &narrowing(user_id, filter), offset, limit)?;
            let mut stored = Vec::new();
            for slice in &found.slices {
                stored.append(&mut read(reader, user_id, filter, slice)?);
            }
            stored.sort_unstable_by_key(|row: &ConversationRecord| Reverse((row.updated_at, row.id)));
            let rows = stored.into_iter().map(ConversationRow::try_from).collect::<Result<_, _>>()?;
            Ok(PageRows { rows, total: found.total })
        })
    }
}

fn narrowing(user_id: i64, filter: &ConversationFilter) -> Narrowing {
    let assistant = filter.assistant_id.map(|id| id.to_string());
    let words = [assistant.as_deref(), filter.kind.as_ref().map(ConversationType::as_str)];
    // There is an index for each combination of assistant and type.
    Narrowing::new(user_id, &words, [filter.date_from, filter.date_to], true)
}

/// The rows of a slice, in no order.
fn read(
    reader: &Connection,
    user_id: i64,
    filter: &ConversationFilter,
    slice: &Slice,
) -> Result<Vec<ConversationRecord>, StoreError> {
    let owner = match filter.assistant_id {
        Some(assistant_id) => Where::default().and("assistant_id =", assistant_id),
        None => Where::default().and("user_id =", user_id),
    };
    let conditions = owner
        .and_if("type =", filter.kind.as_ref().map(|kind| kind.as_str().to_owned()))
        .and_if("created_at >=", filter.date_from.map(|date| Day::from(date).start()))
        .and_if("created_at <", filter.date_to.map(|date| Day::from(date).end()));
    let clause = slice.clause(&CONVERSATIONS, conditions);
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT id AS page_id FROM conversations{}) AS page \
         JOIN conversations AS c ON c.id = page.page_id {JOINS}",
        clause.sql()
    );
    Ok(many(reader, &sql, clause.params(), ConversationRecord::read)?)
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
