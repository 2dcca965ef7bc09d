//! `/sandbox/`.

use super::{integer, phone, text};
use crate::api::MessageBody;
use crate::service::openapi::{ErrorShape, Operation};
use crate::service::routes::sandbox::{
    ADVANCE_MAX, COUNT_MAX, LATENCY_MAX, MessageStatus, NAME_MAX, Now, Received, TEXT_MAX,
};
use crate::service::routes::sandbox_calls::{Calling, DETAILS};
use serde_json::json;

/// Where the controls stand.
pub const TAG: &str = "Sandbox";

/// `POST /sandbox/clock`.
pub fn clock() -> Operation {
    let seconds = json!({"type": "integer", "minimum": 0, "maximum": ADVANCE_MAX});
    Operation::extension(TAG, "moveClock", "Move the service's clock on")
        .fields(&["advance_seconds"], &json!({"advance_seconds": seconds}))
        .answers::<Now>(200, "The new time.")
        .refuses(422, ErrorShape::Validation, "The seconds are missing or out of their bounds.")
}

/// `POST /sandbox/faults`.
pub fn faults() -> Operation {
    let switch = || json!({"type": ["boolean", "null"]});
    let fields = json!({
        "path": {"type": "string", "pattern": "^/"},
        "status": {"type": ["integer", "null"], "minimum": 400, "maximum": 599},
        "latency_ms": {"type": ["integer", "null"], "minimum": 0, "maximum": LATENCY_MAX},
        "drop": switch(),
        "count": {"type": "integer", "minimum": 0, "maximum": COUNT_MAX},
        "clear": switch(),
    });
    Operation::extension(TAG, "setFault", "Afflict the next requests of a path, or end all of that")
        .words("`path` and `count` with at least one of `status`, `latency_ms` and `drop`; or `clear` alone.")
        .fields(&[], &fields)
        .answers::<MessageBody>(200, "It is set, or all are cleared.")
        .refuses(422, ErrorShape::Validation, "A field cannot be read, or the fault would do nothing.")
}

/// `POST /sandbox/inbound-message`.
pub fn inbound_message() -> Operation {
    let name = json!({"type": ["string", "null"], "maxLength": NAME_MAX});
    let fields =
        json!({"sender_id": integer(), "customer_phone": phone(), "text": text(TEXT_MAX), "customer_name": name});
    Operation::extension(TAG, "receiveMessage", "Let a customer write to a sender")
        .fields(&["sender_id", "customer_phone", "text"], &fields)
        .answers::<Received>(200, "The message has arrived.")
        .refuses(404, ErrorShape::Coded(&["SENDER_NOT_FOUND"]), "The caller has no such sender.")
        .refuses(422, ErrorShape::Validation, "A field cannot be read.")
        .refuses(422, ErrorShape::Coded(&["NO_ASSISTANT_CONFIGURED"]), "Nobody answers on the sender.")
}

/// `POST /sandbox/end-conversation`.
pub fn end_conversation() -> Operation {
    let fields = json!({"conversation_id": {"type": "string", "format": "uuid"}});
    Operation::extension(TAG, "endConversation", "End a conversation")
        .fields(&["conversation_id"], &fields)
        .answers::<MessageBody>(200, "It has ended.")
        .refuses(404, ErrorShape::Message, "The caller has no such conversation.")
        .refuses(422, ErrorShape::Validation, "Its id is missing.")
}

/// `POST /sandbox/inbound-call`.
pub fn inbound_call() -> Operation {
    let seconds = json!({"type": ["integer", "null"], "minimum": DETAILS.start(), "maximum": DETAILS.end()});
    let fields = json!({"assistant_id": integer(), "customer_phone": phone(), "duration_seconds": seconds});
    Operation::extension(TAG, "receiveCall", "Let a customer call an assistant")
        .fields(&["assistant_id", "customer_phone"], &fields)
        .answers::<Calling>(200, "The call is begun.")
        .refuses(404, ErrorShape::Message, "The caller has no such assistant.")
        .refuses(422, ErrorShape::Validation, "A field cannot be read.")
}

/// `GET /sandbox/messages/{sid}`.
pub fn message() -> Operation {
    Operation::extension(TAG, "getMessage", "Read how far a message has come")
        .path_text("sid", "The provider's name for the message.")
        .answers::<MessageStatus>(200, "How far it is.")
        .refuses(404, ErrorShape::Message, "The caller has sent no such message.")
}
