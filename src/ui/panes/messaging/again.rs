//! A message that did not leave, since the same was sent to the same person lately: it is asked about, naming that send.

use super::{Front, Messaging, words};
use crate::messaging::Outcome;
use crate::records::{Again, Entry};
use crate::tasks::Sending;
use crate::ui::held::{earlier_send, forgotten, intent_id};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use jiff::Timestamp;
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

/// To whom it goes, and what it says.
fn about(leaving: &Leaving) -> Details {
    Details::new(LABEL)
        .wrapped("to", format!("{}  {}", leaving.who, words::phone(&leaving.sending.intent.phone)))
        .wrapped("text", leaving.text.clone())
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
        if !self.is_free(cx) {
            let who = &leaving.who;
            let text = format!("Nothing was sent to {who}, who got the same recently ({outcome}). The draft is kept.");
            return cx.notices.urgent(text, cx.now);
        }
        let details = earlier_send(about(&leaving).section("The earlier message"), earlier, &cx.view());
        cx.open(CONFIRM, Confirm::new("Sent recently. Send it again?", details, "send again").unasked());
        let sending = Sending { again: Again::After(earlier.intent.id), ..leaving.sending };
        self.repeated = Some(Box::new(Leaving { sending, ..leaving }));
    }

    /// Nothing was sent, since the outbox may have forgotten that it was sent before: asks whether to send it.
    pub(super) fn ask_forgotten(&mut self, leaving: Leaving, at: Timestamp, cx: &mut Context) {
        self.outbox.dropped(leaving.sending.intent.id, &mut self.data);
        let who = &leaving.who;
        if !self.is_free(cx) {
            let why = "the outbox was deleted or replaced, and cannot tell whether they got this before";
            return cx.notices.urgent(format!("Nothing was sent to {who}: {why}. The draft is kept."), cx.now);
        }
        let details =
            forgotten(about(&leaving).section("Sent before?"), at, &format!("whether {who} got this"), &cx.view());
        cx.open(CONFIRM, Confirm::new("Perhaps sent before. Send it?", details, "send").unasked());
        let sending = Sending { again: Again::Forgotten, ..leaving.sending };
        self.repeated = Some(Box::new(Leaving { sending, ..leaving }));
    }

    /// True where a question may open without getting in the way.
    fn is_free(&self, cx: &Context) -> bool {
        cx.shown && cx.overlays.top().is_none() && matches!(self.front, Front::Parts | Front::Outbox)
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
