//! Receives webhooks on this machine to show what a server sends: checks signatures, forwards deliveries to another URL,
//! and hands each one over as a value.
//!
//! [`Delivery`] and [`Signature`] are plain values; `server.rs` is the only file that touches the network.

mod delivery;
mod server;
mod signature;

pub use delivery::{Arrival, Delivery, Rejected, Subject};
pub use signature::{Mismatch, Signature};

use crate::api::SigningSecret;
use crate::client::{ConfigError, Forwarder};
use jiff::Timestamp;
use server::Desk;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

/// The port where none is chosen; `switchboard serve` has the one before it.
pub const DEFAULT_PORT: u16 = 8788;

/// Capacity of the channel of arrivals. While it is full, responses are delayed.
const WAITING: usize = 64;

/// What to receive, and what to do with it.
pub struct Options {
    /// On 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// Verifies signatures; `None` leaves them unchecked.
    pub secret: Option<SigningSecret>,
    /// Where to forward deliveries, with or without a valid signature.
    pub forward: Option<Url>,
    /// The clock that ages of signatures are measured by; a sandbox has its own.
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
}

/// Why the receiver could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// Deliveries cannot be forwarded to this URL.
    #[error("cannot forward to this URL: {0}")]
    Forward(#[from] ConfigError),
}

/// A running receiver. Dropping it stops it; requests in flight get no response.
pub struct Receiver {
    address: SocketAddr,
    desk: Arc<Desk>,
    _stop: DropGuard,
}

impl Receiver {
    /// The URL it listens on. Every path is accepted.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Forwards a delivery again, unchanged, and returns the target's status; `None` if the delivery is no longer kept or
    /// no target is set.
    ///
    /// # Errors
    /// Why the target did not answer, in words.
    pub async fn forward_again(&self, number: u64) -> Option<Result<u16, String>> {
        self.desk.forward_again(number).await
    }
}

/// Starts the receiver on the current runtime. Connections are accepted from the moment this returns. Each request is
/// answered after its arrival has entered the channel.
///
/// # Errors
/// Where the port is taken, or nothing can be passed on to the URL.
pub async fn start(options: Options) -> Result<(Receiver, mpsc::Receiver<Arrival>), StartError> {
    let Options { port, secret, forward, now } = options;
    let forwarder = forward.map(Forwarder::new).transpose()?;
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let refused = |error| StartError::Listen(wanted, error);
    let listener = TcpListener::bind(wanted).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let (arrivals, taken) = mpsc::channel(WAITING);
    let desk = Arc::new(Desk::new(secret, forwarder, now, arrivals));
    let stop = CancellationToken::new();
    tokio::spawn(server::serve(listener, Arc::clone(&desk), stop.clone()));
    Ok((Receiver { address, desk, _stop: stop.drop_guard() }, taken))
}
