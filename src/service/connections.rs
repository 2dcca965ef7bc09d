//! Who may stay connected: so many in all and for each address. Who has shown a token keeps the place; where there is none
//! left, the oldest of those who have not gives way.

use super::http::Peer;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The connections there are.
#[derive(Debug)]
pub(super) struct Connections {
    at_once: usize,
    of_each: usize,
    places: Mutex<Places>,
    left: Notify,
}

#[derive(Debug, Default)]
struct Places {
    next: u64,
    by_age: BTreeMap<u64, Arc<Place>>,
    by_peer: HashMap<Peer, usize>,
}

/// A connection's place, which requests on it carry along.
#[derive(Debug)]
pub(super) struct Place {
    address: IpAddr,
    /// Whether a valid token was shown on it.
    is_known: AtomicBool,
    /// Whether a request is being answered.
    is_busy: AtomicBool,
    /// Requests that have begun.
    requests: AtomicUsize,
    evicted: CancellationToken,
}

impl Place {
    /// A valid token was shown.
    pub(super) fn keep(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    /// A request is being answered until the returned value is dropped.
    pub(super) fn answering(self: &Arc<Self>) -> Answering {
        self.is_busy.store(true, Ordering::Relaxed);
        self.requests.fetch_add(1, Ordering::Relaxed);
        Answering(Arc::clone(self))
    }

    /// How many requests have begun.
    pub(super) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Whether a request is being answered.
    pub(super) fn is_answering(&self) -> bool {
        self.is_busy.load(Ordering::Relaxed)
    }

    /// Where the connection comes from.
    pub(super) fn address(&self) -> IpAddr {
        self.address
    }

    /// Waits until another connection needs the place.
    pub(super) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    fn may_go(&self) -> bool {
        !self.is_known.load(Ordering::Relaxed) && !self.is_busy.load(Ordering::Relaxed)
    }
}

/// Ends with the answer to a request, whatever becomes of it.
#[derive(Debug)]
pub(super) struct Answering(Arc<Place>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.is_busy.store(false, Ordering::Relaxed);
    }
}

/// Gives the place back.
#[derive(Debug)]
pub(super) struct Seat {
    connections: Arc<Connections>,
    number: u64,
    place: Arc<Place>,
}

impl Seat {
    pub(super) fn place(&self) -> &Arc<Place> {
        &self.place
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.connections.lock().remove(self.number);
        self.connections.left.notify_one();
    }
}

impl Connections {
    pub(super) fn new(at_once: usize, of_each: usize) -> Arc<Self> {
        Arc::new(Self { at_once, of_each, places: Mutex::default(), left: Notify::new() })
    }

    /// A place for a connection, once there is one; none where its address has too many. A proxy may have all of them.
    pub(super) async fn seat(self: &Arc<Self>, address: IpAddr, is_proxy: bool) -> Option<Seat> {
        let peer = Peer::of(address);
        loop {
            let left = self.left.notified();
            {
                let mut places = self.lock();
                let theirs = places.by_peer.get(&peer).copied().unwrap_or_default();
                let too_many = theirs >= self.of_each && !is_proxy;
                if too_many && !places.evict(|place| Peer::of(place.address) == peer) {
                    return None;
                }
                if places.by_age.len() < self.at_once || places.evict(|_| true) {
                    return Some(places.add(self, address));
                }
            }
            left.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn add(&mut self, connections: &Arc<Connections>, address: IpAddr) -> Seat {
        let place = Arc::new(Place {
            address,
            is_known: AtomicBool::new(false),
            is_busy: AtomicBool::new(false),
            requests: AtomicUsize::new(0),
            evicted: CancellationToken::new(),
        });
        let number = self.next;
        self.next += 1;
        self.by_age.insert(number, Arc::clone(&place));
        *self.by_peer.entry(Peer::of(address)).or_default() += 1;
        Seat { connections: Arc::clone(connections), number, place }
    }

    /// Lets the oldest go that may; false where none may.
    fn evict(&mut self, which: impl Fn(&Place) -> bool) -> bool {
        let oldest = self.by_age.iter().find(|(_, place)| place.may_go() && which(place)).map(|(number, _)| *number);
        let Some(place) = oldest.and_then(|number| self.remove(number)) else { return false };
        place.evicted.cancel();
        true
    }

    /// Once only: one that was evicted has left already.
    fn remove(&mut self, number: u64) -> Option<Arc<Place>> {
        let place = self.by_age.remove(&number)?;
        let peer = Peer::of(place.address);
        if let Some(theirs) = self.by_peer.get_mut(&peer) {
            *theirs -= 1;
            if *theirs == 0 {
                self.by_peer.remove(&peer);
            }
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    /// An error where it would wait.
    fn seat(connections: &Arc<Connections>, last: u8) -> Result<Option<Seat>, ()> {
        connections.seat([192, 0, 2, last].into(), false).now_or_never().ok_or(())
    }

    #[test]
    fn the_oldest_without_a_token_gives_way_and_those_with_one_stay() {
        let connections = Connections::new(3, 3);
        let seats: Vec<_> = (0..3).map(|n| seat(&connections, n).unwrap().unwrap()).collect();
        seats[0].place().keep();
        let fourth = seat(&connections, 3).unwrap().unwrap();
        let gone: Vec<_> = seats.iter().map(|seat| seat.place().evicted.is_cancelled()).collect();
        assert_eq!(gone, [false, true, false]);
        seats[2].place().keep();
        fourth.place().keep();
        assert!(seat(&connections, 4).is_err(), "whoever is known stays");
        drop(fourth);
        assert!(seat(&connections, 4).unwrap().is_some());
    }

    #[test]
    fn a_request_that_is_being_answered_is_not_cut_off() {
        let connections = Connections::new(1, 1);
        let first = seat(&connections, 0).unwrap().unwrap();
        let answering = first.place().answering();
        assert!(seat(&connections, 1).is_err());
        drop(answering);
        assert!(seat(&connections, 1).unwrap().is_some());
    }

    #[test]
    fn an_address_has_its_share_only() {
        let connections = Connections::new(10, 2);
        let seats: Vec<_> = (0..2).map(|_| seat(&connections, 7).unwrap().unwrap()).collect();
        for seat in &seats {
            seat.place().keep();
        }
        assert!(seat(&connections, 7).unwrap().is_none());
        assert!(seat(&connections, 8).unwrap().is_some());
        drop(seats);
        assert!(seat(&connections, 7).unwrap().is_some());
        assert_eq!(connections.lock().by_age.len(), 0);
        assert_eq!(connections.lock().by_peer.len(), 0);
    }
}
