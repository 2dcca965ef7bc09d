//! A message on its way out, and what became of it.

use crate::api::{ErrorCode, SendFreeform, SendTemplate};
use serde::{Deserialize, Serialize};

/// What is to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outgoing {
    /// A template with its variables.
    Template(SendTemplate),
    /// Text, into an open window.
    Freeform(SendFreeform),
}

impl Outgoing {
    /// The sender it leaves from.
    pub fn sender_id(&self) -> i64 {
        match self {
            Self::Template(SendTemplate { sender_id, .. }) | Self::Freeform(SendFreeform { sender_id, .. }) => {
                *sender_id
            }
        }
    }

    /// The number it goes to, in E.164.
    pub fn recipient_phone(&self) -> &str {
        match self {
            Self::Template(SendTemplate { recipient_phone, .. })
            | Self::Freeform(SendFreeform { recipient_phone, .. }) => recipient_phone,
        }
    }
}

/// What became of a send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The service has taken it.
    Accepted(Accepted),
    /// It was not sent, and nothing was paid: sending again is safe.
    Refused(Refusal),
    /// Whether it was sent cannot be told from here: it is never sent again by the program.
    Unknown {
        /// What happened, in a sentence.
        why: String,
    },
}

/// What the service says of a message that it has taken.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Accepted {
    /// The conversation's number.
    pub conversation_id: Option<i64>,
    /// The message's number in the conversation.
    pub message_id: Option<i64>,
    /// The message's number in the messaging app.
    pub msgapp_message_id: Option<i64>,
    /// The provider's name for the message.
    pub message_sid: Option<String>,
    /// How far it had come: `queued`, `sent`.
    pub status: Option<String>,
}

/// Why a message was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The HTTP status; `None` where nothing reached the service.
    pub status: Option<u16>,
    /// The code of a messaging refusal.
    pub code: Option<ErrorCode>,
    /// The service's own words, or what kept the request from leaving.
    pub words: String,
}
