//! What happens that somebody wants to hear of: it is queued in the transaction in which it happens.

pub(super) mod calls;

use super::delivery_queue::{self as deliveries, QueuedEvent};
use super::history::{self, DETAILS, Transcript};
use super::{ConversationDetails, StoreError, moment, one};
use crate::api::{
    ConversationEnded, ConversationType, EventSender, ExtractedVariables, Role, TranscriptLine, WebhookEvent,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::Transaction;

/// Longest part of a message that a summary quotes, in characters.
const QUOTED: usize = 120;

/// A chat is about to end. Its assistant's receiver is told the first time; where a customer comes back and it ends again,
/// only if the assistant is set so.
pub(super) fn conversation_ended(tx: &Transaction<'_>, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let talk = one(tx, &format!("{DETAILS} WHERE c.id = $1"), [id], ConversationDetails::read)?;
    let Some(url) = &talk.ended_url else { return Ok(()) };
    let kind = WebhookEvent::ConversationEnded;
    let subject = format!("conversation:{id}");
    let chat = matches!(talk.kind, ConversationType::Msgapp | ConversationType::Widget);
    if !chat || (!talk.retriggers && deliveries::exists(tx, &subject, &kind)?) {
        return Ok(());
    }
    let said = history::said(tx, &talk)?;
    let ended_at = now.max(moment(talk.updated_at)?);
    let body = serde_json::to_string(&ended(&talk, &said, ended_at)?);
    let body = body.map_err(|_| StoreError::Unreadable("conversation"))?;
    let ConversationDetails { user_id, assistant_id, .. } = talk;
    deliveries::queue(tx, &QueuedEvent { user_id, assistant_id, kind, subject, url, body }, now)
}

fn ended(talk: &ConversationDetails, said: &Transcript, ended_at: Timestamp) -> Result<ConversationEnded, StoreError> {
    let zone = TimeZone::get(&talk.timezone).unwrap_or(TimeZone::UTC);
    let transcript = said
        .messages
        .iter()
        .map(|message| {
            let at = moment(message.at)?;
            Ok(TranscriptLine {
                role: message.role.clone(),
                content: message.text.clone(),
                timestamp: local(at, &zone),
                timestamp_unix: at.as_second(),
            })
        })
        .collect::<Result<_, StoreError>>()?;
    let lines = said.messages.iter();
    let lines: Vec<_> = lines.map(|message| format!("{}: {}", speaker(&message.role), message.text)).collect();
    let messaging = talk.kind == ConversationType::Msgapp;
    let sender = talk.sender.as_ref().filter(|_| messaging);
    Ok(ConversationEnded {
        id: talk.id,
        conversation_id: talk.uuid.to_string(),
        assistant_id: talk.assistant_uuid.to_string(),
        kind: talk.kind.clone(),
        message_count: talk.message_count,
        status: "ended".to_owned(),
        extracted_variables: extracted(said),
        input_variables: said.input.clone().unwrap_or_default(),
        transcript,
        formatted_transcript: lines.join("\n"),
        attachments: Vec::new(),
        customer_phone: talk.customer.phone.clone(),
        customer_name: talk.customer.name.clone(),
        sender: sender
            .map(|sender| EventSender { phone_number: sender.phone.clone(), display_name: sender.name.clone() }),
        created_at: local(moment(talk.created_at)?, &zone),
        ended_at: local(ended_at, &zone),
    })
}

fn speaker(role: &Role) -> &str {
    match role {
        Role::User => "Customer",
        Role::Assistant => "AI",
        Role::System => "System",
        Role::Other(word) => word,
    }
}

/// What a model would make of it: whether the customer got an answer, and what they came for.
fn extracted(said: &Transcript) -> ExtractedVariables {
    let Transcript { messages, extracted, .. } = said;
    let status = messages.last().is_some_and(|last| last.role == Role::Assistant);
    let summary = match messages.iter().find(|message| message.role == Role::User) {
        Some(first) => format!("The customer wrote: {}", first.text.chars().take(QUOTED).collect::<String>()),
        None => "The customer did not write.".to_owned(),
    };
    ExtractedVariables { status, summary, more: extracted.clone() }
}

fn local(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}
