//! Messages that were confirmed and wait to leave. Each can be taken back until then, while other work goes on.

use super::action::PaneId;
use super::message::Moment;
use crate::tasks::Sending;
use jiff::Timestamp;
use std::time::Duration;

/// A hold that ends so much later than it should has been slept through, and nobody could take it back.
const SLEPT: Duration = Duration::from_secs(5);

/// Until when something is held, by the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    until: Duration,
}

/// The state of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// It can be taken back.
    Still,
    /// It is over.
    Over,
    /// It ended while the program was stopped.
    Slept,
}

impl Hold {
    /// A hold until then.
    pub fn new(until: Duration) -> Self {
        Self { until }
    }

    /// Its state now.
    pub fn at(self, now: Duration) -> Held {
        match now.checked_sub(self.until) {
            None => Held::Still,
            Some(late) if late > SLEPT => Held::Slept,
            Some(_) => Held::Over,
        }
    }

    /// Whole seconds left, those begun included.
    pub fn seconds(self, now: Duration) -> u64 {
        let left = self.until.saturating_sub(now);
        left.as_secs() + u64::from(left.subsec_nanos() > 0)
    }

    /// When the seconds change, or the hold ends.
    pub fn next_change(self, now: Duration) -> Duration {
        let whole = Duration::from_secs(self.seconds(now).saturating_sub(1));
        self.until.saturating_sub(whole).max(now)
    }
}

/// A confirmed message that has not left.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldSend {
    /// What leaves.
    pub sending: Box<Sending>,
    /// The text as the recipient reads it.
    pub text: String,
    /// The recipient, for people.
    pub who: String,
    /// The pane that sends it.
    pub owner: PaneId,
    hold: Hold,
    ends: Timestamp,
}

/// The held messages, the oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeldSends(Vec<HeldSend>);

impl HeldSends {
    /// Holds a message until then.
    pub fn hold(&mut self, owner: PaneId, sending: Box<Sending>, text: String, who: String, until: Moment) {
        self.0.push(HeldSend { sending, text, who, owner, hold: Hold::new(until.mono), ends: until.wall });
    }

    /// All of them.
    pub fn all(&self) -> &[HeldSend] {
        &self.0
    }

    /// Takes the newest back; `None` where nothing is held.
    pub fn take_back(&mut self) -> Option<HeldSend> {
        self.0.pop()
    }

    /// Takes all of them back.
    pub fn take_all_back(&mut self) -> Vec<HeldSend> {
        std::mem::take(&mut self.0)
    }

    /// Takes out those whose hold has ended; with each, false where the program or the machine slept meanwhile.
    pub fn take_due(&mut self, now: Moment) -> Vec<(HeldSend, bool)> {
        // The steady clock stands still while the machine sleeps; the clock on the wall does not.
        let awake = |held: &HeldSend| {
            let late = Duration::try_from(now.wall.duration_since(held.ends)).unwrap_or_default();
            held.hold.at(now.mono) == Held::Over && late <= SLEPT
        };
        let due = self.0.extract_if(.., |held| held.hold.at(now.mono) != Held::Still);
        due.map(|held| (awake(&held), held)).map(|(awake, held)| (held, awake)).collect()
    }

    /// When the seconds change, or a hold ends.
    pub fn next_change(&self, now: Duration) -> Option<Duration> {
        self.0.iter().map(|held| held.hold.next_change(now)).min()
    }

    /// What the line of notices says: the newest, which is taken back first, and how many wait beside it.
    pub fn words(&self, now: Duration) -> Option<String> {
        let newest = self.0.last()?;
        let others = match self.0.len() - 1 {
            0 => String::new(),
            others => format!(" (+{others})"),
        };
        Some(format!("Sending to {} in {} s{others}", newest.who, newest.hold.seconds(now)))
    }
}
