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

use super::{Price, Window};
use crate::api::{
    DeliveryStatus, ErrorBody, ErrorCode, SendFreeform, SendTemplate, SenderStatus, TemplateStatus, VariableMismatch,
    messaging, rules,
};
use crate::service::http::Refusal;
use crate::service::sandbox::{Broken, random_uuid};
use crate::service::simulation::{Customer, provider};
use crate::service::state::State;
use crate::service::store::{Line, Outgoing, StoreError, Stored, Thread};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;

/// The provider's code for a sender that has reached its messaging limit. `MESSAGING_LIMIT_UNAVAILABLE` says something
/// else, that the limit is not known.
const LIMIT_REACHED: &str = "PROVIDER_ERROR_63018";

/// Why a message is not sent.
#[derive(Debug)]
pub enum Refused {
    /// Before any check of messaging.
    Early(Refusal),
    /// The sender does not exist or is somebody else's.
    SenderNotFound,
    /// The template does not exist or is another sender's.
    TemplateNotFound,
    /// The template has another status.
    TemplateNotApproved(TemplateStatus),
    /// The recipient's number is not E.164.
    InvalidPhone,
    /// Nobody would answer.
    NoAssistant,
    /// The sender cannot send, and this operation says so with this status.
    SenderOffline(SenderStatus, StatusCode),
    /// The variables are not those of the template.
    Mismatch(VariableMismatch),
    /// A freeform message needs an open window.
    WindowClosed(Window),
    /// The balance does not cover the cost.
    InsufficientBalance,
    /// The sender has reached as many customers as it may in a day.
    LimitReached,
    /// The provider does not take it.
    Provider(ErrorCode),
    /// The caller is to see the connection break.
    ConnectionBroken,
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self::Early(refusal)
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Early(error.into())
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
        let (status, code, error) = match refused {
            Refused::Early(refusal) => return refusal,
            Refused::SenderNotFound => (
                StatusCode::NOT_FOUND,
                ErrorCode::SenderNotFound,
                "Sender not found or does not belong to you".to_owned(),
            ),
            Refused::TemplateNotFound => (
                StatusCode::NOT_FOUND,
                ErrorCode::TemplateNotFound,
                "Template not found or does not belong to this sender".to_owned(),
            ),
            Refused::TemplateNotApproved(status) => (
                unprocessable,
                ErrorCode::TemplateNotApproved,
                format!("Template is not approved. Current status: {}", status.as_str()),
            ),
            Refused::InvalidPhone => (
                unprocessable,
                ErrorCode::InvalidPhone,
                "Invalid phone number format. Use E.164 format (e.g., +14155551234).".to_owned(),
            ),
            Refused::NoAssistant => (
                unprocessable,
                ErrorCode::NoAssistantConfigured,
                "No assistant is configured for this sender".to_owned(),
            ),
            Refused::SenderOffline(status, answer) => (
                answer,
                ErrorCode::SenderOffline,
                format!("Sender is not online. Current status: {}", capitalized(status.as_str())),
            ),
            Refused::Mismatch(mismatch) => (unprocessable, ErrorCode::TemplateMismatch, mismatch.to_string()),
            Refused::WindowClosed(window) => {
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
            Refused::InsufficientBalance => (
                StatusCode::PAYMENT_REQUIRED,
                ErrorCode::InsufficientBalance,
                "Insufficient balance. Please top up your account.".to_owned(),
            ),
            Refused::LimitReached => (
                unprocessable,
                ErrorCode::Other(LIMIT_REACHED.to_owned()),
                "The sender has reached its messaging limit".to_owned(),
            ),
            Refused::Provider(code) => (unprocessable, code.clone(), provider_words(&code)),
            Refused::ConnectionBroken => (unprocessable, ErrorCode::UnknownError, "The connection broke".to_owned()),
        };
        Self::new(status, ErrorBody::coded(code, error))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let breaks = matches!(self, Self::ConnectionBroken);
        let mut response = Refusal::from(self).into_response();
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
    pub stored: Stored,
    /// The provider's name for it.
    pub sid: String,
    /// The window after it.
    pub window: Window,
    /// How the provider took it.
    pub answer: provider::Answer,
}

impl Sent {
    /// Lets the answer through as the provider does: at once, late, or never.
    pub async fn pace(self, state: &State, mut response: Response) -> Response {
        match self.answer {
            provider::Answer::AcceptsLate(late) => {
                let due = state.clock.now().saturating_add(late).unwrap_or(Timestamp::MAX);
                // Nobody waits for a made-up delay when the service is to end.
                state.stop.run_until_cancelled(state.clock.until(due)).await;
            }
            provider::Answer::BreaksAfter => {
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
pub fn template(state: &State, user_id: i64, message: &SendTemplate) -> Result<Sent, Refused> {
    let line = sender(state, user_id, message.sender_id)?;
    let template = state.store.template(line.id, message.template_id)?.ok_or(Refused::TemplateNotFound)?;
    if template.status != TemplateStatus::Approved {
        return Err(Refused::TemplateNotApproved(template.status));
    }
    phone(&message.recipient_phone)?;
    let assistant_id = line.assistant_id.ok_or(Refused::NoAssistant)?;
    online(line.status, StatusCode::UNPROCESSABLE_ENTITY)?;
    let values = messaging::arrange_variables(&template.variables, &message.variables).map_err(Refused::Mismatch)?;
    let recipient = Customer { name: message.recipient_name.clone(), phone: message.recipient_phone.clone() };
    send(
        state,
        user_id,
        line.id,
        &recipient,
        Thread::NewOrNewest { assistant_id, uuid: random_uuid() },
        &messaging::fill_template(&template.body_text, &values),
        Price::of_template(&template.category),
    )
}

/// Sends a freeform message, which takes an open window.
///
/// # Errors
/// The first check that fails.
pub fn freeform(state: &State, user_id: i64, message: &SendFreeform) -> Result<Sent, Refused> {
    let line = sender(state, user_id, message.sender_id)?;
    phone(&message.recipient_phone)?;
    online(line.status, StatusCode::SERVICE_UNAVAILABLE)?;
    let session = state.store.session(line.id, &message.recipient_phone)?;
    let window = Window::at(state.clock.now(), session.as_ref().and_then(|session| session.window_from));
    let Some(session) = session.filter(|_| window.is_open()) else { return Err(Refused::WindowClosed(window)) };
    let recipient = Customer { name: None, phone: message.recipient_phone.clone() };
    let thread = Thread::Known(session.conversation_id);
    send(state, user_id, line.id, &recipient, thread, &message.message, Price::FREEFORM)
}

fn sender(state: &State, user_id: i64, sender_id: i64) -> Result<Line, Refused> {
    state.store.line(user_id, sender_id)?.ok_or(Refused::SenderNotFound)
}

fn phone(number: &str) -> Result<(), Refused> {
    rules::e164("recipient_phone", number).map_err(|_| Refused::InvalidPhone)
}

fn online(status: SenderStatus, offline: StatusCode) -> Result<(), Refused> {
    if status == SenderStatus::Online { Ok(()) } else { Err(Refused::SenderOffline(status, offline)) }
}

/// The last checks and the message itself, in one transaction.
fn send(
    state: &State,
    user_id: i64,
    sender_id: i64,
    recipient: &Customer,
    thread: Thread,
    text: &str,
    price: Price,
) -> Result<Sent, Refused> {
    // Numbers choose their fate in a sandbox only.
    let answer = if state.is_sandbox() { provider::answer(&recipient.phone) } else { provider::ORDINARY };
    let sid = format!("SM{}", random_uuid().simple());
    let outgoing = Outgoing { user_id, sender_id, recipient, thread, text, price, sid: &sid };
    let now = state.clock.now();
    let stored = state.store.send(&outgoing, now, |standing| {
        if !standing.covered {
            return Err(Refused::InsufficientBalance);
        }
        if !standing.within_limit {
            return Err(Refused::LimitReached);
        }
        match &answer {
            provider::Answer::Accepts(fate) => Ok(fate.clone()),
            provider::Answer::AcceptsLate(_) | provider::Answer::BreaksAfter => Ok(DeliveryStatus::Read),
            provider::Answer::Refuses(code) => Err(Refused::Provider(code.clone())),
            provider::Answer::BreaksBefore => Err(Refused::ConnectionBroken),
        }
    })??;
    state.provider.notify_one();
    let window = Window::at(now, Some(stored.window_from));
    Ok(Sent { stored, sid, window, answer })
}
