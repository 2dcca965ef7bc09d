//! `/openapi.json`.

use crate::service::openapi::Operation;

/// `GET /openapi.json`.
pub fn read() -> Operation {
    Operation::extension("Document", "readDocument", "Read this document").open().answers_object(200, "The document.")
}
