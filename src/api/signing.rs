//! Signatures of webhooks: those of Standard Webhooks, which the service sends, and `X-Signature-256`, which the platform
//! sends with message statuses.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac::{HMAC_SHA256, Key, sign, verify};
use secrecy::{ExposeSecret, SecretString};
use std::fmt::Display;

/// What a secret of Standard Webhooks begins with.
const PREFIX: &str = "whsec_";

/// The secret that deliveries are signed with: `whsec_` and a key in Base64, or any other text. It does not print.
#[derive(Debug, Clone)]
pub struct SigningSecret(SecretString);

impl SigningSecret {
    /// Takes a secret as the user or the database gave it, without the white space around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().into())
    }

    /// One with this key.
    pub fn of_key(key: &[u8]) -> Self {
        Self(format!("{PREFIX}{}", STANDARD.encode(key)).into())
    }

    /// The secret in the clear: only for the database, and for whom it belongs to.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The key of Standard Webhooks. A secret that is no Base64 is taken as it stands.
    fn key(&self) -> Key {
        let text = self.expose();
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        Key::new(HMAC_SHA256, &STANDARD.decode(encoded).unwrap_or_else(|_| encoded.as_bytes().to_vec()))
    }

    /// The value of `webhook-signature`; `timestamp` is in seconds since 1970.
    pub fn sign(&self, webhook_id: &str, timestamp: i64, body: &[u8]) -> String {
        let signature = sign(&self.key(), &signed(webhook_id, timestamp, body));
        format!("v1,{}", STANDARD.encode(signature))
    }

    /// True where one of the signatures of a `webhook-signature` header, which are separated by spaces, was made with this
    /// secret. Compares in constant time.
    pub fn verifies(&self, signatures: &str, webhook_id: &str, timestamp: i64, body: &[u8]) -> bool {
        let (key, signed) = (self.key(), signed(webhook_id, timestamp, body));
        let mut given = signatures.split(' ').filter_map(|one| STANDARD.decode(one.strip_prefix("v1,")?).ok());
        given.any(|signature| verify(&key, &signed, &signature).is_ok())
    }

    /// True where the `sha256=<hex>` of an `X-Signature-256` header was made with this secret, whose text is the key.
    /// Compares in constant time.
    pub fn verifies_body(&self, signature: &str, body: &[u8]) -> bool {
        let key = Key::new(HMAC_SHA256, self.expose().as_bytes());
        let given = signature.strip_prefix("sha256=").and_then(from_hex);
        given.is_some_and(|signature| verify(&key, body, &signature).is_ok())
    }
}

fn signed(webhook_id: &str, timestamp: impl Display, body: &[u8]) -> Vec<u8> {
    [format!("{webhook_id}.{timestamp}.").as_bytes(), body].concat()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    text.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const PUBLISHED: (&str, i64) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330);
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    fn secret() -> SigningSecret {
        SigningSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
    }

    #[test]
    fn a_signature_is_that_of_the_published_example() {
        assert_eq!(secret().sign(PUBLISHED.0, PUBLISHED.1, BODY), SIGNATURE);
    }

    #[test]
    fn signature_verifies_with_its_own_id_time_body_and_secret_only() {
        let (id, time) = PUBLISHED;
        assert!(secret().verifies(SIGNATURE, id, time, BODY));
        let rotated = format!("v1,AAAA v1a,AAAA nonsense {SIGNATURE}");
        assert!(secret().verifies(&rotated, id, time, BODY));
        for (signatures, id, time, body) in [
            (SIGNATURE, "msg_other", time, BODY),
            (SIGNATURE, id, time + 1, BODY),
            (SIGNATURE, id, time, b"{}".as_slice()),
            (SIGNATURE.strip_prefix("v1,").unwrap(), id, time, BODY),
            ("", id, time, BODY),
            ("v1,", id, time, BODY),
        ] {
            assert!(!secret().verifies(signatures, id, time, body), "{signatures} {id} {time}");
        }
        assert!(!SigningSecret::new("whsec_c2VjcmV0").verifies(SIGNATURE, id, time, BODY));
    }

    #[test]
    fn body_signature_is_that_of_rfc_4231() {
        let secret = SigningSecret::new("Jefe");
        let good = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert!(secret.verifies_body(good, b"what do ya want for nothing?"));
        for wrong in [good.trim_start_matches("sha256="), &good[..good.len() - 1], "sha256=", "sha256=+é", ""] {
            assert!(!secret.verifies_body(wrong, b"what do ya want for nothing?"), "{wrong}");
        }
        assert!(!secret.verifies_body(good, b"what do ya want?"));
    }

    #[test]
    fn secret_does_not_print() {
        assert!(!format!("{:?}", SigningSecret::new("very-secret")).contains("very-secret"));
    }
}
