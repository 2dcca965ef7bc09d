//! Messages that were confirmed and wait to leave. Each can be taken back until then, while other work goes on.

use super::action::PaneId;
use super::message::Moment;
use crate::tasks::Sending;
use std::time::Duration;

/// A hold that ends so much later than it should has been slept through.
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
    pub until: Moment,
}

impl HeldSend {
    /// True where the program or the machine slept through the end of the hold, and nobody could take it back.
    pub fn was_slept_through(&self, now: Moment) -> bool {
        // The monotonic clock stands still while the machine sleeps; the wall clock does not.
        let late = Duration::try_from(now.wall.duration_since(self.until.wall)).unwrap_or_default();
        late.max(now.mono.saturating_sub(self.until.mono)) > SLEPT
    }

    /// Whole seconds left, those begun included.
    fn seconds(&self, now: Duration) -> u64 {
        let left = self.until.mono.saturating_sub(now);
        left.as_secs() + u64::from(left.subsec_nanos() > 0)
    }
}

/// When the seconds of one change, or a hold ends.
pub fn next_change(held: &[HeldSend], now: Duration) -> Option<Duration> {
    let change = |held: &HeldSend| {
        let later = Duration::from_secs(held.seconds(now).saturating_sub(1));
        held.until.mono.saturating_sub(later).max(now)
    };
    held.iter().map(change).min()
}

/// What the line of notices says: the newest, which is taken back first, and how many wait beside it.
pub fn words(held: &[HeldSend], now: Duration) -> Option<String> {
    let (newest, others) = held.split_last()?;
    let others = if others.is_empty() { String::new() } else { format!(" (+{})", others.len()) };
    Some(format!("Sending to {} in {} s{others}", newest.who, newest.seconds(now)))
}
