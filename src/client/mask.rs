//! Hides secrets in what is kept of requests and answers for people to read.

/// What stands in place of a secret.
pub(super) const MASK: &str = "•••";

/// Parts of field names whose values are secrets, in lower case and without separators.
const SECRET: &[&str] =
    &["token", "secret", "password", "passwd", "authorization", "apikey", "credential", "privatekey"];
/// Headers whose values are secrets although their names do not say so.
const SECRET_HEADERS: &[&str] = &["cookie"];

/// True for names such as `token`, `X-Api-Key` and `client_secret`.
fn is_secret(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    SECRET.iter().any(|part| name.contains(part))
}

/// True for headers such as `Authorization`, `Set-Cookie` and `X-Api-Key`.
pub(super) fn is_secret_header(name: &str) -> bool {
    is_secret(name) || SECRET_HEADERS.iter().any(|part| name.to_ascii_lowercase().contains(part))
}

/// The body of an answer with its secrets masked. Other text than JSON that names a secret is left out as a whole.
pub(super) fn body(text: &str) -> String {
    if text.trim_start().starts_with(['{', '[']) {
        return json(text);
    }
    if is_secret(text) { "(not kept: it may hold a secret)".to_owned() } else { text.to_owned() }
}

/// A container that is open.
#[derive(Clone, Copy)]
struct Open {
    is_object: bool,
    /// The values in it are secrets: it is a list in a field of a secret's name.
    secret: bool,
    /// It lies in a field `headers`, where a `value` may be a secret whatever its `name`.
    headers: bool,
}

/// JSON with the values of secret fields masked. Everything else stays byte for byte, also where it is not valid JSON.
///
/// An object in a secret field is judged by its own fields: `api_key` holds a name and a date beside the token.
pub(super) fn json(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut stack: Vec<Open> = Vec::new();
    let (mut secret, mut headers) = (false, false);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = token(rest);
        let (this, after) = rest.split_at(length);
        rest = after;
        let in_object = stack.last().is_some_and(|open| open.is_object);
        match first {
            '{' | '[' => {
                stack.push(Open { is_object: first == '{', secret: secret && first == '[', headers });
                masked.push(first);
                secret = secret && first == '[';
            }
            '}' | ']' => {
                stack.pop();
                masked.push(first);
                secret = false;
            }
            ',' => {
                masked.push(first);
                (secret, headers) = stack.last().map_or((false, false), |open| (open.secret, open.headers));
            }
            '"' if in_object && rest.trim_start().starts_with(':') => {
                masked.push_str(this);
                let name = this.trim_matches('"');
                let of_headers = stack.last().is_some_and(|open| open.headers);
                secret = is_secret(name) || of_headers && name == "value";
                headers = of_headers || name == "headers";
            }
            _ if first.is_whitespace() || first == ':' => masked.push_str(this),
            _ if secret && this != "null" => {
                masked.push('"');
                masked.push_str(MASK);
                masked.push('"');
            }
            _ => masked.push_str(this),
        }
    }
    masked
}

/// The length of the token that the text begins with: a string, a mark, white space, or a run of other characters.
fn token(text: &str) -> usize {
    let is_mark = |c: char| c.is_whitespace() || "{}[],:\"".contains(c);
    if !text.starts_with('"') {
        return match text.find(is_mark) {
            Some(0) => text.chars().next().map_or(0, char::len_utf8),
            found => found.unwrap_or(text.len()),
        };
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_fields_are_masked_at_any_depth() {
        for (text, expected) in [
            (r#"{"token": "1|abc", "id": 7}"#, r#"{"token": "•••", "id": 7}"#),
            (
                r#"{"a": [{"client_secret": 5, "b": 0.00000004}]}"#,
                r#"{"a": [{"client_secret": "•••", "b": 0.00000004}]}"#,
            ),
            (r#"{"tokens": ["a", "b"], "name": "c"}"#, r#"{"tokens": ["•••", "•••"], "name": "c"}"#),
            (r#"{"password":"a\"b,\"c","last":null}"#, r#"{"password":"•••","last":null}"#),
            (r#"{"X-Api-Key": "k", "token": null}"#, r#"{"X-Api-Key": "•••", "token": null}"#),
            (r#"{"webhookSecret": {"a": "b"}}"#, r#"{"webhookSecret": {"a": "b"}}"#),
            (
                r#"{"api_key": {"name": "ci", "token": "5|x", "created_at": "now"}}"#,
                r#"{"api_key": {"name": "ci", "token": "•••", "created_at": "now"}}"#,
            ),
            (r#"{"api_keys": [{"id": 1, "name": "ci"}]}"#, r#"{"api_keys": [{"id": 1, "name": "ci"}]}"#),
            (
                r#"{"headers": [{"value": "Bearer x", "name": "Auth"}], "value": "y"}"#,
                r#"{"headers": [{"value": "•••", "name": "Auth"}], "value": "y"}"#,
            ),
        ] {
            assert_eq!(json(text), expected);
        }
    }

    #[test]
    fn text_that_is_not_valid_json_is_masked_as_far_as_it_goes() {
        assert_eq!(json(r#"{"token": "abc"#), r#"{"token": "•••""#);
        assert_eq!(json(r#"{"token": abc}"#), r#"{"token": "•••"}"#);
        assert_eq!(json("<html>Ü</html>"), "<html>Ü</html>");
        assert_eq!(json("[]]},\"a\"\\"), "[]]},\"a\"\\");
    }

    #[test]
    fn headers_with_credentials_are_secret() {
        for name in ["Authorization", "proxy-authorization", "Set-Cookie", "Cookie", "X-Api-Key", "x-auth-token"] {
            assert!(is_secret_header(name), "{name}");
        }
        for name in ["Content-Type", "Date", "X-RateLimit-Remaining", "Retry-After"] {
            assert!(!is_secret_header(name), "{name}");
        }
    }
}
