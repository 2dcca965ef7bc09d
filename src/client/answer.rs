//! Reads the bodies of successful answers.

use super::FailureKind;
use crate::api::page::KeepsRaw;
use serde::de::DeserializeOwned;

/// Reads JSON. A failure names the field and what was expected there, and never quotes a value: it may be a secret.
pub(super) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, FailureKind> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        unreadable(body, &path, error.inner())
    })?;
    reader.end().map_err(|error| unreadable(body, ".", &error))?;
    Ok(value)
}

/// Reads JSON and keeps its text.
pub(super) fn with_raw<T: DeserializeOwned + KeepsRaw>(body: &[u8]) -> Result<T, FailureKind> {
    let mut value: T = json(body)?;
    // JSON is UTF-8, or it could not be read.
    value.keep_raw(&String::from_utf8_lossy(body));
    Ok(value)
}

/// Ignores the body: the status says it all.
#[expect(clippy::unnecessary_wraps, reason = "it stands where `json` stands")]
pub(super) fn any_body(_: &[u8]) -> Result<(), FailureKind> {
    Ok(())
}

fn unreadable(body: &[u8], path: &str, error: &serde_json::Error) -> FailureKind {
    // Every answer of the API is an object or a list: a page for browsers comes from somewhere else.
    let is_json = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    if !is_json && !error.is_data() {
        return FailureKind::Unreadable("not JSON; check the base URL".to_owned());
    }
    let text = error.to_string();
    // A page is read in two steps; the path of the second one is part of its text.
    let nested = text.split_once(": invalid ").map(|(path, _)| path).filter(|_| path == ".");
    let what = reworded(&text).unwrap_or_else(|| format!("line {}, column {}", error.line(), error.column()));
    FailureKind::Unreadable(match nested.unwrap_or(path) {
        "." => what,
        path => format!("{path}: {what}"),
    })
}

/// What is wrong, without the value that was found; `None` where the text may quote it.
fn reworded(text: &str) -> Option<String> {
    let text = text.rsplit_once(" at line ").map_or(text, |(text, _)| text);
    if let Some((_, expected)) = text.rsplit_once(", expected ") {
        let expected = match expected {
            "u16" | "u32" | "u64" | "i32" | "i64" | "f32" | "f64" => "a number",
            "str" => "a string",
            other => other,
        };
        return Some(format!("expected {expected}"));
    }
    let missing = text.split_once("missing field `").and_then(|(_, field)| field.strip_suffix('`'));
    if let Some(field) = missing {
        return Some(format!("missing {field}"));
    }
    let plain = ["EOF while parsing", "trailing characters", "control character"];
    plain.iter().any(|start| text.starts_with(start)).then(|| text.replace("EOF while", "it ends while"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ApiKeyList, Conversation, CreatedApiKeyBody, Page};

    fn fault<T: DeserializeOwned + std::fmt::Debug>(body: &str) -> String {
        json::<T>(body.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn unreadable_answer_is_told_in_words_with_the_field_after_them() {
        let words = |rest: &str| format!("the server's answer is not in the expected format ({rest})");
        let body = r#"{"message": "", "api_key": {"name": 7}}"#;
        assert_eq!(fault::<CreatedApiKeyBody>(body), words("api_key.name: expected a string"));
        assert_eq!(fault::<Vec<bool>>("[true, 7]"), words("[1]: expected a boolean"));
        assert_eq!(fault::<Page<Conversation>>(r#"{"current_page": 1}"#), words("missing data"));
        let body = r#"{"current_page": "x", "data": []}"#;
        assert_eq!(fault::<Page<Conversation>>(body), words("current_page: expected a number"));
    }

    #[test]
    fn values_of_an_unreadable_answer_are_never_quoted() {
        for body in [
            r#"{"message": "", "api_key": "1|very-secret"}"#,
            r#"{"api_key": {"token": ["very-secret"]}}"#,
            r#"{"api_key": "very-secret, expected very-secret"}"#,
            r#"{"api_key": "missing field `very-secret`"}"#,
            r#"{"api_key": {"name": "x", "token": "x", "created_at": "very-secret"}, "message": ""}"#,
        ] {
            let fault = fault::<CreatedApiKeyBody>(body);
            assert!(fault.contains("api_key") && !fault.contains("very-secret"), "{fault}");
        }
    }

    #[test]
    fn body_that_is_not_one_json_value_is_unreadable() {
        for page in ["<html>", "\n<!DOCTYPE html>", "Not found", ""] {
            assert!(fault::<ApiKeyList>(page).contains("not JSON; check the base URL"), "{page:?}");
        }
        assert!(fault::<ApiKeyList>(r#"{"api_keys": ["#).contains("it ends while"));
        assert!(fault::<ApiKeyList>(r#"{"api_keys": []} {}"#).contains("trailing characters"));
    }
}
