//! The limit of wrong passwords, by account and by address. Kept in memory: behind a balancer each process counts its own,
//! so an account has as many tries as there are processes.

use super::http::Peer;
use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Tries that count, for as long as [`SPAN`].
const FOR_AN_ACCOUNT: usize = 5;
/// The same for an address, behind which several people may be.
const FOR_AN_ADDRESS: usize = 20;
const SPAN: Duration = Duration::from_secs(60);
/// Accounts and addresses kept in mind. Beyond, all others count as one, so that nobody can push out what is kept.
const KEPT: usize = 10_000;

/// Tries to log in that did not end well, or have not ended yet.
#[derive(Debug, Default)]
pub struct LoginThrottle(Mutex<Tries>);

#[derive(Debug, Default)]
struct Tries {
    accounts: Window<[u8; SHA256_OUTPUT_LEN]>,
    addresses: Window<Peer>,
}

impl LoginThrottle {
    /// Counts a try before it is made, so that many at the same moment are not more than one after another. It does not
    /// matter whether there is such an account.
    ///
    /// # Errors
    /// How long to wait, where there were too many.
    pub fn admit(&self, email: &str, peer: Peer, now: Instant) -> Result<(), Duration> {
        let mut tries = self.lock();
        let email = account(email);
        let wait =
            tries.accounts.wait(&email, FOR_AN_ACCOUNT, now).max(tries.addresses.wait(&peer, FOR_AN_ADDRESS, now));
        if let Some(wait) = wait {
            return Err(wait);
        }
        tries.accounts.add(&email, now);
        tries.addresses.add(&peer, now);
        Ok(())
    }

    /// The try was right: it does not count, and neither do those before it for this account.
    pub fn forgive(&self, email: &str, peer: Peer) {
        let mut tries = self.lock();
        tries.accounts.0.remove(&Some(account(email)));
        if let Some(times) = tries.addresses.0.get_mut(&Some(peer)) {
            times.pop();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A digest of an email: as large for each.
fn account(email: &str) -> [u8; SHA256_OUTPUT_LEN] {
    let mut account = [0; SHA256_OUTPUT_LEN];
    account.copy_from_slice(digest(&SHA256, email.trim().to_lowercase().as_bytes()).as_ref());
    account
}

/// The times of the last tries by key; `None` stands for all that are too many to be kept apart.
#[derive(Debug)]
struct Window<K>(HashMap<Option<K>, Vec<Instant>>);

impl<K> Default for Window<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Hash + Eq + Clone> Window<K> {
    fn key(&self, key: &K) -> Option<K> {
        let own = Some(key.clone());
        if self.0.len() < KEPT || self.0.contains_key(&own) { own } else { None }
    }

    /// How long until another try may be made, where there are too many now.
    fn wait(&mut self, key: &K, most: usize, now: Instant) -> Option<Duration> {
        if self.0.len() >= KEPT {
            self.0.retain(|_, times| times.last().is_some_and(|last| now.duration_since(*last) < SPAN));
        }
        let key = self.key(key);
        let times = self.0.get_mut(&key)?;
        times.retain(|time| now.duration_since(*time) < SPAN);
        let first = times.len().checked_sub(most).and_then(|at| times.get(at))?;
        Some(SPAN.saturating_sub(now.duration_since(*first)))
    }

    fn add(&mut self, key: &K, now: Instant) {
        let key = self.key(key);
        self.0.entry(key).or_default().push(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn peer(last: u8) -> Peer {
        Peer::of(IpAddr::from(Ipv4Addr::new(192, 0, 2, last)))
    }

    #[test]
    fn an_account_has_five_tries_a_minute_from_wherever_they_come() {
        let (throttle, now) = (LoginThrottle::default(), Instant::now());
        for n in 0..5 {
            assert_eq!(throttle.admit("ada@b.c", peer(n), now + Duration::from_secs(n.into())), Ok(()));
        }
        let later = now + Duration::from_secs(10);
        assert_eq!(throttle.admit(" ADA@b.c", peer(9), later), Err(Duration::from_secs(50)));
        assert_eq!(throttle.admit("bob@b.c", peer(9), later), Ok(()));
        assert_eq!(throttle.admit("ada@b.c", peer(9), now + SPAN), Ok(()));
    }

    #[test]
    fn an_address_has_twenty_tries_a_minute_for_whatever_account() {
        let (throttle, now) = (LoginThrottle::default(), Instant::now());
        for n in 0..20 {
            assert_eq!(throttle.admit(&format!("{n}@b.c"), peer(1), now), Ok(()));
        }
        assert_eq!(throttle.admit("ada@b.c", peer(1), now), Err(SPAN));
        assert_eq!(throttle.admit("ada@b.c", peer(2), now), Ok(()));
    }

    #[test]
    fn an_email_takes_as_much_memory_however_long_it_is() {
        assert_eq!(size_of_val(&account(&"x".repeat(1 << 20))), 32);
    }

    #[test]
    fn what_was_right_does_not_count() {
        let (throttle, now) = (LoginThrottle::default(), Instant::now());
        for _ in 0..100 {
            assert_eq!(throttle.admit("ada@b.c", peer(1), now), Ok(()));
            throttle.forgive("ada@b.c", peer(1));
        }
    }

    #[test]
    fn memory_is_bounded_and_nobody_is_pushed_out() {
        let (throttle, now) = (LoginThrottle::default(), Instant::now());
        for _ in 0..5 {
            throttle.admit("ada@b.c", peer(0), now).unwrap();
        }
        let mut refused = 0;
        for n in 0..20_000_u32 {
            let peer = Peer::of(IpAddr::from(Ipv4Addr::from_bits(n)));
            refused += usize::from(throttle.admit(&format!("{n}@b.c"), peer, now).is_err());
        }
        assert!(refused > 9_000, "{refused}");
        assert!(throttle.admit("ada@b.c", peer(77), now).is_err());
        assert!(throttle.lock().accounts.0.len() <= KEPT + 1);
    }
}
