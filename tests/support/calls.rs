//! Calls that are always the same.

use super::canned::{ASSISTANTS, noon};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use switchboard::api::{Call, CallFilter, CallStatus, IsoTimestamp};

/// How many there are.
pub const CALLS: usize = 46;

/// All calls, the newest first; the first ones are under way.
pub fn calls() -> Vec<Call> {
    (0..CALLS).map(|at| call(at, status(at).as_str())).collect()
}

fn status(at: usize) -> CallStatus {
    use CallStatus::{
        Busy, Completed, Ended, EndedByAssistant, EndedByCustomer, Failed, InProgress, Initiated, NoAnswer, Ringing,
    };
    let past = [Completed, NoAnswer, Completed, EndedByCustomer, Busy, Completed, EndedByAssistant, Failed];
    [Initiated, Ringing, InProgress, Ended].get(at).unwrap_or(&past[at % past.len()]).clone()
}

/// What is said in a call of this number, from its first words on.
fn said(at: usize, began: Timestamp) -> Value {
    let lines = [
        ("bot", "Good afternoon, Lindqvist & Moreau. How can I help?"),
        ("human", "My table was to come on Friday, and nobody has called me since."),
        ("bot", "I am sorry to hear that. May I have the number of the order?"),
        ("human", "It is 20417. 金曜日は空いていますか。"),
        ("bot", "Thank you. Friday between two and four is still free. Shall I book it?"),
        ("human", "Yes, please."),
    ];
    let start = began.as_second() + 3;
    let told = lines.iter().take(2 + at % 5).zip(0i64..);
    told.map(|((sender, text), line)| {
        json!({"text": text, "type": "message", "sender": sender, "timestamp": format!("{}.5", start + line * 11).parse::<f64>().unwrap()})
    })
    .collect()
}

/// A call with this status.
pub fn call(at: usize, status: &str) -> Call {
    let n = i64::try_from(at).unwrap();
    let began = noon() - SignedDuration::from_secs(3 + n * 41 + n * n * 60);
    let talked = matches!(status, "in-progress" | "ended" | "completed" | "ended_by_customer" | "ended_by_assistant");
    let over = talked && status != "in-progress";
    let seconds = if over { 24 + n * 17 % 300 } else { 0 };
    let customers = ["+5511912345678", "+4930901820", "+81312345678", "+34619680870", "+14155550123"];
    let cost = |micros: i64| format!("{}.{:06}00", seconds * micros / 60_000_000, seconds * micros / 60 % 1_000_000);
    let value = json!({
        "id": 5000 - n,
        "assistant_name": ASSISTANTS[at % ASSISTANTS.len()],
        "campaign_name": null,
        "type": (["outbound", "inbound", "web"][at % 3]),
        "duration": seconds,
        "assistant_phone_number": (["+14155550100", "+493012345678"][at % 2]),
        "client_phone_number": customers[at % customers.len()],
        "status": status,
        "transcript": if talked { said(at, began) } else { json!([]) },
        "variables": {"crm_id": format!("C-{}", 40_000 + n)},
        "evaluation": if over {
            json!([
                {"name": "status", "type": "bool", "value": true, "description": "Whether the call reached its end"},
                {"name": "summary", "type": "string", "value": "A delivery on Friday was booked.", "description": ""},
            ])
        } else {
            json!([])
        },
        "webhook_response": null,
        "carrier_cost": cost(14_000),
        "total_cost": cost(120_000),
        "answered_by": if talked { json!("human") } else { Value::Null },
        "recording_url": if over { json!(format!("https://files.example.net/calls/{}.mp3", 5000 - n)) } else { Value::Null },
        "created_at": IsoTimestamp(began).to_string(),
        "updated_at": IsoTimestamp(began + SignedDuration::from_secs(seconds)).to_string(),
    });
    let text = value.to_string();
    Call { raw: Some(text.as_str().into()), ..serde_json::from_str(&text).unwrap() }
}

/// True where a call passes this filter.
pub fn passes(call: &Call, filter: &CallFilter, assistants: &[String]) -> bool {
    let name = filter.assistant_id.and_then(|id| assistants.get(usize::try_from(id - 1).ok()?));
    let day = call.created_at.known().map(|time| time.0.strftime("%F").to_string());
    filter.status.as_ref().is_none_or(|status| call.status.known() == Some(status))
        && filter.kind.as_ref().is_none_or(|kind| call.kind.known() == Some(kind))
        && filter.phone_number.as_ref().is_none_or(|number| call.client_phone_number.known() == Some(number))
        && (filter.assistant_id.is_none() || name.is_some_and(|name| call.assistant_name.known() == Some(name)))
        && filter.date_from.is_none_or(|from| day >= Some(from.to_string()))
        && filter.date_to.is_none_or(|to| day <= Some(to.to_string()))
}
