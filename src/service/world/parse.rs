//! The shape of a world file: what serde and TOML can tell, and where in the text each value stands.

use super::words::Listed;
use super::{UserKind, WorldError};
use crate::api::{
    AssistantMode, AssistantStatus, AssistantType, DocumentStatus, DocumentType, Password, QualityRating, SenderStatus,
    TemplateCategory, TemplateStatus, Token, ToolHeader, ToolMethod, ToolParameter,
};
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// A world file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorldFile {
    #[serde(default)]
    pub(super) users: Vec<UserFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UserFile {
    pub(super) email: Spanned<String>,
    pub(super) name: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "password")]
    pub(super) password: Option<Spanned<Password>>,
    pub(super) kind: Option<Listed<UserKind>>,
    pub(super) balance: Option<Spanned<f64>>,
    pub(super) tool_limit: Option<u32>,
    #[serde(default, deserialize_with = "tokens")]
    pub(super) tokens: Vec<Spanned<Token>>,
    pub(super) generate: Option<Spanned<GenerateFile>>,
    #[serde(default)]
    pub(super) assistants: Vec<AssistantFile>,
    #[serde(default)]
    pub(super) senders: Vec<SenderFile>,
    #[serde(default)]
    pub(super) knowledgebases: Vec<KnowledgebaseFile>,
    #[serde(default)]
    pub(super) tools: Vec<ToolFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GenerateFile {
    pub(super) conversations: u64,
    #[serde(default)]
    pub(super) calls: u64,
    pub(super) seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssistantFile {
    pub(super) name: Spanned<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<Listed<AssistantType>>,
    pub(super) mode: Option<Listed<AssistantMode>>,
    pub(super) status: Option<Listed<AssistantStatus>>,
    pub(super) timezone: Option<Spanned<String>>,
    pub(super) initial_message: Option<String>,
    pub(super) system_prompt: Option<String>,
    #[serde(default)]
    pub(super) variables: BTreeMap<String, String>,
    pub(super) knowledgebase: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SenderFile {
    pub(super) phone_number: Spanned<String>,
    pub(super) display_name: Option<String>,
    pub(super) status: Option<Listed<SenderStatus>>,
    pub(super) quality_rating: Option<Listed<QualityRating>>,
    pub(super) messaging_limit: Option<u32>,
    pub(super) assistant: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) templates: Vec<TemplateFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TemplateFile {
    pub(super) name: Spanned<String>,
    pub(super) language: Option<String>,
    pub(super) category: Option<Listed<TemplateCategory>>,
    pub(super) status: Option<Listed<TemplateStatus>>,
    pub(super) body_text: Spanned<String>,
    pub(super) variables: Option<Spanned<Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnowledgebaseFile {
    pub(super) name: Spanned<String>,
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) documents: Vec<DocumentFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentFile {
    pub(super) name: Spanned<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<Listed<DocumentType>>,
    pub(super) status: Option<Listed<DocumentStatus>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolFile {
    pub(super) name: Spanned<String>,
    pub(super) description: String,
    pub(super) endpoint: String,
    pub(super) method: Option<Listed<ToolMethod>>,
    pub(super) timeout: Option<i64>,
    #[serde(default)]
    pub(super) headers: Vec<ToolHeader>,
    #[serde(default)]
    pub(super) parameters: Vec<ToolParameter>,
    #[serde(default)]
    pub(super) assistants: Vec<Spanned<String>>,
}

/// Reads tokens. An error of serde's own would quote the value, which may be a token.
fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Spanned<Token>>, D::Error> {
    Vec::deserialize(deserializer).map_err(|_| de::Error::custom("tokens must be a list of strings"))
}

/// Reads a password; what serde says of another type would quote it.
fn password<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Spanned<Password>>, D::Error> {
    let wrong = |_| de::Error::custom("password must be a string");
    let text = Spanned::<String>::deserialize(deserializer).map_err(wrong)?;
    Ok(Some(Spanned::new(text.span(), Password::new(text.as_ref()))))
}

/// Reads the text of a world file.
pub(super) fn file(text: &str) -> Result<WorldFile, WorldError> {
    toml::from_str(text).map_err(|error| mistake(text, error.span().unwrap_or_default(), error.message()))
}

/// A mistake at a place of the text.
pub(super) fn mistake(text: &str, at: Range<usize>, message: impl Into<String>) -> WorldError {
    let before = text.get(..at.start).unwrap_or(text);
    // A sentence of the TOML reader may span lines; ours stay in one.
    WorldError { line: 1 + before.matches('\n').count(), message: message.into().replace('\n', ", ") }
}
