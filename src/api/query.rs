//! What goes into a URL: query parameters, and text in a path.

use std::fmt;

/// A set of query parameters.
pub trait Query {
    /// The parameters that differ from the server's defaults, not encoded.
    fn pairs(&self) -> Vec<(&'static str, String)>;
}

/// Text as part of a path or query. It is displayed percent-encoded, so it can be put into a URL as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Segment(String);

impl<T: Into<String>> From<T> for Segment {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Segment {
    /// The text, not encoded.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                write!(f, "{}", char::from(byte))?;
            } else {
                write!(f, "%{byte:02X}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_is_displayed_percent_encoded() {
        assert_eq!(Segment::from("+49 30/1?ä").to_string(), "%2B49%2030%2F1%3F%C3%A4");
        assert_eq!(Segment::from("9f3c21aa-6c1e").to_string(), "9f3c21aa-6c1e");
    }
}
