//! Everything about one assistant.

use super::Assistants;
use super::edit::fields::{Catalogue, name};
use super::row::Row;
use super::webhooks;
use crate::api::{Assistant, Field};
use crate::records::Webhook;
use crate::ui::ages::date_and_time;
use crate::ui::prelude::*;
use crate::ui::text::{count, json_text};

/// Cells for labels.
const LABEL: usize = 20;

/// The fields of an assistant, as labels with values.
pub fn details(row: &Row, pane: &Assistants, view: &View<'_>) -> Details {
    let (record, base, data, none) = (&row.record, &row.record.base, view.data, view.options.glyphs.none);
    let or_none = |text: String| if text.is_empty() { none.to_owned() } else { text };
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
    if let Some(today) = pane.today.words(row.id, view.options.glyphs.ellipsis) {
        details = details.field("Conversations", today);
    }
    for (label, id, of) in [
        ("Language model", &record.llm_model_id, Catalogue::Llm),
        ("Model", &record.multimodal_model_id, Catalogue::Multimodal),
    ] {
        if let Some(id) = id.known().copied().flatten() {
            details = details.field(label, name(of, id, data));
        }
    }
    for (label, id, of) in [
        ("Synthesizer", &record.synthesizer_provider_id, Catalogue::Synthesizer),
        ("Transcriber", &record.transcriber_provider_id, Catalogue::Transcriber),
    ] {
        // Not set: the language's default applies (spec: Assistants).
        if let Some(id) = id.known() {
            let name = id.map_or_else(|| "default of the language".to_owned(), |id| name(of, id, data));
            details = details.field(label, name);
        }
    }
    details = knowledge(details, record, data);
    details = pane.calls.describe(row.id, details, view).section("Webhooks");
    for (webhook, switch) in Webhook::ALL.into_iter().zip(&row.switches) {
        details = details.wrapped(webhook.label(), switch.line(view)).styled(switch.style(view));
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
        let name = id.map_or_else(|| "none".to_owned(), |id| name(Catalogue::Knowledgebase, id, data));
        details = details.field("Knowledgebase", name);
    }
    if let Some(ids) = record.tool_ids.known() {
        let names: Vec<_> = ids.iter().map(|id| name(Catalogue::Tool, *id, data)).collect();
        details = details.wrapped("Tools", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    }
    details
}

fn variables(details: Details, record: &Assistant) -> Details {
    let Some(variables) = record.base.variables.known() else { return details };
    let title = count(variables.len() as u64, "variable", "variables");
    variables.iter().fold(details.section(title), |details, (name, value)| details.wrapped(name, json_text(value)))
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
    let plain = record.base.extra.iter().filter(|(_, value)| !value.is_null());
    plain.fold(details, |details, (name, value)| details.wrapped(name.replace('_', " "), json_text(value)))
}
