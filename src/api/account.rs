//! The caller's account and the login that issues a session token. The spec names both without a shape.

use super::token::{Token, serialize_exposed};
use super::{Field, rules};
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The label of a session token where none is asked for.
pub const TOKEN_NAME_DEFAULT: &str = "api-token";

/// Characters of an email: the most that mail can be sent to (RFC 5321).
pub const EMAIL_MAX: usize = 254;

/// The answer of `GET /user/me`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Account {
    /// The user's name.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// The user's email.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub email: Field<String>,
    /// Credits of a tenant user, minutes of a direct user.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub total_balance: Field<f64>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A password. It has no `Display`, its `Debug` shows nothing, and its memory is cleared when it is dropped.
#[derive(Debug, Clone)]
pub struct Password(SecretString);

impl Password {
    /// Takes a password as it was given, blanks and all.
    pub fn new(text: &str) -> Self {
        Self(SecretString::from(text.to_owned()))
    }

    /// The password in the clear: only for hashing it and for the login request.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl Serialize for Password {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.expose().serialize(serializer)
    }
}

impl Eq for Password {}

impl std::hash::Hash for Password {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.expose().hash(state);
    }
}

impl PartialEq for Password {
    fn eq(&self, other: &Self) -> bool {
        subtle::ConstantTimeEq::ct_eq(self.expose().as_bytes(), other.expose().as_bytes()).into()
    }
}

/// The body of `POST /white-label/login`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct LogIn {
    /// The user's email.
    pub email: String,
    /// The user's password.
    pub password: Password,
    /// The label of the session token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_name: Option<String>,
}

/// Who has logged in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoggedInUser {
    /// The user's number.
    pub id: i64,
    /// The user's name.
    pub name: String,
    /// The user's email.
    pub email: String,
}

/// The answer of `POST /white-label/login`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Login {
    /// What happened, in words.
    pub message: String,
    /// Who has logged in.
    pub user: LoggedInUser,
    /// The session token, never returned again.
    #[serde(serialize_with = "serialize_exposed")]
    pub token: Token,
    /// The new API key's name, which tells it apart in the list of keys.
    pub token_name: String,
}

/// The label of a session token: as that of an API key.
///
/// # Errors
/// The fault, where it is too long.
pub fn token_name(text: &str) -> Result<(), rules::Fault> {
    rules::at_most("token_name", text, rules::API_KEY_NAME_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_does_not_print() {
        let shown = format!("{:?}", Password::new("very-secret"));
        assert!(!shown.contains("very-secret"), "{shown}");
    }
}
