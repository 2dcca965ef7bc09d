//! What the routes share.

use super::cache::PageCache;
use super::clock::Clock;
use super::key_use::KeyUse;
use super::login_throttle::LoginThrottle;
use super::messaging::SendRate;
use super::sandbox::FaultList;
use super::store::Store;
use super::turns::Turns;
use crate::api::Channel;
use axum::body::Bytes;
use std::sync::OnceLock;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The running service as its routes see it.
#[derive(Debug)]
pub struct State {
    /// The data.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// Last uses of API keys, flushed to the store in batches.
    pub key_use: KeyUse,
    /// `http://address` of the listener, for links where a request has no `Host` header.
    pub origin: String,
    /// The messaging channel's word.
    pub channel: Channel,
    /// The last pages of conversations that were asked for.
    pub page_cache: PageCache,
    /// The rate limiter of sends, per user.
    pub send_rate: SendRate,
    /// Notified when the messaging provider has something new to do.
    pub provider: Notify,
    /// Limits wrong passwords.
    pub login_throttle: LoginThrottle,
    /// Whose password is checked next.
    pub logins: Turns,
    /// Whose reading request is answered next.
    pub reads: Turns,
    /// The OpenAPI document, once somebody has asked for it.
    pub openapi: OnceLock<Bytes>,
    /// The faults to inflict; `None` outside a sandbox.
    pub faults: Option<FaultList>,
    /// Notified when a call begins.
    pub call_began: Notify,
    /// Cancelled when the service is to end.
    pub stop: CancellationToken,
}

impl State {
    /// Whether this is a sandbox, where test names and numbers choose outcomes.
    pub fn is_sandbox(&self) -> bool {
        self.faults.is_some()
    }
}
