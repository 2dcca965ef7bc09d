//! Assistants (spec: Resources, Outbound assistant).

use super::assistant_change::{BuiltInTool, KnowledgebaseMode, PostCallField};
use super::words::wire_words;
use super::{Field, IsoTimestamp};
use schemars::JsonSchema;
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
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OutboundAssistant {
    /// The number used to call with it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// Its owner.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub user_id: Field<i64>,
    /// 1 to 255 characters; need not be unique.
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

/// A row of `GET /user/assistants/get`: all there is about an assistant.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Assistant {
    /// What the outbound list shows too, with the fields that are not known.
    #[serde(flatten)]
    pub base: OutboundAssistant,
    /// The id that conversations carry.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub uuid: Field<String>,
    /// The number that it calls from.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub phone_number_id: Field<Option<i64>>,
    /// Its language.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub language: Field<Value>,
    /// Languages besides the first.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub secondary_language_ids: Field<Vec<i64>>,
    /// The model of a pipeline assistant.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub llm_model_id: Field<Option<i64>>,
    /// The model of a multimodal or dualplex assistant.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub multimodal_model_id: Field<Option<i64>>,
    /// Who makes the voice heard; none is the language's default.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub synthesizer_provider_id: Field<Option<i64>>,
    /// Who writes down what is heard; none is the language's default.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub transcriber_provider_id: Field<Option<i64>>,
    /// What it can look up.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub knowledgebase_id: Field<Option<i64>>,
    /// How it does.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub knowledgebase_mode: Field<Option<KnowledgebaseMode>>,
    /// The mid call tools attached to it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub tool_ids: Field<Vec<i64>>,
    /// Built-in tools.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub tools: Field<Vec<BuiltInTool>>,
    /// What to find out on a call.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub post_call_schema: Field<Vec<PostCallField>>,
    /// Seconds that a call may last.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub max_duration: Field<i64>,
    /// Where notifications of inbound calls go; off where there is none.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub inbound_webhook_url: Field<Option<String>>,
    /// Whether only calls that were completed are told of.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub send_webhook_only_on_completed: Field<bool>,
    /// Whether notifications carry the recording.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub include_recording_in_webhook: Field<bool>,
    /// Where notifications of ended chats go; off where there is none.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub conversation_ended_webhook_url: Field<Option<String>>,
    /// Whether a chat that goes on after its end is told of again.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub conversation_ended_retrigger: Field<bool>,
    /// Minutes of silence after which a chat counts as ended.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub conversation_inactivity_timeout: Field<i64>,
    /// When it was deleted.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub deleted_at: Field<Option<IsoTimestamp>>,
}

/// What a creation and an update answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantSummary {
    /// `assistant_id` in other operations.
    pub id: i64,
    /// 1 to 255 characters; need not be unique.
    pub name: String,
    /// Whether it is in use; a new one is not.
    pub status: AssistantStatus,
    /// What it does.
    #[serde(rename = "type")]
    pub kind: AssistantType,
    /// Its engine.
    pub mode: AssistantMode,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_record_keeps_odd_and_unknown_fields_as_they_came() {
        let wire = json!({"id": 1, "name": "Reception", "speech_speed": "1.0", "uuid": 7, "max_duration": 600});
        let assistant: Assistant = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!(assistant.max_duration, Field::Known(600));
        assert_eq!(assistant.uuid, Field::Odd(json!(7)));
        assert_eq!(assistant.base.extra["speech_speed"], "1.0");
        let written: Map<_, _> = serde_json::to_value(assistant).unwrap().as_object().unwrap().clone();
        assert_eq!(written.len(), wire.as_object().unwrap().len());
    }
}
