//! Receives webhooks on this machine, so that one can see what a server sends: checks signatures, passes deliveries on to
//! another URL, and hands each over as a value.
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

/// Arrivals that wait for whoever takes them. While it is full, senders wait for their answer.
const WAITING: usize = 64;

/// What to receive, and what to do with it.
pub struct Options {
    /// On 127.0.0.1; 0 takes a free one.
    pub port: u16,
    /// What signatures are checked with.
    pub secret: Option<SigningSecret>,
    /// Where deliveries are passed on to, whatever their signatures.
    pub forward: Option<Url>,
    /// What the ages of signatures are measured with: the sender's clock may be one of a sandbox.
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
}

/// Why the receiver does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// Nothing can be passed on to this URL.
    #[error("cannot forward to this URL: {0}")]
    Forward(#[from] ConfigError),
}

/// A running receiver. Dropping it ends it; requests in flight are not answered.
pub struct Receiver {
    address: SocketAddr,
    desk: Arc<Desk>,
    _stop: DropGuard,
}

impl Receiver {
    /// Where it listens. Any path is received.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Passes a delivery on once more, as it came, and gives the target's status. `None` where it is no longer kept, or
    /// nothing is passed on.
    ///
    /// # Errors
    /// Why the target did not answer, for people.
    pub async fn forward_again(&self, number: u64) -> Option<Result<u16, String>> {
        self.desk.forward_again(number).await
    }
}

/// Starts to receive, on the runtime that this is called on. It accepts connections when this returns. Each request is
/// answered once what arrived was put into the channel.
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
