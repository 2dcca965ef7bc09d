//! How the Messaging pane carries the view for many recipients.

use super::super::{Front, ID, Messaging, PARTS};
use super::{BatchSetup, Bulk, CONFIRM};
use crate::messaging::Outcome;
use crate::records::{Intent, Unfinished, Watched};
use crate::ui::prelude::*;

/// At most so many recipients are watched; recipients of a batch beyond that are not.
const WATCHED_MAX: usize = 1000;

impl Messaging {
    /// Opens the view, or comes back to the batch that there is.
    pub(in super::super) fn open_bulk(&mut self, cx: &mut Context) {
        let goes_on = |bulk: &Bulk| bulk.hold().is_some() || bulk.running().is_some();
        if !self.bulk.as_deref().is_some_and(goes_on) {
            let template = self.selected_template().and_then(|template| template.id.known()).copied();
            let setup = match (self.sender().map(|sender| sender.id), template) {
                (None, _) => Err("there is no sender yet".to_owned()),
                (_, None) => Err("choose a template first".to_owned()),
                (Some(sender), Some(template)) => BatchSetup::new(&self.data, &cx.options, sender, template),
            };
            match setup {
                Ok(setup) => self.bulk = Some(Box::new(Bulk::new(setup, self.bulk.as_deref(), cx))),
                Err(why) => return cx.toast(format!("Not now: {why}")),
            }
        }
        self.front = Front::Bulk;
    }

    pub(in super::super) fn bulk_act(&mut self, action: Action, cx: &mut Context) {
        if action == Action::Outbox {
            return self.act_in_parts(action, cx);
        }
        if self.bulk.as_mut().is_some_and(|bulk| bulk.act(action, &self.data, cx)) {
            self.bulk.take_if(|bulk| bulk.running().is_some_and(|running| running.batch.is_over()));
            self.front = Front::Parts;
        }
    }

    /// True where a batch is about to start.
    pub(in super::super) fn holds_batch(&self) -> bool {
        self.bulk.as_ref().is_some_and(|bulk| bulk.hold().is_some())
    }

    pub(in super::super) fn take_back_batch(&mut self, cx: &mut Context) {
        if let Some(bulk) = self.bulk.as_mut().filter(|bulk| bulk.hold().is_some()) {
            bulk.take_back("Taken back: nothing was sent.");
            cx.toast("Taken back: the batch was not started");
        }
    }

    pub(in super::super) fn bulk_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if let (OverlayEvent::Confirmed(CONFIRM), Some(bulk)) = (event, &mut self.bulk) {
            bulk.confirmed(&self.data, cx);
        }
    }

    pub(in super::super) fn bulk_reply(&mut self, report: Report, cx: &mut Context) {
        let Some(bulk) = &mut self.bulk else { return };
        let Some(entry) = bulk.reply(report, cx) else { return };
        if let Some(text) = bulk.text_of(&entry) {
            self.outbox.says(entry.intent.id, text);
        }
        match &entry.outcome {
            // Whoever writes to the same recipient next is warned. A row of a batch has no draft.
            Some(Outcome::Unknown { .. }) => drop(self.outbox.settled(*entry, &mut self.data)),
            Some(Outcome::Accepted(_)) => {
                let Intent { sender_id, phone, name, .. } = entry.intent;
                if self.data.watch(sender_id, &phone).is_some() {
                    self.hurry(&(sender_id, phone), cx);
                } else if cx.options.settings.messaging.watch_batches && self.data.windows.len() < WATCHED_MAX {
                    self.watch(&[Watched { sender_id, phone, name }], cx);
                }
            }
            _ => {}
        }
    }
}

/// Tells of a batch that was interrupted, and the keys that lead to it.
pub(in super::super) fn tell_unfinished(unfinished: &Unfinished, cx: &mut Context) {
    let view = cx.view();
    let keys = [view.key(&[Scope::PANES], Action::Go(ID), ", then "), view.key(&[PARTS], Action::Many, " shows it.")];
    let (of, left) = (&unfinished.of, count(unfinished.left as u64, "row is", "rows are"));
    let file = of.path.file_name().unwrap_or(of.path.as_os_str()).to_string_lossy();
    let text = format!("The batch of {} was interrupted: {left} left of {}. {}", clean(&file), of.rows, keys.concat());
    cx.problem(text);
}
