//! The state of the interface, and what each message changes in it. The app knows its panes only as a list.

mod actions;
mod mouse;
mod overlays;

use crate::tasks::{self, TaskId};
use crate::ui::action::{Action, PaneId, Scope};
use crate::ui::ages::until_next_minute;
use crate::ui::data;
use crate::ui::health::{self, Health};
use crate::ui::held::{self, Held, HeldSend};
use crate::ui::input::{Input, Key};
use crate::ui::layout::{self, Areas};
use crate::ui::message::{Effect, Instant, Message, Moment};
use crate::ui::options::Options;
use crate::ui::overlay::{self, Layer, Overlay};
use crate::ui::pane::{Context, Pane, View};
use crate::ui::registry::PANES;
use crate::ui::route::Route;
use crate::ui::text::clean;
use ratatui::layout::Size;
use std::time::Duration;

/// For how long a second press quits although something would be interrupted.
const QUIT_AGAIN: Duration = Duration::from_secs(4);

/// What is known about the server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Connection {
    /// It is being started or looked for.
    #[default]
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
    /// What is lent to the pane that handles a message; between messages, as the last one left it.
    pub(in crate::ui) cx: Context,
    pub(in crate::ui) size: Size,
    pub(in crate::ui) health: Health,
    /// In the order of [`PANES`].
    panes: Vec<Box<dyn Pane>>,
    /// The pane on screen.
    current: usize,
    /// Name of the form overlay and path of the field whose text is in `$EDITOR`; `None` for a field of the pane.
    editing: Option<(&'static str, String)>,
    /// Until when a second press quits although this would be interrupted.
    quit_asked: Option<(Instant, String)>,
    /// What was not sent since the program ends, in sentences.
    unsent: Vec<String>,
    /// True where the program was ended by a signal while something confirmed waited to leave.
    is_cut_short: bool,
}

impl App {
    /// The state at the start, before anything has happened.
    pub fn new(options: Options, size: Size, now: Moment) -> Self {
        let body = layout::areas(size).body;
        Self {
            size,
            health: Health::default(),
            panes: PANES.iter().map(|pane| (pane.new)(&options, body)).collect(),
            current: 0,
            editing: None,
            quit_asked: None,
            unsent: Vec::new(),
            is_cut_short: false,
            cx: Context { options, body, now, previous: PANES[0].id, ..Context::default() },
        }
    }

    /// The effects of the start: what the first pane needs.
    pub fn start(&mut self) -> Vec<Effect> {
        self.each(Pane::start);
        std::mem::take(&mut self.cx.tasks.effects)
    }

    /// The terminal's size.
    pub fn size(&self) -> Size {
        self.size
    }

    // The panes.

    /// Lets a pane handle something, and goes where it wants to go. `None` where there is no such pane.
    fn with<R>(&mut self, id: PaneId, handle: impl FnOnce(&mut dyn Pane, &mut Context) -> R) -> Option<R> {
        let at = PANES.iter().position(|pane| pane.id == id)?;
        (self.cx.pane, self.cx.shown) = (id, at == self.current);
        let result = handle(self.panes[at].as_mut(), &mut self.cx);
        if let Some(route) = self.cx.route.take() {
            self.follow(route);
        }
        Some(result)
    }

    /// Lets the pane on screen handle something.
    fn with_current<R>(&mut self, handle: impl FnOnce(&mut dyn Pane, &mut Context) -> R) -> Option<R> {
        self.with(self.current(), handle)
    }

    fn each(&mut self, mut handle: impl FnMut(&mut dyn Pane, &mut Context)) {
        for pane in PANES {
            self.with(pane.id, &mut handle);
        }
    }

    /// The pane on screen.
    pub(in crate::ui) fn pane(&self) -> &dyn Pane {
        self.panes[self.current].as_ref()
    }

    /// The name of the pane on screen.
    pub(in crate::ui) fn current(&self) -> PaneId {
        PANES[self.current].id
    }

    /// All panes, in the order of their tabs.
    pub(in crate::ui) fn panes(&self) -> impl Iterator<Item = &dyn Pane> {
        self.panes.iter().map(AsRef::as_ref)
    }

    fn follow(&mut self, route: Route) {
        let (from, to) = (self.current(), route.pane());
        let Some(at) = PANES.iter().position(|pane| pane.id == to) else { return };
        if route.shows() && at != self.current {
            (self.current, self.cx.previous) = (at, from);
            self.with(from, |pane, cx| pane.show(false, cx));
            self.with(to, |pane, cx| pane.show(true, cx));
        }
        if !matches!(route, Route::Pane(_)) {
            self.with(to, |pane, cx| pane.route(route, cx));
        }
    }

    // What is in force.

    pub(in crate::ui) fn areas(&self) -> Areas {
        layout::areas(self.size)
    }

    /// What the pane on screen sees while it draws.
    pub(in crate::ui) fn view(&self) -> View<'_> {
        View { shown: true, ..self.cx.view() }
    }

    /// The scopes whose keys hold now, the narrowest first.
    pub fn scopes(&self) -> &'static [Scope] {
        overlay::scopes(&self.cx.overlays.layers).unwrap_or_else(|| self.pane().scopes())
    }

    /// The layers below the topmost: what help and palette tell of.
    pub(in crate::ui) fn below(&self) -> &[Layer] {
        self.cx.overlays.layers.split_last().map_or(&[], |(_, below)| below)
    }

    /// The scopes below the topmost overlay.
    pub(in crate::ui) fn scopes_below(&self) -> &'static [Scope] {
        overlay::scopes(self.below()).unwrap_or_else(|| self.pane().scopes())
    }

    /// True while letters are text.
    pub fn is_typing(&self) -> bool {
        self.cx.overlays.top().map_or_else(|| self.pane().takes_text(), Overlay::takes_text)
    }

    /// True where a key is a key: where letters are text, one that types is not.
    pub(in crate::ui) fn is_key(&self, key: Key) -> bool {
        !self.is_typing() || key.typed().is_none()
    }

    /// Why an action cannot be done in the pane on screen now; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        self.disabled_in(self.pane().scopes(), action).or_else(|| self.pane().disabled(action, &self.view()))
    }

    /// Why an action that help or palette list cannot be done now, in the pane or the overlay below them.
    pub(in crate::ui) fn disabled_below(&self, action: Action) -> Option<&'static str> {
        let Some(layer) = self.below().last() else { return self.disabled(action) };
        self.disabled_in(self.scopes_below(), action).or_else(|| layer.overlay.disabled(action))
    }

    /// What keeps an action from being done anywhere, where these scopes hold.
    fn disabled_in(&self, scopes: &[Scope], action: Action) -> Option<&'static str> {
        if self.cx.options.read_only && self.cx.options.keymap.writes(scopes, action) {
            return Some("this is read-only; nothing is sent or changed");
        }
        match action {
            Action::TakeBack if !self.holds() => Some("no message is waiting to be sent"),
            Action::Refresh if matches!(self.cx.connection, Connection::Down(_)) => Some("there is no server"),
            _ => None,
        }
    }

    // Time.

    /// The next moment at which something changes by itself; `None` where nothing ever will.
    pub fn next_wake(&self) -> Option<Instant> {
        let now = self.cx.now;
        let panes = self.panes.iter().enumerate();
        let panes = panes.map(|(at, pane)| pane.next_change(&View { shown: at == self.current, ..self.cx.view() }));
        let clock = self.cx.zone.as_ref().map(|_| now.mono + until_next_minute(now.wall));
        let health = health::next_change(&self.health, self.pane().freshness(), now);
        let overlay = match self.cx.overlays.top() {
            Some(Overlay::Confirm(confirm)) => confirm.next_change(now.mono),
            _ => None,
        };
        let held = held::next_change(&self.cx.held, &self.cx.tasks.sends, now.mono);
        let own = [clock, health, overlay, self.cx.notices.next_change(), held];
        panes.chain(own).flatten().min()
    }

    // Messages.

    /// Takes a message and returns what is to be done.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        self.cx.tasks.automatic = matches!(message, Message::Tick(_) | Message::Task(_));
        match message {
            Message::Tick(now) => self.tick(now),
            Message::Resize(size) => {
                (self.size, self.cx.body) = (size, layout::areas(size).body);
                self.each(Pane::resize);
            }
            Message::Zone(zone) => self.cx.zone = Some(zone),
            Message::Problem(text) => self.cx.problem(text),
            Message::Warning(text) => self.cx.notices.urgent(text, self.cx.now),
            Message::NotOpened { url, why } => self.cx.not_opened(url, &why),
            Message::Edited(result) => self.edited(result),
            Message::Suspend => self.leave(Effect::Suspend),
            Message::Terminate => self.terminate(),
            Message::Task(event) => self.task(event),
            Message::Input(Input::Mouse(mouse)) => self.mouse(mouse),
            Message::Input(Input::Key(key)) => self.key(key),
            Message::Input(paste @ Input::Paste(_)) => self.text(&paste),
        }
        let now = self.cx.now.mono;
        self.cx.tasks.sends.iter_mut().for_each(|send| send.tick(now));
        std::mem::take(&mut self.cx.tasks.effects)
    }

    fn tick(&mut self, now: Moment) {
        self.cx.now = now;
        self.cx.notices.tick(now);
        self.tick_overlay();
        self.release_held();
        self.each(Pane::tick);
    }

    fn task(&mut self, event: tasks::Event) {
        let now = self.cx.now;
        self.cx.tasks.sends.iter_mut().for_each(|send| send.learn(&event, now.mono));
        match &event {
            tasks::Event::Connected { base_url, account, key_id, charges } => {
                self.cx.links.learn(base_url);
                if let Some(link) = &self.cx.options.link {
                    self.cx.links.learn(&link.of(""));
                }
                self.cx.connection = Connection::Up { account: account.clone() };
                self.cx.connections += 1;
                (self.cx.data.key_id, self.cx.data.charges) = (*key_id, *charges);
            }
            tasks::Event::NotConnected { reason } => {
                self.cx.problem(reason.clone());
                self.cx.connection = Connection::Down(reason.clone());
            }
            tasks::Event::Done(report) => {
                self.cx.tasks.sends.retain(|send| send.id != report.id);
                self.health.learn(&report.result, self.cx.now);
            }
            tasks::Event::Unwritten(words) => {
                self.cx.tasks.unwritten = true;
                self.cx.notices.urgent(words.clone(), now);
            }
            tasks::Event::Written => {
                self.cx.tasks.unwritten = false;
                self.cx.toast("All outcomes are recorded by now");
            }
            tasks::Event::Started { .. }
            | tasks::Event::Left { .. }
            | tasks::Event::Tried { .. }
            | tasks::Event::Progress { .. }
            | tasks::Event::Arrival(_) => {}
        }
        self.each(|pane, cx| pane.hear(&event, cx));
        let tasks::Event::Done(report) = event else { return };
        if report.origin.pane == data::NAME {
            self.cx.data.reply(report, &mut self.cx.tasks, self.cx.now);
            self.each(Pane::data_changed);
        } else {
            self.with(PaneId(report.origin.pane), |pane, cx| pane.reply(report, cx));
        }
    }

    /// Quits. While something would be interrupted, asks for a second press first.
    fn quit(&mut self) {
        let asked = self.quit_asked.take().filter(|(until, _)| self.cx.now.mono <= *until);
        let sending = "A message is being sent: q again quits, and its outcome stays unknown";
        let sending = (!self.cx.tasks.sends.is_empty()).then_some(sending);
        let unwritten = "An outcome is not recorded yet: q again quits, and it may stay unknown";
        let sending = sending.or(self.cx.tasks.unwritten.then_some(unwritten));
        let interrupts = || self.panes().find_map(Pane::interrupts).or(sending).map(str::to_owned);
        match held::quitting(&self.cx.held).or_else(interrupts) {
            // What is held may have left since: that is another question.
            Some(warning) if asked.is_none_or(|(_, about)| about != warning) => {
                self.cx.toast(warning.clone());
                self.quit_asked = Some((self.cx.now.mono + QUIT_AGAIN, warning));
            }
            _ => self.leave(Effect::Quit),
        }
    }

    /// Ends since it has to. Perhaps nobody reads what is told now: what is held is told at the next start too.
    fn terminate(&mut self) {
        let held = std::mem::take(&mut self.cx.held);
        self.leave(Effect::Quit);
        let unsent: Vec<_> = held.iter().map(|held| not_sent(held, "the program was stopped")).collect();
        self.unsent.extend(unsent);
        self.is_cut_short = !self.unsent.is_empty();
    }

    /// Suspends or ends, with drafts saved before.
    fn leave(&mut self, how: Effect) {
        // A suspended program tells it on screen when it comes back.
        self.unsent.clear();
        if how == Effect::Quit && self.panes().any(Pane::holds) {
            self.unsent.push("The batch was not started; no row was sent.".to_owned());
        }
        for held in std::mem::take(&mut self.cx.held) {
            self.not_sent(&held, "the program was stopped");
        }
        self.each(Pane::put_aside);
        self.cx.push(how);
    }

    /// Changes a pane of this type, for the tests of its parts.
    #[cfg(test)]
    pub(in crate::ui) fn change_pane<P: Pane + Clone>(
        &mut self,
        change: impl FnOnce(&mut P, &mut Context),
    ) -> Vec<Effect> {
        let found = self
            .panes
            .iter()
            .enumerate()
            .find_map(|(at, pane)| Some((at, (&**pane as &dyn std::any::Any).downcast_ref::<P>()?)));
        let (at, mut pane) = found.map(|(at, pane)| (at, pane.clone())).unwrap();
        self.with(PANES[at].id, |_, cx| change(&mut pane, cx));
        self.panes[at] = Box::new(pane);
        std::mem::take(&mut self.cx.tasks.effects)
    }

    // Held messages.

    /// The place of the held message that is selected in the pane on screen.
    pub(in crate::ui) fn selected_hold(&self) -> Option<usize> {
        let id = self.pane().selected_hold()?;
        self.cx.held.iter().position(|held| held.sending.intent.id == id)
    }

    /// Lets those leave whose hold has ended.
    fn release_held(&mut self) {
        let now = self.cx.now;
        let due: Vec<_> = self.cx.held.extract_if(.., |held| held.hold.at(now) != Held::Still).collect();
        for held in due {
            if held.hold.at(now) == Held::Slept {
                self.not_sent(&held, "the program was stopped while it waited");
            } else {
                self.with(held.owner, |pane, cx| pane.depart(held, cx));
            }
        }
    }

    fn not_sent(&mut self, held: &HeldSend, why: &str) {
        let text = not_sent(held, why);
        self.cx.let_go(held);
        self.unsent.push(text.clone());
        self.cx.problem(text);
    }

    /// What was not sent because the program was stopped, in sentences: to be told once the screen is gone.
    pub fn unsent(&self) -> &[String] {
        &self.unsent
    }

    /// Whether something confirmed was not sent since the program was ended by a signal or its terminal was closed.
    pub fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// The newest message or call that waits to leave although its hold is over.
    fn waiting(&self) -> Option<TaskId> {
        let mut waiting = self.cx.tasks.sends.iter().filter(|send| send.waits(self.cx.now.mono));
        waiting.next_back().map(|send| send.id)
    }

    /// True where something was confirmed that can still be taken back.
    fn holds(&self) -> bool {
        !self.cx.held.is_empty() || self.waiting().is_some() || self.panes().any(Pane::holds)
    }
}

/// That something that was held has not left, and why, in a sentence.
fn not_sent(held: &HeldSend, why: &str) -> String {
    let who = &held.who;
    let text = if held.sending.intent.is_call() {
        format!("{who} was not called: {why}.")
    } else {
        let kept = if held.sending.is_code { "The code has to be typed again." } else { "The draft is kept." };
        format!("Nothing was sent to {who}: {why}. {kept}")
    };
    clean(&text).into_owned()
}
