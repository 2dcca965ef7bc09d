//! The OpenAPI 3.1 document of the service, made from its routes and the types of the contract.
//!
//! ```text
//! router ─ Routes ─┬─ axum's router
//!                  └─ document ─ operations (describe), schemas (derived from crate::api)
//! ```
//! A route is added together with its description, so none can be missing from the document.

pub mod describe;
mod document;
mod operation;
mod routes;
mod schemas;

pub use document::OpenApiDocument;
pub use operation::{ErrorShape, Operation, OperationOrigin};
pub use routes::Routes;
pub use schemas::Schemas;
