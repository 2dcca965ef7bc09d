//! What performs requests, and work that takes several of them.

use super::{Evidence, LastMessages};
use crate::api::{
    Call, CallQuery, Conversation, ConversationFilter, ConversationQuery, ConversationType, Field, Party, Token, rules,
};
use crate::client::{Client, Departure, Failure, FailureKind, Observer, Reply, Request, Transfer};
use crate::records::Intent;
use std::sync::Arc;

/// Messages of a conversation that are enough to see whether one is among them.
const LAST_MESSAGES: usize = 3;

/// Performs requests. The HTTP client does; tests put something else in its place.
pub trait Requests: Clone + Send + Sync + 'static {
    /// Performs a request that is not a message, and reports each try.
    fn call(&self, request: Request, observe: Observer<'_>) -> impl Future<Output = Result<Reply, Failure>> + Send;

    /// Sends a message or makes a call, once, unless it is taken back before, and reports each try.
    fn send(
        &self,
        message: Request,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> impl Future<Output = Result<Reply, Failure>> + Send;

    /// The server's origin, in its one spelling ([`Client::origin`]).
    fn origin(&self) -> String;

    /// The token of its requests.
    fn token(&self) -> Token;

    /// Uploads a file, once, unless it is cancelled before, and reports the try.
    fn upload(
        &self,
        upload: Request,
        transfer: &Arc<Transfer>,
        observe: Observer<'_>,
    ) -> impl Future<Output = Result<Reply, Failure>> + Send;
}

impl Requests for Client {
    async fn call(&self, request: Request, observe: Observer<'_>) -> Result<Reply, Failure> {
        Self::call(self, &request, observe).await
    }

    async fn send(&self, message: Request, departure: &Departure, observe: Observer<'_>) -> Result<Reply, Failure> {
        self.send_message(&message, departure, observe).await
    }

    fn origin(&self) -> String {
        Self::origin(self)
    }

    fn token(&self) -> Token {
        Self::token(self).clone()
    }

    async fn upload(&self, upload: Request, transfer: &Arc<Transfer>, observe: Observer<'_>) -> Result<Reply, Failure> {
        Self::upload(self, &upload, transfer, observe).await
    }
}

/// Performs a request and takes its reply out.
async fn read<R: Requests, T>(
    requests: &R,
    request: Request,
    reply: fn(Reply) -> Option<T>,
    observe: Observer<'_>,
) -> Result<T, Failure> {
    let operation = request.operation();
    let found = requests.call(request, observe).await?;
    // A reply belongs to its request; only a test's stand-in could answer otherwise.
    reply(found)
        .ok_or_else(|| Failure::of(operation, FailureKind::Internal("the reply is to another request".to_owned())))
}

/// Reads what the server knows about a message: its window, and the end of its conversation where the server shows it.
pub(super) async fn evidence<R: Requests>(
    requests: &R,
    intent: Intent,
    observe: Observer<'_>,
) -> Result<Evidence, Failure> {
    let window = Request::session_status(intent.sender_id, &intent.phone);
    let window = read(requests, window, Reply::get_session_status, observe).await?;
    let messages = match last_messages(requests, &intent, observe).await {
        Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => LastMessages::Unreadable,
        other => other?,
    };
    Ok(Evidence { intent, window, messages })
}

/// Reads the newest calls of an assistant to a number; `None` where the server does not list calls.
pub(super) async fn calls<R: Requests>(
    requests: &R,
    intent: &Intent,
    observe: Observer<'_>,
) -> Result<Option<Vec<Call>>, Failure> {
    let list = Request::ListCalls { query: CallQuery::newest(intent.sender_id, &intent.phone) };
    match read(requests, list, Reply::list_calls, observe).await {
        Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => Ok(None),
        page => Ok(Some(page?.rows().to_vec())),
    }
}

/// The end of the newest conversation of the message's sender and recipient.
async fn last_messages<R: Requests>(
    requests: &R,
    intent: &Intent,
    observe: Observer<'_>,
) -> Result<LastMessages, Failure> {
    let query = ConversationQuery {
        filter: ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() },
        per_page: rules::PER_PAGE_MAX,
        ..ConversationQuery::default()
    };
    let page = read(requests, Request::ListConversations { query }, Reply::list_conversations, observe).await?;
    let Some(id) = page.rows().iter().find(|row| is_of(row, intent)).and_then(|row| row.id.known()) else {
        return Ok(LastMessages::NotFound);
    };
    let conversation = Request::GetConversation { uuid: id.as_str().into() };
    let mut messages = read(requests, conversation, Reply::get_conversation, observe).await?.history;
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
