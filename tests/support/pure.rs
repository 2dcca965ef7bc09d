//! The pure core as a stage: messages in, effects answered on the spot, time in hand. No thread, no socket.

use super::canned::{Canned, noon};
use super::screen::Screen;
use super::story::{Clocked, Stage, Story};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use switchboard::client::{Attempt, Failure, FailureKind, Received};
use switchboard::messaging::{BalanceUnit, Charges};
use switchboard::tasks::{self, Event, Report, Task};
use switchboard::ui::input::Input;
use switchboard::ui::{App, Effect, Instant, Message, Moment, Options, Place};

/// How long the server takes to answer.
const TOOK: Duration = Duration::from_millis(12);

/// What the sandbox charges a tenant.
const CHARGES: Charges =
    Charges { unit: BalanceUnit::Credits, freeform: 0.005, authentication: 0.02, utility: 0.03, marketing: 0.08 };

/// The state of the app with everything that surrounds it.
#[derive(Clone)]
pub struct Pure {
    pub app: App,
    pub now: Moment,
    pub server: Canned,
    /// What the server has not answered yet.
    pub waiting: Vec<tasks::Effect>,
    /// What was handed to the clipboard.
    pub copied: Vec<String>,
    /// What was told outside the screen.
    pub notified: Vec<String>,
    /// Web addresses that were opened.
    pub opened: Vec<String>,
    /// The texts that the user's editor was given.
    pub edited: Vec<String>,
    pub ended: bool,
    /// What the server charges, where that is known.
    pub charges: Option<Charges>,
    /// The app before anything happened, and what has happened since.
    pub began: App,
    pub happened: Vec<Message>,
}

impl Pure {
    /// The app as its first frame shows it: no server yet.
    pub fn starting(size: (u16, u16), options: Options, server: Canned) -> Self {
        let now = Moment { wall: noon(), mono: Instant::START };
        let charges = (options.place == Place::Sandbox).then_some(CHARGES);
        let app = App::new(options, Size { width: size.0, height: size.1 }, now);
        let mut pure = Self {
            began: app.clone(),
            app,
            now,
            server,
            waiting: Vec::new(),
            copied: Vec::new(),
            notified: Vec::new(),
            opened: Vec::new(),
            edited: Vec::new(),
            ended: false,
            charges,
            happened: Vec::new(),
        };
        let (local, waiting) =
            pure.app.start().into_iter().filter_map(run).partition(|effect| !matches!(effect.task, Task::Server(_)));
        pure.waiting = waiting;
        // What is kept on this machine needs no server.
        pure.perform(Vec::into_iter(local).map(Effect::Run));
        pure.tell(Message::Zone(TimeZone::get("Europe/Berlin").unwrap()));
        pure
    }

    /// The app once there is a server.
    pub fn connected(size: (u16, u16), options: Options, server: Canned) -> Self {
        let mut pure = Self::starting(size, options, server);
        pure.connect();
        pure
    }

    /// The same after so many seconds.
    #[must_use]
    pub fn after(mut self, seconds: u64) -> Self {
        self.sleep(Duration::from_secs(seconds));
        self
    }

    /// The server is there.
    pub fn connect(&mut self) {
        let (base_url, account) = ("http://127.0.0.1:8787/api".to_owned(), Some("ada@example.com".to_owned()));
        let charges = self.charges;
        self.tell(Message::Task(Event::Connected { base_url, account, key_id: None, charges }));
        let waited = std::mem::take(&mut self.waiting);
        self.perform(waited.into_iter().map(Effect::Run));
    }

    /// Something happens, with all that follows from it.
    pub fn tell(&mut self, message: Message) {
        let mut effects = self.update(Message::Tick(self.now));
        effects.extend(self.update(message));
        self.perform(effects);
    }

    fn update(&mut self, message: Message) -> Vec<Effect> {
        self.happened.push(message.clone());
        self.app.update(message)
    }

    fn perform(&mut self, effects: impl IntoIterator<Item = Effect>) {
        let mut queue: VecDeque<Effect> = effects.into_iter().collect();
        while let Some(effect) = queue.pop_front() {
            match effect {
                Effect::Run(effect) => queue.extend(self.ask(effect)),
                Effect::Cancel(id) => {
                    let at = self.waiting.iter().position(|effect| effect.id == id);
                    if let Some(effect) = at.map(|at| self.waiting.remove(at)) {
                        queue.extend(self.report(&effect, Err(FailureKind::Cancelled)));
                    }
                }
                Effect::Copy(text) => self.copied.push(text),
                Effect::Quit => self.ended = true,
                Effect::Notify(text) => self.notified.push(text),
                Effect::OpenUrl(url) => self.opened.push(url),
                Effect::EditText(text) => self.edited.push(text),
                Effect::Redraw | Effect::Suspend | Effect::Reconnect => {}
            }
        }
    }

    fn ask(&mut self, effect: tasks::Effect) -> Vec<Effect> {
        let is_local = !matches!(effect.task, Task::Server(_));
        let mut effects = Vec::new();
        if let Some(operation) = effect.task.operation() {
            effects = self.update(Message::Task(Event::Started {
                id: effect.id,
                automatic: effect.origin.automatic,
                operation,
            }));
        }
        match self.server.answer(&effect.task, self.now.wall) {
            Some(result) if is_local => effects.extend(self.report(&effect, result)),
            Some(result) => effects.extend(self.answered(&effect, result)),
            None => self.waiting.push(effect),
        }
        effects
    }

    /// The server answers what it was silent about.
    pub fn answers(&mut self) {
        for effect in std::mem::take(&mut self.waiting) {
            match self.server.answer(&effect.task, self.now.wall) {
                Some(result) => {
                    let effects = self.answered(&effect, result);
                    self.perform(effects);
                }
                None => self.waiting.push(effect),
            }
        }
    }

    fn answered(&mut self, effect: &tasks::Effect, result: Result<tasks::Answer, FailureKind>) -> Vec<Effect> {
        let status = match &result {
            Ok(_) => Some(200),
            Err(FailureKind::Status { status, .. }) => Some(*status),
            Err(_) => None,
        };
        let fault = result.as_ref().err().map(ToString::to_string);
        let told = self.server.desk.ahead.filter(|_| status.is_some()).map(|ahead| self.now.wall + ahead);
        let server_time = told.and_then(|time| Timestamp::from_second(time.as_second()).ok());
        let received = status.map(|status| Arc::new(received(status)));
        let attempt = Attempt { number: 1, status, took: TOOK, fault, retry_in: None, server_time, received };
        let mut effects = self.update(Message::Task(Event::Tried { id: effect.id, attempt }));
        effects.extend(self.report(effect, result));
        effects
    }

    fn report(&mut self, effect: &tasks::Effect, result: Result<tasks::Answer, FailureKind>) -> Vec<Effect> {
        let operation = effect.task.operation();
        let result = result.map_err(|kind| Failure { operation, kind });
        self.update(Message::Task(Event::Done(Report { id: effect.id, origin: effect.origin, result })))
    }

    /// Wakes the app as its loop would, whenever it asked for that, until `span` has gone by.
    fn sleep(&mut self, span: Duration) {
        let end = self.now.mono + span;
        loop {
            let wake = self.app.next_wake().filter(|at| *at <= end);
            let step = wake.unwrap_or(end) - self.now.mono;
            self.now = self.now.plus(step);
            let effects = self.update(Message::Tick(self.now));
            self.perform(effects);
            let next = self.app.next_wake();
            assert!(next.is_none_or(|at| at > self.now.mono), "it would spin: awake at {:?}, next {next:?}", self.now);
            if wake.is_none() {
                return;
            }
        }
    }
}

/// An answer as the log keeps it.
fn received(status: u16) -> Received {
    let body = r#"{"data": [], "token": "•••"}"#.to_owned();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let headers = vec![header("content-type", "application/json"), header("set-cookie", "•••")];
    Received { status_line: format!("HTTP/1.1 {status}"), headers, length: body.len(), body }
}

fn run(effect: Effect) -> Option<tasks::Effect> {
    if let Effect::Run(effect) = effect { Some(effect) } else { None }
}

impl Stage for Pure {
    fn input(&mut self, input: Input) {
        self.tell(Message::Input(input));
    }

    fn resize(&mut self, size: Size) {
        self.tell(Message::Resize(size));
    }

    fn until(&mut self, wanted: &dyn Fn(&Screen) -> bool) -> Result<Screen, Screen> {
        let screen = Screen::of(&self.app);
        if wanted(&screen) { Ok(screen) } else { Err(screen) }
    }
}

impl Clocked for Pure {
    fn pass(&mut self, span: Duration) {
        self.sleep(span);
    }
}

/// A story on the pure core, with the first page on screen.
pub fn story(size: (u16, u16)) -> Story<Pure> {
    Story(Pure::connected(size, Options::default(), Canned::default()))
}
