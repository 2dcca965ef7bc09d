//! The schemas of the types of the contract, each once, as components that operations refer to.

use super::ErrorShape;
use crate::api::field::SENT;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Where components lie in the document.
const COMPONENTS: &str = "/components/schemas";

/// The schemas that were asked for so far. A type may be written otherwise than it is read, hence the two generators.
#[derive(Debug)]
pub struct Schemas {
    written: SchemaGenerator,
    read: SchemaGenerator,
    shapes: Map<String, Value>,
}

impl Default for Schemas {
    fn default() -> Self {
        let settings = || SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = COMPONENTS.into());
        Self {
            written: settings().for_serialize().into_generator(),
            read: settings().for_deserialize().into_generator(),
            shapes: Map::new(),
        }
    }
}

impl Schemas {
    /// The schema of a body that the service writes.
    pub fn of_answer<T: JsonSchema>(&mut self) -> Value {
        let mut schema = self.written.subschema_for::<T>();
        Presence.transform(&mut schema);
        schema.to_value()
    }

    /// The schema of what the service reads.
    pub fn of_request<T: JsonSchema>(&mut self) -> Value {
        self.read.subschema_for::<T>().to_value()
    }

    /// The schema itself where it is a reference to something that the service reads.
    pub fn resolved(&self, schema: &Value) -> Value {
        let component = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        component.and_then(|name| self.read.definitions().get(name)).unwrap_or(schema).clone()
    }

    /// The schema of an error body; those of one shape are one component.
    pub fn of_shape(&mut self, shape: ErrorShape) -> Value {
        let name = match shape {
            ErrorShape::Validation => "ValidationError",
            ErrorShape::Message => "MessageError",
            ErrorShape::Error => "PlainError",
            ErrorShape::Limited => "RateLimitError",
            ErrorShape::Failed => "ConversationError",
            // Which codes there are is each operation's own.
            ErrorShape::Coded(_) => return shape.schema(),
        };
        self.shapes.entry(name).or_insert_with(|| shape.schema());
        json!({"$ref": format!("#{COMPONENTS}/{name}")})
    }

    /// The components, by name. A type that is both read and written must have one schema.
    pub fn into_components(mut self) -> Map<String, Value> {
        let mut components = self.shapes;
        for (name, schema) in self.read.take_definitions(true).into_iter().chain(self.written.take_definitions(true)) {
            let mut schema = Schema::try_from(schema).unwrap_or_default();
            Presence.transform(&mut schema);
            let schema = schema.to_value();
            debug_assert!(
                components.get(&name).is_none_or(|other| *other == schema),
                "{name} is read as {:?} and written as {schema}",
                components.get(&name)
            );
            components.insert(name, schema);
        }
        let mut sorted: Vec<_> = components.into_iter().collect();
        sorted.sort_by(|(one, _), (other, _)| one.cmp(other));
        sorted.into_iter().collect()
    }
}

/// Makes required what the service always sends.
///
/// A field of the contract is lenient where it is read; where it is written it is there, unless `x-presence` says when.
#[derive(Debug, Clone)]
struct Presence;

impl Transform for Presence {
    fn transform(&mut self, schema: &mut Schema) {
        let Some(object) = schema.as_object_mut() else { return };
        object.remove(SENT);
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            let (mut sent, mut sometimes) = (Vec::new(), Vec::new());
            for (name, field) in properties.iter_mut().filter_map(|(name, field)| Some((name, field.as_object_mut()?)))
            {
                let is_sent = field.remove(SENT).is_some();
                // What a reader takes where a field is missing says nothing about what is sent.
                field.remove("default");
                if let Some(Value::String(words)) = field.get_mut("description") {
                    *words = words.replace("`None`", "null").replace('\n', " ");
                }
                if field.contains_key("x-presence") {
                    sometimes.push(Value::from(name.as_str()));
                } else if is_sent {
                    sent.push(Value::from(name.as_str()));
                }
            }
            // Unknown fields are kept where a row is read; the service writes none.
            object.remove("additionalProperties");
            if let Value::Array(required) = object.entry("required").or_insert_with(|| json!([])) {
                sent.retain(|name| !required.contains(name));
                required.append(&mut sent);
                required.retain(|name| !sometimes.contains(name));
            }
            if object.get("required") == Some(&json!([])) {
                object.remove("required");
            }
        }
        transform_subschemas(self, schema);
    }
}
