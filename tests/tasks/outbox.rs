//! A channel whose outbox is looked at, and messages for it.

use super::client::TOKEN;
use super::server::PATIENCE;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};
use switchboard::api::{SendTemplate, Token};
use switchboard::client::{Attempt, Client, ClientConfig, FailureKind};
use switchboard::messaging::{Outcome, Outgoing};
use switchboard::records::{Again, Content, Entry, Intent, Records, TemplateName};
use switchboard::tasks::{
    self, Answer, Config, Connected, Effect, Event, Handle, Origin, Requests, Sending, Task, TaskId,
};
use uuid::Uuid;

/// The profile of all of this.
pub const PROFILE: &str = "test";
/// The sender's number.
pub const SENDER: &str = "+14155550100";

/// A channel, its outbox and what it has said so far.
pub struct Channel {
    pub handle: Handle,
    pub records: Arc<Records>,
    pub events: mpsc::Receiver<Event>,
}

impl Channel {
    pub fn to(base_url: &str, token: &Token) -> Self {
        let mut config = ClientConfig::new(base_url.parse().unwrap(), token.clone());
        config.retries = 0;
        Self::of(&config)
    }

    pub fn of(config: &ClientConfig) -> Self {
        Self::with(Client::new(config.clone()).unwrap(), |config| config)
    }

    /// To a server that answers by a script.
    pub fn scripted(server: &super::server::Server) -> Self {
        Self::to(&server.base_url(), &Token::new(TOKEN))
    }

    pub fn with<R: Requests>(requests: R, change: impl FnOnce(Config) -> Config) -> Self {
        let connected = std::future::ready(Ok(Connected::with(requests, "http://test".to_owned())));
        Self::when(connected, Arc::new(Records::in_memory().unwrap()), change)
    }

    /// Connected as soon as that comes.
    pub fn when<R: Requests>(
        connected: impl Future<Output = Result<Connected<R>, String>> + Send + 'static,
        records: Arc<Records>,
        change: impl FnOnce(Config) -> Config,
    ) -> Self {
        let (events_in, events) = mpsc::channel();
        let config = change(Config::new(Arc::clone(&records), PROFILE));
        let out: tasks::Events = Arc::new(move |event| drop(events_in.send(event)));
        let handle = tasks::start(config, once(connected), out).unwrap();
        Self { handle, records, events }
    }

    pub fn run(&self, id: u64, task: impl Into<Task>) {
        self.handle.run(Effect::new(TaskId(id), Origin::new("messaging"), task));
    }

    /// The next event that `wanted` picks.
    pub fn until<T>(&self, wanted: impl Fn(Event) -> Option<T>) -> T {
        loop {
            let event = self.events.recv_timeout(PATIENCE * 3).expect("an event was due");
            if let Some(found) = wanted(event) {
                return found;
            }
        }
    }

    /// The next result.
    pub fn result(&self) -> Result<Answer, FailureKind> {
        self.until(|event| if let Event::Done(report) = event { Some(report) } else { None })
            .result
            .map_err(|failure| failure.kind)
    }

    /// The next try.
    pub fn attempt(&self) -> Attempt {
        self.until(|event| if let Event::Tried { attempt, .. } = event { Some(attempt) } else { None })
    }

    /// The entry of the next result, which is the one in the outbox too.
    pub fn sent(&self) -> Entry {
        let result = self.result();
        let Ok(Answer::Sent(entry)) = result else { panic!("an entry was due, not {result:?}") };
        assert_eq!(self.records.entry(entry.intent.id).unwrap(), Some((*entry).clone()));
        *entry
    }

    /// All entries, the newest first.
    pub fn outbox(&self) -> Vec<Entry> {
        self.records.outbox(None, 1_000).unwrap()
    }
}

/// What connects like this the first time, and never again.
pub fn once<F: Future>(connecting: F) -> impl Fn() -> F {
    let connecting = Mutex::new(Some(connecting));
    move || connecting.lock().unwrap().take().expect("it connects once")
}

/// The message of this number: no two have the same text, recipient or name.
pub fn message(number: u64) -> Box<Sending> {
    let phone = format!("+4930555{number:05}");
    let name = TemplateName { id: 1, name: "note".to_owned() };
    Box::new(Sending {
        intent: Intent {
            id: Uuid::from_u128(u128::from(number) + 1),
            profile: PROFILE.to_owned(),
            sender_id: 1,
            sender: SENDER.to_owned(),
            phone: phone.clone(),
            name: None,
            content: Content::Template(name),
            row: None,
            before: None,
            text: None,
        },
        outgoing: Outgoing::Template(SendTemplate {
            sender_id: 1,
            template_id: 1,
            recipient_phone: phone,
            recipient_name: None,
            variables: BTreeMap::from([("number".to_owned(), number.to_string())]),
        }),
        again: Again::No,
        connection: None,
        is_code: false,
    })
}

/// The text of the message of this number, as the world of [`WORLD`] fills its template.
pub fn text(number: u64) -> String {
    format!("This is note {number}.")
}

/// A service with the sender and the template of [`message`].
pub const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
balance = 1000.0
tokens = ["sandbox-ada"]
[[users.assistants]]
name = "Reception"
[[users.senders]]
phone_number = "+14155550100"
assistant = "Reception"
[[users.senders.templates]]
name = "note"
body_text = "This is note {{1}}."
variables = ["number"]
"#;

/// An outcome in a word.
pub fn word(entry: &Entry) -> &'static str {
    match &entry.outcome {
        None => "open",
        Some(Outcome::Accepted(_)) => "accepted",
        Some(Outcome::Refused(_)) => "refused",
        Some(Outcome::NotSent(_)) => "not sent",
        Some(Outcome::Unknown { .. }) => "unknown",
    }
}

/// The words of a message that was not sent, or the reason why that is unknown.
pub fn why(entry: &Entry) -> &str {
    match &entry.outcome {
        Some(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) => &refusal.words,
        Some(Outcome::Unknown { why }) => why,
        other => panic!("a reason was due, not {other:?}"),
    }
}
