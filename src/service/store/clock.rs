//! The sandbox's clock, as far as the data must know it.

use super::conversations::move_to;
use super::fill::TEMPLATE_REFRESH;
use super::{Store, StoreError, execute, many, one};
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

    /// What is due later than it ever is, or changed later than now, was written by a clock that has been put back: it is
    /// due now, and windows and silences count from now.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn hasten(&self, now: Timestamp) -> Result<(), StoreError> {
        let after = |span| now.saturating_add(span).unwrap_or(Timestamp::MAX).as_microsecond();
        let (furthest, refreshed, now) = (after(FURTHEST), after(TEMPLATE_REFRESH), now.as_microsecond());
        self.write(|tx| {
            let hasten = "UPDATE webhook_deliveries SET due_at = $1 WHERE due_at > $2 /* scans: once, at the start */";
            execute(tx, hasten, [now, furthest])?;
            execute(tx, "UPDATE outgoing_messages SET step_at = $1 WHERE step_at > $2", [now, furthest])?;
            // As long as they have talked, they have. A call of a world's past takes no step before it ends.
            let calls = "UPDATE calls SET answered_at = answered_at - (next_at - $1), next_at = $1 \
                         WHERE next_at > $2 AND updated_at > $1";
            execute(tx, calls, [now, furthest])?;
            execute(tx, "UPDATE templates SET refresh_at = $1 WHERE refresh_at > $2", [now, refreshed])?;
            let documents = "UPDATE documents SET ready_at = $1 WHERE ready_at > $1 AND updated_at > $1 \
                             /* scans: once, at the start */";
            execute(tx, documents, [now])?;
            let ahead = "SELECT c.id FROM users AS u CROSS JOIN conversations AS c WHERE c.user_id = u.id \
                         AND c.updated_at > $1 /* scans: one search for each user */";
            for id in many(tx, ahead, [now], |row| row.get(0))? {
                move_to(tx, id, now)?;
                for moment in ["last_customer_message_at", "window_from", "window_opened_at"] {
                    let change = format!("UPDATE conversations SET {moment} = $1 WHERE id = $2 AND {moment} > $1");
                    execute(tx, &change, [now, id])?;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::Data;
    use crate::service::world::{DEMO, World};

    #[test]
    fn what_a_clock_wrote_that_was_put_back_is_due_at_once_and_counts_from_now() {
        let store = Store::open(&Data::Memory).unwrap();
        let world = World::parse(DEMO).unwrap();
        let later = Timestamp::from_second(2_000_000_000).unwrap();
        store.fill(&world, later).unwrap();
        let moment =
            |sql: &str| store.read(|reader| Ok(reader.query_row(sql, [], |row| row.get::<_, i64>(0))?)).unwrap();
        store
            .write(|tx| {
                let call = "INSERT INTO calls (user_id, assistant_id, type, status, client_phone_number, variables, \
                     outcome, talk_seconds, answered_at, next_at, duration, transcript, evaluation, \
                     carrier_cost_micros, total_cost_micros, created_at, updated_at) \
                     VALUES (1, 1, 'inbound', 'in-progress', '+1', '{}', 'completed', 50, $1, $2, 0, '[]', '[]', 0, 0, $3, $4)";
                let at = later.as_microsecond();
                execute(tx, call, [at, at + 50_000_000, at, at])?;
                execute(tx, "UPDATE conversations SET window_from = $1, updated_at = $2 WHERE id = 1", [at, at])?;
                Ok(())
            })
            .unwrap();
        let steps = "SELECT SUM(next_at) FROM calls WHERE next_at IS NOT NULL";
        let before = moment(steps);
        store.hasten(later).unwrap();
        assert_eq!(moment(steps), before, "what is to come is left alone");
        let now = later - SignedDuration::from_hours(10);
        store.hasten(now).unwrap();
        let now = now.as_microsecond();
        assert_eq!(moment("SELECT next_at FROM calls ORDER BY id DESC LIMIT 1"), now);
        assert_eq!(moment("SELECT answered_at FROM calls ORDER BY id DESC LIMIT 1"), now - 50_000_000);
        assert_eq!(moment("SELECT window_from FROM conversations WHERE id = 1"), now);
        assert_eq!(moment(&format!("SELECT COUNT(*) FROM conversations WHERE updated_at > {now}")), 0);
        assert_eq!(moment(&format!("SELECT COUNT(*) FROM documents WHERE ready_at > {now}")), 0);
    }

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
