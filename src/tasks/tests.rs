//! The guarantees of the channel, with a hand in place of the server: each request stops until the test decides on it.

use super::*;
use crate::api::{ConversationQuery, CreateApiKey, PageRef, Rows, Token};
use crate::client::{Attempt, Departure, Failure, FailureKind, Observer, Reply, Request, Transfer};
use crate::records::Records;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// A bound on waiting for what must come; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the hand decides on a request.
enum Verdict {
    Answer,
    Fail,
    Panic,
}

/// A request that waits for its verdict.
struct Arrival {
    request: Request,
    verdict: oneshot::Sender<Verdict>,
    broken_off: mpsc::Receiver<()>,
}

impl Arrival {
    fn decide(self, verdict: Verdict) {
        assert!(self.verdict.send(verdict).is_ok(), "the request still waits");
    }

    /// Waits until the request is dropped.
    fn was_broken_off(self) -> bool {
        matches!(self.broken_off.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected))
    }
}

/// Stands where the client stands.
#[derive(Clone)]
struct Hand(Arc<Mutex<mpsc::Sender<Arrival>>>);

impl Requests for Hand {
    async fn call(&self, request: Request, observe: Observer<'_>) -> Result<Reply, Failure> {
        let (verdict, decided) = oneshot::channel();
        let (_alive, broken_off) = mpsc::channel();
        let operation = request.operation();
        self.0.lock().unwrap().send(Arrival { request, verdict, broken_off }).unwrap();
        let verdict = decided.await;
        observe(attempt());
        match verdict {
            Ok(Verdict::Answer) => Ok(Reply::ListOutboundAssistants(Rows::default())),
            Ok(Verdict::Fail) => Err(Failure::of(operation, FailureKind::Unreadable("scribble".to_owned()))),
            Ok(Verdict::Panic) => panic!("asked for by a test"),
            Err(_) => std::future::pending().await,
        }
    }

    async fn send(&self, _: Request, _: &Departure, _: Observer<'_>) -> Result<Reply, Failure> {
        panic!("messages are tried in a place of their own")
    }

    fn origin(&self) -> String {
        "http://localhost:80".to_owned()
    }

    fn token(&self) -> Token {
        Token::new("token")
    }

    async fn upload(&self, _: Request, _: &Arc<Transfer>, _: Observer<'_>) -> Result<Reply, Failure> {
        panic!("uploads are tried in a place of their own")
    }
}

fn config() -> Config {
    Config::new(Arc::new(Records::in_memory().unwrap()), "test")
}

fn attempt() -> Attempt {
    Attempt {
        number: 1,
        status: Some(200),
        took: Duration::ZERO,
        fault: None,
        retry_in: None,
        server_time: None,
        received: None,
    }
}

/// A channel, the events it sends and the requests it makes.
struct Scene {
    handle: Handle,
    events: mpsc::Receiver<Event>,
    arrivals: mpsc::Receiver<Arrival>,
}

impl Scene {
    fn connected() -> Self {
        Self::connected_with(config())
    }

    fn connected_with(config: Config) -> Self {
        let scene = Self::new(config, |connected| async { Ok(connected) });
        assert!(matches!(scene.event(), Event::Connected { .. }));
        scene
    }

    fn new<F>(config: Config, connect: impl FnOnce(Connected<Hand>) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<Connected<Hand>, String>> + Send + 'static,
    {
        let (arrivals_in, arrivals) = mpsc::channel();
        let (events_in, events) = mpsc::channel();
        let connected = Connected::with(Hand(Arc::new(Mutex::new(arrivals_in))), "http://hand".to_owned());
        let events_out: Events = Arc::new(move |event| drop(events_in.send(event)));
        let connect = Mutex::new(Some((connect, connected)));
        let connect = move || {
            let (connect, connected) = connect.lock().unwrap().take().expect("it connects once");
            connect(connected)
        };
        let handle = start(config, connect, events_out).unwrap();
        Self { handle, events, arrivals }
    }

    fn run(&self, id: u64, request: Request) {
        self.handle.run(effect(id, request));
    }

    fn event(&self) -> Event {
        self.events.recv_timeout(PATIENCE).expect("an event was due")
    }

    fn arrival(&self) -> Arrival {
        self.arrivals.recv_timeout(PATIENCE).expect("a request was due")
    }

    /// Ends the channel and collects what it still had to say.
    fn end(self) -> Vec<Event> {
        self.handle.shutdown(Duration::ZERO);
        drop(self.handle);
        self.events.iter().collect()
    }
}

fn effect(id: u64, request: Request) -> Effect {
    Effect::new(TaskId(id), Origin::new("test"), request)
}

fn page(number: u64) -> Request {
    let query = ConversationQuery { page: PageRef::Number(number), ..ConversationQuery::default() };
    Request::ListConversations { query }
}

/// The id of a result and how it ended.
fn done(event: &Event) -> (u64, Option<&FailureKind>) {
    let Event::Done(report) = event else { panic!("a result was due, not {event:?}") };
    (report.id.0, report.result.as_ref().err().map(|failure| &failure.kind))
}

fn started(event: &Event) -> u64 {
    let Event::Started { id, .. } = event else { panic!("a start was due, not {event:?}") };
    id.0
}

fn tried(event: &Event) -> u64 {
    let Event::Tried { id, .. } = event else { panic!("a try was due, not {event:?}") };
    id.0
}

#[test]
fn an_effect_is_started_tried_and_done_in_that_order_and_once() {
    let scene = Scene::connected();
    for (id, verdict, failed) in [(1, Verdict::Answer, false), (2, Verdict::Fail, true)] {
        scene.run(id, Request::ListOutboundAssistants);
        assert_eq!(started(&scene.event()), id);
        scene.arrival().decide(verdict);
        assert_eq!(tried(&scene.event()), id);
        let event = scene.event();
        assert_eq!((done(&event).0, done(&event).1.is_some()), (id, failed));
    }
    assert_eq!(scene.end(), []);
}

#[test]
fn a_panic_is_a_result_and_does_not_take_the_thread_down() {
    let scene = Scene::connected();
    scene.run(1, Request::ListOutboundAssistants);
    scene.arrival().decide(Verdict::Panic);
    assert_eq!((started(&scene.event()), tried(&scene.event())), (1, 1));
    assert!(matches!(done(&scene.event()), (1, Some(FailureKind::Internal(_)))));
    scene.run(2, Request::ListOutboundAssistants);
    scene.arrival().decide(Verdict::Answer);
    assert!(scene.handle.wait_idle(PATIENCE));
}

#[test]
fn an_effect_that_takes_too_long_is_given_up_and_broken_off() {
    let scene = Scene::connected_with(Config { deadline: Duration::from_millis(20), ..config() });
    scene.run(1, Request::ListOutboundAssistants);
    assert_eq!(started(&scene.event()), 1);
    let event = scene.event();
    let (1, Some(FailureKind::NoAnswer(why))) = done(&event) else { panic!("{event:?}") };
    assert!(why.contains("20 ms"), "{why}");
    assert!(scene.arrival().was_broken_off());
}

#[test]
fn a_cancelled_effect_is_done_at_once_and_its_request_is_broken_off() {
    let scene = Scene::connected();
    scene.run(1, Request::ListOutboundAssistants);
    let arrival = scene.arrival();
    scene.handle.cancel(TaskId(1));
    assert_eq!(started(&scene.event()), 1);
    assert_eq!(done(&scene.event()), (1, Some(&FailureKind::Cancelled)));
    assert!(arrival.was_broken_off());
    scene.handle.cancel(TaskId(1));
    assert_eq!(scene.end(), [], "a result comes once");
}

#[test]
fn equal_reads_in_flight_share_a_request_and_each_has_its_result() {
    let scene = Scene::connected();
    scene.run(1, page(1));
    scene.run(2, page(1));
    scene.run(3, page(2));
    let (first, second) = (scene.arrival(), scene.arrival());
    assert_eq!((&first.request, &second.request), (&page(1), &page(2)));
    assert_eq!((started(&scene.event()), started(&scene.event())), (1, 3));
    assert_eq!(scene.handle.outstanding(), 3);
    first.decide(Verdict::Answer);
    assert_eq!(tried(&scene.event()), 1);
    assert_eq!((done(&scene.event()), done(&scene.event())), ((1, None), (2, None)));
    second.decide(Verdict::Answer);
    assert!(scene.handle.wait_idle(PATIENCE));
    assert!(scene.arrivals.try_recv().is_err(), "there were two requests");

    scene.run(4, page(1));
    assert_eq!(scene.arrival().request, page(1), "what has landed is not shared");
}

#[test]
fn who_cancels_a_shared_request_leaves_it_to_the_others() {
    let scene = Scene::connected();
    scene.run(1, page(1));
    scene.run(2, page(1));
    scene.run(3, page(1));
    let arrival = scene.arrival();
    scene.handle.cancel(TaskId(3));
    assert_eq!(started(&scene.event()), 1);
    assert_eq!(done(&scene.event()), (3, Some(&FailureKind::Cancelled)));
    scene.handle.cancel(TaskId(1));
    assert_eq!(done(&scene.event()), (1, Some(&FailureKind::Cancelled)));
    assert_eq!(started(&scene.event()), 2, "the request goes on in the name of the next");
    arrival.decide(Verdict::Answer);
    assert_eq!(tried(&scene.event()), 2);
    assert_eq!(done(&scene.event()), (2, None));
}

#[test]
fn reads_of_different_profiles_are_not_shared() {
    let scene = Scene::connected();
    scene.run(1, page(1));
    scene.handle.run(Effect { origin: Origin::new("test").in_epoch(1), ..effect(2, page(1)) });
    scene.arrival();
    scene.arrival();
}

#[test]
fn effects_wait_for_the_connection_and_may_be_cancelled_meanwhile() {
    let (open, gate) = oneshot::channel::<()>();
    let scene = Scene::new(config(), |connected| async {
        gate.await.map_err(|_| "the gate is gone".to_owned())?;
        Ok(connected.of_account(Some("ada@example.com".to_owned())).of_key(Some(12)))
    });
    scene.run(1, page(1));
    scene.run(2, page(2));
    assert_eq!(scene.handle.outstanding(), 2);
    scene.handle.cancel(TaskId(1));
    assert_eq!(done(&scene.event()), (1, Some(&FailureKind::Cancelled)));
    open.send(()).unwrap();
    let connected = Event::Connected {
        base_url: "http://hand".into(),
        account: Some("ada@example.com".into()),
        key_id: Some(12),
        charges: None,
    };
    assert_eq!(scene.event(), connected, "the connection came first");
    assert_eq!(started(&scene.event()), 2);
}

#[test]
fn without_a_server_every_effect_fails_with_the_reason() {
    let reason = "the world file has a mistake";
    let scene = Scene::new(config(), move |_| async move { Err(reason.to_owned()) });
    scene.run(1, page(1));
    let mut seen = vec![scene.event(), scene.event()];
    scene.run(2, page(1));
    seen.push(scene.event());
    assert!(seen.contains(&Event::NotConnected { reason: reason.to_owned() }));
    seen.retain(|event| matches!(event, Event::Done(_)));
    let unreachable = FailureKind::Unreachable(reason.to_owned());
    assert_eq!(seen.iter().map(done).collect::<Vec<_>>(), [(1, Some(&unreachable)), (2, Some(&unreachable))]);
}

#[test]
fn a_panic_while_connecting_is_no_connection() {
    let scene = Scene::new(config(), |_| async { panic!("asked for by a test") });
    assert!(matches!(scene.event(), Event::NotConnected { .. }));
    let scene = Scene::new(config(), |_| -> std::future::Ready<_> { panic!("asked for by a test") });
    assert!(matches!(scene.event(), Event::NotConnected { .. }));
}

#[test]
fn shutdown_answers_what_is_open_and_whatever_comes_after() {
    let (closed_in, closed) = mpsc::channel();
    let scene =
        Scene::new(config(), |connected| async { Ok(connected.closed_by(async move { closed_in.send(()).unwrap() })) });
    scene.run(1, page(1));
    let arrival = scene.arrival();
    scene.handle.shutdown(PATIENCE);
    assert!(arrival.was_broken_off());
    closed.recv_timeout(PATIENCE).expect("what was begun is closed in order");
    scene.run(2, page(1));
    assert_eq!(scene.handle.outstanding(), 0);
    let events = scene.end();
    let results: Vec<_> = events.iter().filter(|event| matches!(event, Event::Done(_))).map(done).collect();
    assert_eq!(results, [(1, Some(&FailureKind::Cancelled)), (2, Some(&FailureKind::Cancelled))]);
}

#[test]
fn dropping_the_handle_answers_what_is_open() {
    let scene = Scene::connected();
    scene.run(1, page(1));
    scene.arrival();
    drop(scene.handle);
    let events: Vec<_> = scene.events.iter().collect();
    assert_eq!(events.last().map(done), Some((1, Some(&FailureKind::Cancelled))));
}

#[test]
fn an_effect_counts_from_the_moment_it_is_given() {
    let scene = Scene::new(config(), |_| std::future::pending());
    scene.run(1, page(1));
    assert_eq!(scene.handle.outstanding(), 1);
    assert!(!scene.handle.wait_idle(Duration::ZERO));
    scene.handle.cancel(TaskId(1));
    assert!(scene.handle.wait_idle(PATIENCE));
    assert_eq!(done(&scene.event()), (1, Some(&FailureKind::Cancelled)), "the result left before the count fell");
}

fn write() -> Request {
    Request::CreateApiKey { body: CreateApiKey { name: "ci".to_owned() } }
}

#[test]
fn equal_writes_are_never_shared() {
    let scene = Scene::connected();
    scene.run(1, write());
    scene.run(2, write());
    scene.arrival();
    scene.arrival();
    assert_eq!((started(&scene.event()), started(&scene.event())), (1, 2));
}

#[test]
fn cancelled_write_that_has_left_has_an_unknown_outcome() {
    let scene = Scene::connected();
    scene.run(1, write());
    let arrival = scene.arrival();
    scene.handle.cancel(TaskId(1));
    assert!(arrival.was_broken_off());
    assert_eq!(started(&scene.event()), 1);
    assert!(matches!(done(&scene.event()), (1, Some(FailureKind::NoAnswer(_)))));
}

#[test]
fn shutdown_waits_for_a_write_and_not_for_a_read() {
    let scene = Scene::connected();
    scene.run(1, write());
    let write = scene.arrival();
    scene.run(2, page(1));
    let read = scene.arrival();
    std::thread::scope(|scope| {
        scope.spawn(|| scene.handle.shutdown(PATIENCE));
        assert!(read.was_broken_off());
        write.decide(Verdict::Answer);
    });
    let events = scene.end();
    let results: Vec<_> = events.iter().filter(|event| matches!(event, Event::Done(_))).map(done).collect();
    assert_eq!(results, [(2, Some(&FailureKind::Cancelled)), (1, None)]);
}

#[test]
fn unanswered_write_has_an_unknown_outcome_at_the_end() {
    let scene = Scene::connected();
    scene.run(1, write());
    let write = scene.arrival();
    scene.handle.shutdown(Duration::from_millis(20));
    assert!(write.was_broken_off());
    let events = scene.end();
    assert!(matches!(done(events.last().unwrap()), (1, Some(FailureKind::NoAnswer(_)))));
}

#[test]
fn write_that_never_left_is_cancelled() {
    let scene = Scene::new(config(), |_| std::future::pending());
    scene.run(1, write());
    assert_eq!(scene.end().iter().map(done).collect::<Vec<_>>(), [(1, Some(&FailureKind::Cancelled))]);
}

#[test]
fn message_is_refused_as_a_mere_request() {
    let body =
        crate::api::SendFreeform { sender_id: 1, recipient_phone: "+4930555".to_owned(), message: "Hi".to_owned() };
    let scene = Scene::connected();
    scene.run(1, Request::SendFreeform { body });
    assert!(matches!(done(&scene.event()), (1, Some(FailureKind::Local(_)))));
    assert!(scene.arrivals.try_recv().is_err());
}

/// A channel whose connections are made by the test, one after the other.
fn reconnecting() -> (Scene, mpsc::Sender<Result<mpsc::Sender<Arrival>, String>>) {
    let (connections_in, connections) = mpsc::channel::<Result<mpsc::Sender<Arrival>, String>>();
    let (events_in, events) = mpsc::channel();
    let connections = Arc::new(Mutex::new(connections));
    let connect = move || {
        let connections = Arc::clone(&connections);
        async move {
            let next = tokio::task::spawn_blocking(move || connections.lock().unwrap().recv());
            let arrivals = next.await.unwrap().map_err(|_| "the test is over".to_owned())??;
            Ok(Connected::with(Hand(Arc::new(Mutex::new(arrivals))), "http://hand".to_owned()))
        }
    };
    let events_out: Events = Arc::new(move |event| drop(events_in.send(event)));
    let (_, arrivals) = mpsc::channel();
    (Scene { handle: start(config(), connect, events_out).unwrap(), events, arrivals }, connections_in)
}

#[test]
fn reconnect_loses_nothing_in_flight_and_later_effects_wait_for_the_new_client() {
    let (scene, connections) = reconnecting();
    let ((old_in, old), (new_in, new)) = (mpsc::channel(), mpsc::channel());
    connections.send(Ok(old_in)).unwrap();
    assert!(matches!(scene.event(), Event::Connected { .. }));
    scene.run(1, write());
    let first = old.recv_timeout(PATIENCE).unwrap();
    assert_eq!(started(&scene.event()), 1);

    scene.handle.reconnect();
    scene.run(2, page(1));
    first.decide(Verdict::Answer);
    assert_eq!(tried(&scene.event()), 1);
    assert_eq!(done(&scene.event()), (1, None), "the old client still answers");
    connections.send(Ok(new_in)).unwrap();
    assert!(matches!(scene.event(), Event::Connected { .. }));
    new.recv_timeout(PATIENCE).unwrap().decide(Verdict::Answer);
    assert_eq!((started(&scene.event()), tried(&scene.event())), (2, 2));
    assert_eq!(done(&scene.event()), (2, None));
    assert!(old.try_recv().is_err());
}

#[test]
fn failed_reconnect_is_reported_and_another_one_may_succeed() {
    let (scene, connections) = reconnecting();
    let (hand_in, hand) = mpsc::channel();
    for (id, connection) in [(1, Err("no token".to_owned())), (2, Ok(hand_in))] {
        scene.run(id, page(id));
        connections.send(connection).unwrap();
        let event = scene.event();
        if id == 1 {
            assert_eq!(event, Event::NotConnected { reason: "no token".to_owned() });
            assert_eq!(done(&scene.event()), (1, Some(&FailureKind::Unreachable("no token".to_owned()))));
            scene.handle.reconnect();
        } else {
            assert!(matches!(event, Event::Connected { .. }));
        }
    }
    hand.recv_timeout(PATIENCE).unwrap().decide(Verdict::Answer);
    assert!(scene.handle.wait_idle(PATIENCE));
}
