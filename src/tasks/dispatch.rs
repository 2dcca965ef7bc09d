//! Sends one message: recorded before it leaves, sent once, and its outcome recorded whatever happens.

use super::account::AccountCell;
use super::handle::{Clock, Config};
use super::pending::{RequestId, Update};
use super::unwritten::Unwritten;
use super::verdict::{not_sent, outcome};
use super::{Answer, Requests, Sending};
use crate::client::{Attempt, Departure, Failure, FailureKind, Reply};
use crate::messaging::Outcome;
use crate::records::{Begun, Departing, Entry, Intent, Records};
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

/// A message in flight, shared by the task that sends it and by the channel, which may end at any moment.
pub(super) struct Dispatch {
    sending: Sending,
    account: AccountCell,
    /// The account of the connection with which it was confirmed, where that is another.
    confirmed: Option<AccountCell>,
    repeat: SignedDuration,
    departure: Departure,
    records: Arc<Records>,
    clock: Clock,
    unwritten: Arc<Unwritten>,
    updates: UnboundedSender<Update>,
    stage: Mutex<Stage>,
    /// The id under which it is recorded, once it is.
    recorded: Arc<OnceLock<Uuid>>,
}

/// How far it is in the outbox. Who changes it holds the lock until it is on disk.
enum Stage {
    /// Nothing is written.
    New,
    /// It is recorded under this id, and may leave.
    Begun(Uuid, Timestamp),
    /// Nothing more happens: it is settled, or was known before.
    Over(Box<Entry>),
    /// It was never recorded and never will be.
    Dropped,
}

impl Dispatch {
    pub(super) fn new(
        sending: Sending,
        (account, confirmed): (AccountCell, Option<AccountCell>),
        config: &Config,
        unwritten: &Arc<Unwritten>,
        (request, updates): (RequestId, UnboundedSender<Update>),
    ) -> Arc<Self> {
        let Config { records, clock, repeat, .. } = config;
        let (records, clock, stage) = (Arc::clone(records), Arc::clone(clock), Mutex::new(Stage::New));
        let recorded = Arc::new(OnceLock::new());
        let departure = {
            let (records, recorded) = (Arc::clone(&records), Arc::clone(&recorded));
            Departure::noting(Arc::new(move |waiting| {
                let noted = recorded.get().map(|id| records.waits(*id, waiting));
                if let Some(Err(error)) = &noted {
                    tracing::error!(%error, waiting, "a wait cannot be written down");
                }
                noted.is_some_and(|noted| noted.is_ok())
            }))
        };
        let left = updates.clone();
        let departure = departure.telling(move || drop(left.send(Update::Left(request))));
        let (repeat, unwritten) = (*repeat, Arc::clone(unwritten));
        Arc::new(Self {
            sending,
            account,
            confirmed,
            repeat,
            departure,
            records,
            clock,
            unwritten,
            updates,
            stage,
            recorded,
        })
    }

    /// Keeps it from leaving; false where it has left. It is settled in either case.
    pub(super) fn take_back(&self) -> bool {
        self.departure.take_back()
    }

    /// Records the message, sends it where it was not known before, and records what became of it.
    pub(super) async fn run<R: Requests>(
        self: Arc<Self>,
        requests: R,
        observe: impl FnMut(Attempt) + Send + 'static,
    ) -> Result<Answer, Failure> {
        // This request is nobody's try of the message.
        let observe_none = &mut |_| {};
        let account = tokio::select! {
            biased;
            () = self.departure.taken_back() => Err(FailureKind::Cancelled),
            account = self.account.get(&requests, &self.records, observe_none) => account.map_err(|failure| {
                let why = format!("Nothing was sent: the account that pays is not known ({})", failure.kind);
                FailureKind::Local(why)
            }),
        };
        let account = match account {
            Ok(account) => account,
            Err(kind) => {
                *self.stage() = Stage::Dropped;
                return Err(self.failure(kind));
            }
        };
        let begun = {
            let this = Arc::clone(&self);
            tokio::task::spawn_blocking(move || this.begin(&account)).await
        };
        match begun {
            Ok(Ok(None)) => {}
            Ok(Ok(Some(answer))) => return Ok(answer),
            Ok(Err(kind)) => return Err(self.failure(kind)),
            Err(_) => return Err(self.failure(unwritten(&"a task panicked"))),
        }
        let result = self.send(requests, observe).await;
        let outcome = self.sending.without_code(outcome(&result, self.departure.has_left()));
        let settled = {
            let (this, outcome) = (Arc::clone(&self), outcome.clone());
            tokio::task::spawn_blocking(move || this.settle(&outcome)).await
        };
        Ok(Answer::Sent(settled.unwrap_or_else(|_| self.entry(self.sending.intent.id, self.now(), &outcome))))
    }

    /// Sends it, in a task of its own, so that a panic in there has an outcome too.
    async fn send<R: Requests>(
        self: &Arc<Self>,
        requests: R,
        mut observe: impl FnMut(Attempt) + Send + 'static,
    ) -> Result<Reply, FailureKind> {
        let this = Arc::clone(self);
        let sent =
            tokio::spawn(async move { requests.send(this.sending.request(), &this.departure, &mut observe).await });
        match AbortOnDropHandle::new(sent).await {
            Ok(result) => result.map_err(|failure| failure.kind),
            Err(_) => Err(FailureKind::Internal("the task that sent it panicked".to_owned())),
        }
    }

    /// Writes the intent down. An answer is due to an entry that was there before: then nothing may be sent.
    fn begin(&self, account: &str) -> Result<Option<Answer>, FailureKind> {
        let mut stage = self.stage();
        let now = self.now();
        match &*stage {
            Stage::New => {}
            Stage::Over(entry) => return Ok(Some(Answer::Sent(entry.clone()))),
            Stage::Begun(..) | Stage::Dropped => return Err(FailureKind::Cancelled),
        }
        if let Some(confirmed) = self.confirmed.as_ref().filter(|confirmed| confirmed.known() != Some(account)) {
            *stage = Stage::Dropped;
            let why = match confirmed.known() {
                Some(name) => {
                    format!("it was confirmed for another account ({})", name.rsplit(' ').next().unwrap_or(name))
                }
                None => "the token was replaced after it was confirmed".to_owned(),
            };
            return Err(FailureKind::Local(format!("Nothing was sent: {why}")));
        }
        let content = self.sending.content();
        // A code is not stored, whatever the settings say of texts.
        let text = self.sending.intent.text.clone().filter(|_| !self.sending.is_code);
        let departing = Departing {
            intent: &Intent { text, ..self.sending.intent.clone() },
            account,
            content: content.as_deref(),
            again: self.sending.again,
            repeat: self.repeat,
        };
        match self.records.begin(&departing, now) {
            Ok(Begun::Recorded(id)) => {
                self.recorded.get_or_init(|| id);
                *stage = Stage::Begun(id, now);
                Ok(None)
            }
            Ok(Begun::Known(entry)) => {
                *stage = Stage::Over(entry.clone());
                Ok(Some(Answer::Sent(entry)))
            }
            Ok(Begun::Recent(entry)) => {
                *stage = Stage::Dropped;
                Ok(Some(Answer::Recent(entry)))
            }
            Ok(Begun::Forgotten(at)) => {
                *stage = Stage::Dropped;
                Ok(Some(Answer::Forgotten(at)))
            }
            Err(error) => {
                tracing::error!(id = %self.sending.intent.id, %error, "the outbox cannot be written; nothing was sent");
                *stage = Stage::Dropped;
                Err(unwritten(&error))
            }
        }
    }

    /// Writes the outcome down. The first one stands.
    fn settle(&self, outcome: &Outcome) -> Box<Entry> {
        let mut stage = self.stage();
        let now = self.now();
        if let Stage::Over(entry) = &*stage {
            return entry.clone();
        }
        let (id, began) =
            if let Stage::Begun(id, began) = *stage { (id, began) } else { (self.sending.intent.id, now) };
        let entry = match self.records.settle(id, outcome, now) {
            Ok(entry) => Box::new(entry),
            // What became of the message is known all the same, and is written again.
            Err(error) => {
                tracing::error!(%id, %error, "what became of a message cannot be written down");
                self.unwritten.keep(id, outcome.clone(), now);
                let (mut what, phone) = (outcome.word().to_owned(), &self.sending.intent.phone);
                what[..1].make_ascii_uppercase();
                let kind = if self.sending.intent.is_call() { "call" } else { "message" };
                let words =
                    format!("{what}, but not recorded yet: the {kind} to {phone} ({error}). It is tried again.");
                let _ = self.updates.send(Update::Unwritten(words));
                self.entry(id, began, outcome)
            }
        };
        *stage = Stage::Over(entry.clone());
        entry
    }

    /// The channel ends, and nobody will hear of the message any more: what is open is settled now. `None` where it was
    /// not recorded; then it never is.
    pub(super) fn end(&self) -> Option<Box<Entry>> {
        let outcome = if self.departure.take_back() {
            not_sent("the program ended before it left")
        } else {
            Outcome::Unknown { why: "the program ended before the answer came".to_owned() }
        };
        {
            let mut stage = self.stage();
            if matches!(*stage, Stage::New | Stage::Dropped) {
                *stage = Stage::Dropped;
                return None;
            }
        }
        Some(self.settle(&outcome))
    }

    fn entry(&self, id: Uuid, began: Timestamp, outcome: &Outcome) -> Box<Entry> {
        let (intent, ended) = (Intent { id, ..self.sending.intent.clone() }, Some(self.now()));
        Box::new(Entry { intent, began, ended, outcome: Some(outcome.clone()), mark: None })
    }

    fn failure(&self, kind: FailureKind) -> Failure {
        Failure::of(self.sending.request().operation(), kind)
    }

    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        // A stage is replaced whole, so a poisoned one is still right.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unwritten(why: &dyn std::fmt::Display) -> FailureKind {
    FailureKind::Local(format!("Nothing was sent: the outbox cannot be written ({why})"))
}
