//! Effects and their results, as plain values.

use crate::api::{Call, CallQuery, FileDocument, HistoryMessage, SessionStatus, Token};
use crate::client::{Attempt, Failure, Operation, Reply, Request, Trial, Tried};
use crate::messaging::{Charges, Outcome, Outgoing};
use crate::receiver::Arrival;
use crate::records::{Again, Entry, Intent, StorageReply, StorageRequest, UploadStatus};
use jiff::Timestamp;
use serde_json::json;
use url::Url;

/// The name of an effect. Who asks chooses it and never uses it twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// The sender of a request. A reply whose origin is no longer current is stale, and its receiver drops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Raised whenever the profile changes.
    pub epoch: u64,
    /// The name of who asks, as a rule a pane.
    pub pane: &'static str,
    /// Raised by who asks whenever the question changes.
    pub generation: u64,
    /// True where no person asked for it: a poll, a prefetch, a check in the background.
    pub automatic: bool,
}

impl Origin {
    /// The first generation.
    pub fn new(pane: &'static str) -> Self {
        Self { epoch: 0, pane, generation: 0, automatic: false }
    }

    /// The next generation: replies to earlier ones are stale.
    #[must_use]
    pub fn renewed(self) -> Self {
        Self { generation: self.generation + 1, ..self }
    }

    /// The next generation, for the profile of this epoch.
    #[must_use]
    pub fn in_epoch(self, epoch: u64) -> Self {
        Self { epoch, ..self.renewed() }
    }

    /// True where a reply of this origin is not stale for who has the origin `now`.
    pub fn is_current(&self, now: &Self) -> bool {
        (self.epoch, self.pane, self.generation) == (now.epoch, now.pane, now.generation)
    }
}

/// Something to do off the interface's thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Its name.
    pub id: TaskId,
    /// Who asks.
    pub origin: Origin,
    /// What to do.
    pub task: Task,
}

impl Effect {
    /// An effect with this name.
    pub fn new(id: TaskId, origin: Origin, task: impl Into<Task>) -> Self {
        Self { id, origin, task: task.into() }
    }
}

/// The task of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Task {
    /// Something that needs the server. Equal reads in flight share a request; writes never do.
    Server(Work),
    /// A use of the storage on this machine. It needs no server, and runs in the order given.
    Store(StorageRequest),
    /// Receiving webhooks on this machine. It needs no server.
    Listen(Listening),
    /// The request of a tool, sent to its endpoint from this machine. It needs no server.
    Try(Box<Trial>),
}

/// A use of the receiver of webhooks, of which the channel runs one at a time. What it receives are events; it ends with
/// the channel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Listening {
    /// Start it. It accepts connections once this is answered, and checks signatures by the server's clock.
    Start {
        /// On 127.0.0.1; 0 takes a free one.
        port: u16,
        /// The signing secret; without one signatures are not checked.
        secret: Option<Token>,
        /// Where deliveries are passed on to.
        forward: Option<Url>,
    },
    /// Stop it, where it runs.
    Stop,
    /// Pass the delivery of this number on once more.
    ForwardAgain(u64),
}

impl Task {
    /// The request as people read it; `None` for what stays on this machine.
    pub fn operation(&self) -> Option<Operation> {
        match self {
            Self::Server(work) => Some(work.request().operation()),
            Self::Store(_) | Self::Listen(_) | Self::Try(_) => None,
        }
    }
}

impl From<Work> for Task {
    fn from(work: Work) -> Self {
        Self::Server(work)
    }
}

impl From<Request> for Task {
    fn from(request: Request) -> Self {
        Self::Server(Work::Call(request))
    }
}

impl From<Listening> for Task {
    fn from(listening: Listening) -> Self {
        Self::Listen(listening)
    }
}

impl From<Trial> for Task {
    fn from(trial: Trial) -> Self {
        Self::Try(Box::new(trial))
    }
}

impl From<StorageRequest> for Task {
    fn from(request: StorageRequest) -> Self {
        Self::Store(request)
    }
}

/// Something that needs the server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Work {
    /// One request of the client's table of operations. Messages are refused: they need [`Work::Send`].
    Call(Request),
    /// A message or a call that was confirmed: recorded, sent once, and its outcome recorded.
    Send(Box<Sending>),
    /// Finds out who is charged for sends.
    FindAccount,
    /// Reads what the server knows about a send whose outcome is unknown.
    Check(Box<Intent>),
    /// A file of the queue of uploads: recorded, sent once, and its outcome recorded.
    Upload(Box<Uploading>),
}

/// An upload that is queued.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Uploading {
    /// Its number in the queue.
    pub number: i64,
    /// The knowledgebase's number at the service.
    pub knowledgebase_id: i64,
    /// What leaves.
    pub document: FileDocument,
}

/// A shorter value in the words of an outcome is no code.
const CODE_MIN: usize = 4;

/// A message that was confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sending {
    /// What is recorded before it leaves.
    pub intent: Intent,
    /// What leaves.
    pub outgoing: Outgoing,
    /// What a person has confirmed to repeat.
    pub again: Again,
    /// With which connection it was confirmed, counted from 1: with a later one it leaves for the same account only. `None`
    /// where there is no other.
    pub connection: Option<usize>,
    /// True for an authentication template: not even a digest of its values is stored, for a digest of a code is the code.
    pub is_code: bool,
}

impl Sending {
    /// What the outbox digests to tell it from other sends of the same template: its values, or its text.
    pub(super) fn content(&self) -> Option<String> {
        match &self.outgoing {
            Outgoing::Template(_) if self.is_code => None,
            // Text keys always serialize.
            Outgoing::Template(body) => Some(json!([body.template_id, body.variables]).to_string()),
            Outgoing::Freeform(body) => Some(json!([body.message]).to_string()),
            Outgoing::Call(_) => None,
        }
    }

    /// An outcome as it is stored: a server may repeat a code in its words.
    pub(super) fn without_code(&self, mut outcome: Outcome) -> Outcome {
        let Outgoing::Template(body) = &self.outgoing else { return outcome };
        let words = match &mut outcome {
            Outcome::Refused(refusal) | Outcome::NotSent(refusal) => &mut refusal.words,
            Outcome::Unknown { why } => why,
            Outcome::Accepted(_) => return outcome,
        };
        for value in body.variables.values().filter(|value| self.is_code && value.chars().count() >= CODE_MIN) {
            *words = words.replace(value, "•••");
        }
        outcome
    }

    /// The request that sends it.
    pub fn request(&self) -> Request {
        match &self.outgoing {
            Outgoing::Template(body) => Request::SendTemplate { body: body.clone() },
            Outgoing::Freeform(body) => Request::SendFreeform { body: body.clone() },
            Outgoing::Call(body) => Request::MakeCall { body: body.clone() },
        }
    }
}

/// What was found out about a send whose outcome is unknown.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The entry.
    pub intent: Intent,
    /// The window as it is now.
    pub window: SessionStatus,
    /// The end of the recipient's conversation.
    pub messages: LastMessages,
}

/// The end of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum LastMessages {
    /// The server has no such operation.
    Unreadable,
    /// No such conversation, or not among the newest.
    NotFound,
    /// Oldest first.
    Told(Vec<HistoryMessage>),
}

impl Work {
    /// Its request; the first one where it needs several.
    pub fn request(&self) -> Request {
        match self {
            Self::Call(request) => request.clone(),
            Self::Send(sending) => sending.request(),
            Self::FindAccount => Request::GetAccount,
            Self::Check(intent) if intent.is_call() => {
                Request::ListCalls { query: CallQuery::newest(intent.sender_id, &intent.phone) }
            }
            Self::Check(intent) => Request::session_status(intent.sender_id, &intent.phone),
            Self::Upload(upload) => {
                Request::CreateFileDocument { id: upload.knowledgebase_id, body: upload.document.clone() }
            }
        }
    }

    /// True where asking twice does no harm.
    pub fn is_read(&self) -> bool {
        match self {
            Self::Call(request) => request.is_read(),
            Self::Send(_) | Self::Upload(_) => false,
            Self::FindAccount | Self::Check(_) => true,
        }
    }
}

/// What a successful effect brings back.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Of [`Work::Call`].
    Reply(Box<Reply>),
    /// Of [`Work::Send`]: the entry in the outbox, with its outcome.
    Sent(Box<Entry>),
    /// Of [`Work::Send`]: it would repeat this entry, and nothing was done.
    Recent(Box<Entry>),
    /// Of [`Work::Send`]: it may repeat one that the outbox has forgotten, for that was deleted or replaced by an older copy
    /// before then. Nothing was done.
    Forgotten(Timestamp),
    /// Of [`Work::FindAccount`]: the account's name in the outbox.
    Account(String),
    /// Of [`Work::Check`] with a message.
    Evidence(Box<Evidence>),
    /// Of [`Work::Check`] with a call: the newest calls of the assistant to the number, the newest first; `None` where the
    /// server does not list calls.
    Calls(Option<Vec<Call>>),
    /// Of [`Work::Upload`]: what became of it.
    Uploaded(UploadStatus),
    /// Of [`Task::Store`].
    Stored(StorageReply),
    /// Of [`Listening::Start`] and [`Listening::Stop`]: the URL that is listened on.
    Listening(Option<String>),
    /// Of [`Listening::ForwardAgain`]: the target's status, or why it did not answer.
    Forwarded(Result<u16, String>),
    /// Of [`Task::Try`].
    Tried(Box<Tried>),
}

impl Answer {
    /// The reply that `read` takes out, e.g. [`Reply::list_tools`]; `None` for an answer to something else.
    pub fn reply<T>(self, read: fn(Reply) -> Option<T>) -> Option<T> {
        if let Self::Reply(reply) = self { read(*reply) } else { None }
    }
}

/// The one result of an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Which effect.
    pub id: TaskId,
    /// Who asked.
    pub origin: Origin,
    /// Its answer, or why it failed.
    pub result: Result<Answer, Failure>,
}

/// An event of the task channel.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The server is known, also again after a reconnect; requests that waited for it now leave.
    Connected {
        /// The base URL, without a trailing slash.
        base_url: String,
        /// Whom the token belongs to, where that is known.
        account: Option<String>,
        /// The id of the API key in use; `None` where the token does not contain it.
        key_id: Option<i64>,
        /// What the server charges for messages, where that is known.
        charges: Option<Charges>,
    },
    /// Connecting failed: requests fail until a reconnect succeeds.
    NotConnected {
        /// Why, in a sentence.
        reason: String,
    },
    /// A request is in flight (the first try only). A request that several effects share is reported under one of them
    /// at a time; when that one is cancelled, the next is started in its place.
    Started {
        /// Which effect.
        id: TaskId,
        /// True where no person asked for it.
        automatic: bool,
        /// The request.
        operation: Operation,
    },
    /// A message or a call has left, also where it has before: it can no longer be taken back, unless it is tried again.
    Left {
        /// Which effect.
        id: TaskId,
    },
    /// What became of a message is known, and cannot be written down; it is tried again every few seconds.
    Unwritten(String),
    /// All outcomes are written down by now.
    Written,
    /// A try ended; another may follow.
    Tried {
        /// Which effect.
        id: TaskId,
        /// How it ended.
        attempt: Attempt,
    },
    /// More of a file that is uploaded was handed to the connection; a few times a second at most.
    Progress {
        /// Which effect.
        id: TaskId,
        /// Bytes of the file so far.
        sent: u64,
    },
    /// A webhook, or something else, was received on this machine.
    Arrival(Arrival),
    /// An effect is done. Nothing follows about it.
    Done(Report),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::SendTemplate;
    use crate::messaging::Refusal;
    use crate::records::{Content, TemplateName};
    use std::collections::BTreeMap;
    use uuid::Uuid;

    #[test]
    fn reply_is_stale_after_a_new_question_or_profile() {
        let asked = Origin::new("conversations");
        assert!(asked.is_current(&asked));
        assert!(!asked.is_current(&asked.renewed()));
        assert!(!asked.is_current(&asked.in_epoch(1)));
        assert!(!asked.renewed().is_current(&asked.in_epoch(1)));
        assert!(!asked.is_current(&Origin::new("assistants")));
    }

    #[test]
    fn only_requests_that_change_nothing_are_reads() {
        assert!(Work::Call(Request::ListTools).is_read());
        assert!(!Work::Call(Request::DeleteTool { id: 1 }).is_read());
    }

    #[test]
    fn a_code_that_a_server_repeats_is_in_no_outcome() {
        let body = SendTemplate {
            sender_id: 1,
            template_id: 3,
            recipient_phone: "+14155550123".to_owned(),
            recipient_name: None,
            variables: BTreeMap::from([("code".to_owned(), "739154".to_owned()), ("n".to_owned(), "1".to_owned())]),
        };
        let template = TemplateName { id: 3, name: "login_code".to_owned() };
        let intent = Intent {
            id: Uuid::nil(),
            profile: String::new(),
            sender_id: 1,
            sender: String::new(),
            phone: body.recipient_phone.clone(),
            name: None,
            content: Content::Template(template),
            row: None,
            before: None,
            text: None,
        };
        let mut sending =
            Sending { intent, outgoing: Outgoing::Template(body), again: Again::No, connection: None, is_code: true };
        let refused =
            |words: &str| Outcome::Refused(Refusal { status: Some(422), code: None, words: words.to_owned() });
        let said = "value 1: 739154 is too long";
        assert_eq!(sending.without_code(refused(said)), refused("value 1: ••• is too long"));
        let unknown = |why: &str| Outcome::Unknown { why: why.to_owned() };
        assert_eq!(sending.without_code(unknown(said)), unknown("value 1: ••• is too long"));
        sending.is_code = false;
        assert_eq!(sending.without_code(refused(said)), refused(said));
    }
}
