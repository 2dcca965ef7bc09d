//! Caches that hold until the store is written.

use crate::api::ConversationFilter;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// At most `MOST` values by key, each with the version of the data it was computed from. A full cache is cleared.
#[derive(Debug)]
pub struct VersionedCache<const MOST: usize, K, V>(Mutex<HashMap<K, (u64, V)>>);

impl<const MOST: usize, K, V> Default for VersionedCache<MOST, K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<const MOST: usize, K: Eq + Hash, V: Clone> VersionedCache<MOST, K, V> {
    /// The cached value of this version; where there is none, `make` computes it.
    ///
    /// # Errors
    /// Those of `make`; they are not cached.
    pub fn get_or<E>(&self, version: u64, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some((kept, value)) = self.lock().get(&key)
            && *kept == version
        {
            return Ok(value.clone());
        }
        let value = make()?;
        let mut cached = self.lock();
        if cached.len() >= MOST {
            cached.clear();
        }
        cached.insert(key, (version, value.clone()));
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (u64, V)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pages of the conversation list as they are sent, for callers who poll. `None`: the user has no such assistant.
pub type PageCache = VersionedCache<64, PageKey, Option<Arc<CachedPage>>>;

/// Identifies a page of a user's conversations.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PageKey {
    /// Whose conversations.
    pub user_id: i64,
    /// Which of them.
    pub filter: ConversationFilter,
    /// Rows before the page.
    pub offset: u64,
    /// Rows on the page.
    pub per_page: u32,
}

/// A page of conversations, serialised.
#[derive(Debug)]
pub struct CachedPage {
    /// The list of rows, as JSON.
    pub rows: Vec<u8>,
    /// How many there are.
    pub count: usize,
    /// Rows on all pages.
    pub total: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_for_its_version_and_there_are_never_too_many() {
        let cache = VersionedCache::<2, _, _>::default();
        let get = |version, key, value| cache.get_or(version, key, || Ok::<_, &str>(value)).unwrap();
        assert_eq!([get(1, 'a', 10), get(1, 'a', 11), get(2, 'a', 12), get(2, 'a', 13)], [10, 10, 12, 12]);
        assert_eq!([get(2, 'b', 20), get(2, 'c', 30)], [20, 30]);
        assert_eq!((get(2, 'c', 31), cache.lock().len()), (30, 1));
        assert!(cache.get_or(2, 'd', || Err("failed")).is_err());
        assert_eq!(get(2, 'd', 40), 40, "a failure is not kept");
    }
}
