//! Lists that come page by page: the page on screen, and a few others, so that turning to them is instant.

use super::days::{self, Days};
use super::filter::{self, Here};
use super::narrow::{Flags, Narrow};
use crate::api::{Page, PageRef};
use crate::ui::action::Turn;
use crate::ui::ages::Age;
use crate::ui::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::borrow::Cow;
use std::fmt::Debug;

/// How many pages besides the shown one are kept.
const KEPT: usize = 4;
/// After this a prefetched page is fetched again.
const STALE: Duration = Duration::from_secs(30);
/// How long a changed row is marked brightly, and how long at all.
const MARKED: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(6)];

/// Which page of which list.
#[derive(Debug, Clone, PartialEq)]
pub struct Query<F> {
    /// Which rows.
    pub filter: F,
    /// Rows a page, 1 to 100.
    pub per_page: u32,
    /// Which page.
    pub page: PageRef,
}

/// A filter as it is typed.
pub trait Filtering: Clone + Debug + PartialEq + Default {
    /// What the server is asked for.
    type Filter;
    /// What the server is asked for at this time.
    fn filter(&self, now: Timestamp, zone: &TimeZone) -> Self::Filter;
    /// What is left to be filtered here.
    fn here(&self, now: Timestamp, zone: &TimeZone) -> Here;
    /// The days on which they began, as [`Days::parse`] reads them.
    fn days(&self) -> &str;

    /// The days; all of them where they cannot be read.
    fn parsed_days(&self, now: Timestamp, zone: &TimeZone) -> Days {
        Days::parse(self.days(), filter::today(now, zone)).unwrap_or_default()
    }
}

/// What a server lists page by page.
pub trait Listed: Clone + Debug + PartialEq + 'static {
    /// Which of them.
    type Filter: Clone + Debug + PartialEq + Default;
    /// The same as it is typed.
    type Wanted: Filtering<Filter = Self::Filter>;
    /// What one is called, and several.
    const NAMES: [&'static str; 2];
    /// The columns.
    const COLUMNS: &'static [Column<Row<Self>>];
    /// What can be typed to narrow the rows, where that is more than text.
    const NARROWS_BY: &'static str = "";
    /// True where not every server has such a list.
    const MAY_LACK: bool = false;

    /// The request of a page.
    fn request(query: Query<Self::Filter>) -> Request;
    /// Its reply.
    fn reply(reply: Reply) -> Option<Page<Self>>;
    /// Its id; empty where the server sent none.
    fn id(&self) -> String;
    /// True where both are the same one, perhaps at different times.
    fn is_same(&self, other: &Self) -> bool;
    /// The time whose age the list shows.
    fn time(&self) -> Option<Timestamp>;
    /// When it began.
    fn began(&self) -> Option<Timestamp>;
    /// Who talks for the user to whom: a sender or a number; empty where that is not known.
    fn sender(&self) -> Cow<'_, str>;
    /// What narrowing looks through.
    fn fields(row: &Row<Self>) -> Vec<Cow<'_, str>>;

    /// The UUID of its assistant.
    fn assistant_id(&self) -> Option<&String> {
        None
    }

    /// What is typed to narrow the rows.
    fn narrow(typed: &str) -> Narrow {
        Narrow::of_text(typed)
    }

    /// True where a row passes what is typed, its text excepted.
    fn passes(_row: &Row<Self>, _narrow: &Narrow, _now: Timestamp) -> bool {
        true
    }
}

/// A row of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<D> {
    /// What the server sent.
    pub data: D,
    /// When a poll last found it changed or new.
    changed: Option<Instant>,
    /// False where the filter or narrowing leaves it out.
    pub listed: bool,
    /// What a person or the settings say of it.
    pub flags: Flags,
    /// The customer's name, where another list tells it.
    pub name: Option<String>,
    /// True where the page has rows of several senders.
    pub of_several: bool,
}

impl<D> From<D> for Row<D> {
    fn from(data: D) -> Self {
        Self { data, changed: None, listed: true, flags: Flags::default(), name: None, of_several: false }
    }
}

impl<D: Listed> Row<D> {
    /// Marks it where it is not as it was among these rows.
    fn mark(&mut self, before: &[Self], now: Instant) {
        if self.data.id().is_empty() {
            return;
        }
        let same = before.iter().find(|row| row.data.is_same(&self.data));
        self.changed = same.filter(|same| same.data == self.data).map_or(Some(now), |same| same.changed);
    }

    /// The most important sign: an alert, a mark, a change.
    pub fn mark_cell(&self, view: &View<'_>) -> Cell<'_> {
        let Options { theme, glyphs, .. } = view.options;
        if self.flags.alert {
            return Cell::text(glyphs.alert).style(theme.warning);
        }
        if self.flags.marked {
            return Cell::text(glyphs.full).style(theme.strong);
        }
        match self.changed.map(|since| view.now.mono - since) {
            Some(age) if age < MARKED[0] => Cell::text("+").style(theme.fresh),
            Some(age) if age < MARKED[1] => Cell::text("+").style(theme.dim),
            _ => Cell::default(),
        }
    }

    /// True where it passes what the server does not filter by; unknown values pass.
    fn is_within(&self, here: &Here) -> bool {
        let begun = self.data.began().is_none_or(|time| days::holds(here.span, time));
        let assistant = here.assistant.as_ref().zip(self.data.assistant_id());
        begun && assistant.is_none_or(|(wanted, is)| wanted == is)
    }
}

impl<D: Listed> Record for Row<D> {
    /// Empty where the server sent none.
    type Id = String;
    const NAME: &'static str = D::NAMES[0];
    const COLUMNS: &'static [Column<Self>] = D::COLUMNS;

    fn id(&self) -> String {
        self.data.id()
    }

    fn is_listed(&self) -> bool {
        self.listed
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        D::fields(self)
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let now = view.now;
        let age = self.data.time().map(|time| now.mono + Age::changes_in(time, now.wall));
        let marks = self.changed.into_iter().flat_map(|since| MARKED.map(|span| since + span));
        marks.filter(|at| *at > now.mono).chain(age).min()
    }
}

/// A page with its query.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedPage<D: Listed> {
    /// The query that it answers.
    pub query: Query<D::Filter>,
    /// Its envelope, without the rows.
    pub page: Page<D>,
    /// Its rows, in the server's order.
    pub rows: Vec<Row<D>>,
    /// When it was loaded.
    pub at: Moment,
}

impl<D: Listed> LoadedPage<D> {
    /// The reply to this query.
    pub fn new(query: Query<D::Filter>, mut page: Page<D>, at: Moment) -> Self {
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
#[derive(Debug, Clone, PartialEq)]
pub struct Pages<D: Listed> {
    shown: Option<LoadedPage<D>>,
    /// The latest last.
    kept: Vec<LoadedPage<D>>,
    /// What the server does not filter by.
    pub here: Here,
    /// What is typed to narrow the rows.
    pub narrow: Narrow,
    /// The time by which ages are narrowed.
    pub now: Timestamp,
}

impl<D: Listed> Default for Pages<D> {
    fn default() -> Self {
        Self {
            shown: None,
            kept: Vec::new(),
            here: Here::default(),
            narrow: Narrow::default(),
            now: Timestamp::default(),
        }
    }
}

impl<D: Listed> Source for Pages<D> {
    type Row = Row<D>;

    fn rows(&self) -> &[Row<D>] {
        self.shown.as_ref().map_or(&[], |shown| &shown.rows)
    }

    fn narrow(&mut self, typed: &str) -> Option<String> {
        self.narrow = D::narrow(typed);
        for row in self.shown.iter_mut().flat_map(|shown| &mut shown.rows) {
            row.listed = row.is_within(&self.here) && D::passes(row, &self.narrow, self.now);
        }
        Some(self.narrow.text.clone())
    }
}

impl<D: Listed> Pages<D> {
    /// The page on screen. While another is loading this is still the old one.
    pub fn shown(&self) -> Option<&LoadedPage<D>> {
        self.shown.as_ref()
    }

    /// How many rows of the page on screen lie outside the filter as people mean it.
    pub fn outside(&self) -> usize {
        self.rows().iter().filter(|row| !row.is_within(&self.here)).count()
    }

    /// The rows on screen, to be flagged.
    pub fn rows_mut(&mut self) -> &mut [Row<D>] {
        self.shown.as_mut().map_or(&mut [], |shown| &mut shown.rows)
    }

    /// Puts a page on screen, with marks at the rows that have changed, and keeps the one that was there if it answers
    /// another query.
    pub fn show(&mut self, mut page: LoadedPage<D>) {
        self.kept.retain(|kept| kept.query != page.query);
        match self.shown.take() {
            Some(before) if before.query == page.query => page.rows.iter_mut().for_each(|row| {
                row.mark(&before.rows, page.at.mono);
            }),
            Some(before) if before.query.filter == page.query.filter => self.keep(before),
            _ => {}
        }
        let mut senders: Vec<_> = page.rows.iter().map(|row| row.data.sender()).collect();
        senders.retain(|sender| !sender.is_empty());
        let several = senders.windows(2).any(|pair| pair[0] != pair[1]);
        page.rows.iter_mut().for_each(|row| row.of_several = several);
        self.shown = Some(page);
    }

    /// Keeps a page for later.
    pub fn keep(&mut self, page: LoadedPage<D>) {
        self.kept.retain(|kept| kept.query != page.query);
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push(page);
    }

    /// Puts the page with this query on screen; false where it was not kept.
    pub fn turn_to(&mut self, query: &Query<D::Filter>) -> bool {
        let at = self.kept.iter().position(|kept| kept.query == *query);
        let page = at.map(|at| self.kept.remove(at));
        page.map(|page| self.show(page)).is_some()
    }

    /// True where the page with this query is kept and not stale.
    pub fn has_fresh(&self, query: &Query<D::Filter>, now: Moment) -> bool {
        self.kept.iter().any(|kept| kept.query == *query && kept.at.mono + STALE > now.mono)
    }

    /// The rows of all loaded pages, those of the shown one first.
    pub fn loaded(&self) -> impl Iterator<Item = &Row<D>> {
        self.shown.iter().chain(self.kept.iter().rev()).flat_map(|page| &page.rows)
    }

    /// The query of the loaded page that has the row with this id.
    pub fn page_of(&self, id: &str) -> Option<&Query<D::Filter>> {
        let has = |page: &&LoadedPage<D>| page.rows.iter().any(|row| row.data.id() == id);
        self.shown.iter().chain(self.kept.iter().rev()).find(has).map(|page| &page.query)
    }

    /// Drops the kept pages, whose filter or size no longer holds. The shown page stays until the next.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}
