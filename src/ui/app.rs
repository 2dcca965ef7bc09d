//! The state of the interface, and what each message changes in it.

use super::action::{Action, Motion, PaneId, Scope};
use super::ages::until_next_minute;
use super::input::{Input, Key, KeyCode, Mouse, MouseKind};
use super::keymap::ALWAYS_QUITS;
use super::layout::{self, Areas};
use super::message::{Effect, Message, Moment};
use super::notices::Notices;
use super::options::{Options, Place};
use super::panes::Context;
use super::panes::activity::{self, Activity};
use super::panes::conversations::{self, Conversations, FilterForm};
use super::widgets::input::TextInput;
use super::widgets::list::scroll;
use super::{draw, popups};
use crate::api::rules;
use crate::tasks;
use jiff::tz::TimeZone;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

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
    /// Which page to go to; with what is wrong about it.
    Jump(TextInput, Option<String>),
    /// Which action to do; what is typed and which one is marked.
    Palette(TextInput, usize),
}

/// The whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    pub(super) options: Options,
    pub(super) size: Size,
    pub(super) now: Moment,
    /// Unknown until the system has told it; no time of day is shown before.
    pub(super) zone: Option<TimeZone>,
    pub(super) connection: Connection,
    pub(super) pane: PaneId,
    pub(super) popup: Option<Popup>,
    pub(super) notices: Notices,
    pub(super) conversations: Conversations,
    pub(super) activity: Activity,
    /// A filter form that was left with Esc, so that nothing typed is lost.
    filter_draft: Option<FilterForm>,
    last_id: u64,
}

impl App {
    /// The state at the start, before anything has happened.
    pub fn new(options: Options, size: Size, now: Moment) -> Self {
        let rows = layout::conversations(layout::areas(size).body, false).rows.height;
        let per_page = options.per_page.unwrap_or(u32::from(rows)).clamp(rules::PER_PAGE_MIN, rules::PER_PAGE_MAX);
        let conversations = Conversations::new(per_page, options.refresh);
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
            activity: Activity::default(),
            filter_draft: None,
            last_id: 0,
        }
    }

    /// The first effects: what the first pane needs.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let (conversations, _, mut cx) = self.parts(&mut effects);
        conversations.start(&mut cx);
        effects
    }

    /// The terminal's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The panes, and what they may use while they handle a message.
    fn parts<'a>(&'a mut self, effects: &'a mut Vec<Effect>) -> (&'a mut Conversations, &'a mut Activity, Context<'a>) {
        let cx = Context { now: self.now, effects, notices: &mut self.notices, last_id: &mut self.last_id };
        (&mut self.conversations, &mut self.activity, cx)
    }

    // Geometry, from the state alone.

    pub(super) fn areas(&self) -> Areas {
        layout::areas(self.size)
    }

    fn list_area(&self) -> Rect {
        let body = self.areas().body;
        match self.pane {
            PaneId::Conversations => layout::conversations(body, self.conversations.is_inspecting()).rows,
            PaneId::Activity => layout::activity(body, self.activity.is_open()).rows,
        }
    }

    /// Rows in view, also while the inspector hides them: the list stays where it was.
    fn list_height(&self) -> usize {
        let body = self.areas().body;
        let rows = match self.pane {
            PaneId::Conversations => layout::conversations(body, false).rows,
            PaneId::Activity => layout::activity(body, self.activity.is_open()).rows,
        };
        usize::from(rows.height)
    }

    fn inspector_area(&self) -> Rect {
        layout::conversations(self.areas().body, self.conversations.is_inspecting()).inspector
    }

    // What holds where.

    /// The scopes whose keys hold now, the narrowest first.
    pub fn scopes(&self) -> &'static [Scope] {
        match self.pane {
            PaneId::Conversations if self.conversations.is_inspecting() => {
                &[Scope::Inspector, Scope::Moving, Scope::Everywhere]
            }
            PaneId::Conversations => &[Scope::Conversations, Scope::Moving, Scope::Everywhere],
            PaneId::Activity => activity::SCOPES,
        }
    }

    /// Why an action cannot be done now; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        match self.pane {
            PaneId::Conversations if action == Action::Refresh && matches!(self.connection, Connection::Down(_)) => {
                Some("there is no server")
            }
            PaneId::Conversations => self.conversations.disabled(action),
            PaneId::Activity => self.activity.disabled(action),
        }
    }

    /// True while letters are text.
    pub fn is_typing(&self) -> bool {
        match &self.popup {
            Some(Popup::Filter(_) | Popup::Jump(..) | Popup::Palette(..)) => true,
            Some(Popup::Help(_) | Popup::Messages(_)) => false,
            None => self.pane == PaneId::Conversations && self.conversations.is_typing(),
        }
    }

    /// Why the pane is empty for want of a server; `None` once there is one.
    pub(super) fn unconnected(&self) -> Option<&str> {
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
            PaneId::Activity => self.activity.next_change(now),
        };
        let health = self.conversations.next_health_change(now);
        [clock, poll, pane, health, self.notices.next_change()].into_iter().flatten().min()
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
            }
            Message::Zone(zone) => self.zone = Some(zone),
            Message::Problem(text) => self.notices.problem(text, self.now),
            Message::Suspend => effects.push(Effect::Suspend),
            Message::Terminate => effects.push(Effect::Quit),
            Message::Task(event) => self.task(event, &mut effects),
            Message::Input(Input::Key(key)) => self.key(key, &mut effects),
            Message::Input(Input::Paste(text)) => self.paste(&text),
            Message::Input(Input::Mouse(mouse)) => self.mouse(mouse, &mut effects),
        }
        effects
    }

    fn tick(&mut self, now: Moment, effects: &mut Vec<Effect>) {
        self.now = now;
        self.notices.tick(now);
        let connected = matches!(self.connection, Connection::Up { .. });
        let (conversations, _, mut cx) = self.parts(effects);
        conversations.tick(connected, &mut cx);
    }

    fn task(&mut self, event: tasks::Event, effects: &mut Vec<Effect>) {
        let log_height = usize::from(layout::activity(self.areas().body, self.activity.is_open()).rows.height);
        self.activity.note(&event, self.now, log_height);
        match event {
            tasks::Event::Connected { base_url, account } => {
                self.activity.connected(&base_url);
                self.connection = Connection::Up { account };
            }
            tasks::Event::NotConnected { reason } => {
                self.notices.problem(reason.clone(), self.now);
                self.connection = Connection::Down(reason);
            }
            tasks::Event::Done(report) if report.origin.pane == conversations::NAME => {
                let body = self.areas().body;
                let rows = layout::conversations(body, false).rows;
                let (conversations, _, mut cx) = self.parts(effects);
                conversations.answered(report, usize::from(rows.height), &mut cx);
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
            return effects.push(Effect::Quit);
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
        if self.is_typing() {
            let height = self.list_height();
            return self.conversations.type_narrow(key, height);
        }
        if let Some(action) = self.options.keymap.action(self.scopes(), key) {
            self.act(action, effects);
        }
    }

    fn paste(&mut self, text: &str) {
        let (height, typing) = (self.list_height(), self.is_typing());
        match &mut self.popup {
            Some(Popup::Filter(form)) => form.paste(text),
            Some(Popup::Jump(input, _) | Popup::Palette(input, _)) => input.paste(text),
            None if typing => self.conversations.paste_narrow(text, height),
            _ => {}
        }
    }

    fn mouse(&mut self, mouse: Mouse, effects: &mut Vec<Effect>) {
        let inside = |area: Rect| area.contains((mouse.x, mouse.y).into());
        let motion = match mouse.kind {
            MouseKind::WheelUp => Some(Motion::Up),
            MouseKind::WheelDown => Some(Motion::Down),
            MouseKind::Press => None,
        };
        if self.popup.is_some() {
            if let Some(motion) = motion {
                (0..3).for_each(|_| self.scroll_popup(motion));
            } else if matches!(self.popup, Some(Popup::Help(_) | Popup::Messages(_)))
                && !popups::text_covers(self, (mouse.x, mouse.y).into())
            {
                self.popup_key(Key::plain(KeyCode::Esc), effects);
            }
            return;
        }
        let (areas, list, height) = (self.areas(), self.list_area(), self.list_height());
        match motion {
            Some(motion) if self.pane == PaneId::Conversations && inside(self.inspector_area()) => {
                (0..3).for_each(|_| self.scroll_inspector(motion));
            }
            Some(motion) if self.pane == PaneId::Activity && inside(self.details_area()) => {
                (0..3).for_each(|_| self.scroll_details(motion));
            }
            Some(motion) => (0..3).for_each(|_| self.step(motion)),
            None if inside(areas.tabs) => {
                if let Some(pane) = draw::tab_at(mouse.x) {
                    self.act(Action::Go(pane), effects);
                }
            }
            None if inside(list) => {
                let row = usize::from(mouse.y - list.y);
                match self.pane {
                    PaneId::Conversations => self.conversations.click(row, height),
                    PaneId::Activity => self.activity.click(row, height),
                }
            }
            None if self.pane == PaneId::Conversations => {
                let header = layout::conversations(areas.body, self.conversations.is_inspecting()).header;
                if inside(header) {
                    self.conversations.click_header(mouse.x, header, height);
                } else if inside(self.inspector_area()) {
                    self.conversations.click_inspector();
                }
            }
            None if inside(self.details_area()) => self.activity.read(height),
            None => {}
        }
    }

    fn step(&mut self, motion: Motion) {
        let height = self.list_height();
        match self.pane {
            PaneId::Conversations if self.conversations.is_inspecting() => self.scroll_inspector(motion),
            PaneId::Conversations => self.conversations.step(motion, height),
            PaneId::Activity if self.activity.is_reading() => self.scroll_details(motion),
            PaneId::Activity => self.activity.step(motion, height),
        }
    }

    fn scroll_inspector(&mut self, motion: Motion) {
        let area = layout::inspector_text(self.inspector_area(), self.areas().body);
        let zone = self.zone.clone().unwrap_or(TimeZone::UTC);
        self.conversations.scroll_inspector(motion, area, self.now, &zone, &self.options);
    }

    /// The details of a request; without a height where they are not shown.
    fn details_area(&self) -> Rect {
        layout::activity(self.areas().body, self.activity.is_open()).details
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
            Action::Quit => effects.push(Effect::Quit),
            Action::Suspend => effects.push(Effect::Suspend),
            Action::Redraw => effects.push(Effect::Redraw),
            Action::Help => self.popup = Some(Popup::Help(0)),
            Action::Messages => self.popup = Some(Popup::Messages(0)),
            Action::Palette => self.popup = Some(Popup::Palette(TextInput::default(), 0)),
            Action::Go(pane) => {
                self.pane = pane;
                self.conversations.see(pane == PaneId::Conversations, self.now);
            }
            Action::Move(motion) => self.step(motion),
            Action::JumpToPage => self.popup = Some(Popup::Jump(TextInput::default(), None)),
            Action::ClearFilters => {
                self.filter_draft = None;
                let (conversations, _, mut cx) = self.parts(effects);
                conversations.act(action, height, &mut cx);
            }
            Action::Filter => {
                let (filter, assistants) = (self.conversations.filter(), self.conversations.assistants());
                let form = self.filter_draft.take().unwrap_or_else(|| FilterForm::new(filter, assistants));
                self.popup = Some(Popup::Filter(form));
                let (conversations, _, mut cx) = self.parts(effects);
                conversations.want_assistants(&mut cx);
            }
            // An error is dismissed before anything else is closed: it is what Esc most likely means.
            Action::Back if self.notices.dismiss() => {}
            action => {
                let (pane, (conversations, activity, mut cx)) = (self.pane, self.parts(effects));
                match pane {
                    PaneId::Conversations => conversations.act(action, height, &mut cx),
                    PaneId::Activity => activity.act(action, height, &mut cx),
                };
            }
        }
    }

    // Popups.

    fn scroll_popup(&mut self, motion: Motion) {
        let (length, height) = popups::text_size(self);
        if let Some(Popup::Help(at) | Popup::Messages(at)) = &mut self.popup {
            *at = scroll(*at, motion, length, height);
        }
    }

    fn popup_key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let Some(mut popup) = self.popup.take() else { return };
        match &mut popup {
            Popup::Help(_) | Popup::Messages(_) => {
                let action = self.options.keymap.action(&[Scope::Moving, Scope::Everywhere], key);
                match action {
                    Some(Action::Move(motion)) => {
                        self.popup = Some(popup);
                        self.scroll_popup(motion);
                    }
                    _ if matches!(popup, Popup::Messages(_)) => self.notices.read_all(),
                    Some(Action::Go(_)) => self.key(key, effects),
                    _ => {}
                }
            }
            Popup::Filter(form) => match form.key(key, self.conversations.assistants()) {
                conversations::Outcome::Open => self.popup = Some(popup),
                conversations::Outcome::Left => {
                    let untouched = FilterForm::new(self.conversations.filter(), self.conversations.assistants());
                    self.filter_draft = form.says_other_than(&untouched).then(|| form.clone());
                }
                conversations::Outcome::Chosen(filter) => {
                    // Kept until the list has come: a list that fails takes the filter back, not what was typed.
                    self.filter_draft = Some(form.clone());
                    let (conversations, _, mut cx) = self.parts(effects);
                    conversations.set_filter(filter, &mut cx);
                }
            },
            Popup::Jump(input, fault) => match key.code {
                KeyCode::Esc => {}
                KeyCode::Enter => match self.page_named(input.value()) {
                    Ok(number) => {
                        let (conversations, _, mut cx) = self.parts(effects);
                        conversations.jump(number, &mut cx);
                    }
                    Err(reason) => {
                        *fault = Some(reason);
                        self.popup = Some(popup);
                    }
                },
                _ => {
                    input.key(key);
                    *fault = None;
                    self.popup = Some(popup);
                }
            },
            Popup::Palette(input, marked) => {
                let found = popups::commands(self, input.value());
                match key.code {
                    KeyCode::Esc => {}
                    KeyCode::Enter => {
                        if let Some(action) = found.get(*marked).map(|(binding, _)| binding.action) {
                            self.act(action, effects);
                        }
                    }
                    KeyCode::Down | KeyCode::Up => {
                        let down = key.code == KeyCode::Down;
                        *marked = if down { *marked + 1 } else { marked.saturating_sub(1) };
                        *marked = (*marked).min(found.len().saturating_sub(1));
                        self.popup = Some(popup);
                    }
                    _ => {
                        input.key(key);
                        *marked = 0;
                        self.popup = Some(popup);
                    }
                }
            }
        }
    }

    /// The page that was typed, where there is one.
    fn page_named(&self, typed: &str) -> Result<u64, String> {
        let last = self.conversations.page_numbers().map_or(1, |(_, last)| last);
        match typed.trim().parse() {
            Ok(number) if (1..=last).contains(&number) => Ok(number),
            _ => Err(format!("a page is a number from 1 to {last}")),
        }
    }
}
