//! Calls of a world's past: stored as rows, so that they are listed, filtered and counted like any other, and without
//! their texts, which are made up again at each reading.

use super::bulk::{Counted, Owner};
use super::calls::entry;
use super::paging::CALLS;
use super::{StoreError, execute, json, moment, prepare};
use crate::api::call::{Finding, Utterance};
use crate::api::{CallStatus, CallType};
use crate::service::simulation::calls;
use crate::service::simulation::past_calls::PastCall;
use crate::service::world::User;
use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::{Map, Value};

/// What stands in place of a text that is made up when it is read.
pub(super) const MADE_UP: &str = "";

/// Inserts calls of one owner, in their order.
pub(super) fn insert(
    tx: &Transaction<'_>,
    owner: &Owner,
    user: &User,
    calls: impl Iterator<Item = PastCall>,
) -> Result<(), StoreError> {
    let number = |assistant: &str| {
        let mut theirs = user.senders.iter().filter(|sender| sender.assistant.as_deref() == Some(assistant));
        let first = theirs.next()?.phone_number.as_str();
        Some(theirs.map(|sender| sender.phone_number.as_str()).fold(first, std::cmp::min))
    };
    let numbers: Vec<_> = user.assistants.iter().map(|assistant| number(&assistant.name)).collect();
    let mut statement = prepare(
        tx,
        "INSERT INTO calls (user_id, assistant_id, type, status, assistant_phone_number, client_phone_number, variables, \
         outcome, talk_seconds, next_at, duration, transcript, evaluation, carrier_cost_micros, total_cost_micros, \
         answered_by, created_at, answered_at, finished_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9, $10, '', '', $11, $12, $13, $14, $15, $16, $17)",
    )?;
    let mut counted = Counted::new(&CALLS);
    for call in calls {
        let missing = || StoreError::Unreadable("made-up assistant");
        let assistant_id = *owner.assistants.get(call.assistant).ok_or_else(missing)?;
        let talked = call.status.is_over() || call.status == CallStatus::Ended;
        let duration = if talked { call.plan.talk_seconds } else { 0 };
        let price = calls::price(duration);
        // A tuple of more than 16 is no set of parameters.
        statement.execute(rusqlite::params![
            owner.user_id,
            assistant_id,
            call.kind.as_str(),
            call.status.as_str(),
            numbers.get(call.assistant).copied().flatten(),
            call.phone,
            call.plan.outcome.as_str(),
            call.plan.talk_seconds,
            call.next_at,
            duration,
            price.carrier,
            price.total,
            call.plan.answered_by,
            call.created_at,
            call.answered_at,
            call.finished_at,
            call.updated_at,
        ])?;
        let id = tx.last_insert_rowid();
        let words = [call.kind.as_str(), call.status.as_str()];
        counted.add(tx, entry(owner.user_id, assistant_id, words, id, call.created_at))?;
        // What is about to be told of as completed has its words already.
        if let (CallStatus::Ended, Some(described)) = (&call.status, user.assistants.get(call.assistant)) {
            let answered_at = call.answered_at.map(moment).transpose()?;
            let made = made_up(id, &described.timezone, (&call.kind, &call.plan.outcome), answered_at, duration);
            let texts = (json(&made.variables)?, json(&made.transcript)?, json(&made.evaluation)?, id);
            execute(tx, "UPDATE calls SET variables = $1, transcript = $2, evaluation = $3 WHERE id = $4", texts)?;
        }
    }
    counted.write(tx)
}

/// What a made-up call says of itself beyond its row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct MadeUp {
    pub(super) variables: Map<String, Value>,
    pub(super) transcript: Vec<Utterance>,
    pub(super) evaluation: Vec<Finding>,
    pub(super) recording_url: Option<String>,
}

/// Makes up a call by its number: always the same. Of one without seconds of talk nothing was said.
pub(super) fn made_up(
    id: i64,
    timezone: &str,
    (kind, status): (&CallType, &CallStatus),
    answered_at: Option<Timestamp>,
    seconds: i64,
) -> MadeUp {
    let variables = calls::told(id, timezone);
    let Some(answered_at) = answered_at.filter(|_| seconds > 0) else {
        return MadeUp { variables, ..MadeUp::default() };
    };
    let learned = calls::learned(id, timezone, answered_at, seconds).into_iter();
    let asked = learned.map(|(name, value)| Finding {
        description: format!("The {} that was named", name.replace('_', " ")),
        name,
        kind: "string".to_owned(),
        value,
    });
    let found = calls::findings(kind, status, seconds, std::iter::empty());
    MadeUp {
        variables,
        transcript: calls::talk(id, timezone, calls::first_words(timezone), answered_at, seconds),
        evaluation: found.into_iter().chain(asked).collect(),
        recording_url: Some(format!("https://media.example.com/recordings/{id}.mp3")),
    }
}
