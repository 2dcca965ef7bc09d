//! Pages of the conversation list.

use super::conversations::{COLUMNS, ConversationRow, SenderRow};
use super::filter::Where;
use super::paging::{CONVERSATIONS, Day, Narrowing, Slice};
use super::{Store, StoreError, one, try_many};
use crate::api::{ConversationFilter, ConversationType};
use crate::service::cache::VersionedCache;
use rusqlite::{Connection, Row};
use std::cmp::Reverse;
use std::sync::Arc;
use uuid::Uuid;

/// A page and how many rows there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRows<T> {
    /// What was made of each row: newest change first, of equal ones the newer conversation first.
    pub rows: Vec<T>,
    /// How many rows match the filter.
    pub total: u64,
}

impl Store {
    /// The `limit` rows after the first `offset`, as `read` makes them, which sees them in no order. The assistant of the
    /// filter must be one of the user's.
    ///
    /// # Errors
    /// Where the database fails, and those of `read`.
    pub fn conversations<T>(
        &self,
        user_id: i64,
        filter: &ConversationFilter,
        offset: u64,
        limit: u32,
        mut read: impl FnMut(&ConversationRow<'_>) -> Result<T, StoreError>,
    ) -> Result<PageRows<T>, StoreError> {
        // Looked at before anything is read: what is kept is never older than this.
        let version = self.version();
        self.read_at_once(|reader| {
            let found = self.pages.find(reader, &CONVERSATIONS, &narrowing(user_id, filter), offset, limit)?;
            let mut rows = Vec::new();
            for slice in &found.slices {
                let (sql, clause) = statement(user_id, filter, slice);
                rows.append(&mut try_many(reader, &sql, clause.params(), |row| {
                    let assistant = self.names.assistant(reader, version, row.get(4)?)?;
                    let sender = row.get::<_, Option<i64>>(5)?;
                    let sender = sender.map(|id| self.names.sender(reader, version, id)).transpose()?;
                    let row = ConversationRow::read(row, &assistant, sender.as_deref())?;
                    Ok::<_, StoreError>((Reverse((row.updated_at, row.id)), read(&row)?))
                })?);
            }
            rows.sort_by_key(|(place, _)| *place);
            Ok(PageRows { rows: rows.into_iter().map(|(_, row)| row).collect(), total: found.total })
        })
    }
}

/// Names of assistants and senders, for whoever needs them for many rows. They hold until the next write, of whatever it
/// is.
#[derive(Debug, Default)]
pub(super) struct Names {
    assistants: VersionedCache<4096, i64, Arc<(Uuid, String)>>,
    senders: VersionedCache<4096, i64, Arc<SenderRow>>,
}

impl Names {
    /// An assistant's id on the wire and its name.
    fn assistant(&self, reader: &Connection, version: u64, id: i64) -> Result<Arc<(Uuid, String)>, StoreError> {
        let find = "SELECT uuid, name FROM assistants WHERE id = $1";
        let read = |row: &Row<'_>| Ok(Arc::new((Uuid::from_bytes(row.get(0)?), row.get(1)?)));
        self.assistants.get_or(version, id, || Ok(one(reader, find, [id], read)?))
    }

    fn sender(&self, reader: &Connection, version: u64, id: i64) -> Result<Arc<SenderRow>, StoreError> {
        let find = "SELECT display_name, phone_number FROM senders WHERE id = $1";
        let read = |row: &Row<'_>| Ok(Arc::new(SenderRow { name: row.get(0)?, phone: row.get(1)? }));
        self.senders.get_or(version, id, || Ok(one(reader, find, [id], read)?))
    }
}

fn narrowing(user_id: i64, filter: &ConversationFilter) -> Narrowing {
    let assistant = filter.assistant_id.map(|id| id.to_string());
    let words = [assistant.as_deref(), filter.kind.as_ref().map(ConversationType::as_str)];
    // There is an index for each combination of assistant and type.
    Narrowing::new(user_id, &words, [filter.date_from, filter.date_to], true)
}

/// What reads the rows of a slice.
fn statement(user_id: i64, filter: &ConversationFilter, slice: &Slice) -> (String, Where) {
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
         JOIN conversations AS c ON c.id = page.page_id",
        clause.sql()
    );
    (sql, clause)
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
