//! Messages that were confirmed and wait to leave. Each can be taken back until then, while other work goes on.

use super::action::PaneId;
use super::message::Moment;
use crate::tasks::Sending;
use std::time::Duration;

/// A hold that ends so much later than it should has been slept through, and nobody could take it back.
const SLEPT: Duration = Duration::from_secs(5);

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
    /// When it leaves.
    until: Moment,
}

impl HeldSend {
    /// Whole seconds left, those begun included.
    fn seconds(&self, now: Duration) -> u64 {
        let left = self.until.mono.saturating_sub(now);
        left.as_secs() + u64::from(left.subsec_nanos() > 0)
    }
}

/// The held messages, the oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeldSends(Vec<HeldSend>);

impl HeldSends {
    /// Holds a message until then.
    pub fn hold(&mut self, owner: PaneId, sending: Box<Sending>, text: String, who: String, until: Moment) {
        self.0.push(HeldSend { sending, text, who, owner, until });
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
        let due = self.0.extract_if(.., |held| held.until.mono <= now.mono);
        due.map(|held| {
            // The monotonic clock stands still while the machine sleeps; the wall clock does not.
            let late = Duration::try_from(now.wall.duration_since(held.until.wall)).unwrap_or_default();
            let awake = late.max(now.mono - held.until.mono) <= SLEPT;
            (held, awake)
        })
        .collect()
    }

    /// When the seconds change, or a hold ends.
    pub fn next_change(&self, now: Duration) -> Option<Duration> {
        let change = |held: &HeldSend| {
            let later = Duration::from_secs(held.seconds(now).saturating_sub(1));
            held.until.mono.saturating_sub(later).max(now)
        };
        self.0.iter().map(change).min()
    }

    /// What the line of notices says: the newest, which is taken back first, and how many wait beside it.
    pub fn words(&self, now: Duration) -> Option<String> {
        let newest = self.0.last()?;
        let others = match self.0.len() - 1 {
            0 => String::new(),
            others => format!(" (+{others})"),
        };
        Some(format!("Sending to {} in {} s{others}", newest.who, newest.seconds(now)))
    }
}
