//! The seconds in which what was confirmed can be taken back.

use crate::ui::panes::messaging::words::seconds;
use std::time::Duration;

/// A hold that ends so much later than it should has been slept through, and nobody could take it back.
const SLEPT: Duration = Duration::from_secs(5);

/// Until when what was confirmed is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ui::panes::messaging) struct Hold {
    until: Duration,
}

/// What has come of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ui::panes::messaging) enum Held {
    /// It holds.
    Still,
    /// It is over: what was held leaves.
    Over,
    /// The program was stopped meanwhile.
    Slept,
}

impl Hold {
    /// A hold until then.
    pub(in crate::ui::panes::messaging) fn new(until: Duration) -> Self {
        Self { until }
    }

    /// What has come of it now.
    pub(in crate::ui::panes::messaging) fn at(self, now: Duration) -> Held {
        match now.checked_sub(self.until) {
            None => Held::Still,
            Some(late) if late > SLEPT => Held::Slept,
            Some(_) => Held::Over,
        }
    }

    /// Whole seconds that are left, those begun included.
    pub(in crate::ui::panes::messaging) fn seconds(self, now: Duration) -> u64 {
        seconds(self.until.saturating_sub(now))
    }

    /// When the seconds change, or the hold ends.
    pub(in crate::ui::panes::messaging) fn next_change(self, now: Duration) -> Duration {
        let whole = Duration::from_secs(self.seconds(now).saturating_sub(1));
        self.until.saturating_sub(whole).max(now)
    }
}
