//! The world file: the users a sandbox begins with and all that belongs to them.
//!
//! Text in, values out: a [`World`] that exists has been checked, so whoever reads one finds senders whose
//! assistant exists, templates whose variables fit their text and time zones that are known.

mod check;
mod parse;
#[cfg(test)]
mod tests;
mod words;

pub use words::UserKind;

use crate::api::{
    AssistantMode, AssistantStatus, AssistantType, DocumentStatus, DocumentType, Password, QualityRating, SenderStatus,
    TemplateCategory, TemplateStatus, Token, ToolChange,
};
use std::collections::BTreeMap;

/// The world a sandbox starts with where no other is given.
pub const DEMO: &str = include_str!("../../../config/worlds/demo.toml");

/// Everything a sandbox begins with, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The users; none where the file names none.
    pub users: Vec<User>,
}

impl World {
    /// Reads a world file (TOML) and checks it.
    ///
    /// # Errors
    /// The first mistake with its line: of syntax, an unknown key or word, a wrong type, or a value that cannot be.
    pub fn parse(text: &str) -> Result<Self, WorldError> {
        check::world(text, &parse::file(text)?)
    }
}

/// A mistake in a world file. It never shows a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct WorldError {
    /// Where, counted from 1.
    pub line: usize,
    /// What is wrong, for people.
    pub message: String,
}

/// A person or business with an account.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// Required, and each user's own.
    pub email: String,
    /// The part of the email before the @ by default.
    pub name: String,
    /// Lets the user log in; without one nobody can. None by default.
    pub password: Option<Password>,
    /// What the balance counts; tenant by default.
    pub kind: UserKind,
    /// Credits of a tenant, minutes of a direct user; never negative; 100 by default.
    pub balance: f64,
    /// How many mid call tools the plan allows; 5 by default.
    pub tool_limit: u32,
    /// Bearer tokens valid from the start, none of them given twice in a world; none by default.
    pub tokens: Vec<Token>,
    /// Conversations to make up; none by default.
    pub generate: Option<Generate>,
    /// No two of the same name.
    pub assistants: Vec<WorldAssistant>,
    /// No two of the same number in a world.
    pub senders: Vec<WorldSender>,
    /// What the assistants can look up.
    pub knowledgebases: Vec<WorldKnowledgebase>,
    /// What the assistants can call; as many as the world has, whatever the plan allows.
    pub tools: Vec<WorldTool>,
}

/// How many conversations and calls to make up, and from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generate {
    /// How many; required.
    pub conversations: u64,
    /// How many calls; none by default.
    pub calls: u64,
    /// The same seed makes the same conversations; 1 by default.
    pub seed: u64,
}

/// An assistant.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldAssistant {
    /// Required.
    pub name: String,
    /// What it does (`type` in the file); outbound by default.
    pub kind: AssistantType,
    /// Its engine; pipeline by default.
    pub mode: AssistantMode,
    /// Whether it is in use; active by default.
    pub status: AssistantStatus,
    /// An IANA time zone name; UTC by default.
    pub timezone: String,
    /// What it says first; an English greeting by default.
    pub initial_message: String,
    /// How it is told to behave; an English sentence by default.
    pub system_prompt: String,
    /// Custom variables; none by default.
    pub variables: BTreeMap<String, String>,
    /// The name of the user's knowledgebase that it looks things up in; none by default.
    pub knowledgebase: Option<String>,
}

/// A number of the messaging app.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldSender {
    /// In E.164; required.
    pub phone_number: String,
    /// What customers see; the number by default.
    pub display_name: String,
    /// Whether it can send; online by default.
    pub status: SenderStatus,
    /// What the messaging platform thinks of it; GREEN by default.
    pub quality_rating: QualityRating,
    /// Recipients in 24 hours; without a limit by default.
    pub messaging_limit: Option<u32>,
    /// The name of the user's assistant that answers there; none by default.
    pub assistant: Option<String>,
    /// Its message templates.
    pub templates: Vec<WorldTemplate>,
}

/// A message template of a sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldTemplate {
    /// As registered with the messaging platform; required.
    pub name: String,
    /// A language code such as `en` or `pt_BR`; `en` by default.
    pub language: String,
    /// Utility by default.
    pub category: TemplateCategory,
    /// Approved by default.
    pub status: TemplateStatus,
    /// The text, with `{{1}}`, `{{2}}` … where the variables go; required.
    pub body_text: String,
    /// A name for each placeholder, in order; none by default.
    pub variables: Vec<String>,
}

/// A set of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldKnowledgebase {
    /// Required.
    pub name: String,
    /// None by default.
    pub description: Option<String>,
    /// None by default.
    pub documents: Vec<WorldDocument>,
}

/// A mid call tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldTool {
    /// All of it. Name, description and endpoint are required; the method is GET by default.
    pub tool: ToolChange,
    /// The names of the user's assistants that it is attached to; none by default.
    pub assistants: Vec<String>,
}

/// A document of a knowledgebase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldDocument {
    /// Required.
    pub name: String,
    /// What it was made from (`type` in the file); txt by default.
    pub kind: DocumentType,
    /// Active by default.
    pub status: DocumentStatus,
}
