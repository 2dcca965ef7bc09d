//! Calls: in the outbox like messages, and not twice by accident.

use super::outbox::{Channel, PROFILE, word};
use super::server::{Reply, Server};
use crate::support::server::Server as Service;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use switchboard::api::{MakeCall, Token};
use switchboard::client::{Client, ClientConfig, FailureKind, Request};
use switchboard::messaging::{Outcome, Outgoing};
use switchboard::records::{Again, Begun, Content, Departing, Entry, Intent, Mark, Records};
use switchboard::service::Clock;
use switchboard::tasks::{Answer, Connected, Sending, Work};
use uuid::Uuid;

const CALLED: &str = r#"{"message": "Call initiated successfully", "call_id": 17, "status": "initiated"}"#;
/// All that the spec promises.
const CALLED_PLAINLY: &str = r#"{"message": "Call initiated", "data": {}}"#;
const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["ada"]
[[users.assistants]]
name = "Reception"
type = "outbound"
status = "active"
"#;

fn call(id: u128, after: Option<u128>) -> Box<Sending> {
    call_to("+4930901820", id, after)
}

fn call_to(phone: &str, id: u128, after: Option<u128>) -> Box<Sending> {
    let intent = Intent {
        id: Uuid::from_u128(id),
        profile: PROFILE.to_owned(),
        sender_id: 1,
        sender: "Reception".to_owned(),
        phone: phone.to_owned(),
        name: None,
        content: Content::Call,
        row: None,
        before: None,
        text: None,
    };
    let call = MakeCall { phone_number: phone.to_owned(), assistant_id: 1, variables: BTreeMap::new() };
    Box::new(Sending {
        intent,
        outgoing: Outgoing::Call(call),
        again: after.map_or(Again::No, |id| Again::After(Uuid::from_u128(id))),
        connection: None,
        is_code: false,
    })
}

/// Records a call for this account, as another program would.
fn begin(records: &Records, intent: &Intent, account: &str, now: jiff::Timestamp) -> Begun {
    let repeat = jiff::SignedDuration::from_hours(24);
    records.begin(&Departing { intent, account, content: None, again: Again::No, repeat }, now).unwrap()
}

fn recent(channel: &Channel) -> Entry {
    match channel.result() {
        Ok(Answer::Recent(entry)) => *entry,
        other => panic!("the earlier call was due, not {other:?}"),
    }
}

#[test]
fn a_call_is_accepted_with_its_number_where_the_server_tells_it() {
    let server = Server::start([Reply::json(200, CALLED), Reply::json(200, CALLED_PLAINLY)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    let Some(Outcome::Accepted(accepted)) = channel.sent().outcome else { panic!("not accepted") };
    assert_eq!((accepted.call_id, accepted.status.as_deref()), (Some(17), Some("initiated")));
    assert_eq!(server.request().line, "POST /api/user/make_call HTTP/1.1");
    channel.run(2, Work::Send(call_to("+4930901821", 2, None)));
    let Some(Outcome::Accepted(accepted)) = channel.sent().outcome else { panic!("not accepted") };
    assert_eq!(accepted.call_id, None);
}

#[test]
fn the_same_assistant_and_number_within_ten_minutes_are_not_called_again_unconfirmed() {
    let server = Server::start([Reply::json(200, CALLED), Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    channel.sent();
    channel.run(2, Work::Send(call(2, None)));
    assert_eq!(recent(&channel).intent.id, Uuid::from_u128(1));
    assert_eq!(channel.outbox().len(), 1, "nothing was recorded");
    // Confirmed by a person.
    channel.run(3, Work::Send(call(3, Some(1))));
    assert_eq!(word(&channel.sent()), "accepted");
    assert_eq!(channel.outbox().len(), 2);
}

#[test]
fn what_was_confirmed_is_the_call_that_was_named_and_no_newer_one() {
    let server = Server::start([Reply::json(200, CALLED), Reply::json(200, CALLED), Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    channel.sent();
    // Two people were asked about the first call, and both said yes.
    channel.run(2, Work::Send(call(2, Some(1))));
    assert_eq!(word(&channel.sent()), "accepted");
    channel.run(3, Work::Send(call(3, Some(1))));
    assert_eq!(recent(&channel).intent.id, Uuid::from_u128(2));
    channel.run(4, Work::Send(call(4, Some(2))));
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn another_profile_or_spelling_of_the_number_asks_too() {
    let server = Server::start([Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    channel.sent();
    channel.run(2, Work::Send(call_to("+49030901820", 2, None)));
    assert_eq!(recent(&channel).intent.id, Uuid::from_u128(1));
    let other = Intent { profile: "same account".to_owned(), ..call(3, None).intent };
    let account = server.base_url().replace("127.0.0.1", "localhost").replace("/api", " ada@example.com");
    let begun = begin(&channel.records, &other, &account, jiff::Timestamp::now());
    assert!(matches!(begun, Begun::Recent(entry) if entry.intent.id == Uuid::from_u128(1)));
}

#[test]
fn clock_that_is_set_back_forgets_no_call() {
    let records = Records::in_memory().unwrap();
    let (first, now) = (call(1, None).intent, jiff::Timestamp::now());
    assert_eq!(begin(&records, &first, "ada", now), Begun::Recorded(first.id));
    let of = |id, seconds| {
        let now = now + jiff::SignedDuration::from_secs(seconds);
        matches!(begin(&records, &call(id, None).intent, "ada", now), Begun::Recent(_))
    };
    assert!(of(2, -86_400) && of(3, 599));
    assert!(!of(4, 600), "ten minutes are over");
}

#[test]
fn call_of_a_program_that_was_killed_asks_at_the_next_start() {
    let home = tempfile::tempdir().unwrap();
    let killed = Records::open(home.path()).unwrap();
    assert_eq!(
        begin(&killed, &call(1, None).intent, "ada", jiff::Timestamp::now()),
        Begun::Recorded(Uuid::from_u128(1))
    );
    drop(killed);
    let records = Records::open(home.path()).unwrap();
    let Begun::Recent(earlier) = begin(&records, &call(2, None).intent, "ada", jiff::Timestamp::now()) else {
        panic!("it was called already, perhaps")
    };
    assert_eq!((earlier.intent.id, word(&earlier)), (Uuid::from_u128(1), "unknown"));
}

#[test]
fn call_that_the_token_was_refused_for_was_not_made_and_does_not_ask() {
    let server = Server::start([Reply::json(401, r#"{"message": "Unauthenticated."}"#), Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    assert_eq!(word(&channel.sent()), "not sent");
    channel.run(2, Work::Send(call(2, None)));
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn an_unknown_call_asks_too_until_somebody_marks_it() {
    let server = Server::start([Reply::json(500, "{}"), Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    assert_eq!(word(&channel.sent()), "unknown");
    channel.run(2, Work::Send(call(2, None)));
    assert_eq!(recent(&channel).intent.id, Uuid::from_u128(1));
    channel.records.mark(Uuid::from_u128(1), Mark::NotSent, jiff::Timestamp::now()).unwrap();
    channel.run(3, Work::Send(call(3, None)));
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn a_refused_call_does_not_ask() {
    let refused = r#"{"message": "Insufficient balance to make call. Please top up your account."}"#;
    let server = Server::start([Reply::json(422, refused), Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    assert_eq!(word(&channel.sent()), "refused");
    channel.run(2, Work::Send(call(2, None)));
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn a_call_without_an_answer_is_unknown_and_made_once() {
    let server = Server::start([Reply::BreakOff, Reply::json(200, CALLED)]);
    let channel = Channel::scripted(&server);
    channel.run(1, Work::Send(call(1, None)));
    assert_eq!(word(&channel.sent()), "unknown");
    // The same intent again, as after a restart: it is known, and stays at home.
    channel.run(2, Work::Send(call(1, Some(1))));
    assert_eq!(word(&channel.sent()), "unknown");
    server.request();
    assert_eq!(channel.outbox().len(), 1);
}

#[test]
fn two_programs_with_one_outbox_call_once() {
    let home = tempfile::tempdir().unwrap();
    let service = Service::start(WORLD, Clock::system());
    let open = || {
        let config = ClientConfig::new(service.base_url().parse().unwrap(), Token::new("ada"));
        let client = Client::new(config).unwrap();
        let connected = std::future::ready(Ok(Connected::with(client, service.base_url())));
        Channel::when(connected, Arc::new(Records::open(home.path()).unwrap()), |config| config)
    };
    let (first, second) = (open(), open());
    first.run(1, Work::Send(call(1, None)));
    second.run(1, Work::Send(call(2, None)));
    let results = [first.result(), second.result()];
    let sent = results.iter().filter(|result| matches!(result, Ok(Answer::Sent(_)))).count();
    let recent = results.iter().filter(|result| matches!(result, Ok(Answer::Recent(_)))).count();
    assert_eq!((sent, recent), (1, 1), "{results:?}");
}

#[test]
fn a_call_must_be_recorded_first() {
    let server = Server::start([]);
    let channel = Channel::scripted(&server);
    let Outgoing::Call(body) = call(1, None).outgoing else { panic!("a call") };
    channel.run(1, Request::MakeCall { body });
    assert!(matches!(channel.result(), Err(FailureKind::Local(_))));
}

#[test]
fn an_unknown_call_is_looked_up_in_the_servers_list() {
    let service = Service::start(WORLD, Clock::system());
    service.fault(&json!({"path": "/user/make_call", "drop": true, "count": 1}));
    let channel = Channel::to(&service.base_url(), &service.token);
    channel.run(1, Work::Send(call(1, None)));
    let entry = channel.sent();
    assert_eq!(word(&entry), "unknown");
    let check = |id, intent: &Intent| {
        channel.run(id, Work::Check(Box::new(intent.clone())));
        let result = channel.result();
        let Ok(Answer::Calls(found)) = result else { panic!("{result:?}") };
        found
    };
    let found = check(2, &entry.intent).unwrap();
    assert_eq!(found.len(), 1, "it was made all the same");
    assert_eq!(found[0].client_phone_number.known(), Some(&entry.intent.phone));
    let other = Intent { phone: "+4930901821".to_owned(), ..entry.intent.clone() };
    assert_eq!(check(3, &other), Some(Vec::new()));
    for status in [404_u16, 405] {
        service.fault(&json!({"path": "/user/calls", "status": status, "count": 1}));
        assert_eq!(check(u64::from(status), &entry.intent), None, "the server does not list calls");
    }
    service.fault(&json!({"path": "/user/calls", "status": 403, "count": 1}));
    channel.run(4, Work::Check(Box::new(entry.intent)));
    assert!(channel.result().is_err());
}
