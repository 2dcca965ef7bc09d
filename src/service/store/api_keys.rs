//! API keys. A token never gets here: only its hash does.

use super::{Store, StoreError, execute, fill_piece, lock, many, moment, one};
use crate::service::keys::TokenHash;
use crate::service::limits::{API_KEYS_MAX, LOGIN_KEYS_MAX};
use crate::service::pieces::Piece;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Mutex;

/// Keys whose owners are kept in memory; beyond them all are forgotten.
const CACHED_MAX: usize = 1024;

/// Whom a token belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOwner {
    /// The key.
    pub key_id: i64,
    /// Its user.
    pub user_id: i64,
}

/// A key as it is stored, without what could prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// The part of the token before `|`.
    pub id: i64,
    /// 1 to 255 characters; need not be unique.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a request last carried it, as far as it has been written down.
    pub last_used_at: Option<Timestamp>,
}

/// Owners of keys that were looked up lately. They hold until the next write, of whatever it is: a deleted key is worth
/// nothing as soon as its deletion is answered.
#[derive(Debug, Default)]
pub(super) struct KeyOwners(Mutex<CachedOwners>);

#[derive(Debug, Default)]
struct CachedOwners {
    writes: u64,
    owners: HashMap<i64, (TokenHash, KeyOwner)>,
}

impl KeyOwners {
    fn owner(&self, hash: &TokenHash, writes: u64) -> Option<KeyOwner> {
        let cached = lock(&self.0);
        let (stored, owner) = cached.owners.get(&hash.lookup()).filter(|_| cached.writes == writes)?;
        hash.matches(stored.as_bytes()).then_some(*owner)
    }

    /// Keeps what was read after so many writes.
    fn keep(&self, hash: &TokenHash, writes: u64, owner: KeyOwner) {
        let mut cached = lock(&self.0);
        if cached.writes != writes || cached.owners.len() >= CACHED_MAX {
            cached.owners.clear();
            cached.writes = writes;
        }
        cached.owners.insert(hash.lookup(), (*hash, owner));
    }
}

impl Store {
    /// Whom a token belongs to; `None` for an unknown one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn key_owner(&self, hash: &TokenHash) -> Result<Option<KeyOwner>, StoreError> {
        let writes = self.version();
        if let Some(owner) = self.key_owners.owner(hash, writes) {
            return Ok(Some(owner));
        }
        let candidates = self.read(|reader| {
            Ok(many(
                reader,
                "SELECT id, user_id, token_hash FROM api_keys WHERE token_lookup = $1",
                [hash.lookup()],
                |row| Ok((KeyOwner { key_id: row.get(0)?, user_id: row.get(1)? }, row.get::<_, Vec<u8>>(2)?)),
            )?)
        })?;
        let owner = candidates.into_iter().find(|(_, stored)| hash.matches(stored)).map(|(owner, _)| owner);
        if let Some(owner) = owner {
            self.key_owners.keep(hash, writes, owner);
        }
        Ok(owner)
    }

    /// The keys of a user, oldest first, each as `show` shows it.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn keys<T: Serialize>(
        &self,
        user_id: i64,
        piece: &mut Piece,
        show: impl Fn(KeyRow) -> T,
    ) -> Result<(), StoreError> {
        let find = "SELECT id, name, created_at, last_used_at FROM api_keys WHERE user_id = $1 AND id > $2 ORDER BY id";
        let params = [user_id, piece.last().unwrap_or(0)];
        self.read(|reader| {
            fill_piece(reader, find, params, piece, |row| {
                let id = row.get(0)?;
                let last_used_at = row.get::<_, Option<i64>>(3)?.map(moment).transpose()?;
                Ok((id, show(KeyRow { id, name: row.get(1)?, created_at: moment(row.get(2)?)?, last_used_at })))
            })
        })
    }

    /// Stores a new key; `token` is told the key's number and answers its token's hash. `None` where the user may have no
    /// more keys; where it `replaces` one, as at a login, there is room for some more, and then the oldest one of the same
    /// name gives way.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn create_key<T>(
        &self,
        user_id: i64,
        name: &str,
        replaces: bool,
        now: Timestamp,
        token: impl FnOnce(i64) -> (T, TokenHash),
    ) -> Result<Option<T>, StoreError> {
        self.write(|tx| {
            let count = "SELECT COUNT(*) FROM api_keys WHERE user_id = $1";
            let most = if replaces { LOGIN_KEYS_MAX } else { API_KEYS_MAX };
            if one(tx, count, [user_id], |row| row.get::<_, i64>(0))? >= most {
                let delete = "DELETE FROM api_keys WHERE id = \
                              (SELECT id FROM api_keys WHERE user_id = $1 AND name = $2 ORDER BY id LIMIT 1)";
                if !replaces || execute(tx, delete, (user_id, name))? == 0 {
                    return Ok(None);
                }
            }
            insert_key(tx, user_id, name, now, token).map(Some)
        })
    }

    /// Deletes a key of a user; false where the user has no such key.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delete_key(&self, user_id: i64, key_id: i64) -> Result<bool, StoreError> {
        self.write(|tx| Ok(execute(tx, "DELETE FROM api_keys WHERE user_id = $1 AND id = $2", [user_id, key_id])? > 0))
    }

    /// Writes down when keys were last used; keys that are gone are passed over.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn record_key_use(&self, uses: &[(i64, Timestamp)]) -> Result<(), StoreError> {
        self.write(|tx| {
            for (key_id, time) in uses {
                let change = "UPDATE api_keys SET last_used_at = $1 WHERE id = $2";
                execute(tx, change, [time.as_microsecond(), *key_id])?;
            }
            Ok(())
        })
    }
}

/// The token carries the key's number, so the row comes first and the hash follows in the same transaction.
pub(super) fn insert_key<T>(
    tx: &Transaction<'_>,
    user_id: i64,
    name: &str,
    now: Timestamp,
    token: impl FnOnce(i64) -> (T, TokenHash),
) -> Result<T, StoreError> {
    let id = one(
        tx,
        "INSERT INTO api_keys (user_id, name, token_lookup, token_hash, created_at) VALUES ($1, $2, 0, $3, $4) \
         RETURNING id",
        (user_id, name, [0_u8; 0], now.as_microsecond()),
        |row| row.get(0),
    )
    .optional()?
    .ok_or(StoreError::Unreadable("new key"))?;
    let (token, hash) = token(id);
    let change = "UPDATE api_keys SET token_lookup = $1, token_hash = $2 WHERE id = $3";
    execute(tx, change, (hash.lookup(), hash.as_bytes(), id))?;
    Ok(token)
}
