//! What a call tells beside what was said, as details; and its words as messages.

use super::super::format::field;
use super::format;
use super::rows::Row;
use crate::api::call::Utterance;
use crate::api::{Call, Field, HistoryMessage, IsoTimestamp, Role};
use crate::ui::ages::{Age, date_and_time};
use crate::ui::format::length;
use crate::ui::phone::phone;
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use crate::ui::widgets::json;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// Cells of the labels.
const LABEL: usize = 12;

/// What was said, as messages.
pub fn messages(call: &Call) -> Vec<HistoryMessage> {
    let role = |sender: &str| match sender {
        "human" => Role::User,
        "bot" => Role::Assistant,
        other => Role::from(other),
    };
    let said = call.transcript.known().into_iter().flatten();
    said.map(|said| HistoryMessage::new(role(&said.sender), said.text.clone())).collect()
}

/// True where the server sent a transcript in another form than is known.
pub fn is_unreadable(call: &Call) -> bool {
    matches!(&call.transcript, Field::Odd(value) if !value.is_null())
}

/// When each was said, from the first words on: `0:00`, `1:05`.
pub fn times(call: &Call) -> Vec<String> {
    let said: &[Utterance] = call.transcript.known().map_or(&[], Vec::as_slice);
    let start = said.first().map_or(0.0, |first| first.timestamp);
    #[expect(clippy::cast_possible_truncation, reason = "it saturates, and no call lasts so long")]
    let seconds = |said: &Utterance| (said.timestamp - start).max(0.0) as i64;
    said.iter().map(seconds).map(|seconds| format!("{}:{:02}", seconds / 60, seconds % 60)).collect()
}

/// What was said as text, to be copied.
pub fn text(call: &Call) -> String {
    let said = call.transcript.known().into_iter().flatten();
    let lines = said.zip(times(call)).map(|(said, time)| {
        let who: Cow<'_, str> = match said.sender.as_str() {
            "human" => "Customer".into(),
            "bot" => "Assistant".into(),
            other => clean(other),
        };
        format!("{time} {who}: {}", clean(&said.text))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn time(time: &Field<IsoTimestamp>, view: &View<'_>) -> String {
    let now = view.now.wall;
    let dot = view.options.glyphs.dot;
    let age = |time: &IsoTimestamp| Age::between(time.0, now);
    field(time, |time| format!("{} {dot} {}", date_and_time(time.0, now, view.zone), age(time)).into()).into_owned()
}

fn optional(text: &Field<Option<String>>) -> Cow<'_, str> {
    field(text, |text| text.as_deref().map_or("-".into(), |text| clean(text)))
}

/// The fields. Each of the first keeps its line whatever it holds, so that moving through the list repaints only what
/// differs. `note` says why they are shown in place of the transcript.
pub fn details(row: &Row, call: &Call, note: Option<&str>, view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    let mut details = Details::new(LABEL);
    if let Some(note) = note {
        details = details.text(note).styled(theme.dim);
    }
    let (glyph, style) = format::sign(call, view.options);
    let length = match &call.duration {
        Field::Known(0) => "-".into(),
        duration => field(duration, |seconds| length(*seconds).into()),
    };
    let name = row.name.as_deref().map(|name| format!("{name}  ")).unwrap_or_default();
    let own = field(&call.assistant_phone_number, |own| own.as_deref().map_or("-".into(), |own| phone(own).into()));
    let mut details = details
        .section(format!("Call {}", field(&call.id, |id| id.to_string().into())))
        .field("Status", format!("{glyph} {}", field(&call.status, |status| clean(status.as_str()))))
        .styled(style)
        .field("Type", format::kind(call))
        .field("Customer", format!("{name}{}", format::number(call)))
        .field("Assistant", format::assistant(call))
        .field("Its number", own)
        .field("Began", time(&call.created_at, view))
        .field("Changed", time(&call.updated_at, view))
        .field("Talked", length)
        .field("Answered by", optional(&call.answered_by))
        .field(
            "Cost",
            format!("{}, of it carrier {}", format::exact(&call.total_cost), format::exact(&call.carrier_cost)),
        );
    if let Field::Known(Some(campaign)) = &call.campaign_name {
        details = details.wrapped("Campaign", campaign.as_str());
    }
    details = details.wrapped("Recording", optional(&call.recording_url));
    details = evaluation(details, call, theme.dim);
    details = table(details, "Told to the assistant", &call.variables);
    match &call.webhook_response {
        Field::Known(Json::Null) | Field::Missing => {}
        Field::Known(answer) | Field::Odd(answer) => {
            details = details.section("The webhook answered").text(json_text(answer));
        }
    }
    call.extra.iter().fold(details, |details, (name, value)| details.wrapped(name, value.to_string()))
}

fn evaluation(details: Details, call: &Call, dim: Style) -> Details {
    match &call.evaluation {
        Field::Known(found) if !found.is_empty() => found.iter().fold(details.section("Evaluation"), |details, one| {
            let details = details.wrapped(one.name.as_str(), json_text(&one.value));
            if one.description.is_empty() { details } else { details.wrapped("", one.description.as_str()).styled(dim) }
        }),
        Field::Odd(value) if !value.is_null() => details.section("Evaluation").text(value.to_string()),
        _ => details,
    }
}

fn table(details: Details, title: &str, fields: &Field<Map<String, Json>>) -> Details {
    match fields {
        Field::Known(all) if !all.is_empty() => {
            all.iter().fold(details.section(title), |details, (name, value)| details.wrapped(name, json_text(value)))
        }
        Field::Odd(value) if !value.is_null() => details.section(title).text(value.to_string()),
        _ => details,
    }
}

/// The JSON as lines.
pub fn raw(call: &Call, view: &View<'_>, columns: usize) -> Details {
    let theme = &view.options.theme;
    match call.json() {
        Ok(text) => Details::default().lines(json::lines(&text, theme, columns)),
        Err(error) => Details::default().text(format!("Cannot be shown as JSON: {error}")).styled(theme.failed),
    }
}
