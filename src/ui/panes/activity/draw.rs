//! The pane on screen.

use super::areas::{self};
use super::{Activity, Details, Entry, Outcome, SCOPES, SPIN, curl};
use crate::client::Attempt;
use crate::ui::action::Action;
use crate::ui::ages::{to_the_second, took};
use crate::ui::layout;
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::text::{clean, wrap};
use crate::ui::widgets::columns::{Column, arrange, cell};
use crate::ui::widgets::{put, put_lines, put_right, rule};
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::borrow::Cow;

const COLUMNS: [Column; 6] = [
    Column { title: "TIME", width: 8, fills: false, right: false, drops: 3 },
    Column { title: "METHOD", width: 6, fills: false, right: false, drops: 2 },
    Column { title: "PATH", width: 14, fills: true, right: false, drops: 0 },
    Column { title: "STATUS", width: 11, fills: false, right: false, drops: 0 },
    Column { title: "TOOK", width: 8, fills: false, right: true, drops: 4 },
    Column { title: "TRIES", width: 5, fills: false, right: true, drops: 5 },
];

/// Draws the pane.
pub fn draw(pane: &Activity, options: &Options, now: Moment, zone: &TimeZone, buffer: &mut Buffer, body: Rect) {
    let theme = &options.theme;
    let areas = areas::of(body, pane.is_open() && pane.selected_entry().is_some());
    let inner = layout::list_row;
    let places = arrange(&COLUMNS, inner(areas.header).width);
    for (column, place) in COLUMNS.iter().zip(places) {
        if let Some(place) = place {
            cell(buffer, inner(areas.header), place, column.right, column.title, theme.dim, options.glyphs.ellipsis);
        }
    }
    if pane.entries.is_empty() {
        let place =
            Rect { y: areas.rows.y + areas.rows.height.min(1), height: areas.rows.height.min(1), ..inner(areas.rows) };
        put(buffer, place, &Line::from(Span::styled("No request has left yet.", theme.dim)));
    }
    let rows = pane.entries.iter().enumerate().skip(pane.cursor.offset);
    for (y, (at, entry)) in (areas.rows.y..areas.rows.bottom()).zip(rows) {
        let line = Rect { y, height: 1, ..areas.rows };
        let selected = at == pane.cursor.at;
        if selected {
            let marker = format!(" {}", options.glyphs.marker);
            buffer.set_stringn(line.x, y, marker, usize::from(line.width), theme.accent);
        }
        let (status, style) = status(entry, options, now);
        let tries = entry.attempts.len().max(1).to_string();
        let texts: [(Cow<'_, str>, Style); 6] = [
            (to_the_second(entry.began, zone).into(), theme.dim),
            (entry.operation.method.into(), Style::new()),
            (clean(&entry.operation.path), if selected { theme.selected } else { Style::new() }),
            (status.into(), style),
            (entry.took().map(took).unwrap_or_default().into(), Style::new()),
            (tries.into(), theme.dim),
        ];
        for ((column, place), (shown, style)) in COLUMNS.iter().zip(places).zip(texts) {
            if let Some(place) = place {
                cell(buffer, inner(line), place, column.right, &shown, style, options.glyphs.ellipsis);
            }
        }
    }
    if let Some(entry) = pane.selected_entry().filter(|_| areas.details.height > 0) {
        let style = if pane.is_reading() { theme.accent } else { theme.dim };
        rule(buffer, Rect { height: 1, ..areas.details }, options.glyphs.horizontal, style);
        let text = areas::details_text(areas.details);
        let lines = details(pane, entry, options, zone, usize::from(text.width));
        let last = lines.len().saturating_sub(usize::from(text.height));
        let at = if let Details::Read(at) = pane.details { at.min(last) } else { 0 };
        put_lines(buffer, text, &lines, at);
        if at < last {
            // On the rule, where it covers nothing.
            let key = options.keymap.first_key(SCOPES, Action::NextPart).filter(|_| !pane.is_reading());
            let key = key.map(|key| format!("{key} ")).unwrap_or_default();
            let more = Line::from(Span::styled(format!(" {key}more {} ", options.glyphs.down), theme.dim));
            put_right(buffer, Rect { height: 1, width: areas.details.width.saturating_sub(1), ..areas.details }, &more);
        }
    }
}

/// What became of a request, in a word with a sign.
fn status(entry: &Entry, options: &Options, now: Moment) -> (String, Style) {
    let (theme, glyphs) = (&options.theme, options.glyphs);
    let last = entry.attempts.last().and_then(|attempt| attempt.status);
    match &entry.outcome {
        Outcome::Running => {
            let steps = glyphs.spinner;
            let turn = now.mono.as_millis() / SPIN.as_millis();
            let step = usize::try_from(turn % steps.len() as u128).unwrap_or(0);
            let word = if entry.attempts.is_empty() { "running" } else { "retrying" };
            (format!("{} {word}", steps[step]), theme.warning)
        }
        Outcome::Done => {
            let status = last.map_or_else(|| "done".to_owned(), |status| status.to_string());
            (format!("{} {status}", glyphs.full), theme.good)
        }
        Outcome::Failed { cancelled: true, .. } => (format!("{} cancelled", glyphs.hollow), theme.dim),
        Outcome::Failed { .. } => {
            let status = last.map_or_else(|| "failed".to_owned(), |status| status.to_string());
            (format!("{} {status}", glyphs.cross), theme.failed)
        }
    }
}

/// Everything about a request, broken at `columns`: what can be done with it first.
pub fn details(
    pane: &Activity,
    entry: &Entry,
    options: &Options,
    zone: &TimeZone,
    columns: usize,
) -> Vec<Line<'static>> {
    let theme = &options.theme;
    let mut lines = Vec::new();
    let mut say = |text: &str, style: Style| {
        lines.extend(wrap(&clean(text), columns).into_iter().map(|line| Line::from(Span::styled(line, style))));
    };
    say(&format!("{} {}", entry.operation.method, entry.operation.path), theme.strong);
    match &entry.outcome {
        Outcome::Running => match options.keymap.first_key(SCOPES, Action::CancelRequest) {
            Some(key) => say(&format!("It is on its way; {key} gives up on it."), theme.dim),
            None => say("It is on its way.", theme.dim),
        },
        Outcome::Done => say("It succeeded.", theme.good),
        Outcome::Failed { why, .. } => say(&format!("It failed: {why}."), theme.failed),
    }
    say(&curl(&pane.base_url, &entry.operation), theme.dim);
    for attempt in &entry.attempts {
        let again = attempt.retry_in.map(|wait| format!("; tried again after {}", took(wait))).unwrap_or_default();
        say(&format!("Try {}, {}: {}{again}", attempt.number, took(attempt.took), result(attempt)), Style::new());
    }
    say(&format!("It left at {}.", to_the_second(entry.began, zone)), theme.dim);
    lines
}

/// What came of a try. A fault that names the status, or that none came, says it once.
fn result(attempt: &Attempt) -> String {
    match (attempt.status, &attempt.fault) {
        (Some(status), Some(fault)) if !fault.starts_with(&status.to_string()) => format!("status {status}, {fault}"),
        (_, Some(fault)) => fault.clone(),
        (Some(status), None) => format!("status {status}"),
        (None, None) => "no answer".to_owned(),
    }
}
