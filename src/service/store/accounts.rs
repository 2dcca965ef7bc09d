//! Users as accounts: who they are, what they have, and the password that lets them in.

use super::{Store, StoreError, execute, one};
use crate::service::simulation::calls::{CallPrice, price};
use crate::service::world::UserKind;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

/// A user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRow {
    /// The user's number.
    pub id: i64,
    /// The user's name.
    pub name: String,
    /// The user's email.
    pub email: String,
    /// Millionths of a credit or of a minute.
    pub balance_micros: i64,
}

impl AccountRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, name: row.get(1)?, email: row.get(2)?, balance_micros: row.get(3)? })
    }
}

impl Store {
    /// The account of a user.
    ///
    /// # Errors
    /// Where the database fails, or there is no such user.
    pub fn account(&self, user_id: i64) -> Result<AccountRow, StoreError> {
        self.read(|reader| {
            let find = "SELECT id, COALESCE(name, email), email, balance_micros FROM users WHERE id = $1";
            Ok(one(reader, find, [user_id], AccountRow::read)?)
        })
    }

    /// The account of an email, in letters of any case, with the hash of its password where it has one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn account_of_email(&self, email: &str) -> Result<Option<(AccountRow, Option<String>)>, StoreError> {
        self.read(|reader| {
            let find = "SELECT id, COALESCE(name, email), email, balance_micros, password_hash FROM users \
                        WHERE LOWER(email) = LOWER($1)";
            Ok(one(reader, find, [email], |row| Ok((AccountRow::read(row)?, row.get(4)?))).optional()?)
        })
    }
}

/// What a user's balance counts, by the stored word.
pub(super) fn user_kind(word: &str) -> UserKind {
    if word == UserKind::Direct.as_str() { UserKind::Direct } else { UserKind::Tenant }
}

/// What a user may spend: what running calls have reserved is spent already.
fn available(connection: &Connection, user_id: i64) -> rusqlite::Result<i64> {
    one(connection, "SELECT balance_micros - reserved_micros FROM users WHERE id = $1", [user_id], |row| row.get(0))
}

/// A minute of a call, in what the user pays with.
fn minute(connection: &Connection, user_id: i64) -> rusqlite::Result<i64> {
    let minute = price(60);
    Ok(if pays_in_minutes(connection, user_id)? { minute.minutes } else { minute.total })
}

/// Whether the balance lasts for a minute of a call.
pub(super) fn affords_a_minute(connection: &Connection, user_id: i64) -> rusqlite::Result<bool> {
    Ok(available(connection, user_id)? >= minute(connection, user_id)?)
}

/// Keeps a minute of the balance for a call; false where there is none.
pub(super) fn reserve_minute(tx: &Transaction<'_>, user_id: i64, call_id: i64) -> Result<bool, StoreError> {
    if !affords_a_minute(tx, user_id)? {
        return Ok(false);
    }
    let minute = minute(tx, user_id)?;
    execute(tx, "UPDATE users SET reserved_micros = reserved_micros + $1 WHERE id = $2", [minute, user_id])?;
    execute(tx, "UPDATE calls SET reserved_micros = reserved_micros + $1 WHERE id = $2", [minute, call_id])?;
    Ok(true)
}

/// What a call has reserved.
pub(super) fn reserved(connection: &Connection, call_id: i64) -> rusqlite::Result<i64> {
    one(connection, "SELECT reserved_micros FROM calls WHERE id = $1", [call_id], |row| row.get(0))
}

/// Gives back what a call has reserved.
pub(super) fn release(tx: &Transaction<'_>, user_id: i64, call_id: i64) -> Result<(), StoreError> {
    settle(tx, user_id, call_id, 0)
}

/// Pays for a call out of what it has reserved, never out of what others have, and gives the rest back.
pub(super) fn pay(tx: &Transaction<'_>, user_id: i64, call_id: i64, price: &CallPrice) -> Result<(), StoreError> {
    let amount = if pays_in_minutes(tx, user_id)? { price.minutes } else { price.total };
    settle(tx, user_id, call_id, amount)
}

fn settle(tx: &Transaction<'_>, user_id: i64, call_id: i64, amount: i64) -> Result<(), StoreError> {
    let reserved = reserved(tx, call_id)?;
    if reserved > 0 {
        let change = "UPDATE users SET reserved_micros = reserved_micros - $1, balance_micros = balance_micros - $2 \
                      WHERE id = $3";
        execute(tx, change, [reserved, amount.min(reserved), user_id])?;
        execute(tx, "UPDATE calls SET reserved_micros = 0 WHERE id = $1", [call_id])?;
    }
    Ok(())
}

/// Direct users pay in minutes, tenants in credits.
fn pays_in_minutes(connection: &Connection, user_id: i64) -> rusqlite::Result<bool> {
    let direct = UserKind::Direct.as_str();
    one(connection, "SELECT kind = $1 FROM users WHERE id = $2", (direct, user_id), |row| row.get(0))
}
