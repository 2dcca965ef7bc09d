//! The one place where effects become requests.

use super::{Answer, Evidence, LastMessages, Work};
use crate::api::{
    Conversation, ConversationFilter, ConversationQuery, ConversationType, Field, Party, SentMessage, rules,
};
use crate::client::{Client, Departure, Failure, FailureKind, Observer};
use crate::messaging::{Outgoing, Phone};
use crate::records::Intent;

/// Messages of a conversation that are enough to see whether one is among them.
const LAST_MESSAGES: usize = 3;

/// Turns work into requests. The HTTP client does; tests put something else in its place.
pub trait Requests: Clone + Send + Sync + 'static {
    /// Does the work, and tells of each try. It is never given a message or what is kept on this machine.
    fn perform(&self, work: Work, observe: Observer<'_>) -> impl Future<Output = Result<Answer, Failure>> + Send;

    /// Sends a message, once, unless it is taken back before, and tells of each try.
    fn send(
        &self,
        outgoing: &Outgoing,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> impl Future<Output = Result<SentMessage, Failure>> + Send;
}

impl Requests for Client {
    async fn perform(&self, work: Work, observe: Observer<'_>) -> Result<Answer, Failure> {
        match work {
            Work::Conversations(query) => {
                self.conversations(&query, observe).await.map(|page| Answer::Conversations(Box::new(page)))
            }
            Work::OutboundAssistants => self.outbound_assistants(observe).await.map(Answer::OutboundAssistants),
            Work::Account => self.account(observe).await.map(|account| Answer::Account(Box::new(account))),
            Work::Senders => {
                let senders = self.senders(observe).await;
                // Whoever shows their numbers would wait for it. A panic would be told by whoever needs it next.
                let _ = tokio::task::spawn_blocking(Phone::warm_up).await;
                senders.map(Answer::Senders)
            }
            Work::Templates(sender_id) => self.templates(sender_id, observe).await.map(Answer::Templates),
            Work::Window { sender_id, phone } => {
                self.session_status(sender_id, &phone, observe).await.map(|status| Answer::Window(Box::new(status)))
            }
            Work::Check(intent) => {
                evidence(self, *intent, observe).await.map(|evidence| Answer::Evidence(Box::new(evidence)))
            }
            work @ (Work::Send(_) | Work::Keep(_)) => {
                let kind = FailureKind::Internal("this is not done by a request alone".to_owned());
                Err(Failure { operation: work.operation(), kind })
            }
        }
    }

    async fn send(
        &self,
        outgoing: &Outgoing,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> Result<SentMessage, Failure> {
        match outgoing {
            Outgoing::Template(message) => self.send_template(message, departure, observe).await,
            Outgoing::Freeform(message) => self.send_freeform(message, departure, observe).await,
        }
    }
}

/// What can be found out about a message: its window, and the end of its conversation where the server shows it.
async fn evidence(client: &Client, intent: Intent, observe: Observer<'_>) -> Result<Evidence, Failure> {
    let window = client.session_status(intent.sender_id, &intent.phone, observe).await?;
    let messages = match last_messages(client, &intent, observe).await {
        Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => LastMessages::Unreadable,
        other => other?,
    };
    Ok(Evidence { intent, window, messages })
}

/// The end of the newest conversation of the message's sender and recipient.
async fn last_messages(client: &Client, intent: &Intent, observe: Observer<'_>) -> Result<LastMessages, Failure> {
    let query = ConversationQuery {
        filter: ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() },
        per_page: rules::PER_PAGE_MAX,
        ..ConversationQuery::default()
    };
    let page = client.conversations(&query, observe).await?;
    let Some(id) = page.rows().iter().find(|row| is_of(row, intent)).and_then(|row| row.id.known()) else {
        return Ok(LastMessages::NotFound);
    };
    let mut messages = client.conversation(id, observe).await?.history;
    messages.drain(..messages.len().saturating_sub(LAST_MESSAGES));
    Ok(LastMessages::Told(messages))
}

/// True where a conversation is surely the one of the message's sender and recipient.
fn is_of(row: &Conversation, intent: &Intent) -> bool {
    let has = |party: &Field<Party>, phone: &str| {
        let known = party.known().and_then(|party| party.phone.as_deref()).map(digits);
        known.is_some_and(|known| !known.is_empty() && known == digits(phone))
    };
    has(&row.customer, &intent.phone) && has(&row.msgapp_sender, &intent.sender)
}

/// A number without what it is written with.
fn digits(phone: &str) -> String {
    phone.chars().filter(char::is_ascii_digit).collect()
}
