//! The pane on screen.

use super::{Activity, Focus, SCOPES, areas};
use crate::ui::ages::took;
use crate::ui::prelude::*;
use crate::ui::text::thousands;

/// Draws the pane and tells where its cursor is.
pub fn draw(pane: &Activity, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let areas = pane.areas(view.body);
    let cursor = status(pane, view, buffer, areas.status);
    let reading = matches!(pane.focus, Focus::Details(_));
    let state = pane.list.state.order().is_empty().then(|| state(pane, view));
    pane.list.draw(!reading, state, view, areas.list, buffer);
    if let Some(entry) = pane.list.selected().filter(|_| areas.details.height > 0) {
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
    let dot = format!(" {} ", glyphs.dot);
    let summary = summary(pane).join(&dot);
    let hidden = pane.hidden();
    let key = view.options.keymap.first_key(SCOPES, Action::ToggleAutomatic);
    let key = key.map(|key| format!(" ({key})")).unwrap_or_default();
    let hidden = (hidden > 0).then(|| format!("{} hidden{key}", count(hidden as u64, "poll", "polls")));
    let mut right = [hidden, pane.list.state.position()].into_iter().flatten().collect::<Vec<_>>().join(&dot);
    let left = if pane.list.is_narrowed() {
        right = [summary, right].join(&dot);
        Line::from(Span::styled(" / ", theme.accent))
    } else {
        Line::from(vec![Span::raw(" "), Span::styled(summary, theme.strong)])
    };
    let right = Line::from(Span::styled(format!("  {right} "), theme.dim));
    // Where not both fit, the latency is worth more.
    let fits = left.width() + right.width() <= usize::from(area.width);
    pane.list.draw_line(&left, &if fits { right } else { Line::default() }, view, area, buffer)
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
    if !pane.list.state.narrow.value().is_empty() {
        State::Empty("No request matches.".into(), view.key(SCOPES, Action::Back, " clears the narrowing.").into())
    } else if pane.only_failures {
        State::Empty("No request has failed.".into(), view.key(SCOPES, Action::OnlyProblems, " lists all.").into())
    } else if pane.hidden() > 0 {
        State::Empty(
            "Only automatic requests so far.".into(),
            view.key(SCOPES, Action::ToggleAutomatic, " lists them.").into(),
        )
    } else {
        State::Empty("No requests yet.".into(), "Every request to the server is listed here.".into())
    }
}
