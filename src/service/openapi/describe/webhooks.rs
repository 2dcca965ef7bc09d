//! The webhook switches of assistants.

use super::assistants::TAG;
use super::{integer, web_url};
use crate::api::Done;
use crate::service::openapi::{ErrorShape, Operation};
use serde_json::json;

fn enable(operation: Operation) -> Operation {
    let fields = json!({"assistant_id": integer(), "webhook_url": web_url()});
    answers(operation.fields(&["assistant_id", "webhook_url"], &fields))
}

fn disable(operation: Operation) -> Operation {
    answers(operation.fields(&["assistant_id"], &json!({"assistant_id": integer()})))
}

fn answers(operation: Operation) -> Operation {
    operation
        .answers::<Done<[(); 0]>>(200, "It is done.")
        .refuses(404, ErrorShape::Message, "The caller has no such assistant.")
        .refuses(422, ErrorShape::Validation, "A field is missing or invalid.")
}

/// `POST /user/assistants/enable-conversation-ended-webhook`.
pub fn enable_conversation_ended() -> Operation {
    enable(Operation::spec(TAG, "enableConversationEndedWebhook", "Tell a URL of each chat that ends"))
}

/// `POST /user/assistants/disable-conversation-ended-webhook`.
pub fn disable_conversation_ended() -> Operation {
    disable(Operation::extension(TAG, "disableConversationEndedWebhook", "Tell of no more chats that end"))
}

/// `POST /user/assistants/enable-inbound-webhook`.
pub fn enable_inbound() -> Operation {
    enable(Operation::spec(TAG, "enableInboundWebhook", "Tell a URL of each inbound call that completes"))
}

/// `POST /user/assistants/disable-inbound-webhook`.
pub fn disable_inbound() -> Operation {
    disable(Operation::spec(TAG, "disableInboundWebhook", "Tell of no more inbound calls"))
}

/// `POST /user/assistants/disable-webhook`.
pub fn disable_post_call() -> Operation {
    disable(Operation::extension(TAG, "disableWebhook", "Tell of no more calls that are over"))
}
