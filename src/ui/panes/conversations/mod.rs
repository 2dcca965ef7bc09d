//! The list of conversations: paged, filtered, narrowed, refreshed.

mod draw;
mod filter;
mod inspector;
mod pages;
mod rows;
mod words;

pub use draw::{View, draw, health};
pub use filter::{FilterForm, Outcome};

use super::{Context, explain};
use crate::api::{Conversation, ConversationFilter, ConversationQuery, Field, OutboundAssistant, Page, PageRef};
use crate::client::{Failure, FailureKind};
use crate::tasks::{Answer, Origin, Report, TaskId, Work};
use crate::ui::Options;
use crate::ui::action::{Action, Motion, Turn};
use crate::ui::ages::Age;
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::{Effect, Moment};
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::{Cursor, scroll};
use jiff::tz::TimeZone;
use pages::{Pages, Shown};
use ratatui::layout::Rect;
use rows::{Sort, Visible};
use std::collections::HashMap;
use std::time::Duration;

/// The name under which this pane asks.
pub const NAME: &str = "conversations";
/// Rows a page that `+` and `-` step through.
const PER_PAGE_STEPS: [u32; 5] = [10, 15, 25, 50, 100];
/// How long a changed row is marked brightly, and how long at all.
const FRESH: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(6)];
/// After this a page that is loading says so; before, it would only flicker.
const PATIENCE: Duration = Duration::from_millis(150);
/// The longest pause between tries while the server is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Why a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To be shown.
    Show,
    /// To be there when the page is turned.
    Ahead,
}

/// A request under way.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    id: TaskId,
    query: ConversationQuery,
    purpose: Purpose,
    since: Duration,
}

/// What the connection looks like from here.
#[derive(Debug, Clone, PartialEq)]
pub enum Health {
    /// Nothing has come yet.
    Waiting,
    /// The last question was answered, at this moment.
    Live(Moment),
    /// The last question failed; the next try is due then.
    Failing {
        /// What came of the last question.
        failure: Failure,
        /// When it is asked again; `None` for only when told.
        retry_at: Option<Duration>,
    },
}

/// The part of the pane that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    List,
    /// The text that narrows the rows.
    Narrow,
    Inspector,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversations {
    query: ConversationQuery,
    /// Renewed whenever the question changes in more than its page.
    origin: Origin,
    pages: Pages,
    asked: Vec<Asked>,
    health: Health,
    failures: u32,
    refresh: Option<Duration>,
    paused: bool,
    next_poll: Option<Duration>,
    /// The rows in view order; kept, so that drawing never sorts.
    visible: Vec<Visible>,
    sort: Sort,
    narrow: TextInput,
    selected: Option<String>,
    cursor: Cursor,
    /// Rows that changed lately, and when.
    fresh: HashMap<String, Duration>,
    focus: Focus,
    /// True where the inspector shows what the server sent.
    raw: bool,
    inspector_scroll: usize,
    assistants: Vec<(i64, String)>,
    assistants_asked: Option<TaskId>,
}

impl Conversations {
    /// A pane that has asked nothing yet.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        Self {
            query: ConversationQuery { per_page, ..ConversationQuery::default() },
            origin: Origin::new(NAME),
            pages: Pages::default(),
            asked: Vec::new(),
            health: Health::Waiting,
            failures: 0,
            refresh,
            paused: refresh.is_none(),
            next_poll: None,
            visible: Vec::new(),
            sort: Sort::default(),
            narrow: TextInput::default(),
            selected: None,
            cursor: Cursor::default(),
            fresh: HashMap::new(),
            focus: Focus::List,
            raw: false,
            inspector_scroll: 0,
            assistants: Vec::new(),
            assistants_asked: None,
        }
    }

    /// Asks for the first page.
    pub fn start(&mut self, cx: &mut Context<'_>) {
        self.ask(Purpose::Show, self.query.clone(), cx);
    }

    // What others may know.

    /// True while the inspector has the focus.
    pub fn is_inspecting(&self) -> bool {
        self.focus == Focus::Inspector
    }

    /// True while keys are text.
    pub fn is_typing(&self) -> bool {
        self.focus == Focus::Narrow
    }

    /// True while lists are not asked for by themselves.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The filters in force.
    pub fn filter(&self) -> &ConversationFilter {
        &self.query.filter
    }

    /// The assistants that can be filtered by, as id and name.
    pub fn assistants(&self) -> &[(i64, String)] {
        &self.assistants
    }

    /// The number of the page on screen and of the last one; `None` where the server pages by cursor.
    pub fn page_numbers(&self) -> Option<(u64, u64)> {
        match self.pages.shown().map(|shown| &*shown.page)? {
            Page::Numbered(page) => Some((page.current_page, page.last_page.max(1))),
            Page::Cursor(_) => None,
        }
    }

    /// Why an action cannot be done now; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let by_cursor = matches!(self.pages.shown().map(|shown| &*shown.page), Some(Page::Cursor(_)));
        match action {
            Action::JumpToPage | Action::Turn(Turn::Last) if by_cursor => {
                Some("this server pages by cursor, without totals and jumps")
            }
            Action::JumpToPage | Action::Turn(_) if self.pages.shown().is_none() => Some("no page has come yet"),
            Action::Turn(turn) if self.target(turn).is_none() => Some(match turn {
                Turn::Next | Turn::Last => "this is the last page",
                Turn::Previous | Turn::First => "this is the first page",
            }),
            Action::TogglePause if self.refresh.is_none() => Some("the automatic refresh is off in the settings"),
            Action::ClearFilters if self.query.filter == ConversationFilter::default() => Some("no filter is set"),
            Action::Open | Action::Copy | Action::CopyAll | Action::ToggleRaw if self.selected_row().is_none() => {
                Some("no conversation is selected")
            }
            _ => None,
        }
    }

    fn rows(&self) -> &[Conversation] {
        self.pages.shown().map_or(&[], |shown| shown.page.rows())
    }

    fn selected_row(&self) -> Option<&Conversation> {
        self.visible.get(self.cursor.at).and_then(|visible| self.rows().get(visible.row))
    }

    // Asking and being answered.

    fn ask(&mut self, purpose: Purpose, query: ConversationQuery, cx: &mut Context<'_>) {
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
    fn question(&mut self, query: ConversationQuery, cx: &mut Context<'_>) {
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

    fn show(&mut self, shown: Shown, visible_rows: usize, cx: &mut Context<'_>) {
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

    fn failed(&mut self, failure: Failure, cx: &mut Context<'_>) {
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

    fn schedule(&mut self, now: Moment) {
        self.next_poll = self.refresh.filter(|_| !self.paused).map(|every| now.mono + every);
    }

    /// Fetches the next page before it is asked for, so that turning to it is instant.
    fn look_ahead(&mut self, cx: &mut Context<'_>) {
        let Some(page) = self.target(Turn::Next) else { return };
        let query = ConversationQuery { page, ..self.query.clone() };
        if !self.pages.has_fresh(&query, cx.now) {
            self.ask(Purpose::Ahead, query, cx);
        }
    }

    fn target(&self, turn: Turn) -> Option<PageRef> {
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
    fn is_old(&self, at: Moment, now: Moment) -> bool {
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
    fn is_asking(&self) -> bool {
        self.asked.iter().any(|asked| asked.query == self.query && asked.purpose == Purpose::Show)
    }

    /// Since when the page on screen is not the one that was asked for.
    fn loading_since(&self) -> Option<Duration> {
        if self.pages.shown().is_some_and(|shown| shown.query == self.query) {
            return None;
        }
        self.asked.iter().find(|asked| asked.query == self.query).map(|asked| asked.since)
    }

    // Rows.

    fn arrange(&mut self) {
        self.visible = rows::arrange(self.rows(), self.sort, self.narrow.value());
    }

    /// Keeps the selection on the same conversation, or at the same place where that one is gone.
    fn follow_selection(&mut self, height: usize) {
        let rows = self.pages.shown().map_or(&[][..], |shown| shown.page.rows());
        let same = self.selected.as_ref().and_then(|id| {
            self.visible.iter().position(|visible| rows.get(visible.row).and_then(|row| row.id.known()) == Some(id))
        });
        self.cursor.select(same.unwrap_or(self.cursor.at), self.visible.len(), height);
        self.remember_selection();
    }

    fn remember_selection(&mut self) {
        let id = self.selected_row().and_then(|row| row.id.known()).cloned();
        if id != self.selected {
            (self.selected, self.inspector_scroll) = (id, 0);
        }
    }

    fn rearrange(&mut self, height: usize) {
        self.arrange();
        self.follow_selection(height);
    }

    /// Selects the row that was clicked; a click on the selected one opens it.
    pub fn click(&mut self, row: usize, height: usize) {
        let at = self.cursor.offset + row;
        if at >= self.visible.len() {
            return;
        }
        let again = self.cursor.at == at && !self.is_inspecting();
        self.focus = if again { Focus::Inspector } else { Focus::List };
        self.cursor.select(at, self.visible.len(), height);
        self.remember_selection();
    }

    // Keys.

    /// A key while the narrowing text has them.
    pub fn type_narrow(&mut self, key: Key, height: usize) {
        match key.code {
            KeyCode::Enter => self.focus = Focus::List,
            KeyCode::Esc => {
                self.focus = Focus::List;
                self.narrow = TextInput::default();
            }
            KeyCode::Down => return self.step(Motion::Down, height),
            KeyCode::Up => return self.step(Motion::Up, height),
            _ => {
                self.narrow.key(key);
            }
        }
        self.rearrange(height);
    }

    /// A paste while the narrowing text has the keys.
    pub fn paste_narrow(&mut self, pasted: &str, height: usize) {
        self.narrow.paste(pasted);
        self.rearrange(height);
    }

    /// Moves the selection.
    pub fn step(&mut self, motion: Motion, height: usize) {
        self.cursor.step(motion, self.visible.len(), height);
        self.remember_selection();
    }

    /// Moves the text of the inspector.
    pub fn scroll_inspector(&mut self, motion: Motion, text: Rect, now: Moment, zone: &TimeZone, options: &Options) {
        let length = inspector::lines(self, now, zone, options, usize::from(text.width)).len();
        self.inspector_scroll = scroll(self.inspector_scroll, motion, length, usize::from(text.height));
    }

    /// Keeps the selection in view in another height.
    pub fn resized(&mut self, height: usize) {
        self.cursor.select(self.cursor.at, self.visible.len(), height);
    }

    /// Does what a key means; false where the pane has no use for it.
    pub fn act(&mut self, action: Action, height: usize, cx: &mut Context<'_>) -> bool {
        match action {
            Action::Open => (self.focus, self.inspector_scroll) = (Focus::Inspector, 0),
            Action::NextPart | Action::Back if self.is_inspecting() => self.focus = Focus::List,
            Action::NextPart if self.selected_row().is_some() => self.focus = Focus::Inspector,
            Action::Back if !self.narrow.value().is_empty() => {
                self.narrow = TextInput::default();
                self.rearrange(height);
            }
            Action::Refresh => self.ask(Purpose::Show, self.query.clone(), cx),
            Action::TogglePause => {
                self.paused = !self.paused;
                self.next_poll = (!self.paused).then_some(cx.now.mono);
            }
            Action::Turn(turn) => {
                if let Some(page) = self.target(turn) {
                    self.question(ConversationQuery { page, ..self.query.clone() }, cx);
                }
            }
            Action::MoreRows | Action::FewerRows => self.step_per_page(action == Action::MoreRows, cx),
            Action::ClearFilters => self.set_filter(ConversationFilter::default(), cx),
            Action::Narrow => self.focus = Focus::Narrow,
            Action::SortColumn => {
                self.sort = Sort { by: self.sort.by.next(), descending: true };
                self.rearrange(height);
                cx.notices.toast(format!("This page is sorted by {}", self.sort.by.spoken()), cx.now);
            }
            Action::SortDirection => {
                self.sort.descending = !self.sort.descending;
                self.rearrange(height);
            }
            Action::ToggleRaw => {
                (self.raw, self.inspector_scroll, self.focus) = (!self.raw, 0, Focus::Inspector);
            }
            Action::Copy => {
                if let Some(Field::Known(id)) = self.selected_row().map(|row| &row.id) {
                    cx.effects.push(Effect::Copy(id.clone()));
                    cx.notices.toast("The id was handed to the terminal's clipboard", cx.now);
                }
            }
            Action::CopyAll => {
                if let Some(json) = self.selected_row().and_then(|row| serde_json::to_string_pretty(row).ok()) {
                    cx.effects.push(Effect::Copy(json));
                    cx.notices.toast("The JSON was handed to the terminal's clipboard", cx.now);
                }
            }
            _ => return false,
        }
        true
    }

    fn step_per_page(&mut self, more: bool, cx: &mut Context<'_>) {
        let current = self.query.per_page;
        let step = if more {
            PER_PAGE_STEPS.iter().find(|step| **step > current)
        } else {
            PER_PAGE_STEPS.iter().rev().find(|step| **step < current)
        };
        let Some(per_page) = step.copied() else {
            return cx.notices.toast(format!("{current} rows a page is the limit"), cx.now);
        };
        self.question(ConversationQuery { per_page, page: PageRef::Number(1), ..self.query.clone() }, cx);
    }

    /// Lists only what passes this filter, from its first page on.
    pub fn set_filter(&mut self, filter: ConversationFilter, cx: &mut Context<'_>) {
        if filter != self.query.filter {
            self.question(ConversationQuery { filter, page: PageRef::Number(1), ..self.query.clone() }, cx);
        }
    }

    /// Goes to a page by its number.
    pub fn jump(&mut self, number: u64, cx: &mut Context<'_>) {
        if self.query.page != PageRef::Number(number) {
            self.question(ConversationQuery { page: PageRef::Number(number), ..self.query.clone() }, cx);
        }
    }

    /// Asks which assistants there are, where that is not known yet.
    pub fn want_assistants(&mut self, cx: &mut Context<'_>) {
        if self.assistants_asked.is_none() {
            self.assistants_asked = Some(cx.run(self.origin, Work::OutboundAssistants));
        }
    }
}

/// The pause after a failure where nothing is refreshed by itself.
const PER_FAILURE: Duration = Duration::from_secs(5);

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
