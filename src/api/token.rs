//! Bearer tokens, in a type that cannot be printed.

use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// A bearer token. It has no `Display`, its `Debug` shows nothing, and its memory is cleared when it is dropped.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Token(#[schemars(with = "String")] SecretString);

impl Token {
    /// Takes a token as the user or the service gave it, without the white space around it.
    pub fn new(text: &str) -> Self {
        Self(SecretString::from(text.trim().to_owned()))
    }

    /// The token in the clear: only for the `Authorization` header and for what shows it once, at its creation.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl Token {
    /// The number of its API key, where the token begins with one: `12|…`.
    pub fn key_id(&self) -> Option<i64> {
        self.expose().split_once('|')?.0.parse().ok()
    }
}

impl Eq for Token {}

impl std::hash::Hash for Token {
    /// All alike: nothing of a token is to be guessed from its hash.
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        subtle::ConstantTimeEq::ct_eq(self.expose().as_bytes(), other.expose().as_bytes()).into()
    }
}

/// Writes a token into an answer: its creation is the one place where the API shows it.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_exposed<S: Serializer>(token: &Token, serializer: S) -> Result<S::Ok, S::Error> {
    token.expose().serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_does_not_print() {
        let shown = format!("{:?}", Token::new("very-secret"));
        assert!(!shown.contains("very-secret"), "{shown}");
    }
}
