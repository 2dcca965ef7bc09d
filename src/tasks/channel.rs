//! The loop on the task thread. It alone holds the pending requests, so events cannot overtake each other.

use super::account::AccountCell;
use super::dispatch::Dispatch;
use super::events::EventSink;
use super::handle::{Closing, Command, Config, Connected};
use super::listener::Listener;
use super::pending::{Completion, PendingRequest, RequestId, Stage, Update, Waiter};
use super::requests::{calls, evidence};
use super::storage::StorageWorker;
use super::unwritten::Unwritten;
use super::upload::Upload;
use super::{Answer, Effect, Event, Requests, Sending, Task, TaskId, Work};
use crate::client::{Attempt, Failure, FailureKind, spell};
use std::collections::BTreeMap;
use std::collections::btree_map::IntoValues;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

/// How long after a failure outcomes are written again.
const WRITE_AGAIN: Duration = Duration::from_secs(2);

/// What requests are sent with.
enum Server<R> {
    Connecting,
    Connected(R),
    Absent(String),
}

/// A connection that is being made.
type Connecting<R> = JoinHandle<Result<Connected<R>, String>>;

/// The state of the loop. When it is dropped, it answers everything that is still pending.
pub(super) struct Channel<R: Requests> {
    config: Config,
    storage: StorageWorker,
    listener: Listener,
    events: Arc<EventSink>,
    commands: UnboundedReceiver<Command>,
    updates: UnboundedReceiver<Update>,
    updates_in: UnboundedSender<Update>,
    server: Server<R>,
    /// Whose accounts the connections charge, in the order in which they were made.
    accounts: Vec<AccountCell>,
    unwritten: Arc<Unwritten>,
    /// When the outcomes in there are written again.
    write_at: Option<Instant>,
    /// What lives as long as the connections that were made.
    closing: Vec<Closing>,
    pending: BTreeMap<RequestId, PendingRequest>,
    last_id: u64,
}

impl<R: Requests> Channel<R> {
    pub(super) fn new(config: Config, events: Arc<EventSink>, commands: UnboundedReceiver<Command>) -> Self {
        let (updates_in, updates) = unbounded_channel();
        let storage =
            StorageWorker::start(Arc::clone(&config.records), config.profile.clone(), Arc::clone(&config.clock));
        let clock = Arc::clone(&config.clock);
        let unwritten = Unwritten::new(Arc::clone(&config.records));
        Self {
            config,
            storage,
            listener: Listener::new(Arc::clone(&events), clock),
            events,
            commands,
            updates,
            updates_in,
            server: Server::Connecting,
            accounts: Vec::new(),
            unwritten,
            write_at: None,
            closing: Vec::new(),
            pending: BTreeMap::new(),
            last_id: 0,
        }
    }

    /// Runs until shutdown, or until the handle is dropped. `connect` is called at once, and again for each reconnect.
    pub(super) async fn run<C, F>(mut self, connect: C)
    where
        C: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = Result<Connected<R>, String>> + Send + 'static,
    {
        let connect = Arc::new(connect);
        // A task of its own, so that a panic in there is a result too.
        let attempt = || {
            let connect = Arc::clone(&connect);
            tokio::spawn(async move { connect().await })
        };
        let mut connecting: Option<Connecting<R>> = Some(attempt());
        let grace = loop {
            tokio::select! {
                command = self.commands.recv() => match command {
                    Some(Command::Run(effect)) => self.admit(effect),
                    Some(Command::Cancel(id)) => self.cancel(id),
                    Some(Command::TakeBack(id)) => self.take_back(id),
                    Some(Command::Reconnect) => {
                        // What is in flight keeps the client that it began with; what comes now waits for the new one.
                        self.server = Server::Connecting;
                        connecting.get_or_insert_with(attempt);
                    }
                    Some(Command::Shutdown(grace)) => break grace,
                    None => break Duration::ZERO,
                },
                Some(update) = self.updates.recv() => self.update(update),
                () = due(self.write_at) => self.write_again(),
                outcome = finished(&mut connecting) => match outcome {
                    Ok(Ok(connected)) => self.connected(connected),
                    Ok(Err(reason)) => self.absent(reason),
                    Err(_) => self.absent("connecting panicked; the log has more".to_owned()),
                },
            }
        };
        connecting.inspect(JoinHandle::abort);
        self.close(grace).await;
    }

    /// Accepts an effect: shares the request that answers it too, or makes its own.
    fn admit(&mut self, effect: Effect) {
        let waiter = Waiter::from(&effect);
        let Effect { origin, task, .. } = effect;
        let operation = task.operation();
        let objection = match &task {
            Task::Server(work) => self.objection(work),
            Task::Try(trial) if self.config.read_only && !trial.is_read() => {
                Some(FailureKind::Local("Read-only: nothing was sent".to_owned()))
            }
            _ => None,
        };
        if let Some(kind) = objection {
            return self.events.done(waiter, Err(Failure { operation, kind }));
        }
        if let Some(pending) = self.pending.values_mut().find(|pending| pending.answers(&task, origin.epoch)) {
            return pending.waiters.push(waiter);
        }
        self.last_id += 1;
        let id = RequestId(self.last_id);
        let completion = || Completion::new(id, None, self.updates_in.clone());
        let stage = match &task {
            Task::Server(_) => Stage::Waiting,
            Task::Store(request) => {
                self.storage.run(request.clone(), completion());
                Stage::Storing
            }
            Task::Listen(listening) => Stage::Requested(self.listener.run(listening.clone(), completion())),
            Task::Try(trial) => {
                let (trial, mut completion) = (trial.clone(), completion());
                let sent = async move { completion.set(Ok(Answer::Tried(Box::new(trial.send().await)))) };
                Stage::Requested(tokio::spawn(sent).abort_handle())
            }
        };
        self.pending.insert(id, PendingRequest { task, operation, waiters: vec![waiter], stage });
        self.launch(id);
    }

    /// Why this is not even tried.
    fn objection(&self, work: &Work) -> Option<FailureKind> {
        let local = |why: &str| Some(FailureKind::Local(why.to_owned()));
        if self.config.read_only && !work.is_read() {
            return local("Read-only: nothing was sent");
        }
        match work {
            Work::Call(request) if request.is_charged() => {
                return local("Nothing was sent: a message or a call must be recorded first");
            }
            Work::Send(sending) => {
                if let Some(why) = &self.config.no_outbox {
                    return local(&format!("Nothing was sent: the outbox cannot be opened ({why})"));
                }
                let (intent, outgoing) = (&sending.intent, &sending.outgoing);
                if intent.profile != self.config.profile {
                    return local("Nothing was sent: the message was confirmed for another profile");
                }
                if (intent.sender_id, intent.phone.as_str()) != (outgoing.sender_id(), outgoing.recipient_phone()) {
                    return local("Nothing was sent: the record and the message differ");
                }
            }
            Work::Call(_) | Work::FindAccount | Work::Check(_) | Work::Upload(_) => {}
        }
        match &self.server {
            Server::Absent(reason) => Some(FailureKind::Unreachable(reason.clone())),
            Server::Connecting | Server::Connected(_) => None,
        }
    }

    /// Sends a request, where the server is known.
    fn launch(&mut self, id: RequestId) {
        let (Server::Connected(requests), Some(pending)) = (&self.server, self.pending.get_mut(&id)) else { return };
        let (Stage::Waiting, Task::Server(work)) = (&pending.stage, &pending.task) else { return };
        if let Some(waiter) = pending.waiters.first()
            && let Some(operation) = pending.operation.clone()
        {
            self.events.send(Event::Started { id: waiter.id, automatic: waiter.origin.automatic, operation });
        }
        let account = self.accounts.last().cloned().unwrap_or_default();
        let mut completion = Completion::new(id, pending.operation.clone(), self.updates_in.clone());
        let (requests, updates) = (requests.clone(), self.updates_in.clone());
        // The loop holds the receiver for as long as it runs.
        let mut observe = move |attempt: Attempt| drop(updates.send(Update::Tried(id, attempt)));
        let (work, operation, deadline) = (work.clone(), pending.operation.clone(), self.config.deadline);
        if let Work::Send(sending) = work {
            let accounts = (account, confirmed_for(&self.accounts, &sending));
            let dispatch =
                Dispatch::new(*sending, accounts, &self.config, &self.unwritten, (id, self.updates_in.clone()));
            let run = Arc::clone(&dispatch).run(requests, observe);
            let task = tokio::spawn(async move { completion.set(run.await) });
            pending.stage = Stage::Sending(dispatch, task.abort_handle());
            return;
        }
        if let Work::Upload(uploading) = work {
            let Config { records, clock, .. } = &self.config;
            let upload = Upload::new(*uploading, Arc::clone(records), Arc::clone(clock));
            let run = Arc::clone(&upload).run(requests, (id, self.updates_in.clone()));
            let task = tokio::spawn(async move { completion.set(run.await) });
            pending.stage = Stage::Uploading(upload, task.abort_handle());
            return;
        }
        let records = Arc::clone(&self.config.records);
        let task = tokio::spawn(async move {
            let answer = async {
                match work {
                    Work::Call(request) => {
                        requests.call(request, &mut observe).await.map(|reply| Answer::Reply(Box::new(reply)))
                    }
                    Work::FindAccount => {
                        let account = account.get(&requests, &records, &mut observe).await;
                        account.map(Answer::Account)
                    }
                    Work::Check(intent) if intent.is_call() => {
                        calls(&requests, &intent, &mut observe).await.map(Answer::Calls)
                    }
                    Work::Check(intent) => evidence(&requests, *intent, &mut observe)
                        .await
                        .map(|evidence| Answer::Evidence(Box::new(evidence))),
                    // Handled above.
                    Work::Send(_) | Work::Upload(_) => Err(FailureKind::Cancelled.into()),
                }
            };
            let late = FailureKind::NoAnswer(format!("given up after {}", spell(deadline)));
            completion.set(timeout(deadline, answer).await.unwrap_or(Err(Failure { operation, kind: late })));
        });
        pending.stage = Stage::Requested(task.abort_handle());
    }

    /// Writes the outcomes again that could not be written.
    fn write_again(&mut self) {
        self.write_at = None;
        let (unwritten, updates) = (Arc::clone(&self.unwritten), self.updates_in.clone());
        tokio::task::spawn_blocking(move || drop(updates.send(Update::Written(unwritten.write()))));
    }

    /// A message is wanted back, wherever it is.
    fn take_back(&self, task: TaskId) {
        let is_it = |pending: &&PendingRequest| pending.waiters.iter().any(|waiter| waiter.id == task);
        if let Some(PendingRequest { stage: Stage::Sending(dispatch, _), .. }) = self.pending.values().find(is_it) {
            dispatch.take_back();
        }
    }

    /// The result of this effect is no longer wanted.
    fn cancel(&mut self, task: TaskId) {
        // A result that is there already is better than an unknown outcome.
        while let Ok(update) = self.updates.try_recv() {
            self.update(update);
        }
        let waits = |waiter: &Waiter| waiter.id == task;
        let Some((&id, pending)) = self.pending.iter_mut().find(|(_, pending)| pending.waiters.iter().any(waits))
        else {
            return;
        };
        if let Stage::Sending(dispatch, _) = &pending.stage {
            // Its result follows: taken back, or what became of it.
            dispatch.take_back();
            return;
        }
        if let Stage::Uploading(upload, _) = &pending.stage {
            // Its result follows in a moment: cancelled, or unknown.
            return upload.cancel();
        }
        let first = pending.waiters.first().copied();
        let failure = pending.given_up("cancelled");
        for waiter in pending.waiters.extract_if(.., |waiter| waits(waiter)) {
            self.events.done(waiter, Err(failure.clone()));
        }
        match (pending.waiters.first(), &pending.stage) {
            // These run to their end whether or not anybody waits.
            (None, Stage::Storing) => {}
            (None, stage) => {
                stage.abort();
                self.pending.remove(&id);
            }
            (Some(next), Stage::Requested(_)) if first != Some(*next) => {
                if let Some(operation) = pending.operation.clone() {
                    self.events.send(Event::Started { id: next.id, automatic: next.origin.automatic, operation });
                }
            }
            _ => {}
        }
    }

    /// Passes on what a running request reports. One that was cancelled is ignored.
    fn update(&mut self, update: Update) {
        match update {
            Update::Tried(id, attempt) => {
                attempt.server_time.into_iter().for_each(|time| self.listener.learn(time));
                if let Some(waiter) = self.pending.get(&id).and_then(|pending| pending.waiters.first()) {
                    self.events.send(Event::Tried { id: waiter.id, attempt });
                }
            }
            Update::Progress(id, sent) => {
                if let Some(waiter) = self.pending.get(&id).and_then(|pending| pending.waiters.first()) {
                    self.events.send(Event::Progress { id: waiter.id, sent });
                }
            }
            Update::Left(id) => {
                if let Some(waiter) = self.pending.get(&id).and_then(|pending| pending.waiters.first()) {
                    self.events.send(Event::Left { id: waiter.id });
                }
            }
            Update::Unwritten(words) => {
                self.write_at = Some(Instant::now() + WRITE_AGAIN);
                self.events.send(Event::Unwritten(words));
            }
            Update::Written(true) => self.events.send(Event::Written),
            Update::Written(false) => self.write_at = Some(Instant::now() + WRITE_AGAIN),
            Update::Completed(id, result) => {
                if let Some(pending) = self.pending.remove(&id) {
                    self.settle(pending, &result);
                }
            }
        }
    }

    /// Gives everyone who waits for a request the same result.
    fn settle(&self, pending: PendingRequest, result: &Result<Answer, Failure>) {
        for waiter in pending.waiters {
            self.events.done(waiter, result.clone());
        }
    }

    /// The server is known: what waited for it is sent.
    fn connected(&mut self, connected: Connected<R>) {
        let Connected { requests, base_url, account, key_id, charges, closing } = connected;
        self.closing.push(closing);
        self.server = Server::Connected(requests);
        // The token may be another one.
        self.accounts.push(AccountCell::default());
        self.events.send(Event::Connected { base_url, account, key_id, charges });
        for id in self.pending.keys().copied().collect::<Vec<_>>() {
            self.launch(id);
        }
    }

    /// There is no server until a reconnect succeeds.
    pub(super) fn absent(&mut self, reason: String) {
        self.events.send(Event::NotConnected { reason: reason.clone() });
        for pending in self.take(|pending| matches!(pending.stage, Stage::Waiting)) {
            let failure = pending.failure(FailureKind::Unreachable(reason.clone()));
            self.settle(pending, &Err(failure));
        }
        self.server = Server::Absent(reason);
    }

    /// Ends in order: messages that have not left are taken back, writes in flight get the grace to be answered, then the
    /// connection is closed in what is left of it.
    async fn close(mut self, grace: Duration) {
        let end = Instant::now() + grace;
        self.refuse_commands();
        self.give_up(|pending| {
            let unsent = match &pending.stage {
                Stage::Waiting => true,
                Stage::Uploading(upload, _) => upload.take_back(),
                _ => false,
            };
            unsent || pending.is_read()
        });
        for pending in self.pending.values() {
            if let Stage::Sending(dispatch, _) = &pending.stage {
                dispatch.take_back();
            }
        }
        while !self.pending.is_empty() {
            match timeout_at(end, self.updates.recv()).await {
                Ok(Some(update)) => self.update(update),
                Ok(None) | Err(_) => break,
            }
        }
        if !self.unwritten.is_empty() {
            let unwritten = Arc::clone(&self.unwritten);
            let _ = timeout_at(end, tokio::task::spawn_blocking(move || unwritten.write())).await;
        }
        let closing = std::mem::take(&mut self.closing);
        // Answers what is left, and drops the connections that the other side would wait for.
        drop(self);
        for closing in closing {
            let _ = timeout_at(end, closing).await;
        }
    }

    /// Answers the effects that were not accepted yet.
    fn refuse_commands(&mut self) {
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            if let Command::Run(effect) = command {
                self.events.refuse(&effect);
            }
        }
    }

    /// Takes out the requests that `which` selects, oldest first.
    fn take(&mut self, which: impl Fn(&PendingRequest) -> bool) -> IntoValues<RequestId, PendingRequest> {
        let (taken, kept) = std::mem::take(&mut self.pending).into_iter().partition(|(_, pending)| which(pending));
        self.pending = kept;
        BTreeMap::into_values(taken)
    }

    /// Gives up the requests that `which` selects.
    fn give_up(&mut self, which: impl Fn(&PendingRequest) -> bool) {
        for pending in self.take(which) {
            pending.stage.abort();
            let result = match &pending.stage {
                Stage::Sending(dispatch, _) => {
                    dispatch.end().map(Answer::Sent).ok_or_else(|| pending.failure(FailureKind::Cancelled))
                }
                Stage::Uploading(upload, _) => Ok(Answer::Uploaded(upload.end())),
                _ => Err(pending.given_up("the program ended")),
            };
            self.settle(pending, &result);
        }
    }
}

impl<R: Requests> Drop for Channel<R> {
    fn drop(&mut self) {
        self.refuse_commands();
        self.give_up(|_| true);
    }
}

/// The account of the connection with which a message was confirmed, where that is another than the last.
fn confirmed_for(accounts: &[AccountCell], sending: &Sending) -> Option<AccountCell> {
    // What was confirmed before there was a connection was confirmed for the first.
    let number = sending.connection?.max(1);
    accounts.get(number - 1).filter(|_| number < accounts.len()).cloned()
}

/// Waits until then; forever where nothing is due.
async fn due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Waits for the connection that is being made, and takes it; forever where there is none.
async fn finished<R: Requests>(
    connecting: &mut Option<Connecting<R>>,
) -> Result<Result<Connected<R>, String>, JoinError> {
    let Some(task) = connecting else { return std::future::pending().await };
    let outcome = task.await;
    *connecting = None;
    outcome
}
