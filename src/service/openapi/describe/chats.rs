//! `/conversations` and `/automate/conversations`.

use crate::api::rules::CHAT_MESSAGE_MAX;
use crate::api::{AiSwitched, ChatReply, ConversationHistory, StartedConversation};
use crate::service::limits::{CHAT_MESSAGES_MAX, VARIABLES_MAX};
use crate::service::openapi::{ErrorShape, Operation};
use serde_json::json;

const TAG: &str = "Chats";

fn one(operation: Operation) -> Operation {
    operation.path_uuid("uuid", "The conversation's UUID.").refuses(
        404,
        ErrorShape::Failed,
        "The caller has no such conversation.",
    )
}

/// `POST /conversations`.
pub fn start() -> Operation {
    let fields = json!({
        "assistant_id": {"type": "string", "format": "uuid"},
        "type": {"enum": ["widget", "test"]},
        "variables": {"type": ["object", "null"]},
    });
    Operation::extension(TAG, "startConversation", "Start a chat with an assistant")
        .words(format!(
            "In the web chat widget, which costs, or as a test, which does not. The variables have at most {VARIABLES_MAX} \
             bytes as JSON."
        ))
        .fields(&["assistant_id", "type"], &fields)
        .answers::<StartedConversation>(200, "The conversation, with what the assistant says first.")
        .refuses(400, ErrorShape::Failed, "The balance does not pay for a reply.")
        .refuses(404, ErrorShape::Failed, "The caller has no such assistant.")
        .refuses(422, ErrorShape::Failed, "A field is missing or invalid.")
}

/// `GET /conversations/{uuid}`.
pub fn read() -> Operation {
    one(Operation::extension(TAG, "getConversation", "Read a conversation with its messages"))
        .answers::<ConversationHistory>(200, "The conversation.")
}

/// `POST /conversations/{uuid}/messages`.
pub fn say() -> Operation {
    let message = json!({"type": "string", "minLength": 1, "maxLength": CHAT_MESSAGE_MAX});
    one(Operation::extension(TAG, "sendChatMessage", "Write to an assistant as its customer"))
        .fields(&["message"], &json!({"message": message}))
        .answers::<ChatReply>(200, "What the assistant replies.")
        .refuses(
            400,
            ErrorShape::Failed,
            "The balance does not pay for a reply, or the customer writes in the messaging app.",
        )
        .refuses(
            422,
            ErrorShape::Failed,
            format!("The message is missing or too long, or the conversation has {CHAT_MESSAGES_MAX} messages."),
        )
}

/// `POST /automate/conversations/{uuid}/disable-ai`.
pub fn disable_ai() -> Operation {
    one(Operation::extension(TAG, "disableAi", "Let a person take a conversation over"))
        .answers::<AiSwitched>(200, "The AI no longer answers.")
}

/// `POST /automate/conversations/{uuid}/enable-ai`.
pub fn enable_ai() -> Operation {
    one(Operation::extension(TAG, "enableAi", "Hand a conversation back to the AI"))
        .answers::<AiSwitched>(200, "The AI answers again.")
}
