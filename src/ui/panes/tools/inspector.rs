//! Everything about one tool.

use super::row::Row;
use crate::api::{Field, ToolHeader, ToolParameter};
use crate::ui::ages::date_and_time;
use crate::ui::prelude::*;
use crate::ui::text::{json_text, width, wrap};

/// Cells for labels.
const LABEL: usize = 13;

/// The fields of a tool, as labels with values; header values that look like secrets only where they are to be shown.
pub fn details(row: &Row, shows_secrets: bool, columns: usize, view: &View<'_>) -> Details {
    let (tool, theme, none) = (&row.tool, &view.options.theme, view.options.glyphs.none);
    let or_none = |text: String| if text.is_empty() { none.to_owned() } else { text };
    let mut details = Details::new(LABEL).section(&row.name);
    if let Some(why) = &row.failed {
        return details.field("Id", row.id.to_string()).text("").text(why).styled(theme.failed);
    }
    if let Some(description) = tool.description.known() {
        details = details.text(description).text("");
    }
    let endpoint = tool.endpoint.known().map_or("", String::as_str);
    details = details.wrapped("Endpoint", format!("{} {endpoint}", row.method()).trim_start());
    let timeout = tool.timeout.known().map(|seconds| format!("{seconds} s")).unwrap_or_default();
    details = details.field("Timeout", or_none(timeout));
    details = users(details, row, view);
    details = details.section("Parameters");
    details = match &tool.schema {
        Field::Known(schema) if schema.is_empty() => details.text("none").styled(theme.dim),
        Field::Known(schema) => details.lines(parameters(schema, columns, view)),
        Field::Odd(value) => details.text(json_text(value)).styled(theme.warning),
        Field::Missing => details.text(none).styled(theme.dim),
    };
    details = details.section("Headers");
    details = match &tool.headers {
        Field::Known(headers) if headers.is_empty() => details.text("none").styled(theme.dim),
        Field::Known(headers) => details.lines(header_lines(headers, shows_secrets, columns, view)),
        Field::Odd(_) => details.text("not in the expected format").styled(theme.warning),
        Field::Missing => details.text(none).styled(theme.dim),
    };
    details = details.section("Record").field("Id", row.id.to_string());
    for (label, time) in [("Created", &tool.created_at), ("Updated", &tool.updated_at)] {
        if let Some(time) = time.known() {
            details = details.field(label, date_and_time(time.0, view.now.wall, view.zone));
        }
    }
    tool.extra
        .iter()
        .filter(|(_, value)| !value.is_null())
        .fold(details, |details, (name, value)| details.wrapped(name.replace('_', " "), json_text(value)))
}

fn users(details: Details, row: &Row, view: &View<'_>) -> Details {
    let dim = view.options.theme.dim;
    match &row.users {
        Some(users) if users.is_empty() => details.field("Used by", "no assistant").styled(dim),
        Some(users) => details.wrapped("Used by", users.join(", ")),
        None if view.data.all_assistants.is_offered() => details.field("Used by", view.options.glyphs.none).styled(dim),
        None => details.wrapped("Used by", "not known: the server does not list assistants").styled(dim),
    }
}

/// Name, type and description of each parameter; what does not fit in one line goes on below.
fn parameters(schema: &[ToolParameter], columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let dim = view.options.theme.dim;
    let cells = |one: &ToolParameter| [&*one.name, one.kind.as_str()].map(|text| clean(text).into_owned());
    let widest =
        |at: usize, least: usize| schema.iter().map(|one| width(&cells(one)[at])).max().unwrap_or(0).max(least);
    let (name_room, kind_room) = (widest(0, 4).min(columns / 3), widest(1, 4).min(10));
    let room = columns.saturating_sub(name_room + kind_room + 4).max(8);
    let pad = |text: &str, room: usize| {
        let text = fit(text, room, view.options.glyphs.ellipsis);
        format!("{text}{}  ", " ".repeat(room.saturating_sub(width(&text))))
    };
    let head = format!("{}{}description", pad("name", name_room), pad("type", kind_room));
    let mut lines = vec![Line::styled(fit(&head, columns, "").into_owned(), dim)];
    for one in schema {
        let [name, kind] = cells(one);
        for (at, text) in wrap(&clean(&one.description), room).into_iter().enumerate() {
            let [name, kind] = if at == 0 { [&*name, &*kind] } else { ["", ""] };
            let kind = Span::styled(pad(kind, kind_room), dim);
            lines.push(Line::from(vec![Span::raw(pad(name, name_room)), kind, Span::raw(text)]));
        }
    }
    lines
}

/// Name and value of each header.
fn header_lines(headers: &[ToolHeader], shows_secrets: bool, columns: usize, view: &View<'_>) -> Vec<Line<'static>> {
    let widest = headers.iter().map(|one| width(&clean(&one.name))).max().unwrap_or(0).min(columns / 2);
    let line = |one: &ToolHeader| {
        let name = fit(&clean(&one.name), widest, view.options.glyphs.ellipsis).into_owned();
        let pad = " ".repeat(widest - width(&name).min(widest) + 2);
        let (value, style) = match one.shown(shows_secrets) {
            value if value == one.value => (clean(value).into_owned(), Style::new()),
            masked => (masked.to_owned(), view.options.theme.dim),
        };
        let value = wrap(&value, columns.saturating_sub(widest + 2).max(8)).into_iter().enumerate();
        let before = format!("{name}{pad}");
        let blank = " ".repeat(widest + 2);
        let lines = value.map(move |(at, part)| {
            let before = if at == 0 { before.clone() } else { blank.clone() };
            Line::from(vec![Span::raw(before), Span::styled(part, style)])
        });
        lines.collect::<Vec<_>>()
    };
    headers.iter().flat_map(line).collect()
}
