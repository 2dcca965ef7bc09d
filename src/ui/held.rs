//! Messages and calls that were confirmed and wait to leave. Each can be taken back until then, while other work goes on.

use super::action::PaneId;
use super::ages::{date_and_time, next_second, seconds};
use super::message::{Instant, Moment};
use super::options::Options;
use super::pane::View;
use super::phone::phone;
use super::widgets::details::Details;
use crate::messaging::Outcome;
use crate::records::Entry;
use crate::tasks::{Event, Sending, TaskId};
use jiff::Timestamp;
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

/// How long one may be on its way before it is told that it waits.
const WAITS: Duration = Duration::from_secs(1);
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

/// Adds why the outbox cannot tell whether a message or call was sent before.
pub fn forgotten(details: Details, at: Timestamp, what: &str, view: &View<'_>) -> Details {
    let when = date_and_time(at, view.now.wall, view.zone);
    let why = format!("The outbox was deleted or replaced by an older copy, noticed {when}: it cannot tell {what}.");
    details.text(why).styled(view.options.theme.warning)
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
            format!("nothing was sent to {who}; {}", self.kept())
        }
    }

    /// What is left of it, in words: a login code is never stored.
    pub fn kept(&self) -> &'static str {
        if self.sending.is_code { "the code has to be typed again" } else { "the draft is kept" }
    }
}

/// A message or a call that was handed to the task channel, and has no outcome yet.
#[derive(Debug, Clone, PartialEq)]
pub struct OnItsWay {
    /// Its effect.
    pub id: TaskId,
    /// The recipient, for people.
    who: String,
    is_call: bool,
    /// True for a row of a file, which its batch tells of.
    is_row: bool,
    /// Until when the server has asked to wait.
    until: Option<Instant>,
    has_left: bool,
    /// Since when it has been there.
    since: Option<Instant>,
}

impl OnItsWay {
    /// It has just been handed over.
    pub fn new(id: TaskId, sending: &Sending) -> Self {
        let intent = &sending.intent;
        let who = intent.name.clone().unwrap_or_else(|| phone(&intent.phone));
        let (is_call, is_row) = (intent.is_call(), intent.row.is_some());
        Self { id, who, is_call, is_row, until: None, has_left: false, since: None }
    }

    /// Takes what the task channel tells of it.
    pub fn learn(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Left { id } if *id == self.id => (self.has_left, self.until) = (true, None),
            Event::Tried { id, attempt } if *id == self.id => {
                (self.until, self.has_left) = (attempt.retry_in.map(|wait| now + wait), attempt.retry_in.is_none());
            }
            _ => {}
        }
    }

    /// Time goes on.
    pub fn tick(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// True where it waits, and has for a moment, so that it is worth telling.
    pub fn waits(&self, now: Instant) -> bool {
        let is_seen = self.until.is_some() || self.since.is_some_and(|since| now - since >= WAITS);
        !self.has_left && !self.is_row && is_seen
    }

    fn next_change(&self, now: Instant) -> Option<Instant> {
        if self.has_left || self.is_row {
            return None;
        }
        let told = self.since.map_or(now, |since| since + WAITS);
        self.until.and_then(|until| next_second(until, now)).or(Some(told).filter(|_| !self.waits(now)))
    }

    fn words(&self, now: Instant) -> String {
        let what = if self.is_call { "call" } else { "send to" };
        let why = self.until.map(|until| format!(": the server asks to wait {} s", seconds(until - now)));
        format!("Waiting to {what} {}{}", self.who, why.unwrap_or_default())
    }
}

/// When the seconds of one change, a hold ends, or it is told that one waits.
pub fn next_change(held: &[HeldSend], sends: &[OnItsWay], now: Instant) -> Option<Instant> {
    let waits = sends.iter().filter_map(|send| send.next_change(now));
    held.iter().map(|held| held.hold.next_change(now)).chain(waits).min()
}

/// What the line of notices says, and what its key takes back: the only one, or the newest of several. What waits to leave
/// after its hold is told where nothing is held.
pub fn words(held: &[HeldSend], sends: &[OnItsWay], now: Instant) -> Option<(String, &'static str)> {
    let Some(next) = held.iter().min_by_key(|held| held.hold.until.mono) else {
        let waiting: Vec<_> = sends.iter().filter(|send| send.waits(now)).collect();
        return match waiting.as_slice() {
            [] => None,
            [one] => Some((one.words(now), "takes it back")),
            [.., newest] => {
                Some((format!("{} waiting, the newest: {}", waiting.len(), newest.words(now)), "takes that back"))
            }
        };
    };
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
    let codes = held.iter().any(|held| held.sending.is_code);
    Some(match (held.len(), calls) {
        (0, _) => return None,
        (1, 0) if codes => {
            "A message is waiting to be sent: q again quits, and its code has to be typed again".to_owned()
        }
        (1, 0) => "A message is waiting to be sent: q again quits, it is not sent, and its draft is kept".to_owned(),
        (all, 0) if codes => format!("{all} messages are waiting to be sent: q again quits, and they are not sent"),
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
