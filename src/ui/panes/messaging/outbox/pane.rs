//! What the pane does for the outbox.

use super::super::{Front, Messaging, PendingRequest};
use super::OutboxEvent;
use crate::records::{Mark, StorageRequest};
use crate::tasks::Work;
use crate::ui::action::Action;
use crate::ui::overlay::Overlay;
use crate::ui::panes::Context;
use crate::ui::widgets::confirm::Confirm;

/// The names of the dialogs.
const MARK_SENT: &str = "mark-sent";
const MARK_NOT_SENT: &str = "mark-not-sent";

impl Messaging {
    pub(in super::super) fn act_in_outbox(&mut self, action: Action, cx: &mut Context<'_>) {
        match self.outbox.act(action, &cx.view()) {
            OutboxEvent::None => {}
            OutboxEvent::Close => self.front = Front::Parts,
            OutboxEvent::Reload => self.load_outbox(cx),
            OutboxEvent::Check(intent) => drop(self.request(PendingRequest::Check(intent.id), Work::Check(intent), cx)),
            OutboxEvent::Confirm(mark) => {
                let (name, title) = match mark {
                    Mark::Sent => (MARK_SENT, "Mark this message as sent?"),
                    Mark::NotSent => (MARK_NOT_SENT, "Mark this message as not sent?"),
                };
                let details = super::draw::recipient_details(&self.outbox);
                cx.open(name, Overlay::Confirm(Box::new(Confirm::new(title, details, "mark"))));
            }
            OutboxEvent::WriteAgain { preset, freeform } => self.open_composer(preset, freeform, cx),
        }
    }

    /// A dialog was answered with yes.
    pub(in super::super) fn mark_confirmed(&mut self, name: &str, cx: &mut Context<'_>) {
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
