//! API keys: `/user/api-keys` (spec: Endpoints, API keys).

use super::rules::API_KEY_NAME_MAX;
use super::token::{Token, serialize_exposed};
use super::{Field, IsoTimestamp, Rows};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A key as the list shows it. The token is never part of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ApiKey {
    /// The key's number.
    #[serde(default, skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// The label given at creation.
    #[serde(default, skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// When a request last carried it; `None` when never.
    #[serde(default, skip_serializing_if = "Field::is_missing")]
    pub last_used_at: Field<Option<IsoTimestamp>>,
    /// When it was created.
    #[serde(default, skip_serializing_if = "Field::is_missing")]
    pub created_at: Field<IsoTimestamp>,
}

/// The answer of `GET /user/api-keys`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApiKeyList {
    /// The caller's keys; empty when there are none.
    pub api_keys: Rows<ApiKey>,
}

/// The body of `POST /user/api-keys`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CreateApiKey {
    /// The label of the new key.
    #[schemars(length(min = 1, max = API_KEY_NAME_MAX))]
    pub name: String,
}

/// A key at its creation: the only time its token is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedApiKey {
    /// The label given.
    pub name: String,
    /// The token, never returned again.
    #[serde(serialize_with = "serialize_exposed")]
    pub token: Token,
    /// When it was created.
    pub created_at: IsoTimestamp,
}

/// The 201 answer of `POST /user/api-keys`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedApiKeyBody {
    /// What happened, in words.
    pub message: String,
    /// The new key with its token.
    pub api_key: CreatedApiKey,
}

/// An answer that says what happened and nothing more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageBody {
    /// What happened, in words.
    pub message: String,
}
