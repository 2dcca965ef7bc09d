//! What is kept for a profile, and how it changes.

use super::{Mark, TemplateName};
use crate::messaging::batch::Mapping;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::PathBuf;
use uuid::Uuid;

/// A recipient whose window is watched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Watched {
    /// The sender's number at the service.
    pub sender_id: i64,
    /// The recipient, in E.164.
    pub phone: String,
    /// The recipient's name, where it is known.
    pub name: Option<String>,
}

/// What was typed and not sent. It belongs to what its [`DraftKey`] says, and is never offered for anything else.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Draft {
    /// The sender's number; `None` where none was chosen.
    pub sender_id: Option<i64>,
    /// The recipient as typed: E.164, or what there was of it.
    pub phone: String,
    /// The template's number; `None` for a freeform message, or where none was chosen.
    pub template_id: Option<i64>,
    /// The recipient's name as typed.
    pub name: String,
    /// The variables' values as typed, by name.
    pub values: BTreeMap<String, String>,
    /// The text of a freeform message; `None` for a template's form.
    pub message: Option<String>,
    /// When it was last changed.
    pub saved: Timestamp,
}

/// What a draft belongs to: a recipient and a template, whichever of its senders it goes from; or, where it is a freeform
/// message, a recipient and a sender.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DraftKey {
    /// The recipient as typed: E.164, or what there was of it.
    pub phone: String,
    /// The template's number; `None` for a freeform message, or where none was chosen.
    pub template_id: Option<i64>,
    /// The sender of a freeform message; `None` for a template's form.
    pub writer: Option<i64>,
}

impl Draft {
    /// What it belongs to.
    pub fn key(&self) -> DraftKey {
        let writer = self.sender_id.filter(|_| self.message.is_some());
        DraftKey { phone: self.phone.clone(), template_id: self.template_id, writer }
    }
}

/// A value that a template's variable had in a message that was confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Used {
    /// The template's number.
    pub template_id: i64,
    /// The variable's name.
    pub variable: String,
    /// The value.
    pub value: String,
}

/// Which file a batch is sent from, and how.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BatchOf {
    /// The run of it.
    pub batch: Uuid,
    /// The sender's number at the service.
    pub sender_id: i64,
    /// The template.
    pub template: TemplateName,
    /// The file.
    pub path: PathBuf,
    /// Which of its columns goes where.
    pub mapping: Mapping,
    /// How many rows of it are sent.
    pub rows: usize,
}

/// A batch of which rows are left: it was cancelled, or the program was killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// Which.
    pub of: BatchOf,
    /// How many rows were never sent.
    pub left: usize,
    /// When it began, or went on.
    pub began: Timestamp,
}

/// Everything that is kept for a profile but its outbox.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// In the order in which they were added; `None` where nothing was ever watched with this profile.
    pub watched: Option<Vec<Watched>>,
    /// Senders that were added by number.
    pub senders: Vec<i64>,
    /// The newest first.
    pub drafts: Vec<Draft>,
    /// The newest first, at most eight for each variable.
    pub used: Vec<Used>,
}

/// Something to do with what is kept. The profile is the task channel's.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Keep {
    /// Read what is kept.
    Recall,
    /// Watch these as well; names replace those known before.
    Watch(Vec<Watched>),
    /// Watch this one no longer.
    Unwatch {
        /// The sender's number.
        sender_id: i64,
        /// The recipient, in E.164.
        phone: String,
    },
    /// Remember a sender.
    AddSender(i64),
    /// Forget one that was added.
    RemoveSender(i64),
    /// Save a draft in the place of the one that belongs to the same.
    Draft(Draft),
    /// Forget the draft that belongs to this.
    Discard(DraftKey),
    /// Remember values for the next time.
    Used(Vec<Used>),
    /// Read the outbox, the newest first, with all whose outcome nobody knows yet.
    Outbox {
        /// At most so many of the others.
        limit: u32,
    },
    /// Read what was sent with a template since then, the newest first.
    SentSince {
        /// The sender's number.
        sender_id: i64,
        /// The template's number.
        template_id: i64,
        /// By the clock that dates the entries.
        since: Timestamp,
    },
    /// Write down what a person has found out.
    Mark {
        /// The entry.
        id: Uuid,
        /// What.
        mark: Mark,
    },
    /// Read the entries of a batch.
    Batch(Uuid),
    /// Remember that a batch begins.
    Begun(BatchOf),
    /// Find the last batch of the last day, if rows of it are left.
    Unfinished,
    /// Read a file that the user names, of at most 16 MiB.
    ReadFile(PathBuf),
    /// Write a new file: at this path, or where that is taken, at a numbered one beside it.
    WriteFile {
        /// Where.
        path: PathBuf,
        /// What.
        text: String,
    },
}
