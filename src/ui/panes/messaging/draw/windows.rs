//! The watched recipients with the time left of their windows.

use super::super::format::{self, window_sign};
use super::super::{Messaging, Part, WatchedWindow, windows};
use crate::messaging::{Level, Remaining, countdown};
use crate::ui::compose::Known;
use crate::ui::prelude::*;
use crate::ui::text::width;
use crate::ui::widgets::table::{draw_rows, mark};
use jiff::Timestamp;
use std::borrow::Cow;

/// Columns of "closes in" and of "22 h 05", with the gap before it.
const STATE: u16 = 9;
const FIGURE: u16 = 8;
/// The widest and the narrowest gauge; the widest has a cell for each hour.
const GAUGE: [u16; 2] = [24, 4];
/// A name keeps this much before its number is cut, and a number this much: two people can have one name.
const NAME: u16 = 12;
const NUMBER: u16 = 6;
/// Between two columns.
const GAP: u16 = 2;

/// Where the columns of a row lie, from the sign on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Columns {
    name: u16,
    number: u16,
    gauge: u16,
    /// The sender, where there are several and there is room.
    sender: u16,
}

impl Columns {
    /// The columns in a row of this width: `needs` are those of names and numbers, `sender` that of the senders.
    fn of(width: u16, (names, numbers): (u16, u16), sender: u16) -> Self {
        let room = width.saturating_sub(2 + 1 + STATE + FIGURE);
        if names == 0 {
            return Self { name: room, number: 0, gauge: 0, sender: 0 };
        }
        let both = room.saturating_sub(GAP);
        let name = names.min(both.saturating_sub(numbers).max(NAME.min(both.saturating_sub(NUMBER))));
        let number = numbers.min(both - name);
        let spare = both - name - number;
        let gauge = Some(spare.saturating_sub(GAP).min(GAUGE[0])).filter(|gauge| *gauge >= GAUGE[1]).unwrap_or(0);
        let spare = spare.saturating_sub(gauge + GAP);
        let sender = if gauge > 0 && spare >= sender + GAP { sender } else { 0 };
        Self { name, number, gauge, sender }
    }

    /// Where the time left begins.
    fn state(self) -> u16 {
        2 + self.name + if self.number > 0 { GAP + self.number } else { 0 } + 1
    }
}

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let (server_now, rows, list) = (pane.server_now(view.now), &pane.data.windows, pane.list(Part::Windows));
    let several = pane.data.senders.len() > 1;
    let label = |watch: &WatchedWindow| pane.data.sender(watch.sender_id).map(format::sender).unwrap_or_default();
    let senders = pane.data.senders.iter().map(|sender| width(&format::sender(sender))).max();
    let senders = senders.filter(|_| several).and_then(|columns| u16::try_from(columns).ok()).unwrap_or(0);
    draw_rows(list, 1, pane.focus == Part::Windows, view, area, buffer, |buffer, line, shown| {
        let Some(watch) = rows.get(shown.row) else { return };
        let columns = Columns::of(line.width, pane.windows.columns, senders);
        let sender = if columns.sender > 0 { label(watch) } else { String::new() };
        draw_row(watch, columns, &sender, &shown.letters, server_now, view, line, buffer);
    });
    let (all, shown) = (rows.len(), list.order().len());
    if all > shown && usize::from(area.height) > shown + 1 {
        let hidden = format!("{} more {} Esc shows all", all - shown, view.options.glyphs.dot);
        let y = area.y + u16::try_from(shown).unwrap_or(u16::MAX) + 1;
        let room = area.width.saturating_sub(2);
        buffer.set_stringn(area.x + 2.min(area.width), y, hidden, room.into(), view.options.theme.dim);
    }
}

/// Draws a recipient: name and number, then what is left of the window, then the sender.
#[expect(clippy::too_many_arguments, reason = "a row, where it is drawn, and what is drawn with it")]
fn draw_row(
    watch: &WatchedWindow,
    columns: Columns,
    sender: &str,
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
    let state = columns.state();
    let at = |x: u16| Position { x: line.x + x, y: line.y };
    let letters = |field: usize| letters.get(field).map(Vec::as_slice).unwrap_or_default();
    if let Some(name) = watch.name.as_deref().map(clean).filter(|name| !name.trim().is_empty()) {
        put(buffer, (2, columns.name), false, &name, name_style);
        mark(buffer, at(2), &fit(&name, columns.name.into(), ""), letters(0), theme.matched);
        let x = 2 + columns.name + GAP;
        let number = tail(&watch.number, columns.number.into(), glyphs.ellipsis);
        put(buffer, (x, columns.number), false, &number, theme.dim);
        if number == watch.number {
            mark(buffer, at(x), &number, letters(1), theme.matched);
        }
    } else {
        let room = state.saturating_sub(3);
        put(buffer, (2, room), false, &watch.number, name_style);
        mark(buffer, at(2), &fit(&watch.number, room.into(), ""), letters(1), theme.matched);
    }
    let figure = state + STATE;
    let gauge = figure + FIGURE + GAP;
    let from = gauge + columns.gauge + GAP;
    let rest = if columns.sender > 0 { from - GAP } else { line.width };
    let rest = (state, rest.saturating_sub(state));
    put(buffer, (from, columns.sender), false, sender, theme.dim);
    let Some(remaining) = remaining else {
        return put(buffer, rest, false, &failure.map_or("loading".into(), clean), theme.dim);
    };
    if level == Level::Closed {
        let said = remaining.to_string();
        let leads = format!("{said} {} template", glyphs.arrow);
        let fits = width(&leads) <= usize::from(rest.1);
        return put(buffer, rest, false, if fits { &leads } else { &said }, theme.dim);
    }
    // What is calm needs no colour: what is bright is what can be lost.
    let (state_style, figure_style, gauge_style) = match level {
        Level::Urgent | Level::Warning => (style, style, style),
        Level::Calm | Level::Normal | Level::Closed => (theme.dim, Style::new(), theme.dim),
    };
    put(buffer, (state, STATE), false, remaining.state(), state_style);
    put(buffer, (figure, FIGURE), true, &remaining.figure(), figure_style);
    let cells = u16::try_from(glyphs.gauge.len()).unwrap_or(1);
    let steps = remaining.steps(columns.gauge * cells);
    let full = glyphs.gauge.last().copied().unwrap_or_default().repeat(usize::from(steps / cells));
    let part = (steps % cells).checked_sub(1).and_then(|at| glyphs.gauge.get(usize::from(at)));
    put(buffer, (gauge, columns.gauge), false, &glyphs.track.repeat(usize::from(columns.gauge)), theme.dim);
    put(buffer, (gauge, columns.gauge), false, &format!("{full}{}", part.unwrap_or(&"")), gauge_style);
}

/// The last columns of a number, the whole of it where there is room: its end tells more than its beginning.
fn tail<'a>(number: &'a str, room: usize, ellipsis: &str) -> Cow<'a, str> {
    let over = width(number).saturating_sub(room);
    if over == 0 {
        return number.into();
    }
    let kept = number.chars().skip(over + width(ellipsis)).collect::<String>();
    format!("{ellipsis}{kept}").into()
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_fit_and_a_number_stands_beside_every_name(
            width in 0u16..200, names in 1u16..60, numbers in 8u16..20, sender in 0u16..20,
        ) {
            let columns = Columns::of(width, (names, numbers), sender);
            let gauge = if columns.gauge > 0 { GAP + columns.gauge } else { 0 };
            let sender = if columns.sender > 0 { GAP + columns.sender } else { 0 };
            let used = columns.state() + STATE + FIGURE + gauge + sender;
            prop_assert!(used <= width || columns.name + columns.number == 0, "{columns:?} in {width}");
            prop_assert!(width < 40 || columns.number >= NUMBER, "{columns:?} in {width}");
            prop_assert!(columns.number == numbers || columns.name <= NAME, "{columns:?} in {width}");
        }
    }

    #[test]
    fn number_that_is_cut_keeps_its_end() {
        assert_eq!(tail("+55 11 91234-5678", 17, "…"), "+55 11 91234-5678");
        assert_eq!(tail("+55 11 91234-5678", 6, "…"), "…-5678");
        assert_eq!(tail("+55 11 91234-5678", 0, "…").chars().count(), 1);
    }
}
