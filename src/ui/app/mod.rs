//! The state of the interface, and what each message changes in it. The app knows its panes only as a list.

mod actions;
mod mouse;
mod overlays;

use crate::tasks::{self, Task, TaskId, Work};
use crate::ui::action::{Action, PaneId, Scope};
use crate::ui::ages::until_next_minute;
use crate::ui::data::{self, Data};
use crate::ui::health::{self, Health};
use crate::ui::held::HeldSends;
use crate::ui::input::Input;
use crate::ui::layout::{self, Areas, Frame};
use crate::ui::message::{Effect, Message, Moment};
use crate::ui::notices::Notices;
use crate::ui::options::Options;
use crate::ui::overlay::Overlays;
use crate::ui::pane::{Context, Pane, Tasks, View};
use crate::ui::registry::{PANES, Registration};
use crate::ui::route::Route;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use std::time::Duration;

/// For how long a second press quits although something would be interrupted.
const QUIT_AGAIN: Duration = Duration::from_secs(4);

static UTC: TimeZone = TimeZone::UTC;

/// What is known about the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// It is being started or looked for.
    Starting,
    /// There is one.
    Up {
        /// The e-mail of the token's account, where it is known.
        account: Option<String>,
    },
    /// There is none, and no request will leave; why, in a sentence.
    Down(String),
}

/// The whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    pub(in crate::ui) options: Options,
    pub(in crate::ui) size: Size,
    pub(in crate::ui) now: Moment,
    /// `None` until the system has told it; no time of day is shown before.
    pub(in crate::ui) zone: Option<TimeZone>,
    pub(in crate::ui) connection: Connection,
    pub(in crate::ui) health: Health,
    /// In the order of [`PANES`].
    panes: Vec<Box<dyn Pane>>,
    /// The pane on screen.
    current: usize,
    /// The one that was on screen before.
    previous: PaneId,
    data: Data,
    pub(in crate::ui) overlays: Overlays,
    pub(in crate::ui) notices: Notices,
    /// Messages that have been handed to the task channel and have no outcome yet.
    sends: Vec<TaskId>,
    /// Messages that can be taken back.
    pub(in crate::ui) held: HeldSends,
    /// Name of the form overlay and path of the field whose text is in `$EDITOR`; `None` for a field of the pane.
    editing: Option<(&'static str, String)>,
    /// Until when a second press quits although something would be interrupted.
    quit_asked: Option<Duration>,
    last_id: u64,
    /// True while a message is handled that no person caused.
    automatic: bool,
}

impl App {
    /// The state at the start, before anything has happened.
    pub fn new(options: Options, size: Size, now: Moment) -> Self {
        let body = layout::areas(size).body;
        let panes = PANES.iter().map(|pane| (pane.new)(&options, body)).collect();
        let data = Data { key_id: options.key_id, ..Data::default() };
        Self {
            options,
            size,
            now,
            zone: None,
            connection: Connection::Starting,
            health: Health::default(),
            panes,
            current: 0,
            previous: PANES[0].id,
            data,
            overlays: Overlays::default(),
            notices: Notices::default(),
            sends: Vec::new(),
            held: HeldSends::default(),
            editing: None,
            quit_asked: None,
            last_id: 0,
            automatic: false,
        }
    }

    /// The effects of the start: what the first pane needs.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.each(&mut effects, super::pane::Pane::start);
        effects
    }

    /// The terminal's size.
    pub fn size(&self) -> Size {
        self.size
    }

    // The panes.

    /// Lets a pane handle something, and goes where it wants to go.
    fn with<R>(
        &mut self,
        at: usize,
        effects: &mut Vec<Effect>,
        handle: impl FnOnce(&mut dyn Pane, &mut Context<'_>) -> R,
    ) -> R {
        let (before, mut route) = (effects.len(), None);
        let mut cx = Context {
            now: self.now,
            options: &self.options,
            zone: self.zone.as_ref().unwrap_or(&UTC),
            connection: &self.connection,
            body: layout::areas(self.size).body,
            shown: at == self.current,
            pane: PANES[at].id,
            previous: self.previous,
            tasks: Tasks { effects, last_id: &mut self.last_id, automatic: self.automatic },
            notices: &mut self.notices,
            data: &mut self.data,
            overlays: &mut self.overlays,
            held: &mut self.held,
            route: &mut route,
        };
        let result = handle(self.panes[at].as_mut(), &mut cx);
        let sends = effects[before..].iter().filter_map(|effect| match effect {
            Effect::Run(tasks::Effect { id, task: Task::Server(Work::Send(_)), .. }) => Some(*id),
            _ => None,
        });
        self.sends.extend(sends);
        if let Some(route) = route {
            self.follow(route, effects);
        }
        result
    }

    fn each(&mut self, effects: &mut Vec<Effect>, mut handle: impl FnMut(&mut dyn Pane, &mut Context<'_>)) {
        for at in 0..self.panes.len() {
            self.with(at, effects, &mut handle);
        }
    }

    /// The pane on screen.
    pub(in crate::ui) fn pane(&self) -> &dyn Pane {
        self.panes[self.current].as_ref()
    }

    /// How the pane on screen is registered.
    pub(in crate::ui) fn registration(&self) -> &'static Registration {
        &PANES[self.current]
    }

    /// All panes, in the order of their tabs.
    pub(in crate::ui) fn panes(&self) -> impl Iterator<Item = &dyn Pane> {
        self.panes.iter().map(AsRef::as_ref)
    }

    fn follow(&mut self, route: Route, effects: &mut Vec<Effect>) {
        let Some(at) = PANES.iter().position(|pane| pane.id == route.pane()) else { return };
        if route.shows() && at != self.current {
            let before = std::mem::replace(&mut self.current, at);
            self.previous = PANES[before].id;
            self.with(before, effects, |pane, cx| pane.show(false, cx));
            self.with(at, effects, |pane, cx| pane.show(true, cx));
        }
        if !matches!(route, Route::Pane(_)) {
            self.with(at, effects, |pane, cx| pane.route(route, cx));
        }
    }

    // What is in force.

    pub(in crate::ui) fn areas(&self) -> Areas {
        layout::areas(self.size)
    }

    /// The user's time zone.
    pub(in crate::ui) fn zone(&self) -> &TimeZone {
        self.zone.as_ref().unwrap_or(&UTC)
    }

    /// What the pane at this place sees while it draws.
    fn view_of(&self, at: usize) -> View<'_> {
        let areas = self.areas();
        View {
            options: &self.options,
            now: self.now,
            zone: self.zone(),
            connection: &self.connection,
            data: &self.data,
            body: areas.body,
            shown: at == self.current,
            titled: areas.frame == Frame::Full,
        }
    }

    /// What the pane on screen sees while it draws.
    pub(in crate::ui) fn view(&self) -> View<'_> {
        self.view_of(self.current)
    }

    /// The scopes whose keys hold now, the narrowest first.
    pub fn scopes(&self) -> &'static [Scope] {
        self.overlays.top().map_or_else(|| self.pane().scopes(), |layer| layer.overlay.scopes())
    }

    /// The scopes below the topmost overlay: those that help and palette tell of.
    pub(in crate::ui) fn scopes_below(&self) -> &'static [Scope] {
        self.overlays.below_top().map_or_else(|| self.pane().scopes(), |layer| layer.overlay.scopes())
    }

    /// True while letters are text.
    pub fn is_typing(&self) -> bool {
        self.overlays.top().map_or_else(|| self.pane().takes_text(), |layer| layer.overlay.takes_text())
    }

    /// Why an action cannot be done in the pane on screen now; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        if self.options.read_only && self.options.keymap.writes(self.pane().scopes(), action) {
            return Some("this is read-only; nothing is sent or changed");
        }
        if action == Action::TakeBack && self.held.all().is_empty() {
            return Some("no message is waiting to be sent");
        }
        if action == Action::Refresh && matches!(self.connection, Connection::Down(_)) {
            return Some("there is no server");
        }
        self.pane().disabled(action, &self.view())
    }

    /// Why an action that help or palette list cannot be done now; overlays do not tell.
    pub(in crate::ui) fn disabled_below(&self, action: Action) -> Option<&'static str> {
        if self.overlays.layers().len() > 1 { None } else { self.disabled(action) }
    }

    // Time.

    /// The next moment at which something changes by itself; `None` where nothing ever will.
    pub fn next_wake(&self) -> Option<Duration> {
        let clock = self.zone.as_ref().map(|_| self.now.mono + until_next_minute(self.now.wall));
        let panes = self.panes.iter().enumerate().filter_map(|(at, pane)| pane.next_change(&self.view_of(at)));
        let health = health::next_change(&self.health, self.pane().freshness(), self.now);
        let overlay = self.next_overlay_change();
        [clock, health, overlay, self.notices.next_change(), self.held.next_change(self.now.mono)]
            .into_iter()
            .flatten()
            .chain(panes)
            .min()
    }

    // Messages.

    /// Takes a message and returns what is to be done.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.automatic = matches!(message, Message::Tick(_) | Message::Task(_));
        match message {
            Message::Tick(now) => self.tick(now, &mut effects),
            Message::Resize(size) => {
                self.size = size;
                self.each(&mut effects, super::pane::Pane::resize);
            }
            Message::Zone(zone) => self.zone = Some(zone),
            Message::Problem(text) => self.notices.problem(text, self.now),
            Message::Edited(result) => self.edited(result, &mut effects),
            Message::Suspend => self.leave(Effect::Suspend, &mut effects),
            Message::Terminate => self.leave(Effect::Quit, &mut effects),
            Message::Task(event) => self.task(event, &mut effects),
            Message::Input(Input::Mouse(mouse)) => self.mouse(mouse, &mut effects),
            Message::Input(Input::Key(key)) => self.key(key, &mut effects),
            Message::Input(paste @ Input::Paste(_)) => self.text(&paste, &mut effects),
        }
        effects
    }

    fn tick(&mut self, now: Moment, effects: &mut Vec<Effect>) {
        self.now = now;
        self.notices.tick(now);
        self.tick_overlay(effects);
        self.release_held(effects);
        self.each(effects, super::pane::Pane::tick);
    }

    fn task(&mut self, event: tasks::Event, effects: &mut Vec<Effect>) {
        match &event {
            tasks::Event::Connected { account, .. } => self.connection = Connection::Up { account: account.clone() },
            tasks::Event::NotConnected { reason } => {
                self.notices.problem(reason.clone(), self.now);
                self.connection = Connection::Down(reason.clone());
            }
            tasks::Event::Done(report) => {
                self.sends.retain(|id| *id != report.id);
                self.health.learn(&report.result, self.now);
            }
            tasks::Event::Started { .. } | tasks::Event::Tried { .. } => {}
        }
        self.each(effects, |pane, cx| pane.hear(&event, cx));
        let tasks::Event::Done(report) = event else { return };
        if report.origin.pane == data::NAME {
            self.data.reply(report, self.now);
            self.each(effects, super::pane::Pane::data_changed);
        } else if let Some(at) = PANES.iter().position(|pane| pane.id.0 == report.origin.pane) {
            self.with(at, effects, |pane, cx| pane.reply(report, cx));
        }
    }

    /// Quits. While something would be interrupted, asks for a second press first.
    fn quit(&mut self, effects: &mut Vec<Effect>) {
        let again = self.quit_asked.take().is_some_and(|until| self.now.mono <= until);
        let held = (!self.held.all().is_empty())
            .then_some("A message is waiting to be sent: q again quits, it is not sent, and its draft is kept");
        let interrupted = held.or_else(|| self.panes.iter().find_map(|pane| pane.interrupts()));
        let sending = "A message is being sent: q again quits, and its outcome stays unknown";
        let Some(warning) = interrupted.or((!self.sends.is_empty()).then_some(sending)).filter(|_| !again) else {
            return self.leave(Effect::Quit, effects);
        };
        self.quit_asked = Some(self.now.mono + QUIT_AGAIN);
        self.notices.toast(warning, self.now);
    }

    /// Suspends or ends, with drafts saved before.
    fn leave(&mut self, how: Effect, effects: &mut Vec<Effect>) {
        for held in self.held.take_all_back() {
            self.not_sent(&held.who, "the program was stopped");
        }
        self.each(effects, super::pane::Pane::put_aside);
        effects.push(how);
    }

    /// Changes a pane of this type, for the tests of its parts.
    #[cfg(test)]
    pub(in crate::ui) fn change_pane<P: Pane + Clone>(
        &mut self,
        effects: &mut Vec<Effect>,
        change: impl FnOnce(&mut P, &mut Context<'_>),
    ) {
        let found = self.panes.iter().enumerate().find_map(|(at, pane)| Some((at, pane.as_any().downcast_ref::<P>()?)));
        let (at, mut pane) = found.map(|(at, pane)| (at, pane.clone())).unwrap();
        self.with(at, effects, |_, cx| change(&mut pane, cx));
        self.panes[at] = Box::new(pane);
    }

    // Held messages.

    /// Lets those leave whose hold has ended.
    fn release_held(&mut self, effects: &mut Vec<Effect>) {
        for (held, awake) in self.held.take_due(self.now) {
            if !awake {
                self.not_sent(&held.who, "the program was stopped while it waited");
            } else if let Some(at) = PANES.iter().position(|pane| pane.id == held.owner) {
                self.with(at, effects, |pane, cx| pane.depart(held, cx));
            }
        }
    }

    /// Takes the newest back.
    fn take_back(&mut self) {
        if let Some(held) = self.held.take_back() {
            self.notices.toast(format!("Taken back: nothing was sent to {}; the draft is kept", held.who), self.now);
        }
    }

    fn not_sent(&mut self, who: &str, why: &str) {
        self.notices.problem(format!("Nothing was sent to {who}: {why}. The draft is kept."), self.now);
    }

    fn go(&mut self, pane: PaneId, effects: &mut Vec<Effect>) {
        self.follow(Route::Pane(pane), effects);
    }
}
