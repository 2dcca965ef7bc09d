//! An entry of the outbox: a send that somebody has confirmed, and what became of it.

use crate::messaging::Outcome;
use jiff::Timestamp;
use uuid::Uuid;

/// A send that was confirmed. It is on disk before its request leaves. The message's text is not part of it, unless the
/// settings ask for that.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Intent {
    /// Its name, made by whoever confirms.
    pub id: Uuid,
    /// The profile it is sent with.
    pub profile: String,
    /// The sender's number at the service.
    pub sender_id: i64,
    /// The sender for people: its phone number.
    pub sender: String,
    /// The recipient, in E.164.
    pub phone: String,
    /// The recipient's name, where it is known.
    pub name: Option<String>,
    /// The template; `None` for a freeform message.
    pub template: Option<TemplateName>,
    /// The row of a batch that it comes from.
    pub row: Option<RowOf>,
    /// What was known of the window when it was confirmed.
    pub before: Option<Before>,
    /// The text as the customer reads it, where the settings ask for it to be kept.
    pub text: Option<String>,
}

/// A template, as it was called when it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TemplateName {
    /// `template_id` on the wire.
    pub id: i64,
    /// As registered with the messaging platform.
    pub name: String,
}

/// A row of a batch. The same row of a batch is never recorded twice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RowOf {
    /// The batch.
    pub batch: Uuid,
    /// The row's line in the file, from 1.
    pub line: u64,
}

/// What was known of a window before a send: what has changed since tells something about an unknown outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Before {
    /// Whether it was open.
    pub open: bool,
    /// When it was to expire, or had.
    pub expiry: Option<Timestamp>,
}

/// What a person says of a send whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// It was sent.
    Sent,
    /// It was not.
    NotSent,
}

/// An entry of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What was confirmed.
    pub intent: Intent,
    /// When it was recorded, before anything left.
    pub began: Timestamp,
    /// When its outcome was; `None` also where its program has died, since nobody knows when.
    pub ended: Option<Timestamp>,
    /// What became of it; `None` while a running program waits for the answer. A send whose program has died is unknown.
    pub outcome: Option<Outcome>,
    /// What a person has found out about an unknown outcome.
    pub mark: Option<Mark>,
}
