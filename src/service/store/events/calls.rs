//! The notification that a call has completed.

use super::{QueuedEvent, deliveries, local};
use crate::api::{CallCompletion, ExtractedVariables, WebhookEvent};
use crate::service::store::{StoreError, moment, one};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Row, Transaction};
use serde::Deserialize;
use serde_json::{Map, Value};

const CALL: &str = "SELECT c.user_id, c.type, c.status, c.assistant_phone_number, c.client_phone_number, c.variables, \
    c.duration, c.transcript, c.evaluation, c.created_at, c.finished_at, a.timezone, a.settings, \
    CASE WHEN a.deleted_at IS NULL THEN a.inbound_webhook_url END, \
    CASE WHEN a.is_webhook_active AND a.deleted_at IS NULL THEN a.webhook_url END, a.id \
    FROM calls AS c JOIN assistants AS a ON a.id = c.assistant_id WHERE c.id = $1";

/// A call as its notification needs it.
struct FinishedCall {
    user_id: i64,
    assistant_id: i64,
    event: WebhookEvent,
    url: Option<String>,
    completion: CallCompletion,
    timezone: String,
    created_at: i64,
    finished_at: Option<i64>,
    only_completed: bool,
}

/// What was said on a call, as it is stored.
#[derive(Deserialize)]
struct StoredUtterance {
    text: String,
    sender: String,
}

/// What was found out on a call, as it is stored.
#[derive(Deserialize)]
struct StoredFinding {
    name: String,
    value: Value,
}

/// What an assistant's settings say about its notifications.
#[derive(Deserialize, Default)]
#[serde(default)]
struct WebhookSettings {
    send_webhook_only_on_completed: Option<bool>,
}

/// A call is over, and its row says how: its assistant's receiver is told, once. Calls that came in have a receiver of
/// their own.
pub(in crate::service::store) fn queue_call_completed(
    tx: &Transaction<'_>,
    call_id: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let call = one(tx, CALL, [call_id], |row| read(call_id, row))?;
    let FinishedCall { user_id, assistant_id, event, url, completion, .. } = call;
    let subject = format!("call:{call_id}");
    let Some(url) = url else { return Ok(()) };
    if (call.only_completed && completion.status != "completed") || deliveries::exists(tx, &subject, &event)? {
        return Ok(());
    }
    let zone = TimeZone::get(&call.timezone).unwrap_or(TimeZone::UTC);
    let finished_at = call.finished_at.map_or(Ok(now), moment)?;
    let completion = CallCompletion {
        created_at: local(moment(call.created_at)?, &zone),
        finished_at: local(finished_at, &zone),
        ..completion
    };
    let body = serde_json::to_string(&completion).map_err(|_| StoreError::Unreadable("call"))?;
    deliveries::queue(tx, &QueuedEvent { user_id, assistant_id, kind: event, subject, url: &url, body }, now)
}

fn read(id: i64, row: &Row<'_>) -> rusqlite::Result<FinishedCall> {
    let inbound = row.get_ref(1)?.as_str()? == "inbound";
    let event = if inbound { WebhookEvent::InboundCallCompleted } else { WebhookEvent::CallCompleted };
    let status: String = row.get(2)?;
    let settings: WebhookSettings = json(row.get_ref(12)?.as_str()?);
    let duration: i64 = row.get(6)?;
    let completion = CallCompletion {
        id,
        customer_phone: row.get(4)?,
        assistant_phone: row.get(3)?,
        duration,
        extracted_variables: extracted(json(row.get_ref(8)?.as_str()?), &status, duration),
        status,
        input_variables: json(row.get_ref(5)?.as_str()?),
        transcript: transcript(json(row.get_ref(7)?.as_str()?)),
        recording_url: None,
        created_at: String::new(),
        finished_at: String::new(),
        lead: None,
        campaign: None,
    };
    Ok(FinishedCall {
        user_id: row.get(0)?,
        assistant_id: row.get(15)?,
        event,
        url: row.get(if inbound { 13 } else { 14 })?,
        completion,
        timezone: row.get(11)?,
        created_at: row.get(9)?,
        finished_at: row.get(10)?,
        only_completed: settings.send_webhook_only_on_completed.unwrap_or_default(),
    })
}

/// What was stored as JSON; nothing, where it cannot be read.
fn json<T: for<'a> Deserialize<'a> + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

fn transcript(words: Vec<StoredUtterance>) -> String {
    let speaker = |sender: &str| if sender == "human" { "Customer" } else { "AI" };
    let lines: Vec<_> = words.into_iter().map(|words| format!("{}: {}", speaker(&words.sender), words.text)).collect();
    lines.join("\n")
}

fn extracted(findings: Vec<StoredFinding>, status: &str, duration: i64) -> ExtractedVariables {
    let mut more: Map<_, _> = findings.into_iter().map(|finding| (finding.name, finding.value)).collect();
    let served = more.remove("status").and_then(|value| value.as_bool());
    let summary = more.remove("summary").and_then(|value| value.as_str().map(str::to_owned));
    ExtractedVariables {
        status: served.unwrap_or(duration > 0),
        summary: summary.unwrap_or_else(|| format!("The call ended as {status} after {duration} s.")),
        more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::{Data, Store, execute};
    use serde_json::json;

    fn store(type_: &str, status: &str, settings: &str) -> Store {
        let store = Store::open(&Data::Memory).unwrap();
        store
            .write(|tx| {
                execute(
                    tx,
                    "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                     VALUES (1, 'a@b.c', 'tenant', 0, 5, FALSE, 0)",
                    [],
                )?;
                execute(
                    tx,
                    "INSERT INTO assistants (id, uuid, user_id, name, type, mode, status, voice_id, language_id, \
                     timezone, initial_message, system_prompt, variables, webhook_url, is_webhook_active, created_at, \
                     updated_at, inbound_webhook_url, settings) VALUES (1, x'01', 1, 'A', 'outbound', 'pipeline', \
                     'active', 1, 1, 'Europe/Berlin', '', '', '{}', 'http://out/', TRUE, 0, 0, 'http://in/', $1)",
                    [settings],
                )?;
                execute(
                    tx,
                    "INSERT INTO calls (id, user_id, assistant_id, type, status, assistant_phone_number, \
                     client_phone_number, variables, outcome, talk_seconds, duration, transcript, evaluation, \
                     carrier_cost_micros, total_cost_micros, created_at, finished_at, updated_at) VALUES (7, 1, 1, $1, \
                     $2, NULL, '+4930123456', $3, '', 0, 42, $4, $5, 0, 0, 0, 60000000, 0)",
                    (
                        type_,
                        status,
                        r#"{"name":"Zoë"}"#,
                        r#"[{"text":"Hallo","type":"message","sender":"bot","timestamp":1.5},
                            {"text":"Ja?","type":"message","sender":"human","timestamp":2.5}]"#,
                        r#"[{"name":"mood","type":"string","value":"good","description":""}]"#,
                    ),
                )?;
                for _ in 0..2 {
                    queue_call_completed(tx, 7, Timestamp::UNIX_EPOCH)?;
                }
                Ok(())
            })
            .unwrap();
        store
    }

    fn queued(store: &Store) -> Vec<(String, String, Value)> {
        let listed = store.deliveries(None, 10).unwrap();
        let due = store.lease_deliveries((Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH), 0, |_| 10).unwrap().deliveries;
        let of = |event: &WebhookEvent| event.as_str().to_owned();
        listed
            .iter()
            .zip(due)
            .map(|(listed, due)| (of(&listed.event), due.url, serde_json::from_str(&due.body).unwrap()))
            .collect()
    }

    #[test]
    fn a_call_is_told_of_once_with_every_field() {
        let [(event, url, body)] = queued(&store("outbound", "completed", "{}")).try_into().unwrap();
        assert_eq!((event.as_str(), url.as_str()), ("call_completed", "http://out/"));
        assert_eq!(
            body,
            json!({
                "id": 7, "customer_phone": "+4930123456", "assistant_phone": null, "duration": 42,
                "status": "completed",
                "extracted_variables": {
                    "status": true, "summary": "The call ended as completed after 42 s.", "mood": "good"
                },
                "input_variables": {"name": "Zoë"}, "transcript": "AI: Hallo\nCustomer: Ja?", "recording_url": null,
                "created_at": "1970-01-01T01:00:00+01:00", "finished_at": "1970-01-01T01:01:00+01:00",
                "lead": null, "campaign": null
            })
        );
    }

    #[test]
    fn a_call_that_came_in_goes_to_the_receiver_of_those() {
        let [(event, url, _)] = queued(&store("inbound", "ended_by_customer", "{}")).try_into().unwrap();
        assert_eq!((event.as_str(), url.as_str()), ("inbound_call_completed", "http://in/"));
    }

    #[test]
    fn a_receiver_that_wants_completed_calls_only_hears_of_no_other() {
        let settings = r#"{"send_webhook_only_on_completed":true}"#;
        assert_eq!(queued(&store("outbound", "busy", settings)), []);
        assert_eq!(queued(&store("outbound", "completed", settings)).len(), 1);
    }
}
