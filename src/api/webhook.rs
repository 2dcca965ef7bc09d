//! Webhooks (spec: Events): what a receiver is sent, and the list of what was sent. The payloads are those of the live
//! platform; the list is one of the sandbox.

use super::words::wire_words;
use super::{ConversationType, IsoTimestamp, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

wire_words! {
    /// What a receiver is told of.
    WebhookEvent {
        /// A chat has ended.
        ConversationEnded = "conversation_ended",
        /// A call that came in has completed.
        InboundCallCompleted = "inbound_call_completed",
        /// A call that went out has completed.
        CallCompleted = "call_completed",
    }
}

wire_words! {
    /// What became of a delivery.
    WebhookDeliveryStatus {
        /// It has not arrived yet, and is tried again.
        Pending = "pending",
        /// The receiver answered with a 2xx.
        Delivered = "delivered",
        /// It was tried for the last time.
        Failed = "failed",
    }
}

/// What was found out in a conversation or a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedVariables {
    /// Whether the customer was served.
    pub status: bool,
    /// What it was about.
    pub summary: String,
    /// What the assistant was told to find out besides.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// One message in the transcript of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptLine {
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub content: String,
    /// When, ISO 8601 in the local time of the assistant.
    pub timestamp: String,
    /// When, in seconds since 1970.
    pub timestamp_unix: i64,
}

/// A file that was sent in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// `image`, `video`, `audio` or `document`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it is.
    pub url: String,
    /// The file name as the customer sent it.
    pub filename: String,
}

/// The sender of a messaging conversation, as its event names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSender {
    /// In E.164.
    pub phone_number: String,
    /// What customers see.
    pub display_name: String,
}

/// The body of a conversation-ended notification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConversationEnded {
    /// The number that messaging operations give.
    pub id: i64,
    /// The UUID that the conversation list gives.
    pub conversation_id: String,
    /// The UUID of the assistant.
    pub assistant_id: String,
    /// Widget or messaging app.
    #[serde(rename = "type")]
    pub kind: ConversationType,
    /// Messages of both sides.
    pub message_count: u64,
    /// Always `ended`.
    pub status: String,
    /// What was found out.
    pub extracted_variables: ExtractedVariables,
    /// What the conversation was started with.
    pub input_variables: Map<String, Value>,
    /// All messages, oldest first.
    pub transcript: Vec<TranscriptLine>,
    /// The same as lines of `AI: ` and `Customer: `.
    pub formatted_transcript: String,
    /// The files sent in it.
    pub attachments: Vec<Attachment>,
    /// The customer's number, where it is known.
    pub customer_phone: Option<String>,
    /// The customer's name, where it is known.
    pub customer_name: Option<String>,
    /// The sender of a messaging conversation.
    pub sender: Option<EventSender>,
    /// When it began, ISO 8601 with an offset.
    pub created_at: String,
    /// When it ended, ISO 8601 with an offset.
    pub ended_at: String,
}

/// The body of a notification about a completed call, of either direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallCompletion {
    /// The call's number.
    pub id: i64,
    /// The customer's number, where it is known.
    pub customer_phone: Option<String>,
    /// The assistant's number, where it has one.
    pub assistant_phone: Option<String>,
    /// Seconds.
    pub duration: i64,
    /// How it ended.
    pub status: String,
    /// What was found out.
    pub extracted_variables: ExtractedVariables,
    /// What the call was started with.
    pub input_variables: Map<String, Value>,
    /// All that was said, in lines.
    pub transcript: String,
    /// Where it can be heard.
    pub recording_url: Option<String>,
    /// When it was started, ISO 8601 with an offset.
    pub created_at: String,
    /// When it ended, ISO 8601 with an offset.
    pub finished_at: String,
    /// The lead that was called.
    pub lead: Option<Value>,
    /// The campaign it belongs to.
    pub campaign: Option<Value>,
}

/// The body of the operations that enable a webhook of an assistant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct EnableWebhook {
    /// The assistant's number.
    pub assistant_id: i64,
    /// Where notifications go: `http` or `https`, at most 2,048 characters.
    pub webhook_url: String,
}

/// The body of the operations that disable a webhook of an assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct DisableWebhook {
    /// The assistant's number.
    pub assistant_id: i64,
}

/// A delivery, as the sandbox lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookDelivery {
    /// `{id}` of `/sandbox/deliveries/{id}/resend`.
    pub id: i64,
    /// What the receiver is told of.
    pub event: WebhookEvent,
    /// What the event is about, such as `conversation:12`.
    pub subject: String,
    /// The header by which a receiver knows it again.
    pub webhook_id: String,
    /// Where it goes.
    pub url: String,
    /// What became of it.
    pub status: WebhookDeliveryStatus,
    /// How often it was tried.
    pub attempts: u32,
    /// What was wrong the last time; null where nothing was.
    pub last_error: Option<String>,
    /// When it was last tried.
    pub last_attempt_at: Option<IsoTimestamp>,
    /// When it is tried next; null where it is not.
    pub next_attempt_at: Option<IsoTimestamp>,
    /// When it arrived.
    pub delivered_at: Option<IsoTimestamp>,
    /// When what it tells of happened.
    pub created_at: IsoTimestamp,
}

/// The answer of `GET /sandbox/deliveries`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookDeliveryList {
    /// The newest deliveries, newest first.
    pub data: Vec<WebhookDelivery>,
}
