//! What can be asked of the task channel and what comes back, as plain values.

use crate::api::{
    Account, Conversation, ConversationQuery, HistoryMessage, OutboundAssistant, Page, Sender, SessionStatus, Template,
};
use crate::client::{Attempt, Failure, Operation};
use crate::messaging::Outgoing;
use crate::records::{Entry, Intent, Keep, Kept, Unfinished};
use std::path::PathBuf;

/// Names one effect; given out by whoever asks, never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// Who asks: an answer whose origin is no longer current is dropped by the asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Raised whenever the profile changes.
    pub epoch: u64,
    /// The asker's name, a pane's as a rule.
    pub pane: &'static str,
    /// Raised by the asker whenever its question changes.
    pub generation: u64,
}

impl Origin {
    /// An asker's first question.
    pub fn new(pane: &'static str) -> Self {
        Self { epoch: 0, pane, generation: 0 }
    }

    /// The asker's next question: answers to those before are stale.
    #[must_use]
    pub fn renewed(self) -> Self {
        Self { generation: self.generation + 1, ..self }
    }

    /// The asker's next question, to the profile of this epoch.
    #[must_use]
    pub fn in_epoch(self, epoch: u64) -> Self {
        Self { epoch, ..self.renewed() }
    }

    /// True where an answer of this origin answers what `asker` asks now.
    pub fn is_current(&self, asker: &Self) -> bool {
        self == asker
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
    pub work: Work,
}

/// The work of an effect. Reads in flight that are equal are shared; a write never is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Work {
    /// One page of the conversation list.
    Conversations(ConversationQuery),
    /// The caller's outbound assistants.
    OutboundAssistants,
    /// The caller's account.
    Account,
    /// All senders, online or not.
    Senders,
    /// All templates of this sender.
    Templates(i64),
    /// The window of a sender and a recipient.
    Window {
        /// The sender's number.
        sender_id: i64,
        /// The recipient, in E.164.
        phone: String,
    },
    /// A message that was confirmed: recorded, sent once, and its outcome recorded.
    Send(Box<Sending>),
    /// What can be found out about a send whose outcome is unknown. It reads only.
    Check(Box<Intent>),
    /// Something kept on this machine. It needs no server.
    Keep(Keep),
}

/// A message that was confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sending {
    /// What is recorded before it leaves.
    pub intent: Intent,
    /// What leaves.
    pub outgoing: Outgoing,
}

impl Sending {
    /// The request that sends it.
    pub fn operation(&self) -> Operation {
        match &self.outgoing {
            Outgoing::Template(message) => Operation::send_template(message),
            Outgoing::Freeform(message) => Operation::send_freeform(message),
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
    /// There is no such conversation, or it is not among the newest.
    NotFound,
    /// These, the oldest first.
    Told(Vec<HistoryMessage>),
}

impl Work {
    /// The request that does it.
    pub fn operation(&self) -> Operation {
        match self {
            Self::Conversations(query) => Operation::conversations(query),
            Self::OutboundAssistants => Operation::outbound_assistants(),
            Self::Account => Operation::account(),
            Self::Senders => Operation::senders(),
            Self::Templates(sender_id) => Operation::templates(*sender_id),
            Self::Window { sender_id, phone } => Operation::session_status(*sender_id, phone),
            Self::Send(sending) => sending.operation(),
            Self::Check(intent) => Operation::session_status(intent.sender_id, &intent.phone),
            Self::Keep(_) => Operation { method: "KEEP", path: String::new(), body: None },
        }
    }

    /// True where asking twice does no harm.
    pub fn is_read(&self) -> bool {
        self.operation().is_read()
    }
}

/// What a successful effect brings back.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// One page of the conversation list.
    Conversations(Box<Page<Conversation>>),
    /// The caller's outbound assistants.
    OutboundAssistants(Vec<OutboundAssistant>),
    /// The caller's account.
    Account(Box<Account>),
    /// All senders.
    Senders(Vec<Sender>),
    /// All templates of a sender.
    Templates(Vec<Template>),
    /// A window.
    Window(Box<SessionStatus>),
    /// The entry of a send, with its outcome.
    Sent(Box<Entry>),
    /// What can be told of a send.
    Evidence(Box<Evidence>),
    /// What is kept for the profile.
    Kept(Box<Kept>),
    /// Entries of the outbox.
    Entries(Vec<Entry>),
    /// The batch of which rows are left.
    Unfinished(Option<Box<Unfinished>>),
    /// The content of a file.
    File(Vec<u8>),
    /// Where a new file was written.
    Written(PathBuf),
    /// Nothing more than that it is done.
    Done,
}

/// The one result of an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Which effect.
    pub id: TaskId,
    /// Who asked.
    pub origin: Origin,
    /// What came of it.
    pub result: Result<Answer, Failure>,
}

/// What the task channel tells the interface.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// There is a server to talk to; requests that waited for it now leave.
    Connected {
        /// The base URL, without a trailing slash.
        base_url: String,
        /// Whom the token belongs to, where that is known.
        account: Option<String>,
    },
    /// There is none, and no request will ever leave.
    NotConnected {
        /// Why, in a sentence.
        reason: String,
    },
    /// A request is on its way (the first try only). A request that several effects share is told under one of them at
    /// a time: when that one is cancelled, the next is started in its place.
    Started {
        /// Which effect.
        id: TaskId,
        /// What was asked.
        operation: Operation,
    },
    /// A try ended; another may follow.
    Tried {
        /// Which effect.
        id: TaskId,
        /// How it ended.
        attempt: Attempt,
    },
    /// An effect is done. Nothing follows about it.
    Done(Report),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_current_until_its_asker_asks_again_or_changes_the_profile() {
        let asked = Origin::new("conversations");
        assert!(asked.is_current(&asked));
        assert!(!asked.is_current(&asked.renewed()));
        assert!(!asked.is_current(&asked.in_epoch(1)));
        assert!(!asked.renewed().is_current(&asked.in_epoch(1)));
        assert!(!asked.is_current(&Origin::new("assistants")));
    }

    #[test]
    fn what_is_kept_here_is_no_read_of_the_server() {
        assert!(Work::OutboundAssistants.is_read());
        assert!(Work::Conversations(ConversationQuery::default()).is_read());
        assert!(!Work::Keep(Keep::Recall).is_read(), "it is neither shared nor told");
    }
}
