//! The panes: each has its state, what its keys do, and its drawing.

pub mod activity;
pub mod conversations;
pub mod messaging;
mod polling;

use super::message::{Effect, Moment};
use super::notices::Notices;
use super::options::Options;
use crate::client::{Failure, FailureKind};
use crate::tasks::{self, Origin, Task, TaskId};
use jiff::tz::TimeZone;

/// What a pane may use while it handles a message.
#[derive(Debug)]
pub struct Context<'a> {
    /// Now.
    pub now: Moment,
    /// How the interface was started.
    pub options: &'a Options,
    /// The user's time zone.
    pub zone: &'a TimeZone,
    /// Where effects go.
    pub effects: &'a mut Vec<Effect>,
    /// Where the user is told things.
    pub notices: &'a mut Notices,
    /// The last task id that was given out.
    pub last_id: &'a mut u64,
}

impl Context<'_> {
    /// Asks the task channel for something.
    pub fn run(&mut self, origin: Origin, task: impl Into<Task>) -> TaskId {
        *self.last_id += 1;
        let id = TaskId(*self.last_id);
        self.effects.push(Effect::Run(tasks::Effect::new(id, origin, task)));
        id
    }

    /// The answer to this is no longer wanted.
    pub fn cancel(&mut self, id: TaskId) {
        self.effects.push(Effect::Cancel(id));
    }
}

/// What failed and why, for people: "Conversations: the server did not answer (timed out after 30 s)".
pub fn explain(failure: &Failure) -> String {
    match &failure.kind {
        FailureKind::Unreachable(cause) => format!("the server cannot be reached ({cause})"),
        FailureKind::NoAnswer(cause) => format!("the server did not answer ({cause})"),
        FailureKind::Status { status: 401, .. } => {
            "the server does not accept the token (401); check SWITCHBOARD_TOKEN or the profile".to_owned()
        }
        FailureKind::Status { status, body, .. } => match body {
            Some(body) => {
                let faults: Vec<&str> =
                    body.field_errors().map(|(_, fault)| fault).filter(|fault| *fault != body.words()).collect();
                let words = body.words().trim_end_matches('.');
                if faults.is_empty() {
                    format!("the server says \"{words}\" ({status})")
                } else {
                    format!("the server says \"{words}\" ({status}): {}", faults.join(" "))
                }
            }
            None => format!("the server answered with status {status} and no reason"),
        },
        FailureKind::Unreadable(cause) => format!("the server's answer is not in the expected format ({cause})"),
        FailureKind::Cancelled => "cancelled".to_owned(),
        FailureKind::Local(why) => why.clone(),
        FailureKind::Internal(cause) => format!("an internal fault ({cause}); the log has more"),
    }
}
