//! Where a URL leads, as far as its host shows.

use url::{Host, Url};

/// Who can reach a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Everybody, as far as its name or address shows.
    Public,
    /// The machines of a private network.
    Private,
    /// The machine itself.
    Own,
}

/// The host of a URL, and who can reach it; `None` where it has none.
pub fn host(url: &Url) -> Option<(String, Reach)> {
    let mapped = if let Some(Host::Ipv6(v6)) = url.host() { v6.to_ipv4_mapped().map(Host::Ipv4) } else { None };
    let (host, is_own, is_private) = match mapped.or(url.host())? {
        Host::Ipv4(v4) => {
            (v4.to_string(), v4.is_loopback() || v4.is_unspecified(), v4.is_private() || v4.is_link_local())
        }
        Host::Ipv6(v6) => {
            let is_private = v6.is_unique_local() || v6.is_unicast_link_local();
            (v6.to_string(), v6.is_loopback() || v6.is_unspecified(), is_private)
        }
        Host::Domain(name) => {
            let last = name.rsplit('.').next();
            let is_private = matches!(last, Some("local" | "internal")) || !name.contains('.');
            (name.to_owned(), last == Some("localhost"), is_private)
        }
    };
    Some((
        host,
        if is_own {
            Reach::Own
        } else if is_private {
            Reach::Private
        } else {
            Reach::Public
        },
    ))
}
