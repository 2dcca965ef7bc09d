//! What a proxy tells of the requests that it passes on. It is believed where the proxy is trusted, and nowhere else.

use axum::http::header::{HOST, HeaderName};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue};
use std::net::IpAddr;

const FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The scheme and host under which a caller knows the service, as `https://api.example.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(pub String);

/// Under which origin a proxy was asked; none where it does not tell.
pub fn origin(headers: &HeaderMap) -> Option<Origin> {
    let proto = headers.get(PROTO)?.as_bytes();
    let scheme = ["https", "http"].into_iter().find(|scheme| proto.eq_ignore_ascii_case(scheme.as_bytes()))?;
    let host = headers.get(FORWARDED_HOST).or_else(|| headers.get(HOST))?;
    // Each proxy appends the host that it was asked for.
    let host = authority(host.as_bytes().split(|byte| *byte == b',').next()?.trim_ascii())?;
    Some(Origin(format!("{scheme}://{host}")))
}

/// A host with or without a port; none where there is anything more, such as a user.
pub fn authority(host: &[u8]) -> Option<Authority> {
    Authority::try_from(host).ok().filter(|host| !host.as_str().contains('@'))
}

/// Who asked the outermost trusted proxy: the last address that is none of them.
pub fn client(headers: &HeaderMap, trusted: &[IpAddr]) -> Option<IpAddr> {
    let told: Vec<_> = headers.get_all(FOR).iter().map(HeaderValue::to_str).collect::<Result<_, _>>().ok()?;
    let told = told.join(",");
    let mut addresses = told.rsplit(',').map_while(|address| address.trim().parse::<IpAddr>().ok());
    addresses.find(|address| !trusted.contains(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn links_have_the_scheme_and_host_that_the_proxy_was_asked_for() {
        let told = [("host", "inner:8787"), ("x-forwarded-proto", "HTTPS"), ("x-forwarded-host", "api.example.com")];
        assert_eq!(origin(&headers(&told)), Some(Origin("https://api.example.com".to_owned())));
        assert_eq!(origin(&headers(&told[..2])), Some(Origin("https://inner:8787".to_owned())));
        assert_eq!(origin(&headers(&told[..1])), None);
        assert_eq!(origin(&headers(&[("host", "h"), ("x-forwarded-proto", "javascript")])), None);
        assert_eq!(origin(&headers(&[("host", "user:secret@h"), ("x-forwarded-proto", "https")])), None);
        let chain = [("x-forwarded-proto", "https"), ("x-forwarded-host", "api.example.com, inner:8787")];
        assert_eq!(origin(&headers(&chain)), Some(Origin("https://api.example.com".to_owned())));
    }

    #[test]
    fn what_a_client_writes_itself_is_not_believed() {
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let client = |told| client(&headers(&[("x-forwarded-for", told)]), &[proxy]);
        assert_eq!(client("1.1.1.1, 192.0.2.7, 10.0.0.1"), Some("192.0.2.7".parse().unwrap()));
        assert_eq!(client("192.0.2.7"), Some("192.0.2.7".parse().unwrap()));
        assert_eq!(client("192.0.2.7, nonsense"), None);
        assert_eq!(client("10.0.0.1"), None);
    }
}
