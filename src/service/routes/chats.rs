//! `/conversations` and `/automate/conversations`: chats as a website's widget, or a person in place of the AI, has
//! them. Their errors have a shape of their own: `{status: false, error}`.

use crate::api::rules::{self, Fault};
use crate::api::{
    AiSwitched, ChatReply, ConversationHistory, ConversationType, ErrorBody, Field, HistoryMessage, Party, Role,
    StartedConversation,
};
use crate::service::http::{ApiError, Body, Caller};
use crate::service::limits::{CHAT_MESSAGES_MAX, VARIABLES_MAX, small};
use crate::service::pieces::{self, Piece};
use crate::service::sandbox::random_uuid;
use crate::service::simulation::Line;
use crate::service::simulation::chat::Beginning;
use crate::service::state::State;
use crate::service::store::{ChatRefusal, ConversationDetails, Talk};
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value};
use std::sync::Arc;
use uuid::Uuid;

/// A conversation's id in the path; what is no UUID names none.
type Named = Result<Path<Uuid>, PathRejection>;

/// `GET /conversations/{uuid}`.
///
/// # Errors
/// 404 where the caller has no such conversation.
pub async fn read(Shared(state): Shared<Arc<State>>, caller: Caller, id: Named) -> Result<Response, ApiError> {
    let Talk { details, beginning, newest } =
        state.store.talk(caller.user_id, uuid(id)?)?.ok_or_else(unknown_conversation)?;
    let (conversation_id, channel) = (details.id, state.channel.clone());
    let Beginning { lines, input, extracted } = beginning;
    let (frame, mut lines) = (frame(details, input, extracted), lines.into_iter());
    let read = move |piece: &mut Piece| {
        while !lines.as_slice().is_empty() {
            if !piece.takes_next() {
                return Ok(());
            }
            if let Some(line) = lines.next() {
                // Generated messages come before all that are stored, whose numbers begin with 1.
                piece.push(0, &message(line))?;
            }
        }
        state.store.messages(conversation_id, newest, piece)
    };
    pieces::list(&channel, move |_| frame.clone(), read)
}

/// `POST /conversations`: starts a chat with an assistant, in the widget or as a test.
///
/// # Errors
/// 404 where the caller has no such assistant, 400 where the balance does not pay for a reply, 422 where a field is
/// missing or cannot be read.
pub async fn start(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    body: Body,
) -> Result<Json<StartedConversation>, ApiError> {
    let assistant = body.text("assistant_id").map_err(fault)?;
    let kind = body.text("type").and_then(chat_type).map_err(fault)?;
    let variables = body.optional_object("variables").map_err(fault)?;
    small("variables", &variables, VARIABLES_MAX).map_err(fault)?;
    let unknown = || failed(StatusCode::NOT_FOUND, "Assistant not found");
    let assistant = Uuid::parse_str(assistant).map_err(|_| unknown())?;
    let opening = (random_uuid(), variables);
    let started = state.store.start_chat(caller.user_id, assistant, kind, opening, state.clock.now())?;
    let started = started.map_err(|why| if why == ChatRefusal::NotFound { unknown() } else { refused(why) })?;
    Ok(Json(StartedConversation {
        status: true,
        conversation_id: started.uuid.to_string(),
        history: vec![HistoryMessage::new(Role::Assistant, started.greeting)],
    }))
}

/// `POST /conversations/{uuid}/messages`: what a customer writes, answered by the assistant.
///
/// # Errors
/// 404 where the caller has no such conversation, 400 where the balance does not pay for a reply or the customer writes
/// in the messaging app, 422 where the message is missing or too long or the conversation may have no more of them.
pub async fn say(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    id: Named,
    body: Body,
) -> Result<Json<ChatReply>, ApiError> {
    let id = uuid(id);
    let message = body.text("message").and_then(|text| rules::chat_message(text).map(|()| text)).map_err(fault)?;
    let reply = state.store.chat(caller.user_id, id?, message, state.clock.now())?.map_err(refused)?;
    Ok(Json(ChatReply { status: true, message: reply.map(str::to_owned), function_calls: Vec::new() }))
}

/// `POST /automate/conversations/{uuid}/disable-ai`: a person takes over.
///
/// # Errors
/// 404 where the caller has no such conversation.
pub async fn disable_ai(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    id: Named,
) -> Result<Json<AiSwitched>, ApiError> {
    switch_ai(&state, caller, id, false)
}

/// `POST /automate/conversations/{uuid}/enable-ai`: the AI answers again.
///
/// # Errors
/// 404 where the caller has no such conversation.
pub async fn enable_ai(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    id: Named,
) -> Result<Json<AiSwitched>, ApiError> {
    switch_ai(&state, caller, id, true)
}

fn switch_ai(state: &State, caller: Caller, id: Named, ai_enabled: bool) -> Result<Json<AiSwitched>, ApiError> {
    if !state.store.set_ai(caller.user_id, uuid(id)?, ai_enabled)? {
        return Err(unknown_conversation());
    }
    Ok(Json(AiSwitched { status: true, ai_enabled }))
}

fn uuid(id: Named) -> Result<Uuid, ApiError> {
    id.map(|Path(uuid)| uuid).map_err(|_| unknown_conversation())
}

fn chat_type(word: &str) -> Result<ConversationType, Fault> {
    match word.into() {
        kind @ (ConversationType::Widget | ConversationType::Test) => Ok(kind),
        _ => Err(rules::not_listed("type")),
    }
}

/// The answer without its messages.
fn frame(
    talk: ConversationDetails,
    input: Option<Map<String, Value>>,
    extracted: Map<String, Value>,
) -> ConversationHistory {
    let (messaging, api) = (talk.kind == ConversationType::Msgapp, talk.kind == ConversationType::Api);
    let sender = talk.sender.map(|sender| Party { name: Some(sender.name), phone: Some(sender.phone) });
    let customer = Party { name: talk.customer.name, phone: talk.customer.phone };
    // What was found out stands beside what the assistant was told; neither replaces the other.
    let variables = match (input, extracted) {
        (None, extracted) if extracted.is_empty() => None,
        (input, extracted) => Some(extracted.into_iter().chain(input.unwrap_or_default()).collect()),
    };
    ConversationHistory {
        status: true,
        variables: variables.into(),
        // No operation gives a conversation such a name.
        external_identifier: if api { Field::Known(None) } else { Field::Missing },
        msgapp_sender: sender.filter(|_| messaging).map_or(Field::Missing, Field::Known),
        customer: if messaging { customer.into() } else { Field::Missing },
        ..ConversationHistory::default()
    }
}

fn message(Line { role, text, calls }: Line) -> HistoryMessage {
    let function_calls = if calls.is_empty() { Field::Missing } else { calls.into() };
    HistoryMessage { function_calls, ..HistoryMessage::new(role, text) }
}

fn refused(why: ChatRefusal) -> ApiError {
    match why {
        ChatRefusal::NotFound => unknown_conversation(),
        ChatRefusal::BalanceTooLow => {
            failed(StatusCode::BAD_REQUEST, "Insufficient balance. Please top up your account.")
        }
        ChatRefusal::Orphaned => failed(StatusCode::BAD_REQUEST, "The assistant of this conversation was deleted."),
        ChatRefusal::Full => {
            let error = format!("This conversation may not have more than {CHAT_MESSAGES_MAX} messages.");
            failed(StatusCode::UNPROCESSABLE_ENTITY, &error)
        }
        ChatRefusal::Elsewhere => {
            failed(StatusCode::BAD_REQUEST, "Customers of this conversation write in the messaging app.")
        }
    }
}

fn unknown_conversation() -> ApiError {
    failed(StatusCode::NOT_FOUND, "Conversation not found")
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are turned into others")]
fn fault(fault: Fault) -> ApiError {
    failed(StatusCode::UNPROCESSABLE_ENTITY, &fault.sentence)
}

fn failed(status: StatusCode, error: &str) -> ApiError {
    ApiError::new(status, ErrorBody::Failed { status: false, error: error.to_owned() })
}
