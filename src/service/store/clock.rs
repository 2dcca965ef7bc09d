//! The sandbox's clock, as far as the data must know it.

use super::{Store, StoreError, execute, one};
use jiff::{SignedDuration, Timestamp};
use rusqlite::OptionalExtension;

/// Later than this from now no retry of a delivery and no step of a message is ever due.
const FURTHEST: SignedDuration = SignedDuration::from_secs(121);

impl Store {
    /// How far the clock was moved on, in microseconds.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn clock_offset(&self) -> Result<i64, StoreError> {
        let find = "SELECT offset_micros FROM sandbox_clock WHERE id = 1";
        self.read(|reader| Ok(one(reader, find, [], |row| row.get(0)).optional()?.unwrap_or_default()))
    }

    /// Keeps how far the clock was moved on.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn keep_clock_offset(&self, micros: i64) -> Result<(), StoreError> {
        let keep = "INSERT INTO sandbox_clock (id, offset_micros) VALUES (1, $1) \
                    ON CONFLICT (id) DO UPDATE SET offset_micros = excluded.offset_micros";
        self.write(|tx| Ok(execute(tx, keep, [micros]).map(|_| ())?))
    }

    /// What is due later than it ever is was written by a clock that has been put back: it is due now.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn hasten(&self, now: Timestamp) -> Result<(), StoreError> {
        let furthest = now.saturating_add(FURTHEST).unwrap_or(Timestamp::MAX).as_microsecond();
        let now = now.as_microsecond();
        self.write(|tx| {
            let hasten = "UPDATE webhook_deliveries SET due_at = $1 WHERE due_at > $2 /* scans: once, at the start */";
            execute(tx, hasten, [now, furthest])?;
            execute(tx, "UPDATE outgoing_messages SET step_at = $1 WHERE step_at > $2", [now, furthest])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::Data;

    #[test]
    fn the_clock_is_kept_with_the_data() {
        let store = Store::open(&Data::Memory).unwrap();
        assert_eq!(store.clock_offset().unwrap(), 0);
        for micros in [5, 7] {
            store.keep_clock_offset(micros).unwrap();
            assert_eq!(store.clock_offset().unwrap(), micros);
        }
    }
}
