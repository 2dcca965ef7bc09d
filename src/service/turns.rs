//! Whose request is worked on next: holders take turns, so that many requests of one hold up nobody else.

use super::capacity::PLACES;
use super::connections::Holder;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many at a time, of which each holder has some at most.
#[derive(Debug)]
pub struct Turns {
    all: Arc<Semaphore>,
    for_each: usize,
    of_each: Mutex<HashMap<Holder, Arc<Semaphore>>>,
}

/// Ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _all: Option<OwnedSemaphorePermit>,
    _own: Option<OwnedSemaphorePermit>,
}

impl Turns {
    pub(super) fn new(at_once: usize, for_each: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(at_once)), for_each, of_each: Mutex::default() }
    }

    /// Waits for a turn. Only as many of a holder as may be worked on at a time wait among those of all others.
    pub(super) async fn take(&self, holder: Holder) -> Turn {
        let own = {
            let mut of_each = self.of_each.lock().unwrap_or_else(PoisonError::into_inner);
            if of_each.len() > PLACES {
                of_each.retain(|_, own| Arc::strong_count(own) > 1);
            }
            Arc::clone(of_each.entry(holder).or_insert_with(|| Arc::new(Semaphore::new(self.for_each))))
        };
        // Neither is ever closed.
        let own = own.acquire_owned().await.ok();
        Turn { _all: Arc::clone(&self.all).acquire_owned().await.ok(), _own: own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::collections::VecDeque;

    #[test]
    fn holder_with_many_requests_waits_for_its_own() {
        let turns = Turns::new(2, 2);
        let mut held: VecDeque<_> = [1, 1].map(|user| turns.take(Holder::User(user)).now_or_never().unwrap()).into();
        let mut many: Vec<_> = std::iter::repeat_with(|| Box::pin(turns.take(Holder::User(1)))).take(100).collect();
        assert!(many.iter_mut().all(|turn| turn.now_or_never().is_none()));
        let mut other = Box::pin(turns.take(Holder::User(2)));
        assert!(other.as_mut().now_or_never().is_none());
        held.pop_front();
        assert!(other.now_or_never().is_some(), "no other of user 1 is before it");
    }
}
