//! How calls go on: each step when it is due, with all that follows from it in one transaction.

use super::accounts::{pay, release, reserve_minute, reserved};
use super::calls::set_status;
use super::{Store, StoreError, events, execute, json, many, moment, one, parsed};
use crate::api::{AssistantSettings, CallStatus, CallType};
use crate::service::simulation::calls::{GIVING_UP, RINGING, WRITING_DOWN, findings, price, talk};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};
use std::time::Duration;

/// Steps in one transaction, so that other writes get their turn.
const BATCH: i64 = 100;

/// Seconds that are reserved at a time.
const MINUTE: i64 = 60;

/// A call whose next step is due.
#[derive(Debug, Clone)]
struct DueCall {
    id: i64,
    user_id: i64,
    assistant_id: i64,
    kind: CallType,
    status: CallStatus,
    outcome: CallStatus,
    talk_seconds: i64,
    answered_at: Option<i64>,
    /// When the step is due, which is when it counts as taken.
    at: i64,
}

impl DueCall {
    /// Whole seconds of talk until a moment, at most as many as were planned.
    fn talked(&self, until: i64) -> i64 {
        let since = self.answered_at.unwrap_or(until);
        (until.saturating_sub(since) / 1_000_000).clamp(0, self.talk_seconds.max(0))
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            user_id: row.get(1)?,
            assistant_id: row.get(2)?,
            kind: row.get_ref(3)?.as_str()?.into(),
            status: row.get_ref(4)?.as_str()?.into(),
            outcome: row.get_ref(5)?.as_str()?.into(),
            talk_seconds: row.get(6)?,
            answered_at: row.get(7)?,
            at: row.get(8)?,
        })
    }
}

impl Store {
    /// When the next step of any call is due; `None` where all are over.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn next_call_step(&self) -> Result<Option<Timestamp>, StoreError> {
        let next = "SELECT next_at FROM calls WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1";
        let next: Option<i64> = self.read(|reader| Ok(one(reader, next, [], |row| row.get(0)).optional()?))?;
        Ok(next.map(moment).transpose()?)
    }

    /// Takes every step of every call that is due by `now`.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn advance_calls(&self, now: Timestamp) -> Result<(), StoreError> {
        while self.next_call_step()?.is_some_and(|due| due <= now) {
            self.write(|tx| {
                let due = many(
                    tx,
                    "SELECT id, user_id, assistant_id, type, status, outcome, talk_seconds, answered_at, \
                     next_at FROM calls WHERE next_at <= $1 ORDER BY next_at, id LIMIT $2",
                    [now.as_microsecond(), BATCH],
                    DueCall::read,
                )?;
                due.iter().try_for_each(|call| step(tx, call))
            })?;
        }
        Ok(())
    }
}

fn step(tx: &Transaction<'_>, call: &DueCall) -> Result<(), StoreError> {
    match call.status {
        CallStatus::Initiated => {
            let rings = if call.outcome == CallStatus::NoAnswer { GIVING_UP } else { RINGING };
            enter(tx, call, &CallStatus::Ringing, Some(rings))
        }
        CallStatus::Ringing if call.talk_seconds > 0 => answer(tx, call),
        CallStatus::InProgress => go_on(tx, call),
        _ => finish(tx, call),
    }
}

/// The next status, and how long until the one after that.
fn enter(tx: &Transaction<'_>, call: &DueCall, status: &CallStatus, lasts: Option<Duration>) -> Result<(), StoreError> {
    let micros = |lasts: Duration| i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX);
    let next = lasts.map(|lasts| call.at.saturating_add(micros(lasts)));
    set_status(tx, call.id, status, next, call.at)
}

/// Nobody talks without a minute that is paid for.
fn answer(tx: &Transaction<'_>, call: &DueCall) -> Result<(), StoreError> {
    if reserved(tx, call.id)? == 0 && !reserve_minute(tx, call.user_id, call.id)? {
        let change = "UPDATE calls SET talk_seconds = 0, outcome = $1 WHERE id = $2";
        execute(tx, change, (CallStatus::Failed.as_str(), call.id))?;
        return finish(tx, &DueCall { outcome: CallStatus::Failed, ..call.clone() });
    }
    execute(tx, "UPDATE calls SET answered_at = $1 WHERE id = $2", [call.at, call.id])?;
    enter(tx, call, &CallStatus::InProgress, Some(Duration::from_secs(call.talk_seconds.min(MINUTE).unsigned_abs())))
}

/// A minute is over, or they have said all. The next minute is paid for like the first, or there is none.
fn go_on(tx: &Transaction<'_>, call: &DueCall) -> Result<(), StoreError> {
    let talked = call.talked(call.at);
    let left = call.talk_seconds - talked;
    if left <= 0 {
        return hang_up(tx, call);
    }
    if reserve_minute(tx, call.user_id, call.id)? {
        let next = call.at.saturating_add(left.min(MINUTE) * 1_000_000);
        execute(tx, "UPDATE calls SET next_at = $1 WHERE id = $2", [next, call.id])?;
        return Ok(());
    }
    cut(tx, call, talked, &CallStatus::EndedByAssistant)
}

/// They have talked for so long and no longer.
fn cut(tx: &Transaction<'_>, call: &DueCall, talked: i64, outcome: &CallStatus) -> Result<(), StoreError> {
    let change = "UPDATE calls SET talk_seconds = $1, outcome = $2 WHERE id = $3";
    execute(tx, change, (talked, outcome.as_str(), call.id))?;
    hang_up(tx, &DueCall { talk_seconds: talked, outcome: outcome.clone(), ..call.clone() })
}

/// Ends all calls of an assistant at once. What was talked so far is paid.
pub(super) fn end_all(tx: &Transaction<'_>, assistant_id: i64, now: Timestamp) -> Result<(), StoreError> {
    let find = "SELECT id, user_id, assistant_id, type, status, outcome, talk_seconds, answered_at, next_at FROM calls \
                WHERE next_at IS NOT NULL AND assistant_id = $1";
    for call in many(tx, find, [assistant_id], DueCall::read)? {
        let call = DueCall { at: now.as_microsecond(), ..call };
        let outcome = match call.status {
            CallStatus::InProgress => {
                cut(tx, &call, call.talked(call.at), &CallStatus::EndedByAssistant)?;
                CallStatus::EndedByAssistant
            }
            CallStatus::Ended => call.outcome.clone(),
            _ => CallStatus::Failed,
        };
        finish(tx, &DueCall { outcome, ..call })?;
    }
    Ok(())
}

/// They have talked: what was said is written down, and what it costs is paid.
fn hang_up(tx: &Transaction<'_>, call: &DueCall) -> Result<(), StoreError> {
    let (timezone, first_words, settings): (String, String, String) = one(
        tx,
        "SELECT timezone, initial_message, settings FROM assistants WHERE id = $1",
        [call.assistant_id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let settings: AssistantSettings = parsed(&settings, "set of settings")?;
    let asked = settings.post_call_schema.into_iter().map(|field| (field.name, field.kind, field.description));
    let said = talk(call.id, &timezone, &first_words, moment(call.answered_at.unwrap_or(call.at))?, call.talk_seconds);
    let found = findings(&call.kind, &call.outcome, call.talk_seconds, asked);
    let cost = price(call.talk_seconds);
    execute(
        tx,
        "UPDATE calls SET duration = $1, transcript = $2, evaluation = $3, carrier_cost_micros = $4, \
         total_cost_micros = $5 WHERE id = $6",
        (call.talk_seconds, json(&said)?, json(&found)?, cost.carrier, cost.total, call.id),
    )?;
    pay(tx, call.user_id, call.id, &cost)?;
    enter(tx, call, &CallStatus::Ended, Some(WRITING_DOWN))
}

fn finish(tx: &Transaction<'_>, call: &DueCall) -> Result<(), StoreError> {
    execute(tx, "UPDATE calls SET finished_at = $1 WHERE id = $2", [call.at, call.id])?;
    release(tx, call.user_id, call.id)?;
    enter(tx, call, &call.outcome, None)?;
    events::calls::queue_call_completed(tx, call.id, moment(call.at)?)
}
