//! The pane on screen.

use super::areas::{self, ConversationAreas};
use super::rows::SortBy;
use super::{Conversations, FRESH, Health, PATIENCE, inspector, words};
use crate::api::{ConversationFilter, Page};
use crate::ui::ages::Age;
use crate::ui::health;
use crate::ui::layout;
use crate::ui::options::Options;
use crate::ui::pane::{Pane, View};
use crate::ui::panes::explain;
use crate::ui::text::{count, fit, thousands, wrap};
use crate::ui::widgets::columns::{Column, arrange, cell};
use crate::ui::widgets::{put, put_cut, put_lines, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The columns of the list.
pub(super) const COLUMNS: [Column; 7] = [
    Column { title: "UPDATED", width: 11, fills: false, right: false, drops: 0 },
    Column { title: "", width: 1, fills: false, right: false, drops: 0 },
    Column { title: "TYPE", width: 9, fills: false, right: false, drops: 3 },
    Column { title: "ASSISTANT", width: 12, fills: true, right: false, drops: 0 },
    Column { title: "MSGS", width: 5, fills: false, right: true, drops: 4 },
    Column { title: "COST", width: 7, fills: false, right: true, drops: 2 },
    Column { title: "AI", width: 3, fills: false, right: false, drops: 1 },
];
/// What a click on the name of each column sorts by.
pub(super) const SORTED: [Option<SortBy>; 7] = [
    Some(SortBy::Updated),
    None,
    Some(SortBy::Type),
    Some(SortBy::Assistant),
    Some(SortBy::Messages),
    Some(SortBy::Cost),
    None,
];

/// Draws the pane and tells where its cursor is.
pub(super) fn draw(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let body = view.body;
    let areas = areas::of(body, pane.is_inspecting());
    let caret = status(pane, view, buffer, areas.status);
    if !areas.rows.is_empty() || !areas.header.is_empty() {
        list(pane, view, buffer, &areas);
    }
    if areas.inspector.width > 0 {
        draw_inspector(pane, view, buffer, areas.inspector, body);
    }
    caret
}

fn draw_inspector(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer, area: Rect, body: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let style = if pane.is_inspecting() { theme.accent } else { theme.dim };
    let inner = layout::inspector_text(area, body);
    if inner.x > area.x + 2 {
        for y in area.y..area.bottom() {
            buffer[(area.x, y)].set_symbol(glyphs.vertical).set_style(style);
        }
    }
    if pane.selected_row().is_none() && !pane.is_inspecting() {
        return;
    }
    let lines = inspector::lines(pane, view.now, view.zone, view.options, usize::from(inner.width));
    let last = lines.len().saturating_sub(usize::from(inner.height));
    let scrolled = pane.inspector_scroll.min(last);
    put_lines(buffer, inner, &lines, scrolled);
    if scrolled < last {
        let more = Line::from(Span::styled(format!(" more {}", glyphs.down), theme.dim));
        put_right(buffer, Rect { y: inner.bottom() - 1, height: 1, ..inner }, &more);
    }
}

/// The chips of the filters in force.
fn chips(filter: &ConversationFilter, pane: &Conversations) -> Vec<String> {
    let ConversationFilter { kind, assistant_id, date_from, date_to } = filter;
    let mut chips = Vec::new();
    chips.extend(kind.as_ref().map(|kind| format!("type: {}", words::kind_name(kind))));
    chips.extend(assistant_id.map(|id| {
        let name = pane.assistants().iter().find(|(known, _)| *known == id).map(|(_, name)| name.clone());
        format!("assistant: {}", name.unwrap_or_else(|| format!("no. {id}")))
    }));
    chips.extend(date_from.map(|day| format!("from: {}", day.strftime("%-d %b %Y"))));
    chips.extend(date_to.map(|day| format!("until: {}", day.strftime("%-d %b %Y"))));
    chips
}

/// One line: how many, which filters, which page. While narrowing, what is typed in place of how many.
fn status(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let narrowing = pane.takes_text() || !pane.narrow.value().is_empty();
    let (total, position) = totals(pane, view);
    let mut left = vec![Span::raw(" ")];
    if !narrowing {
        left.push(Span::styled(total, theme.strong));
    }
    let chips = chips(&pane.query.filter, pane);
    for (at, chip) in chips.iter().enumerate() {
        left.push(Span::raw(if at == 0 && narrowing { "" } else { "   " }));
        left.push(Span::styled(chip.clone(), theme.strong));
    }
    if !chips.is_empty() && !narrowing {
        left.push(Span::styled(format!(" {} x clears", glyphs.dot), theme.dim));
    }
    if narrowing {
        left.push(Span::styled(if chips.is_empty() { "/ " } else { "   / " }, theme.accent));
    }
    let mut right = if narrowing && !position.is_empty() {
        format!("{} of {} rows {} {position}", pane.visible.len(), pane.rows().len(), glyphs.dot)
    } else {
        position
    };
    if pane.loading_since().is_some_and(|since| since + PATIENCE <= view.now.mono) && pane.pages.shown().is_some() {
        right = format!("{} loading {}", glyphs.half, what(pane));
    }
    // Without the title line, what is out of the ordinary is said here.
    let freshness = pane.freshness();
    let usual = freshness.is_some_and(|fresh| fresh.loaded.is_some() && fresh.is_usual(view.now));
    let (words, style) = if view.titled || usual {
        (right, theme.dim)
    } else {
        health::words(&health::Health::default(), freshness, view)
    };
    let left = Line::from(left);
    let right = Line::from(vec![Span::raw("  "), Span::styled(words, style), Span::raw(" ")]);
    let (left_width, right_width) = (left.width(), right.width());
    let least = if narrowing { left_width + 8 } else { left_width };
    let room = usize::from(area.width);
    // Where not all fits, filters and the page's number are worth more than the end of the line.
    let (right, right_width) = match pane.page_numbers() {
        Some((at, end)) if least + right_width > room && !narrowing && view.titled => {
            let short = Line::from(Span::styled(format!("  {} of {} ", thousands(at), thousands(end)), theme.dim));
            let width = short.width();
            (short, width)
        }
        _ => (right, right_width),
    };
    let right_width = if narrowing && least + right_width > room { 0 } else { right_width.min(room) };
    let kept = u16::try_from(room - right_width).unwrap_or(area.width);
    put_cut(buffer, Rect { width: kept, ..area }, &left, glyphs.ellipsis);
    put_right(buffer, Rect { x: area.x + kept, width: area.width - kept, ..area }, &right);
    if !narrowing {
        return None;
    }
    let x = u16::try_from(left_width).unwrap_or(kept).min(kept);
    let field = Rect { x: area.x + x, width: kept - x, ..area };
    pane.narrow.draw(buffer, field, theme.strong).filter(|_| pane.takes_text())
}

/// How many there are, and which page of them is shown; empty before the first has come.
fn totals(pane: &Conversations, view: &View<'_>) -> (String, String) {
    let dot = view.options.glyphs.dot;
    let Some(shown) = pane.pages.shown() else { return Default::default() };
    match &*shown.page {
        Page::Numbered(numbered) => {
            let (current, last) = (thousands(numbered.current_page), thousands(numbered.last_page.max(1)));
            let position = format!("page {current} of {last} {dot} {} a page", shown.query.per_page);
            (count(numbered.total, "conversation", "conversations"), position)
        }
        Page::Cursor(by_cursor) => {
            let rows = count(by_cursor.data.len() as u64, "conversation", "conversations");
            let more = if by_cursor.next_cursor.is_some() { "more follow" } else { "the last page" };
            (format!("{rows} on this page"), format!("{more} {dot} this server gives no totals"))
        }
    }
}

fn what(pane: &Conversations) -> String {
    match &pane.query.page {
        crate::api::PageRef::Number(number) => format!("page {}", thousands(*number)),
        crate::api::PageRef::Cursor(_) => "the page".to_owned(),
    }
}

fn list(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer, areas: &ConversationAreas) {
    let Options { theme, glyphs, .. } = view.options;
    let inner = layout::list_row;
    let places = arrange(&COLUMNS, inner(areas.header).width);
    for ((column, place), sorted) in COLUMNS.iter().zip(places).zip(SORTED) {
        let Some(place) = place else { continue };
        let arrow = if pane.sort.descending { glyphs.down } else { glyphs.up };
        let by_this = sorted == Some(pane.sort.by);
        let title = if by_this { format!("{} {arrow}", column.title) } else { column.title.to_owned() };
        cell(buffer, inner(areas.header), place, column.right, &title, theme.dim, glyphs.ellipsis);
    }
    if pane.visible.is_empty() {
        return empty(pane, view, buffer, areas.rows);
    }
    let rows = pane.rows();
    for (y, (at, visible)) in
        (areas.rows.y..areas.rows.bottom()).zip(pane.visible.iter().enumerate().skip(pane.cursor.offset))
    {
        let Some(row) = rows.get(visible.row) else { continue };
        let line = Rect { y, height: 1, ..areas.rows };
        let selected = at == pane.cursor.at;
        if selected {
            let style = if pane.is_inspecting() { theme.dim } else { theme.accent };
            buffer.set_stringn(line.x, y, format!(" {}", glyphs.marker), usize::from(line.width), style);
        }
        let age = match row.updated_at.known() {
            Some(updated) => Age::between(updated.0, view.now.wall).to_string(),
            None => glyphs.none.to_owned(),
        };
        let fresh = row.id.known().and_then(|id| pane.fresh.get(id)).map(|since| view.now.mono.saturating_sub(*since));
        let (mark, mark_style) = match fresh {
            Some(age) if age < FRESH[0] => ("+", theme.fresh),
            Some(age) if age < FRESH[1] => ("+", theme.dim),
            _ => ("", Style::new()),
        };
        // Beside the marker, so that moving the selection repaints one short run of cells.
        let chosen = if selected { theme.selected } else { Style::new() };
        let texts: [(&str, Style); 7] = [
            (&age, chosen),
            (mark, mark_style),
            (&words::kind(row), theme.dim),
            (&words::assistant(row), Style::new()),
            (&words::messages(row), Style::new()),
            (&words::cost(row), Style::new()),
            (&words::ai(row), theme.dim),
        ];
        for ((column, place), (shown, style)) in COLUMNS.iter().zip(places).zip(texts) {
            if let Some(place) = place {
                cell(buffer, inner(line), place, column.right, shown, style, glyphs.ellipsis);
            }
        }
        for ((place, shown), letters) in
            [(places[2], words::kind(row)), (places[3], words::assistant(row))].iter().zip(&visible.matches)
        {
            if let Some(place) = place {
                mark_matches(buffer, inner(line), *place, shown, letters, theme.matched);
            }
        }
    }
}

/// Marks the matched letters of a cell.
fn mark_matches(buffer: &mut Buffer, line: Rect, place: (u16, u16), shown: &str, letters: &[u32], style: Style) {
    let (x, width) = place;
    let mut column = 0;
    for (at, char) in shown.chars().enumerate() {
        let wide = u16::try_from(crate::ui::text::width(char.encode_utf8(&mut [0; 4]))).unwrap_or(0);
        let hit = u32::try_from(at).is_ok_and(|at| letters.contains(&at));
        if hit && wide > 0 && column + wide <= width && line.x + x + column < line.right() {
            buffer.set_style(Rect { x: line.x + x + column, width: wide, height: 1, ..line }, style);
        }
        column += wide;
    }
}

/// What is shown in place of rows: waiting, nothing there, or what went wrong.
fn empty(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let say = |buffer: &mut Buffer, lines: &[(String, Style)]| {
        let columns = usize::from(area.width.saturating_sub(6)).min(60);
        let lines: Vec<_> =
            lines.iter().flat_map(|(text, style)| wrap(text, columns).into_iter().map(|line| (line, *style))).collect();
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let top = area.y + area.height.saturating_sub(height) / 3;
        for (y, (line, style)) in (top..area.bottom()).zip(lines) {
            let place = Rect { x: area.x + 3.min(area.width), y, width: area.width.saturating_sub(3), height: 1 };
            put(buffer, place, &Line::from(Span::styled(line, style)));
        }
    };
    if let Some(reason) = view.unconnected().filter(|_| pane.pages.shown().is_none()) {
        return say(buffer, &[(reason.to_owned(), theme.dim)]);
    }
    if let Health::Failing(failure) = &pane.health
        && pane.pages.shown().is_none()
    {
        let next = match pane.retry_in(view.now) {
            _ if pane.is_asking() => "Trying again now.".to_owned(),
            Some(seconds) => format!("The next try is in {seconds} s; r tries now."),
            None => "r tries again.".to_owned(),
        };
        let first = format!("{} The conversations cannot be listed:", glyphs.cross);
        return say(
            buffer,
            &[
                (first, theme.failed),
                (format!("{}.", explain(failure)), Style::new()),
                (String::new(), Style::new()),
                (next, theme.dim),
                ("8 shows each request.".to_owned(), theme.dim),
            ],
        );
    }
    if pane.pages.shown().is_none() {
        if pane.loading_since().is_some_and(|since| since + PATIENCE <= view.now.mono) {
            placeholders(buffer, area, glyphs.placeholder, theme.dim);
        }
        return;
    }
    if !pane.narrow.value().is_empty() && !pane.rows().is_empty() {
        let typed = fit(pane.narrow.value(), 30, glyphs.ellipsis).into_owned();
        return say(
            buffer,
            &[
                (format!("No row of this page matches \"{}\".", crate::ui::text::clean(&typed)), theme.strong),
                ("Narrowing looks only at the rows that are loaded; f asks the server.".to_owned(), theme.dim),
            ],
        );
    }
    if pane.query.filter == ConversationFilter::default() {
        say(
            buffer,
            &[
                ("There are no conversations yet.".to_owned(), theme.strong),
                ("The first one appears here by itself.".to_owned(), theme.dim),
            ],
        );
    } else {
        say(
            buffer,
            &[
                ("No conversation passes these filters.".to_owned(), theme.strong),
                ("f changes them, x takes them away.".to_owned(), theme.dim),
            ],
        );
    }
}

/// Dim rows in the shape of those to come.
fn placeholders(buffer: &mut Buffer, area: Rect, glyph: &str, style: Style) {
    let shape = |width: u16| glyph.repeat(usize::from(width));
    for (at, y) in (area.y..area.bottom()).take(8).enumerate() {
        let places = arrange(&COLUMNS, area.width.saturating_sub(3));
        for (column, (x, width)) in places.into_iter().enumerate().filter_map(|(at, place)| Some((at, place?))) {
            let length = [8, 0, 9, 10 + u16::try_from(at * 5 % 7).unwrap_or(0), 2, 4, 2][column].min(width);
            let row = Rect { x: area.x + 2.min(area.width), y, width: area.width.saturating_sub(3), height: 1 };
            cell(buffer, row, (x, width), COLUMNS[column].right, &shape(length), style, "");
        }
    }
}
