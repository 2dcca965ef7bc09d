//! The controls of a sandbox: `/sandbox/`, beside the API. Only a sandbox has them.

use super::{DeliveryStatus, IsoTimestamp, Token};
use serde::{Deserialize, Serialize};

/// The body of `POST /sandbox/clock`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct AdvanceClock {
    /// How far the service's clock moves on, in seconds.
    pub advance_seconds: u64,
}

/// The reply of `POST /sandbox/clock`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ClockTime {
    /// The service's time afterwards.
    pub now: IsoTimestamp,
}

/// The body of `POST /sandbox/faults`. At least one of `status`, `latency_ms` and `drop` must be set.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize)]
pub struct SandboxFault {
    /// The fault affects paths below the API root that start with this.
    pub path: String,
    /// Answer with this error status, 400 to 599.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Delay the answer, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Break the connection instead of answering.
    pub drop: bool,
    /// How many requests are affected.
    pub count: u64,
}

/// The body of `POST /sandbox/faults` that ends all faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct ClearFaults {
    /// Must be true.
    pub clear: bool,
}

/// The body of `POST /sandbox/inbound-message`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct InboundMessage {
    /// The sender that the customer writes to.
    pub sender_id: i64,
    /// The customer, in E.164.
    pub customer_phone: String,
    /// At most 4,096 characters.
    pub text: String,
    /// At most 255 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_name: Option<String>,
}

/// The reply of `POST /sandbox/inbound-message`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReceivedMessage {
    /// The conversation's number.
    pub conversation_id: i64,
    /// The message's number in it.
    pub message_id: i64,
}

/// The body of `POST /sandbox/end-conversation`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct EndConversation {
    /// The conversation's UUID.
    pub conversation_id: String,
}

/// The body of `POST /sandbox/inbound-call`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct InboundCall {
    /// The assistant that the customer calls.
    pub assistant_id: i64,
    /// The customer, in E.164.
    pub customer_phone: String,
    /// Seconds of talk, 1 to 1,200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_seconds: Option<i64>,
}

/// The reply of `POST /sandbox/inbound-call`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StartedCall {
    /// The call's number.
    pub call_id: i64,
}

/// The reply of `GET /sandbox/messages/{sid}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MessageDelivery {
    /// The provider's id of the message.
    pub message_sid: String,
    /// How far it has come.
    pub status: DeliveryStatus,
    /// When that last changed.
    pub updated_at: IsoTimestamp,
}

/// The reply of `GET /sandbox/webhook-secret`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct WebhookSecret {
    /// The key that the caller's webhooks are signed with.
    pub secret: Token,
}
