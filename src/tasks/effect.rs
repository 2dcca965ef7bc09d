//! What can be asked of the task channel and what comes back, as plain values.

use crate::api::{Conversation, ConversationQuery, OutboundAssistant, Page};
use crate::client::{Attempt, Failure, Operation};

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
}

/// What a successful effect brings back.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// One page of the conversation list.
    Conversations(Box<Page<Conversation>>),
    /// The caller's outbound assistants.
    OutboundAssistants(Vec<OutboundAssistant>),
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
    /// A request is on its way (the first try only).
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
