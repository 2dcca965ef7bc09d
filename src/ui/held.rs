//! Messages and calls that were confirmed and wait to leave. Each can be taken back until then, while other work goes on.

use super::action::PaneId;
use super::ages::{date_and_time, next_second, seconds};
use super::message::{Instant, Moment};
use super::options::Options;
use super::pane::View;
use super::widgets::details::Details;
use crate::messaging::Outcome;
use crate::records::Entry;
use crate::tasks::Sending;
use std::time::Duration;
use uuid::Uuid;

/// Ids of sends and calls are derived below this one.
const NAMESPACE: Uuid = Uuid::from_u128(0x8a2f_6c1e_51b7_4c0d_9e3a_77d0_12c4_be65);

/// The id of a send or call that is confirmed now. Unique without randomness, which the interface does not have: from
/// the moment, to the nanosecond on two clocks, and from what is sent.
pub fn intent_id(phone: &str, text: &str, options: &Options, now: Moment) -> Uuid {
    let (wall, mono) = (now.wall.as_nanosecond(), now.mono.since_start().as_nanos());
    let place = options.place.profile();
    Uuid::new_v5(&NAMESPACE, format!("{place}\n{wall}\n{mono}\n{phone}\n{text}").as_bytes())
}

/// A hold that ends so much later than it should has been slept through.
const SLEPT: Duration = Duration::from_secs(5);

/// Until when something is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    until: Moment,
}

/// The state of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// It can be taken back.
    Still,
    /// It is over.
    Over,
    /// It ended while the program was stopped, or the machine slept: nobody could take it back.
    Slept,
}

impl Hold {
    /// A hold until then.
    pub fn new(until: Moment) -> Self {
        Self { until }
    }

    /// Its state now. The monotonic clock may stand still while the machine sleeps, the wall clock does not.
    pub fn at(self, now: Moment) -> Held {
        if now.mono < self.until.mono {
            return Held::Still;
        }
        let by_wall = Duration::try_from(now.wall.duration_since(self.until.wall)).unwrap_or_default();
        if (now.mono - self.until.mono).max(by_wall) > SLEPT { Held::Slept } else { Held::Over }
    }

    /// Whole seconds left, those begun included.
    pub fn seconds(self, now: Instant) -> u64 {
        seconds(self.until.mono - now)
    }

    /// When the seconds change, or the hold ends.
    pub fn next_change(self, now: Instant) -> Instant {
        next_second(self.until.mono, now).unwrap_or(now)
    }
}

/// Adds what is known of the earlier send that a message or call would repeat.
pub fn earlier_send(details: Details, earlier: &Entry, view: &View<'_>) -> Details {
    let when = date_and_time(earlier.began, view.now.wall, view.zone);
    let outcome = earlier.outcome.as_ref().map_or_else(|| "in flight".to_owned(), Outcome::words);
    let row = earlier.intent.row.as_ref().map(|row| format!("line {} of a file", row.line));
    let details = details.field("when", when).wrapped("outcome", outcome);
    let details = if let Some(row) = row { details.field("from", row) } else { details };
    details.field("profile", earlier.intent.profile.clone())
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
    /// Until it leaves.
    pub hold: Hold,
}

impl HeldSend {
    /// That it has not left, and never will.
    pub fn nothing_left(&self) -> String {
        let who = &self.who;
        if self.sending.intent.is_call() {
            format!("{who} was not called")
        } else {
            format!("nothing was sent to {who}; the draft is kept")
        }
    }
}

/// When the seconds of one change, or a hold ends.
pub fn next_change(held: &[HeldSend], now: Instant) -> Option<Instant> {
    held.iter().map(|held| held.hold.next_change(now)).min()
}

/// What the line of notices says, and what its key takes back: the only one, or the newest of several.
pub fn words(held: &[HeldSend], now: Instant) -> Option<(String, &'static str)> {
    let next = held.iter().min_by_key(|held| held.hold.until.mono)?;
    let seconds = next.hold.seconds(now);
    let calls = held.iter().filter(|held| held.sending.intent.is_call()).count();
    Some(match (held.len(), calls) {
        (1, 0) => (format!("Sending to {} in {seconds} s", next.who), "takes it back"),
        (1, _) => (format!("Calling {} in {seconds} s", next.who), "takes it back"),
        (all, 0) => (format!("{all} sending, next in {seconds} s"), "takes back the newest"),
        (all, _) => (format!("{all} sending or calling, next in {seconds} s"), "takes back the newest"),
    })
}

/// What quitting would do to what is held, as a question to the user.
pub fn quitting(held: &[HeldSend]) -> Option<String> {
    let calls = held.iter().filter(|held| held.sending.intent.is_call()).count();
    Some(match (held.len(), calls) {
        (0, _) => return None,
        (1, 0) => "A message is waiting to be sent: q again quits, it is not sent, and its draft is kept".to_owned(),
        (1, _) => "A call is waiting to be made: q again quits, and it is not made".to_owned(),
        (all, 0) => {
            format!(
                "{all} messages are waiting to be sent: q again quits, they are not sent, and their drafts are kept"
            )
        }
        (all, _) => format!("{all} messages and calls are waiting: q again quits, and none of them leaves"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hold_that_was_slept_through_ended_long_ago_by_either_clock() {
        let seconds = Duration::from_secs;
        let now = Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: Instant::START };
        let hold = Hold::new(now.plus(seconds(5)));
        assert_eq!((hold.at(now), hold.seconds(now.mono)), (Held::Still, 5));
        assert_eq!(hold.at(now.plus(seconds(6))), Held::Over);
        assert_eq!(hold.at(now.plus(seconds(60))), Held::Slept, "the program was stopped");
        let slept = Moment { mono: Instant::after(seconds(5)), ..now.plus(seconds(60)) };
        assert_eq!(hold.at(slept), Held::Slept, "the machine slept");
    }
}
