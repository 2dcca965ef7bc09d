//! The log of requests: what runs, what came of each, and a way to repeat one by hand.

mod areas;
mod draw;
mod keys;

pub use keys::LIST;

use super::Context;
use crate::client::{Attempt, FailureKind, Operation};
use crate::tasks::{Event, TaskId};
use crate::ui::action::{Action, Motion, PaneId, Scope};
use crate::ui::input::{Mouse, MouseKind};
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::pane::{Pane, View};
use crate::ui::registry::Registration;
use crate::ui::widgets::list::{Cursor, scroll};
use areas::ActivityAreas;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::time::Duration;

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
/// How many requests are remembered.
const KEPT: usize = 500;
/// How often the spinner of a running request turns.
pub const SPIN: Duration = Duration::from_millis(200);

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is on its way.
    Running,
    /// It succeeded.
    Done,
    /// It did not; for people, why.
    Failed {
        /// What and why.
        why: String,
        /// True where nobody wanted it any more.
        cancelled: bool,
    },
}

/// One request, with all its tries.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its effect.
    pub id: TaskId,
    /// What was asked.
    pub operation: Operation,
    /// When it left.
    pub began: Timestamp,
    /// Its tries.
    pub attempts: Vec<Attempt>,
    /// What became of it.
    pub outcome: Outcome,
}

impl Entry {
    /// How long its tries took, with the waits between them; `None` before the first has ended.
    fn took(&self) -> Option<Duration> {
        let spans = self.attempts.iter().map(|attempt| attempt.took + attempt.retry_in.unwrap_or_default());
        (!self.attempts.is_empty()).then(|| spans.sum())
    }
}

/// The details of the selected request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Details {
    #[default]
    Hidden,
    /// Below the list, which has the keys.
    Shown,
    /// They have the keys; scrolled down by so many lines.
    Read(usize),
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Activity {
    /// The newest first.
    entries: VecDeque<Entry>,
    cursor: Cursor,
    /// The request that stays selected; `None` while the newest is followed.
    selected: Option<TaskId>,
    details: Details,
    base_url: String,
}

impl Activity {
    /// Records what the task channel tells. `height` is the number of rows in view.
    fn record(&mut self, event: &Event, now: Moment, height: usize) {
        match event {
            Event::Started { id, operation } => {
                self.entries.truncate(KEPT - 1);
                self.entries.push_front(Entry {
                    id: *id,
                    operation: operation.clone(),
                    began: now.wall,
                    attempts: Vec::new(),
                    outcome: Outcome::Running,
                });
                self.follow(height);
            }
            Event::Tried { id, attempt } => {
                if let Some(entry) = self.entry(*id) {
                    entry.attempts.push(attempt.clone());
                }
            }
            Event::Done(report) => {
                if let Some(entry) = self.entry(report.id) {
                    entry.outcome = match &report.result {
                        Ok(_) => Outcome::Done,
                        Err(failure) => Outcome::Failed {
                            why: super::explain(failure),
                            cancelled: failure.kind == FailureKind::Cancelled,
                        },
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

    fn follow(&mut self, height: usize) {
        let same = self.selected.and_then(|id| self.entries.iter().position(|entry| entry.id == id));
        self.cursor.select(same.unwrap_or(0), self.entries.len(), height);
    }

    fn selected_entry(&self) -> Option<&Entry> {
        self.entries.get(self.cursor.at)
    }

    /// True while details are shown.
    pub fn is_open(&self) -> bool {
        self.details != Details::Hidden
    }

    /// True while the details have the keys.
    pub fn is_reading(&self) -> bool {
        matches!(self.details, Details::Read(_))
    }

    /// Moves the selection.
    fn step(&mut self, motion: Motion, height: usize) {
        self.cursor.step(motion, self.entries.len(), height);
        // At the top the newest is followed; anywhere else the selection stays on its request.
        self.selected = self.selected_entry().filter(|_| self.cursor.at > 0).map(|entry| entry.id);
    }

    /// Selects the row that was clicked; a click on the selected one opens it.
    fn click(&mut self, row: usize, height: usize) {
        let at = self.cursor.offset + row;
        if at < self.entries.len() {
            let opens = self.cursor.at == at && !self.is_open();
            self.details = if opens { Details::Shown } else { Details::Hidden };
            self.cursor.select(at, self.entries.len(), height);
            self.selected = self.selected_entry().map(|entry| entry.id);
        }
    }

    /// Lets the details have the keys.
    fn read(&mut self, height: usize) {
        if self.selected_entry().is_some() {
            self.show(Details::Read(0), height);
        }
    }

    fn show(&mut self, details: Details, height: usize) {
        self.details = details;
        // Details belong to one request: it stays selected while others come.
        self.selected = self.selected_entry().map(|entry| entry.id);
        self.follow(height);
    }

    /// Moves the text of the details, where it lies in `text`.
    fn scroll_details(&mut self, motion: Motion, text: Rect, zone: &TimeZone, options: &Options) {
        let Some(entry) = self.selected_entry() else { return };
        let length = draw::details(self, entry, options, zone, usize::from(text.width)).len();
        let at = if let Details::Read(at) = self.details { at } else { 0 };
        self.details = Details::Read(scroll(at, motion, length, usize::from(text.height)));
    }

    fn areas(&self, body: Rect) -> ActivityAreas {
        areas::of(body, self.is_open())
    }

    fn height(&self, body: Rect) -> usize {
        usize::from(self.areas(body).rows.height)
    }

    fn moves(&mut self, motion: Motion, cx: &Context<'_>) {
        if self.is_reading() {
            let text = areas::details_text(self.areas(cx.body).details);
            self.scroll_details(motion, text, cx.zone, cx.options);
        } else {
            self.step(motion, self.height(cx.body));
        }
    }
}

impl Pane for Activity {
    fn scopes(&self) -> &'static [Scope] {
        SCOPES
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        match (action, self.selected_entry()) {
            (Action::Open | Action::Copy | Action::CancelRequest, None) => Some("there are no requests yet"),
            (Action::CancelRequest, Some(entry)) if entry.outcome != Outcome::Running => Some("this request has ended"),
            _ => None,
        }
    }

    fn hear(&mut self, event: &Event, cx: &mut Context<'_>) {
        self.record(event, cx.now, self.height(cx.body));
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        let height = self.height(cx.body);
        match action {
            Action::Move(motion) => self.moves(motion, cx),
            Action::NextPart | Action::Back if self.is_reading() => self.details = Details::Shown,
            Action::Open | Action::Back if self.is_open() => self.details = Details::Hidden,
            Action::Open => self.show(Details::Shown, height),
            Action::NextPart => self.read(height),
            Action::CancelRequest => {
                if let Some(id) = self.selected_entry().map(|entry| entry.id) {
                    cx.cancel(id);
                }
            }
            Action::Copy => {
                if let Some(line) = self.selected_entry().map(|entry| curl(&self.base_url, &entry.operation)) {
                    cx.copy("curl line", line);
                }
            }
            _ => {}
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        let (areas, height) = (self.areas(cx.body), self.height(cx.body));
        let in_details = areas.details.contains((mouse.x, mouse.y).into());
        let motion = match mouse.kind {
            MouseKind::WheelUp => Motion::Up,
            MouseKind::WheelDown => Motion::Down,
            MouseKind::Press if in_details => {
                self.read(height);
                return None;
            }
            MouseKind::Press => {
                if areas.rows.contains((mouse.x, mouse.y).into()) {
                    self.click(usize::from(mouse.y - areas.rows.y), height);
                }
                return None;
            }
        };
        if in_details {
            let text = areas::details_text(areas.details);
            self.scroll_details(motion, text, cx.zone, cx.options);
        } else {
            self.moves(motion, cx);
        }
        None
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        let running = view.shown && self.entries.iter().any(|entry| entry.outcome == Outcome::Running);
        running.then(|| {
            let turns = u32::try_from(view.now.mono.as_millis() / SPIN.as_millis()).unwrap_or(u32::MAX);
            SPIN.saturating_mul(turns.saturating_add(1))
        })
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view.options, view.now, view.zone, buffer, view.body);
        None
    }
}

/// The request as a line for a shell; the token is named, never shown.
fn curl(base_url: &str, operation: &Operation) -> String {
    let quote = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let method = if operation.method == "GET" { String::new() } else { format!(" -X {}", operation.method) };
    let body =
        operation.body.as_ref().map(|body| format!(" -H 'Content-Type: application/json' --data {}", quote(body)));
    let url = quote(&format!("{base_url}{}", operation.path));
    let token = "-H \"Authorization: Bearer $SWITCHBOARD_TOKEN\"";
    format!("curl -sS{method} {token}{} {url}", body.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curl_line_names_the_token_and_quotes_the_rest() {
        let get = Operation { method: "GET", path: "/user/conversations?type=msgapp&page=2".to_owned(), body: None };
        assert_eq!(
            curl("http://127.0.0.1:8787/api", &get),
            "curl -sS -H \"Authorization: Bearer $SWITCHBOARD_TOKEN\" \
             'http://127.0.0.1:8787/api/user/conversations?type=msgapp&page=2'"
        );
        let post = Operation {
            method: "POST",
            path: "/user/api-keys".to_owned(),
            body: Some("{\"name\":\"Ada's\"}".to_owned()),
        };
        let line = curl("http://h/api", &post);
        assert!(line.contains(r#"--data '{"name":"Ada'\''s"}'"#), "{line}");
    }
}
