//! The receiver of webhooks while the channel runs: one at a time, ended with the channel.

use super::events::EventSink;
use super::handle::Clock;
use super::pending::Completion;
use super::{Answer, Event, Listening};
use crate::api::SigningSecret;
use crate::client::{Failure, FailureKind};
use crate::receiver::{self, Options, Receiver};
use jiff::{SignedDuration, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::AbortHandle;

/// Starts and stops the receiver. When it is dropped, the receiver ends.
pub(super) struct Listener {
    running: Arc<Running>,
    events: Arc<EventSink>,
    clock: Clock,
    /// How far the server's clock is ahead of this machine's, in seconds: signatures carry the server's time.
    ahead: Arc<AtomicI64>,
}

impl Listener {
    pub(super) fn new(events: Arc<EventSink>, clock: Clock) -> Self {
        Self { running: Arc::default(), events, clock, ahead: Arc::default() }
    }

    /// Takes the server's time from one of its answers.
    pub(super) fn learn(&self, server_time: Timestamp) {
        self.ahead.store(server_time.as_second() - (self.clock)().as_second(), Ordering::Relaxed);
    }

    /// Does what is asked, on a task of its own.
    pub(super) fn run(&self, listening: Listening, mut completion: Completion) -> AbortHandle {
        let (running, events) = (Arc::clone(&self.running), Arc::clone(&self.events));
        let (clock, ahead) = (Arc::clone(&self.clock), Arc::clone(&self.ahead));
        let now = move || {
            let ahead = SignedDuration::from_secs(ahead.load(Ordering::Relaxed));
            clock().saturating_add(ahead).unwrap_or(Timestamp::MAX)
        };
        let work = async move {
            match listening {
                Listening::Start { port, secret, forward } => {
                    let secret = secret.map(|secret| SigningSecret::new(secret.expose()));
                    start(Options { port, secret, forward, now: Box::new(now) }, &running, events).await
                }
                Listening::Stop => {
                    running.set(None);
                    Ok(Answer::Listening(None))
                }
                Listening::ForwardAgain(number) => {
                    let receiver = running.get().ok_or_else(|| refused("Nothing listens"))?;
                    let answered = receiver.forward_again(number).await;
                    let gone = || refused("The delivery is no longer kept, or no forward URL is set");
                    answered.map(Answer::Forwarded).ok_or_else(gone)
                }
            }
        };
        tokio::spawn(async move { completion.set(work.await) }).abort_handle()
    }
}

/// The receiver, where one runs.
#[derive(Default)]
struct Running(Mutex<Option<Arc<Receiver>>>);

impl Running {
    fn set(&self, receiver: Option<Receiver>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = receiver.map(Arc::new);
    }

    fn get(&self) -> Option<Arc<Receiver>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn refused(why: &str) -> Failure {
    FailureKind::Local(why.to_owned()).into()
}

async fn start(options: Options, running: &Running, events: Arc<EventSink>) -> Result<Answer, Failure> {
    if let Some(receiver) = running.get() {
        return Err(refused(&format!("Already listening on {}", receiver.url())));
    }
    let started = receiver::start(options).await;
    let (receiver, mut arrivals) = started.map_err(|error| refused(&error.to_string()))?;
    let url = receiver.url();
    running.set(Some(receiver));
    // It ends with the receiver, which holds the other end.
    tokio::spawn(async move {
        while let Some(arrival) = arrivals.recv().await {
            events.send(Event::Arrival(arrival));
        }
    });
    Ok(Answer::Listening(Some(url)))
}
