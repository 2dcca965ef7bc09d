//! The selected call is requested while it is under way, and where the list leaves out what was said.

use super::super::ID;
use super::rows::Row;
use crate::api::Call;
use crate::client::{Failure, FailureKind};
use crate::ui::pace::Pace;
use crate::ui::prelude::*;

/// A selection that stays for so long rests.
const REST: Duration = Duration::from_millis(150);

/// The selected call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Followed {
    id: Option<i64>,
    pace: Pace,
    /// As it last came by itself.
    call: Option<Call>,
    /// No request is worth another try until somebody asks for it.
    stopped: bool,
}

impl Followed {
    /// The row's call as it came by itself, where that is no older than the row.
    fn own(&self, row: &Row) -> Option<&Call> {
        let time = |call: &Call| call.updated_at.known().map(|time| time.0);
        self.call.as_ref().filter(|own| own.id == row.data.id && time(own) >= time(&row.data))
    }

    /// The row's call as it was last heard of.
    pub fn current<'a>(&'a self, row: &'a Row) -> &'a Call {
        self.own(row).unwrap_or(&row.data)
    }

    /// Follows the selected row. What is due is requested by [`Self::request`].
    pub fn select(&mut self, row: Option<&Row>, now: Instant) {
        let id = row.and_then(|row| row.data.id.known().copied());
        if self.id != id {
            *self = Self { id, ..Self::default() };
        }
        let Some(row) = row.filter(|_| id.is_some() && self.pace.is_idle() && !self.stopped) else { return };
        if self.own(row).is_none() && row.data.transcript.is_missing() {
            self.pace.hurry(now + REST);
        } else if self.current(row).is_under_way() {
            self.pace.schedule(now, Duration::ZERO);
        }
    }

    /// Somebody wants it anew.
    pub fn hurry(&mut self, now: Instant) {
        self.stopped = false;
        if self.id.is_some() {
            self.pace.hurry(now);
        }
    }

    /// Requests the call where that is due.
    pub fn request(&mut self, cx: &mut Context) {
        if let Some(id) = self.id.filter(|_| cx.is_connected() && self.pace.is_due(cx.now.mono)) {
            let origin = Origin { automatic: true, ..Origin::new(ID.0) };
            self.pace.asked(cx.run(origin, Request::GetCall { id }));
        }
    }

    /// When a request is due.
    pub fn next(&self) -> Option<Instant> {
        self.pace.next()
    }

    /// True where this is its request.
    pub fn is_pending(&mut self, report: &Report) -> bool {
        self.pace.answered(report.id)
    }

    /// Takes the report of its request: the call where it has come.
    pub fn reply(&mut self, report: Report, now: Instant) -> Option<&Call> {
        match report.result.map(|answer| answer.reply(Reply::get_call)) {
            Ok(Some(call)) if call.id.known().copied() == self.id => {
                if call.is_under_way() {
                    self.pace.schedule(now, Duration::ZERO);
                }
                return Some(self.call.insert(call));
            }
            // The list tells what is gone, and what failed.
            Ok(_) => self.stopped = true,
            Err(failure) => self.failed(&failure, now),
        }
        None
    }

    fn failed(&mut self, failure: &Failure, now: Instant) {
        self.stopped = matches!(failure.kind, FailureKind::Status { status: 401 | 404 | 405, .. });
        if !self.stopped {
            self.pace.schedule(now, failure.kind.retry_after().unwrap_or_default());
        }
    }
}
