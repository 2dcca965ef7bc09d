//! The outbox: every send that somebody has confirmed, written down before its request leaves. It is the audit of all
//! that was sent, and nothing is ever taken out of it.

use super::profile_data::discard;
use super::{Before, Content, Departing, Entry, Intent, Mark, Records, RecordsError, RowOf, TemplateName, guard, held};
use crate::messaging::{LastMessage, Outcome, Phone};
use crate::sqlite::{self, execute, moment, try_many};
use jiff::Timestamp;
use rusqlite::{Connection, Row, Transaction, params};
use uuid::Uuid;

/// The columns that [`entry`] reads.
pub(super) const SELECT: &str = "id, profile, sender_id, sender, phone, name, template_id, template_name, batch, line, \
                                 window_open, window_expiry, text, began, ended, outcome, mark, kind";

/// What came of writing an intent down.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "only what was recorded now may be sent"]
pub enum Begun {
    /// It is on disk under this id: it may leave. The id is the intent's own, unless an earlier try of the same intent was
    /// certainly not sent.
    Recorded(Uuid),
    /// The same intent, or the same row of the batch, is there already, as this entry: it must not leave again.
    Known(Box<Entry>),
    /// It would repeat this entry: nothing was recorded, and it must not leave unless a person confirms it again.
    Recent(Box<Entry>),
    /// It may repeat one that the outbox has forgotten, for that was deleted or replaced by an older copy before then:
    /// nothing was recorded, and it must not leave unless a person confirms it.
    Forgotten(Timestamp),
}

impl Records {
    /// Writes down what is about to be sent. When this returns, it is on disk.
    ///
    /// # Errors
    /// Where it cannot be written: then nothing may be sent.
    pub fn begin(&self, departing: &Departing<'_>, now: Timestamp) -> Result<Begun, RecordsError> {
        self.check_file()?;
        // Not in the transaction: the first number loads what is known of all.
        let person = Phone::plain(&departing.intent.phone);
        let (begun, newest) = self.with(|connection, run| {
            run.bury_the_dead(connection)?;
            // One transaction: of two programs that send the same at once, the second finds the first one's entry.
            sqlite::write(connection, |transaction| {
                self.check_entries(transaction)?;
                held::let_go(transaction, departing.intent.id)?;
                let id = match new_id(transaction, departing.intent)? {
                    Ok(id) => id,
                    Err(known) => return Ok(Begun::Known(known)),
                };
                let digest = departing.digest(transaction)?;
                if let Some(earlier) = guard::repeated(transaction, departing, (&person, digest.as_deref()), now)? {
                    return Ok(Begun::Recent(Box::new(earlier)));
                }
                let row = departing.intent.row.as_ref();
                if let Some(at) = guard::forgotten(transaction, (row, departing.again), departing.since(now))? {
                    return Ok(Begun::Forgotten(at));
                }
                insert(transaction, (id, run.name()), departing, (&person, digest.as_deref()), now)?;
                Ok(Begun::Recorded(id))
            })
            .map(|begun| (begun, connection.last_insert_rowid()))
        })?;
        if let Begun::Recorded(_) = begun {
            self.note(newest);
        }
        Ok(begun)
    }

    /// Writes down that the server has asked to wait with a send, or that the wait is over and it is about to leave.
    ///
    /// # Errors
    /// Where it cannot be written: then it must not leave.
    pub fn waits(&self, id: Uuid, waiting: bool) -> Result<(), RecordsError> {
        self.check_file()?;
        let update = "UPDATE outbox SET waiting = $1 WHERE id = $2 AND state IS NULL";
        match self.write(|transaction| Ok(execute(transaction, update, (waiting, id.to_string()))?))? {
            0 => Err(RecordsError::NotThere(id)),
            _ => Ok(()),
        }
    }

    /// Writes down what became of a send, and gives its entry. An outcome that is known is never replaced; an unknown
    /// one is, by what was found out later. Acceptance deletes the message's draft with it.
    ///
    /// # Errors
    /// Where there is no such entry, or it cannot be written.
    pub fn settle(&self, id: Uuid, outcome: &Outcome, now: Timestamp) -> Result<Entry, RecordsError> {
        let state = match outcome {
            Outcome::Accepted(_) => "accepted",
            Outcome::Refused(_) => "refused",
            Outcome::NotSent(_) => "not-sent",
            Outcome::Unknown { .. } => "unknown",
        };
        let json =
            serde_json::to_string(outcome).map_err(|_| RecordsError::Unreadable("outcome without a form in JSON"))?;
        self.write(|transaction| {
            let settle = "UPDATE outbox SET state = $1, outcome = $2, ended = $3, mark = NULL, marked = NULL \
                          WHERE id = $4 AND (state IS NULL OR (state = 'unknown' AND $1 <> 'unknown'))";
            let settled = execute(transaction, settle, (state, json, now.as_microsecond(), id.to_string()))?;
            let entry = find(transaction, id)?.ok_or(RecordsError::NotThere(id))?;
            if settled > 0
                && let (Outcome::Accepted(_), Some(key)) = (outcome, entry.intent.draft_key())
            {
                discard(transaction, &entry.intent.profile, &key, Some(entry.began))?;
            }
            Ok(entry)
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
            "SELECT {SELECT} FROM outbox WHERE profile = $1 AND ((state = 'unknown' AND mark IS NULL) OR number IN \
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
        let sql = format!("SELECT {SELECT} FROM outbox WHERE batch = $1 ORDER BY line, number");
        self.with_the_dead_buried(|connection| try_many(connection, &sql, [batch.to_string()], entry))
    }

    /// What an account has sent with a template since then, the newest first. Entries of older versions, which know no
    /// account, count for every one.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn sent_since(&self, account: &str, template_id: i64, since: Timestamp) -> Result<Vec<Entry>, RecordsError> {
        let sql = format!(
            "SELECT {SELECT} FROM outbox WHERE template_id = $1 AND {OF_ACCOUNT} AND began > $3 ORDER BY number DESC",
            OF_ACCOUNT = guard::OF_ACCOUNT
        );
        let values = (template_id, account, since.as_microsecond());
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
        let sql = format!(
            "SELECT {SELECT} FROM outbox WHERE ($1 IS NULL OR profile = $1) {only} ORDER BY number DESC LIMIT $2"
        );
        self.with_the_dead_buried(|connection| try_many(connection, &sql, (profile, limit), entry))
    }
}

/// The id under which an intent is recorded; or the entry that it, or its row of the batch, has already.
fn new_id(transaction: &Transaction<'_>, intent: &Intent) -> Result<Result<Uuid, Box<Entry>>, RecordsError> {
    if let Some(row) = &intent.row {
        let sql = format!(
            "SELECT {SELECT} FROM outbox WHERE batch = $1 AND line = $2 AND state IS NOT 'not-sent' \
             AND mark IS NOT 'not-sent' ORDER BY number DESC LIMIT 1"
        );
        if let Some(known) = try_many(transaction, &sql, (row.batch.to_string(), line(row)?), entry)?.pop() {
            return Ok(Err(Box::new(known)));
        }
    }
    let mut id = intent.id;
    for tries in 1_u32.. {
        match find(transaction, id)? {
            None => break,
            Some(earlier) if earlier.was_not_sent() => id = Uuid::new_v5(&intent.id, &tries.to_be_bytes()),
            Some(known) => return Ok(Err(Box::new(known))),
        }
    }
    Ok(Ok(id))
}

/// Writes an intent.
fn insert(
    transaction: &Transaction<'_>,
    (id, run): (Uuid, &str),
    departing: &Departing<'_>,
    (person, digest): (&str, Option<&[u8]>),
    now: Timestamp,
) -> Result<(), RecordsError> {
    let intent = departing.intent;
    let Intent { id: _, profile, sender_id, sender, phone, name, content: _, row, before, text } = intent;
    let (template, kind) = (intent.template(), if intent.is_call() { "call" } else { "message" });
    let sql = "INSERT INTO outbox (id, run, profile, account, kind, sender_id, sender, phone, person, name, \
               template_id, template_name, digest, batch, line, window_open, window_expiry, text, began) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
    let values = params![
        id.to_string(),
        run,
        profile,
        departing.account,
        kind,
        sender_id,
        sender,
        phone,
        person,
        name,
        template.map(|template| template.id),
        template.map(|template| &template.name),
        digest,
        row.as_ref().map(|row| row.batch.to_string()),
        row.as_ref().map(line).transpose()?,
        before.map(|before| before.open),
        before.and_then(|before| before.expiry).map(Timestamp::as_microsecond),
        text,
        now.as_microsecond(),
    ];
    execute(transaction, sql, values)?;
    Ok(())
}

fn find(connection: &Connection, id: Uuid) -> Result<Option<Entry>, RecordsError> {
    Ok(try_many(connection, &format!("SELECT {SELECT} FROM outbox WHERE id = $1"), [id.to_string()], entry)?.pop())
}

/// A row of [`SELECT`].
pub(super) fn entry(row: &Row<'_>) -> Result<Entry, RecordsError> {
    let time = |micros: Option<i64>| micros.map(moment).transpose();
    let content = match (row.get::<_, String>("kind")?.as_str(), row.get("template_id")?, row.get("template_name")?) {
        ("call", ..) => Content::Call,
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
        Some(open) => {
            Some(Before { open, expiry: time(row.get("window_expiry")?)?, last_message: LastMessage::Untold })
        }
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
