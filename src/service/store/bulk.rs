//! Loads many conversations and calls at once: indexes are built when all rows are there, counts are written once.

use super::conversations::entry;
use super::paging::{self, CONVERSATIONS, Entry, List};
use super::{StoreError, many, prepare};
use crate::service::simulation::Generated;
use rusqlite::Transaction;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Fewer rows than this go into the indexes as they come.
const WORTH_REBUILDING: u64 = 20_000;
/// Page cache while indexes are built, in KiB: sorting in memory is several times as fast.
pub(super) const SORTING_KIB: i64 = 64 * 1024;

/// Rows that lie together in the order of the list, since they are mostly read together.
const SORTED: usize = 250_000;

/// Counts kept in memory before they are written.
const MOST_COUNTED: usize = 50_000;

/// Whose conversations they are: the stored numbers behind the indexes of a generated one.
#[derive(Debug)]
pub(super) struct Owner {
    pub(super) user_id: i64,
    pub(super) assistants: Vec<i64>,
    pub(super) senders: Vec<i64>,
}

/// Runs `inserts`, which add `expected` rows in all, with the indexes out of the way where that pays.
pub(super) fn load(
    tx: &Transaction<'_>,
    expected: u64,
    inserts: impl FnOnce() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    if expected < WORTH_REBUILDING {
        return inserts();
    }
    let indexes: Vec<(String, String)> = many(
        tx,
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('conversations', 'calls') \
         AND sql IS NOT NULL /* scans: the schema */",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    for (name, _) in &indexes {
        tx.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    inserts()?;
    let cache: i64 = tx.pragma_query_value(None, "cache_size", |row| row.get(0))?;
    tx.pragma_update(None, "cache_size", -SORTING_KIB)?;
    for (_, sql) in &indexes {
        tx.execute_batch(sql)?;
    }
    tx.pragma_update(None, "cache_size", cache)?;
    Ok(())
}

/// Inserts conversations of one owner and counts them.
pub(super) fn insert(
    tx: &Transaction<'_>,
    owner: &Owner,
    mut conversations: impl Iterator<Item = Generated>,
) -> Result<(), StoreError> {
    let mut counted = Counted::new(&CONVERSATIONS);
    let mut statement = prepare(
        tx,
        "INSERT INTO conversations (uuid, user_id, assistant_id, sender_id, customer_name, customer_phone, type, \
         message_count, total_cost_micros, ai_enabled, created_at, updated_at, ended_at, last_customer_message_at, \
         window_from) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )?;
    let mut sorted = || {
        let mut sorted: Vec<_> = conversations.by_ref().take(SORTED).collect();
        sorted.sort_by_key(|made| made.updated_at);
        (!sorted.is_empty()).then_some(sorted)
    };
    for made in std::iter::from_fn(&mut sorted).flatten() {
        let missing = || StoreError::Unreadable("made-up assistant or sender");
        let assistant_id = *owner.assistants.get(made.assistant).ok_or_else(missing)?;
        let sender_id = match made.sender {
            Some(at) => Some(*owner.senders.get(at).ok_or_else(missing)?),
            None => None,
        };
        let (created_at, updated_at) = (made.created_at.as_microsecond(), made.updated_at.as_microsecond());
        statement.execute((
            uuid_of(owner.user_id, made.uuid).as_bytes(),
            owner.user_id,
            assistant_id,
            sender_id,
            made.customer.as_ref().and_then(|customer| customer.name.as_deref()),
            made.customer.as_ref().map(|customer| customer.phone.as_str()),
            made.kind.as_str(),
            made.message_count,
            made.total_cost_micros,
            made.ai_enabled,
            created_at,
            updated_at,
            made.ended.then_some(updated_at),
            // A made-up conversation ends with its customer's word.
            made.customer.as_ref().map(|_| updated_at),
            made.customer.as_ref().map(|_| updated_at),
        ))?;
        counted.add(tx, entry(owner.user_id, assistant_id, made.kind.as_str(), created_at, updated_at))?;
    }
    counted.write(tx)
}

/// Counts of new rows, kept until there are many.
#[derive(Debug)]
pub(super) struct Counted {
    list: &'static List,
    counts: BTreeMap<Entry, i64>,
}

impl Counted {
    pub(super) fn new(list: &'static List) -> Self {
        Self { list, counts: BTreeMap::new() }
    }

    /// Counts a row.
    pub(super) fn add(&mut self, tx: &Transaction<'_>, entry: Entry) -> Result<(), StoreError> {
        *self.counts.entry(entry).or_default() += 1;
        if self.counts.len() >= MOST_COUNTED { self.write(tx) } else { Ok(()) }
    }

    /// Writes what was counted since the last time.
    pub(super) fn write(&mut self, tx: &Transaction<'_>) -> Result<(), StoreError> {
        paging::add(tx, self.list, std::mem::take(&mut self.counts))
    }
}

/// Users with the same seed get the same ids made up, and an id names one conversation of all.
fn uuid_of(user_id: i64, made_up: Uuid) -> Uuid {
    let mut bytes = made_up.into_bytes();
    for (byte, mark) in bytes.iter_mut().rev().zip(user_id.to_le_bytes()) {
        // The last 8 bytes begin with the variant of the id; a user's number does not reach it.
        *byte ^= mark;
    }
    Uuid::from_bytes(bytes)
}
