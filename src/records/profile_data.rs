//! The tables of a profile beside its outbox: watched windows, senders, drafts, and values used before.

use super::{
    Draft, DraftKey, ProfileData, Records, RecordsError, Resource, StorageReply, StorageRequest, Used, Watched, files,
    inspect,
};
use crate::sqlite::{execute, many, moment, try_many};
use jiff::Timestamp;
use rusqlite::{Connection, Transaction};

/// Values stored for each variable of a template.
const USED_MAX: u32 = 8;
/// Drafts stored for each profile.
const DRAFTS_MAX: u32 = 200;

impl Records {
    /// Performs a storage request for a profile. A change is on disk when this returns.
    ///
    /// # Errors
    /// When the storage or a file cannot be read or written, or an entry cannot be marked.
    pub fn store(&self, profile: &str, request: &StorageRequest, now: Timestamp) -> Result<StorageReply, RecordsError> {
        match request {
            StorageRequest::Load => {
                return Ok(StorageReply::ProfileData(Box::new(self.profile_data(profile)?)));
            }
            StorageRequest::ListOutbox { limit } => return Ok(StorageReply::Entries(self.recent(profile, *limit)?)),
            StorageRequest::Hold(intent) => self.hold(intent, now)?,
            StorageRequest::LetGo(id) => self.let_go(*id)?,
            StorageRequest::FindForgotten { batch, since } => {
                return Ok(StorageReply::Forgotten(self.forgets(*batch, *since)?));
            }
            StorageRequest::ListSentSince { account, template_id, since } => {
                return Ok(StorageReply::Entries(self.sent_since(account, *template_id, *since)?));
            }
            StorageRequest::ListBatch(batch) => return Ok(StorageReply::Entries(self.batch(*batch)?)),
            StorageRequest::SaveBatch { of, text } => {
                self.claim(of.batch)?;
                self.batch_begins(profile, of, text, now)?;
            }
            StorageRequest::EndBatch(batch) => self.release(*batch),
            StorageRequest::CompareBatchText { batch, text } => {
                return Ok(StorageReply::BatchText { is_other: self.is_other_text(*batch, text)? });
            }
            StorageRequest::FindUnfinishedBatch => {
                return Ok(StorageReply::UnfinishedBatch(self.unfinished(profile, now)?.map(Box::new)));
            }
            StorageRequest::ListBatchFiles => return Ok(StorageReply::Paths(self.batch_files(profile)?)),
            StorageRequest::ReadFile(path) => return Ok(StorageReply::File(files::read(path)?)),
            StorageRequest::ListFolder(path) => return Ok(StorageReply::Names(files::names(path)?)),
            StorageRequest::FindFiles(text) => return Ok(StorageReply::Paths(inspect::find(text)?)),
            StorageRequest::InspectFile { path, server } => {
                let mut facts = inspect::inspect(path).map_err(|fault| inspect::in_words(&fault));
                if let Ok(facts) = &mut facts {
                    facts.earlier = self.earlier_uploads(server, &facts.digest)?;
                }
                return Ok(StorageReply::Inspected(facts));
            }
            StorageRequest::ListUploads { server } => {
                return Ok(StorageReply::Uploads(self.uploads(profile, server)?));
            }
            StorageRequest::ChangeUploads { server, change } => {
                self.change_uploads((profile, server), change, now)?;
                return Ok(StorageReply::Uploads(self.uploads(profile, server)?));
            }
            StorageRequest::WriteFile { path, text } => return Ok(StorageReply::Written(files::write(path, text)?)),
            StorageRequest::SaveToken { path, token, replace } => {
                return Ok(StorageReply::Written(files::save_token(path, token, *replace)?));
            }
            StorageRequest::LoadAssistants { server } => {
                return Ok(StorageReply::AssistantData(Box::new(self.assistant_data(server)?)));
            }
            StorageRequest::ListVersions(id) => return Ok(StorageReply::Versions(self.versions(profile, *id)?)),
            StorageRequest::LoadFormDraft(form) => {
                return Ok(StorageReply::FormDraft(self.form_draft(profile, form)?.map(Box::new)));
            }
            StorageRequest::SaveWebhook { server, assistant_id, webhook, url } => {
                self.save_webhook((profile, server), (*assistant_id, *webhook), url.as_deref(), now)?;
            }
            StorageRequest::SaveVersion { assistant_id, saved, record } => {
                self.save_version(profile, *assistant_id, (*saved, record), now)?;
            }
            StorageRequest::SaveFormDraft { form, values } => self.save_form_draft(profile, (form, values), now)?,
            StorageRequest::DeleteFormDraft(form) => self.delete_form_draft(profile, form)?,
            StorageRequest::LoadPreferences => return Ok(StorageReply::Preferences(self.preferences(profile)?)),
            StorageRequest::SavePreference { name, value } => self.save_preference(profile, name, value)?,
            StorageRequest::ListReads => return Ok(StorageReply::Reads(self.reads(profile)?)),
            StorageRequest::SaveRead { conversation, messages } => {
                self.save_read(profile, (conversation, *messages), now)?;
            }
            StorageRequest::MarkEntry { id, mark } => drop(self.mark(*id, *mark, now)?),
            StorageRequest::Watch(watched) => self.write(|tx| watch(tx, profile, watched))?,
            StorageRequest::Unwatch { sender_id, phone } => {
                let unwatch = "DELETE FROM watched WHERE profile = $1 AND sender_id = $2 AND phone = $3";
                self.write(|tx| Ok(execute(tx, unwatch, (profile, sender_id, phone))?))?;
            }
            StorageRequest::AddId { resource, id } => {
                let add = "INSERT INTO ids (profile, resource, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
                self.write(|tx| Ok(execute(tx, add, (profile, resource.word(), id))?))?;
            }
            StorageRequest::RemoveId { resource, id } => {
                let remove = "DELETE FROM ids WHERE profile = $1 AND resource = $2 AND id = $3";
                self.write(|tx| Ok(execute(tx, remove, (profile, resource.word(), id))?))?;
            }
            StorageRequest::ListIds(resource) => {
                return Ok(StorageReply::Ids(self.with(|connection, _| ids(connection, profile, *resource))?));
            }
            StorageRequest::SaveDraft(draft) => return self.save_draft(profile, draft),
            StorageRequest::FindDraft(key) => {
                let drafts = self.with(|connection, _| drafts(connection, profile))?;
                return Ok(StorageReply::HasDraft(drafts.iter().any(|draft| draft.key() == *key)));
            }
            StorageRequest::DeleteDraft(key) => return self.delete_draft(profile, key),
            StorageRequest::DeleteValues { template_ids } => {
                self.write(|tx| template_ids.iter().try_for_each(|id| delete_values(tx, profile, *id)))?;
            }
            StorageRequest::SaveValues(used) => {
                self.write(|tx| used.iter().try_for_each(|used| remember(tx, profile, used)))?;
            }
        }
        Ok(StorageReply::Done)
    }

    fn save_draft(&self, profile: &str, draft: &Draft) -> Result<StorageReply, RecordsError> {
        self.write(|tx| save(tx, profile, draft))?;
        Ok(StorageReply::DraftSaved(Box::new(draft.clone())))
    }

    fn delete_draft(&self, profile: &str, key: &DraftKey) -> Result<StorageReply, RecordsError> {
        self.write(|tx| discard(tx, profile, key, None))?;
        Ok(StorageReply::DraftDeleted(key.clone()))
    }

    /// What is stored for a profile beside its outbox.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn profile_data(&self, profile: &str) -> Result<ProfileData, RecordsError> {
        self.with(|connection, _| {
            // All of it as it was at one moment.
            let tx = &connection.transaction()?;
            Ok(ProfileData {
                watched: watched(tx, profile)?,
                senders: ids(tx, profile, Resource::Sender)?,
                drafts: drafts(tx, profile)?,
                used: used(tx, profile)?,
            })
        })
    }
}

fn ids(connection: &Connection, profile: &str, resource: Resource) -> Result<Vec<i64>, RecordsError> {
    let sql = "SELECT id FROM ids WHERE profile = $1 AND resource = $2 ORDER BY number";
    Ok(many(connection, sql, (profile, resource.word()), |row| row.get(0))?)
}

fn watch(tx: &Transaction<'_>, profile: &str, watched: &[Watched]) -> Result<(), RecordsError> {
    execute(tx, "INSERT INTO watchers (profile) VALUES ($1) ON CONFLICT DO NOTHING", [profile])?;
    for Watched { sender_id, phone, name } in watched {
        let watch = "INSERT INTO watched (profile, sender_id, phone, name) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (profile, sender_id, phone) DO UPDATE SET name = COALESCE(EXCLUDED.name, watched.name)";
        execute(tx, watch, (profile, sender_id, phone, name))?;
    }
    Ok(())
}

fn watched(connection: &Connection, profile: &str) -> Result<Option<Vec<Watched>>, RecordsError> {
    let ever = many(connection, "SELECT 1 FROM watchers WHERE profile = $1", [profile], |_| Ok(()))?;
    if ever.is_empty() {
        return Ok(None);
    }
    let sql = "SELECT sender_id, phone, name FROM watched WHERE profile = $1 ORDER BY number";
    let all = many(connection, sql, [profile], |row| {
        Ok(Watched { sender_id: row.get(0)?, phone: row.get(1)?, name: row.get(2)? })
    })?;
    Ok(Some(all))
}

fn save(tx: &Transaction<'_>, profile: &str, draft: &Draft) -> Result<(), RecordsError> {
    let Draft { sender_id, phone, template_id, name, values, message, saved } = draft;
    discard(tx, profile, &draft.key(), None)?;
    let values = serde_json::to_string(values).map_err(|_| RecordsError::Unreadable("draft without a form in JSON"))?;
    let insert = "INSERT INTO drafts (profile, phone, template_id, sender_id, name, \"values\", message, saved) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let saved = saved.as_microsecond();
    execute(tx, insert, (profile, phone, template_id, sender_id, name, values, message, saved))?;
    let trim = "DELETE FROM drafts WHERE profile = $1 AND number NOT IN \
                (SELECT number FROM drafts WHERE profile = $1 ORDER BY number DESC LIMIT $2)";
    execute(tx, trim, (profile, DRAFTS_MAX))?;
    Ok(())
}

/// Deletes the draft with this key; where a time is given, only if it was not changed since.
pub(super) fn discard(
    tx: &Transaction<'_>,
    profile: &str,
    key: &DraftKey,
    unchanged_since: Option<Timestamp>,
) -> Result<(), RecordsError> {
    let discard = "DELETE FROM drafts WHERE profile = $1 AND phone = $2 AND template_id IS NOT DISTINCT FROM $3 \
                   AND CASE WHEN message IS NOT NULL THEN sender_id END IS NOT DISTINCT FROM $4 \
                   AND ($5 IS NULL OR saved <= $5)";
    let since = unchanged_since.map(Timestamp::as_microsecond);
    execute(tx, discard, (profile, &key.phone, key.template_id, key.writer, since))?;
    Ok(())
}

fn delete_values(tx: &Transaction<'_>, profile: &str, template_id: i64) -> Result<(), RecordsError> {
    let drafts = "DELETE FROM drafts WHERE profile = $1 AND template_id = $2 AND \"values\" <> '{}'";
    execute(tx, drafts, (profile, template_id))?;
    execute(tx, "DELETE FROM used WHERE profile = $1 AND template_id = $2", (profile, template_id))?;
    Ok(())
}

fn drafts(connection: &Connection, profile: &str) -> Result<Vec<Draft>, RecordsError> {
    let sql = "SELECT sender_id, phone, template_id, name, \"values\", message, saved FROM drafts WHERE profile = $1 \
               ORDER BY number DESC";
    try_many(connection, sql, [profile], |row| {
        let values: String = row.get(4)?;
        Ok(Draft {
            sender_id: row.get(0)?,
            phone: row.get(1)?,
            template_id: row.get(2)?,
            name: row.get(3)?,
            values: serde_json::from_str(&values).map_err(|_| RecordsError::Unreadable("draft"))?,
            message: row.get(5)?,
            saved: moment(row.get(6)?)?,
        })
    })
}

fn remember(tx: &Transaction<'_>, profile: &str, used: &Used) -> Result<(), RecordsError> {
    let Used { template_id, variable, value } = used;
    if value.is_empty() {
        return Ok(());
    }
    // It comes to the front, also where it was used before.
    let forget = "DELETE FROM used WHERE profile = $1 AND template_id = $2 AND variable = $3 AND value = $4";
    execute(tx, forget, (profile, template_id, variable, value))?;
    let insert = "INSERT INTO used (profile, template_id, variable, value) VALUES ($1, $2, $3, $4)";
    execute(tx, insert, (profile, template_id, variable, value))?;
    let trim = "DELETE FROM used WHERE profile = $1 AND template_id = $2 AND variable = $3 AND number NOT IN \
                (SELECT number FROM used WHERE profile = $1 AND template_id = $2 AND variable = $3 \
                 ORDER BY number DESC LIMIT $4)";
    execute(tx, trim, (profile, template_id, variable, USED_MAX))?;
    Ok(())
}

fn used(connection: &Connection, profile: &str) -> Result<Vec<Used>, RecordsError> {
    let sql = "SELECT template_id, variable, value FROM used WHERE profile = $1 ORDER BY number DESC";
    try_many(connection, sql, [profile], |row| {
        Ok(Used { template_id: row.get(0)?, variable: row.get(1)?, value: row.get(2)? })
    })
}
