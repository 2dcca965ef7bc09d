//! The near end of the task channel, as the interface holds it.

use super::channel::Channel;
use super::outlet::{Events, Outlet};
use super::{Effect, Requests, TaskId};
use crate::client::Client;
use crate::records::Records;
use jiff::Timestamp;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// For a thread that has used up its grace to notice it.
const MARGIN: Duration = Duration::from_millis(250);

/// Threads for what waits for the disk or for a name. The outbox takes one message at a time, so more would only queue.
const BLOCKING_THREADS: usize = 8;

/// Tells the time to what is recorded.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What the channel works with.
#[derive(Clone)]
pub struct Config {
    /// For one effect with all its tries; longer than the client's deadline for one try. A message has none: the client
    /// bounds it.
    pub deadline: Duration,
    /// Where messages are recorded, and everything else that is kept.
    pub records: Arc<Records>,
    /// The profile that it is all recorded for.
    pub profile: String,
    /// True where only reads become requests.
    pub read_only: bool,
    /// For the times of records.
    pub clock: Clock,
}

impl Config {
    /// For a profile: a minute for an effect, the system's clock, and writes are allowed.
    pub fn new(records: Arc<Records>, profile: impl Into<String>) -> Self {
        let (deadline, clock) = (Duration::from_secs(60), Arc::new(Timestamp::now));
        Self { deadline, records, profile: profile.into(), read_only: false, clock }
    }
}

/// Ends what was begun to have a server; dropped unpolled where there is no time for it.
pub(super) type Closing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A server to talk to.
pub struct Connected<R = Client> {
    pub(super) requests: R,
    pub(super) base_url: String,
    pub(super) account: Option<String>,
    pub(super) closing: Closing,
}

impl Connected<Client> {
    /// Requests go through this client.
    pub fn new(client: Client) -> Self {
        let base_url = client.base_url().to_owned();
        Self::with(client, base_url)
    }
}

impl<R: Requests> Connected<R> {
    /// Requests are performed by `requests`, of the server at this base URL.
    pub fn with(requests: R, base_url: String) -> Self {
        Self { requests, base_url, account: None, closing: Box::pin(std::future::ready(())) }
    }

    /// Whom the token belongs to.
    #[must_use]
    pub fn of_account(mut self, account: Option<String>) -> Self {
        self.account = account;
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

/// What the near end asks for.
pub(super) enum Command {
    Run(Effect),
    Cancel(TaskId),
    Shutdown(Duration),
}

/// The near end. Nothing here waits but [`Handle::wait_idle`] and [`Handle::shutdown`]. Dropping it ends the thread.
pub struct Handle {
    commands: UnboundedSender<Command>,
    outlet: Arc<Outlet>,
}

/// Starts the thread `tasks`, which runs `connect` and then the effects, on a runtime of its own.
///
/// Effects given before the connection stands wait for it.
///
/// # Errors
/// When the system gives no thread.
pub fn start<R, C, F>(config: Config, connect: C, events: Events) -> io::Result<Handle>
where
    R: Requests,
    C: FnOnce() -> F + Send + 'static,
    F: Future<Output = Result<Connected<R>, String>> + Send + 'static,
{
    let outlet = Arc::new(Outlet::new(events));
    let (commands, inbox) = unbounded_channel();
    let channel = Channel::new(config, Arc::clone(&outlet), inbox);
    let ended = Ended(Arc::clone(&outlet));
    std::thread::Builder::new().name("tasks".to_owned()).spawn(move || {
        let _ended = ended;
        run(channel, connect);
    })?;
    Ok(Handle { commands, outlet })
}

fn run<R, C, F>(mut channel: Channel<R>, connect: C)
where
    R: Requests,
    C: FnOnce() -> F + Send + 'static,
    F: Future<Output = Result<Connected<R>, String>> + Send + 'static,
{
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    match runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build() {
        Ok(runtime) => {
            runtime.block_on(channel.run(async move { connect().await }));
            // A name being looked up must not hold up the end.
            runtime.shutdown_background();
        }
        Err(error) => channel.absent(format!("the runtime does not start: {error}")),
    }
}

/// Tells that the thread is over, whatever way that comes about.
struct Ended(Arc<Outlet>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Handle {
    /// Runs an effect. Its one result comes as an event, whatever happens.
    pub fn run(&self, effect: Effect) {
        self.outlet.owe();
        if let Err(unsent) = self.commands.send(Command::Run(effect))
            && let Command::Run(effect) = unsent.0
        {
            self.outlet.refuse(&effect);
        }
    }

    /// Says that nobody wants the result of an effect any more: it comes at once, as cancelled. A request that nobody
    /// else waits for is broken off.
    ///
    /// A message is never broken off. One that has not left is taken back, and its result is its entry; one that has left
    /// goes on without an asker, and the outbox will tell what became of it.
    pub fn cancel(&self, id: TaskId) {
        // A channel that has ended has answered every effect.
        let _ = self.commands.send(Command::Cancel(id));
    }

    /// How many effects are still owed a result; with 0 the channel is idle. A result stops to count just after its event
    /// has left, so idle means that every event is out.
    pub fn outstanding(&self) -> usize {
        self.outlet.outstanding()
    }

    /// Blocks until the channel is idle; false where that took longer than `timeout`.
    pub fn wait_idle(&self, timeout: Duration) -> bool {
        self.outlet.wait_idle(timeout)
    }

    /// Ends the channel and blocks until it has ended, a moment longer than `grace` at most. Reads are cancelled, messages
    /// that have not left are taken back, writes in flight may be answered within the grace; what is still open then is
    /// answered, and recorded, with an unknown outcome.
    pub fn shutdown(&self, grace: Duration) {
        let _ = self.commands.send(Command::Shutdown(grace));
        if !self.outlet.wait_end(grace + MARGIN) {
            tracing::warn!("the thread of the tasks did not end in time");
        }
    }
}
