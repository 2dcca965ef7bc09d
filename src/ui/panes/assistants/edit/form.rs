//! The form of an assistant: its fields by mode, and what it holds.

use super::Offers;
use super::fields::{Catalogue, FIELDS, Kind, Place, Spec, Values, has, items as picks, named, value};
use crate::api::assistant_change::{INACTIVITY_DEFAULT, INITIAL_MESSAGE_MAX, MAX_DURATION_DEFAULT};
use crate::api::{AssistantMode, AssistantType, KnowledgebaseMode, Voice};
use crate::ui::prelude::*;
use crate::ui::text::{clean, json_text};
use crate::ui::zones;
use serde_json::Value as Json;

/// The fields that a creation needs, and that an update cannot clear.
const REQUIRED: [&str; 10] = [
    "name",
    "type",
    "mode",
    "language_id",
    "voice_id",
    "timezone",
    "initial_message",
    "system_prompt",
    "llm_model_id",
    "multimodal_model_id",
];

/// The fields in the form of an assistant of this mode.
pub fn shown(mode: &str) -> impl Iterator<Item = &'static Spec> {
    FIELDS.iter().filter(move |field| field.place == Place::Form && has(mode, field.name))
}

/// A form that holds these values.
pub fn form(values: &Values, offers: &Offers, data: &Data) -> Form {
    let mode = json_text(value(values, "mode"));
    let mut form = Form::new(shown(&mode).map(|field| form_field(field, values, offers, data)).collect());
    if let Json::Object(variables) = value(values, "variables") {
        for (at, (name, text)) in variables.iter().enumerate() {
            form.set(&format!("variables.{at}.name"), name);
            form.set(&format!("variables.{at}.value"), &json_text(text));
        }
    }
    if let Json::Array(ids) = value(values, "tool_ids") {
        for (at, id) in ids.iter().enumerate() {
            form.set(&format!("tool_ids.{at}.id"), &json_text(id));
        }
    }
    offer(&mut form, values, offers, data);
    form
}

fn form_field(field: &Spec, values: &Values, offers: &Offers, data: &Data) -> FormField {
    let (name, label, held) = (field.name, field.label, json_text(value(values, field.name)));
    let made = match (field.kind, name) {
        (Kind::Variables, _) => {
            let cells = vec![FormField::line("name", "name", "").required(), FormField::line("value", "value", "")];
            FormField::rows(name, label, cells).hint("none")
        }
        (Kind::Tools, _) => {
            FormField::rows(name, label, vec![pick("id", "tool", "", picks(named(Catalogue::Tool, data))).required()])
                .hint("none")
        }
        (Kind::Text, "initial_message") => {
            FormField::text(name, label, &held, 1..=4, Some(INITIAL_MESSAGE_MAX)).eager()
        }
        (Kind::Text, _) => FormField::text(name, label, &held, 3..=12, None),
        (_, "type" | "mode" | "knowledgebase_mode") => FormField::choice(name, label, Vec::new(), held),
        (_, "timezone") | (Kind::Id(_), _) => pick(name, label, &held, items(field, values, offers, data)),
        (Kind::Number(unit), _) => {
            let default = if name == "max_duration" { MAX_DURATION_DEFAULT } else { INACTIVITY_DEFAULT };
            FormField::line(name, label, &held).hint(format!("{default} {unit} where nothing is set")).eager()
        }
        _ => FormField::line(name, label, &held).eager(),
    };
    if REQUIRED.contains(&name) { made.required() } else { made }
}

/// A picker; where nothing is known to pick from, a line for the number.
fn pick(name: &str, label: &str, held: &str, items: Vec<Value>) -> FormField {
    if items.is_empty() {
        FormField::line(name, label, held).hint("its number")
    } else {
        FormField::picker(name, label, items, held)
    }
}

/// Gives choices and pickers what can be taken now: what that is depends on mode and language.
pub fn offer(form: &mut Form, values: &Values, offers: &Offers, data: &Data) {
    let paths: Vec<_> = form.values().into_iter().map(|(path, _)| path).collect();
    for path in paths {
        if path.starts_with("tool_ids.") {
            let all = known(picks(named(Catalogue::Tool, data)), form.text_of(&path));
            form.offer(&path, all);
        // Zones are the same whatever the other fields hold, and there are 600.
        } else if let Some(field) = FIELDS.iter().find(|field| field.name == path && path != "timezone") {
            let all = items(field, values, offers, data);
            // A line keeps no suggestions: it is one where nothing is known.
            if !all.is_empty() {
                form.offer(&path, all);
            }
        }
    }
}

/// The items with the one that is chosen, which may be gone, or not fit any more.
fn known(mut items: Vec<Value>, chosen: &str) -> Vec<Value> {
    if !items.is_empty() && !chosen.is_empty() && items.iter().all(|item| item.key != chosen) {
        items.push(Value::new(chosen, format!("no. {chosen}")));
    }
    items
}

/// What a field can hold, where that is a list.
fn items(field: &Spec, values: &Values, offers: &Offers, data: &Data) -> Vec<Value> {
    let held = json_text(value(values, field.name));
    let words = |words: &[&str]| {
        let more = Some(held.as_str()).filter(|held| !held.is_empty() && !words.contains(held));
        words.iter().copied().chain(more).map(|word| Value::new(word, word.replace('_', " "))).collect()
    };
    match field.kind {
        _ if field.name == "type" => words(&[AssistantType::Outbound.as_str(), AssistantType::Inbound.as_str()]),
        _ if field.name == "mode" => words(&AssistantMode::KNOWN.iter().map(AssistantMode::as_str).collect::<Vec<_>>()),
        _ if field.name == "knowledgebase_mode" => {
            let prompt = json_text(value(values, "mode")) == AssistantMode::Pipeline.as_str();
            let known = &KnowledgebaseMode::KNOWN[..if prompt { 2 } else { 1 }];
            words(&known.iter().map(KnowledgebaseMode::as_str).collect::<Vec<_>>())
        }
        _ if field.name == "timezone" => {
            known(zones::names().into_iter().map(|name| Value::new(&*name, &*name)).collect(), &held)
        }
        Kind::Id(of) => {
            let all = picks(named(of, data));
            let mut items = offers.items(of).unwrap_or_else(|| all.clone());
            if let Some(one) = all.iter().find(|one| one.key == held)
                && items.iter().all(|item| item.key != held)
            {
                items.push(Value { about: "not for this language and mode".to_owned(), ..one.clone() });
            }
            let none = match of {
                Catalogue::Synthesizer | Catalogue::Transcriber => Some("default of the language"),
                Catalogue::Knowledgebase => Some("none"),
                _ => None,
            };
            let none = none.filter(|_| !items.is_empty()).map(|name| Value::new("", name));
            none.into_iter().chain(known(items, &held)).collect()
        }
        _ => Vec::new(),
    }
}

/// A voice in its picker.
pub fn voice(voice: &Voice) -> Option<Value> {
    let about = [voice.gender.known(), voice.accent.known().and_then(Option::as_ref)];
    let about = about.into_iter().flatten().map(|word| clean(word)).collect::<Vec<_>>().join(", ");
    Some(Value::new(voice.id.known()?.to_string(), clean(voice.name.known()?)).about(about))
}

/// What the form holds, in place of what `held` had of the same fields. What is no number stays a text, to be refused.
pub fn read(form: &Form, held: &Values) -> Values {
    let mut values = held.clone();
    let number = |text: &str| match text.trim() {
        "" => Json::Null,
        text => text.parse::<i64>().map_or_else(|_| text.into(), Json::from),
    };
    let all = form.values();
    let rows = |name: &str, cell: &str| {
        let ours =
            |path: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(cell));
        all.iter().filter(|(path, _)| ours(path)).map(|(_, text)| text.as_str()).collect::<Vec<_>>()
    };
    for field in shown(form.text_of("mode")) {
        let text = form.text_of(field.name);
        let value = match field.kind {
            Kind::Tools => rows(field.name, ".id").into_iter().map(number).filter(|id| !id.is_null()).collect(),
            Kind::Variables => {
                let (names, texts) = (rows(field.name, ".name"), rows(field.name, ".value"));
                let pairs = names.into_iter().zip(texts).filter(|(name, _)| !name.is_empty());
                pairs.map(|(name, text)| (name.to_owned(), Json::from(text))).collect::<Values>().into()
            }
            Kind::Id(_) | Kind::Number(_) => number(text),
            _ if text.is_empty() => Json::Null,
            _ => text.into(),
        };
        values.insert(field.name.to_owned(), value);
    }
    values
}
