//! What goes on at the messaging provider: the steps of messages on their way, and the decisions about templates.

use super::{Store, StoreError, execute, many, moment, one};
use crate::api::{DeliveryStatus, TemplateStatus};
use crate::service::simulation::provider;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};

/// Steps taken in one transaction, so that other writers get their turn.
const BATCH: i64 = 500;

/// A message on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryProgress {
    /// How far it has come.
    pub status: DeliveryStatus,
    /// When it came there.
    pub updated_at: Timestamp,
}

impl Store {
    /// How far a message of a user has come, by the provider's name for it.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delivery(&self, user_id: i64, sid: &str) -> Result<Option<DeliveryProgress>, StoreError> {
        let row = self.read(|reader| {
            let find = "SELECT status, updated_at FROM outgoing_messages WHERE sid = $1 AND user_id = $2";
            let read = |row: &rusqlite::Row<'_>| Ok((row.get_ref(0)?.as_str()?.into(), row.get(1)?));
            Ok(one(reader, find, (sid, user_id), read).optional()?)
        })?;
        row.map(|(status, at)| Ok(DeliveryProgress { status, updated_at: moment(at)? })).transpose()
    }

    /// When the provider next has something to do.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn next_step(&self) -> Result<Option<Timestamp>, StoreError> {
        let due = self.read(|reader| {
            let message = "SELECT step_at FROM outgoing_messages WHERE step_at IS NOT NULL ORDER BY step_at LIMIT 1";
            let template = "SELECT refresh_at FROM templates WHERE refresh_at IS NOT NULL ORDER BY refresh_at LIMIT 1";
            let first = |sql| one(reader, sql, [], |row| row.get::<_, i64>(0)).optional();
            Ok([first(message)?, first(template)?].into_iter().flatten().min())
        })?;
        Ok(due.map(moment).transpose()?)
    }

    /// Does all that is due by now.
    ///
    /// # Errors
    /// Where the database fails; what was done before stays done.
    pub fn settle(&self, now: Timestamp) -> Result<(), StoreError> {
        if self.next_step()?.is_none_or(|due| due > now) {
            return Ok(());
        }
        self.write(|tx| decide(tx, now))?;
        while self.write(|tx| advance(tx, now))? {}
        Ok(())
    }
}

/// Takes the steps that are due of the first messages; true where there may be more.
fn advance(tx: &Transaction<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let due: Vec<(i64, DeliveryStatus, DeliveryStatus, i64)> = many(
        tx,
        "SELECT id, status, fate, step_at FROM outgoing_messages WHERE step_at <= $1 ORDER BY step_at, id LIMIT $2",
        [now.as_microsecond(), BATCH],
        |row| Ok((row.get(0)?, row.get_ref(1)?.as_str()?.into(), row.get_ref(2)?.as_str()?.into(), row.get(3)?)),
    )?;
    let more = i64::try_from(due.len()).is_ok_and(|count| count == BATCH);
    for (id, mut status, fate, step_at) in due {
        let mut step_at = Some(moment(step_at)?);
        let mut updated_at = now;
        while let Some(at) = step_at.filter(|at| *at <= now) {
            updated_at = at;
            // The wait for a step stands before it: the one after this is asked for with the new status.
            let Some((next, _)) = provider::step(&status, &fate) else {
                step_at = None;
                break;
            };
            status = next;
            step_at = provider::step(&status, &fate).and_then(|(_, wait)| at.checked_add(wait).ok());
        }
        execute(
            tx,
            "UPDATE outgoing_messages SET status = $1, step_at = $2, updated_at = $3 WHERE id = $4",
            (status.as_str(), step_at.map(Timestamp::as_microsecond), updated_at.as_microsecond(), id),
        )?;
    }
    Ok(more)
}

/// Asks for the templates whose time has come: the platform has decided about each.
fn decide(tx: &Transaction<'_>, now: Timestamp) -> Result<(), StoreError> {
    let due: Vec<i64> = many(
        tx,
        "SELECT id FROM templates WHERE refresh_at <= $1 ORDER BY refresh_at, id",
        [now.as_microsecond()],
        |row| row.get(0),
    )?;
    for id in due {
        let decide = "UPDATE templates SET status = $1, refresh_at = NULL WHERE id = $2 AND status = $3";
        execute(tx, decide, (provider::verdict(id).as_str(), id, TemplateStatus::Pending.as_str()))?;
    }
    Ok(())
}
