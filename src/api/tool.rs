//! Mid call tools: `/user/tools` (spec: Resources, Mid call tool; Endpoints, Mid call tools).

use super::rules::{self, Fault, Field as Name};
use super::words::wire_words;
use super::{Field, IsoTimestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Seconds that a tool may take.
pub const TIMEOUT: RangeInclusive<i64> = 1..=30;
/// Seconds where none are given.
pub const TIMEOUT_DEFAULT: i64 = 10;
/// Characters of a parameter's name.
pub const PARAMETER_NAME: RangeInclusive<usize> = 2..=32;
/// Characters of a parameter's description.
pub const PARAMETER_DESCRIPTION: RangeInclusive<usize> = 3..=255;
/// Longest value of a header, in characters (ours: the spec gives none).
pub const HEADER_VALUE_MAX: usize = 4096;

wire_words! {
    /// How a tool calls its endpoint.
    ToolMethod {
        /// GET.
        Get = "GET",
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
        /// PATCH.
        Patch = "PATCH",
        /// DELETE.
        Delete = "DELETE",
    }
}

wire_words! {
    /// The type of a parameter.
    ParameterType {
        /// Text.
        String = "string",
        /// A number.
        Number = "number",
        /// True or false.
        Boolean = "boolean",
    }
}

/// A header that a tool sends.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ToolHeader {
    /// An HTTP header name (RFC 9110 token), up to 255 characters.
    #[schemars(length(min = 1, max = rules::TEXT_MAX), regex(pattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"))]
    pub name: String,
    /// Its value, which may be a secret: it is not printed.
    #[schemars(length(min = 1, max = HEADER_VALUE_MAX))]
    pub value: String,
}

/// What stands in place of a secret.
pub const MASK: &str = "•••";
/// Parts of the names of headers whose values are secrets, in lower case.
const SECRET: &[&str] = &["authorization", "cookie", "token", "secret", "key", "password", "passwd", "credential"];

impl ToolHeader {
    /// True where its name or its value says that it holds credentials.
    pub fn is_secret(&self) -> bool {
        let [name, value] = [&self.name, &self.value].map(|text| text.trim().to_ascii_lowercase());
        SECRET.iter().any(|part| name.contains(part))
            || ["bearer ", "basic "].iter().any(|kind| value.starts_with(kind))
    }

    /// Its value, or where that is a secret and is not to be shown, [`MASK`].
    pub fn shown(&self, shows_secrets: bool) -> &str {
        if shows_secrets || !self.is_secret() { &self.value } else { MASK }
    }
}

impl std::fmt::Debug for ToolHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolHeader").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A parameter that the AI takes from the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ToolParameter {
    /// Starts with a letter, then letters and underscores; 2 to 32 characters.
    #[schemars(
        length(min = *PARAMETER_NAME.start(), max = *PARAMETER_NAME.end()),
        regex(pattern = "^[A-Za-z][A-Za-z_]*$")
    )]
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParameterType,
    /// What it is.
    #[schemars(length(min = *PARAMETER_DESCRIPTION.start(), max = *PARAMETER_DESCRIPTION.end()))]
    pub description: String,
}

/// A tool as the API shows it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tool {
    /// `tool_ids` of assistants refer to it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// Lowercase letters and underscores.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// When and how the AI should use it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub description: Field<String>,
    /// The URL that it calls.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub endpoint: Field<String>,
    /// How it calls it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub method: Field<ToolMethod>,
    /// Seconds that it may take.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub timeout: Field<i64>,
    /// What it sends along.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub headers: Field<Vec<ToolHeader>>,
    /// What the AI takes from the conversation.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub schema: Field<Vec<ToolParameter>>,
    /// When it was created.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub created_at: Field<IsoTimestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub updated_at: Field<IsoTimestamp>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The body of a creation, where only `timeout`, `headers` and `schema` may be left out, and of an update, where
/// everything may.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, JsonSchema)]
#[schemars(default)]
pub struct ToolChange {
    /// Starts with a lowercase letter, then lowercase letters and underscores; up to 255 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = rules::TEXT_MAX), regex(pattern = "^[a-z][a-z_]*$"))]
    pub name: Option<String>,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = rules::TEXT_MAX))]
    pub description: Option<String>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = rules::URL_MAX), extend("format" = "uri"))]
    pub endpoint: Option<String>,
    /// The method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<ToolMethod>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = *TIMEOUT.start(), max = *TIMEOUT.end()))]
    pub timeout: Option<i64>,
    /// All headers: those there were are replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<Vec<ToolHeader>>,
    /// All parameters: those there were are replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Vec<ToolParameter>>,
}

impl ToolChange {
    /// What is wrong with the fields that are given.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut check = |result: Result<(), Fault>| faults.extend(result.err());
        check(self.name.as_deref().map_or(Ok(()), tool_name));
        check(self.description.as_deref().map_or(Ok(()), |text| rules::filled("description", text, rules::TEXT_MAX)));
        check(self.endpoint.as_deref().map_or(Ok(()), |url| rules::web_url("endpoint", url)));
        if let Some(ToolMethod::Other(_)) = self.method {
            check(Err(rules::not_listed("method")));
        }
        check(self.timeout.map_or(Ok(()), |seconds| rules::between("timeout", seconds, &TIMEOUT)));
        for (at, header) in self.headers.iter().flatten().enumerate() {
            check(header_name(format!("headers.{at}.name"), &header.name));
            check(header_value(format!("headers.{at}.value"), &header.value));
        }
        for (at, parameter) in self.schema.iter().flatten().enumerate() {
            check(parameter_name(format!("schema.{at}.name"), &parameter.name));
            if let ParameterType::Other(_) = parameter.kind {
                check(Err(rules::not_listed(format!("schema.{at}.type"))));
            }
            check(length(format!("schema.{at}.description"), &parameter.description, &PARAMETER_DESCRIPTION));
        }
        faults
    }

    /// The required fields that a creation lacks.
    pub fn missing(&self) -> Vec<Fault> {
        [
            ("name", self.name.is_none()),
            ("description", self.description.is_none()),
            ("endpoint", self.endpoint.is_none()),
            ("method", self.method.is_none()),
        ]
        .into_iter()
        .filter(|(_, missing)| *missing)
        .map(|(field, _)| rules::required(field))
        .collect()
    }
}

/// The name of a tool.
///
/// # Errors
/// The fault, where it has other characters than lowercase letters and underscores or does not start with a letter.
pub fn tool_name(name: &str) -> Result<(), Fault> {
    let right = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if right {
        return rules::at_most("name", name, rules::TEXT_MAX);
    }
    let sentence = "Tool name must contain only lowercase letters and underscores, and start with a letter.";
    Err(Fault::new("name", sentence))
}

/// The name of a parameter.
///
/// # Errors
/// The fault, where it is too short or long, has other characters than letters and underscores, or does not start with
/// a letter.
pub fn parameter_name(field: impl Into<Name>, name: &str) -> Result<(), Fault> {
    let field = field.into();
    length(field.clone(), name, &PARAMETER_NAME)?;
    let right = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if right {
        return Ok(());
    }
    let sentence =
        format!("The {} must contain only letters and underscores, and start with a letter.", rules::spoken(&field));
    Err(Fault::new(field, sentence))
}

/// A header's name becomes part of a request: only what HTTP allows in one.
fn header_name(field: String, name: &str) -> Result<(), Fault> {
    rules::filled(field.clone(), name, rules::TEXT_MAX)?;
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.bytes().all(token) { Ok(()) } else { Err(rules::must_be(field, "a valid header name")) }
}

fn header_value(field: String, value: &str) -> Result<(), Fault> {
    rules::filled(field.clone(), value, HEADER_VALUE_MAX)?;
    if value.chars().any(char::is_control) { Err(rules::must_be(field, "a valid header value")) } else { Ok(()) }
}

fn length(field: impl Into<Name>, text: &str, bounds: &RangeInclusive<usize>) -> Result<(), Fault> {
    let field = field.into();
    if text.trim().is_empty() {
        return Err(rules::required(field));
    }
    if text.chars().count() < *bounds.start() {
        let sentence = format!("The {} must be at least {} characters.", rules::spoken(&field), bounds.start());
        return Err(Fault::new(field, sentence));
    }
    rules::at_most(field, text, *bounds.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools_are_small_letters_and_underscores() {
        for right in ["a", "check_order", "a__"] {
            assert_eq!(tool_name(right), Ok(()), "{right}");
        }
        for wrong in ["", "_a", "Check", "check-order", "check1", "é", "a b"] {
            assert!(tool_name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_of_parameters_have_2_to_32_letters() {
        for right in ["ab", "orderNumber", "a_b", &"a".repeat(32)] {
            assert_eq!(parameter_name("name", right), Ok(()), "{right}");
        }
        for wrong in ["", "a", "_a", "a1", "a-b", "éé", &"a".repeat(33)] {
            assert!(parameter_name("name", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_header_s_value_is_not_printed() {
        let header = ToolHeader { name: "Authorization".into(), value: "Bearer very-secret".into() };
        assert!(!format!("{header:?}").contains("very-secret"));
    }

    #[test]
    fn faults_inside_of_lists_name_their_place() {
        let parameter =
            ToolParameter {
                name: "x".into(), kind: ParameterType::Other("date".into()), description: "é".repeat(256)
            };
        let change = ToolChange {
            headers: Some(vec![ToolHeader { name: "X Y".into(), value: "a\nb".into() }]),
            schema: Some(vec![parameter]),
            ..ToolChange::default()
        };
        let named: Vec<_> = change.faults().into_iter().map(|fault| fault.field).collect();
        assert_eq!(
            named,
            ["headers.0.name", "headers.0.value", "schema.0.name", "schema.0.type", "schema.0.description"]
        );
    }
}
