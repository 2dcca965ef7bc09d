//! The watched recipients with the time left of their windows.

use super::super::format::window_sign;
use super::super::{Messaging, Part, WatchedWindow, windows};
use crate::messaging::{Level, Remaining, countdown};
use crate::ui::prelude::*;
use crate::ui::text::width;
use crate::ui::widgets::table::{draw_rows, mark};
use jiff::Timestamp;

/// Columns of "closes in" and of "22 h 05", with the gap before it.
const STATE: u16 = 9;
const FIGURE: u16 = 8;
/// The widest and the narrowest gauge.
const GAUGE: [u16; 2] = [10, 4];
/// A name keeps this much before there is a gauge.
const NAME: u16 = 20;

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let (server_now, rows, list) = (pane.server_now(view.now), &pane.data.windows, pane.list(Part::Windows));
    draw_rows(list, 1, pane.focus == Part::Windows, view, area, buffer, |buffer, line, shown| {
        let Some(watch) = rows.get(shown.row) else { return };
        draw_row(watch, &shown.letters, server_now, view, line, buffer);
    });
    let (all, shown) = (rows.len(), list.order().len());
    if all > shown && usize::from(area.height) > shown + 1 {
        let hidden = format!("{} more {} Esc shows all", all - shown, view.options.glyphs.dot);
        let y = area.y + u16::try_from(shown).unwrap_or(u16::MAX) + 1;
        let room = area.width.saturating_sub(2);
        buffer.set_stringn(area.x + 2.min(area.width), y, hidden, room.into(), view.options.theme.dim);
    }
}

/// Draws a recipient: the name, and where there is room behind it the number, then what is left of the window.
fn draw_row(
    watch: &WatchedWindow,
    letters: &[Vec<u32>],
    server_now: Timestamp,
    view: &View<'_>,
    line: Rect,
    buffer: &mut Buffer,
) {
    let Options { theme, glyphs, .. } = view.options;
    let put = |buffer: &mut Buffer, (x, room): (u16, u16), right: bool, text: &str, style: Style| {
        let room = room.min(line.width.saturating_sub(x));
        let text = fit(text, room.into(), glyphs.ellipsis);
        let indent = if right { room - u16::try_from(width(&text)).unwrap_or(room).min(room) } else { 0 };
        if room > 0 {
            buffer.set_stringn(line.x + x + indent, line.y, text, room.into(), style);
        }
    };
    let fixed = 2 + 1 + STATE + FIGURE;
    let gauge = line.width.saturating_sub(fixed + NAME + 2).min(GAUGE[0]);
    let gauge = if gauge < GAUGE[1] { 0 } else { gauge };
    let name = line.width.saturating_sub(fixed + if gauge > 0 { gauge + 2 } else { 0 });
    let failure = watch.poll.failure.as_deref();
    let remaining = watch.window.map(|window| Remaining::of(window, server_now));
    let level = remaining.map_or(Level::Closed, Remaining::level);
    let (sign, style) = match remaining {
        Some(remaining) => window_sign(remaining, view.options),
        None if failure.is_some() => (glyphs.cross, theme.failed),
        None => (glyphs.dot, theme.dim),
    };
    put(buffer, (0, 1), false, sign, style);
    let name_style = if level == Level::Closed { theme.dim } else { Style::new() };
    let named = watch.name.as_deref().map(clean).filter(|name| !name.trim().is_empty());
    let shown = named.as_deref().unwrap_or(&watch.number);
    put(buffer, (2, name), false, shown, name_style);
    if let Some(letters) = letters.get(usize::from(named.is_none())) {
        let at = Position { x: line.x + 2, y: line.y };
        mark(buffer, at, &fit(shown, name.into(), ""), letters, theme.matched);
    }
    if named.is_some() && width(shown) + width(&watch.number) + 2 <= usize::from(name) {
        put(buffer, (2, name), true, &watch.number, theme.dim);
    }
    let state = 2 + name + 1;
    let rest = (state, line.width.saturating_sub(state));
    let Some(remaining) = remaining else {
        return put(buffer, rest, false, &failure.map_or("loading".into(), clean), theme.dim);
    };
    if level == Level::Closed {
        let said = remaining.to_string();
        let leads = format!("{said} {} template", glyphs.arrow);
        let fits = width(&leads) <= usize::from(rest.1);
        return put(buffer, rest, false, if fits { &leads } else { &said }, theme.dim);
    }
    let figure = state + STATE;
    // What is calm needs no colour: what is bright is what can be lost.
    let (state_style, figure_style, gauge_style) = match level {
        Level::Urgent | Level::Warning => (style, style, style),
        Level::Calm | Level::Normal | Level::Closed => (theme.dim, Style::new(), theme.dim),
    };
    put(buffer, (state, STATE), false, remaining.state(), state_style);
    put(buffer, (figure, FIGURE), true, &remaining.figure(), figure_style);
    if gauge > 0 {
        let x = figure + FIGURE + 2;
        let cells = u16::try_from(glyphs.gauge.len()).unwrap_or(1);
        let steps = remaining.steps(gauge * cells);
        let full = glyphs.gauge.last().copied().unwrap_or_default().repeat(usize::from(steps / cells));
        let part = (steps % cells).checked_sub(1).and_then(|at| glyphs.gauge.get(usize::from(at)));
        put(buffer, (x, gauge), false, &glyphs.track.repeat(usize::from(gauge)), theme.dim);
        put(buffer, (x, gauge), false, &format!("{full}{}", part.unwrap_or(&"")), gauge_style);
    }
}

/// Why windows were not refreshed, or how many close soon.
pub fn note(pane: &Messaging, view: &View<'_>) -> Span<'static> {
    let Options { theme, glyphs, .. } = view.options;
    let rows = &pane.data.windows;
    if let Some(why) = windows::failure(rows) {
        return Span::styled(format!("{} not refreshed: {}", glyphs.cross, clean(why)), theme.failed);
    }
    match windows::closing_within(rows, countdown::WARNING, pane.server_now(view.now)) {
        0 => Span::raw(""),
        1 => Span::styled("1 closes within 1 h", theme.warning),
        close => Span::styled(format!("{close} close within 1 h"), theme.warning),
    }
}
