//! Assistants as they are read, and the senders they answer on.

use super::catalogue::exists;
use super::{Store, StoreError, many, moment, one, parsed};
use crate::api::{
    Assistant, AssistantMode, AssistantSettings, AssistantStatus, AssistantType, IsoTimestamp, OutboundAssistant,
};
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
    /// The first `limit` of a user's assistants that call out with a number above `after`, in the order of their numbers.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn outbound_assistants(
        &self,
        user_id: i64,
        after: i64,
        limit: usize,
    ) -> Result<Vec<OutboundAssistant>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM assistants WHERE user_id = $1 AND type = $2 AND deleted_at IS NULL AND id > $3 \
             ORDER BY id LIMIT $4"
        );
        let params = (user_id, AssistantType::Outbound.as_str(), after, i64::try_from(limit).unwrap_or(i64::MAX));
        self.read(|reader| Ok(many(reader, &sql, params, AssistantRecord::read)?))?
            .into_iter()
            .map(OutboundAssistant::try_from)
            .collect()
    }

    /// A page of a user's assistants with all there is about them, newest first, and how many there are.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn assistants(&self, user_id: i64, offset: u64, limit: u32) -> Result<(Vec<Assistant>, u64), StoreError> {
        self.read_at_once(|reader| {
            let count = "SELECT COUNT(*) FROM assistants WHERE user_id = $1 AND deleted_at IS NULL";
            let total: i64 = one(reader, count, [user_id], |row| row.get(0))?;
            let sql = format!(
                "SELECT {COLUMNS}, uuid, settings, knowledgebase_id, inbound_webhook_url, \
                 conversation_ended_webhook_url FROM assistants WHERE user_id = $1 AND deleted_at IS NULL \
                 ORDER BY id DESC LIMIT $2 OFFSET $3"
            );
            let offset = i64::try_from(offset).unwrap_or(i64::MAX);
            let rows = many(reader, &sql, (user_id, limit, offset), |row| {
                let more = Assistant {
                    uuid: Uuid::from_bytes(row.get(16)?).to_string().into(),
                    knowledgebase_id: row.get::<_, Option<i64>>(18)?.into(),
                    inbound_webhook_url: row.get::<_, Option<String>>(19)?.into(),
                    conversation_ended_webhook_url: row.get::<_, Option<String>>(20)?.into(),
                    ..Assistant::default()
                };
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, i64>(7)?,
                    AssistantRecord::read(row)?,
                    more,
                    row.get::<_, String>(17)?,
                ))
            })?;
            let rows = rows
                .into_iter()
                .map(|(id, language_id, stored, more, settings)| {
                    let settings: AssistantSettings = parsed(&settings, "set of settings")?;
                    let more = with_settings(more, settings);
                    Ok(Assistant {
                        base: stored.try_into()?,
                        language: language(reader, language_id)?.into(),
                        tool_ids: tool_ids(reader, id)?.into(),
                        // There are no phone numbers to choose from, and who is deleted is not shown.
                        phone_number_id: None.into(),
                        deleted_at: None.into(),
                        ..more
                    })
                })
                .collect::<Result<_, StoreError>>()?;
            Ok((rows, u64::try_from(total).unwrap_or_default()))
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
