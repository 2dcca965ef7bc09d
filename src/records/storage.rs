//! What is stored on this machine for a profile, and the requests to read and change it.

use super::{Entry, FileFacts, Intent, Mark, TemplateName, Upload, UploadChange};
use crate::api::Token;
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

/// A webhook of an assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Webhook {
    /// A chat has ended.
    ConversationEnded,
    /// An inbound call has completed.
    InboundCall,
    /// An outbound call has completed.
    PostCall,
}

impl Webhook {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::ConversationEnded, Self::InboundCall, Self::PostCall];

    /// Its name in the database.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::ConversationEnded => "conversation-ended",
            Self::InboundCall => "inbound-call",
            Self::PostCall => "post-call",
        }
    }
}

/// What a webhook was last set to from here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WebhookSetting {
    /// The assistant's number.
    pub assistant_id: i64,
    /// Which of its webhooks.
    pub webhook: Webhook,
    /// Where it was pointed; `None` where it was turned off.
    pub url: Option<String>,
    /// When; by the storage's clock while it is saved.
    pub changed: Timestamp,
    /// The profile it was set with.
    pub profile: String,
}

/// A version of an assistant that was seen or saved from here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AssistantVersion {
    /// True where it was saved from here, false where it was only seen.
    pub saved: bool,
    /// When.
    pub at: Timestamp,
    /// The record, as JSON.
    pub record: String,
}

/// What is stored for a profile about assistants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssistantData {
    /// What webhooks were last set to from here, also with other profiles.
    pub webhooks: Vec<WebhookSetting>,
    /// The URLs used before, newest first.
    pub urls: Vec<String>,
}

/// What can be added by number, where a server does not list it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resource {
    /// A sender of messages.
    Sender,
    /// A knowledgebase.
    Knowledgebase,
    /// A mid call tool.
    Tool,
}

impl Resource {
    /// Its name in the database.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Knowledgebase => "knowledgebase",
            Self::Tool => "tool",
        }
    }
}

/// What was typed into a form and not submitted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FormDraft {
    /// Which form, and of which record: `assistant 7`, `new assistant`.
    pub form: String,
    /// The values as typed, by the fields' names on the wire.
    pub values: BTreeMap<String, String>,
    /// When it was last changed.
    pub saved: Timestamp,
}

/// What is stored for a profile beside its outbox.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileData {
    /// In the order added; `None` where nothing was ever watched with this profile.
    pub watched: Option<Vec<Watched>>,
    /// Senders that were added by number.
    pub senders: Vec<i64>,
    /// Newest first.
    pub drafts: Vec<Draft>,
    /// Newest first, at most eight for each variable.
    pub used: Vec<Used>,
}

/// A use of the storage on this machine, for the profile of the task channel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StorageRequest {
    /// Load what is stored for the profile.
    Load,
    /// Watch these windows as well; names replace those stored before.
    Watch(Vec<Watched>),
    /// Stop watching a window.
    Unwatch {
        /// The sender's number.
        sender_id: i64,
        /// The recipient, in E.164.
        phone: String,
    },
    /// Save the number of something that the server does not list.
    AddId {
        /// What it is the number of.
        resource: Resource,
        /// The number.
        id: i64,
    },
    /// Remove a number that was added.
    RemoveId {
        /// What it is the number of.
        resource: Resource,
        /// The number.
        id: i64,
    },
    /// List the numbers that were added, in that order.
    ListIds(Resource),
    /// Save a draft in place of the one with the same key.
    SaveDraft(Draft),
    /// Delete the draft with this key.
    DeleteDraft(DraftKey),
    /// Look whether there is a draft with this key: another program may have sent or deleted it.
    FindDraft(DraftKey),
    /// Save values of variables as suggestions.
    SaveValues(Vec<Used>),
    /// Delete what is stored of the values of these templates, in drafts and as suggestions: they carry codes.
    DeleteValues {
        /// The templates' numbers.
        template_ids: Vec<i64>,
    },
    /// Load what is stored about the assistants of a server.
    LoadAssistants {
        /// Its base URL.
        server: String,
    },
    /// Save what a webhook was set to.
    SaveWebhook {
        /// The server's base URL.
        server: String,
        /// The assistant's number.
        assistant_id: i64,
        /// Which of its webhooks.
        webhook: Webhook,
        /// Where it points; `None` where it was turned off.
        url: Option<String>,
    },
    /// Save a version of an assistant, unless it equals the newest one.
    SaveVersion {
        /// The assistant's number.
        assistant_id: i64,
        /// True where it was saved from here, false where it was only seen.
        saved: bool,
        /// The record, as JSON.
        record: String,
    },
    /// List the versions of an assistant, newest first.
    ListVersions(i64),
    /// Save what was typed into a form, in place of what was typed there before.
    SaveFormDraft {
        /// Which form, and of which record.
        form: String,
        /// The values as typed, by the fields' names on the wire.
        values: BTreeMap<String, String>,
    },
    /// Load what was typed into a form.
    LoadFormDraft(String),
    /// Delete what was typed into a form.
    DeleteFormDraft(String),
    /// Load how panes were left, by name.
    LoadPreferences,
    /// Save how a pane was left.
    SavePreference {
        /// Which part of it: `conversations.view`.
        name: String,
        /// As the pane reads it.
        value: String,
    },
    /// List how far conversations have been read.
    ListReads,
    /// Save how far a conversation has been read; never less far than before.
    SaveRead {
        /// Its UUID.
        conversation: String,
        /// Messages from the first one on.
        messages: u64,
    },
    /// Save that a message or a call was confirmed and is held; its text is not stored.
    Hold(Box<Intent>),
    /// It is held no longer, and its person knows.
    LetGo(Uuid),
    /// List the outbox, newest first, with all entries that have no outcome yet.
    ListOutbox {
        /// At most so many of the other entries.
        limit: u32,
    },
    /// List what an account has sent with a template, newest first. Entries of older versions count for every account.
    ListSentSince {
        /// The account's name in the outbox.
        account: String,
        /// The template's number.
        template_id: i64,
        /// By the clock that dates the entries.
        since: Timestamp,
    },
    /// Find out whether the outbox may have forgotten what a batch sent, for it was deleted or replaced by an older copy.
    FindForgotten {
        /// The run of it.
        batch: Uuid,
        /// Where nothing of the batch is recorded: what was noticed before then no longer counts.
        since: Timestamp,
    },
    /// Save what a person found out about a send.
    MarkEntry {
        /// The entry.
        id: Uuid,
        /// What they found out.
        mark: Mark,
    },
    /// List the entries of a batch.
    ListBatch(Uuid),
    /// Let other programs send a batch: this one is done with it.
    EndBatch(Uuid),
    /// Save that a batch begins or resumes, and keep other programs from sending it.
    SaveBatch {
        /// Which.
        of: Box<BatchOf>,
        /// The template's text as it is sent; only a keyed digest of it is stored.
        text: String,
    },
    /// Whether a batch was last sent with another text of its template.
    CompareBatchText {
        /// The run of it.
        batch: Uuid,
        /// The template's text.
        text: String,
    },
    /// Find the last batch of the last day, where rows of it are left and no program is sending them.
    FindUnfinishedBatch,
    /// List the files of the last batches that are still there, newest first.
    ListBatchFiles,
    /// Read a file that the user named, of at most 16 MiB.
    ReadFile(PathBuf),
    /// Write a token into a file that its user alone can read. An existing file is replaced whole or not at all.
    SaveToken {
        /// Where.
        path: PathBuf,
        /// The token.
        token: Token,
        /// True where an existing file is replaced; false where it is kept, and that is an error.
        replace: bool,
    },
    /// List what a folder holds, to complete a path. An empty path is the working folder.
    ListFolder(PathBuf),
    /// Find the files that a text names: a path, a folder, a pattern such as `handbook/*.pdf`, or several of these.
    FindFiles(String),
    /// Find out what a file is that is to become a document, and whether its content was uploaded to this server before.
    InspectFile {
        /// The file.
        path: PathBuf,
        /// The server's base URL.
        server: String,
    },
    /// List the uploads to a server.
    ListUploads {
        /// Its base URL.
        server: String,
    },
    /// Change the queue of uploads to a server, and list them.
    ChangeUploads {
        /// Its base URL.
        server: String,
        /// What changes.
        change: UploadChange,
    },
    /// Write a new file: at this path, or where that is taken, at a numbered one beside it.
    WriteFile {
        /// Where.
        path: PathBuf,
        /// Its content.
        text: String,
    },
}

/// The reply to a [`StorageRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageReply {
    /// What is stored for the profile.
    ProfileData(Box<ProfileData>),
    /// Entries of the outbox.
    Entries(Vec<Entry>),
    /// When it was noticed that the outbox may have forgotten what a batch sent; `None` where it has not.
    Forgotten(Option<Timestamp>),
    /// How the text of a batch compares.
    BatchText {
        /// True where it was another; false also where it is not known.
        is_other: bool,
    },
    /// The batch with rows left to send.
    UnfinishedBatch(Option<Box<Unfinished>>),
    /// The content of a file.
    File(Vec<u8>),
    /// The names in a folder, sorted; those of folders end in `/`.
    Names(Vec<String>),
    /// The files that were found.
    Paths(Vec<PathBuf>),
    /// What a file is, or why it cannot become a document.
    Inspected(Result<FileFacts, String>),
    /// The uploads to a server, in the order in which they were queued.
    Uploads(Vec<Upload>),
    /// The path of the file that was written.
    Written(PathBuf),
    /// What is stored about assistants.
    AssistantData(Box<AssistantData>),
    /// The versions of an assistant, newest first.
    Versions(Vec<AssistantVersion>),
    /// The numbers that were added.
    Ids(Vec<i64>),
    /// What was typed into a form.
    FormDraft(Option<Box<FormDraft>>),
    /// Whether there is a draft with that key.
    HasDraft(bool),
    /// A draft was saved.
    DraftSaved(Box<Draft>),
    /// The draft with this key was deleted.
    DraftDeleted(DraftKey),
    /// How panes were left, by name.
    Preferences(BTreeMap<String, String>),
    /// The conversations that have been read, each with the number of messages.
    Reads(Vec<(String, u64)>),
    /// It is done; there is nothing to return.
    Done,
}
