//! The loop on the thread of the tasks. It alone holds what is in flight, so events cannot overtake each other.

use super::dispatch::Dispatch;
use super::flight::{Asker, Flight, FlightId, Landing, Note, Stage};
use super::handle::{Closing, Command, Config, Connected};
use super::keeper::Keeper;
use super::outlet::Outlet;
use super::{Answer, Effect, Event, Requests, TaskId, Work};
use crate::client::{Attempt, Failure, FailureKind, Operation, spell};
use std::collections::BTreeMap;
use std::collections::btree_map::IntoValues;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout, timeout_at};

/// What there is to send requests with.
enum Server<R> {
    Connecting,
    Connected(R),
    Absent(String),
}

/// The state of the loop. However it ends, its end answers everything that is still open.
pub(super) struct Channel<R: Requests> {
    config: Config,
    keeper: Keeper,
    outlet: Arc<Outlet>,
    commands: UnboundedReceiver<Command>,
    notes: UnboundedReceiver<Note>,
    notes_in: UnboundedSender<Note>,
    server: Server<R>,
    flights: BTreeMap<FlightId, Flight>,
    next_flight: u64,
}

impl<R: Requests> Channel<R> {
    pub(super) fn new(config: Config, outlet: Arc<Outlet>, commands: UnboundedReceiver<Command>) -> Self {
        let (notes_in, notes) = unbounded_channel();
        let keeper = Keeper::start(Arc::clone(&config.records), config.profile.clone(), Arc::clone(&config.clock));
        Self {
            config,
            keeper,
            outlet,
            commands,
            notes,
            notes_in,
            server: Server::Connecting,
            flights: BTreeMap::new(),
            next_flight: 0,
        }
    }

    /// Runs until shutdown, or until the handle is gone.
    pub(super) async fn run<F>(mut self, connect: F)
    where
        F: Future<Output = Result<Connected<R>, String>> + Send + 'static,
    {
        // A task of its own, so that a panic in there is an answer too.
        let mut connecting = tokio::spawn(connect);
        let mut closing: Option<Closing> = None;
        let grace = loop {
            tokio::select! {
                command = self.commands.recv() => match command {
                    Some(Command::Run(effect)) => {
                        let operation = effect.work.operation();
                        self.admit(effect, operation);
                    }
                    Some(Command::Cancel(id)) => self.cancel(id),
                    Some(Command::Shutdown(grace)) => break grace,
                    None => break Duration::ZERO,
                },
                Some(note) = self.notes.recv() => self.note(note),
                outcome = &mut connecting, if matches!(self.server, Server::Connecting) => match outcome {
                    Ok(Ok(connected)) => {
                        closing = Some(connected.closing);
                        self.connected(connected.requests, connected.base_url, connected.account);
                    }
                    Ok(Err(reason)) => self.absent(reason),
                    Err(_) => self.absent("the program failed while it connected".to_owned()),
                },
            }
        };
        connecting.abort();
        self.close(grace, closing).await;
    }

    /// Takes an effect: shares the request that answers it too, or makes its own.
    pub(super) fn admit(&mut self, effect: Effect, operation: Operation) {
        let asker = Asker::from(&effect);
        let Effect { origin, work, .. } = effect;
        if let Some(kind) = self.objection(&work, &operation) {
            return self.outlet.done(asker, Err(Failure { operation, kind }));
        }
        if let Some(flight) = self.flights.values_mut().find(|flight| flight.answers(&work, origin.epoch)) {
            return flight.askers.push(asker);
        }
        self.next_flight += 1;
        let id = FlightId(self.next_flight);
        if let Work::Keep(keep) = &work {
            let landing = Landing::new(id, operation.clone(), self.notes_in.clone());
            self.keeper.run(keep.clone(), landing);
        }
        let stage = if matches!(work, Work::Keep(_)) { Stage::Keeping } else { Stage::Waiting };
        self.flights.insert(id, Flight { work, operation, askers: vec![asker], stage });
        self.launch(id);
    }

    /// Why this is not even tried.
    fn objection(&self, work: &Work, operation: &Operation) -> Option<FailureKind> {
        if matches!(work, Work::Keep(_)) {
            return None;
        }
        let local = |why: &str| Some(FailureKind::Local(why.to_owned()));
        if self.config.read_only && !operation.is_read() {
            return local("nothing is sent or changed here: it is read-only");
        }
        if let Work::Send(sending) = work {
            let (intent, outgoing) = (&sending.intent, &sending.outgoing);
            if intent.profile != self.config.profile {
                return local("nothing was sent: the message was confirmed for another profile");
            }
            if (intent.sender_id, intent.phone.as_str()) != (outgoing.sender_id(), outgoing.recipient_phone()) {
                return local("nothing was sent: what would be recorded is not what would leave");
            }
        }
        match &self.server {
            Server::Absent(reason) => Some(FailureKind::Unreachable(reason.clone())),
            Server::Connecting | Server::Connected(_) => None,
        }
    }

    /// Lets a request leave, where there is a server yet.
    fn launch(&mut self, id: FlightId) {
        let (Server::Connected(requests), Some(flight)) = (&self.server, self.flights.get_mut(&id)) else { return };
        if !matches!(flight.stage, Stage::Waiting) {
            return;
        }
        if let Some(asker) = flight.askers.first() {
            self.outlet.tell(Event::Started { id: asker.id, operation: flight.operation.clone() });
        }
        let mut landing = Landing::new(id, flight.operation.clone(), self.notes_in.clone());
        let (requests, notes) = (requests.clone(), self.notes_in.clone());
        // The loop holds the other end for as long as it listens to anything.
        let mut observe = move |attempt: Attempt| drop(notes.send(Note::Tried(id, attempt)));
        if let Work::Send(sending) = &flight.work {
            let Config { records, clock, .. } = &self.config;
            let dispatch = Dispatch::new((**sending).clone(), Arc::clone(records), Arc::clone(clock));
            let run = Arc::clone(&dispatch).run(requests, observe);
            let task = tokio::spawn(async move { landing.result(run.await) });
            flight.stage = Stage::Sending(dispatch, task.abort_handle());
        } else {
            let (work, operation, deadline) = (flight.work.clone(), flight.operation.clone(), self.config.deadline);
            let task = tokio::spawn(async move {
                let late = FailureKind::NoAnswer(format!("given up after {}", spell(deadline)));
                let result = timeout(deadline, requests.perform(work, &mut observe)).await;
                landing.result(result.unwrap_or(Err(Failure { operation, kind: late })));
            });
            flight.stage = Stage::Asking(task.abort_handle());
        }
    }

    /// Nobody wants the result of this effect any more.
    fn cancel(&mut self, task: TaskId) {
        // What is already known is better than an unknown outcome.
        while let Ok(note) = self.notes.try_recv() {
            self.note(note);
        }
        let waits = |asker: &Asker| asker.id == task;
        let Some((&id, flight)) = self.flights.iter_mut().find(|(_, flight)| flight.askers.iter().any(waits)) else {
            return;
        };
        if let Stage::Sending(dispatch, _) = &flight.stage
            && dispatch.take_back()
        {
            // It lands in a moment, as one that was taken back.
            return;
        }
        let speaker = flight.askers.first().copied();
        let failure = flight.given_up("cancelled");
        for asker in flight.askers.extract_if(.., |asker| waits(asker)) {
            self.outlet.done(asker, Err(failure.clone()));
        }
        match (flight.askers.first(), &flight.stage) {
            // These are done whether or not anybody waits.
            (None, Stage::Sending(..) | Stage::Keeping) => {}
            (None, stage) => {
                stage.abort();
                self.flights.remove(&id);
            }
            (Some(heir), Stage::Asking(_)) if speaker != Some(*heir) => {
                self.outlet.tell(Event::Started { id: heir.id, operation: flight.operation.clone() });
            }
            _ => {}
        }
    }

    /// Passes on what a running request tells. One that was cancelled is not listened to.
    fn note(&mut self, note: Note) {
        match note {
            Note::Tried(id, attempt) => {
                if let Some(asker) = self.flights.get(&id).and_then(|flight| flight.askers.first()) {
                    self.outlet.tell(Event::Tried { id: asker.id, attempt });
                }
            }
            Note::Landed(id, result) => {
                if let Some(flight) = self.flights.remove(&id) {
                    self.settle(flight, &result);
                }
            }
        }
    }

    /// Gives everyone who waits for a request the same result.
    fn settle(&self, flight: Flight, result: &Result<Answer, Failure>) {
        for asker in flight.askers {
            self.outlet.done(asker, result.clone());
        }
    }

    /// There is a server: what waited for it leaves.
    fn connected(&mut self, requests: R, base_url: String, account: Option<String>) {
        self.server = Server::Connected(requests);
        self.outlet.tell(Event::Connected { base_url, account });
        for id in self.flights.keys().copied().collect::<Vec<_>>() {
            self.launch(id);
        }
    }

    /// There is none, now and later.
    pub(super) fn absent(&mut self, reason: String) {
        self.outlet.tell(Event::NotConnected { reason: reason.clone() });
        for flight in self.take(|flight| matches!(flight.stage, Stage::Waiting)) {
            let kind = FailureKind::Unreachable(reason.clone());
            let failure = Failure { operation: flight.operation.clone(), kind };
            self.settle(flight, &Err(failure));
        }
        self.server = Server::Absent(reason);
    }

    /// Ends in order: messages that have not left are taken back, writes in flight get the time to be answered, then the
    /// other side is closed in what is left of it.
    async fn close(mut self, grace: Duration, closing: Option<Closing>) {
        let end = Instant::now() + grace;
        self.refuse_commands();
        self.give_up(|flight| flight.operation.is_read() || matches!(flight.stage, Stage::Waiting));
        for flight in self.flights.values() {
            if let Stage::Sending(dispatch, _) = &flight.stage {
                dispatch.take_back();
            }
        }
        while !self.flights.is_empty() {
            match timeout_at(end, self.notes.recv()).await {
                Ok(Some(note)) => self.note(note),
                Ok(None) | Err(_) => break,
            }
        }
        // Answers what is left, and lets go of the connections that would keep the other side waiting.
        drop(self);
        if let Some(closing) = closing {
            let _ = timeout_at(end, closing).await;
        }
    }

    /// Answers what was asked and not yet taken.
    fn refuse_commands(&mut self) {
        self.commands.close();
        while let Ok(command) = self.commands.try_recv() {
            if let Command::Run(effect) = command {
                self.outlet.refuse(&effect);
            }
        }
    }

    /// Takes out what `which` names, the oldest first.
    fn take(&mut self, which: impl Fn(&Flight) -> bool) -> IntoValues<FlightId, Flight> {
        let (taken, kept) = std::mem::take(&mut self.flights).into_iter().partition(|(_, flight)| which(flight));
        self.flights = kept;
        BTreeMap::into_values(taken)
    }

    /// Gives up the requests that `which` names.
    fn give_up(&mut self, which: impl Fn(&Flight) -> bool) {
        for flight in self.take(which) {
            flight.stage.abort();
            let result = match &flight.stage {
                Stage::Sending(dispatch, _) => dispatch.end().map(Answer::Sent).ok_or_else(|| {
                    let operation = flight.operation.clone();
                    Failure { operation, kind: FailureKind::Cancelled }
                }),
                _ => Err(flight.given_up("the program ended")),
            };
            self.settle(flight, &result);
        }
    }
}

impl<R: Requests> Drop for Channel<R> {
    fn drop(&mut self) {
        self.refuse_commands();
        self.give_up(|_| true);
    }
}
