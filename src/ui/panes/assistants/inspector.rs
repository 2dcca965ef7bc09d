//! Everything about one assistant.

use super::Assistants;
use super::row::{Row, text};
use super::webhooks;
use crate::api::{Assistant, Field, Model, Provider, Rows};
use crate::records::Webhook;
use crate::ui::ages::date_and_time;
use crate::ui::prelude::*;
use crate::ui::text::count;
use serde_json::Value as Json;

/// Cells for labels.
const LABEL: usize = 20;

/// The name of one of a list of records with numbers, or its number.
fn named<'a>(id: i64, all: impl IntoIterator<Item = (&'a Field<i64>, &'a Field<String>)>) -> String {
    let found = all.into_iter().find(|(known, _)| known.known() == Some(&id));
    found.map_or_else(|| format!("no. {id}"), |(_, name)| text(name))
}

/// The fields of an assistant, as labels with values.
pub fn details(row: &Row, pane: &Assistants, view: &View<'_>) -> Details {
    let (record, base, data, none) = (&row.record, &row.record.base, view.data, view.options.glyphs.none);
    let or_none = |text: String| if text.is_empty() { none.to_owned() } else { text };
    let provider = |id: i64, of: &Remote<Rows<Provider>>| {
        named(id, of.value().into_iter().flat_map(|all| all.iter()).map(|one| (&one.id, &one.name)))
    };
    let model = |id: i64, of: &Remote<Rows<Model>>| {
        named(id, of.value().into_iter().flat_map(|all| all.iter()).map(|one| (&one.id, &one.name)))
    };
    let timezone = match (base.timezone.known(), row.local_time(view.now.wall)) {
        (Some(name), time) if time.is_empty() => format!("{name} (no such zone)"),
        (Some(name), time) => format!("{name}, now {time}"),
        (None, _) => none.to_owned(),
    };
    let mut details = Details::new(LABEL)
        .section(&row.name)
        .field("Status", or_none(row.status().to_owned()))
        .styled(if row.is_active() { view.options.theme.good } else { view.options.theme.dim })
        .field("Type", or_none(row.kind().to_owned()))
        .field("Mode", or_none(row.mode().to_owned()))
        .field("Language", or_none(row.language.clone()))
        .field("Voice", or_none(row.voice.clone()))
        .field("Time zone", timezone);
    let optional = |field: &Field<Option<i64>>| field.known().copied().flatten();
    if let Some(id) = optional(&record.llm_model_id) {
        details = details.field("Language model", model(id, &data.llms));
    }
    if let Some(id) = optional(&record.multimodal_model_id) {
        details = details.field("Model", model(id, &data.multimodal));
    }
    for (label, id, providers) in [
        ("Synthesizer", &record.synthesizer_provider_id, &data.synthesizers),
        ("Transcriber", &record.transcriber_provider_id, &data.transcribers),
    ] {
        // Not set: the language's default applies (spec: Assistants).
        if let Some(id) = id.known() {
            let name = id.map_or_else(|| "default of the language".to_owned(), |id| provider(id, providers));
            details = details.field(label, name);
        }
    }
    details = knowledge(details, record, data);
    details = pane.calls.describe(row.id, details, view).section("Webhooks");
    for (webhook, switch) in Webhook::ALL.into_iter().zip(&row.switches) {
        details = details.wrapped(webhook.label(), switch.words(view)).styled(switch.style(view));
    }
    details = webhooks::section(details, row, pane, view);
    details = details.section("First message").text(or_none(text_of(&base.initial_message)));
    details = details.section("Prompt").text(or_none(text_of(&base.system_prompt)));
    details = variables(details, record);
    details = details.section("Record").field("Id", row.id.to_string());
    if let Some(uuid) = record.uuid.known() {
        details = details.field("UUID", uuid.clone());
    }
    for (label, time) in [("Created", &base.created_at), ("Updated", &base.updated_at)] {
        if let Some(time) = time.known() {
            details = details.field(label, date_and_time(time.0, view.now.wall, view.zone));
        }
    }
    more(details, record)
}

/// Line breaks stay; [`Details`] cleans each line.
fn text_of(field: &Field<String>) -> String {
    field.known().cloned().unwrap_or_default()
}

fn knowledge(mut details: Details, record: &Assistant, data: &Data) -> Details {
    if let Some(id) = record.knowledgebase_id.known() {
        let all = data.knowledgebases.value().into_iter().flat_map(|all| all.iter()).map(|one| (&one.id, &one.name));
        details = details.field("Knowledgebase", id.map_or_else(|| "none".to_owned(), |id| named(id, all)));
    }
    if let Some(ids) = record.tool_ids.known() {
        let all = || data.tools.value().into_iter().flat_map(|all| all.iter()).map(|one| (&one.id, &one.name));
        let names: Vec<_> = ids.iter().map(|id| named(*id, all())).collect();
        details = details.wrapped("Tools", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    }
    details
}

fn variables(details: Details, record: &Assistant) -> Details {
    let Some(variables) = record.base.variables.known() else { return details };
    let title = count(variables.len() as u64, "variable", "variables");
    variables.iter().fold(details.section(title), |details, (name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        details.wrapped(name, value)
    })
}

/// The fields that have no place of their own.
fn more(mut details: Details, record: &Assistant) -> Details {
    for (label, number, unit) in [
        ("Longest call", &record.max_duration, "s"),
        ("Ends after", &record.conversation_inactivity_timeout, "min of silence"),
    ] {
        if let Some(number) = number.known() {
            details = details.field(label, format!("{number} {unit}"));
        }
    }
    let word = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let plain = record.base.extra.iter().filter(|(_, value)| !value.is_null());
    plain.fold(details, |details, (name, value)| details.wrapped(name.replace('_', " "), word(value)))
}
