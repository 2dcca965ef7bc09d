//! `/user/msgapp`.

use super::integer;
use crate::api::{Data, SendFreeform, SendTemplate, Sender, SentMessage, SessionStatus, Template, WindowStatus};
use crate::service::openapi::{ErrorShape, Operation, Schemas};
use serde_json::{Value, json};

const TAG: &str = "Messaging";
const SENDER_NOT_FOUND: &str = "The caller has no such sender.";

/// What a provider refuses a message for.
const PROVIDER: [&str; 6] = [
    "TEMPLATE_NOT_SYNCED",
    "TEMPLATE_MISMATCH",
    "MESSAGING_LIMIT_UNAVAILABLE",
    "VOICE_CALL_LIMIT_NOT_MET",
    "PROVIDER_ERROR_",
    "UNKNOWN_ERROR",
];
const TEMPLATE_REFUSED: &[&str] = &[
    "TEMPLATE_NOT_APPROVED",
    "INVALID_PHONE",
    "NO_ASSISTANT_CONFIGURED",
    "SENDER_OFFLINE",
    PROVIDER[0],
    PROVIDER[1],
    PROVIDER[2],
    PROVIDER[3],
    PROVIDER[4],
    PROVIDER[5],
];
const FREEFORM_REFUSED: &[&str] =
    &["INVALID_PHONE", PROVIDER[0], PROVIDER[1], PROVIDER[2], PROVIDER[3], PROVIDER[4], PROVIDER[5]];

fn send(operation: Operation) -> Operation {
    operation
        .answers::<SentMessage>(200, "The message is on its way.")
        .refuses(402, ErrorShape::Coded(&["INSUFFICIENT_BALANCE"]), "The balance does not cover the message.")
        .refuses(422, ErrorShape::Validation, "A field is missing or invalid.")
        .refuses(429, ErrorShape::Limited, "The caller has sent five times within a second.")
}

/// `POST /user/msgapp/send`.
pub fn send_template() -> Operation {
    send(Operation::spec(TAG, "sendTemplate", "Send a template message"))
        .words("Its cost is deducted from the balance. It opens the 24-hour window.")
        .body::<SendTemplate>()
        .refuses(
            404,
            ErrorShape::Coded(&["SENDER_NOT_FOUND", "TEMPLATE_NOT_FOUND"]),
            "The caller has no such sender, or that no such template.",
        )
        .refuses(422, ErrorShape::Coded(TEMPLATE_REFUSED), "The message cannot be sent; the code says why.")
}

/// `POST /user/msgapp/send-freeform`.
pub fn send_freeform() -> Operation {
    send(Operation::extension(TAG, "sendFreeform", "Send a freeform message"))
        .words("Its cost is deducted from the balance. It takes an open 24-hour window.")
        .body::<SendFreeform>()
        .refuses_as(403, window_closed, "The window is closed.")
        .refuses(404, ErrorShape::Coded(&["SENDER_NOT_FOUND"]), SENDER_NOT_FOUND)
        .refuses(422, ErrorShape::Coded(FREEFORM_REFUSED), "The message cannot be sent; the code says why.")
        .refuses(503, ErrorShape::Coded(&["SENDER_OFFLINE"]), "The sender is not online.")
}

fn window_closed(schemas: &mut Schemas) -> Value {
    let mut schema = ErrorShape::Coded(&["SESSION_EXPIRED"]).schema();
    schema["properties"]["session_status"] = schemas.of_answer::<WindowStatus>();
    schema["required"] = json!(["success", "error", "error_code", "session_status"]);
    schema
}

/// `GET /user/msgapp/session-status`.
pub fn session_status() -> Operation {
    // The plus may be missing, or be the blank that it becomes where a query is not encoded.
    let phone = json!({"type": "string", "pattern": r"^\s*\+?[1-9][0-9]{7,14}\s*$"});
    Operation::spec(TAG, "getSessionStatus", "Check the 24-hour window of a recipient")
        .required_query("sender_id", "The sender.", integer())
        .required_query("recipient_phone", "The recipient's phone number, in international format.", phone)
        .answers::<SessionStatus>(200, "The conversation and its window.")
        .refuses(404, ErrorShape::Coded(&["SENDER_NOT_FOUND"]), SENDER_NOT_FOUND)
        .refuses(422, ErrorShape::Validation, "A parameter is missing or cannot be read.")
        .refuses(422, ErrorShape::Coded(&["INVALID_PHONE"]), "The phone number is none.")
}

/// `GET /user/msgapp/senders`.
pub fn senders() -> Operation {
    let status = json!({"enum": ["online", "offline", "all"], "default": "online"});
    Operation::extension(TAG, "listSenders", "List the caller's senders")
        .query("status", "Only senders of this status, or all.", status)
        .answers::<Data<Vec<Sender>>>(200, "The senders.")
        .refuses(422, ErrorShape::Validation, "There is no such status.")
}

/// `GET /user/msgapp/senders/{sender_id}/templates`.
pub fn templates() -> Operation {
    let status = json!({"enum": ["approved", "pending", "rejected", "all"], "default": "approved"});
    Operation::spec(TAG, "listTemplates", "List the templates of a sender")
        .path_id("sender_id", "The sender's number.")
        .query("status", "Only templates of this status, or all.", status)
        .answers::<Data<Vec<Template>>>(200, "The templates.")
        .refuses(404, ErrorShape::Coded(&["SENDER_NOT_FOUND"]), SENDER_NOT_FOUND)
        .refuses(422, ErrorShape::Validation, "There is no such status.")
}
