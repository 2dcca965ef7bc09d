//! Writing a message: the form of a template or of a freeform message, its draft, and the dialog that asks before it is
//! sent. A confirmed message is held by the app and departs by [`departing`], through the same rules once more.

mod drafts;
mod draw;
pub(super) mod format;
mod freeform;
mod message;
mod pane;
mod suggestions;
mod template;

use self::drafts::{Drafts, Typed};
use self::freeform::FreeformForm;
use self::message::CheckedMessage;
use self::template::TemplateForm;
use super::MessagingData;
use crate::api::rules::Fault;
use crate::client::Request;
use crate::messaging::Remaining;
use crate::records::StorageRequest;
use crate::ui::action::{Action, Scope};
use crate::ui::input::Input;
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::form::{Form, FormEvent};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::layout::Rect;
use std::time::Duration;

pub(super) use drafts::forget_sent;
pub use drafts::remember;
pub(super) use message::departing;

/// How long after a request has failed it is made again.
const RETRY: Duration = Duration::from_secs(10);

/// What the composer and the outbox know at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a> {
    /// The server's side of messaging.
    pub known: &'a MessagingData,
    /// The settings.
    pub options: &'a Options,
    /// The user's time zone.
    pub zone: &'a TimeZone,
    /// Now.
    pub now: Moment,
    /// Now by the server's clock.
    pub server_now: Timestamp,
    /// Where everything is drawn.
    pub body: Rect,
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

/// What the pane is to do after a key.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub enum ComposerEvent {
    /// Nothing.
    Stay,
    /// Close the composer; nothing is sent.
    Close,
    /// Ask before the message is sent.
    Confirm(Box<Confirm>),
    /// Open this text in the user's editor.
    Edit(String),
}

#[derive(Debug, Clone, PartialEq)]
enum Page {
    Template(Box<TemplateForm>),
    Freeform(Box<FreeformForm>),
}

impl Page {
    fn form(&self) -> &Form {
        match self {
            Self::Template(page) => &page.form,
            Self::Freeform(page) => &page.form,
        }
    }

    fn form_mut(&mut self) -> &mut Form {
        match self {
            Self::Template(page) => &mut page.form,
            Self::Freeform(page) => &mut page.form,
        }
    }

    fn refresh(&mut self, context: &Snapshot<'_>) {
        match self {
            Self::Template(page) => page.refresh(context),
            Self::Freeform(page) => page.refresh(context),
        }
    }

    /// The message, where it passes all rules.
    fn check(&self, context: &Snapshot<'_>) -> Result<CheckedMessage, Fault> {
        let (outgoing, name) = match self {
            Self::Template(page) => (page.message(context), page.name()),
            Self::Freeform(page) => (page.message(), page.preset.name.clone()),
        };
        CheckedMessage::new(outgoing.ok_or_else(|| Fault::new("", "sender or recipient is missing"))?, name, context)
    }

    fn typed(&self, context: &Snapshot<'_>) -> Typed {
        match self {
            Self::Template(page) => page.typed(context),
            Self::Freeform(page) => page.typed(),
        }
    }

    /// Sender and recipient, where both are known.
    fn pair(&self, context: &Snapshot<'_>) -> Option<(i64, String)> {
        match self {
            Self::Template(page) => page.pair(context),
            Self::Freeform(page) => page.pair(),
        }
    }
}

/// The composer.
#[derive(Debug, Clone, PartialEq)]
pub struct Composer {
    page: Page,
    /// The message that the confirm dialog asks about.
    confirming: Option<Box<CheckedMessage>>,
    drafts: Drafts,
    unresolved: Vec<UnresolvedSend>,
    /// The requests made so far; where one has failed, when it is made again.
    requested: Vec<(Request, Option<Duration>)>,
    /// What came of the last key, in a sentence.
    note: Option<String>,
}

impl Composer {
    /// The form of a template message. It warns before somebody is written to again who may have got a message already.
    pub fn template(preset: Preset, unresolved: Vec<UnresolvedSend>, context: &Snapshot<'_>) -> Self {
        Self::new(Page::Template(Box::new(TemplateForm::new(preset, context))), unresolved, context)
    }

    /// The form of a freeform message; where no window is open, that of a template.
    pub fn freeform(preset: Preset, unresolved: Vec<UnresolvedSend>, context: &Snapshot<'_>) -> Self {
        if let Some(why) = freeform::only_template(&preset, context) {
            return Self { note: Some(why.to_owned()), ..Self::template(preset, unresolved, context) };
        }
        Self::new(Page::Freeform(Box::new(FreeformForm::new(preset, context))), unresolved, context)
    }

    fn new(page: Page, unresolved: Vec<UnresolvedSend>, context: &Snapshot<'_>) -> Self {
        let drafts = Drafts::new(page.typed(context));
        Self { page, confirming: None, drafts, unresolved, requested: Vec::new(), note: None }
    }

    /// The scopes of its keys.
    pub fn scopes(&self) -> &'static [Scope] {
        self.page.form().scopes()
    }

    /// Why the recipient may have got a message already, in a sentence.
    fn caution(&self, context: &Snapshot<'_>) -> Option<String> {
        let (_, phone) = self.page.pair(context)?;
        let send = self.unresolved.iter().find(|send| send.phone == phone)?;
        let at = format::time(send.began, context);
        Some(if send.leaving {
            format!("a message of {at} to this number is still being sent")
        } else {
            format!(
                "delivery of a message of {at} to this number is unknown; check the conversation before sending again"
            )
        })
    }

    // Keys.

    /// Takes an action.
    pub fn act(&mut self, action: Action, context: &Snapshot<'_>) -> ComposerEvent {
        self.note = None;
        let area = draw::form_area(&self.page, context.body);
        self.page.form_mut().resize(area);
        let event = match &mut self.page {
            Page::Template(page) => page.act(action, context),
            Page::Freeform(page) => page.form.act(action),
        };
        self.after(event, context)
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input, context: &Snapshot<'_>) -> ComposerEvent {
        self.note = None;
        let event = self.page.form_mut().text(input);
        self.after(event, context)
    }

    /// Takes a click.
    pub fn click(&mut self, x: u16, y: u16, context: &Snapshot<'_>) -> ComposerEvent {
        let area = draw::form_area(&self.page, context.body);
        let form = self.page.form_mut();
        form.resize(area);
        let event = form.click(x, y);
        self.after(event, context)
    }

    /// The focused text comes back from the user's editor.
    pub fn edited(&mut self, text: &str, context: &Snapshot<'_>) -> ComposerEvent {
        let form = self.page.form_mut();
        let focused = form.focused().to_owned();
        form.set(&focused, text);
        self.after(FormEvent::Changed, context)
    }

    fn after(&mut self, event: FormEvent, context: &Snapshot<'_>) -> ComposerEvent {
        self.page.refresh(context);
        let event = match event {
            FormEvent::Cancel => ComposerEvent::Close,
            FormEvent::OpenEditor => {
                ComposerEvent::Edit(self.page.form().text_of(self.page.form().focused()).to_owned())
            }
            FormEvent::Submit => self.review(context),
            FormEvent::Ignored | FormEvent::Moved | FormEvent::Changed | FormEvent::Focused => ComposerEvent::Stay,
        };
        self.drafts.watch(self.page.typed(context), context, event == ComposerEvent::Close);
        event
    }

    fn review(&mut self, context: &Snapshot<'_>) -> ComposerEvent {
        if let Page::Freeform(page) = &self.page
            && page.form.text_of(freeform::THEN) == "template"
        {
            let preset = page.preset.clone();
            self.turn_to_template(preset, context);
            return ComposerEvent::Stay;
        }
        match self.page.check(context) {
            Ok(message) => {
                let confirm = message.confirm(self.caution(context), context);
                self.confirming = Some(Box::new(message));
                ComposerEvent::Confirm(Box::new(confirm))
            }
            Err(fault) => {
                self.page.form_mut().focus(&fault.field);
                self.note = Some(format!("Not yet: {}.", fault.sentence.trim_end_matches('.')));
                ComposerEvent::Stay
            }
        }
    }

    fn turn_to_template(&mut self, preset: Preset, context: &Snapshot<'_>) {
        self.drafts.watch(self.page.typed(context), context, true);
        let (saves, unresolved) = (self.take_saves(), std::mem::take(&mut self.unresolved));
        *self = Self::template(preset, unresolved, context);
        self.drafts.queue(saves);
    }

    /// The confirm dialog was answered with yes: the message to hold, if it may still be sent.
    pub(super) fn confirmed(&mut self, context: &Snapshot<'_>) -> Option<CheckedMessage> {
        let message = self.confirming.take()?;
        self.drafts.watch(self.page.typed(context), context, true);
        let now = message::recheck(&message.outgoing, message.name.as_ref(), &message.text, context);
        now.inspect_err(|why| self.note = Some(format!("Nothing was sent: {why}."))).ok()
    }

    /// The confirm dialog was answered with no, or closed.
    pub fn cancelled(&mut self) {
        self.confirming = None;
    }

    // Time, storage and requests.

    /// Takes the time, and what has become known since the last look.
    pub fn tick(&mut self, context: &Snapshot<'_>) {
        self.page.refresh(context);
        self.drafts.watch(self.page.typed(context), context, false);
    }

    /// When something changes by itself.
    pub fn next_change(&self, context: &Snapshot<'_>) -> Option<Duration> {
        let window = self.page.pair(context).and_then(|(sender_id, phone)| context.known.window(sender_id, &phone));
        let window = window.map(|window| window.at(context.server_now));
        let countdown = window.and_then(|window| Remaining::of(window, context.server_now).changes_in());
        let countdown = countdown.map(|span| context.now.mono + span);
        let retry = self.requested.iter().filter_map(|(_, retry)| *retry).min();
        [countdown, self.drafts.next_change(), retry].into_iter().flatten().min()
    }

    /// The program stops or ends, or the pane is left: what was typed is saved.
    pub fn put_aside(&mut self, context: &Snapshot<'_>) {
        self.confirming = None;
        self.drafts.watch(self.page.typed(context), context, true);
    }

    /// True where something that was typed is saved as a draft.
    pub fn left_draft(&self) -> bool {
        self.drafts.has_saved()
    }

    /// The drafts to save or delete since the last call.
    pub fn take_saves(&mut self) -> Vec<StorageRequest> {
        self.drafts.take()
    }

    /// What it needs from the server: each request once, and again a while after it has failed.
    pub fn take_requests(&mut self, context: &Snapshot<'_>) -> Vec<Request> {
        let (templates, typing) = match &self.page {
            Page::Template(page) => {
                let unknown = page.sender_id().filter(|id| context.known.templates_of(*id).is_none());
                (unknown.map(|sender_id| Request::ListTemplates { sender_id }), page.is_at_phone())
            }
            Page::Freeform(_) => (None, false),
        };
        // A number that is being typed is not asked for digit by digit. Windows of others are not polled.
        let pair = self.page.pair(context).filter(|_| !typing);
        let unwatched = |(sender_id, phone): &(i64, String)| {
            context.known.watch(*sender_id, phone).is_none_or(|watch| watch.window.is_none())
        };
        let window = pair.filter(unwatched).map(|(sender_id, phone)| Request::session_status(sender_id, &phone));
        let mut requests: Vec<Request> = templates.into_iter().chain(window).collect();
        self.requested.retain(|(_, retry)| retry.is_none_or(|retry| retry > context.now.mono));
        requests.retain(|request| self.requested.iter().all(|(requested, _)| requested != request));
        self.requested.extend(requests.iter().map(|request| (request.clone(), None)));
        requests
    }

    /// A request of [`Composer::take_requests`] has failed; `wait` is what the server asks for.
    pub fn failed(&mut self, request: &Request, wait: Duration, now: Duration) {
        if let Some((_, retry)) = self.requested.iter_mut().find(|(requested, _)| requested == request) {
            *retry = Some(now + wait.max(RETRY));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
