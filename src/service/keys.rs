//! Bearer tokens as the service stores them: hashed, never in the clear.

use crate::api::Token;
use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use ring::rand::{SecureRandom, SystemRandom};
use subtle::ConstantTimeEq;

/// Random characters of a new token: 238 bits.
const TOKEN_CHARS: usize = 40;
const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The SHA-256 of a token. Tokens are long and random, so a slow hash would add nothing.
#[derive(Debug, Clone, Copy)]
pub struct TokenHash([u8; SHA256_OUTPUT_LEN]);

impl TokenHash {
    /// Hashes a token.
    pub fn of(token: &Token) -> Self {
        let mut bytes = [0; SHA256_OUTPUT_LEN];
        bytes.copy_from_slice(digest(&SHA256, token.expose().as_bytes()).as_ref());
        Self(bytes)
    }

    /// What the index of tokens holds. The time a look-up takes depends on this part of the hash alone, and knowing it
    /// brings nobody nearer to a token.
    pub fn lookup(&self) -> i64 {
        let (head, _) = self.0.split_first_chunk().unwrap_or((&[0; 8], &[]));
        i64::from_be_bytes(*head)
    }

    /// The whole hash.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Compares with a stored hash, in the same time whatever differs.
    pub fn matches(&self, stored: &[u8]) -> bool {
        self.0.ct_eq(stored).into()
    }
}

/// A source of randomness that failed: the system has none.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoRandomness;

/// The secret part of a new token.
///
/// # Errors
/// Where the system gives no random numbers.
pub fn random_secret() -> Result<String, NoRandomness> {
    let random = SystemRandom::new();
    let mut secret = String::with_capacity(TOKEN_CHARS);
    let mut bytes = [0_u8; 64];
    while secret.len() < TOKEN_CHARS {
        random.fill(&mut bytes).map_err(|_| NoRandomness)?;
        // Six bits choose among 64; the two that name no character are thrown away, so all are equally likely.
        let chars = bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte & 63))).map(|&byte| char::from(byte));
        secret.extend(chars.take(TOKEN_CHARS - secret.len()));
    }
    Ok(secret)
}

/// The token of a new key: its number and its secret.
pub fn token(key_id: i64, secret: &str) -> Token {
    Token::new(&format!("{key_id}|{secret}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_plain_and_never_the_same() {
        let (one, other) = (random_secret().unwrap(), random_secret().unwrap());
        assert_eq!(one.len(), TOKEN_CHARS);
        assert!(one.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_ne!(one, other);
    }

    #[test]
    fn a_hash_matches_its_own_token_only() {
        let hash = TokenHash::of(&Token::new("7|abc"));
        assert!(hash.matches(TokenHash::of(&Token::new("7|abc")).as_bytes()));
        assert!(!hash.matches(TokenHash::of(&Token::new("7|abd")).as_bytes()));
        assert!(!hash.matches(&[]));
    }
}
