//! The pane on screen.

use super::filter;
use super::format;
use super::{Conversations, SCOPES, areas, reading};
use crate::api::{ConversationFilter, Page, PageRef};
use crate::ui::health;
use crate::ui::panes::activity;
use crate::ui::prelude::*;
use crate::ui::text::{thousands, width};
use crate::ui::widgets::state::PATIENCE;

/// Draws the pane and tells where its cursor is.
pub(super) fn draw(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
    let areas = areas::of(view.body, pane.inspecting);
    let cursor = status(pane, view, buffer, areas.status);
    if !areas.list.is_empty() {
        pane.list.draw(!pane.inspecting, state(pane, view), view, areas.list, buffer);
    }
    if areas.inspector.width > 0 {
        return reading::draw(pane, view, areas.inspector, buffer).or(cursor);
    }
    cursor
}

/// The chips of the filters in force.
fn chips(filter: &ConversationFilter, view: &View<'_>) -> Vec<String> {
    let ConversationFilter { kind, assistant_id, date_from, date_to } = filter;
    let mut chips = Vec::new();
    chips.extend(kind.as_ref().map(|kind| format!("type: {}", format::kind_name(kind))));
    chips.extend(assistant_id.map(|id| {
        let name = filter::named(id, &filter::assistants(view.data));
        format!("assistant: {}", name.unwrap_or_else(|| format!("no. {id}")))
    }));
    chips.extend(date_from.map(|day| format!("from: {}", day.strftime("%-d %b %Y"))));
    chips.extend(date_to.map(|day| format!("until: {}", day.strftime("%-d %b %Y"))));
    chips
}

/// One line: how many, which filters, which page. While narrowing, what is typed in place of how many.
fn status(pane: &Conversations, view: &View<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let narrowing = pane.list.is_narrowed();
    let (total, mut right) = totals(pane, view);
    let mut left = vec![Span::raw(" ")];
    if !narrowing {
        left.push(Span::styled(total, theme.strong));
    }
    let chips = chips(&pane.query.filter, view);
    for (at, chip) in chips.iter().enumerate() {
        left.push(Span::raw(if at == 0 && narrowing { "" } else { "   " }));
        left.push(Span::styled(chip.clone(), theme.strong));
    }
    if !chips.is_empty() && !narrowing {
        let clears = view.key(SCOPES, Action::ClearFilters, " clears");
        left.push(Span::styled(format!(" {} {clears}", glyphs.dot), theme.dim));
    }
    if narrowing {
        left.push(Span::styled(if chips.is_empty() { "/ " } else { "   / " }, theme.accent));
    }
    if pane.loading_since().is_some_and(|since| since + PATIENCE <= view.now.mono) && pane.list.source.shown().is_some()
    {
        right = match &pane.query.page {
            PageRef::Number(number) => format!("{} loading page {}", glyphs.half, thousands(*number)),
            PageRef::Cursor(_) => format!("{} loading the page", glyphs.half),
        };
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
    // Where not all fits, filters and the page's number are worth more than the end of the line.
    let numbers = pane.list.source.shown().and_then(super::pages::LoadedPage::numbers);
    let short = numbers.map(|(at, last)| format!("page {} of {}", thousands(at), thousands(last)));
    let fits = left.width() + width(&words) + 3 <= usize::from(area.width);
    let words = short.filter(|_| !fits && !narrowing && view.titled).unwrap_or(words);
    let right = Line::from(vec![Span::raw("  "), Span::styled(words, style), Span::raw(" ")]);
    pane.list.draw_line(&left, &right, view, area, buffer)
}

/// How many conversations there are, and what of them is shown; empty before the first page.
fn totals(conversations: &Conversations, view: &View<'_>) -> (String, String) {
    let Some(shown) = conversations.list.source.shown() else { return Default::default() };
    let in_page = shown.rows.len() as u64;
    let (total, place) = match &shown.page {
        Page::Numbered(page) => {
            let numbers = format!("page {} of {}", thousands(page.current_page), thousands(page.last_page.max(1)));
            (count(page.total, "conversation", "conversations"), numbers)
        }
        Page::Cursor(page) => {
            let more = if page.next_cursor.is_some() { "more follow" } else { "the last page" };
            let rows = count(in_page, "conversation", "conversations");
            (format!("{rows} on this page"), format!("{more} {} no totals", view.options.glyphs.dot))
        }
    };
    let order = conversations.list.state.sort().is_none().then(|| "server's order".to_owned());
    let position = if conversations.list.state.narrow.value().is_empty() {
        conversations.list.state.position()
    } else {
        Some(format!("{} of {} rows", conversations.list.state.order().len(), thousands(in_page)))
    };
    let parts: Vec<_> = [order, position, Some(place)].into_iter().flatten().collect();
    (total, parts.join(&format!(" {} ", view.options.glyphs.dot)))
}

/// What is shown in place of rows; `None` where there are some.
fn state<'a>(pane: &'a Conversations, view: &'a View<'_>) -> Option<State<'a>> {
    if !pane.list.state.order().is_empty() {
        return None;
    }
    let refresh = |says: &str| view.key(SCOPES, Action::Refresh, says);
    if pane.list.source.shown().is_none() {
        if let Some(reason) = view.unconnected() {
            return Some(State::NotConnected(reason.into()));
        }
        let Some(failure) = &pane.failure else { return pane.loading_since().map(State::Loading) };
        let seconds = pane.polling.next().map(|at| (at - view.now.mono).as_secs());
        let next = match seconds {
            _ if pane.is_requesting() => "Retrying now.".to_owned(),
            Some(seconds) => format!("Next try in {seconds} s; {}.", refresh(" retries now")),
            None => refresh(" retries."),
        };
        let activity = view.key(SCOPES, Action::Go(activity::ID), " shows each request.");
        return Some(State::Failed {
            what: "Conversations failed to load:".into(),
            why: format!("{}.", explain(failure)).into(),
            next: format!("{next} {activity}").into(),
        });
    }
    let filters = view.key(SCOPES, Action::Filter, "");
    Some(if !pane.list.source.rows().is_empty() {
        let typed = fit(pane.list.state.narrow.value(), 30, view.options.glyphs.ellipsis);
        State::Empty(
            format!("No row of this page matches \"{typed}\".").into(),
            format!("Narrowing searches only the loaded rows; {filters} asks the server.").into(),
        )
    } else if pane.query.filter == ConversationFilter::default() {
        State::Empty("There are no conversations yet.".into(), "New ones appear here on their own.".into())
    } else {
        let clears = view.key(SCOPES, Action::ClearFilters, " clears them");
        State::Empty(
            "No conversation matches these filters.".into(),
            format!("{filters} changes them, {clears}.").into(),
        )
    })
}
