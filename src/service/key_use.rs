//! When each API key was last used, written to the store in batches.

use super::store::{Store, StoreError};
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Last uses of keys that are not in the store yet.
#[derive(Debug, Default)]
pub struct KeyUse {
    noted: Mutex<HashMap<i64, Timestamp>>,
    first: Notify,
}

impl KeyUse {
    /// Records a request with the key.
    pub fn note(&self, key_id: i64, now: Timestamp) {
        let mut noted = self.lock();
        if noted.is_empty() {
            self.first.notify_one();
        }
        noted.insert(key_id, now);
    }

    /// Waits until there is something to flush.
    pub async fn noted(&self) {
        self.first.notified().await;
    }

    /// The key's last use, unless it is flushed already.
    pub fn of(&self, key_id: i64) -> Option<Timestamp> {
        self.lock().get(&key_id).copied()
    }

    /// Writes all uses to the store.
    ///
    /// # Errors
    /// Where the database fails; the uses are kept for the next call.
    pub fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let uses: Vec<_> = self.lock().iter().map(|(&key_id, &time)| (key_id, time)).collect();
        if uses.is_empty() {
            return Ok(());
        }
        store.record_key_use(&uses)?;
        // What was noted meanwhile stays for the next time.
        let mut noted = self.lock();
        noted.retain(|key_id, time| !uses.contains(&(*key_id, *time)));
        if !noted.is_empty() {
            self.first.notify_one();
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Timestamp>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
