//! Loaded pages: the one on screen, and a few others, so that turning to them is instant.

use super::days;
use super::filter::Here;
use super::format;
use super::narrow::Narrow;
use super::rows::Row;
use crate::api::{Conversation, ConversationQuery, Page, PageRef};
use crate::ui::action::Turn;
use crate::ui::message::Moment;
use crate::ui::widgets::browser::Source;
use jiff::Timestamp;
use std::time::Duration;

/// How many pages besides the shown one are kept.
const KEPT: usize = 4;
/// After this a prefetched page is fetched again.
const STALE: Duration = Duration::from_secs(30);

/// A page with its query.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedPage {
    /// The query that it answers.
    pub query: ConversationQuery,
    /// Its envelope, without the rows.
    pub page: Page<Conversation>,
    /// Its rows, in the server's order.
    pub rows: Vec<Row>,
    /// When it was loaded.
    pub at: Moment,
}

impl LoadedPage {
    /// The reply to this query.
    pub fn new(query: ConversationQuery, mut page: Page<Conversation>, at: Moment) -> Self {
        let rows = match &mut page {
            Page::Numbered(page) => std::mem::take(&mut page.data),
            Page::Cursor(page) => std::mem::take(&mut page.data),
        };
        Self { query, page, rows: rows.into_iter().map(Row::from).collect(), at }
    }

    /// Its number and that of the last page; `None` where the server pages by cursor.
    pub fn numbers(&self) -> Option<(u64, u64)> {
        match &self.page {
            Page::Numbered(page) => Some((page.current_page, page.last_page.max(1))),
            Page::Cursor(_) => None,
        }
    }

    /// Where a turn leads while the page `wanted` is shown or loading: the next key counts from the latter.
    pub fn target(&self, turn: Turn, wanted: &PageRef) -> Option<PageRef> {
        let (page, turn) = match (&self.page, turn) {
            (Page::Numbered(page), turn) => (page, turn),
            (Page::Cursor(_), Turn::Next) => return self.page.next(),
            (Page::Cursor(page), Turn::Previous) => return page.prev_cursor.clone().map(PageRef::Cursor),
            (Page::Cursor(page), Turn::First) => return page.prev_cursor.is_some().then_some(PageRef::Number(1)),
            (Page::Cursor(_), Turn::Last) => return None,
        };
        let last = page.last_page.max(1);
        let current = if let PageRef::Number(number) = wanted { *number } else { page.current_page };
        let number = match turn {
            Turn::Next => current.saturating_add(1),
            Turn::Previous => current.saturating_sub(1),
            Turn::First => 1,
            Turn::Last => last,
        };
        ((1..=last).contains(&number) && number != current).then_some(PageRef::Number(number))
    }
}

/// The page on screen and those kept beside it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pages {
    shown: Option<LoadedPage>,
    /// The latest last.
    kept: Vec<LoadedPage>,
    /// What the server does not filter by.
    pub here: Here,
    /// What is typed to narrow the rows.
    pub narrow: Narrow,
    /// The time by which ages are narrowed.
    pub now: Timestamp,
}

impl Source for Pages {
    type Row = Row;

    fn rows(&self) -> &[Row] {
        self.shown.as_ref().map_or(&[], |shown| &shown.rows)
    }

    fn narrow(&mut self, typed: &str) -> Option<String> {
        self.narrow = Narrow::parse(typed);
        for row in self.shown.iter_mut().flat_map(|shown| &mut shown.rows) {
            row.listed = passes(&self.here, row) && self.narrow.passes(&row.data, row.flags, self.now);
        }
        Some(self.narrow.text.clone())
    }
}

/// True where a row passes what the server does not filter by; unknown values pass.
fn passes(here: &Here, row: &Row) -> bool {
    let begun = row.data.created_at.known().is_none_or(|time| days::holds(here.span, time.0));
    let assistant = here.assistant.as_ref().zip(row.data.assistant_id.known());
    begun && assistant.is_none_or(|(wanted, is)| wanted == is)
}

impl Pages {
    /// The page on screen. While another is loading this is still the old one.
    pub fn shown(&self) -> Option<&LoadedPage> {
        self.shown.as_ref()
    }

    /// How many rows of the page on screen lie outside the filter as people mean it.
    pub fn outside(&self) -> usize {
        self.rows().iter().filter(|row| !passes(&self.here, row)).count()
    }

    /// The rows on screen, to be flagged.
    pub fn rows_mut(&mut self) -> &mut [Row] {
        self.shown.as_mut().map_or(&mut [], |shown| &mut shown.rows)
    }

    /// Puts a page on screen, with marks at the rows that have changed, and keeps the one that was there if it answers
    /// another query.
    pub fn show(&mut self, mut page: LoadedPage) {
        self.kept.retain(|kept| kept.query != page.query);
        match self.shown.take() {
            Some(before) if before.query == page.query => page.rows.iter_mut().for_each(|row| {
                row.mark(&before.rows, page.at.mono);
            }),
            Some(before) if before.query.filter == page.query.filter => self.keep(before),
            _ => {}
        }
        let mut senders: Vec<_> = page.rows.iter().map(|row| format::sender(&row.data)).collect();
        senders.retain(|sender| !sender.is_empty());
        let several = senders.windows(2).any(|pair| pair[0] != pair[1]);
        page.rows.iter_mut().for_each(|row| row.of_several = several);
        self.shown = Some(page);
    }

    /// Keeps a page for later.
    pub fn keep(&mut self, page: LoadedPage) {
        self.kept.retain(|kept| kept.query != page.query);
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push(page);
    }

    /// Puts the page with this query on screen; false where it was not kept.
    pub fn turn_to(&mut self, query: &ConversationQuery) -> bool {
        let at = self.kept.iter().position(|kept| kept.query == *query);
        let page = at.map(|at| self.kept.remove(at));
        page.map(|page| self.show(page)).is_some()
    }

    /// True where the page with this query is kept and not stale.
    pub fn has_fresh(&self, query: &ConversationQuery, now: Moment) -> bool {
        self.kept.iter().any(|kept| kept.query == *query && kept.at.mono + STALE > now.mono)
    }

    /// The rows of all loaded pages, those of the shown one first.
    pub fn loaded(&self) -> impl Iterator<Item = &Row> {
        self.shown.iter().chain(self.kept.iter().rev()).flat_map(|page| &page.rows)
    }

    /// The query of the loaded page that has this conversation.
    pub fn page_of(&self, id: &str) -> Option<&ConversationQuery> {
        let has = |page: &&LoadedPage| page.rows.iter().any(|row| row.data.id.known().is_some_and(|known| known == id));
        self.shown.iter().chain(self.kept.iter().rev()).find(has).map(|page| &page.query)
    }

    /// Drops the kept pages, whose filter or size no longer holds. The shown page stays until the next.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}
