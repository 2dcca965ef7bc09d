//! The pane on screen.

mod preview;
mod senders;
mod state;
mod templates;
mod windows;

pub(super) use state::state;

use super::areas::PartAreas;
use super::{Front, Messaging, Part, outbox};
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::{put, put_cut, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// Draws the pane and returns where the cursor is.
pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    match &pane.front {
        Front::Composer(composer, _) => return composer.draw(&pane.snapshot(view), view, buffer),
        Front::Outbox => {
            outbox::draw(&pane.outbox, view, buffer);
            return None;
        }
        Front::Bulk => return pane.bulk.as_ref().and_then(|bulk| bulk.draw(view, buffer)),
        Front::Parts | Front::Narrowing => {}
    }
    let areas = pane.areas();
    let mut caret = None;
    for part in Part::ALL {
        let area = areas.part(part);
        if area.rows.is_empty() && area.title.is_empty() {
            continue;
        }
        edge(pane, view, buffer, part, area.edge);
        let (name, position, narrow, note) = match part {
            Part::Senders => ("SENDERS", pane.senders.list.position(), None, Span::raw("")),
            Part::Templates => {
                let list = &pane.templates.list;
                ("TEMPLATES", list.position(), Some(&list.narrow), templates::note(pane, view))
            }
            Part::Windows => {
                let list = &pane.windows.list;
                ("WINDOWS", list.position(), Some(&list.narrow), windows::note(pane, view))
            }
        };
        caret = caret.or(title(pane, view, buffer, (part, area), (name, position, narrow, note)));
        match (state(pane, view, part), part) {
            (Some(state), Part::Windows) => state.draw(&[30, 34, 28, 31], view, area.rows, buffer),
            (Some(state), _) => state.draw(&[16, 12, 16, 9], view, area.rows, buffer),
            (None, Part::Senders) => senders::draw(pane, view, buffer, area.rows),
            (None, Part::Templates) => templates::draw(pane, view, buffer, area.rows),
            (None, Part::Windows) => windows::draw(pane, view, buffer, area.rows),
        }
    }
    preview::draw(pane, view, buffer, areas.preview);
    caret
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

/// The name of a part, "12 of 133", and a note; while it is narrowed the text typed, with the cursor.
fn title(
    pane: &Messaging,
    view: &View<'_>,
    buffer: &mut Buffer,
    (part, area): (Part, PartAreas),
    (name, position, narrow, note): (&str, Option<String>, Option<&TextInput>, Span<'_>),
) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let style = if pane.focus == part { theme.accent } else { theme.dim };
    let area = area.title;
    if pane.focus == part {
        buffer.set_stringn(area.x + 1.min(area.width), area.y, glyphs.marker, usize::from(area.width), style);
    }
    let place = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3), ..area };
    let typing = pane.front == Front::Narrowing && pane.focus == part;
    let position = Span::styled(position.unwrap_or_default(), style);
    let joint = if position.content.is_empty() || note.content.is_empty() { "" } else { glyphs.dot };
    let joint = if joint.is_empty() { String::new() } else { format!(" {joint} ") };
    let whole = Line::from(vec![position, Span::styled(joint, theme.dim), note.clone()]);
    let fits = |room: usize| whole.width() <= room;
    if let Some(typed) = narrow.filter(|typed| typing || !typed.value().is_empty()) {
        let lead = Line::from(vec![Span::styled(format!("{name} "), style), Span::styled("/ ", theme.accent)]);
        let used = u16::try_from(lead.width()).unwrap_or(u16::MAX).min(place.width);
        put(buffer, place, &lead);
        let room = place.width - used;
        let noted = u16::try_from(whole.width() + 1).unwrap_or(u16::MAX);
        let noted = if noted.saturating_add(9) <= room { noted } else { 0 };
        if noted > 0 {
            put_right(buffer, place, &whole);
        }
        let field = Rect { x: place.x + used, width: room - noted, ..place };
        return typed.draw(buffer, field, theme.strong).filter(|_| typing);
    }
    let lead = Span::styled(format!("{name}  "), style);
    // A note that is cut says more than a position without it.
    let spans = if fits(usize::from(place.width).saturating_sub(lead.width())) { whole.spans } else { vec![note] };
    let line: Line<'_> = std::iter::once(lead).chain(spans).collect();
    put_cut(buffer, place, &line, glyphs.ellipsis);
    None
}
