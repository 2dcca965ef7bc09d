//! The document as a whole.

use super::Route;
use super::schemas::Schemas;
use serde_json::{Map, Value, json};

const ABOUT: &str = "AI assistants that talk to customers by voice call, web chat and messaging app. \
     Operations marked `x-switchboard-origin: spec` are those of the API's specification; the others go beyond it.";

/// Makes the document: the API's routes, and those of a sandbox's controls where it has them.
pub fn document(api: &[Route], controls: &[Route]) -> Value {
    let mut schemas = Schemas::new();
    let mut paths: Map<String, Value> = Map::new();
    for Route { method, path, describe } in api {
        let item = paths.entry(*path).or_insert_with(|| json!({}));
        item[method.as_str().to_ascii_lowercase()] = describe().render(&mut schemas);
    }
    for Route { method, path, describe } in controls {
        // They lie beside the API, not below it.
        let item = paths.entry(format!("/sandbox{path}")).or_insert_with(|| json!({"servers": [{"url": "/"}]}));
        item[method.as_str().to_ascii_lowercase()] = describe().render(&mut schemas);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Switchboard: the conversational assistant platform API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/api"}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "An API key or the token of a login."},
            },
            "schemas": schemas.into_components(),
        },
    })
}
