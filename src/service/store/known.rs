//! What was worked out about the list of conversations, kept until the list changes.
//!
//! Each user has a version that goes up, in the same transaction, whenever the number or the order of the conversations
//! changes. A reader looks it up in the same moment as the rows, so what is kept here always belongs to them.

use super::counts::{self, Day};
use super::{StoreError, execute, lock, one};
use crate::api::ConversationFilter;
use rusqlite::{Connection, Transaction};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// So many filters, and so many pages, are kept; beyond them all are forgotten.
const MOST: usize = 512;

/// How many conversations match, by the day they last changed.
pub(super) type Days = Arc<[(Day, u64)]>;
/// The numbers of the conversations of a page.
pub(super) type Page = Arc<[i64]>;

/// A page of a list: where it begins and how long it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PageKey {
    pub(super) user_id: i64,
    pub(super) filter: ConversationFilter,
    pub(super) offset: u64,
    pub(super) limit: u32,
}

/// The version of a user's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version(i64);

impl Version {
    /// As it is for a reader.
    pub(super) fn read(reader: &Connection, user_id: i64) -> Result<Self, StoreError> {
        Ok(one(reader, "SELECT list_version FROM users WHERE id = $1", [user_id], |row| row.get(0).map(Self))?)
    }
}

/// Makes what is kept about a user's list worthless.
pub(super) fn outdate(tx: &Transaction<'_>, user_id: i64) -> Result<(), StoreError> {
    execute(tx, "UPDATE users SET list_version = list_version + 1 WHERE id = $1", [user_id])?;
    Ok(())
}

/// Counts and pages of lists.
#[derive(Debug, Default)]
pub(super) struct Known {
    days: Kept<(i64, ConversationFilter), Days>,
    pages: Kept<PageKey, Page>,
}

impl Known {
    /// How many conversations match, by the day they last changed.
    pub(super) fn days(
        &self,
        reader: &Connection,
        version: Version,
        user_id: i64,
        filter: &ConversationFilter,
    ) -> Result<Days, StoreError> {
        let key = (user_id, filter.clone());
        self.days.get_or(version, key, || Ok(counts::by_day(reader, user_id, filter)?.into()))
    }

    /// The numbers of the conversations of a page, worked out by `find` where they are not known.
    pub(super) fn page(
        &self,
        version: Version,
        key: PageKey,
        find: impl FnOnce() -> Result<Page, StoreError>,
    ) -> Result<Page, StoreError> {
        self.pages.get_or(version, key, find)
    }
}

/// Values by key, each with the version that it belongs to.
#[derive(Debug)]
struct Kept<K, V>(Mutex<HashMap<K, (Version, V)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    fn get_or(&self, version: Version, key: K, make: impl FnOnce() -> Result<V, StoreError>) -> Result<V, StoreError> {
        if let Some((kept, value)) = lock(&self.0).get(&key)
            && *kept == version
        {
            return Ok(value.clone());
        }
        let value = make()?;
        let mut kept = lock(&self.0);
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(key, (version, value.clone()));
        Ok(value)
    }
}
