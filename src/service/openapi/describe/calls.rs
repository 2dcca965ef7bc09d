//! `/user/make_call` and `/user/calls`.

use super::{day, integer, paged, phone, variables};
use crate::api::rules::PER_PAGE_DEFAULT;
use crate::api::{Call, CallStatus, CallType, Done, MessageBody, NumberedPage};
use crate::service::limits::VARIABLES_MAX;
use crate::service::openapi::{ErrorShape, Operation};
use serde_json::{Map, Value, json};

const TAG: &str = "Calls";
const MISSING: &str = "The caller has no such call.";

/// `POST /user/make_call`.
pub fn make() -> Operation {
    // Some clients write the number as a text.
    let assistant_id = json!({"anyOf": [integer(), {"type": "string", "pattern": "^[0-9]{1,18}$"}]});
    let fields = json!({"phone_number": phone(), "assistant_id": assistant_id, "variables": variables()});
    Operation::spec(TAG, "makeCall", "Start an outbound call")
        .words(format!("The variables have at most {VARIABLES_MAX} bytes as JSON."))
        .fields(&["phone_number", "assistant_id"], &fields)
        .answers::<Done<Map<String, Value>>>(200, "The call is begun.")
        .refuses(400, ErrorShape::Message, "The phone number is not in E.164.")
        .refuses(404, ErrorShape::Message, "The caller has no such assistant.")
        .refuses(422, ErrorShape::Validation, "A field is missing or invalid, or the assistant does not call out.")
        .refuses(422, ErrorShape::Message, "The balance is too low.")
}

/// `GET /user/calls`.
pub fn list() -> Operation {
    let list = Operation::extension(TAG, "listCalls", "List the calls of the caller's assistants")
        .words("Newest first.")
        .query_word::<CallStatus>("status", "Only calls in this state.")
        .query_word::<CallType>("type", "Only calls of this type.")
        .query("phone_number", "Only calls from or to this number.", json!({"type": "string"}))
        .query("assistant_id", "Only calls of this assistant, one of the caller's.", integer())
        .query("campaign_id", "Only calls of this campaign.", integer())
        .query("date_from", "Only calls begun on this day (UTC) or later.", day())
        .query("date_to", "Only calls begun on this day (UTC) or earlier.", day());
    paged(list, PER_PAGE_DEFAULT)
        .answers::<NumberedPage<Call>>(200, "A page; beyond the last one it is empty.")
        .refuses(404, ErrorShape::Message, "The caller has no such assistant.")
        .refuses(422, ErrorShape::Validation, "A parameter cannot be read or is out of its bounds.")
}

/// `GET /user/calls/{id}`.
pub fn get() -> Operation {
    Operation::extension(TAG, "getCall", "Read a call")
        .path_id("id", "The call's number.")
        .answers::<Call>(200, "The call.")
        .refuses(404, ErrorShape::Message, MISSING)
}

/// `DELETE /user/calls/{id}`.
pub fn delete() -> Operation {
    Operation::extension(TAG, "deleteCall", "Delete a call")
        .words("One that is running is cut off.")
        .path_id("id", "The call's number.")
        .answers::<MessageBody>(200, "It is deleted.")
        .refuses(404, ErrorShape::Message, MISSING)
}
