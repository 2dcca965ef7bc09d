//! The proof of a webhook: each step from switching it on to receiving a signed notification.

use crate::api::sandbox::EndConversation;
use crate::api::{
    ChatMessage, ConversationType, EnableWebhook, StartConversation, WebhookDelivery, WebhookDeliveryStatus,
    WebhookEvent,
};
use crate::receiver::{Delivery, Signature, Subject};
use crate::records::Webhook;
use crate::tasks::{Answer, TaskId};
use crate::ui::ages::to_the_second;
use crate::ui::panes::assistants::webhooks::switched;
use crate::ui::panes::explain;
use crate::ui::prelude::*;
use crate::ui::text::{clean, fit, wrap};
use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::collections::BTreeMap;

/// Time without a notification after which the server's list of deliveries is read.
const PATIENCE: Duration = Duration::from_secs(5);
/// The customer's message in the chat.
const MESSAGE: &str = "Is the webhook switched on?";

/// A step, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Listen,
    SwitchOn,
    Chat,
    End,
    Send,
    Receive,
    Verify,
}

impl Step {
    const IN_SANDBOX: &[Self] =
        &[Self::Listen, Self::SwitchOn, Self::Chat, Self::End, Self::Send, Self::Receive, Self::Verify];
    /// Conversations of a live server are ended by its people.
    const LIVE: &[Self] = &[Self::Listen, Self::SwitchOn, Self::Send, Self::Receive, Self::Verify];

    fn label(self) -> &'static str {
        match self {
            Self::Listen => "Listening",
            Self::SwitchOn => "Webhook switched on",
            Self::Chat => "Widget chat started, one message sent",
            Self::End => "Chat ended",
            Self::Send => "Notification sent",
            Self::Receive => "Notification received",
            Self::Verify => "Signature valid",
        }
    }
}

/// The assistant whose webhook is proven.
#[derive(Debug, Clone, PartialEq)]
pub struct Subjected {
    pub id: i64,
    /// Needed for a chat; empty where the server does not tell it.
    pub uuid: String,
    pub name: String,
    /// What the webhook was set to before, in words.
    pub before: String,
}

/// A proof in progress, or its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    assistant: Subjected,
    /// The base URL of the server, under which the switch is recorded.
    server: String,
    /// Where the webhook points; empty until the receiver listens.
    url: String,
    live: bool,
    done: Vec<(Step, Timestamp)>,
    failed: Option<String>,
    request: Option<TaskId>,
    conversation: Option<String>,
    /// When the list of deliveries is read, if no notification has come.
    overdue: Option<Instant>,
}

impl Proof {
    /// A proof that waits for the receiver. On a live server (`public` is its URL from outside) nobody chats by itself.
    pub fn new(assistant: Subjected, server: &str, public: Option<String>) -> Self {
        Self {
            assistant,
            server: server.to_owned(),
            live: public.is_some(),
            url: public.unwrap_or_default(),
            done: Vec::new(),
            failed: None,
            request: None,
            conversation: None,
            overdue: None,
        }
    }

    fn steps(&self) -> &'static [Step] {
        if self.live { Step::LIVE } else { Step::IN_SANDBOX }
    }

    fn next(&self) -> Option<Step> {
        self.steps().iter().copied().find(|step| self.done.iter().all(|(done, _)| done != step))
    }

    /// True while it goes on.
    pub fn is_running(&self) -> bool {
        self.failed.is_none() && self.next().is_some()
    }

    /// The receiver listens on this URL.
    pub fn listening(&mut self, url: &str, cx: &mut Context) {
        if self.next() == Some(Step::Listen) {
            if !self.live {
                url.clone_into(&mut self.url);
            }
            self.done(Step::Listen, cx.now.wall);
            self.advance(cx);
        }
    }

    /// Ends the proof with this reason, which says what to do next.
    pub fn fail(&mut self, why: impl Into<String>) {
        if self.is_running() {
            let mut why = why.into();
            why.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
            self.failed = Some(why);
            self.overdue = None;
        }
    }

    fn done(&mut self, step: Step, at: Timestamp) {
        if self.done.iter().all(|(done, _)| *done != step) {
            self.done.push((step, at));
        }
    }

    /// Requests what the next step needs.
    fn advance(&mut self, cx: &mut Context) {
        let request = match (self.next(), self.conversation.clone()) {
            (Some(Step::SwitchOn), _) => Request::EnableConversationEndedWebhook {
                body: EnableWebhook { assistant_id: self.assistant.id, webhook_url: self.url.clone() },
            },
            (Some(Step::Chat), None) => Request::StartConversation {
                body: StartConversation {
                    assistant_id: self.assistant.uuid.clone(),
                    kind: ConversationType::Widget,
                    variables: BTreeMap::new(),
                },
            },
            (Some(Step::Chat), Some(uuid)) => {
                let body = ChatMessage { message: MESSAGE.to_owned() };
                Request::SendChatMessage { uuid: uuid.as_str().into(), body }
            }
            (Some(Step::End), Some(conversation_id)) => {
                Request::EndConversation { body: EndConversation { conversation_id } }
            }
            (Some(Step::Send), _) if !self.live => {
                self.overdue = Some(cx.now.mono + PATIENCE);
                return;
            }
            _ => return,
        };
        self.request = Some(cx.run(Origin::new(super::super::ID.0), request));
    }

    /// Takes the report of its request; gives any other back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if self.request != Some(report.id) {
            return Some(report);
        }
        self.request = None;
        match report.result {
            Err(failure) => self.fail(format!("{}. p tries again.", explain(&failure))),
            Ok(Answer::Reply(reply)) => {
                match *reply {
                    Reply::EnableConversationEndedWebhook(_) => self.switched_on(cx),
                    Reply::StartConversation(started) => self.conversation = Some(started.conversation_id),
                    Reply::SendChatMessage(_) => self.done(Step::Chat, cx.now.wall),
                    Reply::EndConversation(_) => self.done(Step::End, cx.now.wall),
                    Reply::ListDeliveries(deliveries) => {
                        self.judge(&deliveries, cx);
                        return None;
                    }
                    _ => {}
                }
                self.advance(cx);
            }
            Ok(_) => {}
        }
        None
    }

    fn switched_on(&mut self, cx: &mut Context) {
        self.done(Step::SwitchOn, cx.now.wall);
        switched(&self.server, self.assistant.id, Webhook::ConversationEnded, Some(&self.url), cx);
    }

    /// What the server's list of deliveries says of a notification that has not come.
    fn judge(&mut self, deliveries: &[WebhookDelivery], cx: &Context) {
        let of_this =
            |delivery: &&WebhookDelivery| delivery.url == self.url && delivery.event == WebhookEvent::ConversationEnded;
        match deliveries.iter().find(of_this) {
            None => self
                .fail("The server lists no notification for this URL. Check the webhook with w, then press p again."),
            Some(delivery) if delivery.attempts == 0 || delivery.status == WebhookDeliveryStatus::Delivered => {
                self.overdue = Some(cx.now.mono + PATIENCE);
            }
            Some(delivery) => {
                let why = delivery.last_error.as_deref().unwrap_or("no reason given");
                self.fail(format!("The server tried {} times: {why}. p tries again.", delivery.attempts));
            }
        }
    }

    /// A webhook was received; where it is the one that is waited for, its signature decides.
    pub fn received(&mut self, delivery: &Delivery) {
        let about =
            matches!(delivery.subject, Some(Subject::Conversation(id)) if Some(id.to_string()) == self.conversation);
        let is_it = delivery.event == Some(WebhookEvent::ConversationEnded) && (self.live || about);
        let (Some(Step::Chat | Step::End | Step::Send | Step::Receive), true) = (self.next(), is_it) else { return };
        (self.failed, self.overdue) = (None, None);
        let header = delivery.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("webhook-timestamp"));
        let sent = header.and_then(|(_, value)| Timestamp::from_second(value.parse().ok()?).ok());
        self.done(Step::Send, sent.unwrap_or(delivery.received_at));
        self.done(Step::Receive, delivery.received_at);
        if delivery.signature == Signature::Valid {
            self.done(Step::Verify, delivery.received_at);
        } else {
            self.fail(format!("{}. Check the secret: x stops, L starts with another one.", delivery.signature));
        }
    }

    /// When the list of deliveries is read, if no notification has come.
    pub fn next_change(&self) -> Option<Instant> {
        self.overdue
    }

    /// Asks the server, once it is time.
    pub fn tick(&mut self, cx: &mut Context) {
        if self.overdue.is_some_and(|at| at <= cx.now.mono) {
            self.overdue = None;
            self.request = Some(cx.run(Origin::new(super::super::ID.0), Request::ListDeliveries));
        }
    }

    /// The steps as they are now.
    pub fn lines(&self, view: &View<'_>, columns: usize) -> Vec<Line<'static>> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let next = self.next();
        let (word, style) = match (next, &self.failed) {
            (None, _) => ("PROVED", theme.good),
            (_, Some(_)) => ("NOT PROVED", theme.failed),
            _ => ("PROVING", theme.strong),
        };
        let says = format!("  conversation ended, {}", clean(&self.assistant.name));
        let says = fit(&says, columns.saturating_sub(word.len()), glyphs.ellipsis).into_owned();
        let mut lines = vec![Line::from(vec![Span::styled(word, style), Span::raw(says)])];
        for step in self.steps() {
            let at = self.done.iter().find(|(done, _)| done == step).map(|(_, at)| to_the_second(*at, view.zone));
            let is_next = next == Some(*step);
            let (glyph, style) = match (&at, &self.failed) {
                (Some(_), _) => (glyphs.full, theme.good),
                (None, Some(_)) if is_next => (glyphs.cross, theme.failed),
                (None, None) if is_next => (glyphs.half, theme.strong),
                _ => (glyphs.hollow, theme.dim),
            };
            let detail = match step {
                Step::SwitchOn if at.is_some() => {
                    // In a sandbox it points at the URL in the head.
                    let to = if self.live { format!(" {} {}", glyphs.arrow, self.url) } else { String::new() };
                    format!("{}{to}, before: {}", step.label(), self.assistant.before)
                }
                Step::Send if self.live && is_next => {
                    "Waiting for a notification: end a conversation with the assistant".to_owned()
                }
                step => step.label().to_owned(),
            };
            let detail = fit(&clean(&detail), columns.saturating_sub(11), glyphs.ellipsis).into_owned();
            let text_style = if at.is_some() || is_next { Style::new() } else { theme.dim };
            lines.push(Line::from(vec![
                Span::styled(glyph, style),
                Span::styled(format!(" {:8} ", at.unwrap_or_default()), theme.dim),
                Span::styled(detail, text_style),
            ]));
            if let Some(why) = self.failed.as_ref().filter(|_| is_next) {
                let rows = wrap(&clean(why), columns.saturating_sub(11)).into_iter();
                lines.extend(rows.map(|row| Line::styled(format!("{:11}{row}", ""), theme.failed)));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::IsoTimestamp;

    fn waiting() -> Proof {
        let assistant =
            Subjected { id: 1, uuid: "u".to_owned(), name: "Reception".to_owned(), before: "off".to_owned() };
        let mut proof = Proof::new(assistant, "http://server/api", None);
        proof.url = "http://127.0.0.1:9/".to_owned();
        proof.conversation = Some(uuid::Uuid::from_u128(7).to_string());
        for step in [Step::Listen, Step::SwitchOn, Step::Chat, Step::End] {
            proof.done(step, Timestamp::UNIX_EPOCH);
        }
        proof
    }

    fn listed(url: &str, attempts: u32, status: WebhookDeliveryStatus) -> WebhookDelivery {
        WebhookDelivery {
            id: 1,
            event: WebhookEvent::ConversationEnded,
            subject: "conversation:7".to_owned(),
            webhook_id: "msg_1".to_owned(),
            url: url.to_owned(),
            status,
            attempts,
            last_error: (attempts > 0).then(|| "connection refused".to_owned()),
            last_attempt_at: None,
            next_attempt_at: None,
            delivered_at: None,
            created_at: IsoTimestamp(Timestamp::UNIX_EPOCH),
        }
    }

    #[test]
    fn notification_that_does_not_come_is_explained_by_the_list_of_deliveries() {
        use WebhookDeliveryStatus::Pending;
        let (cx, url) = (Context::default(), "http://127.0.0.1:9/");
        let judged = |deliveries: &[WebhookDelivery]| {
            let mut proof = waiting();
            proof.judge(deliveries, &cx);
            (proof.failed, proof.overdue)
        };
        assert!(judged(&[listed("http://other/", 0, Pending)]).0.unwrap().contains("lists no notification"));
        assert_eq!(judged(&[listed(url, 0, Pending)]), (None, Some(cx.now.mono + PATIENCE)), "it may still come");
        let why = judged(&[listed(url, 2, Pending)]).0.unwrap();
        assert_eq!(why, "The server tried 2 times: connection refused. p tries again.");
    }

    #[test]
    fn late_notification_still_proves_and_that_of_another_conversation_does_not() {
        let mut proof = waiting();
        proof.fail("late");
        let mut delivery = Delivery {
            number: 1,
            received_at: Timestamp::UNIX_EPOCH,
            path: "/".to_owned(),
            webhook_id: None,
            event: Some(WebhookEvent::ConversationEnded),
            subject: Some(Subject::Conversation(uuid::Uuid::from_u128(8))),
            signature: Signature::Valid,
            status: 200,
            forward: None,
            headers: vec![("webhook-timestamp".to_owned(), "60".to_owned())],
            body: String::new(),
        };
        proof.received(&delivery);
        assert_eq!(proof.next(), Some(Step::Send));
        delivery.subject = Some(Subject::Conversation(uuid::Uuid::from_u128(7)));
        proof.received(&delivery);
        assert_eq!((proof.next(), &proof.failed), (None, &None));
        assert!(proof.done.contains(&(Step::Send, Timestamp::from_second(60).unwrap())));
    }
}
