//! Calls: how they begin and how they are read. How they go on is in [`super::call_progress`].

use super::accounts::{affords_a_minute, pay, reserve_minute};
use super::calls_past::{self, MADE_UP, MadeUp};
use super::catalogue::exists;
use super::paging::{self, CALLS, Entry};
use super::{Store, StoreError, execute, json, moment, one, parsed};
use crate::api::{AssistantSettings, Call, CallStatus, CallType, IsoTimestamp};
use crate::service::simulation::calls::{DIALLING, Plan, price};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The columns that [`CallRecord::read`] reads, of `calls AS c` and its assistant `a`.
pub(super) const COLUMNS: &str = "c.id, a.name, c.type, c.duration, c.assistant_phone_number, c.client_phone_number, c.status, \
    CASE WHEN c.answered_at IS NULL THEN NULL ELSE c.answered_by END, c.transcript, c.variables, c.evaluation, c.carrier_cost_micros, c.total_cost_micros, c.created_at, \
    c.updated_at, a.timezone, c.answered_at";

/// A call about to begin.
#[derive(Debug, Clone)]
pub struct NewCall<'a> {
    /// Whose it is.
    pub user_id: i64,
    /// Who talks for the user.
    pub assistant_id: i64,
    /// Who calls whom.
    pub kind: CallType,
    /// The customer's number.
    pub phone: &'a str,
    /// Given in place of the assistant's own variables.
    pub variables: BTreeMap<String, String>,
    /// What will come of it.
    pub plan: Plan,
}

/// Why a call does not begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallRefusal {
    /// The user has no such assistant.
    NoAssistant,
    /// The assistant does not call out.
    NotOutbound,
    /// The balance does not last for a minute.
    BalanceTooLow,
}

/// A row as the database gives it.
pub(super) struct CallRecord {
    call: Call,
    transcript: String,
    variables: String,
    evaluation: String,
    carrier_cost_micros: i64,
    total_cost_micros: i64,
    created_at: i64,
    updated_at: i64,
    timezone: String,
    answered_at: Option<i64>,
}

impl CallRecord {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let call = Call {
            id: row.get::<_, i64>(0)?.into(),
            assistant_name: row.get::<_, String>(1)?.into(),
            campaign_name: None.into(),
            kind: CallType::from(row.get_ref(2)?.as_str()?).into(),
            duration: row.get::<_, i64>(3)?.into(),
            assistant_phone_number: row.get::<_, Option<String>>(4)?.into(),
            client_phone_number: row.get::<_, String>(5)?.into(),
            status: CallStatus::from(row.get_ref(6)?.as_str()?).into(),
            webhook_response: Value::Null.into(),
            answered_by: row.get::<_, Option<String>>(7)?.into(),
            recording_url: None.into(),
            ..Call::default()
        };
        Ok(Self {
            call,
            transcript: row.get(8)?,
            variables: row.get(9)?,
            evaluation: row.get(10)?,
            carrier_cost_micros: row.get(11)?,
            total_cost_micros: row.get(12)?,
            created_at: row.get(13)?,
            updated_at: row.get(14)?,
            timezone: row.get(15)?,
            answered_at: row.get(16)?,
        })
    }
}

impl CallRecord {
    /// What the row says in words, each made up where it holds none.
    fn texts(&self) -> Result<MadeUp, StoreError> {
        let call = &self.call;
        let made_up = match (call.id.known(), call.kind.known(), call.status.known(), call.duration.known()) {
            (Some(id), Some(kind), Some(status), Some(seconds)) if self.variables == MADE_UP => {
                let answered_at = self.answered_at.map(moment).transpose()?;
                calls_past::made_up(*id, &self.timezone, (kind, status), answered_at, *seconds)
            }
            _ => MadeUp { variables: parsed(&self.variables, "set of variables")?, ..MadeUp::default() },
        };
        // A call that went on after it was made up has texts of its own.
        let stored = |text: &str| text != MADE_UP;
        Ok(MadeUp {
            transcript: if stored(&self.transcript) {
                parsed(&self.transcript, "transcript")?
            } else {
                made_up.transcript
            },
            evaluation: if stored(&self.evaluation) {
                parsed(&self.evaluation, "evaluation")?
            } else {
                made_up.evaluation
            },
            ..made_up
        })
    }
}

impl TryFrom<CallRecord> for Call {
    type Error = StoreError;

    fn try_from(row: CallRecord) -> Result<Self, StoreError> {
        let texts = row.texts()?;
        Ok(Self {
            transcript: texts.transcript.into(),
            variables: texts.variables.into(),
            evaluation: texts.evaluation.into(),
            recording_url: texts.recording_url.into(),
            carrier_cost: decimals(row.carrier_cost_micros).into(),
            total_cost: decimals(row.total_cost_micros).into(),
            created_at: IsoTimestamp(moment(row.created_at)?).into(),
            updated_at: IsoTimestamp(moment(row.updated_at)?).into(),
            ..row.call
        })
    }
}

/// Millionths with 8 decimals.
fn decimals(micros: i64) -> String {
    format!("{}.{:06}00", micros / 1_000_000, micros % 1_000_000)
}

impl Store {
    /// Begins a call. An outbound one takes an assistant that calls out, and a balance that lasts for a minute.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn begin_call(&self, new: NewCall<'_>, now: Timestamp) -> Result<Result<i64, CallRefusal>, StoreError> {
        self.write(|tx| {
            let assistant: Option<(String, String, String)> = one(
                tx,
                "SELECT type, variables, settings FROM assistants \
                 WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL",
                [new.assistant_id, new.user_id],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .optional()?;
            let Some((assistant_type, variables, settings)) = assistant else {
                return Ok(Err(CallRefusal::NoAssistant));
            };
            if new.kind == CallType::Outbound {
                if assistant_type != CallType::Outbound.as_str() {
                    return Ok(Err(CallRefusal::NotOutbound));
                }
                if !affords_a_minute(tx, new.user_id)? {
                    return Ok(Err(CallRefusal::BalanceTooLow));
                }
            }
            let settings: AssistantSettings = parsed(&settings, "set of settings")?;
            let mut variables: Map<String, Value> = parsed(&variables, "set of variables")?;
            variables.extend(new.variables.into_iter().map(|(name, text)| (name, text.into())));
            let plan = &new.plan;
            // An assistant is heard on the number it writes from.
            let number: Option<String> =
                one(tx, "SELECT MIN(phone_number) FROM senders WHERE assistant_id = $1", [new.assistant_id], |row| {
                    row.get(0)
                })?;
            let next = now.saturating_add(DIALLING).unwrap_or(Timestamp::MAX);
            let id = one(
                tx,
                "INSERT INTO calls (user_id, assistant_id, type, status, assistant_phone_number, client_phone_number, \
                 variables, outcome, talk_seconds, next_at, duration, transcript, evaluation, carrier_cost_micros, \
                 total_cost_micros, answered_by, created_at, updated_at) \
                 VALUES ($1, $2, $3, 'initiated', $4, $5, $6, $7, $8, $9, 0, '[]', '[]', 0, 0, $10, $11, $12) \
                 RETURNING id",
                (
                    new.user_id,
                    new.assistant_id,
                    new.kind.as_str(),
                    number,
                    new.phone,
                    json(&variables)?,
                    plan.outcome.as_str(),
                    plan.talk_seconds.min(settings.max_duration),
                    next.as_microsecond(),
                    plan.answered_by,
                    now.as_microsecond(),
                    now.as_microsecond(),
                ),
                |row| row.get(0),
            )?;
            let at = now.as_microsecond();
            let words = [new.kind.as_str(), CallStatus::Initiated.as_str()];
            paging::add(tx, &CALLS, [(entry(new.user_id, new.assistant_id, words, id, at), 1)])?;
            // Where there is none for a call that comes in, it rings, and nobody answers unless there is one by then.
            reserve_minute(tx, new.user_id, id)?;
            Ok(Ok(id))
        })
    }

    /// A call of a user.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn call(&self, user_id: i64, id: i64) -> Result<Option<Call>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM calls AS c JOIN assistants AS a ON a.id = c.assistant_id \
             WHERE c.id = $1 AND c.user_id = $2"
        );
        let row = self.read(|reader| Ok(one(reader, &sql, [id, user_id], CallRecord::read).optional()?))?;
        row.map(Call::try_from).transpose()
    }

    /// Deletes a call of a user; false where the user has no such one. One on which they still talk is cut off, and
    /// what was talked so far is paid.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delete_call(&self, user_id: i64, id: i64, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|tx| {
            let talking = "SELECT answered_at FROM calls WHERE id = $1 AND user_id = $2 AND status = $3";
            let since: Option<i64> =
                one(tx, talking, (id, user_id, CallStatus::InProgress.as_str()), |row| row.get(0)).optional()?;
            if !exists(tx, "SELECT 1 FROM calls WHERE user_id = $1 AND id = $2", [user_id, id])? {
                return Ok(false);
            }
            let seconds = since.map_or(0, |since| (now.as_microsecond() - since).max(0) / 1_000_000);
            pay(tx, user_id, id, &price(seconds))?;
            paging::add(tx, &CALLS, [(counted(tx, id)?, -1)])?;
            execute(tx, "DELETE FROM calls WHERE id = $1", [id])?;
            Ok(true)
        })
    }
}

/// What a call is counted by; `words`: its type and its status.
pub(super) fn entry(user_id: i64, assistant_id: i64, words: [&str; 2], id: i64, created_at: i64) -> Entry {
    let [kind, status] = words;
    Entry::new(&CALLS, user_id, &[&assistant_id.to_string(), kind, status], id, created_at)
}

/// What a stored call is counted by.
fn counted(tx: &Transaction<'_>, id: i64) -> rusqlite::Result<Entry> {
    let find = "SELECT user_id, assistant_id, type, status, created_at FROM calls WHERE id = $1";
    one(tx, find, [id], |row| {
        let words = [row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_str()?];
        Ok(entry(row.get(0)?, row.get(1)?, words, id, row.get(4)?))
    })
}

/// Moves a call to a status, until `next_at`, as of `at`: microseconds since 1970.
pub(super) fn set_status(
    tx: &Transaction<'_>,
    id: i64,
    status: &CallStatus,
    next_at: Option<i64>,
    at: i64,
) -> Result<(), StoreError> {
    let before = counted(tx, id)?;
    let change = "UPDATE calls SET status = $1, next_at = $2, updated_at = $3 WHERE id = $4";
    execute(tx, change, (status.as_str(), next_at, at, id))?;
    paging::add(tx, &CALLS, [(before, -1), (counted(tx, id)?, 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_8_decimals() {
        assert_eq!(decimals(0), "0.00000000");
        assert_eq!(decimals(12_345), "0.01234500");
        assert_eq!(decimals(3_000_001), "3.00000100");
    }
}
