//! The window of the customer whose conversation is read.

use super::fetch::{Budget, Target, Version};
use crate::api::{Conversation, ConversationType, Field, Party};
use crate::client::Failure;
use crate::messaging::{LastMessage, Remaining, ServerClock, Window};
use crate::tasks::{Event, TaskId};
use crate::ui::prelude::*;
use jiff::Timestamp;

/// Windows that are kept.
const KNOWN_MAX: usize = 64;

/// A window is requested again after this.
const FRESH: Duration = Duration::from_secs(300);

/// A sender's number at the service, and a recipient in E.164.
pub type Key = (i64, String);

/// Windows as they were last told.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Windows {
    clock: ServerClock,
    pending: Option<(TaskId, Known)>,
    known: Vec<Known>,
}

/// A window as it was told.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    key: Key,
    /// The conversation for which it was requested, and what the list said of that.
    of: (String, Version),
    at: Instant,
    /// `None` where the server did not tell it.
    window: Option<Window>,
    last_message: LastMessage,
    /// Why it could not be requested.
    failure: Option<Failure>,
}

impl Known {
    /// False once there is something new in the conversation, or after a while.
    fn is_fresh(&self, target: &Target, now: Instant) -> bool {
        let is_changed = self.of.0 == target.id && self.of.1 != target.version;
        !is_changed && self.at + FRESH > now
    }
}

fn phone(party: &Field<Party>) -> Option<&str> {
    party.known().and_then(|party| party.phone.as_deref())
}

/// Sender and recipient of a messaging conversation, where the server lists its senders.
pub fn key(row: &Conversation, data: &Data) -> Option<Key> {
    let (from, to) = (phone(&row.msgapp_sender)?, phone(&row.customer)?);
    let senders = data.senders.value()?;
    let sender = senders.iter().find(|sender| sender.phone_number.known().is_some_and(|number| number == from))?;
    Some((*sender.id.known()?, to.to_owned()))
}

impl Windows {
    /// Requests the window of this conversation's customer, unless it is known.
    pub fn want(&mut self, row: &Conversation, target: &Target, budget: &mut Budget, cx: &mut Context) {
        let is_messaging = row.kind.known() == Some(&ConversationType::Msgapp);
        if !is_messaging || phone(&row.customer).is_none() || phone(&row.msgapp_sender).is_none() {
            return;
        }
        cx.data.want(Item::Senders, &mut cx.tasks, cx.now);
        let Some(key) = key(row, &cx.data).filter(|_| self.pending.is_none()) else { return };
        let now = cx.now.mono;
        let is_known = self.known.iter().any(|known| known.key == key && known.is_fresh(target, now));
        if !is_known && budget.take(true, now) {
            self.request(key, target, true, cx);
        }
    }

    /// Requests this window now, unless it is in flight.
    pub fn fetch(&mut self, key: Key, target: &Target, cx: &mut Context) {
        if let Some((id, pending)) = &self.pending {
            if pending.key == key {
                return;
            }
            cx.cancel(*id);
        }
        self.request(key, target, false, cx);
    }

    fn request(&mut self, key: Key, target: &Target, automatic: bool, cx: &mut Context) {
        let request = Request::session_status(key.0, &key.1);
        let id = cx.run(Origin { automatic, ..Origin::new(super::ID.0) }, request);
        let of = (target.id.clone(), target.version);
        let (window, last_message, failure) = (None, LastMessage::default(), None);
        self.pending = Some((id, Known { key, of, at: cx.now.mono, window, last_message, failure }));
    }

    /// Takes its reply; any other report comes back.
    pub fn reply(&mut self, report: Report, now: Moment) -> Option<Report> {
        let Some((_, mut known)) = self.pending.take_if(|(id, _)| *id == report.id) else { return Some(report) };
        match report.result.map(|answer| answer.reply(Reply::get_session_status).unwrap_or_default()) {
            Ok(status) => {
                known.window = Window::read(&status, self.server_now(now));
                known.last_message = LastMessage::read(&status);
            }
            // What was told before still holds, as far as is known.
            Err(_) if self.told(&known.key).is_some_and(|told| told.is_ok()) => return None,
            Err(failure) => known.failure = Some(failure),
        }
        self.known.retain(|other| other.key != known.key);
        if self.known.len() == KNOWN_MAX {
            self.known.remove(0);
        }
        self.known.push(known);
        None
    }

    /// Hears the server's time.
    pub fn hear(&mut self, event: &Event, now: Moment) {
        if let Event::Tried { attempt, .. } = event
            && let Some(time) = attempt.server_time
        {
            self.clock.heard(time, attempt.took, now.mono);
        }
    }

    /// Somebody has written in this conversation: its window is requested again.
    pub fn expire(&mut self, conversation: &str) {
        self.known
            .iter_mut()
            .filter(|known| known.of.0 == conversation)
            .for_each(|known| known.of.1 = Version::default());
    }

    /// Now, by the server's clock.
    pub fn server_now(&self, now: Moment) -> Timestamp {
        self.clock.now(now.wall, now.mono)
    }

    /// The window of this sender and recipient and what is told of their last message, as last loaded; or why not.
    pub fn told(&self, key: &Key) -> Option<Result<(Option<Window>, LastMessage), &Failure>> {
        let known = self.known.iter().find(|known| known.key == *key)?;
        Some(known.failure.as_ref().map_or(Ok((known.window, known.last_message)), Err))
    }

    /// What is left of the window of this conversation, where it is known.
    pub fn remaining(&self, row: &Conversation, view: &View<'_>) -> Option<Remaining> {
        let (window, _) = self.told(&key(row, view.data)?)?.ok()?;
        Some(Remaining::of(window?, self.server_now(view.now)))
    }
}
