//! How assistants are created, changed and deleted, and their webhooks switched.

use super::assistants::tool_ids;
use super::call_progress;
use super::catalogue::exists;
use super::delivery_queue::{end_outdated, end_unwanted};
use super::{Store, StoreError, Written, execute, json, one, parsed};
use crate::api::rules::{self, Fault};
use crate::api::{AssistantChange, AssistantConfig, AssistantMode, AssistantStatus, AssistantSummary, AssistantType};
use crate::service::limits::{ASSISTANTS_MAX, too_many};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use uuid::Uuid;

/// What an assistant notifies somebody of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Webhook {
    /// A call of an outbound assistant is over.
    PostCall,
    /// An inbound call is over.
    Inbound,
    /// A chat has ended.
    ConversationEnded,
}

impl Store {
    /// Creates an assistant, which is not in use yet; nothing that is required may be missing.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn create_assistant(
        &self,
        user_id: i64,
        uuid: Uuid,
        change: AssistantChange,
        now: Timestamp,
    ) -> Result<Written<AssistantSummary>, StoreError> {
        self.write(|tx| {
            let mut config = AssistantConfig::default();
            let mut faults = unknown_references(tx, user_id, &change)?;
            config.change(change);
            faults.extend(config.faults());
            let count = "SELECT COUNT(*) FROM assistants WHERE user_id = $1 AND deleted_at IS NULL";
            if one(tx, count, [user_id], |row| row.get::<_, i64>(0))? >= ASSISTANTS_MAX {
                faults.push(too_many("name", ASSISTANTS_MAX, "assistants"));
            }
            if !faults.is_empty() {
                return Ok(Written::Invalid(faults));
            }
            let status = AssistantStatus::Inactive;
            let id = insert_assistant(tx, user_id, |_| uuid, &status, &config, now)?;
            Ok(Written::Done(summary(id, status, config)))
        })
    }

    /// Changes an assistant of a user.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn update_assistant(
        &self,
        user_id: i64,
        id: i64,
        change: AssistantChange,
        now: Timestamp,
    ) -> Result<Written<AssistantSummary>, StoreError> {
        self.write(|tx| {
            let Some((mut config, status)) = load(tx, user_id, id)? else { return Ok(Written::Missing) };
            let mut faults = unknown_references(tx, user_id, &change)?;
            config.change(change);
            faults.extend(config.faults());
            if !faults.is_empty() {
                return Ok(Written::Invalid(faults));
            }
            save(tx, id, &config, now)?;
            end_outdated(tx, id)?;
            Ok(Written::Done(summary(id, status, config)))
        })
    }

    /// Deletes an assistant of a user; false where the user has no such one. Its conversations and calls stay, its
    /// senders have nobody then.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delete_assistant(&self, user_id: i64, id: i64, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|tx| {
            let change = "UPDATE assistants SET deleted_at = $1, knowledgebase_id = NULL, webhook_url = NULL, \
                          is_webhook_active = FALSE, inbound_webhook_url = NULL, conversation_ended_webhook_url = NULL \
                          WHERE id = $2 AND user_id = $3 AND deleted_at IS NULL";
            if execute(tx, change, [now.as_microsecond(), id, user_id])? == 0 {
                return Ok(false);
            }
            execute(tx, "DELETE FROM assistant_tools WHERE assistant_id = $1", [id])?;
            execute(tx, "UPDATE senders SET assistant_id = NULL WHERE assistant_id = $1", [id])?;
            // Nobody hears of it: its webhooks are gone. It does not move in the list, for nobody has said anything.
            let end = "UPDATE conversations SET ended_at = $1 WHERE assistant_id = $2 AND ended_at IS NULL";
            execute(tx, end, [now.as_microsecond(), id])?;
            call_progress::end_all(tx, id, now)?;
            end_unwanted(tx, id, "the assistant was deleted")?;
            Ok(true)
        })
    }

    /// Switches a webhook of a user's assistant on, with a URL, or off, which ends what waits for another URL; false where
    /// the user has no such assistant.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn set_webhook(
        &self,
        user_id: i64,
        assistant_id: i64,
        webhook: Webhook,
        url: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let change = match webhook {
            Webhook::PostCall => "webhook_url = $1, is_webhook_active = ($1 IS NOT NULL)",
            Webhook::Inbound => "inbound_webhook_url = $1",
            Webhook::ConversationEnded => "conversation_ended_webhook_url = $1",
        };
        let change = format!(
            "UPDATE assistants SET {change}, updated_at = $2 WHERE id = $3 AND user_id = $4 AND deleted_at IS NULL"
        );
        self.write(|tx| {
            if execute(tx, &change, (url, now.as_microsecond(), assistant_id, user_id))? == 0 {
                return Ok(false);
            }
            end_outdated(tx, assistant_id)?;
            Ok(true)
        })
    }
}

fn summary(id: i64, status: AssistantStatus, config: AssistantConfig) -> AssistantSummary {
    AssistantSummary { id, name: config.name, status, kind: config.kind, mode: config.mode }
}

/// Stores an assistant under the next number, which no deleted one has had.
pub(super) fn insert_assistant(
    tx: &Transaction<'_>,
    user_id: i64,
    uuid: impl FnOnce(i64) -> Uuid,
    status: &AssistantStatus,
    config: &AssistantConfig,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let id: i64 =
        one(tx, "SELECT COALESCE(MAX(id), 0) + 1 FROM assistants /* scans: one row */", [], |row| row.get(0))?;
    let at = now.as_microsecond();
    execute(
        tx,
        "INSERT INTO assistants (id, uuid, user_id, name, type, mode, status, voice_id, language_id, timezone, \
         initial_message, system_prompt, variables, is_webhook_active, created_at, updated_at) \
         VALUES ($1, $2, $3, '', $4, '', $5, 0, 0, '', '', '', '{}', $6, $7, $8)",
        (id, uuid(id).as_bytes(), user_id, config.kind.as_str(), status.as_str(), false, at, at),
    )?;
    save(tx, id, config, now)?;
    Ok(id)
}

fn save(tx: &Transaction<'_>, id: i64, config: &AssistantConfig, now: Timestamp) -> Result<(), StoreError> {
    execute(
        tx,
        "UPDATE assistants SET name = $1, type = $2, mode = $3, voice_id = $4, language_id = $5, timezone = $6, \
         initial_message = $7, system_prompt = $8, variables = $9, knowledgebase_id = $10, is_webhook_active = $11, \
         webhook_url = $12, conversation_ended_webhook_url = $13, settings = $14, updated_at = $15 WHERE id = $16",
        (
            &config.name,
            config.kind.as_str(),
            config.mode.as_str(),
            config.voice_id,
            config.language_id,
            &config.timezone,
            &config.initial_message,
            &config.system_prompt,
            json(&config.variables)?,
            config.knowledgebase_id,
            config.is_webhook_active,
            &config.webhook_url,
            &config.conversation_ended_webhook_url,
            json(&config.settings)?,
            now.as_microsecond(),
            id,
        ),
    )?;
    execute(tx, "DELETE FROM assistant_tools WHERE assistant_id = $1", [id])?;
    for tool_id in &config.tool_ids {
        execute(tx, "INSERT INTO assistant_tools (assistant_id, tool_id) VALUES ($1, $2)", [id, *tool_id])?;
    }
    Ok(())
}

fn load(tx: &Transaction<'_>, user_id: i64, id: i64) -> Result<Option<(AssistantConfig, AssistantStatus)>, StoreError> {
    let found = one(
        tx,
        "SELECT name, type, mode, voice_id, language_id, timezone, initial_message, system_prompt, knowledgebase_id, \
         is_webhook_active, webhook_url, conversation_ended_webhook_url, variables, settings, status \
         FROM assistants WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL",
        [id, user_id],
        |row| {
            let config = AssistantConfig {
                name: row.get(0)?,
                kind: AssistantType::from(row.get_ref(1)?.as_str()?),
                mode: AssistantMode::from(row.get_ref(2)?.as_str()?),
                voice_id: row.get(3)?,
                language_id: row.get(4)?,
                timezone: row.get(5)?,
                initial_message: row.get(6)?,
                system_prompt: row.get(7)?,
                knowledgebase_id: row.get(8)?,
                is_webhook_active: row.get(9)?,
                webhook_url: row.get(10)?,
                conversation_ended_webhook_url: row.get(11)?,
                ..AssistantConfig::default()
            };
            let status = AssistantStatus::from(row.get_ref(14)?.as_str()?);
            Ok((config, row.get::<_, String>(12)?, row.get::<_, String>(13)?, status))
        },
    )
    .optional()?;
    let Some((config, variables, settings, status)) = found else { return Ok(None) };
    let config = AssistantConfig {
        variables: parsed(&variables, "set of variables")?,
        settings: parsed(&settings, "set of settings")?,
        tool_ids: tool_ids(tx, id)?,
        ..config
    };
    Ok(Some((config, status)))
}

/// What a change names and the user does not have. Somebody else's is not told from none.
fn unknown_references(tx: &Transaction<'_>, user_id: i64, change: &AssistantChange) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Vec::new();
    let mut check = |field, id: Option<i64>, table_and_owner: &str| -> rusqlite::Result<()> {
        if let Some(id) = id {
            let find = format!("SELECT 1 FROM {table_and_owner} = $1 AND id = $2");
            if !exists(tx, &find, [user_id, id])? {
                faults.push(rules::not_listed(field));
            }
        }
        Ok(())
    };
    // What belongs to everybody is compared with the caller on both sides.
    let (voice, language) = ("voices WHERE COALESCE(user_id, $1)", "languages WHERE $1");
    check("voice_id", change.voice_id, voice)?;
    check("language_id", change.language_id, language)?;
    for id in change.secondary_language_ids.iter().flatten() {
        check("secondary_language_ids", Some(*id), language)?;
    }
    check("llm_model_id", change.llm_model_id.new_value().copied(), "llm_models WHERE $1")?;
    check("multimodal_model_id", change.multimodal_model_id.new_value().copied(), "multimodal_models WHERE $1")?;
    let synthesizer = change.synthesizer_provider_id.new_value().copied();
    check("synthesizer_provider_id", synthesizer, "synthesizer_providers WHERE $1")?;
    let transcriber = change.transcriber_provider_id.new_value().copied();
    check("transcriber_provider_id", transcriber, "transcriber_providers WHERE $1")?;
    check("knowledgebase_id", change.knowledgebase_id.new_value().copied(), "knowledgebases WHERE user_id")?;
    for id in change.tool_ids.iter().flatten() {
        check("tool_ids", Some(*id), "tools WHERE user_id")?;
    }
    // Nobody has a phone number here: the API has no operation for them.
    faults.extend(change.phone_number_id.new_value().map(|_| rules::not_listed("phone_number_id")));
    faults.dedup();
    Ok(faults)
}
