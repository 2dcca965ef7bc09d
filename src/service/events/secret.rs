//! The secret of a user, with which their deliveries are signed.

use crate::api::SigningSecret;
use crate::service::keys::NoRandomness;
use crate::service::store::{Store, StoreError};
use ring::rand::{SecureRandom, SystemRandom};

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
pub fn of_user(store: &Store, user_id: i64) -> Result<SigningSecret, SecretError> {
    match store.webhook_secret(user_id)? {
        Some(secret) => Ok(secret),
        None => Ok(store.settle_webhook_secret(user_id, &random()?)?),
    }
}

/// A new secret, of 32 random bytes.
fn random() -> Result<SigningSecret, NoRandomness> {
    let mut key = [0_u8; 32];
    SystemRandom::new().fill(&mut key).map_err(|_| NoRandomness)?;
    Ok(SigningSecret::of_key(&key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;

    #[test]
    fn a_new_secret_holds_32_random_bytes_and_does_not_print() {
        let (one, other) = (random().unwrap(), random().unwrap());
        assert_ne!(one.expose(), other.expose());
        let key = one.expose().strip_prefix("whsec_").unwrap();
        assert_eq!(base64::engine::general_purpose::STANDARD.decode(key).unwrap().len(), 32);
        assert!(!format!("{one:?}").contains(key));
    }
}
