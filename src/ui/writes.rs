//! Writes of records that every pane with an editor has: the deletion that a dialog asks about or that is in flight, and
//! the writes that the server has no operation for.

use super::prelude::*;
use super::widgets::confirm::Confirm;
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;
use std::collections::BTreeSet;

/// The name of the dialog.
pub const DELETE: &str = "delete";

/// The deletion of a record `T`, one at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Deletion<T>(Option<Asked<T>>);

/// What the dialog asks about, or whose deletion is in flight.
#[derive(Debug, Clone, PartialEq)]
struct Asked<T> {
    record: T,
    /// What it is called.
    name: String,
    /// The request, once the dialog was confirmed.
    task: Option<TaskId>,
}

impl<T> Default for Deletion<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deletion<T> {
    /// Why none can be asked for now.
    pub fn disabled(&self) -> Option<&'static str> {
        self.0.as_ref().map(|_| "a deletion is in flight")
    }

    /// Asks before a record is deleted.
    pub fn ask(&mut self, record: T, name: String, dialog: Confirm, cx: &mut Context) {
        self.0 = Some(Asked { record, name, task: None });
        cx.open(DELETE, dialog);
    }

    /// Takes the answer of its dialog and sends the request; false where the event is of another one.
    pub fn answer(&mut self, event: OverlayEvent, cx: &mut Context, request: impl FnOnce(&T) -> Request) -> bool {
        match event {
            OverlayEvent::Confirmed(DELETE) => {
                if let Some(asked) = &mut self.0 {
                    asked.task = Some(cx.run(Origin::new(cx.pane.0), request(&asked.record)));
                }
            }
            OverlayEvent::Cancelled(DELETE) => self.0 = None,
            _ => return false,
        }
        true
    }

    /// Ends with the report of its request: the record and its name. `None` where the report is of something else.
    pub fn end(&mut self, report: &Report) -> Option<(T, String)> {
        self.0.take_if(|asked| asked.task == Some(report.id)).map(|asked| (asked.record, asked.name))
    }
}

/// The writes that the server has no operation for: `created`, `saved`, `deleted` or another word of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Unsupported(BTreeSet<&'static str>);

impl Unsupported {
    /// True where the server was found to have no such operation.
    pub fn has(&self, write: &str) -> bool {
        self.0.contains(write)
    }

    /// The server has no such operation.
    pub fn add(&mut self, write: &'static str) {
        self.0.insert(write);
    }

    /// Learns it from a failure. 404 may also say that there is no such record, unless it is created.
    pub fn learn(&mut self, write: &'static str, creates: bool, failure: &Failure) {
        match failure.kind {
            FailureKind::Status { status: 405, .. } => self.add(write),
            FailureKind::Status { status: 404, .. } if creates => self.add(write),
            _ => {}
        }
    }
}
