//! A conversation with its messages, and chatting in it (spec: Gaps; the shapes are those of the live platform).

use super::page::KeepsRaw;
use super::words::wire_words;
use super::{ConversationType, Field, Party};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

wire_words! {
    /// Who says something in a conversation.
    Role {
        /// The customer.
        User = "user",
        /// The assistant, or a person in its place.
        Assistant = "assistant",
        /// The platform.
        System = "system",
    }
}

/// A function that the assistant called for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionCall {
    /// The tool's name: `[a-z][a-z_]*`.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Value,
    /// What it gave back.
    #[serde(default)]
    pub result: Value,
}

/// A message of a conversation: no number and no time is shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HistoryMessage {
    /// Who says it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub role: Field<Role>,
    /// What is said.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub content: Field<String>,
    /// The functions called for it; missing where there are none.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "where there are any"))]
    pub function_calls: Field<Vec<FunctionCall>>,
}

impl HistoryMessage {
    /// A message for which no function was called.
    pub fn new(role: Role, content: String) -> Self {
        Self { role: role.into(), content: content.into(), function_calls: Field::Missing }
    }
}

/// The body of `POST /conversations`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct StartConversation {
    /// The assistant's UUID.
    pub assistant_id: String,
    /// `widget`, which costs, or `test`, which does not.
    #[serde(rename = "type")]
    pub kind: ConversationType,
    /// Custom variables; the assistant's own apply where there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
}

/// The body of `POST /conversations/{uuid}/messages`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct ChatMessage {
    /// What the customer writes, at most 2,000 characters.
    pub message: String,
}

/// The answer of `GET /conversations/{uuid}`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ConversationHistory {
    /// Always true.
    pub status: bool,
    /// The messages, oldest first.
    pub history: Vec<HistoryMessage>,
    /// What it was started with and what the assistant found out; null where that is nothing.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub variables: Field<Option<Map<String, Value>>>,
    /// The caller's own name for it; only on conversations of the API.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "on conversations of the API"))]
    pub external_identifier: Field<Option<String>>,
    /// The messaging-app sender; only on messaging conversations.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "on messaging conversations"))]
    pub msgapp_sender: Field<Party>,
    /// The customer; only on messaging conversations.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "on messaging conversations"))]
    pub customer: Field<Party>,
    /// Fields that are not known here, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
    /// The JSON as it came; `None` where it did not come from a server.
    #[serde(skip)]
    pub raw: Option<Arc<str>>,
}

impl KeepsRaw for ConversationHistory {
    fn keep_raw(&mut self, json: &str) {
        self.raw = Some(json.into());
    }
}

/// The answer of `POST /conversations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StartedConversation {
    /// Always true.
    pub status: bool,
    /// The new conversation's UUID.
    pub conversation_id: String,
    /// What the assistant says first.
    pub history: Vec<HistoryMessage>,
}

/// The answer of `POST /conversations/{uuid}/messages`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatReply {
    /// Always true.
    pub status: bool,
    /// The assistant's reply; null while a person has taken over.
    pub message: Option<String>,
    /// The functions called for it.
    #[serde(default)]
    pub function_calls: Vec<FunctionCall>,
}

/// The answer of `POST /automate/conversations/{uuid}/disable-ai` and `…/enable-ai`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AiSwitched {
    /// Always true.
    pub status: bool,
    /// Whether the AI answers from here on.
    pub ai_enabled: bool,
}
