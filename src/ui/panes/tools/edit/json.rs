//! A tool as JSON, for `$EDITOR`, for export and for import.

use super::fields::{FIELDS, Values, list, value};
use crate::api::ToolHeader;
use crate::api::tool::{MASK, ParameterType};
use crate::ui::text::json_text;
use serde_json::{Map, Value as Json};

/// The cells of the rows of a field.
fn cells(name: &str) -> &'static [&'static str] {
    if name == "headers" { &["name", "value"] } else { &["name", "type", "description"] }
}

/// The whole, indented; the values of headers that look like secrets as [`MASK`] unless they are to be shown.
pub fn write(values: &Values, shows_secrets: bool) -> String {
    let mut whole = Values::new();
    for (name, _) in FIELDS {
        let held = match (name, value(values, name)) {
            ("headers", Json::Array(_)) => {
                let masked = |one: ToolHeader| ToolHeader { value: one.shown(shows_secrets).to_owned(), ..one };
                let headers: Vec<_> = list(values, name).into_iter().map(masked).collect();
                serde_json::to_value(headers).unwrap_or_default()
            }
            ("headers" | "schema", Json::Null) => Json::Array(Vec::new()),
            ("timeout" | "schema", held) => held.clone(),
            (_, held) => json_text(held).into(),
        };
        whole.insert(name.to_owned(), held);
    }
    format!("{:#}", Json::Object(whole))
}

/// The values in a text, and the names of what it has besides. A [`MASK`] stands for the value that the header of that
/// name has now. What is missing stays as it is now; what is of another kind than it must be is an error.
///
/// # Errors
/// Why the text cannot be read, with its place, in words without a full stop.
pub fn read(text: &str, now: &Values) -> Result<(Values, Vec<String>), String> {
    let whole: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Json::Object(whole) = whole else { return Err("a tool is an object, in { and }".to_owned()) };
    let mut values = now.clone();
    let mut unknown = Vec::new();
    for (name, held) in whole {
        match (name.as_str(), held) {
            ("headers" | "schema", Json::Null) => drop(values.insert(name, Json::Array(Vec::new()))),
            ("headers" | "schema", Json::Array(rows)) => {
                let rows = rows.into_iter().enumerate().map(|(at, row)| self::row(&name, at, row, &mut unknown));
                let rows = rows.collect::<Result<Vec<_>, _>>()?;
                values.insert(name, rows.into());
            }
            ("headers" | "schema", _) => return Err(format!("\"{name}\" must be an array of objects")),
            ("timeout", held @ (Json::Number(_) | Json::String(_) | Json::Null)) => drop(values.insert(name, held)),
            ("name" | "description" | "endpoint" | "method", held @ (Json::String(_) | Json::Null)) => {
                values.insert(name, held);
            }
            ("name" | "description" | "endpoint" | "method" | "timeout", _) => {
                let kind = if name == "timeout" { "an integer" } else { "a string" };
                return Err(format!("\"{name}\" must be {kind}"));
            }
            ("id" | "created_at" | "updated_at", _) => {}
            _ => unknown.push(name),
        }
    }
    unmask(&mut values, now);
    Ok((values, unknown))
}

fn row(list: &str, at: usize, row: Json, unknown: &mut Vec<String>) -> Result<Json, String> {
    let Json::Object(mut row) = row else { return Err(format!("\"{list}\", item {}: must be an object", at + 1)) };
    let mut read = Map::new();
    for cell in cells(list) {
        let held = match row.remove(*cell) {
            Some(held @ Json::String(_)) => held,
            None if *cell == "type" => ParameterType::String.as_str().into(),
            None => "".into(),
            Some(_) => return Err(format!("\"{list}\", item {}: \"{cell}\" must be a string", at + 1)),
        };
        read.insert((*cell).to_owned(), held);
    }
    unknown.extend(row.into_iter().map(|(name, _)| format!("{list}.{at}.{name}")));
    Ok(read.into())
}

/// Puts the secrets back that stand as [`MASK`]: of headers of the same name the first for the first.
fn unmask(values: &mut Values, now: &Values) {
    let mut known: Vec<ToolHeader> = list(now, "headers");
    let Some(Json::Array(headers)) = values.get_mut("headers") else { return };
    for header in headers.iter_mut().filter(|header| header["value"] == MASK) {
        let same = |one: &ToolHeader| header["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(&one.name));
        let value = known.iter().position(same).map_or_else(String::new, |at| known.remove(at).value);
        header["value"] = value.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn now() -> Values {
        let headers = json!([{"name": "X-Api-Key", "value": "very-secret"}, {"name": "Accept", "value": "text/plain"}]);
        Values::from_iter([("name".to_owned(), "check".into()), ("headers".to_owned(), headers)])
    }

    #[test]
    fn secrets_are_masked_and_come_back() {
        let text = write(&now(), false);
        assert!(!text.contains("very-secret") && text.contains("text/plain"), "{text}");
        let (values, unknown) = read(&text, &now()).unwrap();
        assert_eq!((value(&values, "headers"), unknown), (value(&now(), "headers"), vec![]));
        let renamed = text.replace("X-Api-Key", "X-Other-Key");
        assert_eq!(value(&read(&renamed, &now()).unwrap().0, "headers")[0]["value"], "", "nothing stands for it");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, why) in [
            ("{\n  \"name\" 1}", "line 2"),
            ("[]", "a tool is an object"),
            (r#"{"timeout": []}"#, "\"timeout\" must be an integer"),
            (r#"{"headers": [{"name": "A", "value": 1}]}"#, "\"headers\", item 1: \"value\" must be a string"),
            (r#"{"schema": [1]}"#, "\"schema\", item 1: must be an object"),
        ] {
            let said = read(text, &now()).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn what_a_tool_does_not_have_is_named() {
        let text =
            r#"{"id": 7, "colour": "red", "schema": [{"name": "a_b", "description": "An a", "required": true}]}"#;
        let (values, unknown) = read(text, &now()).unwrap();
        assert_eq!(unknown, ["colour", "schema.0.required"]);
        assert_eq!(value(&values, "schema"), &json!([{"name": "a_b", "type": "string", "description": "An a"}]));
    }
}
