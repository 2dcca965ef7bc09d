//! Where a server has the operations that the spec leaves open.

use std::borrow::Cow;
use std::str::FromStr;

/// A path below the API root: it begins with a slash and has neither a query nor anything that would need to be encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPath(String);

/// What is no path below the API root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a path begins with a slash and has letters, digits, and - _ . ~ / only")]
pub struct BadPath;

impl FromStr for OwnPath {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<Self, BadPath> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
        let climbs = text.split('/').any(|part| matches!(part, "." | ".."));
        let path = text.trim_end_matches('/');
        if !path.starts_with('/') || !path.bytes().all(plain) || climbs {
            return Err(BadPath);
        }
        Ok(Self(path.to_owned()))
    }
}

/// The paths of a server where they are others than usual.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paths {
    /// In place of `/user/me`.
    pub account: Option<OwnPath>,
    /// In place of `/user/msgapp/senders`; the templates of a sender stay where the spec has them.
    pub senders: Option<OwnPath>,
    /// In place of `/user/msgapp/send-freeform`.
    pub send_freeform: Option<OwnPath>,
    /// In place of `/conversations`, before a conversation's id.
    pub conversation: Option<OwnPath>,
}

/// The caller's account, usually.
pub const ACCOUNT: &str = "/user/me";
/// The list of senders, usually.
pub const SENDERS: &str = "/user/msgapp/senders";
/// Sending a freeform message, usually.
pub const SEND_FREEFORM: &str = "/user/msgapp/send-freeform";
/// A conversation, usually, before its id.
pub const CONVERSATION: &str = "/conversations/";

impl Paths {
    /// The path of this server for a usual one, with its query.
    pub fn of<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let end = path.find('?').unwrap_or(path.len());
        let (place, query) = path.split_at(end);
        let own = match place {
            ACCOUNT => self.account.as_ref().map(|own| (own, "")),
            SENDERS => self.senders.as_ref().map(|own| (own, "")),
            SEND_FREEFORM => self.send_freeform.as_ref().map(|own| (own, "")),
            _ => self.conversation.as_ref().zip(place.strip_prefix(CONVERSATION)),
        };
        match own {
            None => Cow::Borrowed(path),
            Some((OwnPath(own), "")) => Cow::Owned(format!("{own}{query}")),
            Some((OwnPath(own), id)) => Cow::Owned(format!("{own}/{id}{query}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_open_operations_go_elsewhere_and_keep_what_they_ask() {
        let own = |path: &str| Some(path.parse().unwrap());
        let paths = Paths {
            senders: own("/v2/numbers/"),
            conversation: own("/chats"),
            send_freeform: own("/say"),
            ..Paths::default()
        };
        assert_eq!(paths.of("/user/msgapp/senders?status=all"), "/v2/numbers?status=all");
        assert_eq!(
            paths.of("/user/msgapp/senders/7/templates?status=all"),
            "/user/msgapp/senders/7/templates?status=all"
        );
        assert_eq!(paths.of("/conversations/0a%2F?x=1"), "/chats/0a%2F?x=1");
        assert_eq!(paths.of("/user/msgapp/send-freeform"), "/say");
        assert_eq!(paths.of("/user/conversations?page=2"), "/user/conversations?page=2");
        assert_eq!(paths.of("/user/me"), "/user/me");
    }

    #[test]
    fn a_path_stays_below_the_root() {
        for bad in ["", "user/me", "/a/../b", "/a?b", "/a b", "/a%2e", "//", "/ä", "http://elsewhere/"] {
            let read = bad.parse::<OwnPath>();
            assert!(read.is_err(), "{bad:?}: {read:?}");
        }
        assert_eq!("/a/b.c/".parse(), Ok(OwnPath("/a/b.c".to_owned())));
    }
}
