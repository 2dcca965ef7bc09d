//! The queue of webhook deliveries: what waits, who may send it now, and what comes of an attempt.
//!
//! A delivery is ready where it is due, nothing of its subject waits before it, and nobody has leased it. Taking some
//! costs a step of an index for each user and each delivery taken, however many wait.

use super::{Store, StoreError, execute, many, moment, one};
use crate::api::WebhookEvent;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Transaction};

/// How long a lease lasts: far longer than an attempt, and short enough that the deliveries of a process that died do
/// not wait for long.
const LEASE: SignedDuration = SignedDuration::from_secs(120);

/// Users looked at in one go, so that a round takes no longer where there are many.
const USERS_AT_ONCE: usize = 256;

/// What the indexes of ready deliveries hold; statements must say it in these words.
const READY: &str = "due_at IS NOT NULL AND NOT blocked AND leased_until IS NULL";

/// An event for the receiver of a webhook.
#[derive(Debug)]
pub(super) struct QueuedEvent<'a> {
    pub(super) user_id: i64,
    pub(super) assistant_id: i64,
    pub(super) kind: WebhookEvent,
    /// `conversation:<id>` or `call:<id>`; events of one subject are delivered in order.
    pub(super) subject: String,
    pub(super) url: &'a str,
    pub(super) body: String,
}

/// Puts an event at the end of the queue.
pub(super) fn queue(tx: &Transaction<'_>, event: &QueuedEvent<'_>, now: Timestamp) -> Result<(), StoreError> {
    let now = now.as_microsecond();
    execute(
        tx,
        "INSERT INTO webhook_deliveries (user_id, assistant_id, event, subject, webhook_id, url, body, attempts, tries, \
         due_at, created_at, blocked) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9, \
         EXISTS (SELECT 1 FROM webhook_deliveries WHERE subject = $10 AND due_at IS NOT NULL))",
        (
            event.user_id,
            event.assistant_id,
            event.kind.as_str(),
            &event.subject,
            // It names, it does not protect: a plain generator will do.
            format!("msg_{:032x}", fastrand::u128(..)),
            event.url,
            &event.body,
            now,
            now,
            &event.subject,
        ),
    )?;
    Ok(())
}

/// The first of a subject that waits may leave: nothing is before it any more.
const UNBLOCK: &str = "UPDATE webhook_deliveries SET blocked = FALSE WHERE blocked AND id = \
    (SELECT MIN(id) FROM webhook_deliveries WHERE subject = $1 AND due_at IS NOT NULL)";

/// As [`UNBLOCK`], for all subjects of an assistant.
const UNBLOCK_ALL: &str = "UPDATE webhook_deliveries SET blocked = FALSE WHERE assistant_id = $1 AND due_at IS NOT NULL \
    AND blocked AND id = (SELECT MIN(e.id) FROM webhook_deliveries AS e \
    WHERE e.subject = webhook_deliveries.subject AND e.due_at IS NOT NULL)";

/// Ends what waits for a URL that a webhook of the assistant no longer has: it was switched off, or points elsewhere.
pub(super) fn end_outdated(tx: &Transaction<'_>, assistant_id: i64) -> Result<(), StoreError> {
    end_unwanted(tx, assistant_id, "the webhook was switched off or given another URL")
}

/// As [`end_outdated`], with the reason that the list shows.
pub(super) fn end_unwanted(tx: &Transaction<'_>, assistant_id: i64, why: &str) -> Result<(), StoreError> {
    execute(tx, END_OUTDATED, (why, assistant_id))?;
    execute(tx, UNBLOCK_ALL, [assistant_id])?;
    Ok(())
}

/// Whether an event of this subject has been queued before, whatever became of it.
pub(super) fn exists(tx: &Transaction<'_>, subject: &str, event: &WebhookEvent) -> rusqlite::Result<bool> {
    Ok(one(tx, EXISTS, (subject, event.as_str()), |_| Ok(())).optional()?.is_some())
}

/// A delivery that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    /// Unique in the database; grows with time.
    pub id: i64,
    /// The user whose event it is.
    pub user_id: i64,
    /// The `webhook-id` header: the same on every attempt.
    pub webhook_id: String,
    /// The receiver's URL.
    pub url: String,
    /// The JSON body.
    pub body: String,
    /// Attempts since it was queued or last resent.
    pub tries: u32,
    /// How often it had been resent when it was taken.
    pub resends: u32,
}

/// An attempt that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The delivery.
    pub id: i64,
    /// [`DueDelivery::resends`] of the delivery as it was taken.
    pub resends: u32,
    /// What came of it.
    pub result: AttemptResult,
    /// When, by the clock of the service.
    pub at: Timestamp,
}

/// Deliveries taken from the queue, and when it is to be looked at again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leased {
    /// The deliveries: nobody else sends them until [`Store::record_attempts`] gives them back or the lease ends.
    pub deliveries: Vec<DueDelivery>,
    /// The user after whom the next look begins, so that all get their turn.
    pub last_user: i64,
    /// Whether there were more users than are looked at in one go.
    pub is_unfinished: bool,
    /// When the next one is due that is not due yet.
    pub next: Option<Timestamp>,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptResult {
    /// The receiver answered 2xx.
    Delivered,
    /// Any other answer, or none.
    Failed {
        /// Why, for people.
        error: String,
        /// Time of the next attempt; `None`: no more attempts.
        again: Option<Timestamp>,
    },
}

const END_OUTDATED: &str = "UPDATE webhook_deliveries SET due_at = NULL, last_error = $1 \
    WHERE assistant_id = $2 AND due_at IS NOT NULL AND url IS DISTINCT FROM (SELECT CASE event \
    WHEN 'conversation_ended' THEN a.conversation_ended_webhook_url \
    WHEN 'inbound_call_completed' THEN a.inbound_webhook_url \
    WHEN 'call_completed' THEN CASE WHEN a.is_webhook_active THEN a.webhook_url END END \
    FROM assistants AS a WHERE a.id = $2)";

const EXPIRED: &str = "SELECT 1 FROM webhook_deliveries WHERE leased_until <= $1 OR leased_until > $2 LIMIT 1";

const EXISTS: &str = "SELECT 1 FROM webhook_deliveries WHERE subject = $1 AND event = $2 LIMIT 1";

impl Store {
    /// Takes what is due by `now`, of each user as many as `places` says, beginning after a user. The lease counts by the
    /// clock of the system, `today`.
    ///
    /// # Errors
    /// Where the database fails; nothing is taken then.
    pub fn lease_deliveries(
        &self,
        (now, today): (Timestamp, Timestamp),
        after_user: i64,
        mut places: impl FnMut(i64) -> usize,
    ) -> Result<Leased, StoreError> {
        let micros = now.as_microsecond();
        let mut leased = Leased { last_user: after_user, ..Leased::default() };
        let mut wanted = Vec::new();
        self.read_at_once(|reader| {
            let next: Option<i64> = one(reader, &next_sql(), [micros], |row| row.get(0)).optional()?;
            leased.next = next.map(moment).transpose()?;
            let (mut seen, mut wrapped) = (after_user, false);
            for _ in 0..USERS_AT_ONCE {
                match next_user(reader, seen)? {
                    Some((user_id, _)) if wrapped && user_id > after_user => return Ok(()),
                    Some((user_id, due_at)) => {
                        seen = user_id;
                        let free = if due_at <= micros { places(user_id) } else { 0 };
                        if free > 0 {
                            leased.last_user = user_id;
                            wanted.push((user_id, i64::try_from(free).unwrap_or(i64::MAX)));
                        }
                    }
                    None if wrapped || after_user == 0 => return Ok(()),
                    None => (seen, wrapped) = (0, true),
                }
            }
            (leased.last_user, leased.is_unfinished) = (seen, true);
            Ok(())
        })?;
        if wanted.is_empty() {
            return Ok(leased);
        }
        let until = today.saturating_add(LEASE).unwrap_or(Timestamp::MAX).as_microsecond();
        leased.deliveries = self.write(|tx| {
            let mut taken = Vec::new();
            for (user_id, free) in &wanted {
                for due in ready(tx, *user_id, micros, *free)? {
                    let lease =
                        "UPDATE webhook_deliveries SET leased_until = $1 WHERE id = $2 AND leased_until IS NULL";
                    if execute(tx, lease, [until, due.id])? > 0 {
                        taken.push(due);
                    }
                }
            }
            Ok(taken)
        })?;
        Ok(leased)
    }

    /// Gives back what was leased by somebody who has not said since what came of it: leases that are over by the clock of
    /// the system, `today`, and those that end later than any lease could, since that clock was put back. At the start of
    /// the only process on the database, all.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn release_leases(&self, today: Option<Timestamp>) -> Result<(), StoreError> {
        let (over, beyond) = match today {
            None => (i64::MAX, i64::MAX),
            Some(today) => {
                let longest = today.saturating_add(LEASE).unwrap_or(Timestamp::MAX);
                (today.as_microsecond(), longest.as_microsecond())
            }
        };
        let found = self.read(|reader| Ok(one(reader, EXPIRED, [over, beyond], |_| Ok(())).optional()?))?;
        if found.is_some() {
            let release =
                "UPDATE webhook_deliveries SET leased_until = NULL WHERE leased_until <= $1 OR leased_until > $2";
            self.write(|tx| Ok(execute(tx, release, [over, beyond])?))?;
        }
        Ok(())
    }

    /// Writes down what came of attempts, and gives the deliveries back. One that was ended meanwhile is not tried again,
    /// and one that was asked for again stays due.
    ///
    /// # Errors
    /// Where the database fails; nothing is written down then.
    pub fn record_attempts(&self, attempts: &[Attempt]) -> Result<(), StoreError> {
        self.write(|tx| attempts.iter().try_for_each(|attempt| record(tx, attempt)))
    }

    /// Sends a delivery again, at once and with all its retries, whatever became of it; the receiver knows it by its
    /// webhook id. False where there is none, it is another user's, or its assistant is deleted: what is sent to its
    /// webhook could not be turned off.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn resend(&self, user_id: Option<i64>, id: i64) -> Result<bool, StoreError> {
        self.write(|tx| {
            let find = "SELECT d.user_id, d.subject FROM webhook_deliveries AS d LEFT JOIN assistants AS a \
                        ON a.id = d.assistant_id WHERE d.id = $1 AND a.deleted_at IS NULL";
            let found: Option<(i64, String)> = one(tx, find, [id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            let Some((_, subject)) = found.filter(|(owner, _)| user_id.is_none_or(|user_id| user_id == *owner)) else {
                return Ok(false);
            };
            // Due since it was queued: by the clock of the service too, which another process cannot know.
            let change = "UPDATE webhook_deliveries SET due_at = created_at, tries = 0, delivered_at = NULL, \
                          resends = resends + 1 WHERE id = $1";
            execute(tx, change, [id])?;
            // What was queued after it waits for it again.
            let block = "UPDATE webhook_deliveries SET blocked = TRUE WHERE subject = $1 AND due_at IS NOT NULL AND id > \
                         (SELECT MIN(id) FROM webhook_deliveries WHERE subject = $2 AND due_at IS NOT NULL)";
            execute(tx, block, (&subject, &subject))?;
            execute(tx, UNBLOCK, [&subject])?;
            Ok(true)
        })
    }
}

/// The first user after one who has something ready, and since when.
fn next_user(reader: &Connection, after: i64) -> rusqlite::Result<Option<(i64, i64)>> {
    one(reader, &next_user_sql(), [after], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

fn ready(tx: &Transaction<'_>, user_id: i64, now: i64, limit: i64) -> rusqlite::Result<Vec<DueDelivery>> {
    many(tx, &ready_sql(), [user_id, now, limit], |row| {
        Ok(DueDelivery {
            id: row.get(0)?,
            user_id: row.get(1)?,
            webhook_id: row.get(2)?,
            url: row.get(3)?,
            body: row.get(4)?,
            tries: row.get(5)?,
            resends: row.get(6)?,
        })
    })
}

fn next_user_sql() -> String {
    format!(
        "SELECT user_id, due_at FROM webhook_deliveries WHERE {READY} AND user_id > $1 ORDER BY user_id, due_at, id LIMIT 1"
    )
}

fn next_sql() -> String {
    format!("SELECT due_at FROM webhook_deliveries WHERE {READY} AND due_at > $1 ORDER BY due_at LIMIT 1")
}

fn ready_sql() -> String {
    format!(
        "SELECT id, user_id, webhook_id, url, body, tries, resends FROM webhook_deliveries \
         WHERE {READY} AND user_id = $1 AND due_at <= $2 ORDER BY due_at, id LIMIT $3"
    )
}

fn record(tx: &Transaction<'_>, attempt: &Attempt) -> Result<(), StoreError> {
    let at = attempt.at.as_microsecond();
    let (delivered_at, error, again) = match &attempt.result {
        AttemptResult::Delivered => (Some(at), None, None),
        AttemptResult::Failed { error, again } => (None, Some(error), again.map(Timestamp::as_microsecond)),
    };
    let ended = "UPDATE webhook_deliveries SET attempts = attempts + 1, tries = tries + 1, last_attempt_at = $1, \
                 delivered_at = $2, last_error = $3, due_at = CASE WHEN due_at IS NOT NULL THEN $4 END, \
                 leased_until = NULL WHERE id = $5 AND resends = $6";
    if execute(tx, ended, (at, delivered_at, error, again, attempt.id, attempt.resends))? == 0 {
        // Asked for again while it was under way: it is due, with all its tries.
        let asked = "UPDATE webhook_deliveries SET attempts = attempts + 1, last_attempt_at = $1, last_error = $2, \
                     leased_until = NULL WHERE id = $3";
        execute(tx, asked, (at, error, attempt.id))?;
    }
    if again.is_none() {
        let subject: Option<String> =
            one(tx, "SELECT subject FROM webhook_deliveries WHERE id = $1", [attempt.id], |row| row.get(0))
                .optional()?;
        execute(tx, UNBLOCK, [subject])?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "delivery_queue_tests.rs"]
mod tests;
