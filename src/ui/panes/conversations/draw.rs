//! The pane on screen.

use super::filter::{self, Chosen, Wanted};
use super::format;
use super::narrow;
use super::{Conversations, SCOPES, areas, reading};
use crate::api::{ConversationType, Page, PageRef};
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
pub(super) fn chips(wanted: &Wanted, known: &[Chosen], view: &View<'_>) -> Vec<String> {
    let kind = Some(wanted.kind.as_str()).filter(|word| !word.is_empty()).map(ConversationType::from);
    let mut chips = Vec::new();
    chips.extend(kind.map(|kind| format!("type: {}", format::kind_name(&kind))));
    chips.extend(wanted.assistant.as_ref().map(|one| match (filter::named(one, known), one.id) {
        (name, None) => format!("assistant: {name} (loaded rows)"),
        (name, Some(id)) if name == id.to_string() => format!("assistant: no. {id}"),
        (name, Some(_)) => format!("assistant: {name}"),
    }));
    if !wanted.days.is_empty() {
        let today = filter::today(view.now.wall, view.zone);
        chips.push(format!("created: {}", wanted.parsed_days(view.now.wall, view.zone).words(today)));
    }
    if !wanted.customer.is_empty() {
        chips.push(format!("customer: {}", wanted.customer));
    }
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
    let alerts = pane.alerts();
    if alerts > 0 && !narrowing {
        let alerts = count(alerts as u64, "alert", "alerts");
        left.push(Span::styled(format!("   {} {alerts}", glyphs.alert), theme.warning));
    }
    let typing = pane.list.narrowing;
    let problem = pane.list.source.narrow.problem.as_ref().filter(|_| narrowing);
    let chips = if problem.is_some() { Vec::new() } else { chips(&pane.wanted, &pane.known(view.data), view) };
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
    if typing && pane.list.state.narrow.value().is_empty() {
        narrow::HINT.clone_into(&mut right);
    }
    // Without the title line, what is out of the ordinary is said here.
    let freshness = pane.freshness();
    let usual = freshness.is_some_and(|fresh| fresh.loaded.is_some() && fresh.is_usual(view.now));
    let (words, style) = if view.titled || usual {
        (right, theme.dim)
    } else {
        health::words(&health::Health::default(), freshness, view)
    };
    let (words, style) = match problem {
        Some(problem) => (problem_words(problem, area.width), theme.warning),
        None => (words, style),
    };
    let left = Line::from(left);
    // Where not all fits, filters and the page's number are worth more than the end of the line.
    let numbers = pane.list.source.shown().and_then(super::pages::LoadedPage::numbers);
    let outside = outside(pane).map(|outside| format!("{outside} {} ", glyphs.dot)).unwrap_or_default();
    let short = numbers.map(|(at, last)| format!("{outside}page {} of {}", thousands(at), thousands(last)));
    let fits = left.width() + width(&words) + 3 <= usize::from(area.width);
    let words = short.filter(|_| !fits && !narrowing && view.titled).unwrap_or(words);
    let right = Line::from(vec![Span::raw("  "), Span::styled(words, style), Span::raw(" ")]);
    pane.list.draw_line(&left, &right, view, area, buffer)
}

/// How many loaded rows the server has sent that are outside the filter.
fn outside(pane: &Conversations) -> Option<String> {
    let outside = pane.list.source.outside();
    (outside > 0).then(|| format!("{outside} outside hidden"))
}

/// What of the narrowing means nothing; without the list of fields where that leaves no room to type.
fn problem_words(problem: &str, columns: u16) -> String {
    let fits = width(problem) + 20 <= usize::from(columns);
    problem.split(';').next().filter(|_| !fits).unwrap_or(problem).to_owned()
}

/// How many conversations there are, and what of them is shown; empty before the first page.
fn totals(conversations: &Conversations, view: &View<'_>) -> (String, String) {
    let Some(shown) = conversations.list.source.shown() else { return Default::default() };
    let in_page = shown.rows.len() as u64;
    let (total, place) = match &shown.page {
        Page::Numbered(page) => {
            let numbers = format!("page {} of {}", thousands(page.current_page), thousands(page.last_page.max(1)));
            let total = count(page.total, "conversation", "conversations");
            // The server counts whole days of UTC.
            let days = conversations.shown_wanted.parsed_days(view.now.wall, view.zone);
            let by = if days.is_wider_in_utc(view.zone) { " by UTC days" } else { "" };
            (format!("{total}{by}"), numbers)
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
        Some(format!("{} of {} loaded rows", conversations.list.state.order().len(), thousands(in_page)))
    };
    let parts: Vec<_> = [order, position, outside(conversations), Some(place)].into_iter().flatten().collect();
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
    let rows = pane.list.source.rows().len();
    Some(if rows > 0 && rows == pane.list.source.outside() {
        let next = view.key(SCOPES, Action::Turn(crate::ui::action::Turn::Next), " turns the page");
        State::Empty(
            "No row of this page is within the filter.".into(),
            format!("The server's days are those of UTC, and it does not filter by all assistants; {next}.").into(),
        )
    } else if rows > 0 {
        let typed = fit(pane.list.state.narrow.value(), 30, view.options.glyphs.ellipsis);
        State::Empty(
            format!("No row of this page matches \"{typed}\".").into(),
            format!("Narrowing searches only the loaded rows; {filters} asks the server.").into(),
        )
    } else if pane.wanted == Wanted::default() {
        State::Empty("There are no conversations yet.".into(), "New ones appear here on their own.".into())
    } else {
        let clears = view.key(SCOPES, Action::ClearFilters, " clears them");
        State::Empty(
            "No conversation matches these filters.".into(),
            format!("{filters} changes them, {clears}.").into(),
        )
    })
}
