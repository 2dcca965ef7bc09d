//! The line in which a reply is written.

use super::super::Conversations;
use super::super::keys::REPLYING;
use super::super::reading::window::{self, Key};
use super::super::take_over::Switch;
use super::{AtHand, Stored};
use crate::api::rules::Fault;
use crate::api::{Conversation, SendFreeform};
use crate::messaging::{Outgoing, Window};
use crate::records::{Draft, DraftKey, StorageRequest};
use crate::ui::compose::drafts::{DraftState, Drafts};
use crate::ui::compose::message::CheckedMessage;
use crate::ui::prelude::*;
use crate::ui::route::{Customer, Route};
use crate::ui::widgets::form::FormEvent;
use jiff::Timestamp;

/// The form that asks who answers from now on.
pub const ANSWERS: &str = "who answers";
const WHO: &str = "who";
const TAKE_OVER: &str = "take over";

/// The path of the text.
const MESSAGE: &str = "message";
/// Rows of the text.
const ROWS: std::ops::RangeInclusive<usize> = 1..=5;
/// Rows that a problem may take below it.
const ROWS_BELOW: u16 = 3;

/// A reply that is being written.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its conversation as it was last listed: it stays on screen where the list has it no more.
    pub row: Conversation,
    /// The recipient's name.
    pub name: Option<String>,
    /// Sender and recipient; `None` while the senders are loading.
    pub key: Option<Key>,
    /// Its text.
    pub form: Form,
    /// Its draft, once sender and recipient are known.
    pub(super) drafts: Option<Drafts>,
    /// What the confirm dialog asks about.
    pub(super) confirming: Option<Box<CheckedMessage>>,
    /// Whether that dialog says that the AI may answer too.
    pub(super) told_of_ai: bool,
    /// Variables of canned replies that were not known, as they stand in the text.
    pub(super) unfilled: Vec<String>,
    /// A closed window leads to a template while nothing has been typed.
    route: Route,
}

impl Line {
    /// The UUID of its conversation.
    pub fn conversation(&self) -> Option<&str> {
        self.row.id.known().map(String::as_str)
    }

    /// What is typed.
    pub fn text(&self) -> &str {
        self.form.text_of(MESSAGE)
    }

    /// Says something below the text, until that changes.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        drop(self.form.set_refused(vec![Fault::new(MESSAGE, text)]));
    }

    /// Warns of something below the text, until that changes.
    pub(super) fn warn(&mut self, text: String) {
        drop(self.form.set_warnings(vec![Fault::new(MESSAGE, text)]));
    }

    /// The message, once sender and recipient are known.
    pub(super) fn message(&self) -> Option<Outgoing> {
        let (sender_id, recipient_phone) = self.key.clone()?;
        Some(Outgoing::Freeform(SendFreeform { sender_id, recipient_phone, message: self.text().trim().to_owned() }))
    }

    pub(super) fn draft_key(&self) -> Option<DraftKey> {
        let (sender_id, phone) = self.key.clone()?;
        Some(DraftKey { phone, template_id: None, writer: Some(sender_id) })
    }

    fn draft_state(&self) -> Option<DraftState> {
        let (sender_id, phone) = self.key.clone()?;
        let draft = Draft {
            sender_id: Some(sender_id),
            phone,
            template_id: None,
            name: self.name.clone().unwrap_or_default(),
            values: std::collections::BTreeMap::new(),
            message: Some(self.text().to_owned()),
            saved: Timestamp::UNIX_EPOCH,
        };
        let is_begun = !self.text().trim().is_empty();
        Some(DraftState { key: self.draft_key()?, draft: is_begun.then_some(draft), filled: true, stays: true })
    }

    /// When its draft is saved.
    pub fn next_change(&self) -> Option<Instant> {
        self.drafts.as_ref()?.next_change()
    }

    /// Rows that it takes in this width.
    pub fn rows(&self, width: u16) -> u16 {
        let most = u16::try_from(*ROWS.end()).unwrap_or(u16::MAX) + ROWS_BELOW;
        self.form.rows_needed(width).clamp(1, most)
    }
}

impl Conversations {
    /// True while a reply is written.
    pub(in super::super) fn is_replying(&self) -> bool {
        self.inspecting && self.replies.line.is_some()
    }

    /// True where the AI answers in a conversation, or may still: turning it off has not been answered.
    pub(super) fn may_ai_answer(&self, row: &Conversation) -> bool {
        let id = row.id.known();
        row.ai_enabled.known() == Some(&true) || id.is_some_and(|id| self.take_over.pending(id).is_some())
    }

    /// Writes to the customer of the selected conversation: below its messages while the window is open, with a template
    /// once it is closed. Where the AI answers, asks first who answers from now on.
    pub(in super::super) fn reply(&mut self, cx: &mut Context) {
        let Some(row) = self.selected().cloned() else { return };
        let customer = match Customer::of(&row) {
            Err(reason) => return cx.toast(format!("Not now: {reason}")),
            Ok(customer) => customer,
        };
        // Without an id there is no telling which conversation a line belongs to.
        if row.id.known().is_none_or(String::is_empty) || self.needs_template(&row, cx) {
            return cx.go(Route::WriteTo(customer));
        }
        if row.ai_enabled.known() == Some(&true) && self.disabled_take_over().is_none() {
            return self.ask_who_answers(row, cx);
        }
        self.open_line(&row, cx);
    }

    /// True where a freeform message cannot be written from here: the window is known to be closed, or the sender cannot
    /// be known.
    fn needs_template(&self, row: &Conversation, cx: &Context) -> bool {
        let senders = &cx.data.senders;
        let Some(key) = window::key(row, &cx.data) else {
            return senders.value().is_some() || senders.failure().is_some_and(is_missing);
        };
        match self.reading.windows.told(&key) {
            Some(Ok((Some(window), _))) => !is_open(window, self.reading.windows.server_now(cx.now)),
            Some(Err(failure)) => is_missing(failure),
            _ => false,
        }
    }

    fn ask_who_answers(&mut self, row: Conversation, cx: &mut Context) {
        let choices = vec![Value::new(TAKE_OVER, "Take over and reply"), Value::new("both", "Reply anyway")];
        let form = Form::new(vec![FormField::choice(WHO, "Then", choices, TAKE_OVER)]).quick();
        let mut dialog = FormDialog::new("The AI answers in this conversation", "go on", form);
        dialog.about = Details::new(0)
            .text("Unless you take over, the customer may get an answer of the AI as well.")
            .styled(cx.options.theme.dim);
        self.replies.asked = Some(Box::new(row));
        cx.open(ANSWERS, dialog);
    }

    pub(super) fn submit_who_answers(&mut self, cx: &mut Context) {
        let who = cx.overlays.submit(ANSWERS, |form| Ok(form.text_of(WHO).to_owned()));
        let (Some(who), Some(asked)) = (who, self.replies.asked.take()) else { return };
        // Somebody may have turned the AI off meanwhile, and the list may have another conversation in its place.
        let row = asked.id.known().and_then(|id| self.listed(id)).cloned().unwrap_or(*asked);
        self.open_line(&row, cx);
        if who == TAKE_OVER
            && let Some(switch) = Switch::of(&row).filter(Switch::is_take_over)
        {
            self.switch(switch, cx);
        }
    }

    pub(super) fn open_line(&mut self, row: &Conversation, cx: &mut Context) {
        let Ok(customer) = Customer::of(row) else { return };
        self.leave_line(cx);
        (self.inspecting, self.paged.list.narrowing) = (true, false);
        let hint = cx.view().key(REPLYING, Action::Back, " leaves it; the text is kept");
        let kept = row.id.known().and_then(|id| self.replies.kept.remove(id)).unwrap_or_default();
        let text = FormField::text(MESSAGE, "Reply", &kept, ROWS, None).eager().hint(hint);
        self.replies.line = Some(Box::new(Line {
            row: row.clone(),
            name: customer.name().map(str::to_owned),
            key: None,
            form: Form::new(vec![text]),
            drafts: None,
            confirming: None,
            told_of_ai: false,
            unfilled: Vec::new(),
            route: Route::WriteTo(customer),
        }));
        self.open_reading(cx);
        if cx.data.senders.value().is_none() {
            cx.data.fetch(Item::Senders, &mut cx.tasks, cx.now);
        }
        cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
        self.replies.store(Stored::Outbox, StorageRequest::ListOutbox { limit: 100 }, cx);
        self.follow_line(cx);
    }

    /// Brings the line in line with what is known by now: its conversation, its sender, its draft, the window. It stays
    /// where the list has its conversation no more: what is typed is for the customer on screen.
    pub(in super::super) fn follow_line(&mut self, cx: &mut Context) {
        let Some(row) = self.replies.row() else { return };
        let listed = row.id.known().and_then(|id| self.listed(id)).filter(|listed| *listed != row).cloned();
        if let (Some(listed), Some(line)) = (listed, &mut self.replies.line) {
            line.row = listed;
        }
        self.find_key(cx);
        self.check_window(cx);
        self.watch_draft(false, cx);
    }

    /// Sender and recipient are known: fills in their draft, and requests their window.
    fn find_key(&mut self, cx: &mut Context) {
        let row = self.shown_row().cloned();
        let Some((line, row)) = self.replies.line.as_mut().filter(|line| line.key.is_none()).zip(row) else { return };
        let Some(key) = window::key(&row, &cx.data) else { return };
        line.key = Some(key.clone());
        let saved = self.replies.drafts.iter().find(|draft| Some(draft.key()) == line.draft_key());
        let saved = saved.and_then(|draft| draft.message.clone()).unwrap_or_default();
        let typed = line.text().to_owned();
        line.form.set(MESSAGE, &saved);
        line.drafts = line.draft_state().map(|seen| Drafts::new(seen, Vec::new()));
        // What was typed meanwhile stands below what was kept.
        if !typed.is_empty() {
            line.form.set(MESSAGE, &if saved.is_empty() { typed } else { format!("{saved}\n{typed}") });
        }
        if let Some(target) = super::super::reading::Target::of(&row)
            && self.reading.windows.told(&key).is_none_or(|told| told.is_err())
        {
            self.reading.windows.fetch(key, &target, cx);
        }
    }

    /// Goes to the template form where the window turns out to be closed before anything was typed.
    fn check_window(&mut self, cx: &mut Context) {
        let row = self.shown_row().cloned();
        let needs = row.is_some_and(|row| self.needs_template(&row, cx));
        let Some(line) = self.replies.line.as_ref().filter(|_| needs && cx.shown && cx.overlays.top().is_none()) else {
            return;
        };
        if line.text().trim().is_empty() {
            cx.go(line.route.clone());
            self.replies.line = None;
        }
    }

    /// Saves the draft where that is due, or at once where the line is left.
    pub(super) fn watch_draft(&mut self, leaving: bool, cx: &mut Context) {
        let Some(line) = &mut self.replies.line else { return };
        let Some(state) = line.draft_state() else { return };
        if let Some(drafts) = &mut line.drafts {
            drafts.watch(state, &self.replies.drafts, cx.now, leaving);
        }
        self.replies.save(cx);
    }

    /// Closes the line; its text is kept as the draft of the conversation. True where there is one.
    pub(in super::super) fn leave_line(&mut self, cx: &mut Context) -> bool {
        self.watch_draft(true, cx);
        let Some(line) = self.replies.line.take() else { return false };
        if line.confirming.is_some() {
            cx.overlays.close(super::SEND);
        }
        let has_text = !line.text().trim().is_empty();
        if let (true, None, Some(conversation)) = (has_text, &line.key, line.conversation()) {
            self.replies.kept.insert(conversation.to_owned(), line.text().to_owned());
        }
        has_text
    }

    /// Another pane comes on screen, where the draft may be changed: the line is closed, and opens again with the pane.
    pub(in super::super) fn hide_line(&mut self, cx: &mut Context) {
        let row = self.replies.row().cloned().map(Box::new);
        if self.leave_line(cx) {
            self.replies.left = row;
        }
    }

    /// The pane is on screen again: so is the line that was open, where its draft has not been sent or discarded.
    pub(in super::super) fn show_line(&mut self, cx: &mut Context) {
        let Some(row) = self.replies.left.take() else { return };
        let has_draft = window::key(&row, &cx.data).is_some_and(|key| self.replies.draft(&key).is_some());
        if has_draft && self.inspecting && self.selected().is_some_and(|selected| selected.id == row.id) {
            self.open_line(&row, cx);
        }
    }

    /// The dashboard is left: the text is kept, and the dialog closes.
    pub(in super::super) fn put_line_aside(&mut self, cx: &mut Context) {
        self.watch_draft(true, cx);
        if let Some(line) = &mut self.replies.line
            && line.confirming.take().is_some()
        {
            cx.overlays.close(super::SEND);
        }
    }

    /// Rows below the messages, at this width of the inspector's text.
    pub(in super::super) fn foot(&self, width: u16, data: &Data) -> u16 {
        match &self.replies.line {
            Some(line) => 1 + line.rows(width),
            None if self.foot_words(data).is_some() => 2,
            None => 0,
        }
    }

    /// Lets the line take something.
    pub(in super::super) fn with_line(&mut self, cx: &mut Context, change: impl FnOnce(&mut Form) -> FormEvent) {
        let foot = self.reading_areas(cx.body, &cx.data).foot;
        let Some(line) = &mut self.replies.line else { return };
        line.form.resize(below_rule(foot));
        match change(&mut line.form) {
            FormEvent::Submit => self.review_reply(cx),
            FormEvent::OpenEditor => cx.push(Effect::EditText(line.text().to_owned())),
            FormEvent::Cancel if self.leave_line(cx) => cx.toast("The reply is kept with its conversation"),
            _ => {}
        }
    }

    /// Takes its text back from the user's editor.
    pub(in super::super) fn edit_line(&mut self, text: &str, cx: &mut Context) {
        if let Some(line) = &mut self.replies.line {
            line.form.set(MESSAGE, text);
            self.watch_draft(true, cx);
        } else {
            cx.problem("The reply was closed meanwhile. Its text is in the clipboard.");
            cx.push(Effect::Copy(text.to_owned()));
        }
    }

    /// Takes a click into its text.
    pub(in super::super) fn click_line(&mut self, mouse: Mouse, cx: &mut Context) {
        self.with_line(cx, |form| form.click(mouse.x, mouse.y));
    }

    /// Does an action while a reply is written.
    pub(in super::super) fn act_in_line(&mut self, action: Action, cx: &mut Context) {
        match action {
            Action::Move(_) => drop(self.act_reading(action, cx)),
            Action::Canned => self.open_canned(cx),
            action => self.with_line(cx, |form| form.act(action)),
        }
    }

    /// The facts on which the line's message depends.
    pub(super) fn at_hand(&self, key: &Key, cx: &Context) -> AtHand {
        AtHand::new(key, &self.reading, &cx.data)
    }
}

/// The form's part of the foot, below the rule.
pub(super) fn below_rule(foot: Rect) -> Rect {
    let rule = foot.height.min(1);
    Rect { y: foot.y + rule, height: foot.height - rule, ..foot }
}

fn is_open(window: Window, now: Timestamp) -> bool {
    matches!(window.at(now), Window::Open { .. })
}

/// True where the server does not tell windows at all.
fn is_missing(failure: &crate::client::Failure) -> bool {
    use crate::client::FailureKind::Status;
    let has_code = |body: &Option<crate::api::ErrorBody>| matches!(body, Some(crate::api::ErrorBody::Coded { .. }));
    match &failure.kind {
        Status { status: 405, .. } => true,
        Status { status: 404, body, .. } => !has_code(body),
        _ => false,
    }
}
