//! The document that is served. It is made ahead of time, so that a running service carries no code that makes it.

use crate::api::Channel;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The document of all routes in the neutral word, written by the test of the router.
pub const EMBEDDED: &str = include_str!("openapi.json");

/// The OpenAPI document of the service, in the channel's word, with or without the controls of a sandbox.
pub fn document(channel: &Channel, sandbox: bool) -> Value {
    // The test of the router proves that it is JSON.
    let mut document: Value = serde_json::from_str(EMBEDDED).unwrap_or_default();
    if !sandbox {
        leave_out_controls(&mut document);
    }
    if !channel.is_neutral() {
        spell(&mut document, channel);
    }
    document
}

/// Leaves out the controls, and the schemas that only they use.
fn leave_out_controls(document: &mut Value) {
    let Some(Value::Object(paths)) = document.get_mut("paths") else { return };
    paths.retain(|path, _| !path.starts_with("/sandbox/"));
    let mut used = BTreeSet::new();
    collect(&document["paths"], &document["components"]["schemas"], &mut used);
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        schemas.retain(|name, _| used.contains(name));
    }
}

/// Collects the names of the schemas that a value refers to, and those that these refer to.
fn collect(value: &Value, schemas: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
            if let Some(name) = name
                && used.insert(name.to_owned())
            {
                collect(&schemas[name], schemas, used);
            }
            object.values().for_each(|field| collect(field, schemas, used));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, schemas, used)),
        _ => {}
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
            *object = fields
                .map(|(name, mut field)| {
                    spell(&mut field, channel);
                    (spelled(&name), field)
                })
                .collect::<Map<_, _>>();
        }
        _ => {}
    }
}
