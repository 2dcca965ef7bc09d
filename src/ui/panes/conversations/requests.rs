//! Requests for pages and their replies: what is shown, polled and prefetched.

use super::filter::Wanted;
use super::pages::LoadedPage;
use super::{Conversations, ID};
use crate::api::{ConversationQuery, Page, PageRef};
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;
use crate::ui::action::Turn;
use crate::ui::prelude::*;

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
pub struct PendingRequest {
    id: TaskId,
    query: ConversationQuery,
    purpose: Purpose,
    since: Instant,
}

impl Conversations {
    /// Requests a page, unless it is in flight already.
    pub(super) fn request(&mut self, purpose: Purpose, query: ConversationQuery, cx: &mut Context) {
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
        let id = cx.run(origin, Request::ListConversations { query: query.clone() });
        self.pending.push(PendingRequest { id, query, purpose, since: cx.now.mono });
    }

    /// Turns to another query: requests of the last one are cancelled.
    pub(super) fn turn_to(&mut self, query: ConversationQuery, cx: &mut Context) {
        if query.filter != self.query.filter || query.per_page != self.query.per_page {
            self.list.source.forget();
        }
        for pending in self.pending.extract_if(.., |pending| pending.query != query) {
            cx.cancel(pending.id);
        }
        self.query = query;
        if self.list.source.turn_to(&self.query) {
            self.another_page(cx);
            let at = self.list.source.shown().map_or(cx.now.mono, |shown| shown.at.mono);
            // A page that has just been loaded is not loaded again before its poll is due, unless the server fails.
            if self.failure.is_none() && self.polling.every().is_some_and(|every| at + every > cx.now.mono) {
                self.polling.answered(at);
                return self.prefetch(cx);
            }
        }
        self.request(Purpose::Manual, self.query.clone(), cx);
    }

    /// Lists what passes this filter, from its first page on, and keeps it for the next start.
    pub(super) fn set_wanted(&mut self, wanted: Wanted, cx: &mut Context) {
        self.filter_draft = None;
        if wanted != self.wanted {
            self.saved.keep_last(&wanted, cx);
            self.want(wanted, cx);
        }
    }

    /// Lists what passes this filter.
    pub(super) fn want(&mut self, wanted: Wanted, cx: &mut Context) {
        self.wanted = wanted;
        let filter = self.wanted.filter(cx.now.wall, cx.view().zone);
        if filter == self.query.filter {
            self.shown_wanted = self.wanted.clone();
            self.filter_here(cx);
            self.arrange(cx);
        } else {
            self.turn_to(ConversationQuery { filter, page: PageRef::Number(1), ..self.query.clone() }, cx);
        }
    }

    /// Days such as today move on at midnight, and once the user's zone is known.
    pub(super) fn move_days(&mut self, cx: &mut Context) {
        if !self.wanted.days.is_empty() && self.failure.is_none() && !self.is_requesting() {
            let filter = self.wanted.filter(cx.now.wall, cx.view().zone);
            let here = self.wanted.here(cx.now.wall, cx.view().zone);
            if filter != self.query.filter || here != self.list.source.here {
                self.want(self.wanted.clone(), cx);
            }
        }
    }

    fn filter_here(&mut self, cx: &Context) {
        self.list.source.here = self.shown_wanted.here(cx.now.wall, cx.view().zone);
    }

    /// Requests the next page, so that turning to it is instant.
    fn prefetch(&mut self, cx: &mut Context) {
        let Some(page) = self.target(Turn::Next) else { return };
        let query = ConversationQuery { page, ..self.query.clone() };
        if !self.list.source.has_fresh(&query, cx.now) {
            self.request(Purpose::Prefetch, query, cx);
        }
    }

    /// Where a turn leads.
    pub(super) fn target(&self, turn: Turn) -> Option<PageRef> {
        self.list.source.shown()?.target(turn, &self.query.page)
    }

    /// True while the page on screen is requested.
    pub(super) fn is_requesting(&self) -> bool {
        self.pending.iter().any(|pending| pending.query == self.query && pending.purpose != Purpose::Prefetch)
    }

    /// Since when another page than the one on screen is loading.
    pub(super) fn loading_since(&self) -> Option<Instant> {
        let is_shown = self.list.source.shown().is_some_and(|shown| shown.query == self.query);
        let pending = self.pending.iter().find(|pending| pending.query == self.query).filter(|_| !is_shown);
        pending.map(|pending| pending.since)
    }

    /// Takes the reply to a request of this pane.
    pub(super) fn take(&mut self, report: Report, cx: &mut Context) {
        let Some(at) = self.pending.iter().position(|pending| pending.id == report.id) else { return };
        let pending = self.pending.remove(at);
        let is_current = pending.query == self.query;
        match report.result.map(|answer| answer.reply(Reply::list_conversations)) {
            Ok(Some(page)) => {
                let page = LoadedPage::new(pending.query, page, cx.now);
                if is_current { self.show_page(page, cx) } else { self.list.source.keep(page) }
            }
            Err(failure) if is_current && pending.purpose != Purpose::Prefetch => {
                self.failed(failure, pending.purpose == Purpose::Poll, cx);
            }
            _ => {}
        }
    }

    fn show_page(&mut self, page: LoadedPage, cx: &mut Context) {
        if let Page::Numbered(envelope) = &page.page
            && page.rows.is_empty()
            && envelope.current_page > envelope.last_page.max(1)
        {
            // The list has shrunk below this page: its last page is the nearest there is.
            let last = PageRef::Number(envelope.last_page.max(1));
            return self.turn_to(ConversationQuery { page: last, ..self.query.clone() }, cx);
        }
        if self.failure.take().is_some() {
            self.reading.try_again();
        }
        self.polling.answered(cx.now.mono);
        let same = self.list.source.shown().is_some_and(|before| before.query == page.query);
        self.shown_wanted = self.wanted.clone();
        self.filter_here(cx);
        self.list.source.show(page);
        self.watch_page(same, cx);
        if same {
            self.arrange(cx);
        } else {
            self.another_page(cx);
        }
        self.prefetch(cx);
    }

    /// Another page is on screen: the selection begins at its top.
    fn another_page(&mut self, cx: &Context) {
        self.list.state.reset();
        self.arrange(cx);
    }

    /// Works out which rows are shown in which order, after anything that decides it has changed.
    pub(super) fn arrange(&mut self, cx: &Context) {
        self.list.source.now = cx.now.wall;
        self.flag_rows(cx);
        self.list.refresh(&cx.view(), super::areas::table(cx.body));
    }

    fn failed(&mut self, failure: Failure, polled: bool, cx: &mut Context) {
        let missed = self.back_to_shown();
        if failure.kind == FailureKind::Cancelled {
            self.polling.cancelled(cx.now.mono);
            return cx.toast("Cancelled");
        }
        let first = self.polling.failed(polled, &failure, cx.now.mono);
        let why = explain(&failure);
        match missed {
            Some(what) => cx.problem(format!("{what} failed to load: {why}.")),
            None if first => cx.problem(format!("Conversations: {why}. r retries.")),
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
