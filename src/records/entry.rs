//! An entry of the outbox: a confirmed send or call and its outcome.

use super::DraftKey;
use crate::messaging::{LastMessage, Outcome, Window};
use jiff::Timestamp;
use uuid::Uuid;

/// A confirmed send or call. It is on disk before its request is sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Intent {
    /// Unique; chosen when the send is confirmed.
    pub id: Uuid,
    /// The profile it is sent with.
    pub profile: String,
    /// `sender_id` on the wire; `assistant_id` for a call.
    pub sender_id: i64,
    /// The sender's phone number, or a placeholder if unknown; the assistant's name for a call.
    pub sender: String,
    /// The recipient, in E.164.
    pub phone: String,
    /// The recipient's name, if known.
    pub name: Option<String>,
    /// What is sent.
    pub content: Content,
    /// The row of a batch; `None` for a single message.
    pub row: Option<RowOf>,
    /// The window's state before the send, if known.
    pub before: Option<Before>,
    /// The text as the customer reads it; only with `keep_text`.
    pub text: Option<String>,
}

impl Intent {
    /// True for a call, false for a message.
    pub fn is_call(&self) -> bool {
        self.content == Content::Call
    }

    /// The template that is sent; `None` for anything else.
    pub fn template(&self) -> Option<&TemplateName> {
        if let Content::Template(template) = &self.content { Some(template) } else { None }
    }

    /// The key of the draft it was written in; `None` for a call and for the row of a file.
    pub fn draft_key(&self) -> Option<DraftKey> {
        let writer = (self.content == Content::Freeform).then_some(self.sender_id);
        let template_id = self.template().map(|template| template.id);
        let is_written = self.row.is_none() && !self.is_call();
        is_written.then(|| DraftKey { phone: self.phone.clone(), template_id, writer })
    }
}

/// What a confirmed send holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Content {
    /// A template message.
    Template(TemplateName),
    /// A freeform message.
    Freeform,
    /// A call by an assistant.
    Call,
}

/// A template with its name at the time of the send.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TemplateName {
    /// `template_id` on the wire.
    pub id: i64,
    /// As registered with the messaging platform.
    pub name: String,
}

/// A row of a batch. The database accepts each row of a run once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RowOf {
    /// The batch.
    pub batch: Uuid,
    /// The row's line in the file, from 1.
    pub line: u64,
}

/// The state of a window before a send: a later change is evidence about an unknown outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Before {
    /// Whether it was open.
    pub open: bool,
    /// When it was to expire, or had.
    pub expiry: Option<Timestamp>,
    /// The customer's last message, by this machine's clock: compared as the send leaves, and not stored.
    pub last_message: LastMessage,
}

impl Before {
    /// The state as it is known before a send.
    pub fn new(window: Window, last_message: LastMessage) -> Self {
        let (open, expiry) = match window {
            Window::Open { expires } => (true, Some(expires)),
            Window::Expired { since } => (false, since),
            Window::None => (false, None),
        };
        Self { open, expiry, last_message }
    }
}

/// A person's finding about an unknown outcome.
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
    /// The confirmed send.
    pub intent: Intent,
    /// When it was recorded, before anything left.
    pub began: Timestamp,
    /// When its outcome was recorded; `None` also if its program died.
    pub ended: Option<Timestamp>,
    /// Its outcome; `None` while a running program waits for the reply.
    pub outcome: Option<Outcome>,
    /// A person's finding about an unknown outcome.
    pub mark: Option<Mark>,
}

impl Entry {
    /// True where its person has got it, or may have: it was not refused, nor is it certain that nothing has left.
    pub fn may_have_reached(&self) -> bool {
        !matches!(self.outcome, Some(Outcome::Refused(_))) && !self.was_not_sent()
    }

    /// True where it is certain that nothing has left: the same may be sent again.
    pub fn was_not_sent(&self) -> bool {
        matches!(self.outcome, Some(Outcome::NotSent(_))) || self.mark == Some(Mark::NotSent)
    }
}
