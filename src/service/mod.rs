//! The service: the API on a real socket, from data in SQLite, with simulated people where it is a sandbox.
//!
//! ```text
//! connection ─ router ─ handler ─┬─ store ─ SQLite
//!                                └─ clock, keys, faults
//! ```
//! A handler extracts, calls and answers; all SQL is in [`store`]; the wire is that of [`crate::api`].

mod arriving;
mod bodies;
mod cache;
mod calls;
mod capacity;
pub mod clock;
mod connections;
pub mod events;
pub mod http;
mod key_use;
pub mod keys;
mod limits;
mod login_throttle;
mod messaging;
pub mod openapi;
mod paced;
mod paginate;
mod parse_errors;
mod passwords;
mod pieces;
mod provider;
mod router;
mod routes;
mod sandbox;
mod server;
mod silence;
pub mod simulation;
mod state;
pub mod store;
mod turns;
pub mod world;
mod writers;

pub use clock::Clock;
pub use messaging::Price;
pub use openapi::document as openapi_document;
pub use pieces::Piece;
pub use store::{Data, StoreError};

use crate::api::{Channel, Token};
use keys::TokenHash;
use state::State;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::{SimulatedUser, Store, is_open_to_others};
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use world::World;
use writers::Writers;

/// How long the last use of a key is remembered before it is written down.
const FLUSH_AFTER: Duration = Duration::from_secs(5);

/// What to serve, and on which address.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database.
    pub data: Data,
    /// Fills an empty database.
    pub world: Option<World>,
    /// Whether to simulate customers and serve `/sandbox/`.
    pub sandbox: bool,
    /// The messaging channel's word, in paths, fields and values.
    pub channel: Channel,
    /// Addresses of proxies that are believed what they tell of a request: its client, scheme and host.
    pub trusted_proxies: Vec<IpAddr>,
}

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The data cannot be opened or filled.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The threads for writing cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
    /// The program itself failed while it got the data ready.
    #[error("preparing the data failed: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// Why there is no first token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoToken {
    /// There is no world to take it from; the data holds hashes only.
    #[error("without a world file the tokens are unknown: the database stores hashes only")]
    NoWorld,
    /// The first user of the world has none.
    #[error("the first user of the world has no token")]
    NoneGiven,
    /// The database was filled from another world, or the key has been deleted.
    #[error("the token of the world's first user is not in the database")]
    NotKnown,
}

/// A running service. Dropping it stops the service without waiting for requests in flight.
#[derive(Debug)]
pub struct Running {
    /// The root of the API, `http://address/api`.
    pub base_url: String,
    /// A valid token of the world's first user.
    pub first_token: Option<Token>,
    /// Why there is no such token.
    pub no_token: Option<NoToken>,
    /// The email of that user.
    pub account_email: Option<String>,
    state: Arc<State>,
    tasks: TaskTracker,
    stop: DropGuard,
    /// Dropped last: what it runs has ended by then.
    _writers: Writers,
}

impl Running {
    /// Stops accepting connections, gives requests in flight a few seconds, and flushes what is only in memory.
    pub async fn shutdown(self) {
        drop(self.stop);
        self.tasks.close();
        self.tasks.wait().await;
        flush(&self.state);
        if let Err(error) = self.state.store.checkpoint() {
            tracing::warn!(%error, "the log of the database could not be moved into it");
        }
    }
}

/// Starts the service on the clock of the system. It accepts connections when this returns.
///
/// # Errors
/// Where the address is taken, or the data cannot be opened or filled.
pub async fn start(options: Options) -> Result<Running, StartError> {
    start_at(options, Clock::system()).await
}

/// Starts the service on any clock.
///
/// # Errors
/// As for [`start`].
pub async fn start_at(options: Options, clock: Clock) -> Result<Running, StartError> {
    let refused = |source| StartError::Listen { address: options.listen, source };
    let listener = server::listen(options.listen).map_err(refused)?;
    let origin = format!("http://{}", listener.local_addr().map_err(refused)?);

    let Options { data, world, sandbox, channel, trusted_proxies, .. } = options;
    let watched_by_others = matches!(data, Data::File(_));
    let clock_of_data = clock.clone();
    // Opening may wait for a disk and filling takes seconds for a large world.
    let ready = tokio::task::spawn_blocking(move || prepare(&data, world.as_ref(), sandbox, &clock_of_data)).await??;
    let (first_token, account_email, no_token) = match ready.account {
        Ok((token, email)) => (Some(token), Some(email), None),
        Err(reason) => (None, None, Some(reason)),
    };

    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let threads = Writers::start().map_err(StartError::Threads)?;
    let writers = threads.handle();
    let threads_for_reads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let state = Arc::new(State {
        store: ready.store,
        clock,
        key_use: key_use::KeyUse::default(),
        origin: origin.clone(),
        channel,
        page_cache: cache::PageCache::default(),
        send_rate: messaging::SendRate::default(),
        provider: Notify::new(),
        login_throttle: login_throttle::LoginThrottle::default(),
        logins: turns::Turns::new(capacity::LOGINS, 1),
        reads: turns::Turns::new(threads_for_reads, threads_for_reads),
        openapi: OnceLock::new(),
        faults: sandbox.then(Default::default),
        call_began: tokio::sync::Notify::new(),
        stop: stop.clone(),
    });
    let router = router::router(Arc::clone(&state));
    let served = server::Served {
        router,
        clock: state.clock.clone(),
        writers: writers.clone(),
        proxies: trusted_proxies.into(),
    };
    tasks.spawn(server::serve(listener, served, Arc::default(), stop.clone(), tasks.clone()));
    tasks.spawn_on(keep_flushing(Arc::clone(&state)), writers);
    tasks.spawn_on(provider::work(Arc::clone(&state)), writers);
    tasks.spawn(events::deliver(Arc::clone(&state), watched_by_others));
    tasks.spawn_on(calls::run(Arc::clone(&state)), writers);
    tasks.spawn_on(silence::run(Arc::clone(&state)), writers);
    if sandbox {
        tasks.spawn_on(sandbox::live(Arc::clone(&state), ready.simulated_users), writers);
    }
    let (base_url, stop) = (format!("{origin}/api"), stop.drop_guard());
    Ok(Running { base_url, first_token, no_token, account_email, state, tasks, stop, _writers: threads })
}

/// The data, opened and filled.
struct Prepared {
    store: Store,
    account: Result<(Token, String), NoToken>,
    simulated_users: Vec<SimulatedUser>,
}

fn prepare(data: &Data, world: Option<&World>, sandbox: bool, clock: &Clock) -> Result<Prepared, StoreError> {
    let store = Store::serve(data)?;
    if let Data::File(path) = data
        && is_open_to_others(path)
    {
        tracing::warn!(path = %path.display(), "others can read the database, with its texts and secrets: chmod 600");
    }
    if sandbox {
        clock.restore(store.clock_offset()?);
    }
    store.hasten(clock.now())?;
    if let Some(world) = world
        && store.is_empty()?
    {
        store.fill(world, clock.now())?;
    }
    let account = account(&store, world)?;
    let simulated_users = if sandbox { store.simulated_users()? } else { Vec::new() };
    Ok(Prepared { store, account, simulated_users })
}

/// The first token of the world and whose it is, where the database knows it too.
fn account(store: &Store, world: Option<&World>) -> Result<Result<(Token, String), NoToken>, StoreError> {
    let Some(world) = world else { return Ok(Err(NoToken::NoWorld)) };
    let Some((user, token)) = world.users.first().and_then(|user| Some((user, user.tokens.first()?))) else {
        return Ok(Err(NoToken::NoneGiven));
    };
    Ok(match store.key_owner(&TokenHash::of(token))? {
        Some(_) => Ok((token.clone(), user.email.clone())),
        None => Err(NoToken::NotKnown),
    })
}

/// Sleeps as long as nobody calls: an idle service wakes up for nothing.
async fn keep_flushing(state: Arc<State>) {
    let round = async || {
        state.key_use.noted().await;
        tokio::time::sleep(FLUSH_AFTER).await;
    };
    while state.stop.run_until_cancelled(round()).await.is_some() {
        flush(&state);
    }
}

fn flush(state: &State) {
    if let Err(error) = state.key_use.flush(|uses| state.store.record_key_use(uses)) {
        tracing::warn!(%error, "the last use of keys could not be written down");
    }
}
