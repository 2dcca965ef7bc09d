//! Verifies the signature of a delivery.

use crate::api::SigningSecret;
use axum::http::HeaderMap;
use jiff::Timestamp;
use std::fmt;

/// Allowed age of a signature in seconds, in both directions; limits replays.
const TOLERANCE: i64 = 300;

/// The result of checking a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// Made with the secret.
    Valid,
    /// Does not match.
    Invalid(Mismatch),
    /// The delivery is not signed.
    Missing,
    /// Not checked: no secret is set.
    NoSecret,
}

/// Why a signature is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// Made with another secret, or the content has changed.
    Different,
    /// `webhook-id` or `webhook-timestamp` is missing or unreadable.
    Incomplete,
    /// Made this many seconds ago; negative if in the future.
    Expired(i64),
}

impl Signature {
    /// In one word, for programs: `valid`, `invalid`, `missing` or `no_secret`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid(_) => "invalid",
            Self::Missing => "missing",
            Self::NoSecret => "no_secret",
        }
    }
}

/// For people: `signature valid`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Valid => f.write_str("signature valid"),
            Self::Invalid(Mismatch::Different) => f.write_str("signature invalid: wrong secret or changed body"),
            Self::Invalid(Mismatch::Incomplete) => f.write_str("signature invalid: no webhook-id or webhook-timestamp"),
            Self::Invalid(Mismatch::Expired(age @ 0..)) => write!(f, "signature invalid: signed {age} s ago"),
            Self::Invalid(Mismatch::Expired(age)) => write!(f, "signature invalid: signed {} s ahead", age.abs()),
            Self::Missing => f.write_str("no signature sent"),
            Self::NoSecret => f.write_str("signature not checked: no secret given"),
        }
    }
}

/// Checks the Standard Webhooks signature, or else `X-Signature-256`, which has no timestamp.
pub(super) fn check(headers: &HeaderMap, body: &[u8], secret: Option<&SigningSecret>, now: Timestamp) -> Signature {
    let header = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let (standard, of_body) = (header("webhook-signature"), header("x-signature-256"));
    let Some(signature) = standard.or(of_body) else { return Signature::Missing };
    let Some(secret) = secret else { return Signature::NoSecret };
    let verified = if standard.is_some() {
        let time = header("webhook-timestamp").and_then(|time| time.parse::<i64>().ok());
        let Some((id, time)) = header("webhook-id").zip(time) else {
            return Signature::Invalid(Mismatch::Incomplete);
        };
        let age = now.as_second().saturating_sub(time);
        if !(-TOLERANCE..=TOLERANCE).contains(&age) {
            return Signature::Invalid(Mismatch::Expired(age));
        }
        secret.verifies(signature, id, time, body)
    } else {
        secret.verifies_body(signature, body)
    };
    if verified { Signature::Valid } else { Signature::Invalid(Mismatch::Different) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"{}";

    fn secret() -> SigningSecret {
        SigningSecret::new("whsec_c2VjcmV0")
    }

    fn checked(headers: &[(&'static str, &str)], age: i64) -> Signature {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let now = Timestamp::from_second(1_000 + age).unwrap();
        check(&headers.collect(), BODY, Some(&secret()), now)
    }

    #[test]
    fn signature_holds_for_five_minutes_either_way() {
        let signature = secret().sign("msg_1", 1_000, BODY);
        let headers =
            [("webhook-id", "msg_1"), ("webhook-timestamp", "1000"), ("webhook-signature", signature.as_str())];
        for age in [-300, 0, 300] {
            assert_eq!(checked(&headers, age), Signature::Valid, "{age}");
        }
        for age in [-301, 301] {
            assert_eq!(checked(&headers, age), Signature::Invalid(Mismatch::Expired(age)));
        }
        assert_eq!(checked(&headers[1..], 0), Signature::Invalid(Mismatch::Incomplete));
        let replayed = [("webhook-id", "msg_2"), headers[1], headers[2]];
        assert_eq!(checked(&replayed, 0), Signature::Invalid(Mismatch::Different));
    }

    #[test]
    fn unreadable_time_never_panics() {
        for time in ["", "now", "1e3", "9223372036854775807", "-9223372036854775808", "99999999999999999999"] {
            let headers = [("webhook-id", "m"), ("webhook-timestamp", time), ("webhook-signature", "v1,")];
            assert!(matches!(checked(&headers, 0), Signature::Invalid(_)), "{time}");
        }
    }

    #[test]
    fn body_signature_counts_only_without_the_one_that_has_a_time() {
        // Made with: printf '{}' | openssl dgst -sha256 -hmac whsec_c2VjcmV0
        let good = "sha256=f2a9d48be51b03e17422a1499a4cdb7f8400afd0aa4cf50f34b9852d223553bb";
        assert_eq!(checked(&[("x-signature-256", good)], 0), Signature::Valid);
        assert_eq!(checked(&[("x-signature-256", "sha256=00")], 0), Signature::Invalid(Mismatch::Different));
        let both = [("x-signature-256", good), ("webhook-signature", "v1,")];
        assert_eq!(checked(&both, 0), Signature::Invalid(Mismatch::Incomplete));
    }

    #[test]
    fn what_is_not_signed_is_told_from_what_cannot_be_checked() {
        assert_eq!(checked(&[], 0), Signature::Missing);
        let headers = HeaderMap::from_iter([("webhook-signature".parse().unwrap(), "v1,".parse().unwrap())]);
        assert_eq!(check(&headers, BODY, None, Timestamp::UNIX_EPOCH), Signature::NoSecret);
        assert_eq!(check(&HeaderMap::new(), BODY, None, Timestamp::UNIX_EPOCH), Signature::Missing);
    }
}
