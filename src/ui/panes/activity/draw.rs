//! The pane on screen.

use super::areas::{self};
use super::entry::COLUMNS;
use super::{Activity, Focus, SCOPES};
use crate::ui::action::Action;
use crate::ui::ages::took;
use crate::ui::pane::{Pane, View};
use crate::ui::text::{count, thousands};
use crate::ui::widgets::state::State;
use crate::ui::widgets::{put_cut, put_right, rule, table};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Draws the pane and tells where its cursor is.
pub fn draw(pane: &Activity, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let areas = pane.areas(view.body);
    let cursor = status(pane, view, buffer, areas.status);
    let reading = matches!(pane.focus, Focus::Details(_));
    table::draw(COLUMNS, &pane.entries, &pane.list, !reading, view, areas.list, buffer);
    if pane.list.order().is_empty() {
        let header = areas.list.height.min(1);
        let below = Rect { y: areas.list.y + header, height: areas.list.height - header, ..areas.list };
        state(pane, view).draw(&[], view, below, buffer);
    }
    if let Some(entry) = pane.selected().filter(|_| areas.details.height > 0) {
        let style = if reading { theme.accent } else { theme.dim };
        rule(buffer, Rect { height: 1, ..areas.details }, glyphs.horizontal, style);
        let text = areas::details_text(areas.details);
        let at = if let Focus::Details(at) = pane.focus { at } else { 0 };
        entry.details(&pane.base_url, view, text.width.into()).draw(at, view, text, buffer);
    }
    cursor
}

/// How many requests are listed, how long they took, how many failed; what is hidden, and where the selection is.
fn status(pane: &Activity, view: &View<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let typed = pane.list.narrow.value();
    let narrowing = pane.takes_text() || !typed.is_empty();
    let dot = format!(" {} ", glyphs.dot);
    let summary = summary(pane).join(&dot);
    let hidden = pane.hidden();
    let key = view.options.keymap.first_key(SCOPES, Action::ToggleAutomatic);
    let key = key.map(|key| format!(" ({key})")).unwrap_or_default();
    let hidden = (hidden > 0).then(|| format!("{} hidden{key}", count(hidden as u64, "poll", "polls")));
    let mut right = [hidden, pane.list.position()].into_iter().flatten().collect::<Vec<_>>().join(&dot);
    let left = if narrowing {
        right = [summary, right].join(&dot);
        Line::from(Span::styled(" / ", theme.accent))
    } else {
        Line::from(vec![Span::raw(" "), Span::styled(summary, theme.strong)])
    };
    let room = usize::from(area.width);
    let right = Line::from(Span::styled(format!("  {right} "), theme.dim));
    let least = left.width() + if narrowing { 16 } else { 0 };
    // Where not both fit, what is typed and the latency are worth more.
    let used = if least + right.width() > room { 0 } else { right.width() };
    let kept = u16::try_from(room - used).unwrap_or(area.width);
    put_cut(buffer, Rect { width: kept, ..area }, &left, glyphs.ellipsis);
    if used > 0 {
        put_right(buffer, area, &right);
    }
    if !narrowing {
        return None;
    }
    let x = u16::try_from(left.width()).unwrap_or(kept).min(kept);
    let field = Rect { x: area.x + x, width: kept - x, ..area };
    pane.list.narrow.draw(buffer, field, theme.strong).filter(|_| pane.takes_text())
}

/// `"37 requests"`, `"p50 12 ms"`, `"p95 80 ms"`, `"2 failed"`, of what is listed.
fn summary(pane: &Activity) -> Vec<String> {
    let mut spans: Vec<Duration> = pane.listed().filter_map(super::Entry::took).collect();
    spans.sort_unstable();
    let (total, failed) = (pane.listed().count(), pane.listed().filter(|entry| entry.is_failure()).count());
    let mut parts = vec![count(total as u64, "request", "requests")];
    for percent in [50, 95] {
        // The nearest rank: the smallest time that so many of a hundred do not exceed.
        let rank = (spans.len() * percent).div_ceil(100);
        parts
            .extend(rank.checked_sub(1).and_then(|at| spans.get(at)).map(|span| format!("p{percent} {}", took(*span))));
    }
    parts.push(format!("{} failed", thousands(failed as u64)));
    parts
}

fn state<'a>(pane: &Activity, view: &View<'_>) -> State<'a> {
    let key = |action, says: &str| {
        let key = view.options.keymap.first_key(SCOPES, action);
        key.map(|key| format!("{key} {says}")).unwrap_or_default()
    };
    if !pane.list.narrow.value().is_empty() {
        State::Empty("No request matches.".into(), key(Action::Back, "clears the narrowing.").into())
    } else if pane.only_failures {
        State::Empty("No request has failed.".into(), key(Action::OnlyProblems, "lists all.").into())
    } else if pane.hidden() > 0 {
        State::Empty("Only automatic requests so far.".into(), key(Action::ToggleAutomatic, "lists them.").into())
    } else {
        State::Empty("No requests yet.".into(), "Every request to the server is listed here.".into())
    }
}
