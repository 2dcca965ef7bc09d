//! The watched recipients with what is left of their windows.

use super::super::areas::PartAreas;
use super::super::senders::Listing;
use super::super::{Filling, Front, Messaging, Part, Watch};
use super::{View, mark, placeholders, say, title};
use crate::messaging::{Level, Remaining, countdown};
use crate::ui::layout;
use crate::ui::options::Options;
use crate::ui::text::{clean, fit, width};
use crate::ui::widgets::columns::cell;
use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

/// Columns of "closes in" and of "22 h 05", with the gap before it.
const STATE: u16 = 9;
const FIGURE: u16 = 8;
/// The widest and the narrowest gauge.
const GAUGE: [u16; 2] = [10, 4];
/// A name keeps this much before there is a gauge.
const NAME: u16 = 20;

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: PartAreas) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let server_now = pane.server_now(view.now);
    let list = &pane.known.windows;
    let note = note(pane, view, server_now);
    let caret = title(pane, view, buffer, (Part::Windows, area), "WINDOWS", note);
    if pane.windows.shown() == 0 {
        empty(pane, view, buffer, area.rows);
        return caret;
    }
    let rows = pane.windows.rows(list).map(|(at, watch, number, fault)| Row { at, watch, number, fault });
    for (y, row) in (area.rows.y..area.rows.bottom()).zip(rows) {
        let line = Rect { y, height: 1, ..area.rows };
        let chosen = mark(pane, view, buffer, Part::Windows, line, row.at == pane.windows.cursor.at);
        let line = layout::list_row(line);
        let fixed = 2 + 1 + STATE + FIGURE;
        let gauge = line.width.saturating_sub(fixed + NAME + 2).min(GAUGE[0]);
        let gauge = if gauge < GAUGE[1] { 0 } else { gauge };
        let name = line.width.saturating_sub(fixed + if gauge > 0 { gauge + 2 } else { 0 });
        let places = Places { name, gauge };
        row.draw(server_now, &places, chosen, view, buffer, line);
    }
    if list.len() > pane.windows.shown() && usize::from(area.rows.height) > pane.windows.shown() + 1 {
        let y = area.rows.y + u16::try_from(pane.windows.shown()).unwrap_or(u16::MAX) + 1;
        let hidden = format!("{} more {} Esc shows all", list.len() - pane.windows.shown(), glyphs.dot);
        say(buffer, Rect { y, height: area.rows.bottom().saturating_sub(y), ..area.rows }, &[(hidden, theme.dim)]);
    }
    caret
}

struct Places {
    name: u16,
    gauge: u16,
}

struct Row<'a> {
    at: usize,
    watch: &'a Watch,
    number: &'a str,
    fault: Option<&'a str>,
}

impl Row<'_> {
    fn draw(
        &self,
        server_now: Timestamp,
        places: &Places,
        chosen: Style,
        view: &View<'_>,
        buffer: &mut Buffer,
        line: Rect,
    ) {
        let Options { theme, glyphs, .. } = view.options;
        let remaining = self.watch.window.map(|window| Remaining::of(window, server_now));
        let level = remaining.map_or(Level::Closed, Remaining::level);
        let (sign, style) = match (remaining, level) {
            (None, _) if self.fault.is_some() => (glyphs.cross, theme.failed),
            (None, _) => (glyphs.dot, theme.dim),
            (_, Level::Urgent) => (glyphs.alert, theme.failed),
            (_, Level::Warning) => (glyphs.half, theme.warning),
            (_, Level::Normal) => (glyphs.full, Style::new()),
            (_, Level::Calm) => (glyphs.full, theme.good),
            (Some(Remaining::None), _) => (glyphs.none, theme.dim),
            (_, Level::Closed) => (glyphs.hollow, theme.dim),
        };
        cell(buffer, line, (0, 1.min(line.width)), false, sign, style, "");
        self.draw_name(places.name, chosen, level, view, buffer, line);
        let state = 2 + places.name + 1;
        let Some(remaining) = remaining else {
            let said = self.fault.map_or("being asked".into(), clean);
            let place = (state, line.width.saturating_sub(state));
            return cell(buffer, line, place, false, &said, theme.dim, glyphs.ellipsis);
        };
        if level == Level::Closed {
            let place = (state, line.width.saturating_sub(state));
            let said = remaining.to_string();
            let leads = format!("{said} {} template", glyphs.arrow);
            let fits = width(&leads) <= usize::from(place.1);
            return cell(buffer, line, place, false, if fits { &leads } else { &said }, theme.dim, glyphs.ellipsis);
        }
        let figure = state + STATE;
        // What is calm needs no colour: what is bright is what can be lost.
        let (state_style, figure_style, gauge_style) = match level {
            Level::Urgent | Level::Warning => (style, style, style),
            Level::Calm | Level::Normal | Level::Closed => (theme.dim, Style::new(), theme.dim),
        };
        cell(buffer, line, (state, STATE), false, remaining.state(), state_style, glyphs.ellipsis);
        cell(buffer, line, (figure, FIGURE), true, &remaining.figure(), figure_style, glyphs.ellipsis);
        if places.gauge > 0 {
            let place = (figure + FIGURE + 2, places.gauge);
            let cells = u16::try_from(glyphs.gauge.len()).unwrap_or(1);
            let steps = remaining.steps(places.gauge * cells);
            let full = glyphs.gauge.last().copied().unwrap_or_default().repeat(usize::from(steps / cells));
            let part = (steps % cells).checked_sub(1).and_then(|at| glyphs.gauge.get(usize::from(at)));
            let filled = format!("{full}{}", part.unwrap_or(&""));
            cell(buffer, line, place, false, &glyphs.track.repeat(usize::from(places.gauge)), theme.dim, "");
            cell(buffer, line, (place.0, steps.div_ceil(cells)), false, &filled, gauge_style, "");
        }
    }

    /// The name, and where there is room behind it the number.
    fn draw_name(&self, wide: u16, chosen: Style, level: Level, view: &View<'_>, buffer: &mut Buffer, line: Rect) {
        let Options { theme, glyphs, .. } = view.options;
        let closed = level == Level::Closed && chosen == Style::new();
        let style = if closed { theme.dim } else { chosen };
        let name = self.watch.name.as_deref().map(clean).filter(|name| !name.trim().is_empty());
        let shown = name.as_deref().unwrap_or(self.number);
        cell(buffer, line, (2, wide), false, shown, style, glyphs.ellipsis);
        let (taken, number) = (width(shown), width(self.number));
        if name.is_some() && taken + number + 2 <= usize::from(wide) {
            cell(buffer, line, (2, wide), true, self.number, theme.dim, "");
        }
    }
}

/// What stands beside the name of the part: what is wrong, else how many close soon, else how many there are.
fn note(pane: &Messaging, view: &View<'_>, server_now: Timestamp) -> Span<'static> {
    let Options { theme, glyphs, .. } = view.options;
    let list = &pane.known.windows;
    if pane.front == Front::Narrowing && pane.focus == Part::Windows || !pane.windows.narrow.value().is_empty() {
        return Span::styled(format!("{} of {}", pane.windows.shown(), list.len()), theme.dim);
    }
    if let Some(trouble) = pane.windows.trouble() {
        return Span::styled(format!("{} not refreshed: {}", glyphs.cross, clean(trouble)), theme.failed);
    }
    match pane.windows.closing_within(list, countdown::WARNING, server_now) {
        0 if list.is_empty() => Span::raw(""),
        0 => Span::styled(list.len().to_string(), theme.dim),
        closing => Span::styled(format!("{closing} closing within the hour"), theme.warning),
    }
}

fn empty(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let typed = pane.windows.narrow.value();
    if !pane.known.windows.is_empty() {
        let typed = fit(typed, 30, glyphs.ellipsis);
        let lines = [
            (format!("Nobody who is watched matches \"{}\".", clean(&typed)), theme.strong),
            ("Esc shows all of them.".to_owned(), theme.dim),
        ];
        return say(buffer, area, &lines);
    }
    if let Some(reason) = view.unconnected() {
        return say(buffer, area, &[(reason.to_owned(), theme.dim)]);
    }
    if let (Listing::Failed(why), true) = (&pane.senders.listing, pane.filling != Filling::Done) {
        let lines = [
            (format!("{} Nobody can be found to watch:", glyphs.cross), theme.failed),
            (format!("{}.", clean(why)), Style::new()),
            ("r tries again.".to_owned(), theme.dim),
        ];
        return say(buffer, area, &lines);
    }
    if pane.filling != Filling::Done && !pane.listing_failed() {
        return placeholders(view, buffer, area, pane.senders.since, &[30, 34, 28, 31]);
    }
    let lines = [
        ("Nobody is watched yet.".to_owned(), theme.strong),
        ("a adds a number; W in Conversations adds the customer.".to_owned(), theme.dim),
        ("Who is written to is added by itself.".to_owned(), theme.dim),
    ];
    say(buffer, area, &lines);
}
