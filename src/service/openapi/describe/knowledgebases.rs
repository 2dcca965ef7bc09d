//! `/user/knowledgebases`.

use crate::api::{Data, Done, Knowledgebase, Label, MessageBody, rules};
use crate::service::limits::KNOWLEDGEBASES_MAX;
use crate::service::openapi::{ErrorShape, Operation};

const TAG: &str = "Knowledgebases";
const MISSING: &str = "The caller has no such knowledgebase.";

/// `GET /user/knowledgebases`.
pub fn list() -> Operation {
    Operation::extension(TAG, "listKnowledgebases", "List the caller's knowledgebases")
        .answers::<Data<Vec<Knowledgebase>>>(200, "All of them.")
}

/// `POST /user/knowledgebases`.
pub fn create() -> Operation {
    Operation::spec(TAG, "createKnowledgebase", "Create an empty knowledgebase")
        .body::<Label>()
        .needs(vec![rules::required("name")])
        .answers::<Done<Knowledgebase>>(201, "The knowledgebase.")
        .refuses(
            422,
            ErrorShape::Validation,
            format!("The name is missing, a field is too long, or there are {KNOWLEDGEBASES_MAX} knowledgebases."),
        )
        .refuses(500, ErrorShape::Error, "It could not be stored.")
}

/// `GET /user/knowledgebases/{id}`.
pub fn get() -> Operation {
    Operation::extension(TAG, "getKnowledgebase", "Read a knowledgebase")
        .path_id("id", "The knowledgebase's number.")
        .answers::<Data<Knowledgebase>>(200, "The knowledgebase.")
        .refuses(404, ErrorShape::Error, MISSING)
}

/// `PUT /user/knowledgebases/{id}`.
pub fn update() -> Operation {
    Operation::spec(TAG, "updateKnowledgebase", "Change the given fields of a knowledgebase")
        .words("Its documents and their processing are not affected.")
        .path_id("id", "The knowledgebase's number.")
        .body::<Label>()
        .answers::<Done<Knowledgebase>>(200, "The knowledgebase as it is now.")
        .refuses(404, ErrorShape::Error, MISSING)
        .refuses(422, ErrorShape::Validation, "A field is invalid or too long.")
}

/// `DELETE /user/knowledgebases/{id}`.
pub fn delete() -> Operation {
    Operation::extension(TAG, "deleteKnowledgebase", "Delete a knowledgebase with its documents")
        .words("It is detached from every assistant.")
        .path_id("id", "The knowledgebase's number.")
        .answers::<MessageBody>(200, "It is deleted.")
        .refuses(404, ErrorShape::Error, MISSING)
}
