//! The state of the interface, and what each message changes in it.

mod geometry;
mod mouse;
mod popup;

use crate::api::rules;
use crate::client::Reply;
use crate::tasks;
use crate::ui::action::{Action, Motion, PaneId, Scope};
use crate::ui::ages::until_next_minute;
use crate::ui::input::{Input, Key, KeyCode};
use crate::ui::keymap::ALWAYS_QUITS;
use crate::ui::layout;
use crate::ui::message::{Effect, Message, Moment};
use crate::ui::notices::Notices;
use crate::ui::options::{Options, Place};
use crate::ui::panes::Context;
use crate::ui::panes::activity::{self, Activity};
use crate::ui::panes::conversations::{self, Conversations, FilterForm};
use crate::ui::panes::messaging::{self, AddForm, Customer, Messaging, Wish};
use crate::ui::widgets::input::TextInput;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use std::time::Duration;

/// How long the question whether to quit stands.
const QUIT_AGAIN: Duration = Duration::from_secs(4);

static UTC: TimeZone = TimeZone::UTC;

/// What is known about the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// It is being started or looked for.
    Starting,
    /// There is one.
    Up {
        /// Whom the token belongs to, where that is known.
        account: Option<String>,
    },
    /// There is none, and no request will leave.
    Down(String),
}

/// A box in front of the pane; it has the keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Popup {
    /// The keys that work here, scrolled down by so many lines.
    Help(usize),
    /// The problems told so far, scrolled down by so many lines.
    Messages(usize),
    /// Which conversations to list.
    Filter(FilterForm),
    /// A recipient to watch, or a sender to remember.
    Add(AddForm),
    /// Which page to go to; with what is wrong about it.
    Jump(TextInput, Option<String>),
    /// Which action to do; what is typed and which one is marked.
    Palette(TextInput, usize),
}

/// The whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    pub(in crate::ui) options: Options,
    pub(in crate::ui) size: Size,
    pub(in crate::ui) now: Moment,
    /// Unknown until the system has told it; no time of day is shown before.
    pub(in crate::ui) zone: Option<TimeZone>,
    pub(in crate::ui) connection: Connection,
    pub(in crate::ui) pane: PaneId,
    pub(in crate::ui) popup: Option<Popup>,
    pub(in crate::ui) notices: Notices,
    pub(in crate::ui) conversations: Conversations,
    pub(in crate::ui) messaging: Messaging,
    pub(in crate::ui) activity: Activity,
    /// A filter form that was left with Esc, so that nothing typed is lost.
    filter_draft: Option<FilterForm>,
    /// Until when another wish to quit is heeded although something is being sent.
    quit_asked: Option<Duration>,
    last_id: u64,
}

/// The panes, each to be changed while the others are looked at.
struct Panes<'a> {
    conversations: &'a mut Conversations,
    messaging: &'a mut Messaging,
    activity: &'a mut Activity,
}

impl App {
    /// The state at the start, before anything has happened.
    pub fn new(options: Options, size: Size, now: Moment) -> Self {
        let rows = layout::conversations(layout::areas(size).body, false).rows.height;
        let per_page = options.per_page.unwrap_or(u32::from(rows)).clamp(rules::PER_PAGE_MIN, rules::PER_PAGE_MAX);
        let conversations = Conversations::new(per_page, options.refresh);
        let messaging = Messaging::new(&options, layout::areas(size).body);
        Self {
            options,
            size,
            now,
            zone: None,
            connection: Connection::Starting,
            pane: PaneId::Conversations,
            popup: None,
            notices: Notices::default(),
            conversations,
            messaging,
            activity: Activity::default(),
            filter_draft: None,
            quit_asked: None,
            last_id: 0,
        }
    }

    /// The first effects: what the first pane needs.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let (panes, mut cx) = self.parts(&mut effects);
        panes.conversations.start(&mut cx);
        panes.messaging.start(&mut cx);
        effects
    }

    /// The terminal's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The panes, and what they may use while they handle a message.
    fn parts<'a>(&'a mut self, effects: &'a mut Vec<Effect>) -> (Panes<'a>, Context<'a>) {
        let cx = Context {
            now: self.now,
            options: &self.options,
            zone: self.zone.as_ref().unwrap_or(&UTC),
            effects,
            notices: &mut self.notices,
            last_id: &mut self.last_id,
        };
        let Self { conversations, messaging, activity, .. } = self;
        (Panes { conversations, messaging, activity }, cx)
    }

    /// The user's time zone.
    pub(in crate::ui) fn zone(&self) -> &TimeZone {
        self.zone.as_ref().unwrap_or(&UTC)
    }

    // What holds where.

    /// The scopes whose keys hold now, the narrowest first.
    pub fn scopes(&self) -> &'static [Scope] {
        match self.pane {
            PaneId::Conversations if self.conversations.is_inspecting() => {
                &[Scope::Inspector, Scope::Moving, Scope::Everywhere]
            }
            PaneId::Conversations => &[Scope::Conversations, Scope::Moving, Scope::Everywhere],
            PaneId::Messaging => messaging::SCOPES,
            PaneId::Activity => activity::SCOPES,
        }
    }

    /// Why an action cannot be done now; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let down = matches!(self.connection, Connection::Down(_));
        let opens = action == Action::Open && self.pane == PaneId::Messaging && self.messaging.open_writes();
        if self.options.read_only && (opens || matches!(action, Action::Send | Action::Freeform)) {
            return Some("this is read-only, and nothing is sent");
        }
        match self.pane {
            PaneId::Conversations | PaneId::Messaging if action == Action::Refresh && down => {
                Some("there is no server")
            }
            PaneId::Conversations => self.conversations.disabled(action),
            PaneId::Messaging => self.messaging.disabled(action),
            PaneId::Activity => self.activity.disabled(action),
        }
    }

    /// True while letters are text.
    pub fn is_typing(&self) -> bool {
        match &self.popup {
            Some(Popup::Filter(_) | Popup::Add(_) | Popup::Jump(..) | Popup::Palette(..)) => true,
            Some(Popup::Help(_) | Popup::Messages(_)) => false,
            None => match self.pane {
                PaneId::Conversations => self.conversations.is_typing(),
                PaneId::Messaging => self.messaging.is_typing(),
                PaneId::Activity => false,
            },
        }
    }

    /// True where the key of an action that holds everywhere reaches it.
    pub fn reaches(&self, action: Action) -> bool {
        let captured = self.pane == PaneId::Messaging && self.messaging.is_captured();
        // Even from the outbox and the view for many recipients the messages can be read.
        self.popup.is_none() && !self.is_typing() && (!captured || action == Action::Messages)
    }

    /// Why the pane is empty for want of a server; `None` once there is one.
    pub(in crate::ui) fn unconnected(&self) -> Option<&str> {
        match &self.connection {
            Connection::Starting => Some(match self.options.place {
                Place::Sandbox => "The sandbox is being started.",
                Place::Profile(_) => "A connection is being made.",
            }),
            Connection::Down(reason) => Some(reason),
            Connection::Up { .. } => None,
        }
    }

    // Time.

    /// The next moment at which something changes by itself; `None` where nothing ever will.
    pub fn next_wake(&self) -> Option<Duration> {
        let now = self.now;
        let clock = self.zone.as_ref().map(|_| now.mono + until_next_minute(now.wall));
        let connected = matches!(self.connection, Connection::Up { .. });
        let poll = self.conversations.next_poll().filter(|_| connected);
        let pane = match self.pane {
            PaneId::Conversations => self.conversations.next_change(now, self.list_height()),
            PaneId::Messaging => None,
            PaneId::Activity => self.activity.next_change(now),
        };
        // Windows close whether or not anybody looks.
        let windows = self.messaging.next_change(now, &self.options, self.zone());
        let health = self.conversations.next_health_change(now);
        [clock, poll, pane, windows, health, self.notices.next_change()].into_iter().flatten().min()
    }

    // Messages.

    /// Takes a message and says what is to be done.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        let mut effects = Vec::new();
        match message {
            Message::Tick(now) => self.tick(now, &mut effects),
            Message::Resize(size) => {
                self.size = size;
                let height = self.list_height();
                self.conversations.resized(height);
                self.messaging.resized(layout::areas(size).body);
            }
            Message::Zone(zone) => self.zone = Some(zone),
            Message::Problem(text) => self.notices.problem(text, self.now),
            Message::Suspend => self.leave(Effect::Suspend, &mut effects),
            Message::Terminate => self.leave(Effect::Quit, &mut effects),
            Message::Task(event) => self.task(event, &mut effects),
            Message::Input(Input::Key(key)) => self.key(key, &mut effects),
            Message::Input(Input::Paste(text)) => self.paste(&text, &mut effects),
            Message::Input(Input::Mouse(mouse)) => self.mouse(mouse, &mut effects),
        }
        effects
    }

    fn tick(&mut self, now: Moment, effects: &mut Vec<Effect>) {
        self.now = now;
        self.notices.tick(now);
        let connected = matches!(self.connection, Connection::Up { .. });
        let (panes, mut cx) = self.parts(effects);
        panes.conversations.tick(connected, &mut cx);
        panes.messaging.tick(&mut cx);
    }

    /// Ends; while something is being sent only when that is wished twice.
    fn quit(&mut self, effects: &mut Vec<Effect>) {
        let twice = self.quit_asked.take().is_some_and(|until| self.now.mono <= until);
        let warning = if self.messaging.has_batch_under_way() {
            "A batch is under way: q again quits; it can be resumed"
        } else if self.messaging.is_sending() {
            "A message is on its way: q again quits, and its outcome stays unknown"
        } else {
            return self.leave(Effect::Quit, effects);
        };
        if twice {
            return self.leave(Effect::Quit, effects);
        }
        self.quit_asked = Some(self.now.mono + QUIT_AGAIN);
        self.notices.toast(warning, self.now);
    }

    /// Stops or ends, with what was typed put aside before.
    fn leave(&mut self, how: Effect, effects: &mut Vec<Effect>) {
        let (panes, mut cx) = self.parts(effects);
        panes.messaging.put_aside(&mut cx);
        effects.push(how);
    }

    fn task(&mut self, event: tasks::Event, effects: &mut Vec<Effect>) {
        let log_height = usize::from(layout::activity(self.areas().body, self.activity.is_open()).rows.height);
        self.activity.note(&event, self.now, log_height);
        match event {
            tasks::Event::Connected { base_url, account } => {
                self.activity.connected(&base_url);
                self.connection = Connection::Up { account };
                let (panes, mut cx) = self.parts(effects);
                panes.messaging.connected(&mut cx);
            }
            tasks::Event::NotConnected { reason } => {
                self.notices.problem(reason.clone(), self.now);
                self.connection = Connection::Down(reason);
            }
            tasks::Event::Done(report) if report.origin.pane == conversations::NAME => {
                let body = self.areas().body;
                let rows = layout::conversations(body, false).rows;
                let (panes, mut cx) = self.parts(effects);
                if let Ok(tasks::Answer::Reply(reply)) = &report.result
                    && let Reply::ListConversations(page) = &**reply
                {
                    panes.messaging.noticed(page, &mut cx);
                }
                panes.conversations.answered(report, usize::from(rows.height), &mut cx);
            }
            tasks::Event::Done(report) if report.origin.pane == messaging::NAME => {
                let (panes, mut cx) = self.parts(effects);
                panes.messaging.answered(report, &mut cx);
            }
            tasks::Event::Tried { id, attempt } => {
                if let Some(time) = attempt.server_time {
                    let (panes, mut cx) = self.parts(effects);
                    panes.messaging.heard(time, attempt.took, &mut cx);
                }
                if let Some(wait) = attempt.retry_in {
                    self.messaging.tried(id, wait, self.now);
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let bound = !self.is_typing() && self.options.keymap.action(self.scopes(), key).is_some();
        if let Some(behind) = key.behind_escape().filter(|_| !bound) {
            self.key(Key::plain(KeyCode::Esc), effects);
            return self.key(behind, effects);
        }
        if key == ALWAYS_QUITS {
            return self.quit(effects);
        }
        // What is no text works over a text field too.
        if let Some(action @ (Action::Suspend | Action::Redraw)) =
            self.options.keymap.action(&[Scope::Everywhere], key).filter(|_| key.typed().is_none())
        {
            return self.act(action, effects);
        }
        if self.popup.is_some() {
            return self.popup_key(key, effects);
        }
        if self.pane == PaneId::Messaging && self.messaging.is_captured() | self.messaging.is_typing() {
            return self.captured_key(key, effects);
        }
        if self.is_typing() {
            let height = self.list_height();
            return self.conversations.type_narrow(key, height);
        }
        if let Some(action) = self.options.keymap.action(self.scopes(), key) {
            self.act(action, effects);
        }
    }

    /// A key while the Messaging pane has them all. From the outbox, where letters are no text, other panes can be reached.
    fn captured_key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let action = self.options.keymap.action(&[Scope::Everywhere], key).filter(|_| !self.messaging.is_typing());
        if let Some(action @ (Action::Go(_) | Action::Messages | Action::Quit)) = action {
            return self.act(action, effects);
        }
        let (panes, mut cx) = self.parts(effects);
        panes.messaging.captured_key(key, &mut cx);
    }

    fn paste(&mut self, text: &str, effects: &mut Vec<Effect>) {
        let (height, typing) = (self.list_height(), self.is_typing());
        match &mut self.popup {
            Some(Popup::Filter(form)) => form.paste(text),
            Some(Popup::Add(form)) => form.paste(text),
            Some(Popup::Jump(input, _) | Popup::Palette(input, _)) => input.paste(text),
            None if typing && self.pane == PaneId::Messaging => {
                let (panes, mut cx) = self.parts(effects);
                panes.messaging.paste(text, &mut cx);
            }
            None if typing => self.conversations.paste_narrow(text, height),
            _ => {}
        }
    }

    fn step(&mut self, motion: Motion, effects: &mut Vec<Effect>) {
        let height = self.list_height();
        match self.pane {
            PaneId::Conversations if self.conversations.is_inspecting() => self.scroll_inspector(motion),
            PaneId::Conversations => self.conversations.step(motion, height),
            PaneId::Messaging => {
                let (panes, mut cx) = self.parts(effects);
                panes.messaging.step(motion, &mut cx);
            }
            PaneId::Activity if self.activity.is_reading() => self.scroll_details(motion),
            PaneId::Activity => self.activity.step(motion, height),
        }
    }

    fn scroll_inspector(&mut self, motion: Motion) {
        let area = layout::inspector_text(self.inspector_area(), self.areas().body);
        let zone = self.zone.clone().unwrap_or(TimeZone::UTC);
        self.conversations.scroll_inspector(motion, area, self.now, &zone, &self.options);
    }

    fn scroll_details(&mut self, motion: Motion) {
        let zone = self.zone.clone().unwrap_or(TimeZone::UTC);
        let text = layout::details_text(self.details_area());
        self.activity.scroll_details(motion, text, &zone, &self.options);
    }

    /// Does what an action says, wherever it comes from: a key, the palette, the mouse.
    fn act(&mut self, action: Action, effects: &mut Vec<Effect>) {
        if let Some(reason) = self.disabled(action) {
            return self.notices.toast(format!("Not now: {reason}"), self.now);
        }
        let height = self.list_height();
        match action {
            Action::Quit => self.quit(effects),
            Action::Suspend => self.leave(Effect::Suspend, effects),
            Action::Redraw => effects.push(Effect::Redraw),
            Action::Help => self.popup = Some(Popup::Help(0)),
            Action::Messages => self.popup = Some(Popup::Messages(0)),
            Action::Palette => self.popup = Some(Popup::Palette(TextInput::default(), 0)),
            Action::Go(pane) => self.go(pane, effects),
            Action::Move(motion) => self.step(motion, effects),
            Action::JumpToPage => self.popup = Some(Popup::Jump(TextInput::default(), None)),
            Action::ClearFilters => {
                self.filter_draft = None;
                let (panes, mut cx) = self.parts(effects);
                panes.conversations.act(action, height, &mut cx);
            }
            Action::Filter => {
                let (filter, assistants) = (self.conversations.filter(), self.conversations.assistants());
                let form = self.filter_draft.take().unwrap_or_else(|| FilterForm::new(filter, assistants));
                self.popup = Some(Popup::Filter(form));
                let (panes, mut cx) = self.parts(effects);
                panes.conversations.want_assistants(&mut cx);
            }
            Action::Watch => self.meet(false, effects),
            Action::Send if self.pane == PaneId::Conversations => self.meet(true, effects),
            // An error is dismissed before anything else is closed: it is what Esc most likely means.
            Action::Back if self.notices.dismiss() => {}
            action => {
                let (pane, (panes, mut cx)) = (self.pane, self.parts(effects));
                match pane {
                    PaneId::Conversations => drop(panes.conversations.act(action, height, &mut cx)),
                    PaneId::Messaging => {
                        if let Wish::Ask(form) = panes.messaging.act(action, &mut cx) {
                            self.popup = Some(Popup::Add(*form));
                        }
                    }
                    PaneId::Activity => drop(panes.activity.act(action, height, &mut cx)),
                }
            }
        }
    }

    fn go(&mut self, pane: PaneId, effects: &mut Vec<Effect>) {
        self.pane = pane;
        let (panes, mut cx) = self.parts(effects);
        panes.conversations.see(pane == PaneId::Conversations, cx.now);
        panes.messaging.see(pane == PaneId::Messaging, &mut cx);
    }

    /// Writes to the customer of the selected conversation, or watches their window; or says why that cannot be.
    fn meet(&mut self, write: bool, effects: &mut Vec<Effect>) {
        let Some(row) = self.conversations.selected_row() else { return };
        match Customer::of(row) {
            Ok(customer) => {
                if write {
                    self.go(PaneId::Messaging, effects);
                }
                let (panes, mut cx) = self.parts(effects);
                panes.messaging.meet(customer, write, &mut cx);
            }
            Err(reason) => self.notices.toast(format!("Not now: {reason}"), self.now),
        }
    }
}
