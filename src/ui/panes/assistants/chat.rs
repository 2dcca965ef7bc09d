//! Try it: a test chat with an assistant, beside what it was told. The chat stays until another assistant is tried.

use super::row::Row;
use crate::api::rules::{self, Fault};
use crate::api::{
    ChatMessage, ConversationType, ErrorBody, Field, HistoryMessage, Role, StartConversation, StartedConversation,
};
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;
use crate::ui::action::{FieldStep, Motion};
use crate::ui::options::Place;
use crate::ui::panes::explain;
use crate::ui::prelude::*;
use crate::ui::route::TestChat;
use crate::ui::text::{count, wrap};
use crate::ui::widgets::form::FormEvent;
use crate::ui::widgets::transcript::{Transcript, has_calls};
use crate::ui::widgets::{put_cut, put_lines};
use ratatui::layout::Size;
use ratatui::text::{Line, Span};

/// The field with the message, as on the wire.
const MESSAGE: &str = "message";
/// The most rows that the field takes with what is wrong in it.
const FIELD_ROWS: u16 = 4;

/// A test chat.
#[derive(Debug, Clone, PartialEq)]
pub struct Chat {
    /// With which assistant, and with which variables; `None` before the first chat.
    with: Option<TestChat>,
    /// Where it was begun, where that is another pane.
    pub opener: Option<PaneId>,
    /// The UUID of the conversation, once it has started.
    conversation: Option<String>,
    messages: Vec<HistoryMessage>,
    transcript: Transcript,
    form: Form,
    /// The request in flight: the start of the chat, or a message.
    request: Option<TaskId>,
    /// The message that has no reply yet; the last of the transcript.
    sending: Option<String>,
    /// The server has no such operation.
    not_offered: bool,
}

impl Default for Chat {
    fn default() -> Self {
        Self {
            with: None,
            opener: None,
            conversation: None,
            messages: Vec::new(),
            transcript: Transcript::default(),
            form: form(""),
            request: None,
            sending: None,
            not_offered: false,
        }
    }
}

fn form(text: &str) -> Form {
    Form::new(vec![FormField::line(MESSAGE, "Message", text).eager()])
}

/// The parts of the chat: title, transcript, a note, a rule, the message.
struct Areas {
    title: Rect,
    transcript: Rect,
    note: Rect,
    rule: Rect,
    form: Rect,
}

impl Chat {
    /// The reason why an assistant cannot be tried, shown after "Not now: ".
    pub fn disabled(&self, row: Option<&Row>) -> Option<&'static str> {
        let Some(row) = row else { return Some("no assistant is selected") };
        match row.record.uuid.known() {
            _ if self.not_offered => Some("this server has no test chats"),
            None => Some("the server does not tell UUIDs, and a chat needs one"),
            Some(_) => None,
        }
    }

    /// Why an action cannot be done in the chat.
    pub fn cannot(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::Editor => Some("this field has one line"),
            Action::ToggleCalls => (!self.messages.iter().any(has_calls)).then_some("no tool was called"),
            _ => None,
        }
    }

    /// Continues the chat with this assistant, or starts one.
    pub fn open(&mut self, row: &Row, cx: &mut Context) {
        if let Some(assistant) = row.record.uuid.known().cloned() {
            self.begin(TestChat { assistant, name: row.name.clone(), ..TestChat::default() }, None, cx);
        }
    }

    /// The UUID of the assistant that is tried.
    pub fn assistant(&self) -> Option<&String> {
        self.with.as_ref().map(|with| &with.assistant)
    }

    /// Continues the chat with this assistant and these variables, or starts one.
    pub fn begin(&mut self, with: TestChat, opener: Option<PaneId>, cx: &mut Context) {
        self.opener = opener;
        let same = |other: &TestChat| other.assistant == with.assistant && other.variables == with.variables;
        if !self.with.as_ref().is_some_and(same) {
            self.with = Some(with);
            self.restart(cx);
        }
    }

    /// Starts another chat with the same assistant. What is being typed stays.
    fn restart(&mut self, cx: &mut Context) {
        if let Some(unsent) = self.sending.take() {
            self.give_back(&unsent);
        }
        (self.conversation, self.messages) = (None, Vec::new());
        self.transcript.follow();
        self.start(cx);
    }

    fn start(&mut self, cx: &mut Context) {
        let Some(TestChat { assistant, variables, .. }) = self.with.clone() else { return };
        let body = StartConversation { assistant_id: assistant, kind: ConversationType::Test, variables };
        self.request = Some(cx.run(Origin::new(super::ID.0), Request::StartConversation { body }));
    }

    /// Sends what is typed.
    fn submit(&mut self, cx: &mut Context) {
        let text = self.form.text_of(MESSAGE).trim().to_owned();
        if text.is_empty() {
            return;
        }
        if self.sending.is_some() {
            return cx.toast("Still waiting for the reply");
        }
        if let Err(fault) = rules::chat_message(&text) {
            drop(self.form.set_errors(vec![fault]));
            return;
        }
        self.form = form("");
        self.messages.push(HistoryMessage::new(Role::User, text.clone()));
        self.transcript.follow();
        self.sending = Some(text);
        if self.conversation.is_some() {
            self.send(cx);
        } else if self.request.is_none() {
            // The chat could not be started before.
            self.start(cx);
        }
    }

    fn send(&mut self, cx: &mut Context) {
        if let (Some(uuid), Some(message)) = (&self.conversation, &self.sending) {
            let body = ChatMessage { message: message.clone() };
            let request = Request::SendChatMessage { uuid: uuid.as_str().into(), body };
            self.request = Some(cx.run(Origin::new(super::ID.0), request));
        }
    }

    /// Takes the report of its request; gives any other back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if self.request != Some(report.id) {
            return Some(report);
        }
        self.request = None;
        let reply = match report.result {
            Ok(crate::tasks::Answer::Reply(reply)) => *reply,
            Ok(_) => return None,
            Err(failure) => {
                self.fail(&failure);
                return None;
            }
        };
        match reply {
            Reply::StartConversation(StartedConversation { conversation_id, history, .. }) => {
                self.conversation = Some(conversation_id);
                self.messages.splice(0..0, history);
                self.send(cx);
            }
            Reply::SendChatMessage(reply) => {
                self.sending = None;
                let calls = if reply.function_calls.is_empty() { Field::Missing } else { reply.function_calls.into() };
                match reply.message {
                    None => cx.toast("No reply: the AI is off in this conversation"),
                    Some(text) => self
                        .messages
                        .push(HistoryMessage { function_calls: calls, ..HistoryMessage::new(Role::Assistant, text) }),
                }
            }
            _ => {}
        }
        None
    }

    /// Returns the text to the field, with the failure below it.
    fn fail(&mut self, failure: &Failure) {
        let starting = self.conversation.is_none();
        if let Some(unsent) = self.sending.take() {
            self.messages.pop();
            self.give_back(&unsent);
        }
        // A chat that is refused has a body of its own; without it the server does not know the path.
        let unknown = match &failure.kind {
            FailureKind::Status { status: 405, .. } => true,
            FailureKind::Status { status: 404, body, .. } => !matches!(body, Some(ErrorBody::Failed { .. })),
            _ => false,
        };
        self.not_offered = starting && unknown;
        let why = explain(failure);
        let text = match (starting, failure.kind.is_unclear()) {
            _ if self.not_offered => "This server has no test chats.".to_owned(),
            (true, _) => format!("The chat was not started: {why}. Enter tries again."),
            (false, true) => format!("Unknown whether the message arrived: {why}."),
            (false, false) => format!("Not sent: {why}."),
        };
        drop(self.form.set_refused(vec![Fault::new(MESSAGE, text)]));
    }

    /// Returns an unsent text to the field, before what was typed since.
    fn give_back(&mut self, unsent: &str) {
        let since = self.form.text_of(MESSAGE);
        self.form = form(&if since.is_empty() { unsent.to_owned() } else { format!("{unsent} {since}") });
    }

    /// Takes an action; false where the chat is to be left.
    pub fn act(&mut self, action: Action, area: Rect, cx: &mut Context) -> bool {
        match action {
            Action::Move(motion) => self.scroll(motion, area, cx),
            Action::Field(FieldStep::Up) => self.scroll(Motion::Up, area, cx),
            Action::Field(FieldStep::Down) => self.scroll(Motion::Down, area, cx),
            Action::Create => self.restart(cx),
            Action::ToggleCalls => self.transcript.toggle_calls(),
            Action::Field(FieldStep::Enter) | Action::Submit => self.submit(cx),
            _ => {
                self.form.resize(self.areas(area, cx.options.place == Place::Sandbox).form);
                return self.form.act(action) != FormEvent::Cancel;
            }
        }
        true
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input) {
        self.form.text(input);
    }

    /// Scrolls what was said.
    pub fn scroll(&mut self, motion: Motion, area: Rect, cx: &Context) {
        let Rect { width, height, .. } = self.areas(area, cx.options.place == Place::Sandbox).transcript;
        self.transcript.scroll(motion, &self.messages, &cx.options, Size { width, height });
    }

    fn areas(&self, area: Rect, with_note: bool) -> Areas {
        let inner = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3), ..area };
        let title = Rect { height: inner.height.min(1), ..inner };
        let rows = self.form.rows_needed(inner.width).clamp(1, FIELD_ROWS).min(inner.height - title.height);
        let form = Rect { y: inner.bottom() - rows, height: rows, ..inner };
        let room = inner.height - title.height - rows;
        let rule = Rect { y: form.y - room.min(1), height: room.min(1), ..area };
        let note_rows = self.notes(inner.width, with_note).len();
        let note_rows = u16::try_from(note_rows).unwrap_or(0).min((room - rule.height) / 4);
        let note = Rect { y: rule.y - note_rows, height: note_rows, ..inner };
        // A blank line below the title, where there is room.
        let y = (title.bottom() + 1).min(note.y);
        Areas { title, transcript: Rect { y, height: note.y - y, ..inner }, note, rule, form }
    }

    /// What stands below what was said: which variables the assistant was given, and what the sandbox says of its replies.
    fn notes(&self, width: u16, sandbox: bool) -> Vec<String> {
        let canned = "In the sandbox replies are canned: they do not read the prompt.";
        let names = self.with.iter().flat_map(|with| with.variables.keys()).map(|name| clean(name));
        let names: Vec<_> = names.collect();
        let given = (!names.is_empty()).then(|| format!("With the conversation's variables: {}.", names.join(", ")));
        let notes = given.into_iter().chain(sandbox.then(|| canned.to_owned()));
        notes.flat_map(|note| wrap(&note, width.max(1).into())).collect()
    }

    /// Draws the chat and returns where the cursor is.
    pub fn draw(&self, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let areas = self.areas(area, view.options.place == Place::Sandbox);
        let name = self.with.as_ref().map_or("", |with| &with.name);
        let state = match (self.request, &self.conversation) {
            (Some(_), None) => "starting".to_owned(),
            (Some(_), Some(_)) => "waiting for the reply".to_owned(),
            (None, _) => count(self.messages.len() as u64, "message", "messages"),
        };
        let title = Line::from(vec![
            Span::styled("TRY IT", theme.accent),
            Span::styled(format!("  {name}"), theme.strong),
            Span::styled(format!("  test chat, free {} {state}", glyphs.dot), theme.dim),
        ]);
        put_cut(buffer, areas.title, &title, glyphs.ellipsis);
        self.transcript.draw(&self.messages, None, view, areas.transcript, buffer);
        let notes = self.notes(areas.note.width, view.options.place == Place::Sandbox).into_iter();
        let note: Vec<_> = notes.map(|line| Line::styled(line, theme.dim)).collect();
        put_lines(buffer, areas.note, &note, 0);
        if !areas.rule.is_empty() {
            rule(buffer, areas.rule, glyphs.horizontal, theme.dim);
        }
        self.form.draw(view, areas.form, buffer)
    }
}
