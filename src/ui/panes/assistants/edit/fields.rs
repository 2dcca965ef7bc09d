//! The fields of an assistant under their names on the wire, in one table for form, comparison and history.

use crate::api::{Assistant, Knowledgebase, Language, Model, Provider, Rows, Tool, Voice};
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use serde_json::{Map, Value as Json};

/// The values of an assistant's fields, by their names on the wire.
pub type Values = Map<String, Json>;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text of one line, or a word.
    Line,
    /// A text of several lines.
    Text,
    /// A number with its unit.
    Number(&'static str),
    /// The number of a part of the catalogue, or of a knowledgebase.
    Id(Catalogue),
    /// The numbers of tools.
    Tools,
    /// Names with values.
    Variables,
    /// Anything else.
    Json,
}

/// What the number of a field counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Catalogue {
    Voice,
    Language,
    Llm,
    Multimodal,
    Synthesizer,
    Transcriber,
    Knowledgebase,
    Tool,
}

/// Where a field can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the form.
    Form,
    /// Nowhere here; what an earlier version had is restored.
    Restored,
    /// Elsewhere, or not at all: webhooks have a dialog of their own.
    Elsewhere,
}

/// A field.
#[derive(Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its name on the wire.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Where it is changed.
    pub place: Place,
}

const fn field(name: &'static str, label: &'static str, kind: Kind, place: Place) -> Spec {
    Spec { name, label, kind, place }
}

use Place::{Elsewhere, Form as InForm, Restored};

/// All fields that people configure, in the order of the form.
pub const FIELDS: &[Spec] = &[
    field("name", "Name", Kind::Line, InForm),
    field("type", "Type", Kind::Line, InForm),
    field("mode", "Mode", Kind::Line, InForm),
    field("language_id", "Language", Kind::Id(Catalogue::Language), InForm),
    field("voice_id", "Voice", Kind::Id(Catalogue::Voice), InForm),
    field("timezone", "Time zone", Kind::Line, InForm),
    field("initial_message", "First message", Kind::Text, InForm),
    field("system_prompt", "Prompt", Kind::Text, InForm),
    field("llm_model_id", "Language model", Kind::Id(Catalogue::Llm), InForm),
    field("multimodal_model_id", "Model", Kind::Id(Catalogue::Multimodal), InForm),
    field("synthesizer_provider_id", "Synthesizer", Kind::Id(Catalogue::Synthesizer), InForm),
    field("transcriber_provider_id", "Transcriber", Kind::Id(Catalogue::Transcriber), InForm),
    field("knowledgebase_id", "Knowledgebase", Kind::Id(Catalogue::Knowledgebase), InForm),
    field("knowledgebase_mode", "Knowledge used by", Kind::Line, InForm),
    field("tool_ids", "Tools", Kind::Tools, InForm),
    field("variables", "Variables", Kind::Variables, InForm),
    field("max_duration", "Longest call", Kind::Number("s"), InForm),
    field("conversation_inactivity_timeout", "Chat ends after", Kind::Number("min of silence"), InForm),
    field("secondary_language_ids", "Other languages", Kind::Json, Restored),
    field("tools", "Built-in tools", Kind::Json, Restored),
    field("post_call_schema", "Post-call fields", Kind::Json, Restored),
    field("phone_number_id", "Phone number", Kind::Line, Elsewhere),
    field("status", "Status", Kind::Line, Elsewhere),
    field("is_webhook_active", "Post-call webhook", Kind::Line, Elsewhere),
    field("webhook_url", "Post-call URL", Kind::Line, Elsewhere),
    field("send_webhook_only_on_completed", "Only completed", Kind::Line, Elsewhere),
    field("include_recording_in_webhook", "With recording", Kind::Line, Elsewhere),
    field("inbound_webhook_url", "Inbound call URL", Kind::Line, Elsewhere),
    field("conversation_ended_webhook_url", "Chat ended URL", Kind::Line, Elsewhere),
    field("conversation_ended_retrigger", "Chat ended again", Kind::Line, Elsewhere),
];

/// The fields that a change of the mode resets (spec of the platform: changing `mode` resets what belongs to the old one).
pub const OF_MODE: [&str; 5] =
    ["llm_model_id", "multimodal_model_id", "synthesizer_provider_id", "transcriber_provider_id", "knowledgebase_mode"];

/// True where assistants of this mode have the field.
pub fn has(mode: &str, name: &str) -> bool {
    match name {
        "llm_model_id" | "transcriber_provider_id" => mode == "pipeline",
        "multimodal_model_id" => mode != "pipeline",
        "synthesizer_provider_id" => mode != "multimodal",
        _ => true,
    }
}

/// The values of a record.
pub fn values(record: &Assistant) -> Values {
    let Ok(Json::Object(mut all)) = serde_json::to_value(record) else { return Values::new() };
    let value = |field: &Spec| {
        let value = all.remove(field.name)?;
        Some((field.name.to_owned(), if field.kind == Kind::Variables { texts(value) } else { value }))
    };
    FIELDS.iter().filter_map(value).collect()
}

/// Variables as the texts that the API takes; a platform in PHP writes none as `[]`.
fn texts(variables: Json) -> Json {
    let Json::Object(variables) = variables else { return Json::Null };
    variables.into_iter().map(|(name, value)| (name, json_text(&value).into())).collect::<Values>().into()
}

/// What a field holds where it is missing.
pub fn value<'a>(values: &'a Values, name: &str) -> &'a Json {
    values.get(name).unwrap_or(&Json::Null)
}

/// True where both say the same: nothing is written in several ways.
pub fn same(one: &Json, other: &Json) -> bool {
    let empty = |value: &Json| matches!(&*json_text(value), "" | "{}" | "[]");
    one == other || (empty(one) && empty(other))
}

/// All that a field with a number can name, where that is loaded.
pub fn named(of: Catalogue, data: &Data) -> Box<dyn Iterator<Item = (i64, &str)> + '_> {
    match of {
        Catalogue::Voice => pairs(&data.voices),
        Catalogue::Language => pairs(&data.languages),
        Catalogue::Llm => pairs(&data.llms),
        Catalogue::Multimodal => pairs(&data.multimodal),
        Catalogue::Synthesizer => pairs(&data.synthesizers),
        Catalogue::Transcriber => pairs(&data.transcribers),
        Catalogue::Knowledgebase => pairs(&data.knowledgebases),
        Catalogue::Tool => pairs(&data.tools),
    }
}

/// The rows that have a number and a name.
pub fn pairs<T: Named>(rows: &Remote<Rows<T>>) -> Box<dyn Iterator<Item = (i64, &str)> + '_> {
    Box::new(rows.value().into_iter().flatten().filter_map(Named::named))
}

/// The name of one of them, or its number.
pub fn name(of: Catalogue, id: i64, data: &Data) -> String {
    let found = named(of, data).find(|(known, _)| *known == id);
    found.map_or_else(|| format!("no. {id}"), |(_, name)| clean(name).into_owned())
}

/// Numbers with names as items of a picker.
pub fn items<'a>(named: impl Iterator<Item = (i64, &'a str)>) -> Vec<Value> {
    named.map(|(id, name)| Value::new(id.to_string(), clean(name))).collect()
}

/// What has a number and a name.
pub trait Named {
    fn named(&self) -> Option<(i64, &str)>;
}

macro_rules! named {
    ($($type:ty),+) => {
        $(impl Named for $type {
            fn named(&self) -> Option<(i64, &str)> {
                Some((*self.id.known()?, self.name.known()?))
            }
        })+
    };
}

named!(Knowledgebase, Language, Model, Provider, Tool, Voice);

/// A value for people; empty where there is none.
pub fn text(field: &Spec, value: &Json, data: &Data) -> String {
    let name = |of, id: &Json| id.as_i64().map_or_else(|| json_text(id), |id| name(of, id, data));
    match (field.kind, value) {
        (_, Json::Null) => String::new(),
        (Kind::Number(unit), number) => format!("{} {unit}", json_text(number)),
        (Kind::Id(of), id) => name(of, id),
        (Kind::Tools, Json::Array(ids)) => {
            ids.iter().map(|id| name(Catalogue::Tool, id)).collect::<Vec<_>>().join(", ")
        }
        (Kind::Variables, Json::Object(all)) => {
            all.iter().map(|(name, value)| format!("{name} = {}", json_text(value))).collect::<Vec<_>>().join("\n")
        }
        (Kind::Json, Json::Array(all)) => all.iter().map(json_text).collect::<Vec<_>>().join("\n"),
        (_, value) => json_text(value),
    }
}
