//! Moments of a clock that never jumps.

use jiff::{SignedDuration, Timestamp};
use std::ops::{Add, Sub};
use std::time::Duration;

/// A moment of the monotonic clock: time since the program began. It enters the pure core as data, and unlike
/// [`std::time::Instant`] it can be made up, compared and printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(Duration);

impl Instant {
    /// The start of the program.
    pub const START: Self = Self(Duration::ZERO);

    /// The moment so long after the start of the program.
    pub const fn after(span: Duration) -> Self {
        Self(span)
    }

    /// Time since the start of the program.
    pub const fn since_start(self) -> Duration {
        self.0
    }

    /// The wall clock's time when this clock started, if it shows `date` now.
    pub fn start_by(self, date: Timestamp) -> Option<Timestamp> {
        date.checked_sub(SignedDuration::try_from(self.0).ok()?).ok()
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(span))
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    /// Not before the start of the program.
    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(span))
    }
}

impl Sub for Instant {
    type Output = Duration;

    /// Zero where `earlier` is the later one.
    fn sub(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}
