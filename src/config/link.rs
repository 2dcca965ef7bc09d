//! Where a conversation is found on the web.

use crate::api::Segment;
use url::Url;

/// What stands for the conversation's id.
const ID: &str = "{id}";

/// A web address with a place for the id of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(String);

impl Link {
    /// Reads an address such as `https://example.com/conversations/{id}`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.matches(ID).count() != 1 {
            return Err("must have {id} once, where the conversation's id belongs");
        }
        if text.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return Err("must be one word");
        }
        let url =
            Url::parse(&text.replace(ID, "0")).map_err(|_| "must be a URL such as \"https://example.com/{id}\"")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("must begin with http:// or https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password");
        }
        // An id must not choose the server.
        if Url::parse(&text.replace(ID, "1")).ok().is_none_or(|other| other.origin() != url.origin()) {
            return Err("must have {id} behind the host");
        }
        Ok(Self(text.to_owned()))
    }

    /// The address of a conversation; whatever has a meaning in a URL is encoded in the id.
    pub fn of(&self, id: &str) -> String {
        self.0.replace(ID, &Segment::from(id).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_is_a_web_address_with_one_place_for_the_id() {
        let link = Link::parse(" https://example.com/c/{id}?tab=1 ").unwrap();
        assert_eq!(link.of("0b7e-42"), "https://example.com/c/0b7e-42?tab=1");
        assert_eq!(link.of("a/../b?x=é#"), "https://example.com/c/a%2F..%2Fb%3Fx%3D%C3%A9%23?tab=1");
        for wrong in [
            "https://example.com/c/",
            "https://example.com/{id}/{id}",
            "ftp://example.com/{id}",
            "javascript:alert({id})",
            "https://{id}.example.com/",
            "https://example.com:{id}/",
            "https://ada:secret@example.com/{id}",
            "https://example.com/a b/{id}",
            "https://exam\nple.com/{id}",
            "{id}",
            "",
        ] {
            assert!(Link::parse(wrong).is_err(), "{wrong}");
        }
    }
}
