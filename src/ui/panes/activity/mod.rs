//! The log of requests: what is in flight, what became of each, how long it took, and a way to repeat one by hand.

mod areas;
mod draw;
mod entry;
mod keys;

pub use keys::LIST;

use super::explain;
use crate::client::FailureKind;
use crate::tasks::{Event, TaskId};
use crate::ui::action::Motion;
use crate::ui::message::Moment;
use crate::ui::prelude::*;
use crate::ui::widgets::form::TextField;
use crate::ui::widgets::list::{Click, Follow, ListState};
use crate::ui::widgets::table;
use areas::ActivityAreas;
use entry::{COLUMNS, Entry, Outcome};

/// The name of the pane.
pub const ID: PaneId = PaneId("activity");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Activity",
    digit: '8',
    bindings: keys::BINDINGS,
    new: |_, _| Box::new(Activity::default()),
};
/// Where the keys of this pane come from, the narrowest first.
const SCOPES: &[Scope] = &[LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// How many requests are kept, and how many answers.
const KEPT: usize = 500;
const ANSWERS: usize = 50;
/// How often the spinner of a running request turns.
const SPIN: Duration = Duration::from_millis(200);

/// What has the keys, and whether the details are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Focus {
    #[default]
    List,
    /// The text that narrows the list.
    Narrow,
    /// The list, with the details below it.
    Open,
    /// The details, scrolled down by so many lines.
    Details(usize),
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// The newest first.
    entries: Vec<Entry>,
    list: ListState<TaskId>,
    focus: Focus,
    only_failures: bool,
    with_automatic: bool,
    base_url: String,
}

impl Default for Activity {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            list: ListState::new(Follow::Top),
            focus: Focus::List,
            only_failures: false,
            with_automatic: false,
            base_url: String::new(),
        }
    }
}

impl Activity {
    /// Records an event of the task channel.
    fn record(&mut self, event: &Event, now: Moment) {
        match event {
            Event::Started { id, automatic, operation } => {
                self.entries.truncate(KEPT - 1);
                let entry = Entry {
                    id: *id,
                    automatic: *automatic && operation.is_read(),
                    operation: operation.clone(),
                    sent: now.wall,
                    attempts: Vec::new(),
                    outcome: Outcome::Running,
                };
                self.entries.insert(0, entry);
            }
            Event::Tried { id, attempt } => {
                if let Some(entry) = self.entry(*id) {
                    entry.attempts.push(attempt.clone());
                }
                let attempts = self.entries.iter_mut().flat_map(|entry| entry.attempts.iter_mut().rev());
                attempts.filter(|attempt| attempt.received.is_some()).skip(ANSWERS).for_each(|old| old.received = None);
            }
            Event::Done(report) => {
                if let Some(entry) = self.entry(report.id) {
                    entry.outcome = match &report.result {
                        Ok(_) => Outcome::Done,
                        Err(failure) if failure.kind == FailureKind::Cancelled => Outcome::Cancelled,
                        Err(failure) => Outcome::Failed(explain(failure)),
                    };
                }
            }
            Event::Connected { base_url, .. } => base_url.trim_end_matches('/').clone_into(&mut self.base_url),
            Event::NotConnected { .. } => {}
        }
    }

    fn entry(&mut self, id: TaskId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }

    /// Failures are never hidden for being automatic.
    fn is_listed(&self, entry: &Entry) -> bool {
        if self.only_failures {
            entry.is_failure()
        } else {
            self.with_automatic || !entry.automatic || entry.is_failure()
        }
    }

    /// How many requests are hidden as automatic.
    fn hidden(&self) -> usize {
        if self.only_failures { 0 } else { self.entries.iter().filter(|entry| !self.is_listed(entry)).count() }
    }

    fn listed(&self) -> impl Iterator<Item = &Entry> {
        self.list.order().iter().filter_map(|shown| self.entries.get(shown.row))
    }

    fn selected(&self) -> Option<&Entry> {
        self.list.selected(&self.entries)
    }

    /// True while details are shown.
    fn is_open(&self) -> bool {
        matches!(self.focus, Focus::Open | Focus::Details(_)) && self.selected().is_some()
    }

    fn areas(&self, body: Rect) -> ActivityAreas {
        areas::of(body, self.is_open())
    }

    fn height(&self, body: Rect) -> usize {
        table::height(self.areas(body).list)
    }

    /// Works out what is listed, after anything that decides it has changed.
    fn arrange(&mut self, cx: &Context<'_>) {
        let height = self.height(cx.body);
        let mut list = std::mem::take(&mut self.list);
        // What is in view is measured as it is drawn; only the newest is news.
        table::learn(COLUMNS, &self.entries[..self.entries.len().min(1)], &mut list, &cx.view());
        let keep = |entry: &Entry| self.is_listed(entry);
        list.refresh_where(&self.entries, keep, |entry| entry.id, Entry::fields, table::compare(COLUMNS), height);
        self.list = list;
    }

    /// Details belong to one request: it stays selected while others come.
    fn show(&mut self, focus: Focus, cx: &Context<'_>) {
        if self.selected().is_some() {
            self.focus = focus;
            self.list.hold();
            self.arrange(cx);
        }
    }

    fn step(&mut self, motion: Motion, details: bool, cx: &Context<'_>) {
        let Some(entry) = self.selected().filter(|_| details) else {
            self.list.step(motion, self.height(cx.body));
            return;
        };
        let text = areas::details_text(self.areas(cx.body).details);
        let at = if let Focus::Details(at) = self.focus { at } else { 0 };
        let details = entry.details(&self.base_url, &cx.view(), text.width.into());
        self.focus = Focus::Details(details.scroll(at, motion, &cx.options, text));
    }
}

impl Pane for Activity {
    fn scopes(&self) -> &'static [Scope] {
        if self.focus == Focus::Narrow { &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE] } else { SCOPES }
    }

    fn takes_text(&self) -> bool {
        self.focus == Focus::Narrow
    }

    fn show(&mut self, _shown: bool, cx: &mut Context<'_>) {
        self.arrange(cx);
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::OnlyProblems if self.only_failures => Some("all"),
            Action::ToggleAutomatic if self.with_automatic => Some("hide automatic"),
            _ => None,
        }
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        match (action, self.selected()) {
            (Action::Open | Action::Copy | Action::CancelRequest | Action::NextPart, None) => {
                Some("no request is selected")
            }
            (Action::CancelRequest, Some(entry)) if entry.outcome != Outcome::Running => Some("this request has ended"),
            (Action::ToggleAutomatic, _) if self.only_failures => Some("failures are listed whoever caused them"),
            _ => None,
        }
    }

    fn hear(&mut self, event: &Event, cx: &mut Context<'_>) {
        self.record(event, cx.now);
        if cx.shown {
            self.arrange(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Move(motion) => self.step(motion, matches!(self.focus, Focus::Details(_)), cx),
            Action::NextPart | Action::Back if matches!(self.focus, Focus::Details(_)) => self.focus = Focus::Open,
            Action::Open | Action::Back if self.is_open() => self.focus = Focus::List,
            Action::Open => self.show(Focus::Open, cx),
            Action::NextPart => self.show(Focus::Details(0), cx),
            Action::Narrow => self.focus = Focus::Narrow,
            Action::Submit => self.focus = Focus::List,
            Action::Back => {
                (self.focus, self.list.narrow) = (Focus::List, TextField::default());
                self.arrange(cx);
            }
            Action::Text(edit) => {
                self.list.narrow.act(edit);
                self.arrange(cx);
            }
            Action::OnlyProblems => {
                self.only_failures = !self.only_failures;
                self.arrange(cx);
            }
            Action::ToggleAutomatic => {
                self.with_automatic = !self.with_automatic;
                self.arrange(cx);
            }
            Action::CancelRequest => {
                if let Some(id) = self.selected().map(|entry| entry.id) {
                    cx.cancel(id);
                }
            }
            Action::Copy => {
                if let Some(line) = self.selected().map(|entry| entry::curl(&self.base_url, &entry.operation)) {
                    cx.copy("curl command", line);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        self.list.narrow.text(input);
        self.arrange(cx);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        let areas = self.areas(cx.body);
        let at = Position { x: mouse.x, y: mouse.y };
        let in_details = areas.details.contains(at);
        match mouse.kind {
            MouseKind::WheelUp => self.step(Motion::Up, in_details, cx),
            MouseKind::WheelDown => self.step(Motion::Down, in_details, cx),
            MouseKind::Press if in_details => self.show(Focus::Details(0), cx),
            MouseKind::Press if areas.list.contains(at) => {
                let row = at.y.checked_sub(areas.list.y + 1)?;
                match self.list.click(row.into(), self.height(cx.body)) {
                    Click::Again if !self.is_open() => self.show(Focus::Open, cx),
                    Click::Nothing => {}
                    Click::Again | Click::Selected => self.focus = Focus::List,
                }
            }
            MouseKind::Press => {}
        }
        None
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.arrange(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        let running = view.shown && self.listed().any(|entry| entry.outcome == Outcome::Running);
        running.then(|| {
            let turns = u32::try_from(view.now.mono.as_millis() / SPIN.as_millis()).unwrap_or(u32::MAX);
            SPIN.saturating_mul(turns.saturating_add(1))
        })
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
