//! Assistants as they are read, and the senders they answer on.

use super::catalogue::exists;
use super::{Store, StoreError, fill_piece, many, moment, one, parsed};
use crate::api::{
    Assistant, AssistantMode, AssistantSettings, AssistantStatus, AssistantType, IsoTimestamp, OutboundAssistant,
};
use crate::service::pieces::Piece;
use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::json;
use uuid::Uuid;

/// The columns that [`AssistantRecord::read`] reads, of `assistants`.
const COLUMNS: &str = "id, user_id, name, type, mode, status, voice_id, language_id, timezone, initial_message, \
    system_prompt, webhook_url, is_webhook_active, variables, created_at, updated_at";

/// A row as the database gives it.
struct AssistantRecord {
    assistant: OutboundAssistant,
    variables: String,
    created_at: i64,
    updated_at: i64,
}

impl AssistantRecord {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let assistant = OutboundAssistant {
            id: row.get::<_, i64>(0)?.into(),
            user_id: row.get::<_, i64>(1)?.into(),
            name: row.get::<_, String>(2)?.into(),
            kind: AssistantType::from(row.get_ref(3)?.as_str()?).into(),
            mode: AssistantMode::from(row.get_ref(4)?.as_str()?).into(),
            status: AssistantStatus::from(row.get_ref(5)?.as_str()?).into(),
            voice_id: row.get::<_, i64>(6)?.into(),
            language_id: row.get::<_, i64>(7)?.into(),
            timezone: row.get::<_, String>(8)?.into(),
            initial_message: row.get::<_, String>(9)?.into(),
            system_prompt: row.get::<_, String>(10)?.into(),
            webhook_url: row.get::<_, Option<String>>(11)?.into(),
            is_webhook_active: row.get::<_, bool>(12)?.into(),
            ..OutboundAssistant::default()
        };
        Ok(Self { assistant, variables: row.get(13)?, created_at: row.get(14)?, updated_at: row.get(15)? })
    }
}

impl TryFrom<AssistantRecord> for OutboundAssistant {
    type Error = StoreError;

    fn try_from(row: AssistantRecord) -> Result<Self, StoreError> {
        Ok(Self {
            variables: parsed::<serde_json::Map<_, _>>(&row.variables, "set of variables")?.into(),
            created_at: IsoTimestamp(moment(row.created_at)?).into(),
            updated_at: IsoTimestamp(moment(row.updated_at)?).into(),
            ..row.assistant
        })
    }
}

impl Store {
    /// A user's assistants that call out, oldest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn outbound_assistants(&self, user_id: i64, piece: &mut Piece) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM assistants WHERE user_id = $1 AND type = $2 AND deleted_at IS NULL AND id > $3 \
             ORDER BY id"
        );
        let params = (user_id, AssistantType::Outbound.as_str(), piece.last().unwrap_or(0));
        self.read(|reader| {
            fill_piece(reader, &sql, params, piece, |row| {
                Ok((row.get(0)?, OutboundAssistant::try_from(AssistantRecord::read(row)?)?))
            })
        })
    }

    /// A page of a user's assistants with all there is about them, newest first; returns how many there are on all pages.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn assistants(&self, user_id: i64, offset: u64, limit: u32, piece: &mut Piece) -> Result<u64, StoreError> {
        self.read_at_once(|reader| {
            let count = "SELECT COUNT(*) FROM assistants WHERE user_id = $1 AND deleted_at IS NULL";
            let total: i64 = one(reader, count, [user_id], |row| row.get(0))?;
            let sql = format!(
                "SELECT {COLUMNS}, uuid, settings, knowledgebase_id, inbound_webhook_url, \
                 conversation_ended_webhook_url FROM assistants WHERE user_id = $1 AND deleted_at IS NULL AND id < $2 \
                 ORDER BY id DESC LIMIT $3 OFFSET $4"
            );
            // Of a later piece the offset lies behind.
            let (before, offset) = match piece.last() {
                Some(last) => (last, 0),
                None => (i64::MAX, i64::try_from(offset).unwrap_or(i64::MAX)),
            };
            let left = i64::from(limit) - i64::try_from(piece.count()).unwrap_or(i64::MAX);
            fill_piece(reader, &sql, (user_id, before, left, offset), piece, |row| {
                let id = row.get(0)?;
                let settings: AssistantSettings =
                    parsed(row.get_ref(17)?.as_str().map_err(rusqlite::Error::from)?, "set of settings")?;
                let more = Assistant {
                    uuid: Uuid::from_bytes(row.get(16)?).to_string().into(),
                    knowledgebase_id: row.get::<_, Option<i64>>(18)?.into(),
                    inbound_webhook_url: row.get::<_, Option<String>>(19)?.into(),
                    conversation_ended_webhook_url: row.get::<_, Option<String>>(20)?.into(),
                    ..Assistant::default()
                };
                let assistant = Assistant {
                    base: AssistantRecord::read(row)?.try_into()?,
                    language: language(reader, row.get(7)?)?.into(),
                    tool_ids: tool_ids(reader, id)?.into(),
                    // There are no phone numbers to choose from, and who is deleted is not shown.
                    phone_number_id: None.into(),
                    deleted_at: None.into(),
                    ..with_settings(more, settings)
                };
                Ok((id, assistant))
            })?;
            Ok(u64::try_from(total).unwrap_or_default())
        })
    }

    /// Whether a user has this assistant.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn has_assistant(&self, user_id: i64, assistant_id: i64) -> Result<bool, StoreError> {
        let find = "SELECT 1 FROM assistants WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL";
        self.read(|reader| Ok(exists(reader, find, [assistant_id, user_id])?))
    }

    /// The assistant that answers on a user's sender: `None` where the user has no such sender, `Some(None)` where
    /// nobody answers there.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn sender_assistant(&self, user_id: i64, sender_id: i64) -> Result<Option<Option<i64>>, StoreError> {
        self.read(|reader| {
            let find = "SELECT assistant_id FROM senders WHERE id = $1 AND user_id = $2";
            Ok(one(reader, find, [sender_id, user_id], |row| row.get(0)).optional()?)
        })
    }
}

fn with_settings(assistant: Assistant, settings: AssistantSettings) -> Assistant {
    Assistant {
        secondary_language_ids: settings.secondary_language_ids.into(),
        llm_model_id: settings.llm_model_id.into(),
        multimodal_model_id: settings.multimodal_model_id.into(),
        synthesizer_provider_id: settings.synthesizer_provider_id.into(),
        transcriber_provider_id: settings.transcriber_provider_id.into(),
        knowledgebase_mode: Some(settings.knowledgebase_mode).into(),
        tools: settings.tools.into(),
        post_call_schema: settings.post_call_schema.into(),
        max_duration: settings.max_duration.into(),
        send_webhook_only_on_completed: settings.send_webhook_only_on_completed.into(),
        include_recording_in_webhook: settings.include_recording_in_webhook.into(),
        conversation_ended_retrigger: settings.conversation_ended_retrigger.into(),
        conversation_inactivity_timeout: settings.conversation_inactivity_timeout.into(),
        ..assistant
    }
}

fn language(reader: &Connection, id: i64) -> rusqlite::Result<serde_json::Value> {
    one(reader, "SELECT name, iso_2 FROM languages WHERE id = $1", [id], |row| {
        Ok(json!({"id": id, "name": row.get::<_, String>(0)?, "iso_2": row.get::<_, String>(1)?}))
    })
}

/// The mid call tools that are attached to an assistant.
pub(super) fn tool_ids(reader: &Connection, assistant_id: i64) -> rusqlite::Result<Vec<i64>> {
    let find = "SELECT tool_id FROM assistant_tools WHERE assistant_id = $1 ORDER BY tool_id";
    many(reader, find, [assistant_id], |row| row.get(0))
}
