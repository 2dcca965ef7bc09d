//! The document made from the routes and the types of the contract.

use super::routes::DescribedRoute;
use super::schemas::Schemas;
use serde_json::{Map, Value, json};

const ABOUT: &str = "AI assistants that talk to customers by voice call, web chat and messaging app. \
     Operations marked `x-switchboard-origin: spec` are those of the API's specification; the others go beyond it.";

/// The document while it grows.
#[derive(Debug)]
pub struct OpenApiDocument {
    root: &'static str,
    schemas: Schemas,
    paths: Map<String, Value>,
}

impl OpenApiDocument {
    /// Without routes yet. Its paths lie below `root` on the server.
    pub fn new(root: &'static str) -> Self {
        Self { root, schemas: Schemas::default(), paths: Map::new() }
    }

    /// Adds routes: below the root, or beside it where they lie below a path of their own.
    pub fn add(&mut self, beside: &str, routes: &[DescribedRoute]) {
        for DescribedRoute { method, path, describe } in routes {
            let item = self.paths.entry(format!("{beside}{path}")).or_insert_with(|| json!({}));
            if !beside.is_empty() {
                item["servers"] = json!([{"url": "/"}]);
            }
            item[method.as_str().to_ascii_lowercase()] = describe().render(&mut self.schemas);
        }
    }

    /// The whole.
    pub fn finish(self) -> Value {
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Switchboard: the conversational assistant platform API",
                "version": env!("CARGO_PKG_VERSION"),
                "description": ABOUT,
                "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            },
            "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "servers": [{"url": self.root}],
            "security": [{"bearer": []}],
            "paths": self.paths,
            "components": {
                "securitySchemes": {
                    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key or the token of a login."},
                },
                "schemas": self.schemas.into_components(),
            },
        })
    }
}
