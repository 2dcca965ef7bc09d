//! What was said in a conversation.

use super::{CustomerRow, SenderRow, StoreError, many, moment};
use crate::api::{AssistantMode, ConversationType, FunctionCall, Role};
use crate::service::simulation::Line;
use crate::service::simulation::chat::{Beginning, Chat};
use jiff::Timestamp;
use rusqlite::{Connection, Row};
use serde_json::{Map, Value};
use uuid::Uuid;

/// The columns and tables that [`ConversationDetails::read`] reads; `WHERE` follows.
pub(super) const DETAILS: &str = "SELECT c.id, c.uuid, c.user_id, c.type, c.message_count, c.ai_enabled, c.created_at, \
    c.updated_at, c.variables, c.customer_name, c.customer_phone, s.display_name, s.phone_number, a.uuid, a.timezone, \
    a.mode, CASE WHEN a.deleted_at IS NULL THEN a.conversation_ended_webhook_url END, a.retriggers, a.id, \
    a.deleted_at IS NOT NULL FROM conversations AS c JOIN assistants AS a ON a.id = c.assistant_id \
    LEFT JOIN senders AS s ON s.id = c.sender_id";

/// A conversation with all that its history and its replies need.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationDetails {
    /// The database's own id, never on the wire.
    pub id: i64,
    /// Its id on the wire.
    pub uuid: Uuid,
    /// The user it belongs to.
    pub user_id: i64,
    /// Where it takes place.
    pub kind: ConversationType,
    /// Messages of both sides.
    pub message_count: u64,
    /// Whether the AI answers.
    pub ai_enabled: bool,
    /// When it began, in microseconds since 1970.
    pub created_at: i64,
    /// When it last changed, in microseconds since 1970.
    pub updated_at: i64,
    /// What it was started with.
    pub variables: Option<Map<String, Value>>,
    /// The customer; nothing is known of one outside the messaging app.
    pub customer: CustomerRow,
    /// The sender of a messaging conversation.
    pub sender: Option<SenderRow>,
    /// The database's own id of its assistant.
    pub assistant_id: i64,
    /// Whether its assistant was deleted: then nobody answers.
    pub is_orphaned: bool,
    /// The id of its assistant on the wire.
    pub assistant_uuid: Uuid,
    /// The time zone of its assistant.
    pub timezone: String,
    /// The engine of its assistant.
    pub mode: AssistantMode,
    /// Where it is told that it has ended.
    pub ended_url: Option<String>,
    /// Whether it is told each time that it has ended, and not only the first.
    pub retriggers: bool,
}

impl ConversationDetails {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let sender: (Option<String>, Option<String>) = (row.get(11)?, row.get(12)?);
        let variables: Option<String> = row.get(8)?;
        Ok(Self {
            id: row.get(0)?,
            uuid: Uuid::from_bytes(row.get(1)?),
            user_id: row.get(2)?,
            kind: row.get_ref(3)?.as_str()?.into(),
            message_count: row.get::<_, i64>(4)?.try_into().unwrap_or_default(),
            ai_enabled: row.get(5)?,
            created_at: row.get(6)?,
            updated_at: row.get(7)?,
            variables: variables.and_then(|text| serde_json::from_str(&text).ok()),
            customer: CustomerRow { name: row.get(9)?, phone: row.get(10)? },
            sender: sender.0.zip(sender.1).map(|(name, phone)| SenderRow { name, phone }),
            assistant_uuid: Uuid::from_bytes(row.get(13)?),
            timezone: row.get(14)?,
            mode: row.get_ref(15)?.as_str()?.into(),
            ended_url: row.get(16)?,
            retriggers: row.get(17)?,
            assistant_id: row.get(18)?,
            is_orphaned: row.get(19)?,
        })
    }

    /// What the simulation needs to know of it.
    pub(super) fn chat(&self) -> Chat<'_> {
        Chat {
            uuid: self.uuid,
            kind: &self.kind,
            // A time that no calendar has is nobody's.
            began: moment(self.created_at).unwrap_or(Timestamp::UNIX_EPOCH),
            timezone: &self.timezone,
            customer_phone: self.customer.phone.as_deref(),
            customer_name: self.customer.name.as_deref(),
        }
    }
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageRow {
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub text: String,
    /// The functions called for it.
    pub calls: Vec<FunctionCall>,
    /// When, in microseconds since 1970.
    pub at: i64,
}

/// What was said in a conversation, and what is known from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// All messages, oldest first.
    pub messages: Vec<MessageRow>,
    /// What the assistant was told beforehand; none where that is nothing.
    pub input: Option<Map<String, Value>>,
    /// What was found out.
    pub extracted: Map<String, Value>,
}

/// What a conversation began with, where so many of its messages are stored. Of a generated one only the number of
/// messages is: those before the stored ones are generated again at each call, always the same.
pub(super) fn beginning(talk: &ConversationDetails, stored: u64) -> Beginning {
    let generated = match talk.message_count.saturating_sub(stored) {
        0 => Beginning { lines: Vec::new(), input: None, extracted: Map::new() },
        untold => talk.chat().beginning(untold),
    };
    Beginning { input: talk.variables.clone().or(generated.input), ..generated }
}

/// Reads what was said, all of it.
pub(super) fn said(connection: &Connection, talk: &ConversationDetails) -> Result<Transcript, StoreError> {
    let stored = many(
        connection,
        "SELECT role, content, created_at FROM messages WHERE conversation_id = $1 ORDER BY id",
        [talk.id],
        |row| {
            let role = row.get_ref(0)?.as_str()?.into();
            Ok(MessageRow { role, text: row.get(1)?, calls: Vec::new(), at: row.get(2)? })
        },
    )?;
    let Beginning { lines, input, extracted } = beginning(talk, stored.len() as u64);
    let until = stored.first().map_or(talk.updated_at, |first| first.at);
    let step = until.saturating_sub(talk.created_at).max(0) / i64::try_from(lines.len()).unwrap_or(i64::MAX).max(1);
    let told = lines.into_iter().zip(0_i64..).map(|(Line { role, text, calls }, nth)| MessageRow {
        role,
        text,
        calls,
        at: talk.created_at + nth * step,
    });
    Ok(Transcript { messages: told.chain(stored).collect(), input, extracted })
}
