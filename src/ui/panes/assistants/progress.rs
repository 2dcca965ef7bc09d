//! Follows accepted calls until they are over.

use super::call::Calls;
use super::{Assistants, ID};
use crate::api::{Call, CallQuery, CallStatus, IsoTimestamp};
use crate::client::{Failure, FailureKind};
use crate::messaging::Accepted;
use crate::records::{Entry, Intent};
use crate::tasks::Answer;
use crate::ui::ages::date_and_time;
use crate::ui::pace::Pace;
use crate::ui::prelude::*;
use crate::ui::{format, phone};
use jiff::{SignedDuration, Timestamp};

/// Calls per assistant shown in the inspector.
const SHOWN: usize = 3;
/// By how much the server's clock may differ from this machine's.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(2);

/// A call that the server has accepted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Followed {
    assistant_id: i64,
    /// In E.164.
    phone: String,
    began: Timestamp,
    /// From the answer, or from the list once the call was found there.
    call_id: Option<i64>,
    /// As it last came.
    call: Option<Call>,
    /// False where the server shows calls only in its list.
    by_id: bool,
    pub(super) pace: Pace,
}

impl Followed {
    pub(super) fn new(entry: &Entry, accepted: &Accepted) -> Self {
        let Intent { sender_id, phone, .. } = &entry.intent;
        Self {
            assistant_id: *sender_id,
            phone: phone.clone(),
            began: entry.began,
            call_id: accepted.call_id,
            call: None,
            by_id: true,
            pace: Pace::default(),
        }
    }

    fn request(&self) -> Request {
        match self.call_id.filter(|_| self.by_id) {
            Some(id) => Request::GetCall { id },
            None => Request::ListCalls { query: CallQuery::newest(self.assistant_id, &self.phone) },
        }
    }

    /// The row of the list that is this call; `others` are the calls that are known to be others.
    fn find(&self, rows: &[Call], others: &[i64]) -> Option<Call> {
        let same = |call: &&Call| match (self.call_id, call.id.known()) {
            (Some(id), known) => known == Some(&id),
            (None, Some(id)) if others.contains(id) => false,
            (None, _) => call.created_at.known().is_none_or(|IsoTimestamp(at)| *at >= self.began - TOLERANCE),
        };
        rows.iter().find(same).cloned()
    }
}

impl Calls {
    /// Another server may tell more.
    pub(super) fn reconnected(&mut self) {
        self.untold = false;
    }

    /// What quitting would interrupt.
    pub(super) fn interrupts(&self) -> Option<&'static str> {
        let words = "A call is in flight: q again quits, and its outcome stays unknown";
        (!self.sent.is_empty()).then_some(words)
    }

    /// When a request is due.
    pub(super) fn next_change(&self) -> Option<Instant> {
        self.followed.iter().filter_map(|call| call.pace.next()).min()
    }

    /// The newest calls of an assistant, for its inspector.
    pub(super) fn describe(&self, assistant_id: i64, details: Details, view: &View<'_>) -> Details {
        let leaving =
            self.sent.iter().map(|(_, sending)| &sending.intent).filter(|call| call.sender_id == assistant_id);
        let leaving = leaving.map(|intent| (intent.phone.as_str(), "in flight".to_owned()));
        let of_it = self.followed.iter().rev().filter(|call| call.assistant_id == assistant_id).map(|call| {
            let when = date_and_time(call.began, view.now.wall, view.zone);
            let words = match &call.call {
                Some(told) => format::call(told),
                None if self.untold => "accepted, progress not known".to_owned(),
                None => "accepted".to_owned(),
            };
            (call.phone.as_str(), format!("{words}  {when}"))
        });
        let mut lines = leaving.chain(of_it).take(SHOWN).peekable();
        if lines.peek().is_none() {
            return details;
        }
        lines.fold(details.section("Calls from here"), |details, (to, words)| details.wrapped(phone::phone(to), words))
    }
}

impl Assistants {
    /// Polls the calls that are due.
    pub(super) fn follow_calls(&mut self, cx: &mut Context) {
        if !cx.is_connected() {
            return;
        }
        for call in &mut self.calls.followed {
            if call.pace.is_due(cx.now.mono) {
                call.pace.asked(cx.run(Origin { automatic: true, ..Origin::new(ID.0) }, call.request()));
            }
        }
    }

    /// Polls all unfinished calls now, where the server offers it.
    pub(super) fn hurry_calls(&mut self, cx: &mut Context) {
        let is_over = |call: &Call| call.status.known().is_some_and(CallStatus::is_over);
        let open = self.calls.followed.iter_mut().filter(|call| !call.call.as_ref().is_some_and(is_over));
        if !self.calls.untold {
            open.for_each(|call| call.pace.hurry(cx.now.mono));
        }
        self.follow_calls(cx);
    }

    pub(super) fn progressed(&mut self, at: usize, result: Result<Answer, Failure>, cx: &mut Context) {
        let others: Vec<i64> = self.calls.followed.iter().filter_map(|call| call.call_id).collect();
        let call = &mut self.calls.followed[at];
        let found = match result {
            Ok(Answer::Reply(reply)) => match *reply {
                Reply::GetCall(found) => Some(found),
                Reply::ListCalls(page) => call.find(page.rows(), &others),
                _ => None,
            },
            Ok(_) => None,
            Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => {
                if call.call_id.is_some() && call.by_id {
                    call.by_id = false;
                    call.pace.schedule(cx.now.mono, Duration::ZERO);
                } else {
                    self.calls.untold = true;
                    self.calls.followed.iter_mut().for_each(|call| call.pace.stop());
                }
                return;
            }
            // Until the token is replaced.
            Err(Failure { kind: FailureKind::Status { status: 401, .. }, .. }) => return,
            Err(failure) => return call.pace.schedule(cx.now.mono, failure.kind.retry_after().unwrap_or_default()),
        };
        let Some(found) = found else { return call.pace.schedule(cx.now.mono, Duration::ZERO) };
        call.call_id = found.id.known().copied().or(call.call_id);
        if found.status.known().is_some_and(CallStatus::is_over) {
            cx.toast(format!("The call to {}: {}", phone::phone(&call.phone), format::call(&found)));
            cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        } else {
            call.pace.schedule(cx.now.mono, Duration::ZERO);
        }
        call.call = Some(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed() -> Followed {
        Followed {
            assistant_id: 1,
            phone: "+4930901820".to_owned(),
            began: Timestamp::UNIX_EPOCH,
            call_id: Some(17),
            call: None,
            by_id: true,
            pace: Pace::default(),
        }
    }

    #[test]
    fn refused_token_ends_the_polling_until_it_is_asked_for() {
        let (mut pane, mut cx) = (Assistants::default(), Context::default());
        pane.calls.followed.push(followed());
        let refused = FailureKind::Status { status: 401, body: None, retry_after: None };
        pane.progressed(0, Err(Failure { operation: None, kind: refused }), &mut cx);
        assert_eq!(pane.calls.next_change(), None);
        pane.hurry_calls(&mut cx);
        assert_eq!(pane.calls.next_change(), Some(cx.now.mono));
    }
}
