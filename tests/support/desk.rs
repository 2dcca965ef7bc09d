//! The messaging side of the canned server: senders, templates, windows, and what is kept on this machine.

use super::canned::noon;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use switchboard::api::{Account, ErrorBody, ErrorCode, Rows, Sender, SessionStatus, Template};
use switchboard::client::{FailureKind, Reply, Request};
use switchboard::messaging::{Accepted, Outcome};
use switchboard::records::{
    BatchOf, Entry, ProfileData, Resource, StorageReply, StorageRequest, Unfinished, Upload, Watched,
};
use switchboard::tasks::{Answer, Sending, Work};
use uuid::Uuid;

/// The state of the server and of the records.
#[derive(Debug, Clone)]
pub struct Desk {
    /// `None` where the server does not list them.
    pub senders: Option<Rows<Sender>>,
    pub templates: BTreeMap<i64, Rows<Template>>,
    /// False where the server does not tell windows.
    pub has_windows: bool,
    /// When each window expires or has.
    pub windows: BTreeMap<(i64, String), Timestamp>,
    pub kept: ProfileData,
    pub sent: Vec<Sending>,
    /// Files on this machine.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// What becomes of sends to these numbers; the others are accepted.
    pub outcomes: BTreeMap<String, Outcome>,
    /// The outbox.
    pub entries: Vec<Entry>,
    /// The last batch.
    pub batch: Option<BatchOf>,
    /// When it was noticed that the outbox was replaced by an older copy.
    pub forgotten: Option<Timestamp>,
    /// The text of the template that each batch was sent with.
    pub texts: BTreeMap<Uuid, String>,
    /// How far the server's clock is ahead of the local one; `None` where it does not tell its time.
    pub ahead: Option<SignedDuration>,
    /// How panes were left.
    pub preferences: BTreeMap<String, String>,
    /// How far conversations were read.
    pub reads: BTreeMap<String, u64>,
    /// The queue of uploads.
    pub uploads: Vec<Upload>,
    /// The files of earlier batches.
    pub recent: Vec<PathBuf>,
    /// How often each window was asked for.
    pub asked: BTreeMap<(i64, String), usize>,
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn template(id: i64, name: &str, language: &str, category: &str, status: &str, body: &str, names: &[&str]) -> Template {
    read(json!({
        "id": id, "name": name, "language": language, "category": category, "status": status, "body_text": body,
        "variables": names, "has_variables": !names.is_empty(),
    }))
}

impl Default for Desk {
    fn default() -> Self {
        let senders = json!([
            {"id": 1, "phone_number": "+14155550100", "display_name": "Acme Support", "status": "online"},
            {"id": 2, "phone_number": "+4930901820", "display_name": "Acme Berlin", "status": "offline"},
        ]);
        let templates = vec![
            template(11, "old_promo", "en", "marketing", "rejected", "LAST CHANCE {{1}}!!!", &["customer_name"]),
            template(12, "order_update", "en", "utility", "approved", "Your order {{1}} is on its way.", &["order"]),
            template(13, "login_code", "en", "authentication", "pending", "{{1}} is your code.", &["code"]),
            template(
                14,
                "appointment_reminder",
                "en",
                "utility",
                "approved",
                "Hi {{1}}, we look forward to seeing you on {{2}}. Reply 1 to confirm or 2 to choose another time.",
                &["customer_name", "date"],
            ),
            template(
                15,
                "spring_offer",
                "de",
                "marketing",
                "approved",
                "Hallo {{1}}, {{3}} auf alles!",
                &["name", "code"],
            ),
        ];
        let berlin = vec![template(21, "terminbestaetigung", "de", "utility", "approved", "Bis {{1}}!", &["datum"])];
        // A server tells its time in whole seconds, so a second more or less is nobody's fault.
        let window = |phone: &str, seconds: i64| ((1, phone.to_owned()), noon() + SignedDuration::from_secs(seconds));
        let windows = [
            window("+5511912345678", 7 * 60 + 42),
            window("+4930901820", 31 * 60 + 21),
            window("+14155550123", 3 * 3600 + 12 * 60 + 31),
            window("+81312345678", 22 * 3600 + 5 * 60 + 10),
            window("+351213456789", -2 * 3600 - 90),
        ];
        Self {
            senders: Some(read(senders)),
            templates: BTreeMap::from([(1, templates.into()), (2, berlin.into())]),
            has_windows: true,
            windows: BTreeMap::from(windows),
            kept: ProfileData::default(),
            sent: Vec::new(),
            files: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            entries: Vec::new(),
            batch: None,
            forgotten: None,
            texts: BTreeMap::new(),
            ahead: Some(SignedDuration::ZERO),
            preferences: BTreeMap::new(),
            reads: BTreeMap::new(),
            uploads: Vec::new(),
            recent: Vec::new(),
            asked: BTreeMap::new(),
        }
    }
}

impl Desk {
    /// What is kept on this machine.
    pub fn store(&mut self, request: &StorageRequest) -> Result<StorageReply, FailureKind> {
        match request {
            StorageRequest::Load => return Ok(StorageReply::ProfileData(Box::new(self.kept.clone()))),
            StorageRequest::ListOutbox { .. } => {
                return Ok(StorageReply::Entries(self.entries.iter().rev().cloned().collect()));
            }
            StorageRequest::SaveBatch { of, text } => {
                self.batch = Some((**of).clone());
                self.texts.insert(of.batch, text.clone());
            }
            StorageRequest::CompareBatchText { batch, text } => {
                let is_other = self.texts.get(batch).is_some_and(|known| known != text);
                return Ok(StorageReply::BatchText { is_other });
            }
            StorageRequest::FindUnfinishedBatch => {
                let of_it = |entry: &&Entry| {
                    entry.intent.row.as_ref().map(|row| row.batch) == self.batch.as_ref().map(|of| of.batch)
                };
                let sent = self.entries.iter().filter(of_it).count();
                let unfinished = |of: BatchOf| Unfinished { left: of.rows - sent, of, began: noon() };
                let found = self.batch.clone().map(unfinished).filter(|found| found.left > 0);
                return Ok(StorageReply::UnfinishedBatch(found.map(Box::new)));
            }
            StorageRequest::ListBatch(id) => {
                let of_batch = |entry: &&Entry| entry.intent.row.as_ref().is_some_and(|row| row.batch == *id);
                return Ok(StorageReply::Entries(self.entries.iter().filter(of_batch).cloned().collect()));
            }
            StorageRequest::ListSentSince { account: _, template_id, since } => {
                let of_these = |entry: &&Entry| {
                    let template = entry.intent.template().map(|template| template.id);
                    template == Some(*template_id) && entry.began > *since
                };
                return Ok(StorageReply::Entries(self.entries.iter().filter(of_these).cloned().collect()));
            }
            StorageRequest::FindForgotten { .. } => return Ok(StorageReply::Forgotten(self.forgotten)),
            StorageRequest::ReadFile(path) => {
                let gone = || FailureKind::Local(format!("{} cannot be read: not found", path.display()));
                return self.files.get(path).cloned().map(StorageReply::File).ok_or_else(gone);
            }
            StorageRequest::ListBatchFiles => return Ok(StorageReply::Paths(self.recent.clone())),
            StorageRequest::ListFolder(folder) => {
                let there = self.files.keys().filter(|path| path.parent() == Some(folder));
                let names = there.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
                return Ok(StorageReply::Names(names.collect()));
            }
            StorageRequest::WriteFile { path, text } => {
                let numbered =
                    |number| PathBuf::from(path.to_str().unwrap().replace(".csv", &format!("-{number}.csv")));
                let names = std::iter::once(path.clone()).chain((2..9).map(numbered));
                let free = names.into_iter().find(|name| !self.files.contains_key(name)).unwrap();
                self.files.insert(free.clone(), text.clone().into_bytes());
                return Ok(StorageReply::Written(free));
            }
            StorageRequest::Watch(news) => self.kept.watched.get_or_insert_default().extend(news.clone()),
            StorageRequest::Unwatch { sender_id, phone } => {
                let gone = |one: &Watched| one.sender_id == *sender_id && one.phone == *phone;
                self.kept.watched.get_or_insert_default().retain(|one| !gone(one));
            }
            StorageRequest::SaveDraft(draft) => {
                self.kept.drafts.retain(|old| old.key() != draft.key());
                self.kept.drafts.insert(0, draft.clone());
                return Ok(StorageReply::DraftSaved(Box::new(draft.clone())));
            }
            StorageRequest::FindDraft(key) => {
                return Ok(StorageReply::HasDraft(self.kept.drafts.iter().any(|draft| draft.key() == *key)));
            }
            StorageRequest::DeleteDraft(key) => {
                self.kept.drafts.retain(|old| old.key() != *key);
                return Ok(StorageReply::DraftDeleted(key.clone()));
            }
            StorageRequest::MarkEntry { id, mark } => {
                self.entries
                    .iter_mut()
                    .filter(|entry| entry.intent.id == *id)
                    .for_each(|entry| entry.mark = Some(*mark));
            }
            StorageRequest::LoadPreferences => return Ok(StorageReply::Preferences(self.preferences.clone())),
            StorageRequest::SavePreference { name, value } => {
                drop(self.preferences.insert(name.clone(), value.clone()));
            }
            StorageRequest::ListReads => return Ok(StorageReply::Reads(self.reads.clone().into_iter().collect())),
            StorageRequest::SaveRead { conversation, messages } => {
                self.reads.insert(conversation.clone(), *messages);
            }
            StorageRequest::AddId { resource: Resource::Sender, id } => self.kept.senders.push(*id),
            StorageRequest::RemoveId { resource: Resource::Sender, id } => self.kept.senders.retain(|one| one != id),
            StorageRequest::ListUploads { .. } | StorageRequest::ChangeUploads { .. } => {
                return Ok(StorageReply::Uploads(self.uploads.clone()));
            }
            _ => {}
        }
        Ok(StorageReply::Done)
    }

    pub fn answer(&mut self, work: &Work, now: Timestamp) -> Result<Answer, FailureKind> {
        let now = now + self.ahead.unwrap_or_default();
        let status = |status: u16, body: ErrorBody| FailureKind::Status { status, body: Some(body), retry_after: None };
        let reply = match work {
            Work::Call(Request::GetAccount) => {
                Reply::GetAccount(Account { total_balance: 241.2.into(), ..Account::default() })
            }
            Work::Call(Request::ListSenders) => match &self.senders {
                Some(senders) => Reply::ListSenders(senders.clone()),
                None => return Err(status(404, ErrorBody::message("The route could not be found."))),
            },
            Work::Call(Request::ListTemplates { sender_id }) => match self.templates.get(sender_id) {
                Some(templates) => Reply::ListTemplates(templates.clone()),
                None => return Err(status(404, ErrorBody::coded(ErrorCode::SenderNotFound, "Sender not found."))),
            },
            Work::Call(Request::GetSessionStatus { sender_id, recipient_phone }) if self.has_windows => {
                let key = (*sender_id, recipient_phone.as_str().to_owned());
                *self.asked.entry(key.clone()).or_default() += 1;
                Reply::GetSessionStatus(window(self.windows.get(&key).copied(), now))
            }
            Work::FindAccount => return Ok(Answer::Account("ada".to_owned())),
            Work::Send(sending) => return Ok(self.send(sending, now)),
            // The documented operations alone, and of these the ones above.
            Work::Call(request) if request.is_read() => {
                return Err(status(404, ErrorBody::message("The route could not be found.")));
            }
            other => panic!("nobody answers {other:?}"),
        };
        Ok(Answer::Reply(Box::new(reply)))
    }

    fn send(&mut self, sending: &Sending, now: Timestamp) -> Answer {
        self.sent.push(sending.clone());
        let key = (sending.intent.sender_id, sending.intent.phone.clone());
        self.windows.insert(key, now + SignedDuration::from_hours(24));
        let accepted =
            Accepted { message_sid: Some("SM1".to_owned()), status: Some("queued".to_owned()), ..Accepted::default() };
        let outcome = self.outcomes.get(&sending.intent.phone).cloned();
        let entry = Entry {
            intent: sending.intent.clone(),
            began: now,
            ended: Some(now),
            outcome: Some(outcome.unwrap_or(Outcome::Accepted(accepted))),
            mark: None,
        };
        self.entries.push(entry.clone());
        Answer::Sent(Box::new(entry))
    }

    /// The customer writes: the window is open for another 24 hours.
    pub fn writes(&mut self, phone: &str, now: Timestamp) {
        let opens = now + self.ahead.unwrap_or_default() + SignedDuration::from_hours(24);
        self.windows.insert((1, phone.to_owned()), opens);
    }
}

/// What the server says of a window at this time.
fn window(expires: Option<Timestamp>, now: Timestamp) -> SessionStatus {
    let Some(expires) = expires else {
        return read(json!({"success": true, "has_conversation": false, "session_status": {
            "is_open": false, "can_send_freeform": false, "requires_template": true, "expires_at": null}}));
    };
    let time = expires.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let open = expires > now;
    let mut told = json!({"is_open": open, "can_send_freeform": open, "requires_template": !open});
    told[if open { "expires_at" } else { "expired_at" }] = json!(time);
    if open {
        told["minutes_remaining"] = json!(expires.duration_since(now).as_mins());
    }
    read(json!({"success": true, "has_conversation": true, "session_status": told}))
}
