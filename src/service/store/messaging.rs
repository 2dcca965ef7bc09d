//! Senders, their templates, the windows of their conversations, and the messages they send.

use super::accounts::user_kind;
use super::conversations::{ConversationChange, NewConversation, Role, begin, change, existing, name_customer, say};
use super::{Store, StoreError, execute, many, moment, one};
use crate::api::messaging::messaging_limit_formatted;
use crate::api::{ConversationType, DeliveryStatus, Sender, SenderStatus, Template, TemplateCategory, TemplateStatus};
use crate::service::messaging::{Price, WindowState};
use crate::service::simulation::{Customer, provider};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};
use uuid::Uuid;

/// A sender as a send needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SenderRecord {
    /// `sender_id` on the wire.
    pub id: i64,
    /// The assistant that answers; `None`: sending answers `NO_ASSISTANT_CONFIGURED`.
    pub assistant_id: Option<i64>,
    /// Only an online sender can send.
    pub status: SenderStatus,
}

/// A template as a send needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateRow {
    /// What it is for.
    pub category: TemplateCategory,
    /// Whether it can be sent.
    pub status: TemplateStatus,
    /// The text with its placeholders.
    pub body_text: String,
    /// A name for each placeholder, in order.
    pub variables: Vec<String>,
}

/// The newest conversation of a sender and a customer, with what its window depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowConversation {
    /// The conversation's number.
    pub conversation_id: i64,
    /// The customer's name, where it is known.
    pub customer_name: Option<String>,
    /// When the customer last wrote.
    pub last_customer_message_at: Option<Timestamp>,
    /// What the window counts from.
    pub window_from: Option<Timestamp>,
}

/// The conversation that a message is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversationTarget {
    /// The conversation with this database id.
    Existing(i64),
    /// The newest of sender and recipient, ended or not; without any, a new one.
    NewestOrNew {
        /// Who handles a new one.
        assistant_id: i64,
        /// The name of a new one.
        uuid: Uuid,
    },
}

/// A message about to be sent.
#[derive(Debug, Clone)]
pub struct OutgoingMessage<'a> {
    /// Who sends it and pays for it.
    pub user_id: i64,
    /// The sender it leaves from; one of the user's.
    pub sender_id: i64,
    /// Whom it goes to; a name is kept with the conversation.
    pub recipient: &'a Customer,
    /// The conversation it goes to.
    pub thread: ConversationTarget,
    /// The text as the recipient reads it.
    pub text: &'a str,
    /// What it costs.
    pub price: Price,
    /// The provider's name for it.
    pub sid: &'a str,
}

/// The checks of a send that need its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendChecks {
    /// Whether the balance covers the price.
    pub covered: bool,
    /// Whether the window is open, or the sender may open another one under its messaging limit.
    pub within_limit: bool,
}

/// A message that has been sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredMessage {
    /// Its conversation.
    pub conversation_id: i64,
    /// Its number among the messages of conversations.
    pub message_id: i64,
    /// Its number among the messages of the messaging app.
    pub outgoing_id: i64,
    /// What the conversation's window counts from now.
    pub window_from: Timestamp,
}

impl Store {
    /// A user's senders of a status, or all, in the order of their numbers.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn senders(&self, user_id: i64, status: Option<&SenderStatus>) -> Result<Vec<Sender>, StoreError> {
        self.read(|reader| {
            let all = "SELECT id, phone_number, display_name, status, quality_rating, messaging_limit FROM senders \
                       WHERE user_id = $1 ORDER BY id";
            let senders = many(reader, all, [user_id], |row| {
                let limit: Option<u32> = row.get(5)?;
                Ok(Sender {
                    id: row.get::<_, i64>(0)?.into(),
                    phone_number: row.get::<_, String>(1)?.into(),
                    display_name: row.get::<_, String>(2)?.into(),
                    status: SenderStatus::from(row.get_ref(3)?.as_str()?).into(),
                    quality_rating: crate::api::QualityRating::from(row.get_ref(4)?.as_str()?).into(),
                    messaging_limit: limit.into(),
                    messaging_limit_formatted: messaging_limit_formatted(limit).into(),
                    ..Sender::default()
                })
            })?;
            let wanted = |sender: &Sender| status.is_none_or(|status| sender.status.known() == Some(status));
            Ok(senders.into_iter().filter(wanted).collect())
        })
    }

    /// One of a user's senders.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn sender(&self, user_id: i64, sender_id: i64) -> Result<Option<SenderRecord>, StoreError> {
        self.read(|reader| {
            let find = "SELECT id, assistant_id, status FROM senders WHERE id = $1 AND user_id = $2";
            let read = |row: &Row<'_>| {
                Ok(SenderRecord {
                    id: row.get(0)?,
                    assistant_id: row.get(1)?,
                    status: row.get_ref(2)?.as_str()?.into(),
                })
            };
            Ok(one(reader, find, [sender_id, user_id], read).optional()?)
        })
    }

    /// The templates of a sender of a status, or all, in the order of their numbers.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn templates(&self, sender_id: i64, status: Option<&TemplateStatus>) -> Result<Vec<Template>, StoreError> {
        const COLUMNS: &str = "SELECT id, name, language, category, status, body_text, variables FROM templates";
        let read = |row: &Row<'_>| {
            let template = Template {
                id: row.get::<_, i64>(0)?.into(),
                name: row.get::<_, String>(1)?.into(),
                language: row.get::<_, String>(2)?.into(),
                category: TemplateCategory::from(row.get_ref(3)?.as_str()?).into(),
                status: TemplateStatus::from(row.get_ref(4)?.as_str()?).into(),
                body_text: row.get::<_, String>(5)?.into(),
                ..Template::default()
            };
            Ok((template, row.get::<_, String>(6)?))
        };
        let rows = self.read(|reader| {
            Ok(match status {
                Some(status) => {
                    let sql = format!("{COLUMNS} WHERE sender_id = $1 AND status = $2 ORDER BY id");
                    many(reader, &sql, (sender_id, status.as_str()), read)?
                }
                None => many(reader, &format!("{COLUMNS} WHERE sender_id = $1 ORDER BY id"), [sender_id], read)?,
            })
        })?;
        rows.into_iter()
            .map(|(template, variables)| {
                let variables = names(&variables)?;
                let has_variables = !variables.is_empty();
                Ok(Template { variables: variables.into(), has_variables: has_variables.into(), ..template })
            })
            .collect()
    }

    /// One template of a sender.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn template(&self, sender_id: i64, template_id: i64) -> Result<Option<TemplateRow>, StoreError> {
        let row = self.read(|reader| {
            let find = "SELECT category, status, body_text, variables FROM templates WHERE id = $1 AND sender_id = $2";
            let read = |row: &Row<'_>| {
                let (category, status) = (row.get_ref(0)?.as_str()?.into(), row.get_ref(1)?.as_str()?.into());
                Ok((category, status, row.get(2)?, row.get::<_, String>(3)?))
            };
            Ok(one(reader, find, [template_id, sender_id], read).optional()?)
        })?;
        row.map(|(category, status, body_text, variables)| {
            Ok(TemplateRow { category, status, body_text, variables: names(&variables)? })
        })
        .transpose()
    }

    /// The newest conversation of a sender and a customer, ended or not.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn window_conversation(&self, sender_id: i64, phone: &str) -> Result<Option<WindowConversation>, StoreError> {
        let row = self.read(|reader| {
            let find = "SELECT id, customer_name, last_customer_message_at, window_from FROM conversations \
                        WHERE sender_id = $1 AND customer_phone = $2 ORDER BY updated_at DESC, id DESC LIMIT 1";
            let read = |row: &Row<'_>| {
                let times: (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
                Ok((row.get(0)?, row.get(1)?, times))
            };
            Ok(one(reader, find, (sender_id, phone), read).optional()?)
        })?;
        row.map(|(conversation_id, customer_name, (heard, from))| {
            Ok(WindowConversation {
                conversation_id,
                customer_name,
                last_customer_message_at: heard.map(moment).transpose()?,
                window_from: from.map(moment).transpose()?,
            })
        })
        .transpose()
    }

    /// Sends a message: charges it, puts it into its conversation, opens the window and queues it, or does nothing.
    ///
    /// `admit` is told how the message stands, and answers what becomes of it in the end.
    ///
    /// # Errors
    /// Where the database fails; within, the refusal of `admit`.
    pub fn send<R>(
        &self,
        message: &OutgoingMessage<'_>,
        now: Timestamp,
        admit: impl FnOnce(SendChecks) -> Result<DeliveryStatus, R>,
    ) -> Result<Result<StoredMessage, R>, StoreError> {
        self.write(|tx| {
            let (kind, balance) = one(
                tx,
                "SELECT kind, balance_micros - reserved_micros FROM users WHERE id = $1",
                [message.user_id],
                |row| Ok((user_kind(row.get_ref(0)?.as_str()?), row.get::<_, i64>(1)?)),
            )?;
            let charge = message.price.charge_micros(kind);
            let standing = SendChecks { covered: charge <= balance, within_limit: within_limit(tx, message, now)? };
            let fate = match admit(standing) {
                Ok(fate) => fate,
                Err(refused) => return Ok(Err(refused)),
            };
            let pay = "UPDATE users SET balance_micros = balance_micros - $1 WHERE id = $2";
            execute(tx, pay, [charge, message.user_id])?;
            let conversation_id = thread(tx, message, now)?;
            let message_id = say(tx, conversation_id, Role::Assistant, message.text, now)?;
            let cost_micros = message.price.usd_micros;
            change(tx, conversation_id, ConversationChange { messages: 1, cost_micros, ended: false }, now)?;
            let window_from = open_window(tx, conversation_id, now)?;
            let outgoing_id = queue(tx, message, message_id, charge, &fate, now)?;
            Ok(Ok(StoredMessage { conversation_id, message_id, outgoing_id, window_from }))
        })
    }
}

/// The conversation that a message is added to.
fn thread(tx: &Transaction<'_>, message: &OutgoingMessage<'_>, now: Timestamp) -> Result<i64, StoreError> {
    let OutgoingMessage { user_id, sender_id, recipient, .. } = *message;
    let id = match (message.thread, existing(tx, sender_id, &recipient.phone)?) {
        (ConversationTarget::Existing(id), _) | (ConversationTarget::NewestOrNew { .. }, Some(id)) => id,
        (ConversationTarget::NewestOrNew { assistant_id, uuid }, None) => {
            let between = Some((sender_id, recipient));
            begin(tx, &NewConversation { user_id, assistant_id, kind: ConversationType::Msgapp, between, uuid }, now)?
        }
    };
    name_customer(tx, id, recipient)?;
    Ok(id)
}

/// What the window of a conversation counts from, where it is open.
fn open_since(tx: &Transaction<'_>, conversation_id: i64, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let find = "SELECT window_from FROM conversations WHERE id = $1";
    let from = one(tx, find, [conversation_id], |row| row.get::<_, Option<i64>>(0))?.map(moment).transpose()?;
    Ok(from.filter(|from| WindowState::at(now, Some(*from)).is_open()))
}

/// Opens the window of a conversation unless it is open, and tells what it counts from.
fn open_window(tx: &Transaction<'_>, conversation_id: i64, now: Timestamp) -> Result<Timestamp, StoreError> {
    if let Some(from) = open_since(tx, conversation_id, now)? {
        return Ok(from);
    }
    let open = "UPDATE conversations SET window_from = $1, window_opened_at = $2 WHERE id = $3";
    execute(tx, open, [now.as_microsecond(), now.as_microsecond(), conversation_id])?;
    Ok(now)
}

/// Whether a sender with a limit may open another window, where the message does. A window that a send has opened stays
/// open for the 24 hours that the limit looks back on, so each of them is another customer's.
fn within_limit(tx: &Transaction<'_>, message: &OutgoingMessage<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let find = "SELECT messaging_limit FROM senders WHERE id = $1";
    let Some(limit) = one(tx, find, [message.sender_id], |row| row.get::<_, Option<i64>>(0))? else { return Ok(true) };
    if let Some(id) = existing(tx, message.sender_id, &message.recipient.phone)?
        && open_since(tx, id, now)?.is_some()
    {
        return Ok(true);
    }
    let day_ago = now.saturating_sub(WindowState::LENGTH).unwrap_or(Timestamp::MIN).as_microsecond();
    let opened: i64 = one(tx, OPENED, [message.sender_id, day_ago], |row| row.get(0))?;
    Ok(opened < limit)
}

const OPENED: &str = "SELECT COUNT(*) FROM conversations WHERE sender_id = $1 AND window_opened_at > $2";

fn queue(
    tx: &Transaction<'_>,
    message: &OutgoingMessage<'_>,
    message_id: i64,
    charge_micros: i64,
    fate: &DeliveryStatus,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let status = DeliveryStatus::Queued;
    let step_at = provider::step(&status, fate).and_then(|(_, wait)| now.checked_add(wait).ok());
    Ok(one(
        tx,
        "INSERT INTO outgoing_messages (user_id, sender_id, message_id, sid, charge_micros, status, fate, step_at, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id",
        (
            message.user_id,
            message.sender_id,
            message_id,
            message.sid,
            charge_micros,
            status.as_str(),
            fate.as_str(),
            step_at.map(Timestamp::as_microsecond),
            now.as_microsecond(),
        ),
        |row| row.get(0),
    )?)
}

fn names(json: &str) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(json).map_err(|_| StoreError::Unreadable("list of variables"))
}
