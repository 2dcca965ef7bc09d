//! The outbox: every send that somebody has confirmed, written down before its request leaves. It is the audit of all
//! that was sent, and nothing is ever taken out of it.

use super::{Before, Content, Entry, Intent, Mark, Records, RecordsError, RowOf, TemplateName};
use crate::messaging::{Outcome, Phone};
use crate::sqlite::{self, execute, moment, try_many};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row, Transaction, params};
use uuid::Uuid;

const SELECT: &str = "SELECT id, profile, sender_id, sender, phone, name, template_id, template_name, batch, line, \
                      window_open, window_expiry, text, began, ended, outcome, mark, kind FROM outbox";

/// What came of writing an intent down.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "only what was recorded now may be sent"]
pub enum Begun {
    /// It is on disk, for the first time: it may leave.
    Recorded,
    /// The same intent, or the same row of the batch, is there already, as this entry: it must not leave again.
    Known(Box<Entry>),
    /// The assistant has called this number lately, as this entry: nothing was recorded, and the call must not be made
    /// unless a person confirms it again.
    Recent(Box<Entry>),
}

/// How long after a call the same assistant calling the same number asks again.
const CALL_AGAIN: SignedDuration = SignedDuration::from_mins(10);

impl Records {
    /// Writes down what is about to be sent. When this returns, it is on disk.
    ///
    /// # Errors
    /// Where it cannot be written: then nothing may be sent.
    pub fn begin(&self, intent: &Intent, now: Timestamp) -> Result<Begun, RecordsError> {
        let begun = self.with(|connection, run| {
            run.bury_the_dead(connection)?;
            // One transaction: of two programs that call the same number at once, the second finds the first one's entry.
            sqlite::write(connection, |transaction| {
                // Only the call that was named in the question was confirmed, not one made since.
                if let Content::Call { after } = intent.content
                    && let Some(earlier) = recent_call(transaction, intent, now)?
                    && after != Some(earlier.intent.id)
                {
                    return Ok(Some(Begun::Recent(Box::new(earlier))));
                }
                Ok(insert(transaction, run.name(), intent, now)?.then_some(Begun::Recorded))
            })
        })?;
        if let Some(begun) = begun {
            return Ok(begun);
        }
        let known = self.with_the_dead_buried(|connection| {
            if let Some(entry) = find(connection, intent.id)? {
                return Ok(Some(entry));
            }
            let Some(row) = &intent.row else { return Ok(None) };
            let sql = format!("{SELECT} WHERE batch = $1 AND line = $2");
            Ok(try_many(connection, &sql, (row.batch.to_string(), line(row)?), entry)?.pop())
        })?;
        known.map(|entry| Begun::Known(Box::new(entry))).ok_or(RecordsError::NotThere(intent.id))
    }

    /// Writes down what became of a send, and gives its entry. An outcome that is known is never replaced; an unknown
    /// one is, by what was found out later.
    ///
    /// # Errors
    /// Where there is no such entry, or it cannot be written.
    pub fn settle(&self, id: Uuid, outcome: &Outcome, now: Timestamp) -> Result<Entry, RecordsError> {
        let state = match outcome {
            Outcome::Accepted(_) => "accepted",
            Outcome::Refused(_) => "refused",
            Outcome::Unknown { .. } => "unknown",
        };
        let json =
            serde_json::to_string(outcome).map_err(|_| RecordsError::Unreadable("outcome without a form in JSON"))?;
        self.write(|transaction| {
            let settle = "UPDATE outbox SET state = $1, outcome = $2, ended = $3, mark = NULL, marked = NULL \
                          WHERE id = $4 AND (state IS NULL OR (state = 'unknown' AND $1 <> 'unknown'))";
            execute(transaction, settle, (state, json, now.as_microsecond(), id.to_string()))?;
            find(transaction, id)?.ok_or(RecordsError::NotThere(id))
        })
    }

    /// Writes down what a person has found out about an unknown outcome, and gives the entry.
    ///
    /// # Errors
    /// Where there is no such entry, its outcome is not unknown, or it cannot be written.
    pub fn mark(&self, id: Uuid, mark: Mark, now: Timestamp) -> Result<Entry, RecordsError> {
        self.with_the_dead_buried(|connection| {
            let update = "UPDATE outbox SET mark = $1, marked = $2 WHERE id = $3 AND state = 'unknown'";
            let marked = execute(connection, update, (word(mark), now.as_microsecond(), id.to_string()))?;
            let entry = find(connection, id)?.ok_or(RecordsError::NotThere(id))?;
            if marked == 0 { Err(RecordsError::NotUnknown(id)) } else { Ok(entry) }
        })
    }

    /// The newest entries of a profile, or of all, the newest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn outbox(&self, profile: Option<&str>, limit: u32) -> Result<Vec<Entry>, RecordsError> {
        self.list("", profile, limit)
    }

    /// The newest entries of a profile, and of the older ones those whose outcome nobody knows yet; the newest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn recent(&self, profile: &str, limit: u32) -> Result<Vec<Entry>, RecordsError> {
        let sql = format!(
            "{SELECT} WHERE profile = $1 AND ((state = 'unknown' AND mark IS NULL) OR number IN \
             (SELECT number FROM outbox WHERE profile = $1 ORDER BY number DESC LIMIT $2)) ORDER BY number DESC"
        );
        self.with_the_dead_buried(|connection| try_many(connection, &sql, (profile, limit), entry))
    }

    /// Of those the ones whose outcome is unknown, marked or not.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn unknown(&self, profile: Option<&str>, limit: u32) -> Result<Vec<Entry>, RecordsError> {
        self.list("AND state = 'unknown'", profile, limit)
    }

    /// The entries of a batch, by their lines.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn batch(&self, batch: Uuid) -> Result<Vec<Entry>, RecordsError> {
        let sql = format!("{SELECT} WHERE batch = $1 ORDER BY line");
        self.with_the_dead_buried(|connection| try_many(connection, &sql, [batch.to_string()], entry))
    }

    /// What was sent with a template since then, the newest first.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn sent_since(
        &self,
        profile: &str,
        sender_id: i64,
        template_id: i64,
        since: Timestamp,
    ) -> Result<Vec<Entry>, RecordsError> {
        let sql = format!(
            "{SELECT} WHERE profile = $1 AND sender_id = $2 AND template_id = $3 AND began >= $4 ORDER BY number DESC"
        );
        let values = (profile, sender_id, template_id, since.as_microsecond());
        self.with_the_dead_buried(|connection| try_many(connection, &sql, values, entry))
    }

    /// An entry by the name of its intent.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn entry(&self, id: Uuid) -> Result<Option<Entry>, RecordsError> {
        self.with_the_dead_buried(|connection| find(connection, id))
    }

    fn list(&self, only: &str, profile: Option<&str>, limit: u32) -> Result<Vec<Entry>, RecordsError> {
        let sql = format!("{SELECT} WHERE ($1 IS NULL OR profile = $1) {only} ORDER BY number DESC LIMIT $2");
        self.with_the_dead_buried(|connection| try_many(connection, &sql, (profile, limit), entry))
    }
}

/// Writes an intent; false where it, or its row of the batch, is there. The database decides, for all programs on it.
fn insert(connection: &Connection, run: &str, intent: &Intent, now: Timestamp) -> Result<bool, RecordsError> {
    let Intent { id, profile, sender_id, sender, phone, name, content: _, row, before, text } = intent;
    let (template, kind) = (intent.template(), if intent.is_call() { "call" } else { "message" });
    let sql = "INSERT INTO outbox (id, run, profile, sender_id, sender, phone, name, template_id, template_name, batch, \
               line, window_open, window_expiry, text, began, kind) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT DO NOTHING";
    let values = params![
        id.to_string(),
        run,
        profile,
        sender_id,
        sender,
        phone,
        name,
        template.map(|template| template.id),
        template.map(|template| &template.name),
        row.as_ref().map(|row| row.batch.to_string()),
        row.as_ref().map(line).transpose()?,
        before.map(|before| before.open),
        before.and_then(|before| before.expiry).map(Timestamp::as_microsecond),
        text,
        now.as_microsecond(),
        kind,
    ];
    Ok(execute(connection, sql, values)? == 1)
}

/// The newest call of this assistant to this number within [`CALL_AGAIN`], unless it is certain that it was not made. The
/// profile does not matter: two profiles may be the same account. A date in the future counts, for clocks are set back.
/// Nor does a trunk prefix in the number matter, with which the same person would be called twice.
fn recent_call(transaction: &Transaction<'_>, intent: &Intent, now: Timestamp) -> Result<Option<Entry>, RecordsError> {
    let sql = format!(
        "{SELECT} INDEXED BY outbox_calls WHERE kind = 'call' AND sender_id = $1 AND began > $2 AND id <> $3 \
         AND state IS NOT 'refused' AND mark IS NOT 'not-sent' ORDER BY number DESC"
    );
    let since = (now - CALL_AGAIN).as_microsecond();
    let calls = try_many(transaction, &sql, (intent.sender_id, since, intent.id.to_string()), entry)?;
    Ok(calls.into_iter().find(|call| Phone::is_same(&call.intent.phone, &intent.phone)))
}

fn find(connection: &Connection, id: Uuid) -> Result<Option<Entry>, RecordsError> {
    Ok(try_many(connection, &format!("{SELECT} WHERE id = $1"), [id.to_string()], entry)?.pop())
}

/// A row of [`SELECT`].
fn entry(row: &Row<'_>) -> Result<Entry, RecordsError> {
    let time = |micros: Option<i64>| micros.map(moment).transpose();
    let content = match (row.get::<_, String>("kind")?.as_str(), row.get("template_id")?, row.get("template_name")?) {
        ("call", ..) => Content::Call { after: None },
        (_, Some(id), Some(name)) => Content::Template(TemplateName { id, name }),
        _ => Content::Freeform,
    };
    let of_batch = match (row.get::<_, Option<String>>("batch")?, row.get::<_, Option<i64>>("line")?) {
        (Some(batch), Some(line)) => Some(RowOf {
            batch: uuid(&batch)?,
            line: u64::try_from(line).map_err(|_| RecordsError::Unreadable("line of a batch"))?,
        }),
        _ => None,
    };
    let before = match row.get("window_open")? {
        Some(open) => Some(Before { open, expiry: time(row.get("window_expiry")?)? }),
        None => None,
    };
    let intent = Intent {
        id: uuid(&row.get::<_, String>("id")?)?,
        profile: row.get("profile")?,
        sender_id: row.get("sender_id")?,
        sender: row.get("sender")?,
        phone: row.get("phone")?,
        name: row.get("name")?,
        content,
        row: of_batch,
        before,
        text: row.get("text")?,
    };
    let outcome = row.get::<_, Option<String>>("outcome")?;
    let outcome = outcome.map(|json| serde_json::from_str(&json)).transpose();
    let mark = row.get::<_, Option<String>>("mark")?;
    Ok(Entry {
        intent,
        began: moment(row.get("began")?)?,
        ended: time(row.get("ended")?)?,
        outcome: outcome.map_err(|_| RecordsError::Unreadable("outcome"))?,
        mark: mark.and_then(|found| [Mark::Sent, Mark::NotSent].into_iter().find(|mark| word(*mark) == found)),
    })
}

fn line(row: &RowOf) -> Result<i64, RecordsError> {
    i64::try_from(row.line).map_err(|_| RecordsError::Unreadable("line of a batch"))
}

fn uuid(text: &str) -> Result<Uuid, RecordsError> {
    Uuid::parse_str(text).map_err(|_| RecordsError::Unreadable("name of a send"))
}

fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Sent => "sent",
        Mark::NotSent => "not-sent",
    }
}
