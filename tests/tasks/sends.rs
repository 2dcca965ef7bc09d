//! What becomes of a message, whatever happens on its way.

use super::outbox::{Channel, PROFILE, WORLD, message, text, why, word};
use super::server::{PATIENCE, Reply, Server, nobody};
use crate::support::server::Server as Service;
use jiff::Timestamp;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use switchboard::api::{Role, Token};
use switchboard::client::{Client, Departure, Failure, FailureKind, Observer, Reply as Read, Request, Transfer};
use switchboard::messaging::{Outcome, Refusal};
use switchboard::records::{Draft, Intent, Records, RowOf, StorageRequest};
use switchboard::service::Clock;
use switchboard::tasks::{
    self, Answer, Config, Connected, Effect, Event, Evidence, LastMessages, Origin, Requests, Sending, TaskId, Work,
};
use tokio::sync::oneshot;
use uuid::Uuid;

const TAKEN: &str = r#"{"success": true, "conversation_id": 5, "message_id": 6, "msgapp_message_id": 7,
    "message_sid": "SM8", "status": "queued"}"#;
const TOO_MANY: &str = r#"{"message": "Too Many Attempts.", "retry_after": 1}"#;

fn send(channel: &Channel, number: u64) {
    channel.run(number, Work::Send(message(number)));
}

#[test]
fn a_message_that_is_taken_is_accepted_with_its_numbers() {
    let server = Server::start([Reply::json(200, TAKEN)]);
    let channel = Channel::scripted(&server);
    send(&channel, 1);
    let entry = channel.sent();
    let Some(Outcome::Accepted(accepted)) = &entry.outcome else { panic!("{entry:?}") };
    assert_eq!((accepted.message_id, accepted.message_sid.as_deref()), (Some(6), Some("SM8")));
    assert!(entry.ended >= Some(entry.began));
    assert_eq!(server.request().line, "POST /api/user/msgapp/send HTTP/1.1");
}

#[test]
fn a_message_is_recorded_before_it_leaves() {
    let post = Post::default();
    let mut letters = post.opened();
    let channel = Channel::with(post, |config| config);
    send(&channel, 1);
    let letter = letters.next();
    let outbox = channel.outbox();
    assert_eq!((outbox.len(), word(&outbox[0]), outbox[0].ended), (1, "open", None));
    letter.answer();
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn a_message_that_the_service_refuses_is_refused_in_its_words() {
    let body = r#"{"success": false, "error": "No money.", "error_code": "INSUFFICIENT_BALANCE"}"#;
    let server = Server::start([Reply::json(402, body)]);
    let channel = Channel::scripted(&server);
    send(&channel, 1);
    let entry = channel.sent();
    let Some(Outcome::NotSent(Refusal { status: Some(402), words, .. })) = &entry.outcome else { panic!("{entry:?}") };
    assert_eq!(words, "No money.");
}

#[test]
fn a_message_without_a_server_is_not_recorded_since_nobody_knows_who_pays() {
    let channel = Channel::to(&nobody(), &Token::new("t"));
    send(&channel, 1);
    let said = channel.result().unwrap_err().to_string();
    assert!(
        said.contains("Nothing was sent") && said.contains("cannot reach the server: connection refused"),
        "{said}"
    );
    assert!(channel.outbox().is_empty());
}

#[test]
fn what_breaks_after_the_message_left_is_unknown_and_never_tried_again() {
    for reply in [Reply::Drop, Reply::BreakOff, Reply::json(500, ""), Reply::json(503, ""), Reply::json(302, "")] {
        let server = Server::start(vec![reply; 5]);
        let channel = Channel::scripted(&server);
        send(&channel, 1);
        assert_eq!(word(&channel.sent()), "unknown");
        assert_eq!(server.unseen().len(), 1);
    }
}

#[test]
fn a_message_that_the_service_turns_away_waits_as_told_and_is_accepted_once() {
    let service = Service::start(WORLD, Clock::system());
    service.fault(&json!({"path": "/user/msgapp/send", "status": 429, "count": 2}));
    let channel = Channel::to(&service.base_url(), &service.token);
    send(&channel, 1);
    let waits: Vec<_> = (0..3).map(|_| channel.attempt()).map(|tried| (tried.status, tried.retry_in)).collect();
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(waits, [(Some(429), seconds(1)), (Some(429), seconds(2)), (Some(200), None)]);
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn thirty_messages_at_once_never_meet_the_limit_of_the_service() {
    let service = Service::start(WORLD, Clock::system());
    let channel = Channel::to(&service.base_url(), &service.token);
    for number in 0..30 {
        send(&channel, number);
    }
    for _ in 0..30 {
        let tried = channel.attempt();
        assert_eq!((tried.number, tried.status), (1, Some(200)));
        assert!(tried.server_time.is_some());
    }
    assert!(channel.handle.wait_idle(PATIENCE));
    assert!(channel.outbox().iter().all(|entry| word(entry) == "accepted"));
}

#[test]
fn two_programs_that_share_the_limit_send_everything_all_the_same() {
    let service = Service::start(WORLD, Clock::system());
    let channels = [(); 2].map(|()| Channel::to(&service.base_url(), &service.token));
    for number in 0..20 {
        send(&channels[usize::from(number % 2 == 0)], number);
    }
    for channel in channels {
        assert!(channel.handle.wait_idle(PATIENCE * 3));
        let words: Vec<_> = channel.outbox().iter().map(word).collect();
        assert_eq!(words, ["accepted"; 10]);
    }
}

#[test]
fn where_it_is_read_only_nothing_is_recorded_and_nothing_leaves() {
    let server = Server::start([]);
    let client = Client::new(super::client::config(&server.base_url())).unwrap();
    let channel = Channel::with(client, |config| Config { read_only: true, ..config });
    send(&channel, 1);
    let kind = channel.result().unwrap_err();
    assert!(matches!(&kind, FailureKind::Local(why) if why == "Read-only: nothing was sent"), "{kind}");
    assert!(channel.outbox().is_empty() && server.unseen().is_empty());
}

#[test]
fn without_an_outbox_nothing_leaves() {
    let server = Server::start([]);
    let client = Client::new(super::client::config(&server.base_url())).unwrap();
    let why = Some("a folder has its name".to_owned());
    let channel = Channel::with(client, |config| Config { no_outbox: why, ..config });
    send(&channel, 1);
    let said = channel.result().unwrap_err().to_string();
    assert!(said.contains("Nothing was sent: the outbox cannot be opened (a folder has its name)"), "{said}");
    assert!(channel.outbox().is_empty() && server.unseen().is_empty());
}

#[test]
fn a_message_of_another_profile_or_to_another_recipient_than_recorded_does_not_leave() {
    let server = Server::start([]);
    let channel = Channel::scripted(&server);
    let mut foreign = message(1);
    foreign.intent.profile = "other".to_owned();
    let mut swapped = message(2);
    swapped.intent.phone = "+4930555999".to_owned();
    for sending in [foreign, swapped] {
        channel.run(1, Work::Send(sending));
        assert!(matches!(channel.result().unwrap_err(), FailureKind::Local(_)));
    }
    assert!(channel.outbox().is_empty() && server.unseen().is_empty());
}

#[test]
fn a_message_that_is_in_the_outbox_already_never_leaves_again() {
    let server = Server::start([Reply::json(200, TAKEN)]);
    let channel = Channel::scripted(&server);
    let batch = Uuid::from_u128(77);
    let row = |number| {
        let mut sending = message(number);
        sending.intent.row = Some(RowOf { batch, line: 4 });
        Work::Send(sending)
    };
    channel.run(1, row(1));
    let first = channel.sent();
    channel.run(2, row(1));
    assert_eq!(channel.sent(), first, "the same message");
    channel.run(3, row(2));
    assert_eq!(channel.sent(), first, "the same row of a batch");
    assert_eq!((server.unseen().len(), channel.outbox().len()), (1, 1));
}

#[test]
fn a_message_that_cannot_be_recorded_does_not_leave() {
    let home = tempfile::tempdir().unwrap();
    let records = Arc::new(Records::open(home.path()).unwrap());
    let beside = rusqlite::Connection::open(home.path().join("records.db")).unwrap();
    beside.execute_batch("DROP TABLE outbox").unwrap();
    let server = Server::start([Reply::json(200, TAKEN)]);
    let client = Client::new(super::client::config(&server.base_url())).unwrap();
    let connected = std::future::ready(Ok(Connected::new(client)));
    let channel = Channel::when(connected, records, |config| config);
    send(&channel, 1);
    let kind = channel.result().unwrap_err();
    let FailureKind::Local(why) = kind else { panic!("{kind}") };
    assert!(why.starts_with("Nothing was sent: the outbox cannot be written"), "{why}");
    assert!(server.unseen().is_empty());
}

#[test]
fn a_message_that_waits_is_taken_back_by_cancelling_it() {
    let server = Server::start(vec![Reply::json(429, TOO_MANY).with("Retry-After", "100"); 2]);
    let channel = Channel::scripted(&server);
    send(&channel, 1);
    assert_eq!(channel.attempt().retry_in, Some(Duration::from_secs(100)));
    channel.handle.cancel(TaskId(1));
    let entry = channel.sent();
    assert_eq!((word(&entry), why(&entry)), ("not sent", "taken back before it left"));
    assert_eq!(server.unseen().len(), 1);
}

#[test]
fn a_message_that_is_taken_back_before_there_is_a_server_is_nowhere() {
    let records = Arc::new(Records::in_memory().unwrap());
    let connecting = std::future::pending::<Result<Connected<Client>, String>>();
    let channel = Channel::when(connecting, records, |config| config);
    send(&channel, 1);
    channel.handle.cancel(TaskId(1));
    assert_eq!(channel.result().unwrap_err(), FailureKind::Cancelled);
    assert!(channel.outbox().is_empty());
}

#[test]
fn a_message_that_has_left_goes_on_when_it_is_cancelled_and_its_outcome_is_recorded() {
    let post = Post::default();
    let mut letters = post.opened();
    let channel = Channel::with(post, |config| config);
    send(&channel, 1);
    let letter = letters.next();
    channel.until(|event| (event == Event::Left { id: TaskId(1) }).then_some(()));
    channel.handle.cancel(TaskId(1));
    // Reads are answered in the order of the commands: the cancelled message was not.
    channel.run(2, StorageRequest::Load);
    assert!(matches!(channel.result(), Ok(Answer::Stored(_))));
    assert_eq!(word(&channel.outbox()[0]), "open");
    letter.answer();
    assert_eq!(word(&channel.sent()), "accepted", "who has cancelled it hears what became of it");
}

#[test]
fn an_outcome_that_cannot_be_written_is_told_and_written_later() {
    let home = tempfile::tempdir().unwrap();
    let records = Arc::new(Records::open(home.path()).unwrap());
    let beside = rusqlite::Connection::open(home.path().join("records.db")).unwrap();
    let post = Post::default();
    let mut letters = post.opened();
    let connected = std::future::ready(Ok(Connected::with(post, "http://test".to_owned())));
    let channel = Channel::when(connected, records, |config| config);
    for at_the_end in [false, true] {
        let number = u64::from(at_the_end) + 1;
        send(&channel, number);
        let letter = letters.next();
        beside.execute_batch("ALTER TABLE outbox RENAME TO aside").unwrap();
        letter.answer();
        let told = channel.until(|event| if let Event::Unwritten(words) = event { Some(words) } else { None });
        assert!(told.starts_with("Accepted, but not recorded yet: the message to +4930555"), "{told}");
        let Ok(Answer::Sent(entry)) = channel.result() else { panic!("an entry was due") };
        assert_eq!(word(&entry), "accepted");
        beside.execute_batch("ALTER TABLE aside RENAME TO outbox").unwrap();
        if at_the_end {
            channel.handle.shutdown(PATIENCE);
        } else {
            channel.until(|event| (event == Event::Written).then_some(()));
        }
        assert_eq!(word(&channel.records.entry(entry.intent.id).unwrap().unwrap()), "accepted");
    }
}

#[test]
fn a_message_leaves_only_for_the_account_that_it_was_confirmed_for() {
    for (asked, email, confirmed_with, why) in [
        (true, "ada@example.com", 1, None),
        (true, "bob@example.com", 1, Some("it was confirmed for another account (ada@example.com)")),
        (false, "ada@example.com", 1, Some("the token was replaced after it was confirmed")),
        (false, "bob@example.com", 2, None),
    ] {
        let posts = [Post::default(), Post { email, ..Post::default() }];
        let mut letters = posts[1].opened();
        let (posts, (events_in, events)) = (Mutex::new(posts.into_iter()), mpsc::channel());
        let records = Arc::new(Records::in_memory().unwrap());
        let connect = move || {
            let post = posts.lock().unwrap().next().unwrap();
            std::future::ready(Ok(Connected::with(post, "http://test".to_owned())))
        };
        let out: tasks::Events = Arc::new(move |event| drop(events_in.send(event)));
        let handle = tasks::start(Config::new(Arc::clone(&records), PROFILE), connect, out).unwrap();
        let channel = Channel { handle, records, events };
        let connected = || channel.until(|event| matches!(event, Event::Connected { .. }).then_some(()));
        connected();
        if asked {
            channel.run(1, Work::FindAccount);
            assert!(matches!(channel.result(), Ok(Answer::Account(name)) if name.ends_with(" ada@example.com")));
        }
        channel.handle.reconnect();
        connected();
        channel.run(2, Work::Send(Box::new(Sending { connection: Some(confirmed_with), ..*message(1) })));
        let Some(why) = why else {
            letters.next().answer();
            assert_eq!(word(&channel.sent()), "accepted");
            continue;
        };
        let said = channel.result().unwrap_err().to_string();
        assert_eq!(said, format!("Nothing was sent: {why}"));
        assert!(channel.outbox().is_empty());
    }
}

#[test]
fn a_message_has_no_deadline_of_the_channels() {
    let post = Post::default();
    let mut letters = post.opened();
    let channel = Channel::with(post, |config| Config { deadline: Duration::ZERO, ..config });
    send(&channel, 1);
    let letter = letters.next();
    channel.run(2, Request::ListTools);
    assert!(channel.result().is_err(), "a read is given up");
    letter.answer();
    assert_eq!(word(&channel.sent()), "accepted");
}

#[test]
fn a_panic_on_the_way_has_an_outcome() {
    for (manner, outcome) in [(Manner::PanicsHere, "not sent"), (Manner::PanicsOnTheWay, "unknown")] {
        let post = Post { manner, ..Post::default() };
        let channel = Channel::with(post, |config| config);
        send(&channel, 1);
        assert_eq!(word(&channel.sent()), outcome);
    }
}

#[test]
fn the_end_settles_what_has_left_as_unknown_and_takes_back_what_waits() {
    let waits = Reply::json(429, TOO_MANY).with("Retry-After", "100");
    for (reply, outcome) in [(Reply::Hang, "unknown"), (waits, "not sent")] {
        let server = Server::start([reply]);
        let channel = Channel::scripted(&server);
        send(&channel, 1);
        server.request();
        if outcome == "not sent" {
            channel.attempt();
        }
        channel.handle.shutdown(Duration::from_millis(20));
        assert_eq!(word(&channel.outbox()[0]), outcome);
        assert_eq!(word(&channel.sent()), outcome);
    }
}

#[test]
fn an_answer_within_the_grace_is_recorded() {
    let post = Post::default();
    let mut letters = post.opened();
    let channel = Channel::with(post, |config| config);
    let Intent { sender_id, phone, .. } = message(1).intent;
    let draft = Draft {
        sender_id: Some(sender_id),
        phone,
        template_id: Some(1),
        name: String::new(),
        values: BTreeMap::new(),
        message: None,
        saved: Timestamp::now(),
    };
    channel.records.store(PROFILE, &StorageRequest::SaveDraft(draft), Timestamp::now()).unwrap();
    send(&channel, 1);
    let letter = letters.next();
    std::thread::scope(|scope| {
        let handle = &channel.handle;
        scope.spawn(move || handle.shutdown(PATIENCE));
        letter.answer();
    });
    assert_eq!(word(&channel.sent()), "accepted");
    assert_eq!(channel.records.profile_data(PROFILE).unwrap().drafts, [], "it is not offered again");
}

#[test]
fn dropping_the_handle_settles_everything_too() {
    let server = Server::start([Reply::Hang]);
    let Channel { handle, records, events } = Channel::scripted(&server);
    for number in 0..20 {
        handle.run(Effect::new(TaskId(number), Origin::new("messaging"), Work::Send(message(number))));
    }
    server.request();
    drop(handle);
    let results = events.iter().filter(|event| matches!(event, switchboard::tasks::Event::Done(_))).count();
    assert_eq!(results, 20);
    let outbox = records.outbox(Some(PROFILE), 100).unwrap();
    assert!(outbox.iter().all(|entry| entry.outcome.is_some()), "{outbox:?}");
}

#[test]
fn the_evidence_is_the_window_and_the_end_of_the_conversation() {
    let service = Service::start(WORLD, Clock::system());
    service.fault(&json!({"path": "/user/msgapp/send", "drop": true, "count": 1}));
    let channel = Channel::to(&service.base_url(), &service.token);
    send(&channel, 1);
    let entry = channel.sent();
    assert_eq!(word(&entry), "unknown");
    let check = |id| {
        channel.run(id, Work::Check(Box::new(entry.intent.clone())));
        let result = channel.result();
        let Ok(Answer::Evidence(evidence)) = result else { panic!("{result:?}") };
        *evidence
    };
    let Evidence { intent, window, messages } = check(2);
    assert_eq!((intent, window.session_status.known().unwrap().is_open.known()), (entry.intent.clone(), Some(&true)));
    let LastMessages::Told(messages) = messages else { panic!("{messages:?}") };
    let said = |role: &Role| messages.iter().find(|message| message.role.known() == Some(role));
    assert_eq!(said(&Role::Assistant).unwrap().content.known(), Some(&text(1)));

    service.fault(&json!({"path": "/conversations/", "status": 404, "count": 1}));
    assert_eq!(check(3).messages, LastMessages::Unreadable, "the server has no such operation");
    service.fault(&json!({"path": "/user/conversations", "status": 405, "count": 1}));
    assert_eq!(check(4).messages, LastMessages::Unreadable);
    let stranger = Intent { phone: "+4930999999".to_owned(), ..entry.intent.clone() };
    channel.run(6, Work::Check(Box::new(stranger)));
    let Ok(Answer::Evidence(evidence)) = channel.result() else { panic!("no evidence") };
    assert_eq!(evidence.messages, LastMessages::NotFound, "it could be read, and is not there");
    service.fault(&json!({"path": "/user/msgapp/session-status", "status": 500, "count": 1}));
    channel.run(5, Work::Check(Box::new(entry.intent.clone())));
    assert!(channel.result().is_err());
}

/// Stands where the client stands: each message leaves, and is answered by the test.
#[derive(Clone, Default)]
struct Post {
    manner: Manner,
    /// Whose account it is; Ada's where it is empty.
    email: &'static str,
    letters: Arc<Mutex<Option<mpsc::Sender<Letter>>>>,
}

#[derive(Clone, Copy, Default)]
enum Manner {
    #[default]
    Waits,
    PanicsHere,
    PanicsOnTheWay,
}

/// A message that has left.
struct Letter(oneshot::Sender<()>);

impl Letter {
    fn answer(self) {
        self.0.send(()).unwrap();
    }
}

struct Letters(mpsc::Receiver<Letter>);

impl Letters {
    fn next(&mut self) -> Letter {
        self.0.recv_timeout(PATIENCE).expect("a message was due")
    }
}

impl Post {
    fn opened(&self) -> Letters {
        let (letters_in, letters) = mpsc::channel();
        *self.letters.lock().unwrap() = Some(letters_in);
        Letters(letters)
    }
}

impl Requests for Post {
    async fn call(&self, request: Request, _: Observer<'_>) -> Result<Read, Failure> {
        // Messages leave for an account only.
        if let Request::GetAccount = request {
            let email = if self.email.is_empty() { "ada@example.com" } else { self.email };
            return Ok(Read::GetAccount(serde_json::from_value(json!({"email": email})).unwrap()));
        }
        std::future::pending().await
    }

    fn origin(&self) -> String {
        "http://localhost:80".to_owned()
    }

    fn token(&self) -> Token {
        Token::new("token")
    }

    async fn send(&self, message: Request, departure: &Departure, _: Observer<'_>) -> Result<Read, Failure> {
        assert!(!matches!(self.manner, Manner::PanicsHere), "asked for by a test");
        if !departure.leave() {
            return Err(Failure::of(message.operation(), FailureKind::Cancelled));
        }
        assert!(!matches!(self.manner, Manner::PanicsOnTheWay), "asked for by a test");
        let (letter, answered) = oneshot::channel();
        self.letters.lock().unwrap().as_ref().unwrap().send(Letter(letter)).unwrap();
        answered.await.unwrap();
        Ok(Read::SendTemplate(serde_json::from_str(TAKEN).unwrap()))
    }

    async fn upload(&self, _: Request, _: &Arc<Transfer>, _: Observer<'_>) -> Result<Read, Failure> {
        std::future::pending().await
    }
}
