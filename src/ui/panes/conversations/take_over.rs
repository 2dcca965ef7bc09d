//! Taking a conversation over from the AI, and handing it back.

use super::{Conversations, ID, format};
use crate::api::{Conversation, ErrorBody};
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use jiff::Timestamp;

/// The confirm dialog.
pub const TAKE_OVER: &str = "take over";

/// A change of who answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    conversation: String,
    /// The customer, for people.
    who: String,
    /// Whether the AI is to answer.
    on: bool,
}

impl Switch {
    /// The change from how it is; `None` where that is not known.
    pub fn of(row: &Conversation) -> Option<Self> {
        let (conversation, is_on) = (row.id.known()?.clone(), *row.ai_enabled.known()?);
        Some(Self { conversation, who: format::customer(row).into_owned(), on: !is_on })
    }

    /// True where a person answers from then on.
    pub fn is_take_over(&self) -> bool {
        !self.on
    }
}

/// What is asked and what is in flight.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TakeOver {
    asked: Option<Switch>,
    pending: Vec<(TaskId, Switch)>,
    /// The server has no such operation.
    is_missing: bool,
}

impl TakeOver {
    /// Whether the AI is about to answer in this conversation; `None` where that is not being changed.
    pub fn pending(&self, conversation: &str) -> Option<bool> {
        self.pending.iter().find(|(_, switch)| switch.conversation == conversation).map(|(_, switch)| switch.on)
    }
}

impl Conversations {
    /// Why the selected conversation can be neither taken over nor handed back.
    pub(super) fn disabled_take_over(&self) -> Option<&'static str> {
        let Some(row) = self.selected() else { return Some("no conversation is selected") };
        let id = row.id.known().filter(|id| !id.is_empty());
        match (id, row.ai_enabled.known()) {
            _ if self.take_over.is_missing => Some("this server cannot turn the AI of a conversation off"),
            (None, _) => Some("the server gives this conversation no id"),
            (_, None) => Some("the server does not tell whether the AI is on"),
            (Some(id), _) if self.take_over.pending(id).is_some() => Some("the last change has not been answered yet"),
            _ => None,
        }
    }

    /// What the key does with the selected conversation.
    pub(super) fn take_over_words(&self) -> &'static str {
        let off = self.selected().is_some_and(|row| row.ai_enabled.known() == Some(&false));
        if off { "hand back" } else { "take over" }
    }

    /// Since when a person here answers in this conversation.
    pub(super) fn taken_at(&self, row: &Conversation) -> Option<Timestamp> {
        let is_off = row.ai_enabled.known() == Some(&false);
        row.id.known().filter(|_| is_off).and_then(|id| self.saved.taken_at(id))
    }

    /// Asks before the AI is turned off or on.
    pub(super) fn ask_take_over(&mut self, cx: &mut Context) {
        let Some(row) = self.selected() else { return };
        let Some(switch) = Switch::of(row) else { return };
        let details = Details::new(11).field("Customer", switch.who.clone()).field("Assistant", format::assistant(row));
        let (details, title, verb) = if switch.on {
            let text = "The AI answers here again, from the customer's next message on. Nothing is sent.";
            (details.text("").text(text), "Hand this conversation back to the AI?", "hand back")
        } else {
            let text = "The AI stops answering here until you hand the conversation back. Nothing is sent.";
            (details.text("").text(text), "Take this conversation over?", "take over")
        };
        self.take_over.asked = Some(switch);
        cx.open(TAKE_OVER, Confirm::new(title, details, verb));
    }

    /// The dialog was answered with yes.
    pub(super) fn confirm_take_over(&mut self, cx: &mut Context) {
        if let Some(switch) = self.take_over.asked.take() {
            self.switch(switch, cx);
        }
    }

    /// Confirmed: shown at once, and undone where the server refuses.
    pub(super) fn switch(&mut self, switch: Switch, cx: &mut Context) {
        let uuid = switch.conversation.as_str().into();
        let request = if switch.on { Request::EnableAi { uuid } } else { Request::DisableAi { uuid } };
        let id = cx.run(Origin::new(ID.0), request);
        let since = (!switch.on).then_some(cx.now.wall);
        self.saved.take_over(&switch.conversation, since, cx);
        self.show_ai(&switch.conversation, switch.on);
        self.take_over.pending.push((id, switch));
        self.arrange(cx);
        self.sync(cx);
    }

    /// Takes the report of such a change; any other comes back.
    pub(super) fn take_over_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(at) = self.take_over.pending.iter().position(|(id, _)| *id == report.id) else { return Some(report) };
        let (_, switch) = self.take_over.pending.remove(at);
        let done = if switch.on { "handed back" } else { "taken over" };
        match report.result {
            Ok(_) => cx.toast(format!("{}: {done}", switch.who)),
            Err(failure) => {
                self.show_ai(&switch.conversation, !switch.on);
                // When it was taken over before is not known any more.
                self.saved.take_over(&switch.conversation, None, cx);
                self.take_over.is_missing = is_missing(&failure.kind);
                let why = why(&failure);
                if failure.kind.is_unclear() {
                    cx.problem(format!(
                        "Unknown whether {} was {done}: {why}. The list shows it once refreshed.",
                        switch.who
                    ));
                } else {
                    cx.problem(format!("{} was not {done}: {why}.", switch.who));
                }
            }
        }
        self.paged.refresh(cx);
        self.arrange(cx);
        None
    }

    fn show_ai(&mut self, conversation: &str, on: bool) {
        let rows = self.paged.list.source.rows_mut().iter_mut();
        for row in rows.filter(|row| row.data.id.known().is_some_and(|id| id == conversation)) {
            row.data.ai_enabled = on.into();
        }
        if let Some(line) = self.replies.line.as_mut().filter(|line| line.conversation() == Some(conversation)) {
            line.row.ai_enabled = on.into();
        }
    }
}

/// A conversation that is gone has a body of its own; without it the server does not know the path.
fn is_missing(kind: &FailureKind) -> bool {
    match kind {
        FailureKind::Status { status: 405, .. } => true,
        FailureKind::Status { status: 404, body, .. } => !matches!(body, Some(ErrorBody::Failed { .. })),
        _ => false,
    }
}

fn why(failure: &Failure) -> String {
    match &failure.kind {
        kind if is_missing(kind) => "this server cannot turn the AI of a conversation off".to_owned(),
        FailureKind::Status { status: 401 | 403, .. } => {
            "set automation_key_file in the profile; the server wants a key of its own for this".to_owned()
        }
        _ => explain(failure),
    }
}
