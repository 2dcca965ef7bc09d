//! The digest that identifies a file's content.

use ring::digest::{Context, SHA256};
use std::fmt::Write as _;

/// A SHA-256 of content that comes in parts.
#[derive(Clone)]
pub struct ContentDigest(Context);

impl Default for ContentDigest {
    fn default() -> Self {
        Self(Context::new(&SHA256))
    }
}

impl ContentDigest {
    /// Adds the next part.
    pub fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    /// The digest, in 64 lower-case hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finish().as_ref().iter().fold(String::new(), |mut text, byte| {
            // Writing into a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_digest_of_the_whole() {
        let mut digest = ContentDigest::default();
        for part in ["a", "", "bc"] {
            digest.update(part.as_bytes());
        }
        assert_eq!(digest.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
