//! The conversation on screen.

use super::super::{Conversations, SCOPES, areas, format};
use super::Aspect;
use crate::api::Conversation;
use crate::messaging::{Level, Remaining};
use crate::ui::ages::{date_and_time, time_of_day};
use crate::ui::layout;
use crate::ui::phone::phone;
use crate::ui::prelude::*;
use crate::ui::text::width;
use crate::ui::widgets::transcript::Margin;
use crate::ui::widgets::{put_cut, put_right};

/// Widths of the placeholders while the messages are loading.
const SHAPES: &[u16] = &[10, 34, 28, 0, 11, 30, 0, 10, 22];

/// Draws what is read beside the list or in its place, and returns where the cursor is.
pub fn draw(pane: &Conversations, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let inner = frame(pane.inspecting, view, area, buffer);
    let Some(row) = pane.shown_row() else {
        if pane.inspecting {
            put_cut(buffer, inner, &Line::styled("No conversation is selected.", theme.dim), glyphs.ellipsis);
        }
        return None;
    };
    let reading = &pane.reading;
    let areas = areas::reading(inner, pane.foot(inner.width, view.data));
    let cursor = super::super::reply::draw(pane, view, areas.foot, buffer);
    if reading.shown_aspect() != Aspect::Transcript {
        let details = reading.details(row, pane.paged.list.source.loaded().collect(), view, inner.width);
        return reading.reader.draw(&details, view, areas.all_but_foot(), buffer).or(cursor);
    }
    head(row, pane, view, areas.head, buffer);
    if let Some(state) = state(row, pane, view) {
        // A state keeps a margin of its own.
        let body = Rect { x: areas.body.x - 2.min(areas.body.x), width: areas.body.width + 2, ..areas.body };
        state.draw(SHAPES, view, body, buffer);
        return cursor;
    }
    let Some(talk) = reading.talk() else { return cursor };
    let messages = talk.messages();
    let margin = Margin { x: inner.x.saturating_sub(2).max(area.x), selects: pane.inspecting };
    reading.transcript.draw(messages, Some(margin), view, areas.body, buffer).or(cursor)
}

/// Draws the line between a list and what is read beside it, and returns where the text lies.
pub fn frame(inspecting: bool, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Rect {
    let Options { theme, glyphs, .. } = view.options;
    let style = if inspecting { theme.accent } else { theme.dim };
    let inner = layout::inspector_text(area, view.body);
    if inner.x > area.x + 2 {
        column(buffer, Rect { width: 1, ..area }, glyphs.vertical, style);
    }
    inner
}

/// Draws whom it is about, and at the right how it stands. A number beside a name is there as a whole or not at all; the
/// facts have it.
pub fn who_line(
    (mut who, number): (Line<'_>, Option<String>),
    right: Option<&Line<'_>>,
    view: &View<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let Options { theme, glyphs, .. } = view.options;
    let area = Rect { height: area.height.min(1), ..area };
    let used = right.map_or(0, Line::width).min(usize::from(area.width));
    let left = Rect { width: area.width - u16::try_from(used).unwrap_or(0), ..area };
    let number = number.map(|number| format!("  {number}"));
    let number = number.filter(|number| who.width() + width(number) <= usize::from(left.width));
    who.spans.extend(number.map(|number| Span::styled(number, theme.dim)));
    put_cut(buffer, left, &who, glyphs.ellipsis);
    if let Some(right) = right {
        put_right(buffer, area, right);
    }
}

/// Whose conversation it is and how it stands, on two lines.
fn head(row: &Conversation, pane: &Conversations, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
    let Options { theme, glyphs, .. } = view.options;
    let window = pane.reading.window(row, view);
    let right = window.map(|left| {
        let style = match left.level() {
            Level::Closed => theme.dim,
            Level::Calm | Level::Normal => theme.good,
            Level::Warning | Level::Urgent => theme.warning,
        };
        Line::styled(format!("  window {}", window_words(left)), style)
    });
    let party = row.customer.known();
    let text = |text: Option<&String>| text.map(|text| clean(text).into_owned()).filter(|text| !text.trim().is_empty());
    let name = text(party.and_then(|party| party.name.as_ref()));
    let phone = text(party.and_then(|party| party.phone.as_ref())).map(|number| phone(&number));
    let who = match (name, phone) {
        (Some(name), phone) => (Line::styled(name, theme.strong), phone),
        (None, Some(phone)) => (Line::styled(phone, theme.strong), None),
        (None, None) => {
            let kind = Span::styled(format::kind(row).into_owned(), theme.strong);
            (Line::from(vec![kind, Span::styled(format!("  {}", format::id(row)), theme.dim)]), None)
        }
    };
    who_line(who, right.as_ref(), view, area, buffer);
    if area.height > 1 {
        let second = Rect { y: area.y + 1, height: 1, ..area };
        let (ai, style) = match row.ai_enabled.known() {
            Some(true) => ("AI on", theme.dim),
            Some(false) => ("AI off", theme.warning),
            None => ("AI unknown", theme.dim),
        };
        let since = pane.taken_at(row).map(|since| {
            let is_today = view.now.wall.duration_since(since).as_hours() < 24;
            let time =
                if is_today { time_of_day(since, view.zone) } else { date_and_time(since, view.now.wall, view.zone) };
            format!("{ai} since {time}, by you")
        });
        let ai = since.as_deref().unwrap_or(ai);
        let messages = row.message_count.known().map(|at| count(*at, "message", "messages"));
        let rest: Vec<_> = messages.into_iter().chain([format::exact_cost(row).into_owned()]).collect();
        let dot = format!(" {} ", glyphs.dot);
        let rest = format!("{dot}{}", rest.join(&dot));
        let room = usize::from(second.width).saturating_sub(width(&rest) + width(ai) + width(&dot));
        let assistant = fit(&format::assistant(row), room.max(8), glyphs.ellipsis).into_owned();
        let line = Line::from(vec![
            Span::styled(format!("{assistant}{dot}"), theme.dim),
            Span::styled(ai.to_owned(), style),
            Span::styled(rest, theme.dim),
        ]);
        put_cut(buffer, second, &line, glyphs.ellipsis);
    }
}

/// "open 22 h 05", "closed".
fn window_words(left: Remaining) -> String {
    match left {
        Remaining::Open(_) => left.to_string(),
        Remaining::Expired(_) | Remaining::None => "closed".to_owned(),
    }
}

/// What stands in place of the messages; `None` where there are some.
fn state<'a>(row: &Conversation, pane: &'a Conversations, view: &'a View<'_>) -> Option<State<'a>> {
    let reading = &pane.reading;
    if let Some(talk) = reading.talk() {
        let none = || State::Empty("No messages yet.".into(), "They appear here as they come.".into());
        return talk.messages().is_empty().then(none);
    }
    if let Some(reason) = view.unconnected() {
        return Some(State::NotConnected(reason.into()));
    }
    let id = row.id.known().map_or("", String::as_str);
    if let Some(failure) = reading.fetching.failure(id) {
        if pane.paged.failure.is_some() {
            // The list says why.
            return Some(State::NotConnected("The messages are loaded once the server answers again.".into()));
        }
        let retries = view.key(SCOPES, Action::Refresh, " tries again");
        let facts = view.key(SCOPES, Action::ToggleRaw, " shows the facts.");
        return Some(State::Failed {
            what: "The messages failed to load:".into(),
            why: format!("{}.", explain(failure)).into(),
            next: format!("{retries}; {facts}").into(),
        });
    }
    let around = pane.around(view.body, view.data);
    if reading.fetching.waits(&around.targets, &reading.cache, view.now.mono) {
        let most = format!("At most {} conversations are read a minute.", super::fetch::REQUESTS_MAX);
        return Some(State::Empty("The messages will be loaded within a minute.".into(), most.into()));
    }
    Some(State::Loading(reading.fetching.loading_since(id).unwrap_or(view.now.mono)))
}
