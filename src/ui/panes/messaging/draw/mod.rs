//! The pane on screen.

mod preview;
mod senders;
mod templates;
mod windows;

use super::areas::{self, PartAreas};
use super::{Front, Messaging, PATIENCE, Part};
use crate::ui::layout;
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::text::wrap;
use crate::ui::widgets::{put, put_cut, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Draws the pane and tells where its cursor is.
pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let sight = pane.sight(view.now, view.options, view.zone);
    match &pane.front {
        Front::Composer(composer, _) => return composer.draw(&sight, view, buffer),
        Front::Outbox => {
            pane.outbox.draw(&sight, buffer);
            return None;
        }
        Front::Bulk => return pane.bulk.as_ref().and_then(|bulk| bulk.draw(&sight, buffer)),
        Front::Parts | Front::Narrowing => {}
    }
    let areas = areas::of(pane.body, pane.focus);
    let mut caret = None;
    for part in Part::ALL {
        let area = areas.part(part);
        if area.rows.is_empty() && area.title.is_empty() {
            continue;
        }
        edge(pane, view, buffer, part, area.edge);
        let found = match part {
            Part::Senders => senders::draw(pane, view, buffer, area),
            Part::Templates => templates::draw(pane, view, buffer, area),
            Part::Windows => windows::draw(pane, view, buffer, area),
        };
        caret = caret.or(found);
    }
    preview::draw(pane, view, buffer, areas.preview);
    caret.filter(|_| pane.front == Front::Narrowing)
}

fn edge(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, part: Part, edge: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let style = if pane.focus == part { theme.accent } else { theme.dim };
    for y in edge.y..edge.bottom() {
        for x in edge.x..edge.right() {
            buffer[(x, y)].set_symbol(glyphs.vertical).set_style(style);
        }
    }
}

/// The name of a part with what there is to tell of it; while it is narrowed, what is typed, and where its cursor is.
fn title(
    pane: &Messaging,
    view: &View<'_>,
    buffer: &mut Buffer,
    (part, area): (Part, PartAreas),
    name: &str,
    note: Span<'_>,
) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let style = if pane.focus == part { theme.accent } else { theme.dim };
    let place =
        Rect { x: area.title.x + 2.min(area.title.width), width: area.title.width.saturating_sub(3), ..area.title };
    let typed = match part {
        Part::Senders => None,
        Part::Templates => Some(&pane.templates.narrow),
        Part::Windows => Some(&pane.windows.narrow),
    };
    let note_width = u16::try_from(note.width()).unwrap_or(u16::MAX);
    let typing = pane.front == Front::Narrowing && pane.focus == part;
    if let Some(typed) = typed.filter(|typed| typing || !typed.value().is_empty()) {
        let lead = Line::from(vec![Span::styled(format!("{name} "), style), Span::styled("/ ", theme.accent)]);
        let used = u16::try_from(lead.width()).unwrap_or(u16::MAX).min(place.width);
        put(buffer, place, &lead);
        let room = place.width - used;
        let noted = if note_width + 10 <= room { note_width + 1 } else { 0 };
        if noted > 0 {
            put_right(buffer, place, &Line::from(note));
        }
        let field = Rect { x: place.x + used, width: room - noted, ..place };
        return typed.draw(buffer, field, theme.strong).filter(|_| typing);
    }
    let line = Line::from(vec![Span::styled(name.to_owned(), style), Span::raw("  "), note]);
    put_cut(buffer, place, &line, glyphs.ellipsis);
    None
}

/// Sentences in place of rows.
fn say(buffer: &mut Buffer, area: Rect, lines: &[(String, Style)]) {
    let columns = usize::from(area.width.saturating_sub(3)).min(60);
    let lines = lines.iter().flat_map(|(text, style)| wrap(text, columns).into_iter().map(|line| (line, *style)));
    for (y, (line, style)) in (area.y..area.bottom()).zip(lines) {
        let place = Rect { x: area.x + 2.min(area.width), y, width: area.width.saturating_sub(2), height: 1 };
        put(buffer, place, &Line::from(Span::styled(line, style)));
    }
}

/// Dim rows in the shape of those to come, once that has taken a moment.
fn placeholders(view: &View<'_>, buffer: &mut Buffer, area: Rect, since: Option<Duration>, lengths: &[u16]) {
    if since.is_none_or(|since| since + PATIENCE > view.now.mono) {
        return;
    }
    let inner = layout::list_row(area);
    for (y, length) in (inner.y..inner.bottom()).zip(lengths) {
        let shape = view.options.glyphs.placeholder.repeat(usize::from(*length));
        buffer.set_stringn(inner.x, y, shape, usize::from(inner.width), view.options.theme.dim);
    }
}

/// The mark of the selected row, and how its name looks.
fn mark(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, part: Part, line: Rect, selected: bool) -> Style {
    let Options { theme, glyphs, .. } = view.options;
    let focused = pane.focus == part;
    if selected {
        let style = if focused { theme.accent } else { theme.dim };
        buffer.set_stringn(line.x, line.y, format!(" {}", glyphs.marker), usize::from(line.width), style);
    }
    if selected && focused { theme.selected } else { Style::new() }
}
