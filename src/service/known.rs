//! What was worked out before, kept as long as it holds.

use super::store::StoreError;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// At most `MOST` values by key, each with the version of the data that it was read from. Beyond them all are forgotten.
#[derive(Debug)]
pub struct Known<const MOST: usize, K, V>(Mutex<HashMap<K, (u64, V)>>);

impl<const MOST: usize, K, V> Default for Known<MOST, K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<const MOST: usize, K: Eq + Hash, V: Clone> Known<MOST, K, V> {
    /// The value of a key, worked out by `make` where it is not known or of another version.
    ///
    /// # Errors
    /// Those of `make`; they are not kept.
    pub fn get_or(&self, version: u64, key: K, make: impl FnOnce() -> Result<V, StoreError>) -> Result<V, StoreError> {
        if let Some((kept, value)) = self.lock().get(&key)
            && *kept == version
        {
            return Ok(value.clone());
        }
        let value = make()?;
        let mut known = self.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, (version, value.clone()));
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (u64, V)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_for_its_version_and_there_are_never_too_many() {
        let known = Known::<2, _, _>::default();
        let get = |version, key, value| known.get_or(version, key, || Ok(value)).unwrap();
        assert_eq!([get(1, 'a', 10), get(1, 'a', 11), get(2, 'a', 12), get(2, 'a', 13)], [10, 10, 12, 12]);
        assert_eq!([get(2, 'b', 20), get(2, 'c', 30)], [20, 30]);
        assert_eq!((get(2, 'c', 31), known.lock().len()), (30, 1));
        assert!(known.get_or(2, 'd', || Err(StoreError::Unreadable("number"))).is_err());
        assert_eq!(get(2, 'd', 40), 40, "a failure is not kept");
    }
}
