//! When something is requested again that changes by itself for seconds or minutes, such as a call: soon at first, then less
//! and less often, and not for ever.

use super::message::Instant;
use crate::tasks::TaskId;
use std::time::Duration;

/// Requests at most: more than an hour's worth.
const POLLS: u32 = 150;

/// When it is requested. Times are those of [`super::Moment::mono`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pace {
    polls: u32,
    pending: Option<TaskId>,
    /// `None` once nothing more is to be learned, or nothing can be.
    next: Option<Instant>,
}

impl Pace {
    /// The next request is due after the usual time, or as long as the server wants.
    pub fn schedule(&mut self, now: Instant, at_least: Duration) {
        let usual = Duration::from_secs(match self.polls {
            0 => 2,
            1..=6 => 5,
            7..=12 => 10,
            _ => 30,
        });
        self.next = (self.polls < POLLS).then(|| now + usual.max(at_least));
    }

    /// The next request is due then, unless one is in flight.
    pub fn hurry(&mut self, at: Instant) {
        if self.pending.is_none() {
            self.next = Some(at);
        }
    }

    /// Nothing more is requested.
    pub fn stop(&mut self) {
        self.next = None;
    }

    /// True where a request is due.
    pub fn is_due(&self, now: Instant) -> bool {
        self.next().is_some_and(|next| next <= now)
    }

    /// When one is due.
    pub fn next(&self) -> Option<Instant> {
        self.next.filter(|_| self.pending.is_none())
    }

    /// True where none is in flight, and none will be due.
    pub fn is_idle(&self) -> bool {
        self.pending.is_none() && self.next.is_none()
    }

    /// A request is in flight.
    pub fn asked(&mut self, id: TaskId) {
        *self = Self { polls: self.polls + 1, pending: Some(id), next: None };
    }

    /// Takes the end of its request; false where that is another one.
    pub fn answered(&mut self, id: TaskId) -> bool {
        self.pending.take_if(|pending| *pending == id).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_grow_and_polling_ends_after_an_hour() {
        let (mut pace, now, mut waited) = (Pace::default(), Instant::START, Vec::new());
        loop {
            pace.schedule(now, Duration::ZERO);
            let Some(next) = pace.next() else { break };
            waited.push((next - now).as_secs());
            pace.asked(TaskId(1));
            assert!(pace.answered(TaskId(1)));
        }
        assert_eq!(waited[..8], [2, 5, 5, 5, 5, 5, 5, 10]);
        assert_eq!((waited.last(), waited.len()), (Some(&30), POLLS as usize));
        assert!(waited.iter().sum::<u64>() > 3600);
        let mut pace = Pace::default();
        pace.schedule(now, Duration::from_secs(40));
        assert_eq!(pace.next(), Some(now + Duration::from_secs(40)), "as long as the server wants");
    }
}
