//! The secret of a user, and signatures made with it, as Standard Webhooks has them.

use crate::service::keys::NoRandomness;
use crate::service::store::{Store, StoreError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac::{HMAC_SHA256, Key, sign};
use ring::rand::{SecureRandom, SystemRandom};
use secrecy::{ExposeSecret, SecretString};

/// What a secret begins with.
const PREFIX: &str = "whsec_";
/// Random bytes of a secret.
const BYTES: usize = 32;

/// What the deliveries of a user are signed with: `whsec_` and a key in Base64. It does not print.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// Where the system gives no random numbers.
    pub fn random() -> Result<Self, NoRandomness> {
        let mut key = [0_u8; BYTES];
        SystemRandom::new().fill(&mut key).map_err(|_| NoRandomness)?;
        Ok(Self::stored(format!("{PREFIX}{}", STANDARD.encode(key))))
    }

    /// One that was made before.
    pub fn stored(text: String) -> Self {
        Self(text.into())
    }

    /// The secret in the clear: only for the database, and for whom it belongs to.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The value of `webhook-signature`; `timestamp` is in seconds since 1970.
    pub fn sign(&self, webhook_id: &str, timestamp: i64, body: &str) -> String {
        let text = self.expose();
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        // A secret that is no Base64 is taken as it stands.
        let key = STANDARD.decode(encoded).unwrap_or_else(|_| encoded.as_bytes().to_vec());
        let signed = format!("{webhook_id}.{timestamp}.{body}");
        format!("v1,{}", STANDARD.encode(sign(&Key::new(HMAC_SHA256, &key), signed.as_bytes())))
    }
}

/// Why a user has no secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// None could be made.
    #[error(transparent)]
    Random(#[from] NoRandomness),
    /// It could not be read or kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The secret of a user, made where there is none yet.
///
/// # Errors
/// Where the store fails, or the system gives no random numbers.
pub fn of_user(store: &Store, user_id: i64) -> Result<Secret, SecretError> {
    match store.webhook_secret(user_id)? {
        Some(secret) => Ok(secret),
        None => Ok(store.settle_webhook_secret(user_id, &Secret::random()?)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_published_example() {
        let secret = Secret::stored("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned());
        let body = r#"{"test": 2432232314}"#;
        assert_eq!(
            secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn a_new_secret_holds_32_random_bytes_and_does_not_print() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_ne!(one.expose(), other.expose());
        let key = one.expose().strip_prefix("whsec_").unwrap();
        assert_eq!(STANDARD.decode(key).unwrap().len(), BYTES);
        assert!(!format!("{one:?}").contains(key));
    }
}
