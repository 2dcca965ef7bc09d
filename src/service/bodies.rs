//! What is kept of bodies while they arrive, by the rules of [`super::capacity`].

use super::capacity::{BODIES, BODY, GUEST_BODY};
use super::connections::{Holder, Place};
use super::http::Peer;
use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bytes of all bodies that are kept.
#[derive(Debug)]
pub(super) struct Bodies {
    most: usize,
    kept: Mutex<HashMap<Holder, usize>>,
}

impl Bodies {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, kept: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Holder, usize>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why no more is kept of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotKept {
    /// It has too many bytes.
    TooLarge {
        /// So many it may have.
        limit: usize,
    },
    /// There are too many others.
    Busy,
}

/// What is kept of a body. It counts until this is dropped.
#[derive(Debug)]
pub(super) struct Kept {
    bodies: Arc<Bodies>,
    holder: Holder,
    bytes: usize,
}

impl Kept {
    /// Nothing yet, of a body that comes on a connection. Without one (in tests) it has all to itself, as a guest.
    pub(super) fn of(place: Option<&Arc<Place>>) -> Self {
        let (bodies, holder) = match place {
            Some(place) => (Arc::clone(place.bodies()), place.holder()),
            None => (Bodies::new(BODIES), Holder::Guest(Peer::of(Ipv4Addr::UNSPECIFIED.into()))),
        };
        Self { bodies, holder, bytes: 0 }
    }

    /// Whether it is kept for somebody who has shown no valid token.
    pub(super) fn is_guests(&self) -> bool {
        self.holder.is_guest()
    }

    /// Counts so many more bytes.
    ///
    /// # Errors
    /// Where they may not be kept: the body is too large, or its holder would keep more than is left for all others.
    pub(super) fn add(&mut self, bytes: usize) -> Result<(), NotKept> {
        let limit = if self.is_guests() { GUEST_BODY } else { BODY };
        if self.bytes + bytes > limit {
            return Err(NotKept::TooLarge { limit });
        }
        let mut kept = self.bodies.lock();
        let all = kept.values().sum::<usize>() + bytes;
        let own = kept.get(&self.holder).copied().unwrap_or_default() + bytes;
        if own > self.bodies.most.saturating_sub(all) {
            return Err(NotKept::Busy);
        }
        kept.insert(self.holder, own);
        self.bytes += bytes;
        Ok(())
    }

    /// Counts nothing any more.
    pub(super) fn give_back(&mut self) {
        let mut kept = self.bodies.lock();
        if let Some(own) = kept.get_mut(&self.holder) {
            *own -= self.bytes;
            if *own == 0 {
                kept.remove(&self.holder);
            }
        }
        self.bytes = 0;
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bodies: &Arc<Bodies>, user: i64) -> Kept {
        Kept { bodies: Arc::clone(bodies), holder: Holder::User(user), bytes: 0 }
    }

    /// How many bodies of a kilobyte a user may keep.
    fn filled(bodies: &Arc<Bodies>, user: i64) -> Vec<Kept> {
        let full = std::iter::repeat_with(|| {
            let mut body = kept(bodies, user);
            body.add(1024).map(|()| body)
        });
        full.map_while(Result::ok).collect()
    }

    #[test]
    fn nobody_keeps_more_than_is_left_and_a_newcomer_finds_some() {
        let bodies = Bodies::new(64 * 1024);
        let one = filled(&bodies, 1);
        assert_eq!(one.len(), 32);
        let other = filled(&bodies, 2);
        assert_eq!(other.len(), 16);
        assert_eq!(kept(&bodies, 1).add(1), Err(NotKept::Busy));
        assert_eq!(kept(&bodies, 3).add(1024), Ok(()));
        drop((one, other));
        assert!(bodies.lock().is_empty());
    }

    #[test]
    fn a_guests_body_is_small() {
        let mut body = Kept::of(None);
        assert_eq!(body.add(GUEST_BODY), Ok(()));
        assert_eq!(body.add(1), Err(NotKept::TooLarge { limit: GUEST_BODY }));
        let mut body = kept(&Bodies::new(BODIES), 1);
        assert_eq!(body.add(BODY), Ok(()));
        assert_eq!(body.add(1), Err(NotKept::TooLarge { limit: BODY }));
    }
}
