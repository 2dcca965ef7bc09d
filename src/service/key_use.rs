//! When each API key was last used, written to the store in batches.

use super::store::StoreError;
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

    /// Writes all uses down with `record`.
    ///
    /// # Errors
    /// Where the database fails; the uses are kept for the next call.
    pub fn flush(&self, record: impl FnOnce(&[(i64, Timestamp)]) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let uses: Vec<_> = self.lock().iter().map(|(&key_id, &time)| (key_id, time)).collect();
        if uses.is_empty() {
            return Ok(());
        }
        if let Err(error) = record(&uses) {
            // They are still noted, so nobody else tells that there is something.
            self.first.notify_one();
            return Err(error);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn what_could_not_be_written_down_is_tried_again() {
        let uses = KeyUse::default();
        uses.note(7, Timestamp::UNIX_EPOCH);
        assert_eq!(uses.noted().now_or_never(), Some(()));
        uses.flush(|_| Err(StoreError::Unreadable("disk"))).unwrap_err();
        assert_eq!(uses.noted().now_or_never(), Some(()), "there is still something");
        let mut written = Vec::new();
        uses.flush(|uses| {
            written.extend_from_slice(uses);
            Ok(())
        })
        .unwrap();
        assert_eq!(written, [(7, Timestamp::UNIX_EPOCH)]);
        assert_eq!(uses.noted().now_or_never(), None);
    }
}
