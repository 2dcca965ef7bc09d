//! Chats: read whole, started, answered, and taken over by a person.

use super::accounts::user_kind;
use super::conversations::{ConversationChange, Role, begin, change, say};
use super::history::{self, DETAILS};
use super::{ConversationDetails, NewConversation, Store, StoreError, execute, fill_piece, one};
use crate::api::{AssistantMode, ConversationType, HistoryMessage};
use crate::service::limits::CHAT_MESSAGES_MAX;
use crate::service::messaging::Price;
use crate::service::pieces::Piece;
use crate::service::simulation::chat::{Beginning, reply_cost};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Why a chat is not started or does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRefusal {
    /// The user has no such assistant or conversation.
    NotFound,
    /// The balance does not pay for a reply.
    BalanceTooLow,
    /// Its assistant was deleted.
    Orphaned,
    /// It takes place in the messaging app, where customers write from their own phones.
    Elsewhere,
    /// It has as many messages as a chat may have.
    Full,
}

/// A conversation, and what is known of it without its stored messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Talk {
    /// The conversation.
    pub details: ConversationDetails,
    /// What was said before the stored messages, and what is known from it.
    pub beginning: Beginning,
    /// The number of the newest stored message; 0 where there is none.
    pub newest: i64,
}

/// A chat that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedChat {
    /// Its id on the wire.
    pub uuid: Uuid,
    /// What the assistant says first.
    pub greeting: String,
}

impl Store {
    /// A conversation of a user, and how it began.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn talk(&self, user_id: i64, uuid: Uuid) -> Result<Option<Talk>, StoreError> {
        self.read_at_once(|reader| {
            let Some(details) = talk(reader, user_id, uuid)? else { return Ok(None) };
            let find = "SELECT COUNT(*), COALESCE(MAX(id), 0) FROM messages WHERE conversation_id = $1";
            let (stored, newest): (i64, i64) = one(reader, find, [details.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let beginning = history::beginning(&details, stored.unsigned_abs());
            Ok(Some(Talk { details, beginning, newest }))
        })
    }

    /// What was said after the beginning of a conversation, oldest first, up to its `newest` message: a chat that goes on
    /// while it is read comes to an end.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn messages(&self, conversation_id: i64, newest: i64, piece: &mut Piece) -> Result<(), StoreError> {
        let find = "SELECT id, role, content FROM messages WHERE conversation_id = $1 AND id > $2 AND id <= $3 \
                    ORDER BY id";
        let params = [conversation_id, piece.last().unwrap_or(0), newest];
        self.read(|reader| {
            fill_piece(reader, find, params, piece, |row| {
                let role = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?.into();
                Ok((row.get(0)?, HistoryMessage::new(role, row.get::<_, String>(2)?)))
            })
        })
    }

    /// Starts a chat with an assistant of a user, who says the first words.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn start_chat(
        &self,
        user_id: i64,
        assistant: Uuid,
        kind: ConversationType,
        (uuid, variables): (Uuid, Option<&Map<String, Value>>),
        now: Timestamp,
    ) -> Result<Result<StartedChat, ChatRefusal>, StoreError> {
        let variables = variables.map(serde_json::to_string).transpose();
        let variables = variables.map_err(|_| StoreError::Unreadable("set of variables"))?;
        self.write(|tx| {
            let find = "SELECT id, initial_message, mode FROM assistants \
                        WHERE uuid = $1 AND user_id = $2 AND deleted_at IS NULL";
            let found = one(tx, find, (assistant.as_bytes(), user_id), |row| {
                Ok((row.get(0)?, row.get(1)?, AssistantMode::from(row.get_ref(2)?.as_str()?)))
            });
            let Some((assistant_id, greeting, mode)): Option<(i64, String, _)> = found.optional()? else {
                return Ok(Err(ChatRefusal::NotFound));
            };
            if affordable(tx, user_id, price(&kind, &mode))?.is_none() {
                return Ok(Err(ChatRefusal::BalanceTooLow));
            }
            let id = begin(tx, &NewConversation { user_id, assistant_id, kind, between: None, uuid }, now)?;
            if let Some(variables) = &variables {
                execute(tx, "UPDATE conversations SET variables = $1 WHERE id = $2", (variables, id))?;
            }
            say(tx, id, Role::Assistant, &greeting, now)?;
            change(tx, id, ConversationChange { messages: 1, cost_micros: 0, ended: false }, now)?;
            Ok(Ok(StartedChat { uuid, greeting }))
        })
    }

    /// A customer's message in a chat, and the assistant's reply; none where a person has taken over. The reply is paid
    /// for in the same transaction.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn chat(
        &self,
        user_id: i64,
        uuid: Uuid,
        message: &str,
        now: Timestamp,
    ) -> Result<Result<Option<&'static str>, ChatRefusal>, StoreError> {
        self.write(|tx| {
            let Some(talk) = talk(tx, user_id, uuid)? else { return Ok(Err(ChatRefusal::NotFound)) };
            if talk.kind == ConversationType::Msgapp {
                return Ok(Err(ChatRefusal::Elsewhere));
            }
            if talk.is_orphaned {
                return Ok(Err(ChatRefusal::Orphaned));
            }
            let reply = talk.ai_enabled.then(|| talk.chat().reply(message, talk.message_count));
            let messages: i64 = if reply.is_some() { 2 } else { 1 };
            if talk.message_count + messages.unsigned_abs() > CHAT_MESSAGES_MAX {
                return Ok(Err(ChatRefusal::Full));
            }
            let price = if reply.is_some() { price(&talk.kind, &talk.mode) } else { Price { usd_micros: 0 } };
            let Some(charge) = affordable(tx, user_id, price)? else { return Ok(Err(ChatRefusal::BalanceTooLow)) };
            let pay = "UPDATE users SET balance_micros = balance_micros - $1 WHERE id = $2";
            execute(tx, pay, [charge, user_id])?;
            say(tx, talk.id, Role::User, message, now)?;
            if let Some(reply) = reply {
                say(tx, talk.id, Role::Assistant, reply, now)?;
            }
            change(tx, talk.id, ConversationChange { messages, cost_micros: price.usd_micros, ended: false }, now)?;
            Ok(Ok(reply))
        })
    }

    /// Lets a person take over, or hands back to the AI; false where the user has no such conversation. It does not
    /// move in the list: nobody has said anything.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn set_ai(&self, user_id: i64, uuid: Uuid, enabled: bool) -> Result<bool, StoreError> {
        let change = "UPDATE conversations SET ai_enabled = $1 WHERE uuid = $2 AND user_id = $3";
        self.write(|tx| Ok(execute(tx, change, (enabled, uuid.as_bytes(), user_id))? > 0))
    }
}

fn talk(connection: &Connection, user_id: i64, uuid: Uuid) -> rusqlite::Result<Option<ConversationDetails>> {
    let find = format!("{DETAILS} WHERE c.uuid = $1 AND c.user_id = $2");
    one(connection, &find, (uuid.as_bytes(), user_id), ConversationDetails::read).optional()
}

/// What a reply costs there; tests cost nothing.
fn price(kind: &ConversationType, mode: &AssistantMode) -> Price {
    Price { usd_micros: if *kind == ConversationType::Test { 0 } else { reply_cost(mode) } }
}

/// The price in what the user's balance counts, where the balance pays for it.
fn affordable(tx: &Transaction<'_>, user_id: i64, price: Price) -> rusqlite::Result<Option<i64>> {
    let (charge, balance) =
        one(tx, "SELECT kind, balance_micros - reserved_micros FROM users WHERE id = $1", [user_id], |row| {
            Ok((price.charge_micros(user_kind(row.get_ref(0)?.as_str()?)), row.get(1)?))
        })?;
    Ok((charge <= balance).then_some(charge))
}
