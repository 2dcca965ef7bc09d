//! The inspector of a conversation: its fields, or its JSON.

use super::super::format;
use super::super::rows::Row;
use super::cache::Talk;
use crate::api::{Conversation, Field};
use crate::messaging::Remaining;
use crate::ui::ages::Age;
use crate::ui::prelude::*;
use crate::ui::text::{json_text, thousands};
use crate::ui::widgets::json;
use serde_json::{Map, Value};

/// Cells of the labels.
const LABEL: usize = 11;
/// Bytes of JSON that are shown.
const JSON_MAX: usize = 64 * 1024;
/// Other conversations of the customer that are listed.
const OTHERS_MAX: usize = 8;
/// The field in which some servers tell what the assistant extracted.
const EXTRACTED: &str = "extracted_variables";

/// What the inspector shows beside the row itself.
pub struct Known<'a> {
    /// The conversation with its messages, once it has been read.
    pub talk: Option<&'a Talk>,
    /// The customer's window.
    pub window: Option<Remaining>,
    /// Messages that have come since it was last read.
    pub unread: u64,
    /// All loaded rows.
    pub loaded: Vec<&'a Row>,
    /// Why these are shown in place of the messages; nothing where a person wants them.
    pub note: Option<String>,
}

/// The customer's other conversations among the loaded ones, the newest first.
pub fn others<'a>(row: &Conversation, loaded: impl IntoIterator<Item = &'a Row>) -> Vec<&'a Row> {
    let phone = |row: &Conversation| row.customer.known().and_then(|party| party.phone.clone());
    let Some(own) = phone(row) else { return Vec::new() };
    let mut others: Vec<_> =
        loaded.into_iter().filter(|one| one.data.id != row.id && phone(&one.data).as_ref() == Some(&own)).collect();
    others.sort_by_key(|one| std::cmp::Reverse(one.data.updated_at.known().map(|time| time.0)));
    others.dedup_by_key(|one| one.data.id.clone());
    others.truncate(OTHERS_MAX);
    others
}

/// One of them on a line: `3 min ago · Reception · 7 messages`.
pub fn other(row: &Conversation, view: &View<'_>) -> String {
    let age =
        row.updated_at.known().map_or_else(|| "-".to_owned(), |time| Age::between(time.0, view.now.wall).to_string());
    let messages =
        row.message_count.known().map_or_else(|| "- messages".to_owned(), |at| count(*at, "message", "messages"));
    [age, format::assistant(row).into_owned(), messages].join(&format!(" {} ", view.options.glyphs.dot))
}

/// The fields. Each keeps its line whatever it holds, so that moving through the list repaints only what differs.
pub fn details(row: &Conversation, known: &Known<'_>, view: &View<'_>, columns: usize) -> Details {
    let mut details = Details::new(LABEL);
    if let Some(note) = &known.note {
        details = details.text(note.clone()).styled(view.options.theme.dim);
    }
    let messages = match known.unread {
        0 => format::messages(row).into_owned(),
        unread => format!("{} {} {} not read", format::messages(row), view.options.glyphs.dot, thousands(unread)),
    };
    let mut details = details
        .section(format::id(row))
        .field("Type", format::kind(row))
        .field("AI", format::ai(row))
        .field("Assistant", format::assistant_with_id(row, view))
        .field("Messages", messages)
        .field("Cost", format::exact_cost(row))
        .field("Started", format::time(&row.created_at, view))
        .field("Updated", format::time(&row.updated_at, view));
    if known.loaded.iter().any(|row| !row.data.customer.is_missing() || !row.data.msgapp_sender.is_missing()) {
        let room = columns.saturating_sub(LABEL);
        details = details
            .field("Customer", format::party(&row.customer, room, view))
            .field("Sender", format::party(&row.msgapp_sender, room, view));
        if let Some(window) = known.window {
            details = details.field("Window", window.to_string());
        }
    }
    if let Some(talk) = known.talk {
        details = reply_details(details, talk);
    }
    details = row.extra.iter().fold(details, |details, (name, value)| details.wrapped(name, value.to_string()));
    let others = others(row, known.loaded.iter().copied());
    if !others.is_empty() {
        details = details.section("Other loaded conversations of theirs");
        details = others.into_iter().fold(details, |details, one| details.text(other(&one.data, view)));
        let goes = view.key(&[super::super::INSPECTOR], Action::Follow, " goes to one of them.");
        details = details.text(goes).styled(view.options.theme.dim);
    }
    details
}

/// What only the conversation itself tells.
fn reply_details(mut details: Details, talk: &Talk) -> Details {
    let history = &talk.history;
    if let Field::Known(Some(external)) = &history.external_identifier {
        details = details.wrapped("External id", external.as_str());
    }
    let table = |details: Details, fields: &Map<String, Value>| {
        fields.iter().fold(details, |details, (name, value)| details.wrapped(name, json_text(value)))
    };
    match &history.variables {
        Field::Known(Some(told)) if !told.is_empty() => details = table(details.section("Told to the assistant"), told),
        Field::Odd(value) => details = details.section("Told to the assistant").text(value.to_string()),
        _ => {}
    }
    let (extracted, rest): (Vec<_>, Vec<_>) = history.extra.iter().partition(|(name, _)| *name == EXTRACTED);
    if let Some((_, Value::Object(found))) = extracted.first() {
        details = table(details.section("Extracted by the assistant"), found);
    }
    let odd = extracted.into_iter().filter(|(_, value)| !value.is_object() && !value.is_null());
    odd.chain(rest).fold(details, |details, (name, value)| details.wrapped(name, value.to_string()))
}

/// The JSON as it came: of the row, or once the conversation has been read of both, each under its request.
pub fn whole_json(row: &Conversation, talk: Option<&Talk>) -> Result<String, serde_json::Error> {
    let row = row.json()?;
    let Some(talk) = talk else { return Ok(row.into_owned()) };
    let history = match &talk.history.raw {
        Some(raw) => raw.to_string(),
        None => serde_json::to_string(&*talk.history)?,
    };
    Ok(format!("{{\"GET /user/conversations\":{row},\"GET /conversations/{{uuid}}\":{history}}}"))
}

/// The JSON as lines; of a long one the beginning.
pub fn raw(row: &Conversation, talk: Option<&Talk>, view: &View<'_>, columns: usize) -> Details {
    let theme = &view.options.theme;
    match whole_json(row, talk) {
        Ok(text) => {
            let end = (0..=JSON_MAX.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            let details = Details::default().lines(json::lines(&text[..end], theme, columns));
            if end == text.len() {
                return details;
            }
            let exports = view.key(&[super::super::INSPECTOR], Action::Export, " exports all of it.");
            let more = format!("{} more bytes. {exports}", thousands((text.len() - end) as u64));
            details.text(more).styled(theme.dim)
        }
        Err(error) => Details::default().text(format!("Cannot be shown as JSON: {error}")).styled(theme.failed),
    }
}
