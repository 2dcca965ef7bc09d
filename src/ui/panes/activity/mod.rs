//! The log of requests: what is in flight, what became of each, how long it took, and a way to repeat one by hand.

mod areas;
mod draw;
mod entry;
mod keys;

pub use keys::LIST;

use crate::api::Rows;
use crate::client::FailureKind;
use crate::tasks::{Event, TaskId};
use crate::ui::prelude::*;
use areas::ActivityAreas;
use entry::{Entry, Outcome};

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
    /// The list, with the details below it.
    Open,
    /// The details, scrolled down by so many lines.
    Details(usize),
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Activity {
    /// The newest first.
    list: Browser<Rows<Entry>>,
    focus: Focus,
    only_failures: bool,
    with_automatic: bool,
    base_url: String,
}

impl Activity {
    /// Records an event of the task channel.
    fn record(&mut self, event: &Event, now: Moment) {
        match event {
            Event::Started { id, automatic, operation } => {
                self.list.source.rows.truncate(KEPT - 1);
                let entry = Entry {
                    id: *id,
                    automatic: *automatic && operation.is_read(),
                    operation: operation.clone(),
                    sent: now.wall,
                    attempts: Vec::new(),
                    has_left: false,
                    outcome: Outcome::Running,
                    listed: true,
                };
                self.list.source.rows.insert(0, entry);
            }
            Event::Tried { id, attempt } => {
                if let Some(entry) = self.entry(*id) {
                    entry.has_left &= attempt.retry_in.is_none();
                    entry.attempts.push(attempt.clone());
                }
                let attempts = self.list.source.iter_mut().flat_map(|entry| entry.attempts.iter_mut().rev());
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
            Event::Left { id } => {
                if let Some(entry) = self.entry(*id) {
                    entry.has_left = true;
                }
            }
            Event::NotConnected { .. }
            | Event::Progress { .. }
            | Event::Arrival(_)
            | Event::Unwritten(_)
            | Event::Written => {}
        }
    }

    fn entry(&mut self, id: TaskId) -> Option<&mut Entry> {
        self.list.source.iter_mut().find(|entry| entry.id == id)
    }

    /// How many requests are hidden as automatic.
    fn hidden(&self) -> usize {
        if self.only_failures { 0 } else { self.list.source.iter().filter(|entry| !entry.listed).count() }
    }

    fn listed(&self) -> impl Iterator<Item = &Entry> {
        self.list.state.order().iter().filter_map(|shown| self.list.source.get(shown.row))
    }

    /// True while details are shown.
    fn is_open(&self) -> bool {
        matches!(self.focus, Focus::Open | Focus::Details(_)) && self.list.selected().is_some()
    }

    fn areas(&self, body: Rect) -> ActivityAreas {
        areas::of(body, self.is_open())
    }

    /// Works out what is listed, after anything that decides it has changed.
    fn arrange(&mut self, cx: &Context) {
        for entry in &mut self.list.source.rows {
            // Failures are never hidden for being automatic.
            let wanted = !self.only_failures && (self.with_automatic || !entry.automatic);
            entry.listed = wanted || entry.is_failure();
        }
        self.list.refresh(&cx.view(), self.areas(cx.body).list);
    }

    /// Details belong to one request: it stays selected while others come.
    fn show(&mut self, focus: Focus, cx: &Context) {
        if self.list.selected().is_some() {
            (self.focus, self.list.narrowing) = (focus, false);
            self.list.state.hold();
            self.arrange(cx);
        }
    }

    fn scroll(&mut self, motion: Motion, cx: &Context) {
        let Some(entry) = self.list.selected() else { return };
        let text = areas::details_text(self.areas(cx.body).details);
        let at = if let Focus::Details(at) = self.focus { at } else { 0 };
        let details = entry.details(&self.base_url, &cx.view(), text.width.into());
        self.focus = Focus::Details(details.scroll(at, motion, &cx.options, text));
    }
}

impl Pane for Activity {
    fn scopes(&self) -> &'static [Scope] {
        if self.list.narrowing { NARROWING } else { SCOPES }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        let area = self.areas(body).list;
        Some((&mut self.list, area))
    }

    fn show(&mut self, _shown: bool, cx: &mut Context) {
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
        match (action, self.list.selected()) {
            (Action::Open | Action::Copy | Action::CancelRequest | Action::NextPart, None) => {
                Some("no request is selected")
            }
            (Action::CancelRequest, Some(entry)) if entry.outcome != Outcome::Running => Some("this request has ended"),
            (Action::CancelRequest, Some(entry)) if entry.has_left => Some("it has left; its outcome comes"),
            (Action::ToggleAutomatic, _) if self.only_failures => Some("failures are listed whoever caused them"),
            _ => None,
        }
    }

    fn hear(&mut self, event: &Event, cx: &mut Context) {
        self.record(event, cx.now);
        if cx.shown {
            self.arrange(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        let reading = matches!(self.focus, Focus::Details(_));
        match action {
            Action::Move(motion) if reading => self.scroll(motion, cx),
            Action::NextPart | Action::Back if reading => self.focus = Focus::Open,
            Action::Open | Action::Back if self.is_open() => self.focus = Focus::List,
            Action::Open => self.show(Focus::Open, cx),
            Action::NextPart => self.show(Focus::Details(0), cx),
            Action::OnlyProblems => {
                self.only_failures = !self.only_failures;
                self.arrange(cx);
            }
            Action::ToggleAutomatic => {
                self.with_automatic = !self.with_automatic;
                self.arrange(cx);
            }
            Action::CancelRequest => {
                if let Some(id) = self.list.selected().map(|entry| entry.id) {
                    cx.cancel(id);
                }
            }
            Action::Copy => {
                let entry = self.list.selected();
                cx.copy("curl command", entry.map(|entry| entry::curl(&self.base_url, &entry.operation)));
            }
            _ => {
                if action == Action::Narrow {
                    self.focus = Focus::List;
                }
                self.list.act(action, self.areas(cx.body).list);
            }
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        let areas = self.areas(cx.body);
        let at = Position { x: mouse.x, y: mouse.y };
        let in_details = areas.details.contains(at);
        match mouse.kind {
            MouseKind::WheelUp if in_details => self.scroll(Motion::Up, cx),
            MouseKind::WheelDown if in_details => self.scroll(Motion::Down, cx),
            MouseKind::Press if in_details => self.show(Focus::Details(0), cx),
            _ => {
                let opens = self.list.mouse(mouse, &cx.view(), areas.list).filter(|_| !self.is_open());
                if mouse.kind == MouseKind::Press && areas.list.contains(at) {
                    self.focus = Focus::List;
                }
                return opens;
            }
        }
        None
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let running = view.shown && self.listed().any(|entry| entry.outcome == Outcome::Running);
        running.then(|| {
            let turns = u32::try_from(view.now.mono.since_start().as_millis() / SPIN.as_millis()).unwrap_or(u32::MAX);
            Instant::after(SPIN.saturating_mul(turns.saturating_add(1)))
        })
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
