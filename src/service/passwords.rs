//! Passwords as the service keeps them: PBKDF2-HMAC-SHA512 with a salt of its own and the number of rounds beside it,
//! `pbkdf2-sha512$rounds$salt$hash` in hexadecimal.

use super::keys::NoRandomness;
use crate::api::Password;
use ring::pbkdf2::{PBKDF2_HMAC_SHA512, derive, verify};
use ring::rand::{SecureRandom, SystemRandom};
use std::num::NonZeroU32;

const NAME: &str = "pbkdf2-sha512";
/// Rounds of a new hash, 210,000: what OWASP asks for with this function. A stored hash keeps its own.
const ROUNDS: NonZeroU32 = NonZeroU32::MIN.saturating_add(209_999);
const SALT_LEN: usize = 16;
const HASH_LEN: usize = 32;

/// Hashes a password, which takes a tenth of a second.
///
/// # Errors
/// Where the system gives no random numbers.
pub fn hash(password: &Password) -> Result<String, NoRandomness> {
    let mut salt = [0; SALT_LEN];
    SystemRandom::new().fill(&mut salt).map_err(|_| NoRandomness)?;
    let mut hash = [0; HASH_LEN];
    derive(PBKDF2_HMAC_SHA512, ROUNDS, &salt, password.expose().as_bytes(), &mut hash);
    Ok(format!("{NAME}${ROUNDS}${}${}", hex(&salt), hex(&hash)))
}

/// Whether a password is the stored one. Where there is none to compare with it takes as long, so that nobody learns
/// who has one.
pub fn matches(password: &Password, stored: Option<&str>) -> bool {
    let stored = stored.and_then(read);
    let known = stored.is_some();
    let (rounds, salt, hash) = stored.unwrap_or_else(|| (ROUNDS, vec![0; SALT_LEN], vec![0; HASH_LEN]));
    verify(PBKDF2_HMAC_SHA512, rounds, &salt, password.expose().as_bytes(), &hash).is_ok() && known
}

fn read(stored: &str) -> Option<(NonZeroU32, Vec<u8>, Vec<u8>)> {
    let mut parts = stored.split('$');
    let (NAME, rounds, salt, hash) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?) else { return None };
    Some((rounds.parse().ok()?, unhex(salt)?, unhex(hash).filter(|hash| !hash.is_empty())?))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16);
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(digit).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| if let [high, low] = pair { Some(digit(*high)? << 4 | digit(*low)?) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_own_hash_only_and_no_two_hashes_are_alike() {
        let password = Password::new("correct horse");
        let (one, other) = (hash(&password).unwrap(), hash(&password).unwrap());
        assert_ne!(one, other);
        assert!(matches(&password, Some(&one)) && matches(&password, Some(&other)));
        assert!(!matches(&Password::new("correct horse "), Some(&one)));
        assert!(!one.contains("horse"));
    }

    #[test]
    fn what_is_no_hash_matches_nothing() {
        for stored in [
            None,
            Some(""),
            Some("pbkdf2-sha512$0$00$00"),
            Some("pbkdf2-sha512$1$zz$00"),
            Some("md5$1$00$00"),
            Some("pbkdf2-sha512$1$00$"),
        ] {
            assert!(!matches(&Password::new(""), stored), "{stored:?}");
        }
    }
}
