//! `/user/api-keys`.

use crate::api::{ApiKeyList, CreateApiKey, CreatedApiKeyBody, MessageBody};
use crate::service::limits::API_KEYS_MAX;
use crate::service::openapi::{ErrorShape, Operation};

const TAG: &str = "API keys";

/// `POST /user/api-keys`.
pub fn create() -> Operation {
    Operation::spec(TAG, "createApiKey", "Create a persistent API key")
        .body::<CreateApiKey>()
        .answers::<CreatedApiKeyBody>(201, "The key. No other answer shows its token.")
        .refuses(
            422,
            ErrorShape::Validation,
            format!("The name is missing or too long, or there are {API_KEYS_MAX} keys."),
        )
}

/// `GET /user/api-keys`.
pub fn list() -> Operation {
    Operation::spec(TAG, "listApiKeys", "List the caller's API keys")
        .answers::<ApiKeyList>(200, "The keys, without tokens.")
}

/// `DELETE /user/api-keys/{id}`.
pub fn delete() -> Operation {
    Operation::spec(TAG, "deleteApiKey", "Delete an API key")
        .path_id("id", "The key's number.")
        .answers::<MessageBody>(200, "It is deleted, and its token is worth nothing.")
        .refuses(404, ErrorShape::Message, "The caller has no such key.")
}
