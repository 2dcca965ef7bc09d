//! The OpenAPI 3.1 document of the service, made from its routes and the types of the contract.
//!
//! ```text
//! router ─ Routes ─┬─ axum's router
//!                  └─ generate ─ operations (describe), schemas (derived from crate::api) ─ openapi.json ─ document
//! ```
//! A route is added together with its description, so none can be missing from the document. A test makes the file
//! `openapi.json`, which is embedded: nothing of the rest is in a release build.

pub mod describe;
mod document;
mod generate;
mod operation;
mod routes;
mod schemas;

pub use document::{EMBEDDED, document};
pub use generate::OpenApiDocument;
pub use operation::{ErrorShape, Operation, OperationOrigin};
pub use routes::{DescribedRoute, Routes};
pub use schemas::Schemas;
