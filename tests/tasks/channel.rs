//! The task channel with the real client in it.

use super::client::{client, config};
use super::outbox::once;
use super::server::{PATIENCE, Reply, Server, nobody};
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::{Arc, mpsc};
use switchboard::api::{ConversationQuery, Token};
use switchboard::client::{Client, FailureKind, Request};
use switchboard::receiver::{Arrival, Signature};
use switchboard::records::Records;
use switchboard::tasks::{self, Answer, Config, Connected, Effect, Event, Handle, Listening, Origin, Report, TaskId};
use tokio::sync::oneshot;

const EMPTY_PAGE: &str = r#"{"current_page": 1, "data": []}"#;

fn start(client: Client) -> (Handle, mpsc::Receiver<Event>) {
    start_when(client, std::future::ready(()))
}

fn start_when(client: Client, ready: impl Future<Output = ()> + Send + 'static) -> (Handle, mpsc::Receiver<Event>) {
    let (events_in, events) = mpsc::channel();
    let out: tasks::Events = Arc::new(move |event| drop(events_in.send(event)));
    let connect = once(async {
        ready.await;
        Ok(Connected::new(client))
    });
    let handle = tasks::start(Config::new(Arc::new(Records::in_memory().unwrap()), "test"), connect, out).unwrap();
    (handle, events)
}

fn conversations(id: u64) -> Effect {
    let request = Request::ListConversations { query: ConversationQuery::default() };
    Effect::new(TaskId(id), Origin::new("conversations"), request)
}

/// Everything that is said until the channel is idle.
fn until_idle(handle: &Handle, events: &mpsc::Receiver<Event>) -> Vec<Event> {
    assert!(handle.wait_idle(PATIENCE));
    events.try_iter().collect()
}

#[test]
fn an_effect_becomes_a_request_and_its_answer_an_event() {
    let server = Server::start([Reply::Drop, Reply::json(200, EMPTY_PAGE)]);
    let (handle, events) = start(client(&server));
    handle.run(conversations(1));
    let events = until_idle(&handle, &events);
    let [
        Event::Connected { base_url, .. },
        Event::Started { operation, .. },
        Event::Tried { attempt: first, .. },
        Event::Tried { attempt: second, .. },
        Event::Done(report),
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!((base_url, operation.path.as_str()), (&server.base_url(), "/user/conversations"));
    assert!(first.retry_in.is_some() && second.fault.is_none());
    assert!(matches!(report.result, Ok(Answer::Reply(_))));
}

#[test]
fn two_effects_that_ask_the_same_are_one_request_on_the_wire() {
    let server = Server::start([Reply::json(200, EMPTY_PAGE)]);
    let (open, gate) = oneshot::channel::<()>();
    let client = client(&server);
    let (handle, events) = start_when(client, async { gate.await.unwrap() });
    handle.run(conversations(1));
    handle.run(conversations(2));
    open.send(()).unwrap();
    let events = until_idle(&handle, &events);
    let answered = |event: &&Event| matches!(event, Event::Done(report) if report.result.is_ok());
    assert_eq!(events.iter().filter(answered).count(), 2);
    assert_eq!(server.unseen().len(), 1);
}

#[test]
fn cancelling_breaks_the_request_off_on_the_wire() {
    let server = Server::start([Reply::Hang]);
    let (handle, events) = start(client(&server));
    handle.run(conversations(1));
    server.request();
    handle.cancel(TaskId(1));
    assert!(server.client_left());
    let events = until_idle(&handle, &events);
    let Some(Event::Done(report)) = events.last() else { panic!("{events:?}") };
    assert_eq!(report.result.as_ref().unwrap_err().kind, FailureKind::Cancelled);
}

#[test]
fn a_server_that_is_gone_fails_the_effect_and_a_later_one_may_succeed() {
    let server = Server::start([Reply::json(500, ""), Reply::json(200, EMPTY_PAGE)]);
    let (handle, events) = start(client(&server));
    for (id, succeeds) in [(1, false), (2, true)] {
        handle.run(conversations(id));
        let events = until_idle(&handle, &events);
        let Some(Event::Done(report)) = events.last() else { panic!("{events:?}") };
        assert_eq!(report.result.is_ok(), succeeds);
    }
    let (handle, events) = start(Client::new(config(&nobody())).unwrap());
    handle.run(conversations(1));
    let events = until_idle(&handle, &events);
    let Some(Event::Done(report)) = events.last() else { panic!("{events:?}") };
    assert!(report.result.as_ref().unwrap_err().kind.is_offline());
}

#[test]
fn shutdown_does_not_wait_for_a_server_that_hangs() {
    let server = Server::start([Reply::Hang]);
    let (handle, events) = start(client(&server));
    handle.run(conversations(1));
    server.request();
    handle.shutdown(PATIENCE);
    assert_eq!(handle.outstanding(), 0);
    assert!(server.client_left());
    drop(handle);
    assert!(matches!(events.iter().last(), Some(Event::Done(_))));
}

/// Starts to receive webhooks, and gives the address.
fn listen(handle: &Handle, events: &mpsc::Receiver<Event>) -> String {
    let start = Listening::Start { port: 0, secret: Some(Token::new("whsec_c2VjcmV0")), forward: None };
    handle.run(Effect::new(TaskId(1), Origin::new("assistants"), start));
    let events = until_idle(handle, events);
    let url = events.iter().find_map(|event| match event {
        Event::Done(Report { result: Ok(Answer::Listening(url)), .. }) => url.as_ref(),
        _ => None,
    });
    url.unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned()
}

#[test]
fn listener_hands_arrivals_over_and_ends_with_the_channel() {
    let server = Server::start([]);
    let (handle, events) = start(client(&server));
    let address = listen(&handle, &events);
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}").unwrap();
    let delivery = std::iter::from_fn(|| events.recv_timeout(PATIENCE).ok()).find_map(|event| match event {
        Event::Arrival(Arrival::Delivery(delivery)) => Some(delivery),
        _ => None,
    });
    let delivery = delivery.unwrap();
    assert_eq!((delivery.body.as_str(), delivery.signature), ("{}", Signature::Missing));
    handle.shutdown(PATIENCE);
    assert!(TcpStream::connect(&address).is_err());
}

#[test]
fn one_listener_runs_at_a_time_and_another_after_it_stopped() {
    let server = Server::start([]);
    let (handle, events) = start(client(&server));
    let first = listen(&handle, &events);
    let again = |id, listening: Listening| {
        handle.run(Effect::new(TaskId(id), Origin::new("assistants"), listening));
        let events = until_idle(&handle, &events);
        let report =
            events.into_iter().find_map(|event| if let Event::Done(report) = event { Some(report) } else { None });
        report.unwrap()
    };
    let port: u16 = first.rsplit(':').next().unwrap().parse().unwrap();
    let same = Listening::Start { port, secret: None, forward: None };
    let failure = again(2, same.clone()).result.unwrap_err();
    assert!(failure.kind.to_string().contains(&first), "{failure}");
    assert_eq!(again(3, Listening::Stop).result, Ok(Answer::Listening(None)));
    assert!(TcpStream::connect(&first).is_err());
    assert_eq!(again(4, same).result, Ok(Answer::Listening(Some(format!("http://{first}/")))));
    assert!(again(5, Listening::ForwardAgain(1)).result.is_err(), "nothing was received");
}
