//! The line above a list that comes page by page, and what stands in place of its rows.

use super::pages::{Listed, LoadedPage};
use super::requests::{Paged, title};
use crate::api::{Page, PageRef};
use crate::ui::action::Turn;
use crate::ui::health;
use crate::ui::panes::activity;
use crate::ui::prelude::*;
use crate::ui::text::{thousands, width};
use crate::ui::widgets::state::PATIENCE;

/// One line: how many, which filters, which page. While narrowing, what is typed in place of how many. `alerts` of the rows
/// are worth a look; keys come from `scopes`.
pub fn draw<D: Listed>(
    paged: &Paged<D>,
    (alerts, chips): (usize, Vec<String>),
    scopes: &[Scope],
    view: &View<'_>,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    let narrowing = paged.list.is_narrowed();
    let (total, mut right) = totals(paged, view);
    let mut left = vec![Span::raw(" ")];
    if !narrowing {
        left.push(Span::styled(total, theme.strong));
    }
    if alerts > 0 && !narrowing {
        let alerts = count(alerts as u64, "alert", "alerts");
        left.push(Span::styled(format!("   {} {alerts}", glyphs.alert), theme.warning));
    }
    let typing = paged.list.narrowing;
    let problem = paged.list.source.narrow.problem.as_ref().filter(|_| narrowing);
    let chips = if problem.is_some() { Vec::new() } else { chips };
    for (at, chip) in chips.iter().enumerate() {
        left.push(Span::raw(if at == 0 && narrowing { "" } else { "   " }));
        left.push(Span::styled(chip.clone(), theme.strong));
    }
    if !chips.is_empty() && !narrowing {
        let clears = view.key(scopes, Action::ClearFilters, " clears");
        left.push(Span::styled(format!(" {} {clears}", glyphs.dot), theme.dim));
    }
    if narrowing {
        left.push(Span::styled(if chips.is_empty() { "/ " } else { "   / " }, theme.accent));
    }
    let shown = paged.list.source.shown();
    if paged.loading_since().is_some_and(|since| since + PATIENCE <= view.now.mono) && shown.is_some() {
        right = match &paged.query.page {
            PageRef::Number(number) => format!("{} loading page {}", glyphs.half, thousands(*number)),
            PageRef::Cursor(_) => format!("{} loading the page", glyphs.half),
        };
    }
    if typing && !D::NARROWS_BY.is_empty() && paged.list.state.narrow.value().is_empty() {
        D::NARROWS_BY.clone_into(&mut right);
    }
    // Without the title line, what is out of the ordinary is said here.
    let freshness = paged.freshness();
    let usual = freshness.loaded.is_some() && freshness.is_usual(view.now);
    let (words, style) = if view.titled || usual {
        (right, theme.dim)
    } else {
        health::words(&health::Health::default(), Some(freshness), view)
    };
    let (words, style) = match problem {
        Some(problem) => (problem_words(problem, area.width), theme.warning),
        None => (words, style),
    };
    let left = Line::from(left);
    // Where not all fits, filters and the page's number are worth more than the end of the line.
    let numbers = shown.and_then(LoadedPage::numbers);
    let outside = outside(paged).map(|outside| format!("{outside} {} ", glyphs.dot)).unwrap_or_default();
    let short = numbers.map(|(at, last)| format!("{outside}page {} of {}", thousands(at), thousands(last)));
    let fits = left.width() + width(&words) + 3 <= usize::from(area.width);
    let words = short.filter(|_| !fits && !narrowing && view.titled).unwrap_or(words);
    let right = Line::from(vec![Span::raw("  "), Span::styled(words, style), Span::raw(" ")]);
    paged.list.draw_line(&left, &right, view, area, buffer)
}

/// How many loaded rows the server has sent that are outside the filter.
fn outside<D: Listed>(paged: &Paged<D>) -> Option<String> {
    let outside = paged.list.source.outside();
    (outside > 0).then(|| format!("{outside} outside hidden"))
}

/// What of the narrowing means nothing; without the list of fields where that leaves no room to type.
fn problem_words(problem: &str, columns: u16) -> String {
    let fits = width(problem) + 20 <= usize::from(columns);
    problem.split(';').next().filter(|_| !fits).unwrap_or(problem).to_owned()
}

/// How many there are, and what of them is shown; empty before the first page.
fn totals<D: Listed>(paged: &Paged<D>, view: &View<'_>) -> (String, String) {
    let Some(shown) = paged.list.source.shown() else { return Default::default() };
    let (in_page, [one, several]) = (shown.rows.len() as u64, D::NAMES);
    let (total, place) = match &shown.page {
        Page::Numbered(page) => {
            let numbers = format!("page {} of {}", thousands(page.current_page), thousands(page.last_page.max(1)));
            let total = count(page.total, one, several);
            // The server counts whole days of UTC.
            let by = if paged.counts_by_utc_days(view) { " by UTC days" } else { "" };
            (format!("{total}{by}"), numbers)
        }
        Page::Cursor(page) => {
            let more = if page.next_cursor.is_some() { "more follow" } else { "the last page" };
            let rows = count(in_page, one, several);
            (format!("{rows} on this page"), format!("{more} {} no totals", view.options.glyphs.dot))
        }
    };
    let order = paged.list.state.sort().is_none().then(|| "server's order".to_owned());
    let position = if paged.list.state.narrow.value().is_empty() {
        paged.list.state.position()
    } else {
        Some(format!("{} of {} loaded rows", paged.list.state.order().len(), thousands(in_page)))
    };
    let parts: Vec<_> = [order, position, outside(paged), Some(place)].into_iter().flatten().collect();
    (total, parts.join(&format!(" {} ", view.options.glyphs.dot)))
}

/// What is shown in place of rows; `None` where there are some.
pub fn state<'a, D: Listed>(paged: &'a Paged<D>, scopes: &[Scope], view: &'a View<'_>) -> Option<State<'a>> {
    if !paged.list.state.order().is_empty() {
        return None;
    }
    let refresh = |says: &str| view.key(scopes, Action::Refresh, says);
    let [one, several] = D::NAMES;
    if paged.list.source.shown().is_none() {
        if let Some(reason) = view.unconnected() {
            return Some(State::NotConnected(reason.into()));
        }
        if paged.not_offered {
            let what = format!("This server does not list {several}.");
            return Some(State::NotOffered(what.into(), refresh(" asks it again.").into()));
        }
        let Some(failure) = &paged.failure else { return paged.loading_since().map(State::Loading) };
        let seconds = paged.polling.next().map(|at| (at - view.now.mono).as_secs());
        let next = match seconds {
            _ if paged.is_requesting() => "Retrying now.".to_owned(),
            Some(seconds) => format!("Next try in {seconds} s; {}.", refresh(" retries now")),
            None => refresh(" retries."),
        };
        let activity = view.key(scopes, Action::Go(activity::ID), " shows each request.");
        return Some(State::Failed {
            what: format!("{} failed to load:", title::<D>()).into(),
            why: format!("{}.", explain(failure)).into(),
            next: format!("{next} {activity}").into(),
        });
    }
    let filters = view.key(scopes, Action::Filter, "");
    let rows = paged.list.source.rows().len();
    Some(if rows > 0 && rows == paged.list.source.outside() {
        let next = view.key(scopes, Action::Turn(Turn::Next), " turns the page");
        State::Empty(
            "No row of this page is within the filter.".into(),
            format!("The server's days are those of UTC, and it does not filter by all assistants; {next}.").into(),
        )
    } else if rows > 0 {
        let typed = fit(paged.list.state.narrow.value(), 30, view.options.glyphs.ellipsis);
        State::Empty(
            format!("No row of this page matches \"{typed}\".").into(),
            format!("Narrowing searches only the loaded rows; {filters} asks the server.").into(),
        )
    } else if paged.wanted == D::Wanted::default() {
        State::Empty(format!("There are no {several} yet.").into(), "New ones appear here on their own.".into())
    } else {
        let clears = view.key(scopes, Action::ClearFilters, " clears them");
        State::Empty(
            format!("No {one} matches these filters.").into(),
            format!("{filters} changes them, {clears}.").into(),
        )
    })
}
