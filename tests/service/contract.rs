//! Holds every answer of the service against its own OpenAPI document: its status must be documented, and its body
//! must have the schema, with no field that the schema does not name.

use regex::Regex;
use reqwest::Method;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::LazyLock;
use switchboard::api::Channel;
use switchboard::service::openapi_document;

/// The document of a sandbox.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi_document(&Channel::default(), true));

/// Checks one answer against a document. Answers to what the document does not have (unknown paths, wrong methods) are left alone, as are
/// controls where there is no sandbox, and the faults that a test has set.
pub fn check(document: &Value, method: &Method, path: &str, status: u16, body: &Value) {
    let Some(operation) = operation(document, method, path) else { return };
    if matches!(body["message"].as_str(), Some("The route could not be found." | "A fault of the sandbox")) {
        return;
    }
    let name = operation["operationId"].as_str().unwrap();
    let response = &operation["responses"][status.to_string()];
    assert!(response.is_object(), "{name} answers {status}, which is not documented: {body}");
    let schema = &response["content"]["application/json"]["schema"];
    if let Err(fault) = matches(document, schema, body) {
        panic!("{name} answers {status} with a body of another schema: {fault}\n{body:#}");
    }
}

/// The operation that a path from the root of the server leads to.
fn operation<'a>(document: &'a Value, method: &Method, path: &str) -> Option<&'a Value> {
    let below = path.strip_prefix("/api").unwrap_or(path).split('?').next()?;
    let segments: Vec<&str> = below.split('/').collect();
    let fits = |template: &str| {
        let template: Vec<&str> = template.split('/').collect();
        let same = |(template, segment): (&&str, &&str)| template == segment || template.starts_with('{');
        template.len() == segments.len() && template.iter().zip(&segments).all(same)
    };
    let paths = document["paths"].as_object().unwrap();
    // A path in words goes before one with parameters.
    let (_, item) = paths.get_key_value(below).or_else(|| paths.iter().find(|(template, _)| fits(template)))?;
    item.get(method.as_str().to_ascii_lowercase())
}

/// Whether a value has a schema, as far as JSON Schema is used by the document.
pub fn matches(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    object_matches(document, schema, value, &mut HashSet::new())
}

fn resolve<'a>(document: &'a Value, reference: &str) -> &'a Value {
    let pointer = reference.strip_prefix('#').unwrap();
    document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

/// Checks all keywords of one schema; `named` collects the properties that it and the schemas inside it name.
fn object_matches(document: &Value, schema: &Value, value: &Value, named: &mut HashSet<String>) -> Result<(), String> {
    let Value::Object(schema) = schema else {
        return if *schema == Value::Bool(false) { Err("nothing is allowed here".to_owned()) } else { Ok(()) };
    };
    for (keyword, content) in schema {
        keyword_matches(document, keyword, content, schema, value, named).map_err(|fault| match keyword.as_str() {
            "$ref" => fault,
            _ => format!("{keyword}: {fault}"),
        })?;
    }
    // Closed, stricter than JSON Schema: a field that nobody has described is a mistake of the description.
    if let (Value::Object(object), true) = (value, schema.contains_key("properties")) {
        let free = schema.contains_key("additionalProperties");
        if let Some(stranger) = object.keys().find(|name| !free && !named.contains(*name)) {
            return Err(format!("{stranger} is not described"));
        }
    }
    Ok(())
}

fn keyword_matches(
    document: &Value,
    keyword: &str,
    content: &Value,
    schema: &Map<String, Value>,
    value: &Value,
    named: &mut HashSet<String>,
) -> Result<(), String> {
    let wrong = || Err(format!("{value} against {content}"));
    let holds = |holds: bool| if holds { Ok(()) } else { wrong() };
    let length = || value.as_str().map(|text| text.chars().count());
    let items = || value.as_array().map(Vec::len);
    let size = || usize::try_from(content.as_u64().unwrap()).unwrap();
    let bound = || content.as_f64().unwrap();
    match keyword {
        "$ref" => object_matches(document, resolve(document, content.as_str().unwrap()), value, named),
        "type" => holds(match content {
            Value::Array(kinds) => kinds.iter().any(|kind| is(kind, value)),
            kind => is(kind, value),
        }),
        "const" => holds(content == value),
        "enum" => holds(content.as_array().unwrap().contains(value)),
        "anyOf" => {
            let faults: Vec<_> = content
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|one| object_matches(document, one, value, named).err())
                .collect();
            if faults.len() < content.as_array().unwrap().len() { Ok(()) } else { Err(faults.join("; ")) }
        }
        "allOf" => content.as_array().unwrap().iter().try_for_each(|one| object_matches(document, one, value, named)),
        "pattern" => {
            let pattern = Regex::new(content.as_str().unwrap()).unwrap();
            holds(value.as_str().is_none_or(|text| pattern.is_match(text)))
        }
        "minimum" => holds(value.as_f64().is_none_or(|number| number >= bound())),
        "maximum" => holds(value.as_f64().is_none_or(|number| number <= bound())),
        "minLength" => holds(length().is_none_or(|length| length >= size())),
        "maxLength" => holds(length().is_none_or(|length| length <= size())),
        "minItems" => holds(items().is_none_or(|items| items >= size())),
        "maxItems" => holds(items().is_none_or(|items| items <= size())),
        "minProperties" => holds(value.as_object().is_none_or(|object| object.len() >= size())),
        "items" => value.as_array().into_iter().flatten().try_for_each(|item| matches(document, content, item)),
        "required" => {
            let Value::Object(object) = value else { return Ok(()) };
            let missing = content.as_array().unwrap().iter().find(|name| !object.contains_key(name.as_str().unwrap()));
            missing.map_or(Ok(()), |name| Err(format!("{name} is missing")))
        }
        "properties" => content.as_object().unwrap().iter().try_for_each(|(name, schema)| {
            named.insert(name.clone());
            value
                .get(name)
                .map_or(Ok(()), |value| matches(document, schema, value).map_err(|fault| format!("{name}: {fault}")))
        }),
        "additionalProperties" => {
            let described = schema.get("properties").and_then(Value::as_object);
            let others = value.as_object().into_iter().flatten();
            let mut others = others.filter(|(name, _)| described.is_none_or(|known| !known.contains_key(*name)));
            others.try_for_each(|(name, value)| {
                matches(document, content, value).map_err(|fault| format!("{name}: {fault}"))
            })
        }
        "description" | "format" | "default" | "x-presence" | "contentMediaType" => Ok(()),
        other => panic!("the checker does not know the keyword {other}"),
    }
}

fn is(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no such type: {other}"),
    }
}
