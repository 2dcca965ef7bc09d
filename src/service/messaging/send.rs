//! Sending a message: every check, in the one order there is.
//!
//! | | Template message | Freeform message | Answer |
//! |---|---|---|---|
//! | 1 | token | token | 401 |
//! | 2 | rate | rate | 429 |
//! | 3 | fields missing or of the wrong type | the same | 422 validation |
//! | 4 | sender | sender | 404 `SENDER_NOT_FOUND` |
//! | 5 | template | | 404 `TEMPLATE_NOT_FOUND` |
//! | 6 | the template's status | | 422 `TEMPLATE_NOT_APPROVED` |
//! | 7 | phone | phone | 422 `INVALID_PHONE` |
//! | 8 | assistant | | 422 `NO_ASSISTANT_CONFIGURED` |
//! | 9 | sender online | sender online | `SENDER_OFFLINE`: 422, freeform 503 |
//! | 10 | variables | | 422 `TEMPLATE_MISMATCH` |
//! | 11 | | window | 403 `SESSION_EXPIRED` |
//! | 12 | balance | balance | 402 `INSUFFICIENT_BALANCE` |
//! | 13 | the sender's limit | | 422 `PROVIDER_ERROR_63018` |
//! | 14 | provider | provider | 422 with the provider's code |
//!
//! 1 and 2 are the layer in [`super::rate`], 3 is the handler's reading of the body. The last three are asked within the
//! transaction that deducts the cost and stores the message, so a refusal leaves nothing behind, and two messages never
//! spend the same credit.

use super::{Price, WindowState};
use crate::api::{
    DeliveryStatus, ErrorBody, ErrorCode, SendFreeform, SendTemplate, SenderStatus, TemplateStatus, VariableMismatch,
    messaging, rules,
};
use crate::service::http::ApiError;
use crate::service::sandbox::{Broken, random_uuid};
use crate::service::simulation::{Customer, provider};
use crate::service::state::State;
use crate::service::store::{ConversationTarget, OutgoingMessage, SenderRecord, StoreError, StoredMessage};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;

/// The provider's code for a sender that has reached its messaging limit. `MESSAGING_LIMIT_UNAVAILABLE` says something
/// else, that the limit is not known.
const LIMIT_REACHED: &str = "PROVIDER_ERROR_63018";

/// Why a message is not sent.
#[derive(Debug)]
pub enum SendRefusal {
    /// A refusal from outside messaging, such as a failed database.
    Early(ApiError),
    /// The sender does not exist or is somebody else's.
    SenderNotFound,
    /// The template does not exist or is another sender's.
    TemplateNotFound,
    /// The template has another status.
    TemplateNotApproved(TemplateStatus),
    /// The recipient's number is not E.164.
    InvalidPhone,
    /// The sender has no assistant.
    NoAssistant,
    /// The sender cannot send, and this operation says so with this status.
    SenderOffline(SenderStatus, StatusCode),
    /// The variables are not those of the template.
    Mismatch(VariableMismatch),
    /// A freeform message needs an open window.
    WindowClosed(WindowState),
    /// The balance does not cover the cost.
    InsufficientBalance,
    /// The sender has reached as many customers as it may in a day.
    LimitReached,
    /// The provider refuses the message.
    Provider(ErrorCode),
    /// The simulated provider breaks the connection.
    ConnectionBroken,
}

impl From<ApiError> for SendRefusal {
    fn from(refusal: ApiError) -> Self {
        Self::Early(refusal)
    }
}

impl From<StoreError> for SendRefusal {
    fn from(error: StoreError) -> Self {
        Self::Early(error.into())
    }
}

impl From<SendRefusal> for ApiError {
    fn from(refused: SendRefusal) -> Self {
        let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
        let (status, code, error) = match refused {
            SendRefusal::Early(refusal) => return refusal,
            SendRefusal::SenderNotFound => (
                StatusCode::NOT_FOUND,
                ErrorCode::SenderNotFound,
                "Sender not found or does not belong to you".to_owned(),
            ),
            SendRefusal::TemplateNotFound => (
                StatusCode::NOT_FOUND,
                ErrorCode::TemplateNotFound,
                "Template not found or does not belong to this sender".to_owned(),
            ),
            SendRefusal::TemplateNotApproved(status) => (
                unprocessable,
                ErrorCode::TemplateNotApproved,
                format!("Template is not approved. Current status: {}", status.as_str()),
            ),
            SendRefusal::InvalidPhone => (
                unprocessable,
                ErrorCode::InvalidPhone,
                "Invalid phone number format. Use E.164 format (e.g., +14155551234).".to_owned(),
            ),
            SendRefusal::NoAssistant => (
                unprocessable,
                ErrorCode::NoAssistantConfigured,
                "No assistant is configured for this sender".to_owned(),
            ),
            SendRefusal::SenderOffline(status, answer) => (
                answer,
                ErrorCode::SenderOffline,
                format!("Sender is not online. Current status: {}", capitalized(status.as_str())),
            ),
            SendRefusal::Mismatch(mismatch) => (unprocessable, ErrorCode::TemplateMismatch, mismatch.to_string()),
            SendRefusal::WindowClosed(window) => {
                let error =
                    "The 24-hour messaging window is closed. Customer must reply first, or use a template message.";
                return Self::new(
                    StatusCode::FORBIDDEN,
                    ErrorBody::Coded {
                        success: false,
                        error: error.to_owned(),
                        error_code: ErrorCode::SessionExpired,
                        session_status: Some(Box::new(window.into())),
                    },
                );
            }
            SendRefusal::InsufficientBalance => (
                StatusCode::PAYMENT_REQUIRED,
                ErrorCode::InsufficientBalance,
                "Insufficient balance. Please top up your account.".to_owned(),
            ),
            SendRefusal::LimitReached => (
                unprocessable,
                ErrorCode::Other(LIMIT_REACHED.to_owned()),
                "The sender has reached its messaging limit".to_owned(),
            ),
            SendRefusal::Provider(code) => (unprocessable, code.clone(), provider_words(&code)),
            SendRefusal::ConnectionBroken => {
                (unprocessable, ErrorCode::UnknownError, "The connection broke".to_owned())
            }
        };
        Self::new(status, ErrorBody::coded(code, error))
    }
}

impl IntoResponse for SendRefusal {
    fn into_response(self) -> Response {
        let breaks = matches!(self, Self::ConnectionBroken);
        let mut response = ApiError::from(self).into_response();
        if breaks {
            response.extensions_mut().insert(Broken);
        }
        response
    }
}

/// The platform publishes no words for these; they are ours.
fn provider_words(code: &ErrorCode) -> String {
    match code {
        ErrorCode::TemplateNotSynced => "Template has not been synchronised with the messaging provider yet".to_owned(),
        ErrorCode::TemplateMismatch => "Template does not match the one the messaging provider has".to_owned(),
        ErrorCode::MessagingLimitUnavailable => "The messaging limit of the sender is not available".to_owned(),
        ErrorCode::VoiceCallLimitNotMet => "The sender has not met the voice call limit".to_owned(),
        ErrorCode::UnknownError => "The message could not be sent".to_owned(),
        other => format!("The messaging provider refused the message ({})", other.as_str()),
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A message that has been sent.
#[derive(Debug)]
pub struct Sent {
    /// Its numbers.
    pub stored: StoredMessage,
    /// The provider's name for it.
    pub sid: String,
    /// The window after it.
    pub window: WindowState,
    /// How the provider took it.
    pub answer: provider::ProviderReply,
}

impl Sent {
    /// Lets the answer through as the provider does: at once, late, or never.
    pub async fn pace(self, state: &State, mut response: Response) -> Response {
        match self.answer {
            provider::ProviderReply::AcceptsLate(late) => {
                let due = state.clock.now().saturating_add(late).unwrap_or(Timestamp::MAX);
                // Nobody waits for a made-up delay when the service is to end.
                state.stop.run_until_cancelled(state.clock.until(due)).await;
            }
            provider::ProviderReply::BreaksAfter => {
                response.extensions_mut().insert(Broken);
            }
            _ => {}
        }
        response
    }
}

/// Sends a template message. One in a window that is not open opens it.
///
/// # Errors
/// The first check that fails.
pub fn template(state: &State, user_id: i64, message: &SendTemplate) -> Result<Sent, SendRefusal> {
    let sender = sender(state, user_id, message.sender_id)?;
    let template = state.store.template(sender.id, message.template_id)?.ok_or(SendRefusal::TemplateNotFound)?;
    if template.status != TemplateStatus::Approved {
        return Err(SendRefusal::TemplateNotApproved(template.status));
    }
    phone(&message.recipient_phone)?;
    let assistant_id = sender.assistant_id.ok_or(SendRefusal::NoAssistant)?;
    online(sender.status, StatusCode::UNPROCESSABLE_ENTITY)?;
    let values =
        messaging::arrange_variables(&template.variables, &message.variables).map_err(SendRefusal::Mismatch)?;
    let recipient = Customer { name: message.recipient_name.clone(), phone: message.recipient_phone.clone() };
    send(
        state,
        user_id,
        sender.id,
        &recipient,
        ConversationTarget::NewestOrNew { assistant_id, uuid: random_uuid() },
        &messaging::fill_template(&template.body_text, &values),
        Price::of_template(&template.category),
    )
}

/// Sends a freeform message, which takes an open window.
///
/// # Errors
/// The first check that fails.
pub fn freeform(state: &State, user_id: i64, message: &SendFreeform) -> Result<Sent, SendRefusal> {
    let sender = sender(state, user_id, message.sender_id)?;
    phone(&message.recipient_phone)?;
    online(sender.status, StatusCode::SERVICE_UNAVAILABLE)?;
    let conversation = state.store.window_conversation(sender.id, &message.recipient_phone)?;
    let window = WindowState::at(state.clock.now(), conversation.as_ref().and_then(|it| it.window_from));
    let Some(conversation) = conversation.filter(|_| window.is_open()) else {
        return Err(SendRefusal::WindowClosed(window));
    };
    let recipient = Customer { name: None, phone: message.recipient_phone.clone() };
    let thread = ConversationTarget::Existing(conversation.conversation_id);
    send(state, user_id, sender.id, &recipient, thread, &message.message, Price::FREEFORM)
}

fn sender(state: &State, user_id: i64, sender_id: i64) -> Result<SenderRecord, SendRefusal> {
    state.store.sender(user_id, sender_id)?.ok_or(SendRefusal::SenderNotFound)
}

fn phone(number: &str) -> Result<(), SendRefusal> {
    rules::e164("recipient_phone", number).map_err(|_| SendRefusal::InvalidPhone)
}

fn online(status: SenderStatus, offline: StatusCode) -> Result<(), SendRefusal> {
    if status == SenderStatus::Online { Ok(()) } else { Err(SendRefusal::SenderOffline(status, offline)) }
}

/// The last checks and the message itself, in one transaction.
fn send(
    state: &State,
    user_id: i64,
    sender_id: i64,
    recipient: &Customer,
    thread: ConversationTarget,
    text: &str,
    price: Price,
) -> Result<Sent, SendRefusal> {
    // Numbers choose their fate in a sandbox only.
    let answer = if state.is_sandbox() { provider::answer(&recipient.phone) } else { provider::ORDINARY };
    let sid = format!("SM{}", random_uuid().simple());
    let outgoing = OutgoingMessage { user_id, sender_id, recipient, thread, text, price, sid: &sid };
    let now = state.clock.now();
    let stored = state.store.send(&outgoing, now, |standing| {
        if !standing.covered {
            return Err(SendRefusal::InsufficientBalance);
        }
        if !standing.within_limit {
            return Err(SendRefusal::LimitReached);
        }
        match &answer {
            provider::ProviderReply::Accepts(fate) => Ok(fate.clone()),
            provider::ProviderReply::AcceptsLate(_) | provider::ProviderReply::BreaksAfter => Ok(DeliveryStatus::Read),
            provider::ProviderReply::Refuses(code) => Err(SendRefusal::Provider(code.clone())),
            provider::ProviderReply::BreaksBefore => Err(SendRefusal::ConnectionBroken),
        }
    })??;
    state.provider.notify_one();
    let window = WindowState::at(now, Some(stored.window_from));
    Ok(Sent { stored, sid, window, answer })
}
