//! Requests for pages and their replies: what is shown, polled and prefetched.

use super::filter::open_page;
use super::pages::{Filtering as _, Listed, LoadedPage, Pages, Query};
use super::{ID, areas};
use crate::api::{Page, PageRef, rules};
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;
use crate::ui::action::Turn;
use crate::ui::polling::Polling;
use crate::ui::prelude::*;
use crate::ui::widgets::table::height;

/// Rows per page that `+` and `-` step through.
const PER_PAGE_STEPS: [u32; 5] = [10, 15, 25, 50, 100];

/// Why a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Somebody wants to see the page.
    Manual,
    /// The poll was due.
    Poll,
    /// To be there when the page is turned.
    Prefetch,
}

/// A request in flight.
#[derive(Debug, Clone, PartialEq)]
struct PendingRequest<F> {
    id: TaskId,
    query: Query<F>,
    purpose: Purpose,
    since: Instant,
}

/// A page has come on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// It was there before, and may have changed.
    pub same: bool,
    /// The request before had failed.
    pub recovered: bool,
}

/// A list that comes page by page, with its filter and its polling.
#[derive(Debug, Clone, PartialEq)]
pub struct Paged<D: Listed> {
    /// What is wanted; another page than the one on screen may be loading.
    pub query: Query<D::Filter>,
    /// The filter in force as it was typed, and that of the page on screen.
    pub wanted: D::Wanted,
    shown_wanted: D::Wanted,
    pending: Vec<PendingRequest<D::Filter>>,
    /// Why the last request failed; `None` after a success.
    pub failure: Option<Failure>,
    /// The server has no such list.
    pub not_offered: bool,
    /// When the page on screen is requested again.
    pub polling: Polling,
    /// The rows.
    pub list: Browser<Pages<D>>,
}

/// Rows a page where the settings name none: as many as this body shows.
pub fn per_page(options: &Options, body: Rect) -> u32 {
    let rows = u32::try_from(height(areas::table(body))).unwrap_or(rules::PER_PAGE_MAX);
    options.settings.rows_per_page.unwrap_or(rows).clamp(rules::PER_PAGE_MIN, rules::PER_PAGE_MAX)
}

impl<D: Listed> Paged<D> {
    /// A list that has requested nothing yet; polls so often, `None` for manual refresh only.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        Self {
            query: Query { filter: D::Filter::default(), per_page, page: PageRef::Number(1) },
            wanted: D::Wanted::default(),
            shown_wanted: D::Wanted::default(),
            pending: Vec::new(),
            failure: None,
            not_offered: false,
            polling: Polling::new(refresh),
            list: Browser::default(),
        }
    }

    /// Requests the page that is wanted now, because somebody wants to see it.
    pub fn refresh(&mut self, cx: &mut Context) {
        self.request(Purpose::Manual, self.query.clone(), cx);
    }

    /// Requests it again where that is due.
    pub fn poll(&mut self, cx: &mut Context) {
        if cx.is_connected() && self.polling.is_due(cx.now.mono) {
            self.request(Purpose::Poll, self.query.clone(), cx);
        }
    }

    /// Requests a page, unless it is in flight already.
    fn request(&mut self, purpose: Purpose, query: Query<D::Filter>, cx: &mut Context) {
        if purpose != Purpose::Prefetch {
            self.polling.asked();
        }
        if let Some(pending) = self.pending.iter_mut().find(|pending| pending.query == query) {
            if purpose == Purpose::Manual || pending.purpose == Purpose::Prefetch {
                pending.purpose = purpose;
            }
            return;
        }
        let origin = Origin { automatic: purpose != Purpose::Manual, ..Origin::new(ID.0) };
        let id = cx.run(origin, D::request(query.clone()));
        self.pending.push(PendingRequest { id, query, purpose, since: cx.now.mono });
    }

    /// Turns to another query: requests of the last one are cancelled. The list is to be arranged then.
    pub fn turn_to(&mut self, query: Query<D::Filter>, cx: &mut Context) {
        if query.filter != self.query.filter || query.per_page != self.query.per_page {
            self.list.source.forget();
        }
        for pending in self.pending.extract_if(.., |pending| pending.query != query) {
            cx.cancel(pending.id);
        }
        self.query = query;
        if self.list.source.turn_to(&self.query) {
            self.list.state.reset();
            let at = self.list.source.shown().map_or(cx.now.mono, |shown| shown.at.mono);
            // A page that has just been loaded is not loaded again before its poll is due, unless the server fails.
            if self.failure.is_none() && self.polling.every().is_some_and(|every| at + every > cx.now.mono) {
                self.polling.answered(at);
                return self.prefetch(cx);
            }
        }
        self.refresh(cx);
    }

    /// Takes an action on pages and their loading; false where it is none. The list is to be arranged then.
    pub fn act_on_pages(&mut self, action: Action, cx: &mut Context) -> bool {
        match action {
            Action::Turn(turn) => self.turn(turn, cx),
            Action::MoreRows | Action::FewerRows => self.change_per_page(action == Action::MoreRows, cx),
            Action::TogglePause => self.toggle_pause(cx),
            Action::JumpToPage => open_page(self, cx),
            _ => return false,
        }
        true
    }

    /// Turns the page; nothing where that leads nowhere.
    fn turn(&mut self, turn: Turn, cx: &mut Context) {
        if let Some(page) = self.target(turn) {
            self.turn_to(Query { page, ..self.query.clone() }, cx);
        }
    }

    /// Lists more rows a page, or fewer.
    fn change_per_page(&mut self, more: bool, cx: &mut Context) {
        let current = self.query.per_page;
        let step = if more {
            PER_PAGE_STEPS.iter().find(|step| **step > current)
        } else {
            PER_PAGE_STEPS.iter().rev().find(|step| **step < current)
        };
        match step.copied() {
            Some(per_page) => {
                self.turn_to(Query { per_page, page: PageRef::Number(1), ..self.query.clone() }, cx);
                cx.toast(format!("{per_page} rows per page"));
            }
            None => cx.toast(format!("{current} rows per page is the limit")),
        }
    }

    /// Pauses polling, or resumes it.
    fn toggle_pause(&mut self, cx: &mut Context) {
        self.polling.toggle(cx.now.mono);
        let paused = self.polling.is_paused();
        cx.toast(if paused { "Automatic refresh paused" } else { "Automatic refresh resumed" });
    }

    /// Lets the list take an action; false where it is not one of a list's.
    pub fn act(&mut self, action: Action, cx: &mut Context) -> bool {
        let taken = self.list.act(action, areas::table(cx.body));
        if action == Action::SortColumn {
            cx.toast(match self.list.state.sort() {
                Some(sort) => format!("This page is sorted by {}", D::COLUMNS[sort.column].title.to_lowercase()),
                None => "The rows are in the server's order".to_owned(),
            });
        }
        taken
    }

    /// Why an action of a list that comes page by page cannot be done now, to be read after "Not now: ".
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let shown = self.list.source.shown();
        let by_cursor = shown.is_some_and(|shown| shown.numbers().is_none());
        match action {
            Action::JumpToPage | Action::Turn(Turn::Last) if by_cursor => {
                Some("this server pages by cursor, without totals and jumps")
            }
            Action::JumpToPage | Action::Turn(_) if shown.is_none() => Some("no page is loaded yet"),
            Action::Turn(turn) if self.target(turn).is_none() => Some(match turn {
                Turn::Next | Turn::Last => "this is the last page",
                Turn::Previous | Turn::First => "this is the first page",
            }),
            Action::TogglePause if self.polling.every().is_none() => Some("automatic refresh is off in the settings"),
            Action::ClearFilters if self.wanted == D::Wanted::default() => Some("no filter is set"),
            Action::SortDirection if self.list.state.sort().is_none() => Some("the rows are in the server's order"),
            _ => None,
        }
    }

    /// Lists what passes this filter. The list is to be arranged then.
    pub fn want(&mut self, wanted: D::Wanted, cx: &mut Context) {
        self.wanted = wanted;
        let filter = self.wanted.filter(cx.now.wall, cx.view().zone);
        if filter == self.query.filter {
            self.shown_wanted = self.wanted.clone();
            self.filter_here(cx);
        } else {
            self.turn_to(Query { filter, page: PageRef::Number(1), ..self.query.clone() }, cx);
        }
    }

    /// True where days such as today have moved on: at midnight, and once the user's zone is known.
    pub fn has_other_days(&self, cx: &Context) -> bool {
        if self.wanted.days().is_empty() || self.failure.is_some() || self.is_requesting() {
            return false;
        }
        let (now, view) = (cx.now.wall, cx.view());
        self.wanted.filter(now, view.zone) != self.query.filter
            || self.wanted.here(now, view.zone) != self.list.source.here
    }

    fn filter_here(&mut self, cx: &Context) {
        self.list.source.here = self.shown_wanted.here(cx.now.wall, cx.view().zone);
    }

    /// What of the filter on screen the server counts by whole days of UTC.
    pub fn counts_by_utc_days(&self, view: &View<'_>) -> bool {
        self.shown_wanted.parsed_days(view.now.wall, view.zone).is_wider_in_utc(view.zone)
    }

    /// Requests the next page, so that turning to it is instant.
    fn prefetch(&mut self, cx: &mut Context) {
        let Some(page) = self.target(Turn::Next) else { return };
        let query = Query { page, ..self.query.clone() };
        if !self.list.source.has_fresh(&query, cx.now) {
            self.request(Purpose::Prefetch, query, cx);
        }
    }

    /// Where a turn leads.
    pub fn target(&self, turn: Turn) -> Option<PageRef> {
        self.list.source.shown()?.target(turn, &self.query.page)
    }

    /// True while the page on screen is requested.
    pub fn is_requesting(&self) -> bool {
        self.pending.iter().any(|pending| pending.query == self.query && pending.purpose != Purpose::Prefetch)
    }

    /// Since when another page than the one on screen is loading.
    pub fn loading_since(&self) -> Option<Instant> {
        let is_shown = self.list.source.shown().is_some_and(|shown| shown.query == self.query);
        let pending = self.pending.iter().find(|pending| pending.query == self.query).filter(|_| !is_shown);
        pending.map(|pending| pending.since)
    }

    /// How fresh the page on screen is.
    pub fn freshness(&self) -> Freshness<'_> {
        Freshness {
            loaded: self.list.source.shown().map(|shown| shown.at),
            interval: self.polling.interval(),
            paused: self.polling.is_paused(),
            pending: self.is_requesting(),
            failure: self.failure.as_ref(),
            next: self.polling.next(),
        }
    }

    /// True where this is a request for a page that is in flight.
    pub fn is_pending(&self, id: TaskId) -> bool {
        self.pending.iter().any(|pending| pending.id == id)
    }

    /// Takes the reply to a request for a page; any other report is ignored. Tells where a page has come on screen: the list
    /// is to be arranged then.
    pub fn take(&mut self, report: Report, cx: &mut Context) -> Option<Arrived> {
        let at = self.pending.iter().position(|pending| pending.id == report.id)?;
        let pending = self.pending.remove(at);
        let is_current = pending.query == self.query;
        match report.result.map(|answer| answer.reply(D::reply)) {
            Ok(Some(page)) => {
                let page = LoadedPage::new(pending.query, page, cx.now);
                if is_current {
                    return self.show_page(page, cx);
                }
                self.list.source.keep(page);
            }
            Err(failure) if is_current && pending.purpose != Purpose::Prefetch => {
                self.failed(failure, pending.purpose == Purpose::Poll, cx);
            }
            _ => {}
        }
        None
    }

    fn show_page(&mut self, page: LoadedPage<D>, cx: &mut Context) -> Option<Arrived> {
        if let Page::Numbered(envelope) = &page.page
            && page.rows.is_empty()
            && envelope.current_page > envelope.last_page.max(1)
        {
            // The list has shrunk below this page: its last page is the nearest there is.
            let last = PageRef::Number(envelope.last_page.max(1));
            self.turn_to(Query { page: last, ..self.query.clone() }, cx);
            return None;
        }
        self.not_offered = false;
        let recovered = self.failure.take().is_some();
        self.polling.answered(cx.now.mono);
        let same = self.list.source.shown().is_some_and(|before| before.query == page.query);
        self.shown_wanted = self.wanted.clone();
        self.filter_here(cx);
        self.list.source.show(page);
        if !same {
            // The selection begins at the top.
            self.list.state.reset();
        }
        self.prefetch(cx);
        Some(Arrived { same, recovered })
    }

    fn failed(&mut self, failure: Failure, polled: bool, cx: &mut Context) {
        let missed = self.back_to_shown();
        if failure.kind == FailureKind::Cancelled {
            self.polling.cancelled(cx.now.mono);
            return cx.toast("Cancelled");
        }
        let is_missing = matches!(failure.kind, FailureKind::Status { status: 404 | 405, .. });
        if D::MAY_LACK && is_missing && self.list.source.shown().is_none() {
            // Not polled again; the list says so.
            self.not_offered = true;
            return;
        }
        let first = self.polling.failed(polled, &failure, cx.now.mono);
        let why = explain(&failure);
        match missed {
            Some(what) => cx.problem(format!("{what} failed to load: {why}.")),
            None if first => cx.problem(format!("{}: {why}. r retries.", title::<D>())),
            None => {}
        }
        self.failure = Some(failure);
    }

    /// Returns to the query of the page on screen where another one has failed: filters, total and page number belong
    /// to the rows below them. Tells what failed to load.
    fn back_to_shown(&mut self) -> Option<String> {
        let shown = self.list.source.shown().filter(|shown| shown.query != self.query)?.query.clone();
        let missed = match (&self.query.page, shown.filter == self.query.filter) {
            (_, false) => "The filtered list".to_owned(),
            (PageRef::Number(number), true) => format!("Page {number}"),
            (PageRef::Cursor(_), true) => "The page".to_owned(),
        };
        self.query = shown;
        self.wanted = self.shown_wanted.clone();
        Some(missed)
    }
}

/// What several are called at the start of a sentence.
pub fn title<D: Listed>() -> String {
    let name = D::NAMES[1];
    name.char_indices().map(|(at, letter)| if at == 0 { letter.to_ascii_uppercase() } else { letter }).collect()
}
