//! Chats in which nobody has written for as long as their assistant waits: they count as ended.

use super::{Store, StoreError, events, execute, many, moment, one};
use jiff::Timestamp;
use rusqlite::Transaction;

/// Chats ended in one transaction, so that other writers get their turn.
const BATCH: i64 = 100;

const NEXT: &str = "SELECT MIN(last + minutes * 60000000) FROM (SELECT (SELECT MIN(updated_at) FROM conversations AS c \
    WHERE c.assistant_id = a.id AND c.ended_at IS NULL) AS last, a.inactivity_minutes AS minutes \
    FROM assistants AS a WHERE a.deleted_at IS NULL) AS silent";

// A cross join, which SQLite takes in the order it is written.
const DUE: &str = "SELECT c.id, c.updated_at + a.inactivity_minutes * 60000000 FROM assistants AS a \
    CROSS JOIN conversations AS c WHERE a.deleted_at IS NULL AND c.assistant_id = a.id AND c.ended_at IS NULL \
    AND c.updated_at <= $1 - a.inactivity_minutes * 60000000 LIMIT $2 /* scans: one search for each assistant */";

impl Store {
    /// When the next chat ends unless somebody writes.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn next_silence(&self) -> Result<Option<Timestamp>, StoreError> {
        let due: Option<i64> = self.read(|reader| Ok(one(reader, NEXT, [], |row| row.get(0))?))?;
        Ok(due.map(moment).transpose()?)
    }

    /// Ends all chats that have been silent for too long by now.
    ///
    /// # Errors
    /// Where the database fails; what was ended before stays ended.
    pub fn end_silent(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.next_silence()?.is_none_or(|due| due > now) {
            return Ok(());
        }
        while self.end_some_silent(now)? {}
        Ok(())
    }

    /// Ends some of the chats that have been silent for too long by now; true where there may be more.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn end_some_silent(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|tx| end_some(tx, now))
    }
}

/// Ends some that are due; true where there may be more.
fn end_some(tx: &Transaction<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let due: Vec<(i64, i64)> = many(tx, DUE, [now.as_microsecond(), BATCH], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (id, at) in &due {
        events::conversation_ended(tx, *id, moment(*at)?)?;
        // It does not move in the list: nobody has said anything.
        execute(tx, "UPDATE conversations SET ended_at = $1 WHERE id = $2", [at, id])?;
    }
    Ok(i64::try_from(due.len()).is_ok_and(|count| count == BATCH))
}
