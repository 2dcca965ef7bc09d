//! The list of conversations: paged, filtered, narrowed, polled.

mod areas;
mod draw;
mod filter;
mod format;
mod keys;
mod pages;
mod requests;
mod rows;

pub use keys::{INSPECTOR, LIST};

use crate::api::{Conversation, ConversationFilter, ConversationQuery, Field, PageRef, rules};
use crate::client::Failure;
use crate::ui::action::{Motion, Turn};
use crate::ui::layout;
use crate::ui::polling::Polling;
use crate::ui::prelude::*;
use crate::ui::route::{Customer, Route};
use crate::ui::widgets::form::TextField;
use crate::ui::widgets::list::{Click, ListState};
use crate::ui::widgets::state::PATIENCE;
use crate::ui::widgets::{json, table};
use filter::{FILTER, PAGE};
use pages::{LoadedPage, Pages};
use requests::{PendingRequest, Purpose};
use rows::COLUMNS;

/// The name of the pane.
pub const ID: PaneId = PaneId("conversations");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Conversations",
    digit: '1',
    bindings: keys::BINDINGS,
    new: |options, body| {
        let rows = u32::try_from(areas::height(body)).unwrap_or(rules::PER_PAGE_MAX);
        let per_page = options.settings.rows_per_page.unwrap_or(rows).clamp(rules::PER_PAGE_MIN, rules::PER_PAGE_MAX);
        Box::new(Conversations::new(per_page, options.settings.refresh_interval))
    },
};
/// Where the keys of the list come from, the narrowest first.
const SCOPES: &[Scope] = &[LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// Rows per page that `+` and `-` step through.
const PER_PAGE_STEPS: [u32; 5] = [10, 15, 25, 50, 100];

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
    /// What is wanted; another page than the one on screen may be loading.
    query: ConversationQuery,
    pages: Pages,
    pending: Vec<PendingRequest>,
    /// Why the last request failed; `None` after a success.
    failure: Option<Failure>,
    polling: Polling,
    list: ListState<String>,
    focus: Focus,
    /// True where the inspector shows JSON.
    raw: bool,
    inspector_offset: usize,
    /// What a filter form that was left held.
    filter_draft: Option<Vec<(String, String)>>,
}

impl Conversations {
    /// A pane that has requested nothing yet; polls so often, `None` for manual refresh only.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        Self {
            query: ConversationQuery { per_page, ..ConversationQuery::default() },
            pages: Pages::default(),
            pending: Vec::new(),
            failure: None,
            polling: Polling::new(refresh),
            list: ListState::default(),
            focus: Focus::List,
            raw: false,
            inspector_offset: 0,
            filter_draft: None,
        }
    }

    fn is_inspecting(&self) -> bool {
        self.focus == Focus::Inspector
    }

    fn selected(&self) -> Option<&Conversation> {
        self.list.selected(self.pages.rows()).map(|row| &row.data)
    }

    /// The inspector at this width; `None` where nothing is selected.
    fn details(&self, view: &View<'_>, columns: u16) -> Option<Details> {
        let rows = self.pages.rows();
        self.selected().map(|row| rows::details(row, rows, self.raw, view, columns.into()))
    }

    fn step(&mut self, motion: Motion, inspector: bool, cx: &Context<'_>) {
        if inspector {
            let text = layout::inspector_text(areas::of(cx.body, true).inspector, cx.body);
            if let Some(details) = self.details(&cx.view(), text.width) {
                self.inspector_offset = details.scroll(self.inspector_offset, motion, &cx.options, text);
            }
        } else if self.list.step(motion, areas::height(cx.body)) {
            self.inspector_offset = 0;
        }
    }

    fn widen(&mut self, cx: &Context<'_>) {
        self.list.narrow = TextField::default();
        self.arrange(cx);
    }

    /// Goes to the form for the customer of the selected conversation, or watches their window; or says why not.
    fn go(&self, route: fn(Customer) -> Route, cx: &mut Context<'_>) {
        match self.selected().map(Customer::of) {
            Some(Ok(customer)) => cx.go(route(customer)),
            Some(Err(reason)) => cx.toast(format!("Not now: {reason}")),
            None => {}
        }
    }

    fn change_per_page(&mut self, more: bool, cx: &mut Context<'_>) {
        let current = self.query.per_page;
        let step = if more {
            PER_PAGE_STEPS.iter().find(|step| **step > current)
        } else {
            PER_PAGE_STEPS.iter().rev().find(|step| **step < current)
        };
        match step.copied() {
            Some(per_page) => {
                self.turn_to(ConversationQuery { per_page, page: PageRef::Number(1), ..self.query.clone() }, cx);
                cx.toast(format!("{per_page} rows per page"));
            }
            None => cx.toast(format!("{current} rows per page is the limit")),
        }
    }

    fn open_filter(&mut self, cx: &mut Context<'_>) {
        if cx.data.assistants.failure().is_some() {
            cx.data.fetch(Item::Assistants, &mut cx.tasks, cx.now);
        } else {
            cx.data.want(Item::Assistants, &mut cx.tasks, cx.now);
        }
        let mut form = Form::new(filter::fields(&self.query.filter, &cx.data)).quick();
        for (path, value) in self.filter_draft.iter().flatten() {
            form.set(path, value);
        }
        filter::check(&mut form, &cx.data);
        let dialog = FormDialog::new("Filter conversations", "apply", form);
        cx.open(FILTER, Overlay::Form(Box::new(dialog)));
    }

    fn open_page(&self, cx: &mut Context<'_>) {
        if let Some(numbers) = self.pages.shown().and_then(LoadedPage::numbers) {
            let dialog = FormDialog::new("Go to page", "go", Form::new(filter::page_fields(numbers)));
            cx.open(PAGE, Overlay::Form(Box::new(dialog)));
        }
    }

    fn submit_filter(&mut self, cx: &mut Context<'_>) {
        let Some(form) = cx.overlays.form(FILTER) else { return };
        match filter::read(form, &cx.data) {
            Ok(filter) => {
                cx.overlays.close(FILTER);
                self.set_filter(filter, cx);
            }
            Err(faults) => drop(form.set_refused(faults)),
        }
    }

    fn submit_page(&mut self, cx: &mut Context<'_>) {
        let last = self.pages.shown().and_then(LoadedPage::numbers).map_or(1, |(_, last)| last);
        let Some(form) = cx.overlays.form(PAGE) else { return };
        match filter::read_page(form, last) {
            Ok(number) => {
                cx.overlays.close(PAGE);
                let page = PageRef::Number(number);
                if self.query.page != page {
                    self.turn_to(ConversationQuery { page, ..self.query.clone() }, cx);
                }
            }
            Err(fault) => drop(form.set_refused(vec![fault])),
        }
    }
}

impl Pane for Conversations {
    fn scopes(&self) -> &'static [Scope] {
        match self.focus {
            Focus::List => SCOPES,
            Focus::Inspector => &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Focus::Narrow => &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE],
        }
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        let shown = self.pages.shown();
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
            Action::TogglePause if self.polling.is_off() => Some("automatic refresh is off in the settings"),
            Action::ClearFilters if self.query.filter == ConversationFilter::default() => Some("no filter is set"),
            Action::SortDirection if self.list.sort().is_none() => Some("the rows are in the server's order"),
            Action::Open | Action::Copy | Action::CopyAll | Action::ToggleRaw | Action::Send | Action::Watch
                if self.selected().is_none() =>
            {
                Some("no conversation is selected")
            }
            _ => None,
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        (action == Action::TogglePause && self.polling.is_paused()).then_some("resume")
    }

    fn takes_text(&self) -> bool {
        self.focus == Focus::Narrow
    }

    fn start(&mut self, cx: &mut Context<'_>) {
        self.request(Purpose::Manual, self.query.clone(), cx);
    }

    fn show(&mut self, shown: bool, cx: &mut Context<'_>) {
        self.polling.see(shown, cx.now.mono);
    }

    fn route(&mut self, route: Route, cx: &mut Context<'_>) {
        if let Route::Conversations(filter) = route {
            self.set_filter(filter, cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Move(motion) => self.step(motion, self.is_inspecting(), cx),
            Action::Submit => self.focus = Focus::List,
            Action::Text(edit) => {
                self.list.narrow.act(edit);
                self.arrange(cx);
            }
            Action::Open => (self.focus, self.inspector_offset) = (Focus::Inspector, 0),
            Action::NextPart | Action::Back if self.is_inspecting() => self.focus = Focus::List,
            Action::NextPart if self.selected().is_some() => self.focus = Focus::Inspector,
            Action::Back => {
                self.focus = Focus::List;
                self.widen(cx);
            }
            Action::Narrow => self.focus = Focus::Narrow,
            Action::Filter => self.open_filter(cx),
            Action::ClearFilters => self.set_filter(ConversationFilter::default(), cx),
            Action::JumpToPage => self.open_page(cx),
            Action::Turn(turn) => {
                if let Some(page) = self.target(turn) {
                    self.turn_to(ConversationQuery { page, ..self.query.clone() }, cx);
                }
            }
            Action::MoreRows | Action::FewerRows => self.change_per_page(action == Action::MoreRows, cx),
            Action::Refresh => self.request(Purpose::Manual, self.query.clone(), cx),
            Action::TogglePause => {
                self.polling.toggle(cx.now.mono);
                cx.toast(if self.polling.is_paused() {
                    "Automatic refresh paused"
                } else {
                    "Automatic refresh resumed"
                });
            }
            Action::SortColumn => {
                table::sort_next(COLUMNS, &mut self.list);
                self.arrange(cx);
                cx.toast(match self.list.sort() {
                    Some(sort) => format!("This page is sorted by {}", COLUMNS[sort.column].title.to_lowercase()),
                    None => "The rows are in the server's order".to_owned(),
                });
            }
            Action::SortDirection => {
                self.list.reverse_sort();
                self.arrange(cx);
            }
            Action::ToggleRaw => (self.raw, self.inspector_offset, self.focus) = (!self.raw, 0, Focus::Inspector),
            Action::Copy => {
                if let Some(Field::Known(id)) = self.selected().map(|row| &row.id) {
                    cx.copy("Id", id.clone());
                }
            }
            Action::CopyAll => {
                if let Some(json) = self.selected().and_then(|row| row.json().ok()) {
                    cx.copy("JSON", json::pretty(&json));
                }
            }
            Action::Send => self.go(Route::WriteTo, cx),
            Action::Watch => self.go(Route::Watch, cx),
            _ => {}
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        self.list.narrow.text(input);
        self.arrange(cx);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        let areas = areas::of(cx.body, self.is_inspecting());
        let at = Position { x: mouse.x, y: mouse.y };
        let in_inspector = areas.inspector.contains(at);
        match mouse.kind {
            MouseKind::WheelUp => self.step(Motion::Up, in_inspector, cx),
            MouseKind::WheelDown => self.step(Motion::Down, in_inspector, cx),
            MouseKind::Press if in_inspector => {
                return self.selected().is_some().then_some(Action::NextPart).filter(|_| !self.is_inspecting());
            }
            MouseKind::Press if areas.list.contains(at) => {
                let view = cx.view();
                if let Some(column) = table::header_at(COLUMNS, self.pages.rows(), &self.list, &view, areas.list, at) {
                    table::sort_by(COLUMNS, &mut self.list, column);
                    self.arrange(cx);
                } else if let Some(row) = at.y.checked_sub(areas.list.y + 1) {
                    let click = self.list.click(row.into(), areas::height(cx.body));
                    let opens = click == Click::Again && !self.is_inspecting();
                    self.focus = if opens { Focus::Inspector } else { Focus::List };
                    if click == Click::Selected {
                        self.inspector_offset = 0;
                    }
                }
            }
            MouseKind::Press => {}
        }
        None
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        match event {
            OverlayEvent::Submitted(FILTER) => self.submit_filter(cx),
            OverlayEvent::Submitted(PAGE) => self.submit_page(cx),
            OverlayEvent::Changed(FILTER) => {
                if let Some(form) = cx.overlays.form(FILTER) {
                    filter::check(form, &cx.data);
                }
            }
            OverlayEvent::Cancelled(FILTER) => {
                let form = cx.overlays.form(FILTER).filter(|form| form.is_dirty());
                self.filter_draft = form.map(|form| form.values());
            }
            _ => {}
        }
    }

    fn data_changed(&mut self, cx: &mut Context<'_>) {
        if let Some(form) = cx.overlays.form(FILTER) {
            filter::check(form, &cx.data);
        }
    }

    fn reply(&mut self, report: Report, cx: &mut Context<'_>) {
        self.take(report, cx);
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.arrange(cx);
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if cx.is_connected() && self.polling.is_due(cx.now.mono) {
            self.request(Purpose::Poll, self.query.clone(), cx);
        }
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        let poll = self.polling.next().filter(|_| view.unconnected().is_none());
        let seen = || {
            let rows = self.list.in_view(areas::height(view.body));
            let rows = rows.filter_map(|(_, shown)| self.pages.rows().get(shown.row)?.changes(view));
            let loading = self.loading_since().map(|since| since + PATIENCE);
            rows.chain(loading.filter(|at| *at > view.now.mono)).min()
        };
        [poll, view.shown.then(seen).flatten()].into_iter().flatten().min()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        Some(Freshness {
            loaded: self.pages.shown().map(|shown| shown.at),
            interval: self.polling.interval(),
            paused: self.polling.is_paused(),
            pending: self.is_requesting(),
            failure: self.failure.as_ref(),
            next: self.polling.next(),
        })
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
