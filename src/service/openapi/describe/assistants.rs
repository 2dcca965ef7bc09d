//! `/user/assistants` and `/user/assistant`.

use super::paged;
use crate::api::{Assistant, AssistantChange, AssistantSummary, Done, MessageBody, NumberedPage, OutboundAssistant};
use crate::service::limits::{ASSISTANTS_MAX, ITEMS_MAX, OBJECT_MAX, PROMPT_MAX};
use crate::service::openapi::{ErrorShape, Operation};
use crate::service::routes::assistants::PER_PAGE_DEFAULT;

/// Where the operations on assistants stand.
pub const TAG: &str = "Assistants";

const MISSING: &str = "The caller has no such assistant.";
const INVALID: &str = "A field is invalid or names what the caller does not have.";

/// `GET /user/assistants/outbound`.
pub fn outbound() -> Operation {
    Operation::spec(TAG, "listOutboundAssistants", "List the caller's outbound assistants")
        .words("These are the assistants to start calls with.")
        .answers::<Vec<OutboundAssistant>>(200, "All of them, unpaged.")
}

/// `GET /user/assistants/get`.
pub fn list() -> Operation {
    paged(Operation::extension(TAG, "listAssistants", "List the caller's assistants"), PER_PAGE_DEFAULT)
        .words("Newest first.")
        .answers::<NumberedPage<Assistant>>(200, "A page; beyond the last one it is empty.")
        .refuses(422, ErrorShape::Validation, "A parameter is out of its bounds.")
}

/// `POST /user/assistant`.
pub fn create() -> Operation {
    Operation::extension(TAG, "createAssistant", "Create an assistant")
        .words(format!(
            "A pipeline assistant also needs `llm_model_id`, the others `multimodal_model_id`. There may be {ASSISTANTS_MAX} \
             assistants, each with a prompt of {PROMPT_MAX} characters and {ITEMS_MAX} items in each list, which is no larger \
             than {OBJECT_MAX} bytes as JSON."
        ))
        .body::<AssistantChange>()
        .needs(AssistantChange::default().missing())
        .answers::<Done<AssistantSummary>>(201, "The assistant, which is not active yet.")
        .refuses(422, ErrorShape::Validation, "A field is missing or invalid, or names what the caller does not have.")
}

/// `PUT /user/assistant/{id}`.
pub fn update() -> Operation {
    Operation::extension(TAG, "updateAssistant", "Change the given fields of an assistant")
        .words("Null clears an optional field; lists and variables are replaced as a whole; another mode resets what belongs to the old one.")
        .path_id("id", "The assistant's number.")
        .body::<AssistantChange>()
        .answers::<Done<AssistantSummary>>(200, "The assistant as it is now.")
        .refuses(404, ErrorShape::Message, MISSING)
        .refuses(422, ErrorShape::Validation, INVALID)
}

/// `DELETE /user/assistant/{id}`.
pub fn delete() -> Operation {
    Operation::extension(TAG, "deleteAssistant", "Delete an assistant")
        .path_id("id", "The assistant's number.")
        .answers::<MessageBody>(200, "It is deleted.")
        .refuses(404, ErrorShape::Message, MISSING)
}
