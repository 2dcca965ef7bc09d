//! The handle of the task channel, as the interface holds it.

use super::channel::Channel;
use super::events::{EventSink, Events};
use super::{Effect, Requests, TaskId};
use crate::client::Client;
use crate::messaging::Charges;
use crate::records::Records;
use jiff::{SignedDuration, Timestamp};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// For a thread whose grace is over to notice it.
const MARGIN: Duration = Duration::from_millis(250);

/// Threads for disk access and name lookups. The outbox takes one message at a time, so more would only queue.
const BLOCKING_THREADS: usize = 8;

/// The clock that dates records.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The settings of the channel.
#[derive(Clone)]
pub struct Config {
    /// For one effect with all its tries; longer than the client's deadline for one try. A message has none: its retries
    /// end by themselves.
    pub deadline: Duration,
    /// The storage on this machine, with the outbox.
    pub records: Arc<Records>,
    /// The profile that records belong to.
    pub profile: String,
    /// True where only reads are sent.
    pub read_only: bool,
    /// Why nothing may be sent that has to be recorded; `None` where it can be.
    pub no_outbox: Option<String>,
    /// Dates records.
    pub clock: Clock,
    /// How long the same template to the same person asks first.
    pub repeat: SignedDuration,
}

impl Config {
    /// For a profile: a deadline of 60 s, the system's clock, writes allowed, repeats asked about for a day.
    pub fn new(records: Arc<Records>, profile: impl Into<String>) -> Self {
        let (deadline, clock) = (Duration::from_secs(60), Arc::new(Timestamp::now));
        let repeat = SignedDuration::from_hours(24);
        Self { deadline, records, profile: profile.into(), read_only: false, no_outbox: None, clock, repeat }
    }
}

/// Ends what lives as long as a connection; dropped unpolled where the grace is over.
pub(super) type Closing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A connection to a server.
pub struct Connected<R = Client> {
    pub(super) requests: R,
    pub(super) base_url: String,
    pub(super) account: Option<String>,
    pub(super) key_id: Option<i64>,
    pub(super) charges: Option<Charges>,
    pub(super) closing: Closing,
}

impl Connected<Client> {
    /// Requests are sent by this client.
    pub fn new(client: Client) -> Self {
        let (base_url, key_id) = (client.base_url().to_owned(), client.key_id());
        Self::with(client, base_url).of_key(key_id)
    }
}

impl<R: Requests> Connected<R> {
    /// Requests are performed by `requests`, of the server at this base URL.
    pub fn with(requests: R, base_url: String) -> Self {
        Self {
            requests,
            base_url,
            account: None,
            key_id: None,
            charges: None,
            closing: Box::pin(std::future::ready(())),
        }
    }

    /// The account that the token belongs to.
    #[must_use]
    pub fn of_account(mut self, account: Option<String>) -> Self {
        self.account = account;
        self
    }

    /// The id of the API key in use.
    #[must_use]
    pub fn of_key(mut self, key_id: Option<i64>) -> Self {
        self.key_id = key_id;
        self
    }

    /// What the server charges for messages.
    #[must_use]
    pub fn of_charges(mut self, charges: Option<Charges>) -> Self {
        self.charges = charges;
        self
    }

    /// What lives as long as the connection, e.g. the embedded service: `closing` owns it, is polled at shutdown on the
    /// runtime of the tasks, and is dropped when the grace has passed.
    #[must_use]
    pub fn closed_by(mut self, closing: impl Future<Output = ()> + Send + 'static) -> Self {
        self.closing = Box::pin(closing);
        self
    }
}

/// A command of the handle.
pub(super) enum Command {
    Run(Effect),
    Cancel(TaskId),
    TakeBack(TaskId),
    Reconnect,
    Shutdown(Duration),
}

/// The handle. Only [`Handle::wait_idle`] and [`Handle::shutdown`] block. Dropping it ends the thread.
pub struct Handle {
    commands: UnboundedSender<Command>,
    events: Arc<EventSink>,
}

/// Starts the thread `tasks`, which connects and then runs the effects, on a runtime of its own.
///
/// `connect` is called at once, and again by [`Handle::reconnect`]. Effects wait for the connection.
///
/// # Errors
/// When the thread cannot be started.
pub fn start<R, C, F>(config: Config, connect: C, events: Events) -> io::Result<Handle>
where
    R: Requests,
    C: Fn() -> F + Send + Sync + 'static,
    F: Future<Output = Result<Connected<R>, String>> + Send + 'static,
{
    let events = Arc::new(EventSink::new(events));
    let (commands, inbox) = unbounded_channel();
    let channel = Channel::new(config, Arc::clone(&events), inbox);
    let ended = Ended(Arc::clone(&events));
    std::thread::Builder::new().name("tasks".to_owned()).spawn(move || {
        let _ended = ended;
        run(channel, connect);
    })?;
    Ok(Handle { commands, events })
}

fn run<R, C, F>(mut channel: Channel<R>, connect: C)
where
    R: Requests,
    C: Fn() -> F + Send + Sync + 'static,
    F: Future<Output = Result<Connected<R>, String>> + Send + 'static,
{
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    match runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build() {
        Ok(runtime) => {
            runtime.block_on(channel.run(connect));
            // A name lookup must not delay the end.
            runtime.shutdown_background();
        }
        Err(error) => channel.absent(format!("the async runtime cannot be started: {error}")),
    }
}

/// Reports the end of the thread, however that comes about.
struct Ended(Arc<EventSink>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Handle {
    /// Runs an effect. Exactly one [`super::Report`] follows as an event.
    pub fn run(&self, effect: Effect) {
        self.events.accepted();
        if let Err(unsent) = self.commands.send(Command::Run(effect))
            && let Command::Run(effect) = unsent.0
        {
            self.events.refuse(&effect);
        }
    }

    /// Keeps a message from leaving, or from leaving again where the server has turned it away. Its result follows.
    pub fn take_back(&self, id: TaskId) {
        let _ = self.commands.send(Command::TakeBack(id));
    }

    /// Cancels an effect: its result comes at once. A request without another waiter is aborted.
    ///
    /// A message is never aborted. One that has not left is taken back, and its result is its entry; one that has left
    /// goes on, and the outbox gets its outcome.
    pub fn cancel(&self, id: TaskId) {
        // A channel that has ended has answered every effect.
        let _ = self.commands.send(Command::Cancel(id));
    }

    /// Reads the profile's token again and replaces the client. [`super::Event::Connected`] or
    /// [`super::Event::NotConnected`] follows.
    ///
    /// Requests in flight go on with the old client and get their results. Effects given from here on wait for the new one.
    pub fn reconnect(&self) {
        let _ = self.commands.send(Command::Reconnect);
    }

    /// How many effects have no result yet; with 0 the channel is idle. An effect stops counting just after its event was
    /// sent, so idle means that every event is out.
    pub fn outstanding(&self) -> usize {
        self.events.outstanding()
    }

    /// Blocks until the channel is idle; false where that took longer than `timeout`.
    pub fn wait_idle(&self, timeout: Duration) -> bool {
        self.events.wait_idle(timeout)
    }

    /// Ends the channel and blocks until it has ended, at most a moment longer than `grace`. Reads are cancelled, messages
    /// that have not left are taken back, writes in flight may be answered within the grace. What is still pending then is
    /// answered, and recorded, with an unknown outcome.
    pub fn shutdown(&self, grace: Duration) {
        let _ = self.commands.send(Command::Shutdown(grace));
        if !self.events.wait_end(grace + MARGIN) {
            tracing::warn!("the task thread did not end in time");
        }
    }
}
