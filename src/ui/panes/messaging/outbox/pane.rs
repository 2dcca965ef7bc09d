//! What the pane does for the outbox.

use super::super::{Front, Messaging, PendingRequest};
use super::{EvidenceCheck, draw, preset};
use crate::records::{Mark, StorageRequest};
use crate::tasks::Work;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;

/// The names of the dialogs.
const MARK_SENT: &str = "mark-sent";
const MARK_NOT_SENT: &str = "mark-not-sent";

impl Messaging {
    pub(in super::super) fn act_in_outbox(&mut self, action: Action, cx: &mut Context) {
        let intent = self.outbox.selected_entry().map(|entry| entry.intent.clone());
        match (action, intent) {
            (Action::Back, _) if self.outbox.details.is_none() && !self.outbox.is_narrowed() => {
                self.front = Front::Parts;
            }
            (Action::Copy, Some(intent)) => cx.copy("Number", intent.phone),
            (Action::CopyAll, Some(_)) => cx.copy("Text", self.outbox.selected().and_then(|row| row.text.clone())),
            (Action::Refresh, _) => self.load_outbox(cx),
            (Action::Check, Some(intent)) => {
                self.outbox.check(intent.id, EvidenceCheck::InFlight);
                self.request(PendingRequest::Check(intent.id), Work::Check(Box::new(intent)), cx);
            }
            (Action::MarkSent, Some(intent)) => {
                let as_what = if intent.is_call() { "call as made" } else { "message as sent" };
                self.confirm_mark(MARK_SENT, &format!("Mark this {as_what}?"), cx);
            }
            (Action::MarkNotSent, Some(intent)) => {
                let as_what = if intent.is_call() { "call as not made" } else { "message as not sent" };
                self.confirm_mark(MARK_NOT_SENT, &format!("Mark this {as_what}?"), cx);
            }
            (Action::Send, Some(intent)) => self.open_composer(preset(&intent), intent.template().is_none(), cx),
            (action, _) => self.outbox.act(action, &cx.view()),
        }
    }

    fn confirm_mark(&self, name: &'static str, title: &str, cx: &mut Context) {
        let details = draw::recipient_details(&self.outbox);
        cx.open(name, Confirm::new(title, details, "mark"));
    }

    /// A dialog was answered with yes.
    pub(in super::super) fn mark_confirmed(&mut self, name: &str, cx: &mut Context) {
        let mark = match name {
            MARK_SENT => Mark::Sent,
            MARK_NOT_SENT => Mark::NotSent,
            _ => return,
        };
        let Some(id) = self.outbox.selected_entry().map(|entry| entry.intent.id) else { return };
        self.store("The mark", StorageRequest::MarkEntry { id, mark }, cx);
        if let Some(discarded) = self.outbox.marked(id, mark, &mut self.data) {
            self.store("The draft", discarded, cx);
        }
        self.load_outbox(cx);
    }
}
