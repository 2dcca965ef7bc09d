//! An outgoing message and its outcome.

use crate::api::{ErrorCode, MakeCall, SendFreeform, SendTemplate};
use serde::{Deserialize, Serialize};

/// A message to send, or a call to make.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outgoing {
    /// A template message.
    Template(SendTemplate),
    /// A freeform message, which needs an open window.
    Freeform(SendFreeform),
    /// A call by an assistant.
    Call(MakeCall),
}

impl Outgoing {
    /// The sender it leaves from, or the assistant that calls.
    pub fn sender_id(&self) -> i64 {
        match self {
            Self::Template(SendTemplate { sender_id, .. }) | Self::Freeform(SendFreeform { sender_id, .. }) => {
                *sender_id
            }
            Self::Call(MakeCall { assistant_id, .. }) => *assistant_id,
        }
    }

    /// The number it goes to, in E.164.
    pub fn recipient_phone(&self) -> &str {
        match self {
            Self::Template(SendTemplate { recipient_phone, .. })
            | Self::Freeform(SendFreeform { recipient_phone, .. }) => recipient_phone,
            Self::Call(MakeCall { phone_number, .. }) => phone_number,
        }
    }
}

/// The outcome of a send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The service accepted it.
    Accepted(Accepted),
    /// The platform looked at this message and said no: neither sent nor charged.
    Refused(Refusal),
    /// It never left, or was turned away for a reason that is not about this message: it can be sent later as it is.
    NotSent(Refusal),
    /// It may or may not have been sent: the program never resends it.
    Unknown {
        /// What happened, in a sentence.
        why: String,
    },
}

/// The service's reply to an accepted message or call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Accepted {
    /// `conversation_id` on the wire.
    pub conversation_id: Option<i64>,
    /// `message_id` on the wire.
    pub message_id: Option<i64>,
    /// `msgapp_message_id` on the wire.
    pub msgapp_message_id: Option<i64>,
    /// The provider's id of the message, `SM…`.
    pub message_sid: Option<String>,
    /// The delivery status in the reply, mostly `queued`; of a call `initiated`.
    pub status: Option<String>,
    /// `call_id` on the wire, where the server tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<i64>,
}

/// Why a message was refused or not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The HTTP status; `None`: the request never reached the service.
    pub status: Option<u16>,
    /// `error_code` on the wire.
    pub code: Option<ErrorCode>,
    /// The service's message, or why the request was not sent.
    pub words: String,
}
