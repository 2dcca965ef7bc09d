//! What is kept of an answer for people to read.

use super::mask::{self, MASK, is_secret_header};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, LOCATION};

/// Bytes of a body that are kept at most.
const BODY_MAX: usize = 64 * 1024;

/// An answer with its secrets masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// E.g. `HTTP/1.1 200 OK`.
    pub status_line: String,
    /// Names and values, in the order received.
    pub headers: Vec<(String, String)>,
    /// The body as text, at most its first 64 KiB.
    pub body: String,
    /// Length of the whole body, in bytes.
    pub length: usize,
}

impl Received {
    /// Masks and cuts an answer.
    pub(super) fn new(status_line: String, headers: &HeaderMap, body: &[u8]) -> Self {
        let start = &body[..body.len().min(BODY_MAX)];
        let text = mask::body(&String::from_utf8_lossy(start));
        Self { status_line, headers: masked_headers(headers), body: text, length: body.len() }
    }

    /// True where the end of the body was not kept.
    pub fn is_cut(&self) -> bool {
        self.length > BODY_MAX
    }
}

/// Names and values in the order received, with those masked that hold credentials.
pub fn masked_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let masked = |(name, value): (&HeaderName, &HeaderValue)| {
        let mut text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        if is_secret_header(name.as_str()) {
            MASK.clone_into(&mut text);
        }
        // The query of a redirect may hold a secret.
        if let Some((target, _)) = text.split_once('?').filter(|_| name == LOCATION) {
            text = format!("{target}?{MASK}");
        }
        (name.to_string(), text)
    };
    headers.iter().map(masked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(headers: &[(&'static str, &'static str)], body: &str) -> Received {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        Received::new("HTTP/1.1 200 OK".to_owned(), &headers.collect(), body.as_bytes())
    }

    #[test]
    fn secrets_in_headers_and_body_are_masked() {
        let headers = [
            ("date", "today"),
            ("set-cookie", "sid=very-secret"),
            ("x-api-key", "very-secret"),
            ("location", "/a?very-secret"),
        ];
        let kept = received(&headers, r#"{"token": "very-secret", "name": "ci"}"#);
        assert!(!format!("{kept:?}").contains("very-secret"), "{kept:?}");
        assert_eq!(kept.headers[0], ("date".to_owned(), "today".to_owned()));
        assert!(kept.body.contains(r#""name": "ci""#), "{}", kept.body);
    }

    #[test]
    fn long_body_is_cut_with_its_secrets_masked() {
        let body = format!(r#"{{"text": "{}", "token": "very-secret"}}"#, "ä".repeat(BODY_MAX / 2 - 13));
        let kept = received(&[], &body);
        assert!(kept.is_cut() && kept.length == body.len(), "{}", kept.length);
        assert!(!kept.body.contains("very"), "{}", &kept.body[kept.body.len() - 40..]);
        assert!(!received(&[], "{}").is_cut());
    }

    #[test]
    fn body_that_is_no_json_and_names_a_secret_is_not_kept() {
        assert_eq!(received(&[], "<h1>Bad gateway</h1>").body, "<h1>Bad gateway</h1>");
        assert!(!received(&[], "your password is very-secret").body.contains("very-secret"));
    }
}
