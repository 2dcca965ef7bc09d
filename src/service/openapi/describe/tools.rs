//! `/user/tools`.

use crate::api::{Done, MessageBody, Tool, ToolChange};
use crate::service::limits::{ITEMS_MAX, OBJECT_MAX};
use crate::service::openapi::{ErrorShape, Operation};

const TAG: &str = "Mid call tools";
const MISSING: &str = "The caller has no such tool.";

/// `GET /user/tools`.
pub fn list() -> Operation {
    Operation::extension(TAG, "listTools", "List the caller's mid call tools").answers::<Vec<Tool>>(200, "All of them.")
}

/// `POST /user/tools`.
pub fn create() -> Operation {
    Operation::spec(TAG, "createTool", "Create a mid call tool")
        .words(format!(
            "It has at most {ITEMS_MAX} headers, of {OBJECT_MAX} bytes as JSON, and {ITEMS_MAX} parameters."
        ))
        .body::<ToolChange>()
        .needs(ToolChange::default().missing())
        .answers::<Done<Tool>>(201, "The tool.")
        .refuses(422, ErrorShape::Validation, "A field is missing or invalid.")
        .refuses(422, ErrorShape::Message, "The caller's plan allows no more tools.")
}

/// `GET /user/tools/{id}`.
pub fn get() -> Operation {
    Operation::extension(TAG, "getTool", "Read a mid call tool")
        .path_id("id", "The tool's number.")
        .answers::<Tool>(200, "The tool.")
        .refuses(404, ErrorShape::Message, MISSING)
}

/// `PUT /user/tools/{id}`.
pub fn update() -> Operation {
    Operation::spec(TAG, "updateTool", "Change the given fields of a mid call tool")
        .words("Headers and parameters are replaced as a whole.")
        .path_id("id", "The tool's number.")
        .body::<ToolChange>()
        .answers::<Done<Tool>>(200, "The tool as it is now.")
        .refuses(404, ErrorShape::Message, MISSING)
        .refuses(422, ErrorShape::Validation, "A field is invalid.")
}

/// `DELETE /user/tools/{id}`.
pub fn delete() -> Operation {
    Operation::extension(TAG, "deleteTool", "Delete a mid call tool")
        .words("It is detached from every assistant.")
        .path_id("id", "The tool's number.")
        .answers::<MessageBody>(200, "It is deleted.")
        .refuses(404, ErrorShape::Message, MISSING)
}
