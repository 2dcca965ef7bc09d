//! A message that did not leave, since the same was sent to the same person lately: it is asked about, naming that send.

use super::{Front, Messaging, words};
use crate::messaging::Outcome;
use crate::records::{Again, Entry};
use crate::tasks::Sending;
use crate::ui::held::{earlier_send, intent_id};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use uuid::Uuid;

/// The name of the dialog that asks.
const CONFIRM: &str = "again";
const LABEL: usize = 10;

/// A message on its way, as it was confirmed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Leaving {
    pub(super) sending: Sending,
    /// The text as the recipient reads it.
    pub(super) text: String,
    /// The recipient, for people.
    pub(super) who: String,
}

impl Messaging {
    /// The message that had this id while it was on its way.
    pub(super) fn left(&mut self, id: Uuid) -> Option<Leaving> {
        let at = self.leaving.iter().position(|leaving| leaving.sending.intent.id == id)?;
        Some(self.leaving.swap_remove(at))
    }

    /// Nothing was sent, since this earlier send was the same: asks whether to send it once more.
    pub(super) fn ask_again(&mut self, leaving: Leaving, earlier: &Entry, cx: &mut Context) {
        self.outbox.dropped(leaving.sending.intent.id, &mut self.data);
        let outcome = earlier.outcome.as_ref().map_or_else(|| "in flight".to_owned(), Outcome::words);
        let is_free = cx.shown && cx.overlays.top().is_none() && matches!(self.front, Front::Parts | Front::Outbox);
        if !is_free {
            let who = &leaving.who;
            let text = format!("Nothing was sent to {who}, who got the same recently ({outcome}). The draft is kept.");
            return cx.notices.urgent(text, cx.now);
        }
        let details = Details::new(LABEL)
            .wrapped("to", format!("{}  {}", leaving.who, words::phone(&leaving.sending.intent.phone)))
            .wrapped("text", leaving.text.clone());
        let details = earlier_send(details.section("The earlier message"), earlier, &cx.view());
        cx.open(CONFIRM, Confirm::new("Sent recently. Send it again?", details, "send again").unasked());
        let sending = Sending { again: Again::After(earlier.intent.id), ..leaving.sending };
        self.repeated = Some(Box::new(Leaving { sending, ..leaving }));
    }

    pub(super) fn again_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Confirmed(CONFIRM) => {
                let Some(Leaving { mut sending, text, who }) = self.repeated.take().map(|repeated| *repeated) else {
                    return;
                };
                sending.intent.id = intent_id(&sending.intent.phone, &text, &cx.options, cx.now);
                cx.hold(sending, text, who);
                self.outbox.hold(&cx.held, cx.now);
            }
            OverlayEvent::Cancelled(CONFIRM) => self.repeated = None,
            _ => {}
        }
    }
}
