//! The templates of the selected sender.

use super::super::areas::{self, PartAreas};
use super::super::templates::{Only, filters};
use super::super::{Front, Messaging, Part, words};
use super::{View, mark, placeholders, say, title};
use crate::api::Template;
use crate::ui::layout;
use crate::ui::options::Options;
use crate::ui::text::{clean, fit, width};
use crate::ui::widgets::columns::{Column, arrange, cell};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

const COLUMNS: [Column; 4] = [
    Column { title: "", width: 20, fills: true, right: false, drops: 0 },
    Column { title: "", width: 5, fills: false, right: false, drops: 2 },
    Column { title: "", width: 9, fills: false, right: false, drops: 3 },
    Column { title: "", width: 2, fills: false, right: true, drops: 1 },
];

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: PartAreas) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let sender = pane.sender();
    let list = sender.and_then(|sender| pane.known.templates.get(&sender.id)).map(Vec::as_slice);
    let note = note(pane, list.unwrap_or_default(), view);
    let caret = title(pane, view, buffer, (Part::Templates, area), "TEMPLATES", Span::styled(note, theme.dim));
    let said = |text: &str, style: Style| (text.to_owned(), style);
    let shelf = sender.and_then(|sender| pane.templates.shelves.get(&sender.id));
    let (Some(list), Some(_)) = (list, sender) else {
        if let Some(fault) = shelf.and_then(|shelf| shelf.fault.as_deref()) {
            let lines = [
                (format!("{} The templates did not come:", glyphs.cross), theme.failed),
                (format!("{}.", clean(fault)), Style::new()),
                said("r tries again.", theme.dim),
            ];
            say(buffer, area.rows, &lines);
        } else if sender.is_some() {
            placeholders(view, buffer, area.rows, shelf.and_then(|shelf| shelf.since), &[24, 17, 21, 14]);
        } else if areas::of(pane.body, pane.focus).senders.rows.is_empty() {
            // The senders are not in view to tell it themselves.
            super::senders::none(pane, view, buffer, area.rows);
        } else if pane.senders.lists() || pane.listing_failed() {
            say(buffer, area.rows, &[said("Templates belong to a sender.", theme.dim)]);
        }
        return caret;
    };
    if list.is_empty() {
        let lines = [
            said("This sender has no templates.", theme.strong),
            said("They are registered with the messaging platform.", theme.dim),
        ];
        say(buffer, area.rows, &lines);
    } else if pane.templates.shown.is_empty() {
        let typed = fit(pane.templates.narrow.value(), 30, glyphs.ellipsis);
        let lines = [
            (format!("No template matches \"{}\".", clean(&typed)), theme.strong),
            said("Words of the name, a language, a category or a status narrow them.", theme.dim),
        ];
        say(buffer, area.rows, &lines);
    }
    let inner = layout::list_row(area.rows);
    let places = arrange(&COLUMNS, inner.width);
    let shown = pane.templates.shown.iter().enumerate().skip(pane.templates.cursor.offset);
    for (y, (at, shown)) in (area.rows.y..area.rows.bottom()).zip(shown) {
        let Some(template) = list.get(shown.at) else { continue };
        let line = Rect { y, height: 1, ..area.rows };
        let chosen = mark(pane, view, buffer, Part::Templates, line, at == pane.templates.cursor.at);
        row(template, &shown.letters, &places, chosen, view, buffer, layout::list_row(line));
    }
    caret
}

/// One template: what cannot be sent is dim, and tells why in place of its category.
fn row(
    template: &Template,
    letters: &[u32],
    places: &[Option<(u16, u16)>; 4],
    chosen: Style,
    view: &View<'_>,
    buffer: &mut Buffer,
    line: Rect,
) {
    let Options { theme, glyphs, .. } = view.options;
    let not_sendable = words::not_sendable(template);
    let style = if not_sendable.is_some() { chosen.patch(theme.dim) } else { chosen };
    let name = match words::text(&template.name) {
        name if name.is_empty() => glyphs.none.into(),
        name => name,
    };
    let name = if not_sendable.is_some() { format!("{} {name}", glyphs.dot) } else { name.into_owned() };
    let variables = template.variables.known().map_or(0, Vec::len);
    let variables = if variables == 0 { String::new() } else { variables.to_string() };
    let (language, category) = (words::text(&template.language), words::category(template));
    // The reason stands in place of the category, or of the language where there is no room for both.
    let said_at = if places[2].is_some() { 2 } else { 1 };
    let texts = [&*name, &*language, &*category, &*variables];
    for (at, (place, text)) in places.iter().zip(texts).enumerate() {
        let Some(place) = *place else { continue };
        let (place, text) = match &not_sendable {
            Some(reason) if at == said_at => ((place.0, line.width.saturating_sub(place.0)), &**reason),
            Some(_) if at > said_at => continue,
            _ => (place, text),
        };
        let style = if at == 0 { style } else { theme.dim };
        cell(buffer, line, place, COLUMNS[at].right, text, style, glyphs.ellipsis);
    }
    if let Some(place) = places[0] {
        let lead = if not_sendable.is_some() { 2 } else { 0 };
        matches(
            buffer,
            line,
            (place.0 + lead, place.1.saturating_sub(lead)),
            &words::text(&template.name),
            letters,
            view,
        );
    }
}

/// Marks the letters that were typed.
fn matches(buffer: &mut Buffer, line: Rect, place: (u16, u16), name: &str, letters: &[u32], view: &View<'_>) {
    let mut column = 0;
    for (at, char) in name.chars().enumerate() {
        let wide = u16::try_from(width(char.encode_utf8(&mut [0; 4]))).unwrap_or(0);
        let hit = u32::try_from(at).is_ok_and(|at| letters.contains(&at));
        if hit && wide > 0 && column + wide <= place.1 {
            let cells = Rect { x: line.x + place.0 + column, width: wide, height: 1, ..line };
            buffer.set_style(cells.intersection(line), view.options.theme.matched);
        }
        column += wide;
    }
}

/// Whose templates they are; while they are narrowed, by what and how many are left.
fn note(pane: &Messaging, list: &[Template], view: &View<'_>) -> String {
    let typed = pane.templates.narrow.value();
    if typed.is_empty() && !(pane.front == Front::Narrowing && pane.focus == Part::Templates) {
        return pane.sender().map(|sender| format!("of {}", words::sender(sender))).unwrap_or_default();
    }
    let (only, _) = filters(list, typed);
    let left = format!("{} of {}", pane.templates.shown.len(), list.len());
    let chips: Vec<&str> = only.iter().map(Only::says).chain([&*left]).collect();
    chips.join(&format!(" {} ", view.options.glyphs.dot))
}
