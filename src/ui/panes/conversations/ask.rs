//! How the pane asks, what it does with the answers, and when it asks again by itself.

use super::pages::Shown;
use super::{Asked, Conversations, FRESH, Health, PATIENCE, Purpose};
use crate::api::{Conversation, ConversationQuery, OutboundAssistant, Page, PageRef};
use crate::client::{Failure, FailureKind};
use crate::tasks::{Answer, Report, Work};
use crate::ui::action::Turn;
use crate::ui::ages::Age;
use crate::ui::message::Moment;
use crate::ui::panes::{Context, explain};
use crate::ui::widgets::list::Cursor;
use std::collections::HashMap;
use std::time::Duration;

/// The longest pause between tries while the server is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The pause after a failure where nothing is refreshed by itself.
const PER_FAILURE: Duration = Duration::from_secs(5);

impl Conversations {
    pub(super) fn ask(&mut self, purpose: Purpose, query: ConversationQuery, cx: &mut Context<'_>) {
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.query == query) {
            // It is on its way already: whoever waits longer decides what it is for.
            if purpose == Purpose::Show {
                asked.purpose = purpose;
            }
            return;
        }
        let id = cx.run(self.origin, Work::Conversations(query.clone()));
        self.asked.push(Asked { id, query, purpose, since: cx.now.mono });
        if purpose == Purpose::Show {
            self.next_poll = None;
        }
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
        self.fresh.clear();
        (self.cursor, self.selected, self.inspector_scroll) = (Cursor::default(), None, 0);
        if let Some(kept) = self.pages.turn_to(&self.query) {
            self.health = Health::Live(kept);
            self.arrange();
            self.remember_selection();
            // A page that has just come need not be asked for again before its refresh is due.
            if self.refresh.is_some_and(|every| kept.mono + every > cx.now.mono) {
                self.schedule(kept);
                return self.look_ahead(cx);
            }
        }
        self.ask(Purpose::Show, self.query.clone(), cx);
    }

    /// Takes the one result of a request of this pane.
    pub fn answered(&mut self, report: Report, visible_rows: usize, cx: &mut Context<'_>) {
        if self.assistants_asked == Some(report.id) {
            self.assistants_asked = None;
            if let Ok(Answer::OutboundAssistants(assistants)) = report.result {
                self.assistants = assistants.iter().filter_map(named).collect();
            }
            return;
        }
        let Some(at) = self.asked.iter().position(|asked| asked.id == report.id) else { return };
        let asked = self.asked.remove(at);
        let wanted = report.origin.is_current(&self.origin);
        match report.result {
            Ok(Answer::Conversations(page)) if wanted => {
                if asked.query == self.query {
                    self.show(Shown { query: asked.query, page, at: cx.now }, visible_rows, cx);
                } else {
                    self.pages.keep(Shown { query: asked.query, page, at: cx.now });
                }
            }
            Err(failure) if wanted && asked.query == self.query && asked.purpose == Purpose::Show => {
                self.failed(failure, cx);
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
        (self.health, self.failures) = (Health::Live(cx.now), 0);
        self.schedule(cx.now);
        if let Some(before) = self.pages.shown().filter(|before| before.query == shown.query) {
            self.fresh.retain(|_, since| *since + FRESH[1] > cx.now.mono);
            for id in changed(before.page.rows(), shown.page.rows()) {
                self.fresh.insert(id, cx.now.mono);
            }
        }
        self.pages.show(shown);
        self.arrange();
        self.follow_selection(visible_rows);
        self.look_ahead(cx);
    }

    pub(super) fn failed(&mut self, failure: Failure, cx: &mut Context<'_>) {
        if failure.kind == FailureKind::Cancelled {
            self.schedule(cx.now);
            return cx.notices.toast("Cancelled; r asks again", cx.now);
        }
        self.failures = self.failures.saturating_add(1);
        let pause = self.refresh.unwrap_or(PER_FAILURE).saturating_mul(2u32.saturating_pow(self.failures.min(6) - 1));
        let wait = match &failure.kind {
            FailureKind::Status { retry_after: Some(wait), .. } => pause.max(*wait),
            _ => pause,
        };
        let retry_at = (!self.paused).then(|| cx.now.mono + wait.min(LONGEST_PAUSE));
        if self.failures == 1 {
            cx.notices.problem(format!("Conversations: {}. r tries again.", explain(&failure)), cx.now);
        }
        self.next_poll = retry_at;
        self.health = Health::Failing { failure, retry_at };
    }

    pub(super) fn schedule(&mut self, now: Moment) {
        self.next_poll = self.refresh.filter(|_| !self.paused).map(|every| now.mono + every);
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
            (Page::Cursor(page), Turn::Next) => page.next_cursor.clone().map(PageRef::Cursor),
            (Page::Cursor(page), Turn::Previous) => page.prev_cursor.clone().map(PageRef::Cursor),
            (Page::Cursor(page), Turn::First) => page.prev_cursor.is_some().then_some(PageRef::Number(1)),
            (Page::Cursor(_), Turn::Last) => None,
        }
    }

    // Time.

    /// Does what is due. Unseen, the list is asked for only every sixth time.
    pub fn tick(&mut self, seen: bool, connected: bool, cx: &mut Context<'_>) {
        if !connected || self.next_poll.is_none_or(|at| at > cx.now.mono) {
            return;
        }
        if seen {
            self.ask(Purpose::Show, self.query.clone(), cx);
        } else {
            self.next_poll = Some(cx.now.mono + self.refresh.unwrap_or(PER_FAILURE) * 6);
            self.ask(Purpose::Show, self.query.clone(), cx);
        }
    }

    /// When something on screen changes by itself, or something is due; `None` for never.
    pub fn next_change(&self, now: Moment, height: usize) -> Option<Duration> {
        let ages = self.visible.iter().skip(self.cursor.offset).take(height).filter_map(|visible| {
            let updated = self.rows().get(visible.row)?.updated_at.known()?;
            Some(now.mono + Age::changes_in(updated.0, now.wall))
        });
        let marks = self.fresh.values().flat_map(|since| FRESH.map(|span| *since + span)).filter(|at| *at > now.mono);
        let loading = self.loading_since().map(|since| since + PATIENCE).filter(|at| *at > now.mono);
        ages.chain(marks).chain(loading).min()
    }

    /// True where an answer of that moment should long have been followed by another.
    pub(super) fn is_old(&self, at: Moment, now: Moment) -> bool {
        self.refresh
            .is_some_and(|every| now.mono.saturating_sub(at.mono) > every.saturating_mul(3).max(PER_FAILURE * 3))
    }

    /// When the words about the connection change by themselves.
    pub fn next_health_change(&self, now: Moment) -> Option<Duration> {
        match &self.health {
            Health::Waiting => None,
            Health::Live(at) => Some(now.mono + Age::changes_in(at.wall, now.wall)),
            Health::Failing { retry_at, .. } => {
                let left = retry_at.and_then(|at| at.checked_sub(now.mono)).filter(|left| !left.is_zero())?;
                let into_second = Duration::from_nanos(u64::from(left.subsec_nanos()));
                Some(now.mono + if into_second.is_zero() { Duration::from_secs(1) } else { into_second })
            }
        }
    }

    /// When the list is due to be asked for.
    pub fn next_poll(&self) -> Option<Duration> {
        self.next_poll
    }

    /// True while the question on screen is on its way.
    pub(super) fn is_asking(&self) -> bool {
        self.asked.iter().any(|asked| asked.query == self.query && asked.purpose == Purpose::Show)
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
