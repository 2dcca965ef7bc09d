//! The app in process as a stage: the real loop on its thread, the real task channel, and HTTP to the embedded service.

use super::canned::noon;
use super::screen::Screen;
use super::server::Server;
use super::story::{Clocked, PATIENCE, Stage};
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use switchboard::api::Token;
use switchboard::client::{Client, ClientConfig};
use switchboard::records::Records;
use switchboard::tasks::{self, Answer, Connected, Report};
use switchboard::ui::input::{Input, Key};
use switchboard::ui::{self, App, Effect, Instant, Message, Moment, Options, Outside};

/// Where the server is said to be; its port is another each time.
const BASE_URL: &str = "http://127.0.0.1:8787/api";
/// How long each try is said to have taken.
const TOOK: Duration = Duration::from_millis(12);

/// What the loop has done so far.
struct Done {
    screen: Screen,
    /// Fences that were passed; see [`Shared::pass_fence`].
    fences: u64,
    /// Effects that were given to the task channel.
    begun: u64,
    now: Moment,
    ended: bool,
}

/// The loop's thread and the storyteller's share it.
struct Shared {
    done: Mutex<Done>,
    changed: Condvar,
}

impl Shared {
    /// Waits until every message that was sent has been taken; false where that takes too long.
    ///
    /// A wish to draw anew passes through the loop behind all that came before it, and here does nothing else.
    fn pass_fence(&self, messages: &Sender<Message>) -> bool {
        let done = self.done.lock().unwrap();
        let before = done.fences;
        if messages.send(Message::Input(Input::Key(Key::ctrl('l')))).is_err() {
            return done.ended;
        }
        let waits = |done: &mut Done| done.fences == before && !done.ended;
        !self.changed.wait_timeout_while(done, PATIENCE, waits).unwrap().1.timed_out()
    }
}

/// The world outside the interface: a screen that is kept, a clock in hand, and the task channel.
struct Hall {
    shared: Arc<Shared>,
    tasks: Arc<tasks::Handle>,
    fences: u64,
}

impl Outside for Hall {
    fn now(&mut self) -> Moment {
        self.shared.done.lock().unwrap().now
    }

    fn show(&mut self, app: &App) -> io::Result<()> {
        let screen = Screen::of(app);
        let mut done = self.shared.done.lock().unwrap();
        (done.screen, done.fences) = (screen, self.fences);
        self.shared.changed.notify_all();
        Ok(())
    }

    fn perform(&mut self, effect: Effect) -> io::Result<ControlFlow<()>> {
        match effect {
            Effect::Run(effect) => {
                self.shared.done.lock().unwrap().begun += 1;
                self.tasks.run(effect);
            }
            Effect::Cancel(id) => self.tasks.cancel(id),
            Effect::Reconnect => self.tasks.reconnect(),
            Effect::Redraw => self.fences += 1,
            Effect::Copy(_) | Effect::Notify(_) | Effect::OpenUrl(_) | Effect::EditText(_) | Effect::Suspend => {}
            Effect::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The app and its server.
pub struct Inside {
    pub server: Server,
    sender: Sender<Message>,
    shared: Arc<Shared>,
    tasks: Arc<tasks::Handle>,
    thread: Option<JoinHandle<()>>,
}

impl Inside {
    /// Starts the app on this server.
    pub fn start(size: (u16, u16), options: Options, server: Server) -> Self {
        Self::start_on(size, options, server, Arc::new(Records::in_memory().unwrap()))
    }

    /// Starts the app on this server, with what an earlier one has stored on this machine.
    pub fn start_on(size: (u16, u16), options: Options, server: Server, records: Arc<Records>) -> Self {
        let now = Moment { wall: server.clock.now(), mono: Instant::START };
        let done = Done { screen: Screen::blank(), fences: 0, begun: 0, now, ended: false };
        let shared = Arc::new(Shared { done: Mutex::new(done), changed: Condvar::new() });
        let (sender, inbox) = channel();

        let mut config = ClientConfig::new(server.base_url().parse().unwrap(), server.token.clone());
        config.channel = server.channel.clone();
        // Failures are told at once: how retries go is not the story.
        config.retries = 0;
        let (account, token_file) = (server.account.clone(), options.token_file.clone());
        let messages = Mutex::new(sender.clone());
        let clock = server.clock.clone();
        let tasks = tasks::start(
            tasks::Config {
                read_only: options.read_only,
                clock: Arc::new(move || clock.now()),
                ..tasks::Config::new(records, options.place.profile())
            },
            move || {
                let connected = Connected::with(Client::new(config.clone()).unwrap(), BASE_URL.to_owned());
                // Which key is in use is what the token file says; requests keep the token of the server's world.
                let token = token_file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
                let key_id = token.and_then(|token| Token::new(&token).key_id());
                std::future::ready(Ok(connected.of_account(account.clone()).of_key(key_id)))
            },
            Arc::new(move |mut event| {
                if let tasks::Event::Tried { attempt, .. } = &mut event {
                    attempt.took = TOOK;
                }
                if let tasks::Event::Done(Report { result: Ok(Answer::Tried(tried)), .. }) = &mut event {
                    tried.took = TOOK;
                }
                let _ = messages.lock().unwrap().send(Message::Task(event));
            }),
        );
        let tasks = Arc::new(tasks.unwrap());

        sender.send(Message::Zone(TimeZone::get("Europe/Berlin").unwrap())).unwrap();
        let mut app = App::new(options, Size { width: size.0, height: size.1 }, now);
        let mut hall = Hall { shared: Arc::clone(&shared), tasks: Arc::clone(&tasks), fences: 0 };
        let thread = std::thread::spawn(move || {
            let outcome = ui::run(&mut app, &inbox, &mut hall);
            hall.shared.done.lock().unwrap().ended = true;
            hall.shared.changed.notify_all();
            outcome.unwrap();
        });
        Self { server, sender, shared, tasks, thread: Some(thread) }
    }

    /// Starts the app on a small world that stands still at the time of the stories.
    pub fn small(size: (u16, u16)) -> Self {
        Self::small_with(size, Options::default())
    }

    /// Starts the app with these options on a small world that stands still at the time of the stories.
    pub fn small_with(size: (u16, u16), options: Options) -> Self {
        Self::start(size, options, Server::start(&super::canned::world(), service_clock()))
    }

    /// Starts the app on a small world in which nobody writes but who is told to.
    pub fn still(size: (u16, u16)) -> Self {
        let server = Server::start(&super::canned::still_world(), service_clock());
        Self::start(size, Options::default(), server)
    }

    fn wait(&self, reached: impl Fn(&Done) -> bool) -> Result<Screen, Screen> {
        let done = self.shared.done.lock().unwrap();
        let (done, late) = self.shared.changed.wait_timeout_while(done, PATIENCE, |done| !reached(done)).unwrap();
        if late.timed_out() { Err(done.screen.clone()) } else { Ok(done.screen.clone()) }
    }

    /// Waits until every message has been taken and every request has been answered.
    ///
    /// An idle channel alone does not tell: a short effect begins and ends while this thread waits for the processor,
    /// and its result is still in the inbox. So it is settled once none has begun since the channel was last busy.
    pub fn settle(&self) {
        loop {
            let begun = self.begun();
            assert!(self.tasks.wait_idle(PATIENCE), "the tasks are never idle");
            assert!(self.shared.pass_fence(&self.sender), "the loop is stuck");
            if self.begun() == begun {
                return;
            }
        }
    }

    fn begun(&self) -> u64 {
        self.shared.done.lock().unwrap().begun
    }

    /// Waits until the app has ended.
    pub fn ends(&self) {
        assert!(self.wait(|done| done.ended).is_ok(), "it does not end");
    }
}

/// The service's clock at the time of the stories.
pub fn service_clock() -> switchboard::service::Clock {
    switchboard::service::Clock::fixed(noon())
}

impl Stage for Inside {
    fn input(&mut self, input: Input) {
        // A person does not type into a program that has ended; a story may.
        let _ = self.sender.send(Message::Input(input));
    }

    fn resize(&mut self, size: Size) {
        self.sender.send(Message::Resize(size)).unwrap();
    }

    fn until(&mut self, wanted: &dyn Fn(&Screen) -> bool) -> Result<Screen, Screen> {
        self.wait(|done| wanted(&done.screen))
    }
}

impl Clocked for Inside {
    fn pass(&mut self, span: Duration) {
        self.settle();
        self.server.clock.advance(span);
        let now = {
            let mut done = self.shared.done.lock().unwrap();
            done.now = done.now.plus(span);
            done.now
        };
        self.sender.send(Message::Tick(now)).unwrap();
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let _ = self.sender.send(Message::Terminate);
        let ended = self.thread.take().map(JoinHandle::join);
        self.tasks.shutdown(Duration::ZERO);
        assert!(std::thread::panicking() || !matches!(ended, Some(Err(_))), "the loop panicked");
    }
}
