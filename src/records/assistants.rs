//! The tables about assistants: what webhooks were set to from here, versions, and drafts of forms.

use super::storage::Webhook;
use super::{AssistantData, AssistantVersion, FormDraft, Records, RecordsError, WebhookSetting};
use crate::sqlite::{execute, moment, try_many};
use jiff::Timestamp;
use rusqlite::params;
use std::collections::BTreeMap;

/// Versions stored for each assistant.
const VERSIONS_MAX: u32 = 100;
/// Drafts of forms stored for each profile.
const DRAFTS_MAX: u32 = 50;
/// URLs of webhooks offered again.
const URLS_MAX: u32 = 8;

impl Records {
    /// What is stored about the assistants of a server, with all profiles: two of them may be the same account.
    pub(super) fn assistant_data(&self, server: &str) -> Result<AssistantData, RecordsError> {
        self.with(|connection, _| {
            let sql =
                "SELECT profile, assistant_id, webhook, url, changed FROM webhooks WHERE server = $1 ORDER BY changed";
            let webhooks = try_many(connection, sql, [server], |row| {
                let word: String = row.get(2)?;
                let webhook = Webhook::ALL.into_iter().find(|one| one.word() == word);
                Ok::<_, RecordsError>(WebhookSetting {
                    profile: row.get(0)?,
                    assistant_id: row.get(1)?,
                    webhook: webhook.ok_or(RecordsError::Unreadable("webhook"))?,
                    url: row.get(3)?,
                    changed: moment(row.get(4)?)?,
                })
            })?;
            let sql =
                "SELECT used FROM webhooks WHERE used IS NOT NULL GROUP BY used ORDER BY MAX(changed) DESC LIMIT $1";
            let urls = try_many(connection, sql, [URLS_MAX], |row| Ok::<_, RecordsError>(row.get(0)?))?;
            Ok(AssistantData { webhooks, urls })
        })
    }

    pub(super) fn save_webhook(
        &self,
        (profile, server): (&str, &str),
        (assistant_id, webhook): (i64, Webhook),
        url: Option<&str>,
        now: Timestamp,
    ) -> Result<(), RecordsError> {
        let sql = "INSERT INTO webhooks (profile, server, assistant_id, webhook, url, used, changed) \
                   VALUES ($1, $2, $3, $4, $5, $5, $6) ON CONFLICT (profile, server, assistant_id, webhook) \
                   DO UPDATE SET url = EXCLUDED.url, used = COALESCE(EXCLUDED.url, used), changed = EXCLUDED.changed";
        let values = params![profile, server, assistant_id, webhook.word(), url, now.as_microsecond()];
        self.write(|tx| execute(tx, sql, values).map(|_| ()).map_err(RecordsError::from))
    }

    /// Adds a version, unless it equals the newest. One that was seen and is now saved from here counts as saved.
    pub(super) fn save_version(
        &self,
        profile: &str,
        assistant_id: i64,
        (saved, record): (bool, &str),
        now: Timestamp,
    ) -> Result<(), RecordsError> {
        self.write(|tx| {
            let newest = "SELECT number, record FROM assistant_versions WHERE profile = $1 AND assistant_id = $2 \
                          ORDER BY number DESC LIMIT 1";
            let read = |row: &rusqlite::Row<'_>| Ok::<(i64, String), RecordsError>((row.get(0)?, row.get(1)?));
            match try_many(tx, newest, (profile, assistant_id), read)?.pop() {
                Some((number, newest)) if newest == record => {
                    let sql = "UPDATE assistant_versions SET saved = saved OR $1 WHERE number = $2";
                    execute(tx, sql, (saved, number))?;
                }
                _ => {
                    let sql = "INSERT INTO assistant_versions (profile, assistant_id, saved, at, record) \
                               VALUES ($1, $2, $3, $4, $5)";
                    execute(tx, sql, (profile, assistant_id, saved, now.as_microsecond(), record))?;
                }
            }
            let oldest = "DELETE FROM assistant_versions WHERE profile = $1 AND assistant_id = $2 AND number NOT IN \
                          (SELECT number FROM assistant_versions WHERE profile = $1 AND assistant_id = $2 \
                          ORDER BY number DESC LIMIT $3)";
            execute(tx, oldest, (profile, assistant_id, VERSIONS_MAX))?;
            Ok(())
        })
    }

    pub(super) fn versions(&self, profile: &str, assistant_id: i64) -> Result<Vec<AssistantVersion>, RecordsError> {
        let sql = "SELECT saved, at, record FROM assistant_versions WHERE profile = $1 AND assistant_id = $2 \
                   ORDER BY number DESC";
        self.with(|connection, _| {
            try_many(connection, sql, (profile, assistant_id), |row| {
                Ok(AssistantVersion { saved: row.get(0)?, at: moment(row.get(1)?)?, record: row.get(2)? })
            })
        })
    }

    pub(super) fn save_form_draft(
        &self,
        profile: &str,
        (form, values): (&str, &BTreeMap<String, String>),
        now: Timestamp,
    ) -> Result<(), RecordsError> {
        let json =
            serde_json::to_string(values).map_err(|_| RecordsError::Unreadable("draft without a form in JSON"))?;
        self.write(|tx| {
            let save = "INSERT INTO form_drafts (profile, form, \"values\", saved) VALUES ($1, $2, $3, $4) \
                        ON CONFLICT (profile, form) DO UPDATE SET \"values\" = EXCLUDED.\"values\", saved = EXCLUDED.saved";
            execute(tx, save, (profile, form, json, now.as_microsecond()))?;
            let oldest = "DELETE FROM form_drafts WHERE profile = $1 AND form NOT IN \
                          (SELECT form FROM form_drafts WHERE profile = $1 ORDER BY saved DESC LIMIT $2)";
            execute(tx, oldest, (profile, DRAFTS_MAX))?;
            Ok(())
        })
    }

    pub(super) fn form_draft(&self, profile: &str, form: &str) -> Result<Option<FormDraft>, RecordsError> {
        let sql = "SELECT \"values\", saved FROM form_drafts WHERE profile = $1 AND form = $2";
        self.with(|connection, _| {
            let found = try_many(connection, sql, (profile, form), |row| {
                let values = serde_json::from_str(&row.get::<_, String>(0)?);
                let values = values.map_err(|_| RecordsError::Unreadable("draft"))?;
                Ok::<_, RecordsError>(FormDraft { form: form.to_owned(), values, saved: moment(row.get(1)?)? })
            })?;
            Ok(found.into_iter().next())
        })
    }

    pub(super) fn delete_form_draft(&self, profile: &str, form: &str) -> Result<(), RecordsError> {
        let sql = "DELETE FROM form_drafts WHERE profile = $1 AND form = $2";
        self.write(|tx| execute(tx, sql, (profile, form)).map(|_| ()).map_err(RecordsError::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{StorageReply, StorageRequest};
    use jiff::ToSpan;

    const SERVER: &str = "http://127.0.0.1:8787/api";

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000).unwrap() + second.seconds()
    }

    fn set(records: &Records, profile: &str, server: &str, url: Option<&str>, second: i64) {
        let (server, url) = (server.to_owned(), url.map(str::to_owned));
        let request = StorageRequest::SaveWebhook { server, assistant_id: 7, webhook: Webhook::InboundCall, url };
        assert_eq!(records.store(profile, &request, at(second)).unwrap(), StorageReply::Done);
    }

    #[test]
    fn the_last_setting_of_a_webhook_is_kept_for_each_server_and_profile() {
        let records = Records::in_memory().unwrap();
        set(&records, "live", SERVER, Some("https://a.example"), 1);
        set(&records, "trial", SERVER, Some("https://b.example"), 2);
        set(&records, "live", "https://other.example/api", Some("https://a.example"), 3);
        set(&records, "live", SERVER, None, 4);
        let data = records.assistant_data(SERVER).unwrap();
        let webhooks: Vec<_> = data.webhooks.iter().map(|one| (one.profile.as_str(), one.url.as_deref())).collect();
        assert_eq!(webhooks, [("trial", Some("https://b.example")), ("live", None)]);
        assert_eq!(data.webhooks[1].changed, at(4));
        assert_eq!(data.urls, ["https://a.example", "https://b.example"]);
        set(&records, "trial", SERVER, None, 5);
        let urls = records.assistant_data(SERVER).unwrap().urls;
        assert_eq!(urls, ["https://b.example", "https://a.example"], "offered also once it is off");
    }

    #[test]
    fn versions_are_kept_once_and_bounded() {
        let records = Records::in_memory().unwrap();
        let save = |saved, record: &str, second| {
            records.save_version("live", 7, (saved, record), at(second)).unwrap();
        };
        save(false, "{}", 1);
        save(true, "{}", 2);
        save(false, "{}", 3);
        let versions = records.versions("live", 7).unwrap();
        assert_eq!(versions, [AssistantVersion { saved: true, at: at(1), record: "{}".to_owned() }]);
        for number in 0..120 {
            save(true, &number.to_string(), number);
        }
        let versions = records.versions("live", 7).unwrap();
        assert_eq!((versions.len(), versions[0].record.as_str()), (100, "119"));
        assert_eq!(records.versions("live", 8).unwrap(), []);
        assert_eq!(records.versions("trial", 7).unwrap(), []);
    }

    #[test]
    fn a_form_has_one_draft_until_it_is_deleted() {
        let records = Records::in_memory().unwrap();
        let values = |text: &str| BTreeMap::from([("system_prompt".to_owned(), text.to_owned())]);
        records.save_form_draft("live", ("assistant 7", &values("Be kind.")), at(1)).unwrap();
        records.save_form_draft("live", ("assistant 7", &values("Be brief.")), at(2)).unwrap();
        let draft = records.form_draft("live", "assistant 7").unwrap().unwrap();
        assert_eq!((draft.values, draft.saved), (values("Be brief."), at(2)));
        assert_eq!(records.form_draft("trial", "assistant 7").unwrap(), None);
        records.delete_form_draft("live", "assistant 7").unwrap();
        assert_eq!(records.form_draft("live", "assistant 7").unwrap(), None);
    }
}
