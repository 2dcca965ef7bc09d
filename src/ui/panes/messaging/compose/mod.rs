//! Writing a message: the form of a template or of a freeform message, its draft, and the dialog that asks before it is
//! sent. A confirmed message is held by the app, and passes the same rules once more before it leaves.

mod drafts;
mod draw;
mod form;
pub(super) mod format;
mod history;
mod pane;
mod suggestions;
mod template;

use self::form::MessageForm;
use self::history::History;
use super::MessagingData;
use crate::messaging::{Remaining, ServerClock, Window};
use crate::records::DraftKey;
use crate::ui::compose::drafts::Drafts;
use crate::ui::compose::message::CheckedMessage;
use crate::ui::compose::{Facts, Known, LABEL, UnresolvedSend};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::form::FormEvent;
use jiff::Timestamp;

pub use drafts::remember;

/// How long after a request has failed it is made again.
const RETRY: Duration = Duration::from_secs(10);

/// What the composer knows at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a> {
    /// The server's side of messaging.
    pub known: &'a MessagingData,
    /// Now by the server's clock.
    pub server_now: Timestamp,
    /// Settings, time and place.
    pub view: View<'a>,
}

impl<'a> Snapshot<'a> {
    /// What is known now.
    pub fn new(known: &'a MessagingData, clock: &ServerClock, view: View<'a>) -> Self {
        Self { known, server_now: clock.now(view.now.wall, view.now.mono), view }
    }

    /// What a message depends on.
    pub fn facts(&self) -> Facts<'a> {
        Facts { known: self.known, server_now: self.server_now, view: self.view }
    }

    /// The window of a recipient, watched or not, at this moment; `None` while it has not been loaded.
    pub fn window(&self, sender_id: i64, phone: &str) -> Option<Window> {
        self.known.window(sender_id, phone).map(|window| window.at(self.server_now))
    }
}

/// What a form opens with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preset {
    /// The sender.
    pub sender_id: Option<i64>,
    /// The recipient, in E.164.
    pub phone: Option<String>,
    /// The recipient's name.
    pub name: Option<String>,
    /// The template.
    pub template_id: Option<i64>,
}

/// The composer.
#[derive(Debug, Clone, PartialEq)]
pub struct Composer {
    pub(super) message: MessageForm,
    /// The message that the confirm dialog asks about.
    confirming: Option<Box<CheckedMessage>>,
    drafts: Drafts,
    unresolved: Vec<UnresolvedSend>,
    /// The requests made so far; where one has failed, when it is made again.
    requested: Vec<(Request, Option<Instant>)>,
    /// The result of the last key, in a sentence.
    note: Option<String>,
    /// The end of the conversation that a freeform message continues.
    history: History,
}

impl Composer {
    /// The form of a template or a freeform message; where no window is open, always that of a template. It warns before
    /// somebody is written to again who may have got one of the unresolved messages.
    pub fn new(preset: Preset, freeform: bool, unresolved: Vec<UnresolvedSend>, context: &Snapshot<'_>) -> Self {
        let only_template = form::only_template(&preset, context).filter(|_| freeform);
        let is_freeform = freeform && only_template.is_none();
        let open = if is_freeform { MessageForm::freeform } else { MessageForm::template };
        let message = open(preset, context);
        let drafts = Drafts::new(message.draft_state(context), Vec::new());
        let note = only_template.map(str::to_owned);
        let history = History::default();
        Self { message, confirming: None, drafts, unresolved, requested: Vec::new(), note, history }
    }

    /// Why the recipient may have got a message already, in a sentence.
    fn warning(&self, context: &Snapshot<'_>) -> Option<String> {
        let (_, phone) = self.message.pair(context)?;
        UnresolvedSend::warning(&self.unresolved, &phone, &context.facts())
    }

    /// Brings everything in line with what the form took: a key, a click, a text, or nothing.
    fn after(&mut self, event: FormEvent, context: &Snapshot<'_>) {
        if event != FormEvent::Ignored {
            self.note = None;
        }
        self.message.own_draft.clone_from(&self.drafts.own);
        self.message.refresh(context);
        self.save(context, event == FormEvent::Cancel);
    }

    /// Saves the draft where that is due, or at once where `leaving`.
    fn save(&mut self, context: &Snapshot<'_>, leaving: bool) {
        self.drafts.watch(self.message.draft_state(context), &context.known.drafts, context.view.now, leaving);
    }

    /// The form was submitted: the dialog that asks before the message is sent, where it passes all rules.
    fn review(&mut self, context: &Snapshot<'_>) -> Option<Confirm> {
        if self.message.form.text_of(form::THEN) == "template" {
            self.save(context, true);
            self.message = MessageForm::template(self.message.preset.clone(), context);
            self.drafts = Drafts::new(self.message.draft_state(context), std::mem::take(&mut self.drafts.queue));
            return None;
        }
        match CheckedMessage::new(self.message.message(context)?, self.message.name(), &context.facts()) {
            Ok(message) => {
                let confirm = message.confirm(self.warning(context), &context.facts());
                self.confirming = Some(Box::new(message));
                Some(confirm)
            }
            Err(fault) => {
                self.message.form.focus(&fault.field);
                self.note = Some(format!("Not yet: {}.", fault.sentence.trim_end_matches('.')));
                None
            }
        }
    }

    /// The key of the form's draft, where one is known to be stored.
    fn stored_draft(&self, context: &Snapshot<'_>) -> Option<DraftKey> {
        let key = self.message.draft_state(context).key;
        context.known.drafts.iter().any(|draft| draft.key() == key).then_some(key)
    }

    /// The confirm dialog was answered with yes: the message to hold, if it may still be sent.
    fn confirmed(&mut self, context: &Snapshot<'_>) -> Option<CheckedMessage> {
        let message = self.confirming.take()?;
        self.save(context, true);
        let now = CheckedMessage::recheck(&message.sending, &message.text, &context.facts());
        now.inspect_err(|why| self.note = Some(format!("Nothing was sent: {why}."))).ok()
    }

    /// True once something was typed into a freeform message.
    pub fn is_begun(&self) -> bool {
        !self.message.form.text_of(form::MESSAGE).is_empty()
    }

    /// When something changes by itself.
    pub fn next_change(&self, context: &Snapshot<'_>) -> Option<Instant> {
        let pair = self.message.pair(context);
        let window = pair.and_then(|(sender_id, phone)| context.window(sender_id, &phone));
        let changes_in = window.and_then(|window| Remaining::of(window, context.server_now).changes_in());
        let countdown = changes_in.map(|span| context.view.now.mono + span);
        let retry = self.requested.iter().filter_map(|(_, retry)| *retry).min();
        [countdown, self.drafts.next_change(), retry].into_iter().flatten().min()
    }

    /// What it needs from the server: each request once, and again a while after it has failed.
    fn take_requests(&mut self, context: &Snapshot<'_>) -> Vec<Request> {
        let unknown = self.message.sender_id().filter(|id| context.known.templates_of(*id).is_none());
        let templates = unknown.map(|sender_id| Request::ListTemplates { sender_id });
        // A number that is being typed is not requested digit by digit. Windows that are not watched are not polled.
        let pair = self.message.pair(context).filter(|_| !self.message.is_at_phone());
        let watched = |id: i64, phone: &str| context.known.watch(id, phone).is_some_and(|watch| watch.window.is_some());
        let unwatched = pair.filter(|(sender_id, phone)| !watched(*sender_id, phone));
        let window = unwatched.map(|(sender_id, phone)| Request::session_status(sender_id, &phone));
        self.requested.retain(|(_, retry)| retry.is_none_or(|retry| retry > context.view.now.mono));
        let is_new = |request: &Request| self.requested.iter().all(|(requested, _)| requested != request);
        let requests: Vec<Request> = templates.into_iter().chain(window).filter(is_new).collect();
        self.requested.extend(requests.iter().map(|request| (request.clone(), None)));
        requests
    }

    /// A request has failed; `wait` is what the server asks for.
    pub fn failed(&mut self, request: &Request, wait: Duration, now: Instant) {
        if let Some((_, retry)) = self.requested.iter_mut().find(|(requested, _)| requested == request) {
            *retry = Some(now + wait.max(RETRY));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
