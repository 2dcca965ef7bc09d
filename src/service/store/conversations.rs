//! Conversations: how they are read, and how they begin, grow and end.

use super::history::DETAILS;
use super::paging::{self, CONVERSATIONS, Entry};
use super::{ConversationDetails, Store, StoreError, events, execute, moment, one};
use crate::api::ConversationType;
use crate::service::simulation::Customer;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};
use uuid::Uuid;

/// A simulated choice is made among this many open conversations at most.
const CANDIDATES: i64 = 200;

/// The sender of a messaging conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SenderRow {
    /// The display name that customers see.
    pub name: String,
    /// The sender's number in E.164.
    pub phone: String,
}

/// The customer of a messaging conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerRow {
    /// The name, where it is known.
    pub name: Option<String>,
    /// The number, where it is known.
    pub phone: Option<String>,
}

/// A name and a number as a row has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartyRow<'r> {
    /// The name, where it is known.
    pub name: Option<&'r str>,
    /// The number in E.164, where it is known.
    pub phone: Option<&'r str>,
}

/// A conversation as the list needs it, while it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationRow<'r> {
    /// The database's own id, never on the wire.
    pub id: i64,
    /// Its id on the wire.
    pub uuid: Uuid,
    /// The id of its assistant on the wire.
    pub assistant_uuid: Uuid,
    /// The name of its assistant.
    pub assistant_name: &'r str,
    /// Where it takes place.
    pub kind: &'r str,
    /// Messages of both sides.
    pub message_count: u64,
    /// Cost so far, in millionths of a USD.
    pub total_cost_micros: i64,
    /// Whether the AI answers.
    pub ai_enabled: bool,
    /// When it began.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The sender, on messaging conversations.
    pub sender: Option<PartyRow<'r>>,
    /// The customer, on messaging conversations.
    pub customer: Option<PartyRow<'r>>,
}

/// The columns that [`ConversationRow::read`] reads, of `conversations AS c`.
pub(super) const COLUMNS: &str = "c.id, c.updated_at, c.created_at, c.uuid, c.assistant_id, c.sender_id, c.type, \
    c.message_count, c.total_cost_micros, c.ai_enabled, c.customer_name, c.customer_phone";

impl<'r> ConversationRow<'r> {
    /// Reads a row; `assistant` and `sender` are those that its columns 4 and 5 name.
    pub(super) fn read(
        row: &'r Row<'_>,
        assistant: &'r (Uuid, String),
        sender: Option<&'r SenderRow>,
    ) -> rusqlite::Result<Self> {
        let text = |at| -> rusqlite::Result<_> { Ok(row.get_ref(at)?.as_str_or_null()?) };
        let kind = row.get_ref(6)?.as_str()?;
        let messaging = kind == ConversationType::Msgapp.as_str();
        let sender = sender.map(|sender| PartyRow { name: Some(&sender.name), phone: Some(&sender.phone) });
        let customer = PartyRow { name: text(10)?, phone: text(11)? };
        Ok(Self {
            id: row.get(0)?,
            updated_at: moment(row.get(1)?)?,
            created_at: moment(row.get(2)?)?,
            uuid: Uuid::from_bytes(row.get(3)?),
            assistant_uuid: assistant.0,
            assistant_name: &assistant.1,
            kind,
            message_count: u64::try_from(row.get::<_, i64>(7)?).unwrap_or_default(),
            total_cost_micros: row.get(8)?,
            ai_enabled: row.get(9)?,
            sender: sender.filter(|_| messaging),
            customer: messaging.then_some(customer),
        })
    }
}

/// A conversation about to begin.
#[derive(Debug, Clone)]
pub struct NewConversation<'a> {
    /// Whose it is.
    pub user_id: i64,
    /// Who handles it; one of the user's assistants.
    pub assistant_id: i64,
    /// Where it takes place.
    pub kind: ConversationType,
    /// The sender and the customer of a messaging conversation.
    pub between: Option<(i64, &'a Customer)>,
    /// Its id on the wire.
    pub uuid: Uuid,
}

/// Who wrote a message.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    User,
    Assistant,
}

impl Role {
    fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// Names a message in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationRef {
    /// The conversation's number, as messaging operations give it.
    pub conversation_id: i64,
    /// The message's number.
    pub message_id: i64,
}

impl Store {
    /// A customer's message. On a messaging conversation it goes to the one that sender and customer already have,
    /// ended or not; else a conversation begins with it.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn receive(
        &self,
        opening: &NewConversation<'_>,
        text: &str,
        now: Timestamp,
    ) -> Result<ConversationRef, StoreError> {
        self.write(|tx| {
            let existing = match opening.between {
                Some((sender_id, customer)) => existing(tx, sender_id, &customer.phone)?,
                None => None,
            };
            let conversation_id = match existing {
                Some(id) => id,
                None => begin(tx, opening, now)?,
            };
            if let Some((_, customer)) = opening.between {
                name_customer(tx, conversation_id, customer)?;
            }
            let message_id = say(tx, conversation_id, Role::User, text, now)?;
            heard(tx, conversation_id, now)?;
            change(tx, conversation_id, ConversationChange { messages: 1, cost_micros: 0, ended: false }, now)?;
            Ok(ConversationRef { conversation_id, message_id })
        })
    }

    /// A message in one of a user's open conversations, with its answer unless a person has taken over; false where
    /// there is none.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn exchange(&self, user_id: i64, which: u64, cost_micros: i64, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|tx| {
            let Some(id) = open_conversation(tx, user_id, which)? else { return Ok(false) };
            let talk = one(tx, &format!("{DETAILS} WHERE c.id = $1"), [id], ConversationDetails::read)?;
            let (message, reply) = talk.chat().exchange(talk.message_count);
            let answered = talk.ai_enabled;
            say(tx, id, Role::User, message, now)?;
            heard(tx, id, now)?;
            if answered {
                say(tx, id, Role::Assistant, reply, now)?;
            }
            let (messages, cost_micros) = if answered { (2, cost_micros) } else { (1, 0) };
            change(tx, id, ConversationChange { messages, cost_micros, ended: false }, now)?;
            Ok(true)
        })
    }

    /// Ends one of a user's open conversations; false where there is none.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn end_any(&self, user_id: i64, which: u64, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|tx| match open_conversation(tx, user_id, which)? {
            Some(id) => end(tx, id, now).map(|()| true),
            None => Ok(false),
        })
    }

    /// Ends a conversation of a user; one that has ended stays as it is. False where the user has no such one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn end_conversation(&self, user_id: i64, uuid: Uuid, now: Timestamp) -> Result<bool, StoreError> {
        self.write(|tx| {
            let found: Option<(i64, Option<i64>)> = one(
                tx,
                "SELECT id, ended_at FROM conversations WHERE uuid = $1 AND user_id = $2",
                (uuid.as_bytes(), user_id),
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
            match found {
                Some((id, None)) => end(tx, id, now).map(|()| true),
                found => Ok(found.is_some()),
            }
        })
    }
}

/// The newest conversation of a sender and a customer.
pub(super) fn existing(tx: &Transaction<'_>, sender_id: i64, phone: &str) -> rusqlite::Result<Option<i64>> {
    one(
        tx,
        "SELECT id FROM conversations WHERE sender_id = $1 AND customer_phone = $2 ORDER BY updated_at DESC, id DESC LIMIT 1",
        (sender_id, phone),
        |row| row.get(0),
    )
    .optional()
}

/// One of the open conversations, newest first, by a draw.
fn open_conversation(tx: &Transaction<'_>, user_id: i64, which: u64) -> rusqlite::Result<Option<i64>> {
    let count: i64 = one(
        tx,
        "SELECT COUNT(*) FROM (SELECT 1 FROM conversations WHERE user_id = $1 AND ended_at IS NULL LIMIT $2) AS open",
        (user_id, CANDIDATES),
        |row| row.get(0),
    )?;
    let Some(at) = u64::try_from(count).ok().and_then(|count| which.checked_rem(count)) else { return Ok(None) };
    one(
        tx,
        "SELECT id FROM conversations WHERE user_id = $1 AND ended_at IS NULL \
         ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET $2",
        (user_id, i64::try_from(at).unwrap_or_default()),
        |row| row.get(0),
    )
    .optional()
}

/// Keeps the name of a customer, where it is known.
pub(super) fn name_customer(tx: &Transaction<'_>, id: i64, customer: &Customer) -> rusqlite::Result<()> {
    if let Some(name) = &customer.name {
        execute(tx, "UPDATE conversations SET customer_name = $1 WHERE id = $2", (name, id))?;
    }
    Ok(())
}

/// The customer has written: the 24 hours of the window begin anew.
fn heard(tx: &Transaction<'_>, id: i64, now: Timestamp) -> rusqlite::Result<()> {
    let now = now.as_microsecond();
    let restart = "UPDATE conversations SET last_customer_message_at = $1, window_from = $2 WHERE id = $3";
    execute(tx, restart, [now, now, id]).map(|_| ())
}

pub(super) fn begin(tx: &Transaction<'_>, opening: &NewConversation<'_>, now: Timestamp) -> Result<i64, StoreError> {
    let NewConversation { user_id, assistant_id, kind, between, uuid } = opening;
    let now = now.as_microsecond();
    let id = one(
        tx,
        "INSERT INTO conversations (uuid, user_id, assistant_id, sender_id, customer_name, customer_phone, type, \
         message_count, total_cost_micros, ai_enabled, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9, $10) RETURNING id",
        (
            uuid.as_bytes(),
            user_id,
            assistant_id,
            between.map(|(sender_id, _)| sender_id),
            between.and_then(|(_, customer)| customer.name.as_deref()),
            between.map(|(_, customer)| &customer.phone),
            kind.as_str(),
            true,
            now,
            now,
        ),
        |row| row.get(0),
    )?;
    paging::add(tx, &CONVERSATIONS, [(entry(*user_id, *assistant_id, kind.as_str(), now, now), 1)])?;
    Ok(id)
}

/// What a conversation is counted by.
pub(super) fn entry(user_id: i64, assistant_id: i64, kind: &str, created_at: i64, updated_at: i64) -> Entry {
    Entry::new(&CONVERSATIONS, user_id, &[&assistant_id.to_string(), kind], updated_at, created_at)
}

pub(super) fn say(tx: &Transaction<'_>, id: i64, role: Role, text: &str, now: Timestamp) -> rusqlite::Result<i64> {
    one(
        tx,
        "INSERT INTO messages (conversation_id, role, content, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
        (id, role.as_str(), text, now.as_microsecond()),
        |row| row.get(0),
    )
}

fn end(tx: &Transaction<'_>, id: i64, now: Timestamp) -> Result<(), StoreError> {
    events::conversation_ended(tx, id, now)?;
    change(tx, id, ConversationChange { messages: 0, cost_micros: 0, ended: true }, now)
}

/// What becomes of a conversation.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConversationChange {
    pub(super) messages: i64,
    pub(super) cost_micros: i64,
    pub(super) ended: bool,
}

pub(super) fn change(
    tx: &Transaction<'_>,
    id: i64,
    change: ConversationChange,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (entry_at, before) = counted(tx, id)?;
    // The clock of the machine may have been put back; a conversation does not move into its own past.
    let now = now.as_microsecond().max(before);
    execute(
        tx,
        "UPDATE conversations SET message_count = message_count + $1, total_cost_micros = total_cost_micros + $2, \
         updated_at = $3, ended_at = $4 WHERE id = $5",
        (change.messages, change.cost_micros, now, change.ended.then_some(now), id),
    )?;
    paging::add(tx, &CONVERSATIONS, [(entry_at(before), -1), (entry_at(now), 1)])
}

/// Sets when a conversation last changed, which is its place in the list.
pub(super) fn move_to(tx: &Transaction<'_>, id: i64, at: i64) -> Result<(), StoreError> {
    let (entry_at, before) = counted(tx, id)?;
    execute(tx, "UPDATE conversations SET updated_at = $1 WHERE id = $2", [at, id])?;
    paging::add(tx, &CONVERSATIONS, [(entry_at(before), -1), (entry_at(at), 1)])
}

/// What a stored conversation is counted by, depending on when it last changed; and when it did.
fn counted(tx: &Transaction<'_>, id: i64) -> rusqlite::Result<(impl Fn(i64) -> Entry, i64)> {
    let (user_id, assistant_id, kind, created_at, updated_at): (_, _, String, _, _) = one(
        tx,
        "SELECT user_id, assistant_id, type, created_at, updated_at FROM conversations WHERE id = $1",
        [id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
    )?;
    Ok((move |updated_at| entry(user_id, assistant_id, &kind, created_at, updated_at), updated_at))
}
