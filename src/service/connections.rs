//! Who may stay connected, by the rules of [`super::capacity`].

use super::bodies::Bodies;
use super::capacity::{BODIES, FOR_GUESTS, PLACES};
use super::http::Peer;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// To whom a place belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    /// Whoever is at this address: no valid token was shown.
    Guest(Peer),
    /// A user, by number.
    User(i64),
}

impl Holder {
    pub(super) fn is_guest(self) -> bool {
        matches!(self, Self::Guest(_))
    }
}

/// The connections there are.
#[derive(Debug)]
pub(super) struct Connections {
    at_once: usize,
    for_guests: usize,
    places: Mutex<BTreeMap<u64, Arc<Place>>>,
    /// Numbers connections, and what happens on them, in order.
    next: Arc<AtomicU64>,
    bodies: Arc<Bodies>,
}

/// A connection's place, which requests on it carry along.
#[derive(Debug)]
pub(super) struct Place {
    address: IpAddr,
    now: Mutex<Now>,
    next: Arc<AtomicU64>,
    /// When a byte was last moved.
    moved: AtomicU64,
    /// Whether a byte was read since the last request began.
    has_read: AtomicBool,
    bodies: Arc<Bodies>,
    evicted: CancellationToken,
}

#[derive(Debug)]
struct Now {
    holder: Holder,
    phase: Phase,
    /// Requests that have begun.
    requests: usize,
}

/// What happens on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No request, or a head that is not complete, or an answer that is being read.
    Between,
    /// The rest of a body is awaited.
    Receiving,
    /// All of the request is there.
    Answering,
}

impl Place {
    /// A request has begun, which lasts until the returned value is dropped. Of one that a proxy passes on, nothing is known
    /// but the peer that the proxy names.
    pub(super) fn begin(self: &Arc<Self>, passed_on: Option<Peer>) -> Underway {
        let mut now = self.lock();
        now.requests += 1;
        now.phase = Phase::Receiving;
        now.holder = passed_on.map_or(now.holder, Holder::Guest);
        Underway(Arc::clone(self))
    }

    /// All of its body is there.
    pub(super) fn received(&self) {
        self.lock().phase = Phase::Answering;
    }

    /// It shows a valid token.
    pub(super) fn belongs_to(&self, user_id: i64) {
        self.lock().holder = Holder::User(user_id);
    }

    /// To whom it belongs now.
    pub(super) fn holder(&self) -> Holder {
        self.lock().holder
    }

    /// How many requests have begun.
    pub(super) fn requests(&self) -> usize {
        self.lock().requests
    }

    /// Whether no request is under way.
    pub(super) fn is_between_requests(&self) -> bool {
        self.lock().phase == Phase::Between
    }

    /// A byte was read or written.
    pub(super) fn moved(&self) {
        self.moved.store(self.next.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// A byte was read.
    pub(super) fn has_read(&self) {
        self.has_read.store(true, Ordering::Relaxed);
        self.moved();
    }

    /// Whether the request that has begun was sent before the one before it was answered. Asked once for each.
    pub(super) fn was_sent_ahead(&self) -> bool {
        !self.has_read.swap(false, Ordering::Relaxed)
    }

    /// Where the connection comes from.
    pub(super) fn address(&self) -> IpAddr {
        self.address
    }

    /// Waits until another connection needs the place.
    pub(super) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    /// What all connections keep of bodies.
    pub(super) fn bodies(&self) -> &Arc<Bodies> {
        &self.bodies
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends with the answer to a request, whatever becomes of it.
#[derive(Debug)]
pub(super) struct Underway(Arc<Place>);

impl Drop for Underway {
    fn drop(&mut self) {
        self.0.lock().phase = Phase::Between;
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
        // One that was evicted has left already.
        self.connections.lock().remove(&self.number);
    }
}

impl Default for Connections {
    fn default() -> Self {
        // The rest is for the database and for deliveries.
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX);
        let places = usize::try_from(files / 4 * 3).unwrap_or(PLACES).saturating_sub(32).clamp(16, PLACES);
        Self::new(places, FOR_GUESTS.min(places / 2), BODIES)
    }
}

impl Connections {
    pub(super) fn new(at_once: usize, for_guests: usize, bodies: usize) -> Self {
        Self { at_once, for_guests, places: Mutex::default(), next: Arc::default(), bodies: Bodies::new(bodies) }
    }

    /// A place for a connection; another one gives way where that is needed.
    pub(super) fn seat(self: &Arc<Self>, address: IpAddr) -> Seat {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let place = Arc::new(Place {
            address,
            now: Mutex::new(Now { holder: Holder::Guest(Peer::of(address)), phase: Phase::Between, requests: 0 }),
            next: Arc::clone(&self.next),
            moved: number.into(),
            has_read: AtomicBool::new(false),
            bodies: Arc::clone(&self.bodies),
            evicted: CancellationToken::new(),
        });
        let mut places = self.lock();
        self.make_room(&mut places);
        places.insert(number, Arc::clone(&place));
        Seat { connections: Arc::clone(self), number, place }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Place>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make_room(&self, places: &mut BTreeMap<u64, Arc<Place>>) {
        let mut held: HashMap<Holder, usize> = HashMap::new();
        for place in places.values() {
            *held.entry(place.lock().holder).or_default() += 1;
        }
        let guests: usize = held.iter().filter(|(holder, _)| holder.is_guest()).map(|(_, count)| count).sum();
        let guests_only = guests >= self.for_guests;
        if !guests_only && places.len() < self.at_once {
            return;
        }
        let candidates = places.iter().filter_map(|(number, place)| {
            let now = place.lock();
            let moved = place.moved.load(Ordering::Relaxed);
            let rank = (held.get(&now.holder), now.phase != Phase::Answering, Reverse(moved));
            (!guests_only || now.holder.is_guest()).then_some((rank, *number))
        });
        if let Some(place) = candidates.max().and_then(|(_, number)| places.remove(&number)) {
            place.evicted.cancel();
        }
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
