//! The simulated world: conversations that have been, and people who keep it alive.
//!
//! Pure and deterministic: the same seed and moment give the same values on every platform.

pub mod calls;
pub mod chat;
mod customers;
pub mod documents;
mod draw;
mod past;
pub mod past_calls;
pub mod people;
mod phrases;
pub mod provider;
mod script;
mod stories;
#[cfg(test)]
mod tests;

pub use script::Line;

use super::world::{Generate, User};
use crate::api::ConversationType;
use jiff::Timestamp;
use uuid::Uuid;

/// The two letters of the language that people of a time zone are likely to speak.
pub fn language_code(timezone: &str) -> &'static str {
    phrases::PhraseLanguage::of_timezone(timezone).iso_2()
}

/// Someone who writes to a sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// The name, where it is known.
    pub name: Option<String>,
    /// The number in E.164.
    pub phone: String,
}

/// A conversation that has been made up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// Its id, drawn from the user's email and the seed.
    pub uuid: Uuid,
    /// Who handles it: an index into the user's assistants.
    pub assistant: usize,
    /// Where it takes place.
    pub kind: ConversationType,
    /// Messages of both sides, at least 1.
    pub message_count: u32,
    /// Cost so far, in millionths of a USD; tests cost nothing.
    pub total_cost_micros: i64,
    /// Whether the AI answers.
    pub ai_enabled: bool,
    /// When it began, in the last 60 days.
    pub created_at: Timestamp,
    /// When it last changed: not before it began, not after now.
    pub updated_at: Timestamp,
    /// Whether it is over.
    pub ended: bool,
    /// The number it runs over, an index into the user's senders; exactly on messaging conversations.
    pub sender: Option<usize>,
    /// The other side; exactly on messaging conversations.
    pub customer: Option<Customer>,
}

/// The conversations a plan asks for, made one at a time and in no order of time.
///
/// A user without assistants gets none, and one without a sender that has an assistant no messaging ones.
pub fn generate(user: &User, plan: &Generate, now: Timestamp) -> impl Iterator<Item = Generated> {
    let mut past = past::Past::new(user, plan, now);
    let count = if user.assistants.is_empty() { 0 } else { plan.conversations };
    (0..count).map(move |number| past.conversation(number))
}
