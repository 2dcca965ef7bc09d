//! How many deliveries may be under way, in all and for each user. Kept in memory: two processes on one database would
//! each count their own, and share the work by their leases.

use std::collections::HashMap;

/// Deliveries under way in all.
const AT_ONCE: usize = 64;
/// Of these, for users whose receivers were slow.
const FOR_THE_SLOW: usize = AT_ONCE / 2;
/// For one user whose receivers answer.
const FOR_EACH_USER: usize = 4;
/// Users kept in mind; those with nothing under way are forgotten beyond.
const KEPT: usize = 10_000;

/// How an attempt went, for those that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speed {
    /// With a 2xx, in good time.
    Answered,
    /// With anything else, in good time.
    Refused,
    /// It kept its place for long.
    Slow,
}

/// Who has how many deliveries under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    users: HashMap<i64, Place>,
    taken: usize,
    taken_by_slow: usize,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    taken: usize,
    allowed: usize,
    is_slow: bool,
}

/// A receiver that nobody knows gets one place, and more with each answer: many that never answer do not fill them all.
const UNKNOWN: Place = Place { taken: 0, allowed: 1, is_slow: false };

impl Places {
    /// How many deliveries of a user may leave now.
    pub(super) fn free(&self, user_id: i64) -> usize {
        let place = self.users.get(&user_id).copied().unwrap_or(UNKNOWN);
        let all = AT_ONCE.saturating_sub(self.taken);
        let all = if place.is_slow { all.min(FOR_THE_SLOW.saturating_sub(self.taken_by_slow)) } else { all };
        place.allowed.saturating_sub(place.taken).min(all)
    }

    /// One of a user leaves.
    pub(super) fn begin(&mut self, user_id: i64) {
        if self.users.len() >= KEPT {
            self.users.retain(|_, place| place.taken > 0);
        }
        let place = self.users.entry(user_id).or_insert(UNKNOWN);
        place.taken += 1;
        self.taken += 1;
        self.taken_by_slow += usize::from(place.is_slow);
    }

    /// One of a user is over.
    pub(super) fn end(&mut self, user_id: i64, speed: Speed) {
        let Some(place) = self.users.get_mut(&user_id) else { return };
        let slow_before = if place.is_slow { place.taken } else { 0 };
        place.taken = place.taken.saturating_sub(1);
        self.taken = self.taken.saturating_sub(1);
        match speed {
            Speed::Answered => (place.allowed, place.is_slow) = ((place.allowed * 2).min(FOR_EACH_USER), false),
            Speed::Refused => place.is_slow = false,
            Speed::Slow => (place.allowed, place.is_slow) = (1, true),
        }
        let slow_after = if place.is_slow { place.taken } else { 0 };
        self.taken_by_slow = (self.taken_by_slow + slow_after).saturating_sub(slow_before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(places: &mut Places, user_id: i64) -> usize {
        let free = places.free(user_id);
        (0..free).for_each(|_| places.begin(user_id));
        free
    }

    #[test]
    fn a_user_gets_more_places_with_each_answer_up_to_four() {
        let mut places = Places::default();
        let got: Vec<_> = (0..4)
            .map(|_| {
                let free = begin(&mut places, 1);
                (0..free).for_each(|_| places.end(1, Speed::Answered));
                free
            })
            .collect();
        assert_eq!(got, [1, 2, 4, 4]);
    }

    #[test]
    fn however_many_receivers_never_answer_half_of_the_places_stay_for_others() {
        let mut places = Places::default();
        for user in 1..=64 {
            assert_eq!(begin(&mut places, user), 1);
        }
        assert_eq!(places.free(1_000), 0);
        for user in 1..=64 {
            places.end(user, Speed::Slow);
        }
        let again: usize = (1..=64).map(|user| begin(&mut places, user)).sum();
        assert_eq!(again, FOR_THE_SLOW);
        assert_eq!(places.free(1_000), 1);
        for user in 1..=32 {
            places.end(user, Speed::Answered);
        }
        assert_eq!((places.taken, places.taken_by_slow), (0, 0));
    }
}
