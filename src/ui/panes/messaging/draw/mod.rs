//! The pane on screen.

mod preview;
mod senders;
mod signs;
mod state;
mod templates;
mod windows;

pub(super) use signs::signs;
pub(super) use state::state;

use super::areas::PartAreas;
use super::compose::Snapshot;
use super::{Front, Messaging, Part, outbox};
use crate::ui::prelude::*;
use crate::ui::widgets::{put, put_cut, put_right};
use state::missing;

/// Columns of a note that can be read though it is cut.
const READABLE: usize = 12;
/// Columns that the text which narrows keeps, with what stands around it.
const TYPED: usize = 10;

/// Draws the pane and returns where the cursor is.
pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    match &pane.front {
        Front::Composer(composer, _) => {
            return composer.draw(&Snapshot::new(&pane.data, &pane.clock, *view), buffer);
        }
        Front::Outbox => return outbox::draw(&pane.outbox, view, buffer),
        Front::Bulk => return pane.bulk.as_ref().and_then(|bulk| bulk.draw(view, buffer)),
        Front::Parts | Front::Narrowing => {}
    }
    let (Options { theme, glyphs, .. }, areas) = (view.options, pane.areas());
    let mut caret = None;
    for part in Part::ALL {
        let (PartAreas { edge, title, rows }, list) = (areas.part(part), pane.list(part));
        if rows.is_empty() && title.is_empty() {
            continue;
        }
        let style = if pane.focus == part { theme.accent } else { theme.dim };
        column(buffer, edge, glyphs.vertical, style);
        caret = caret.or(draw_title(pane, view, buffer, part, title));
        if let Some(state) = state(pane, view, part) {
            let shapes = if part == Part::Windows { [30, 34, 28, 31] } else { [16, 12, 16, 9] };
            state.draw(&shapes, view, rows, buffer);
            continue;
        }
        match part {
            Part::Senders => senders::draw(pane, view, buffer, rows),
            Part::Templates => templates::draw(pane, view, buffer, rows),
            Part::Windows => windows::draw(pane, view, buffer, rows),
        }
        let used = u16::try_from(list.order().len()).unwrap_or(u16::MAX).saturating_mul(part.lines()).saturating_add(1);
        if let Some(missing) = missing(pane, view, part).filter(|_| used < rows.height) {
            missing.draw(&[], view, Rect { y: rows.y + used, height: rows.height - used, ..rows }, buffer);
        }
    }
    preview::draw(pane, view, buffer, areas.preview);
    caret
}

/// The name of a part, "12 of 133", and a note; while it is narrowed the text typed, with the cursor.
fn draw_title(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, part: Part, area: Rect) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let style = if pane.focus == part { theme.accent } else { theme.dim };
    if pane.focus == part {
        buffer.set_stringn(area.x + 1.min(area.width), area.y, glyphs.marker, usize::from(area.width), style);
    }
    let list = pane.list(part);
    let typing = pane.front == Front::Narrowing && pane.focus == part;
    let narrowed = typing || !list.narrow.value().is_empty();
    let (name, note) = match part {
        Part::Senders => ("SENDERS", Span::raw("")),
        Part::Templates => ("TEMPLATES", templates::note(pane, view)),
        Part::Windows if narrowed => ("WINDOWS", Span::raw("")),
        Part::Windows => ("WINDOWS", windows::note(pane, view)),
    };
    let place = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3), ..area };
    let position = Span::styled(list.position().unwrap_or_default(), style);
    // What has no room to be read is left out; the position stays.
    let lead = name.len() + 2 + if narrowed { TYPED } else { 0 };
    let room = usize::from(place.width).saturating_sub(lead + position.width() + 3);
    let has_room = note.width().min(if narrowed { usize::MAX } else { READABLE }) <= room;
    let note = if has_room { note } else { Span::raw("") };
    let joined = !position.content.is_empty() && !note.content.is_empty();
    let joint = if joined { format!(" {} ", glyphs.dot) } else { String::new() };
    let whole = Line::from(vec![position, Span::styled(joint, theme.dim), note]);
    if narrowed {
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
        return list.narrow.draw(buffer, field, theme.strong).filter(|_| typing);
    }
    let lead = Span::styled(format!("{name}  "), style);
    let line: Line<'_> = std::iter::once(lead).chain(whole.spans).collect();
    put_cut(buffer, place, &line, glyphs.ellipsis);
    None
}
