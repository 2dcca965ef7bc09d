//! What a message comes to: its outcome in words, or a question where nothing was sent, since the same was sent to the same
//! person lately.

use super::Facts;
use crate::client::Failure;
use crate::messaging::Outcome;
use crate::records::{Again, Entry};
use crate::tasks::{Answer, Sending};
use crate::ui::ages::time_today;
use crate::ui::held::{earlier_send, forgotten, intent_id};
use crate::ui::phone::phone;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use jiff::Timestamp;

/// The name of the dialog that asks.
const CONFIRM: &str = "again";
/// Cells for its labels.
const LABEL: usize = 10;

/// A message on its way, as it was confirmed.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaving {
    /// What leaves.
    pub sending: Sending,
    /// The text as the recipient reads it.
    pub text: String,
    /// The recipient, for people.
    pub who: String,
}

/// To whom it goes, and what it says.
fn about(leaving: &Leaving) -> Details {
    Details::new(LABEL)
        .wrapped("to", format!("{}  {}", leaving.who, phone(&leaving.sending.intent.phone)))
        .wrapped("text", leaving.text.clone())
}

/// The message that is asked about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Repeated(Option<Box<Leaving>>);

impl Repeated {
    /// Takes the result of a message that has left; returns its entry. Where nothing was sent, asks whether to send it, or
    /// where that would get in somebody's way (`free` is false) tells why.
    pub fn result(
        &mut self,
        result: Result<Answer, Failure>,
        leaving: Option<Leaving>,
        free: bool,
        cx: &mut Context,
    ) -> Option<Entry> {
        match (result, leaving) {
            (Ok(Answer::Sent(entry)), _) => return Some(*entry),
            (Ok(Answer::Recent(earlier)), Some(leaving)) => self.ask_again(leaving, &earlier, free, cx),
            (Ok(Answer::Forgotten(at)), Some(leaving)) => self.ask_forgotten(leaving, at, free, cx),
            (Ok(_), _) => {}
            (Err(failure), _) => {
                let why = explain(&failure);
                // Most reasons of the outbox begin with it.
                let why = why.strip_prefix("Nothing was sent: ").unwrap_or(&why);
                cx.problem(format!("Nothing was sent: {why}."));
            }
        }
        None
    }

    fn ask_again(&mut self, leaving: Leaving, earlier: &Entry, free: bool, cx: &mut Context) {
        let outcome = earlier.outcome.as_ref().map_or_else(|| "in flight".to_owned(), Outcome::words);
        if !free {
            let who = &leaving.who;
            let text = format!("Nothing was sent to {who}, who got the same recently ({outcome}). The draft is kept.");
            return cx.notices.urgent(text, cx.now);
        }
        let details = earlier_send(about(&leaving).section("The earlier message"), earlier, &cx.view());
        cx.open(CONFIRM, Confirm::new("Sent recently. Send it again?", details, "send again").unasked());
        let sending = Sending { again: Again::After(earlier.intent.id), ..leaving.sending };
        self.0 = Some(Box::new(Leaving { sending, ..leaving }));
    }

    /// The outbox may have forgotten that it was sent before.
    fn ask_forgotten(&mut self, leaving: Leaving, at: Timestamp, free: bool, cx: &mut Context) {
        let who = &leaving.who;
        if !free {
            let why = "the outbox was deleted or replaced, and cannot tell whether they got this before";
            return cx.notices.urgent(format!("Nothing was sent to {who}: {why}. The draft is kept."), cx.now);
        }
        let details =
            forgotten(about(&leaving).section("Sent before?"), at, &format!("whether {who} got this"), &cx.view());
        cx.open(CONFIRM, Confirm::new("Perhaps sent before. Send it?", details, "send").unasked());
        let sending = Sending { again: Again::Forgotten, ..leaving.sending };
        self.0 = Some(Box::new(Leaving { sending, ..leaving }));
    }

    /// Takes the answer of the dialog. The message is held under another id; true where it is.
    pub fn answer(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        let repeated = match event {
            OverlayEvent::Confirmed(CONFIRM) => self.0.take(),
            OverlayEvent::Cancelled(CONFIRM) => {
                self.0 = None;
                None
            }
            _ => None,
        };
        let Some(Leaving { mut sending, text, who }) = repeated.map(|repeated| *repeated) else { return false };
        sending.intent.id = intent_id(&sending.intent.phone, &text, &cx.options, cx.now);
        cx.hold(sending, text, who);
        true
    }
}

/// A message to a number that was sent, or is about to be, and has no outcome yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedSend {
    /// The number, in E.164.
    pub phone: String,
    /// When it was confirmed.
    pub began: Timestamp,
    /// True while it is held or in flight; false where its outcome is unknown.
    pub leaving: bool,
}

impl UnresolvedSend {
    /// Why the recipient may have got a message already, in a sentence.
    pub fn warning(sends: &[Self], phone: &str, facts: &Facts<'_>) -> Option<String> {
        let send = sends.iter().find(|send| send.phone == phone)?;
        let began = time_today(send.began, facts.view.now, facts.view.zone);
        let message = format!("a message of {began} to this number");
        Some(if send.leaving {
            format!("{message} is still being sent")
        } else {
            format!("delivery of {message} is unknown; check the conversation before sending again")
        })
    }
}

/// Tells the outcome of a message; `outbox` says where the outbox is: "o", "o in Messaging".
pub fn tell(entry: &Entry, outbox: &str, cx: &mut Context) {
    let who = entry.intent.name.clone().unwrap_or_else(|| phone(&entry.intent.phone));
    match &entry.outcome {
        Some(Outcome::Accepted(_)) => cx.toast(format!("Accepted: the message to {who}")),
        Some(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) => {
            let said = refusal.words.trim_end_matches('.');
            cx.problem(format!("Not sent to {who}: {said}. {outbox} shows what to do."));
        }
        Some(Outcome::Unknown { .. }) => {
            let said =
                format!("Delivery to {who} unknown. Check the conversation before sending again; {outbox} helps.");
            cx.notices.urgent(said, cx.now);
        }
        None => {}
    }
}
