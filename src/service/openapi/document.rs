//! The document as a whole.

use super::routes::{DescribedRoute, Routes};
use super::schemas::Schemas;
use crate::api::Channel;
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
    pub fn add(&mut self, beside: &str, routes: &Routes) {
        for DescribedRoute { method, path, describe } in routes.described() {
            let item = self.paths.entry(format!("{beside}{path}")).or_insert_with(|| json!({}));
            if !beside.is_empty() {
                item["servers"] = json!([{"url": "/"}]);
            }
            item[method.as_str().to_ascii_lowercase()] = describe().render(&mut self.schemas);
        }
    }

    /// The whole, in the channel's own word.
    pub fn finish(self, channel: &Channel) -> Value {
        let mut document = json!({
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
        });
        if !channel.is_neutral() {
            spell(&mut document, channel);
        }
        document
    }
}

/// Puts in the channel's own word. Nothing in the document is from a user, so it stands for itself wherever it is.
fn spell(value: &mut Value, channel: &Channel) {
    let spelled = |text: &str| text.replace(Channel::default().word(), channel.word());
    match value {
        Value::String(text) => *text = spelled(text),
        Value::Array(items) => items.iter_mut().for_each(|item| spell(item, channel)),
        Value::Object(object) => {
            let fields = std::mem::take(object).into_iter();
            object.extend(fields.map(|(name, mut field)| {
                spell(&mut field, channel);
                (spelled(&name), field)
            }));
        }
        _ => {}
    }
}
