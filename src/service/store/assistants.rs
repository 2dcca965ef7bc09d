//! Assistants and the senders they answer on.

use super::{Store, StoreError, many, moment, one};
use crate::api::{AssistantType, IsoTimestamp, OutboundAssistant};
use rusqlite::OptionalExtension;
use serde_json::Map;

impl Store {
    /// A user's assistants that call out, in the order of their numbers.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn outbound_assistants(&self, user_id: i64) -> Result<Vec<OutboundAssistant>, StoreError> {
        let rows = self.read(|reader| {
            Ok(many(
                reader,
                "SELECT id, user_id, name, type, mode, status, voice_id, language_id, timezone, initial_message, \
                 system_prompt, webhook_url, is_webhook_active, variables, created_at, updated_at \
                 FROM assistants WHERE user_id = $1 AND type = $2 ORDER BY id",
                (user_id, AssistantType::Outbound.as_str()),
                |row| {
                    let assistant = OutboundAssistant {
                        id: row.get::<_, i64>(0)?.into(),
                        user_id: row.get::<_, i64>(1)?.into(),
                        name: row.get::<_, String>(2)?.into(),
                        kind: AssistantType::from(row.get_ref(3)?.as_str()?).into(),
                        mode: crate::api::AssistantMode::from(row.get_ref(4)?.as_str()?).into(),
                        status: crate::api::AssistantStatus::from(row.get_ref(5)?.as_str()?).into(),
                        voice_id: row.get::<_, i64>(6)?.into(),
                        language_id: row.get::<_, i64>(7)?.into(),
                        timezone: row.get::<_, String>(8)?.into(),
                        initial_message: row.get::<_, String>(9)?.into(),
                        system_prompt: row.get::<_, String>(10)?.into(),
                        webhook_url: row.get::<_, Option<String>>(11)?.into(),
                        is_webhook_active: row.get::<_, bool>(12)?.into(),
                        ..OutboundAssistant::default()
                    };
                    Ok((assistant, row.get::<_, String>(13)?, row.get(14)?, row.get(15)?))
                },
            )?)
        })?;
        rows.into_iter()
            .map(|(assistant, variables, created_at, updated_at)| {
                let variables: Map<_, _> =
                    serde_json::from_str(&variables).map_err(|_| StoreError::Unreadable("set of variables"))?;
                Ok(OutboundAssistant {
                    variables: variables.into(),
                    created_at: IsoTimestamp(moment(created_at)?).into(),
                    updated_at: IsoTimestamp(moment(updated_at)?).into(),
                    ..assistant
                })
            })
            .collect()
    }

    /// Whether a user has this assistant.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn has_assistant(&self, user_id: i64, assistant_id: i64) -> Result<bool, StoreError> {
        self.read(|reader| {
            let find = "SELECT 1 FROM assistants WHERE id = $1 AND user_id = $2";
            Ok(one(reader, find, [assistant_id, user_id], |_| Ok(())).optional()?.is_some())
        })
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
