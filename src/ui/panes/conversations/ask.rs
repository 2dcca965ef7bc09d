//! How the pane asks, what it does with the answers, and when it asks again by itself.

use super::pages::Shown;
use super::{Asked, Conversations, FRESH, Health, PATIENCE, Purpose};
use crate::api::{Conversation, ConversationQuery, OutboundAssistant, Page, PageRef};
use crate::client::{Failure, FailureKind, Reply, Request};
use crate::tasks::Report;
use crate::ui::action::Turn;
use crate::ui::ages::Age;
use crate::ui::message::Moment;
use crate::ui::panes::{Context, explain};
use crate::ui::widgets::list::Cursor;
use std::collections::HashMap;
use std::time::Duration;

impl Conversations {
    pub(super) fn ask(&mut self, purpose: Purpose, query: ConversationQuery, cx: &mut Context<'_>) {
        if purpose != Purpose::Ahead {
            self.polling.asked();
        }
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.query == query) {
            // It is on its way already; whoever waits for it decides what it is for.
            if purpose == Purpose::Show || asked.purpose == Purpose::Ahead {
                asked.purpose = purpose;
            }
            return;
        }
        let id = cx.run(self.origin, Request::ListConversations { query: query.clone() });
        self.asked.push(Asked { id, query, purpose, since: cx.now.mono });
    }

    /// Turns to another question: what was asked before is no longer wanted.
    pub(super) fn question(&mut self, query: ConversationQuery, cx: &mut Context<'_>) {
        if query.filter != self.query.filter || query.per_page != self.query.per_page {
            self.origin = self.origin.renewed();
            self.pages.forget();
        }
        for asked in self.asked.extract_if(.., |asked| asked.query != query) {
            cx.cancel(asked.id);
        }
        self.query = query;
        if let Some(kept) = self.pages.turn_to(&self.query) {
            self.begin_at_the_top();
            self.arrange();
            self.remember_selection();
            // What was kept says nothing about a server that has failed since.
            if !matches!(self.health, Health::Failing(_)) {
                self.health = Health::Live(kept);
                // A page that has just come need not be asked for again before its refresh is due.
                if self.polling.every().is_some_and(|every| kept.mono + every > cx.now.mono) {
                    self.polling.answered(kept.mono);
                    return self.look_ahead(cx);
                }
            }
        }
        self.ask(Purpose::Show, self.query.clone(), cx);
    }

    /// Takes the one result of a request of this pane.
    pub fn answered(&mut self, report: Report, visible_rows: usize, cx: &mut Context<'_>) {
        if self.assistants.asked == Some(report.id) {
            return self.assistants_answered(report, cx);
        }
        let Some(at) = self.asked.iter().position(|asked| asked.id == report.id) else { return };
        let asked = self.asked.remove(at);
        let wanted = report.origin.is_current(&self.origin);
        match report.result.map(|answer| answer.reply(Reply::list_conversations)) {
            Ok(Some(page)) if wanted => {
                let page = Box::new(page);
                if asked.query == self.query {
                    self.show(Shown { query: asked.query, page, at: cx.now }, visible_rows, cx);
                } else {
                    self.pages.keep(Shown { query: asked.query, page, at: cx.now });
                }
            }
            Err(failure) if wanted && asked.query == self.query && asked.purpose != Purpose::Ahead => {
                self.failed(failure, asked.purpose == Purpose::Poll, cx);
            }
            _ => {}
        }
    }

    pub(super) fn show(&mut self, shown: Shown, visible_rows: usize, cx: &mut Context<'_>) {
        if let Page::Numbered(page) = &*shown.page {
            // The list has shrunk below the page that is shown: its last page is the nearest there is.
            if page.data.is_empty() && page.current_page > page.last_page.max(1) {
                let last = PageRef::Number(page.last_page.max(1));
                return self.question(ConversationQuery { page: last, ..self.query.clone() }, cx);
            }
        }
        self.health = Health::Live(cx.now);
        self.polling.answered(cx.now.mono);
        match self.pages.shown().filter(|before| before.query == shown.query) {
            Some(before) => {
                self.fresh.retain(|_, since| *since + FRESH[1] > cx.now.mono);
                for id in changed(before.page.rows(), shown.page.rows()) {
                    self.fresh.insert(id, cx.now.mono);
                }
            }
            None => self.begin_at_the_top(),
        }
        self.pages.show(shown);
        self.arrange();
        self.follow_selection(visible_rows);
        self.look_ahead(cx);
    }

    /// Another page is on screen: what was selected and marked on the old one is of no use.
    fn begin_at_the_top(&mut self) {
        self.fresh.clear();
        (self.cursor, self.selected, self.inspector_scroll) = (Cursor::default(), None, 0);
    }

    fn assistants_answered(&mut self, report: Report, cx: &mut Context<'_>) {
        self.assistants.asked = None;
        match report.result.map(|answer| answer.reply(Reply::list_outbound_assistants)) {
            Ok(Some(assistants)) => {
                (self.assistants.known, self.assistants.failed) =
                    (assistants.iter().filter_map(named).collect(), false);
            }
            Err(failure) if failure.kind != FailureKind::Cancelled => {
                self.assistants.failed = true;
                cx.notices.problem(format!("The assistants cannot be listed: {}.", explain(&failure)), cx.now);
            }
            _ => {}
        }
    }

    fn failed(&mut self, failure: Failure, by_itself: bool, cx: &mut Context<'_>) {
        let missed = self.back_to_what_is_shown();
        if failure.kind == FailureKind::Cancelled {
            self.polling.cancelled(cx.now.mono);
            return cx.notices.toast("Cancelled", cx.now);
        }
        let first = self.polling.failed(by_itself, &failure, cx.now.mono);
        let why = explain(&failure);
        match missed {
            Some(what) => cx.notices.problem(format!("{what} did not come: {why}. Ask again to retry."), cx.now),
            None if first => cx.notices.problem(format!("Conversations: {why}. r tries again."), cx.now),
            None => {}
        }
        self.health = Health::Failing(failure);
    }

    /// Where another question than the one on screen has failed, the one on screen is asked from now on: filters, total
    /// and page belong to the rows below them. Tells what did not come.
    fn back_to_what_is_shown(&mut self) -> Option<String> {
        let shown = self.pages.shown().filter(|shown| shown.query != self.query)?.query.clone();
        let missed = match (&self.query.page, shown.filter == self.query.filter) {
            (_, false) => "The filtered list".to_owned(),
            (PageRef::Number(number), true) => format!("Page {number}"),
            (PageRef::Cursor(_), true) => "The page".to_owned(),
        };
        if shown.filter != self.query.filter || shown.per_page != self.query.per_page {
            self.origin = self.origin.renewed();
        }
        self.query = shown;
        Some(missed)
    }

    /// Fetches the next page before it is asked for, so that turning to it is instant.
    pub(super) fn look_ahead(&mut self, cx: &mut Context<'_>) {
        let Some(page) = self.target(Turn::Next) else { return };
        let query = ConversationQuery { page, ..self.query.clone() };
        if !self.pages.has_fresh(&query, cx.now) {
            self.ask(Purpose::Ahead, query, cx);
        }
    }

    pub(super) fn target(&self, turn: Turn) -> Option<PageRef> {
        let shown = self.pages.shown()?;
        match (&*shown.page, turn) {
            (Page::Numbered(page), turn) => {
                let last = page.last_page.max(1);
                // While a page is loading, the next key counts from the one that is being loaded.
                let current = match self.query.page {
                    PageRef::Number(number) => number,
                    PageRef::Cursor(_) => page.current_page,
                };
                let number = match turn {
                    Turn::Next => current.saturating_add(1),
                    Turn::Previous => current.saturating_sub(1),
                    Turn::First => 1,
                    Turn::Last => last,
                };
                ((1..=last).contains(&number) && number != current).then_some(PageRef::Number(number))
            }
            (Page::Cursor(_), Turn::Next) => shown.page.next(),
            (Page::Cursor(page), Turn::Previous) => page.prev_cursor.clone().map(PageRef::Cursor),
            (Page::Cursor(page), Turn::First) => page.prev_cursor.is_some().then_some(PageRef::Number(1)),
            (Page::Cursor(_), Turn::Last) => None,
        }
    }

    // Time.

    /// Polls, where that is due.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) {
        if cx.is_connected() && self.polling.is_due(cx.now.mono) {
            self.ask(Purpose::Poll, self.query.clone(), cx);
        }
    }

    /// When something on screen changes by itself; `None` for never.
    pub(super) fn next_visible_change(&self, now: Moment, height: usize) -> Option<Duration> {
        let ages = self.visible.iter().skip(self.cursor.offset).take(height).filter_map(|visible| {
            let updated = self.rows().get(visible.row)?.updated_at.known()?;
            Some(now.mono + Age::changes_in(updated.0, now.wall))
        });
        let marks = self.fresh.values().flat_map(|since| FRESH.map(|span| *since + span)).filter(|at| *at > now.mono);
        let loading = self.loading_since().map(|since| since + PATIENCE).filter(|at| *at > now.mono);
        ages.chain(marks).chain(loading).min()
    }

    /// Seconds until the next poll; `None` for manual refresh only.
    pub(super) fn retry_in(&self, now: Moment) -> Option<u64> {
        self.polling.next().map(|at| at.saturating_sub(now.mono).as_secs())
    }

    /// True while the question on screen is on its way.
    pub(super) fn is_asking(&self) -> bool {
        self.asked.iter().any(|asked| asked.query == self.query && asked.purpose != Purpose::Ahead)
    }

    /// Since when the page on screen is not the one that was asked for.
    pub(super) fn loading_since(&self) -> Option<Duration> {
        if self.pages.shown().is_some_and(|shown| shown.query == self.query) {
            return None;
        }
        self.asked.iter().find(|asked| asked.query == self.query).map(|asked| asked.since)
    }
}

fn named(assistant: &OutboundAssistant) -> Option<(i64, String)> {
    Some((*assistant.id.known()?, crate::ui::text::clean(assistant.name.known()?).into_owned()))
}

/// The ids of rows that are new or not as they were.
fn changed(before: &[Conversation], after: &[Conversation]) -> Vec<String> {
    let before: HashMap<&String, &Conversation> =
        before.iter().filter_map(|row| row.id.known().map(|id| (id, row))).collect();
    let changed = after.iter().filter(|row| row.id.known().is_some_and(|id| before.get(id) != Some(row)));
    changed.filter_map(|row| row.id.known().cloned()).collect()
}
