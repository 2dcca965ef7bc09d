//! The configuration of a client.

use crate::api::{Channel, Paths, Token};
use std::net::IpAddr;
use std::time::Duration;
use url::{Host, Url};

/// The server, the token, and the limits of requests.
#[derive(Clone)]
pub struct ClientConfig {
    /// The API root; paths are appended to it.
    pub base_url: Url,
    /// Goes into the `Authorization` header of every request, and nowhere else.
    pub token: Token,
    /// The key that turns the AI of conversations off and on, in place of the token; `None` where the token does that.
    pub automation_key: Option<Token>,
    /// The messaging channel's word at this server; everything above the wire says `msgapp`.
    pub channel: Channel,
    /// Where it has the operations that the spec leaves open.
    pub paths: Paths,
    /// The `User-Agent` header.
    pub user_agent: String,
    /// For name, connection and TLS of one try.
    pub connect_timeout: Duration,
    /// For the whole of one try, from the connection to the last byte.
    pub deadline: Duration,
    /// Retries of a read; a write has none.
    pub retries: u32,
    /// The wait before the first retry; each further one is twice as long, all with jitter.
    pub min_backoff: Duration,
}

impl ClientConfig {
    /// The defaults: 5 s to connect, 30 s a try, 3 retries of a read.
    pub fn new(base_url: Url, token: Token) -> Self {
        Self {
            base_url,
            token,
            automation_key: None,
            channel: Channel::default(),
            paths: Paths::default(),
            user_agent: concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(5),
            deadline: Duration::from_secs(30),
            retries: 3,
            min_backoff: Duration::from_millis(250),
        }
    }
}

/// Why a configuration cannot be used. The text holds no secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Neither `http` nor `https`, or no host.
    #[error("the base URL must begin with http:// or https:// and name a host")]
    Scheme,
    /// `user:password@` in the base URL: it would end up on screens and in logs.
    #[error("the base URL must not carry a user name or a password")]
    Credentials,
    /// `?` or `#` in the base URL.
    #[error("the base URL must not have a query or a fragment")]
    Query,
    /// The token holds a line break, say.
    #[error("the token holds characters that a header cannot carry")]
    Token,
    /// The user agent does.
    #[error("the user agent holds characters that a header cannot carry")]
    UserAgent,
    /// The TLS library or the resolver could not be set up.
    #[error("the HTTP client cannot start: {0}")]
    Setup(String),
}

/// # Errors
/// Where a URL is none of HTTP, or carries credentials.
pub(super) fn is_plain(url: &Url) -> Result<(), ConfigError> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(ConfigError::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ConfigError::Credentials);
    }
    Ok(())
}

/// The base URL as text without a trailing slash, so that a path can be appended.
///
/// # Errors
/// Where it is not the plain root of an HTTP service.
pub(super) fn base_text(url: &Url) -> Result<String, ConfigError> {
    is_plain(url)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(ConfigError::Query);
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// The origin of a server in one spelling: lower case, with its port, and every name of this machine as `localhost`.
pub(super) fn origin(url: &Url) -> String {
    let is_local = |address: IpAddr| address.to_canonical().is_loopback() || address.is_unspecified();
    let host = match url.host() {
        Some(Host::Ipv4(address)) if is_local(address.into()) => "localhost".to_owned(),
        Some(Host::Ipv6(address)) if is_local(address.into()) => "localhost".to_owned(),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_lowercase();
            if name.ends_with(".localhost") { "localhost".to_owned() } else { name }
        }
        Some(host) => host.to_string(),
        None => String::new(),
    };
    format!("{}://{host}:{}", url.scheme(), url.port_or_known_default().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(url: &str) -> Result<String, ConfigError> {
        base_text(&url.parse().unwrap())
    }

    #[test]
    fn a_base_url_loses_its_trailing_slash() {
        assert_eq!(base("http://127.0.0.1:8787/api/").unwrap(), "http://127.0.0.1:8787/api");
        assert_eq!(base("https://example.com").unwrap(), "https://example.com");
    }

    #[test]
    fn a_server_has_one_origin_however_it_is_spelled() {
        let same = |urls: &[&str]| {
            let origins: Vec<_> = urls.iter().map(|url| origin(&url.parse().unwrap())).collect();
            assert!(origins.iter().all(|origin| *origin == origins[0]), "{origins:?}");
            origins[0].clone()
        };
        let local = [
            "http://localhost:8787/api",
            "http://127.0.0.1:8787/api/",
            "http://LOCALHOST:8787",
            "http://[::1]:8787/api",
            "http://127.8.9.1:8787/",
            "http://[::ffff:127.0.0.1]:8787/",
            "http://0.0.0.0:8787/",
            "http://api.localhost:8787/",
            "http://localhost.:8787/",
            "http://2130706433:8787/",
        ];
        assert_eq!(same(&local), "http://localhost:8787");
        let far = ["https://Example.com/api", "https://example.com:443", "https://example.com./api/"];
        assert_eq!(same(&far), "https://example.com:443");
        assert_ne!(origin(&"http://example.com".parse().unwrap()), "https://example.com:443");
    }

    #[test]
    fn a_base_url_that_is_no_plain_http_root_is_refused() {
        assert_eq!(base("ftp://example.com/"), Err(ConfigError::Scheme));
        assert_eq!(base("https://ada:secret@example.com/"), Err(ConfigError::Credentials));
        assert_eq!(base("https://example.com/?key=1"), Err(ConfigError::Query));
    }
}
