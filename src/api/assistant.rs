//! Assistants (spec: Resources, Outbound assistant).

use super::words::wire_words;
use super::{Field, IsoTimestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

wire_words! {
    /// What an assistant does. The spec names `outbound`; the others come from the live platform.
    AssistantType {
        /// It calls out.
        Outbound = "outbound",
        /// It answers calls.
        Inbound = "inbound",
        /// It chats.
        Chat = "chat",
    }
}

wire_words! {
    /// The engine of an assistant.
    AssistantMode {
        /// Transcriber, language model and synthesizer in a row.
        Pipeline = "pipeline",
        /// One model that hears and speaks.
        Multimodal = "multimodal",
        /// A multimodal model with a synthesizer.
        Dualplex = "dualplex",
    }
}

wire_words! {
    /// Whether an assistant is in use (values seen).
    AssistantStatus {
        /// In use.
        Active = "active",
        /// Not in use.
        Inactive = "inactive",
    }
}

/// A row of `GET /user/assistants/outbound`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutboundAssistant {
    /// The number used to call with it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// Its owner.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub user_id: Field<i64>,
    /// Its name.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// Always `outbound` in this list.
    #[serde(rename = "type", skip_serializing_if = "Field::is_missing")]
    pub kind: Field<AssistantType>,
    /// Its engine.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub mode: Field<AssistantMode>,
    /// Whether it is in use.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status: Field<AssistantStatus>,
    /// The voice it speaks with.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub voice_id: Field<i64>,
    /// The language it speaks.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub language_id: Field<i64>,
    /// An IANA time zone name.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub timezone: Field<String>,
    /// What it says first.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub initial_message: Field<String>,
    /// How it is told to behave.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub system_prompt: Field<String>,
    /// Custom variables: names and values are strings.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub variables: Field<Map<String, Value>>,
    /// Where post-call notifications go.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub webhook_url: Field<Option<String>>,
    /// Whether they are sent.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub is_webhook_active: Field<bool>,
    /// When it was created.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub created_at: Field<IsoTimestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub updated_at: Field<IsoTimestamp>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
