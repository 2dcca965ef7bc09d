//! Received requests as plain values. Their text comes from the sender unchanged: clean it before displaying it.

use super::signature::Signature;
use crate::api::WebhookEvent;
use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The longest word that is taken as the name of an event, in bytes.
const EVENT_MAX: usize = 64;

/// A request that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// A complete delivery.
    Delivery(Box<Delivery>),
    /// Any other request; its body is discarded.
    Rejected(Rejected),
}

impl Arrival {
    /// The status of the response.
    pub fn status(&self) -> u16 {
        match self {
            Self::Delivery(delivery) => delivery.status,
            Self::Rejected(rejected) => rejected.status,
        }
    }
}

/// A webhook delivery. A retry is another delivery with the same `webhook_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Counted from 1; what [`super::Receiver::forward_again`] takes.
    pub number: u64,
    /// When its head was read.
    pub received_at: Timestamp,
    /// The path it was sent to, without its query.
    pub path: String,
    /// The `webhook-id` header.
    pub webhook_id: Option<String>,
    /// The event, derived from the body; a completed call does not show its direction.
    pub event: Option<WebhookEvent>,
    /// What the event is about.
    pub subject: Option<Subject>,
    /// The result of checking the signature.
    pub signature: Signature,
    /// The status of the response: the target's, 502 if the target did not answer, 200 without forwarding.
    pub status: u16,
    /// The target's status, or why there is none; `None` without forwarding.
    pub forward: Option<Result<u16, String>>,
    /// Names and values; credentials are masked.
    pub headers: Vec<(String, String)>,
    /// At most 1 MiB; invalid UTF-8 is replaced.
    pub body: String,
}

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A conversation, by its id in the conversation list.
    Conversation(Uuid),
    /// A call, by its number.
    Call(i64),
}

/// A rejected request: not a POST, or too large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// When its head was read.
    pub received_at: Timestamp,
    /// `GET`.
    pub method: String,
    /// The path it was sent to, without its query.
    pub path: String,
    /// The status of the response.
    pub status: u16,
}

/// The event and its subject, read from the body: from the field `event`, or else from the set of fields.
pub(super) fn read(body: &[u8]) -> (Option<WebhookEvent>, Option<Subject>) {
    let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(body) else { return (None, None) };
    let text = |name| fields.get(name).and_then(Value::as_str);
    let conversation = text("conversation_id").and_then(|id| id.parse().ok()).map(Subject::Conversation);
    if let Some(event) = text("event").filter(|event| event.len() <= EVENT_MAX) {
        return (Some(event.into()), conversation);
    }
    if conversation.is_some() && fields.contains_key("ended_at") {
        return (Some(WebhookEvent::ConversationEnded), conversation);
    }
    let call = fields.get("id").and_then(Value::as_i64).map(Subject::Call);
    if call.is_some() && fields.contains_key("finished_at") && fields.contains_key("duration") {
        return (Some(WebhookEvent::CallCompleted), call);
    }
    (None, conversation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn event_and_subject_come_from_the_body() {
        let id = Uuid::from_u128(7);
        let conversation = Some(Subject::Conversation(id));
        let status = WebhookEvent::Other("message_status".to_owned());
        for (body, expected) in [
            (
                json!({"id": 1, "conversation_id": id, "ended_at": "x"}),
                (Some(WebhookEvent::ConversationEnded), conversation),
            ),
            (
                json!({"id": 9, "duration": 3, "finished_at": "x"}),
                (Some(WebhookEvent::CallCompleted), Some(Subject::Call(9))),
            ),
            (json!({"event": "message_status", "conversation_id": id}), (Some(status), conversation)),
            (json!({"event": "x".repeat(65), "conversation_id": "\u{1b}[2J"}), (None, None)),
            (json!({"conversation_id": id}), (None, conversation)),
            (json!({"id": "9", "duration": 3, "finished_at": "x"}), (None, None)),
            (json!([1]), (None, None)),
        ] {
            assert_eq!(read(body.to_string().as_bytes()), expected, "{body}");
        }
        assert_eq!(read(b"\xff"), (None, None));
        assert_eq!(read("[".repeat(100_000).as_bytes()), (None, None));
    }
}
