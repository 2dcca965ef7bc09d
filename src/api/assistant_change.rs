//! Creating and changing an assistant: the body of both, the whole that it is applied to, and the rules.

use super::rules::{self, Fault};
use super::words::wire_words;
use super::{AssistantMode, AssistantType, Patch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Longest first utterance, in characters.
pub const INITIAL_MESSAGE_MAX: usize = 200;
/// Seconds that a call may last.
pub const MAX_DURATION: RangeInclusive<i64> = 20..=1200;
/// Seconds where none are given (ours).
pub const MAX_DURATION_DEFAULT: i64 = 600;
/// Minutes of silence after which a chat counts as ended.
pub const INACTIVITY: RangeInclusive<i64> = 1..=1440;
/// Minutes where none are given.
pub const INACTIVITY_DEFAULT: i64 = 30;

wire_words! {
    /// How an assistant uses its knowledgebase.
    KnowledgebaseMode {
        /// It looks things up.
        FunctionCall = "function_call",
        /// All of it is part of the prompt; pipeline assistants only.
        Prompt = "prompt",
    }
}

/// The body of a creation and of an update. What is not given stays as it is, or gets its default.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AssistantChange {
    /// 1 to 255 characters; need not be unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = rules::TEXT_MAX))]
    pub name: Option<String>,
    /// What it does: `inbound` or `outbound`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<AssistantType>,
    /// The engine; a new one resets what belongs to the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<AssistantMode>,
    /// The voice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice_id: Option<i64>,
    /// The language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_id: Option<i64>,
    /// An IANA time zone name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The first utterance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = INITIAL_MESSAGE_MAX))]
    pub initial_message: Option<String>,
    /// The behaviour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
    /// The model of a pipeline assistant.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub llm_model_id: Patch<i64>,
    /// The model of a multimodal or dualplex assistant.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub multimodal_model_id: Patch<i64>,
    /// Who makes the voice heard; the language's default where there is none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub synthesizer_provider_id: Patch<i64>,
    /// Who writes down what is heard; the language's default where there is none.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub transcriber_provider_id: Patch<i64>,
    /// Languages besides the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secondary_language_ids: Option<Vec<i64>>,
    /// What it can look up.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub knowledgebase_id: Patch<i64>,
    /// How it does.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub knowledgebase_mode: Patch<KnowledgebaseMode>,
    /// The number that it calls from.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub phone_number_id: Patch<i64>,
    /// The mid call tools attached to it, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_ids: Option<Vec<i64>>,
    /// Built-in tools, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<BuiltInTool>>,
    /// Custom variables, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables: Option<BTreeMap<String, String>>,
    /// What to find out on a call, all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_call_schema: Option<Vec<PostCallField>>,
    /// Whether notifications after a call are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_webhook_active: Option<bool>,
    /// Where they go.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(length(max = rules::URL_MAX), extend("format" = "uri"))]
    pub webhook_url: Patch<String>,
    /// Whether only calls that were completed are told of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send_webhook_only_on_completed: Option<bool>,
    /// Whether they carry the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_recording_in_webhook: Option<bool>,
    /// Where notifications of ended chats go.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(length(max = rules::URL_MAX), extend("format" = "uri"))]
    pub conversation_ended_webhook_url: Patch<String>,
    /// Whether a chat that goes on after its end is told of again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_ended_retrigger: Option<bool>,
    /// Minutes of silence after which a chat counts as ended.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(range(min = *INACTIVITY.start(), max = *INACTIVITY.end()))]
    pub conversation_inactivity_timeout: Patch<i64>,
    /// Seconds that a call may last.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(range(min = *MAX_DURATION.start(), max = *MAX_DURATION.end()))]
    pub max_duration: Patch<i64>,
}

/// A tool that the platform has built in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct BuiltInTool {
    /// Which one.
    #[serde(rename = "type")]
    pub kind: String,
    /// How it is set up.
    #[serde(default)]
    #[schemars(extend("x-presence" = "in answers"))]
    pub data: Value,
}

/// Something to find out on a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct PostCallField {
    /// The field's name in the evaluation of a call.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it means.
    #[serde(default)]
    #[schemars(extend("x-presence" = "in answers"))]
    pub description: String,
}

impl AssistantChange {
    /// What is wrong with the fields that are given, each by itself.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut check = |result: Result<(), Fault>| faults.extend(result.err());
        check(self.name.as_deref().map_or(Ok(()), |text| rules::filled("name", text, rules::TEXT_MAX)));
        if !matches!(self.kind, None | Some(AssistantType::Inbound | AssistantType::Outbound)) {
            check(Err(rules::not_listed("type")));
        }
        if let Some(AssistantMode::Other(_)) = self.mode {
            check(Err(rules::not_listed("mode")));
        }
        check(self.timezone.as_deref().map_or(Ok(()), |name| rules::timezone("timezone", name)));
        check(
            self.initial_message
                .as_deref()
                .map_or(Ok(()), |text| rules::filled("initial_message", text, INITIAL_MESSAGE_MAX)),
        );
        if let Some(KnowledgebaseMode::Other(_)) = self.knowledgebase_mode.new_value() {
            check(Err(rules::not_listed("knowledgebase_mode")));
        }
        for (field, url) in [
            ("webhook_url", &self.webhook_url),
            ("conversation_ended_webhook_url", &self.conversation_ended_webhook_url),
        ] {
            check(url.new_value().map_or(Ok(()), |url| rules::web_url(field, url)));
        }
        for (field, number, bounds) in [
            ("max_duration", &self.max_duration, &MAX_DURATION),
            ("conversation_inactivity_timeout", &self.conversation_inactivity_timeout, &INACTIVITY),
        ] {
            check(number.new_value().map_or(Ok(()), |number| rules::between(field, *number, bounds)));
        }
        faults
    }

    /// The required fields that a creation lacks.
    pub fn missing(&self) -> Vec<Fault> {
        let model = match self.mode {
            Some(AssistantMode::Pipeline) => Some(("llm_model_id", self.llm_model_id.new_value().is_none())),
            Some(AssistantMode::Multimodal | AssistantMode::Dualplex) => {
                Some(("multimodal_model_id", self.multimodal_model_id.new_value().is_none()))
            }
            _ => None,
        };
        [
            ("name", self.name.is_none()),
            ("voice_id", self.voice_id.is_none()),
            ("language_id", self.language_id.is_none()),
            ("type", self.kind.is_none()),
            ("mode", self.mode.is_none()),
            ("timezone", self.timezone.is_none()),
            ("initial_message", self.initial_message.is_none()),
            ("system_prompt", self.system_prompt.is_none()),
        ]
        .into_iter()
        .chain(model)
        .filter(|(_, missing)| *missing)
        .map(|(field, _)| rules::required(field))
        .collect()
    }
}

/// What is only handed back, and looked at one assistant at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AssistantSettings {
    /// The model of a pipeline assistant.
    pub llm_model_id: Option<i64>,
    /// The model of a multimodal or dualplex assistant.
    pub multimodal_model_id: Option<i64>,
    /// Who makes the voice heard.
    pub synthesizer_provider_id: Option<i64>,
    /// Who writes down what is heard.
    pub transcriber_provider_id: Option<i64>,
    /// Languages besides the first.
    pub secondary_language_ids: Vec<i64>,
    /// How the knowledgebase is used.
    pub knowledgebase_mode: KnowledgebaseMode,
    /// Built-in tools.
    pub tools: Vec<BuiltInTool>,
    /// What to find out on a call.
    pub post_call_schema: Vec<PostCallField>,
    /// Whether only calls that were completed are told of.
    pub send_webhook_only_on_completed: bool,
    /// Whether notifications carry the recording.
    pub include_recording_in_webhook: bool,
    /// Whether a chat that goes on after its end is told of again.
    pub conversation_ended_retrigger: bool,
    /// Minutes of silence after which a chat counts as ended.
    pub conversation_inactivity_timeout: i64,
    /// Seconds that a call may last.
    pub max_duration: i64,
}

impl Default for AssistantSettings {
    fn default() -> Self {
        Self {
            llm_model_id: None,
            multimodal_model_id: None,
            synthesizer_provider_id: None,
            transcriber_provider_id: None,
            secondary_language_ids: Vec::new(),
            knowledgebase_mode: KnowledgebaseMode::FunctionCall,
            tools: Vec::new(),
            post_call_schema: Vec::new(),
            send_webhook_only_on_completed: false,
            include_recording_in_webhook: false,
            conversation_ended_retrigger: false,
            conversation_inactivity_timeout: INACTIVITY_DEFAULT,
            max_duration: MAX_DURATION_DEFAULT,
        }
    }
}

/// All that a change can change.
#[derive(Debug, Clone, PartialEq)]
pub struct AssistantConfig {
    /// 1 to 255 characters; need not be unique.
    pub name: String,
    /// What it does.
    pub kind: AssistantType,
    /// The engine.
    pub mode: AssistantMode,
    /// The voice.
    pub voice_id: i64,
    /// The language.
    pub language_id: i64,
    /// An IANA time zone name.
    pub timezone: String,
    /// The first utterance.
    pub initial_message: String,
    /// The behaviour.
    pub system_prompt: String,
    /// Custom variables.
    pub variables: Map<String, Value>,
    /// What it can look up.
    pub knowledgebase_id: Option<i64>,
    /// The mid call tools attached to it.
    pub tool_ids: Vec<i64>,
    /// Whether notifications after a call are sent.
    pub is_webhook_active: bool,
    /// Where they go.
    pub webhook_url: Option<String>,
    /// Where notifications of ended chats go.
    pub conversation_ended_webhook_url: Option<String>,
    /// The rest.
    pub settings: AssistantSettings,
}

impl Default for AssistantConfig {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: AssistantType::Outbound,
            mode: AssistantMode::Pipeline,
            voice_id: 0,
            language_id: 0,
            timezone: String::new(),
            initial_message: String::new(),
            system_prompt: String::new(),
            variables: Map::new(),
            knowledgebase_id: None,
            tool_ids: Vec::new(),
            is_webhook_active: false,
            webhook_url: None,
            conversation_ended_webhook_url: None,
            settings: AssistantSettings::default(),
        }
    }
}

impl AssistantConfig {
    /// Applies a change. A new mode resets first what belongs to the old one.
    pub fn change(&mut self, change: AssistantChange) {
        if change.mode.as_ref().is_some_and(|mode| *mode != self.mode) {
            let settings = &mut self.settings;
            settings.llm_model_id = None;
            settings.multimodal_model_id = None;
            settings.synthesizer_provider_id = None;
            settings.transcriber_provider_id = None;
            settings.knowledgebase_mode = KnowledgebaseMode::FunctionCall;
        }
        set(change.name, &mut self.name);
        set(change.kind, &mut self.kind);
        set(change.mode, &mut self.mode);
        set(change.voice_id, &mut self.voice_id);
        set(change.language_id, &mut self.language_id);
        set(change.timezone, &mut self.timezone);
        set(change.initial_message, &mut self.initial_message);
        set(change.system_prompt, &mut self.system_prompt);
        let texts = |texts: BTreeMap<_, _>| texts.into_iter().map(|(name, text)| (name, Value::String(text))).collect();
        set(change.variables.map(texts), &mut self.variables);
        change.knowledgebase_id.apply(&mut self.knowledgebase_id);
        set(change.tool_ids, &mut self.tool_ids);
        self.tool_ids.sort_unstable();
        self.tool_ids.dedup();
        set(change.is_webhook_active, &mut self.is_webhook_active);
        change.webhook_url.apply(&mut self.webhook_url);
        change.conversation_ended_webhook_url.apply(&mut self.conversation_ended_webhook_url);
        let settings = &mut self.settings;
        change.llm_model_id.apply(&mut settings.llm_model_id);
        change.multimodal_model_id.apply(&mut settings.multimodal_model_id);
        change.synthesizer_provider_id.apply(&mut settings.synthesizer_provider_id);
        change.transcriber_provider_id.apply(&mut settings.transcriber_provider_id);
        set(change.secondary_language_ids, &mut settings.secondary_language_ids);
        set_or(change.knowledgebase_mode, KnowledgebaseMode::FunctionCall, &mut settings.knowledgebase_mode);
        set(change.tools, &mut settings.tools);
        set(change.post_call_schema, &mut settings.post_call_schema);
        set(change.send_webhook_only_on_completed, &mut settings.send_webhook_only_on_completed);
        set(change.include_recording_in_webhook, &mut settings.include_recording_in_webhook);
        set(change.conversation_ended_retrigger, &mut settings.conversation_ended_retrigger);
        set_or(
            change.conversation_inactivity_timeout,
            INACTIVITY_DEFAULT,
            &mut settings.conversation_inactivity_timeout,
        );
        set_or(change.max_duration, MAX_DURATION_DEFAULT, &mut settings.max_duration);
    }

    /// What does not fit together.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.is_webhook_active && self.webhook_url.is_none() {
            faults.push(rules::required("webhook_url"));
        }
        if self.settings.knowledgebase_mode == KnowledgebaseMode::Prompt && self.mode != AssistantMode::Pipeline {
            faults.push(rules::not_listed("knowledgebase_mode"));
        }
        faults
    }
}

fn set<T>(new: Option<T>, to: &mut T) {
    if let Some(new) = new {
        *to = new;
    }
}

fn set_or<T>(patch: Patch<T>, default: T, to: &mut T) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => *to = default,
        Patch::Set(new) => *to = new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_given_is_written_and_null_clears() {
        let change = AssistantChange {
            name: Some("Reception".into()),
            knowledgebase_id: Patch::Clear,
            max_duration: Patch::Set(60),
            tool_ids: Some(Vec::new()),
            ..AssistantChange::default()
        };
        let wire = json!({"name": "Reception", "knowledgebase_id": null, "tool_ids": [], "max_duration": 60});
        assert_eq!(serde_json::to_value(change).unwrap(), wire);
    }

    #[test]
    fn a_new_mode_resets_what_belongs_to_the_old_one_and_the_same_mode_does_not() {
        let mut config = AssistantConfig::default();
        config.settings.llm_model_id = Some(2);
        config.settings.knowledgebase_mode = KnowledgebaseMode::Prompt;
        let same = AssistantChange { mode: Some(AssistantMode::Pipeline), ..AssistantChange::default() };
        config.change(same);
        assert_eq!(config.settings.llm_model_id, Some(2));
        let other = AssistantChange {
            mode: Some(AssistantMode::Multimodal),
            multimodal_model_id: Patch::Set(3),
            ..AssistantChange::default()
        };
        config.change(other);
        let expected = AssistantSettings { multimodal_model_id: Some(3), ..AssistantSettings::default() };
        assert_eq!(config.settings, expected);
    }

    #[test]
    fn a_webhook_that_is_on_needs_a_url_and_only_a_pipeline_has_its_knowledge_in_the_prompt() {
        let mut config = AssistantConfig { is_webhook_active: true, ..AssistantConfig::default() };
        config.mode = AssistantMode::Dualplex;
        config.settings.knowledgebase_mode = KnowledgebaseMode::Prompt;
        let named: Vec<_> = config.faults().into_iter().map(|fault| fault.field).collect();
        assert_eq!(named, ["webhook_url", "knowledgebase_mode"]);
    }
}
