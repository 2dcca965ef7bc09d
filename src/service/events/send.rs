//! One delivery over HTTP: to an address that was checked, without following redirects, within a time.

use super::address::{is_public, is_public_name};
use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use axum::http::{Request, StatusCode};
use futures_util::future::{Either, select};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::{InvalidDnsNameError, ServerName};
use rustls_platform_verifier::BuilderVerifierExt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use url::{Host, Url};

/// How long a delivery may take, from the look-up of the name to the head of the answer.
pub(super) const LIMIT: Duration = Duration::from_secs(10);
const AGENT: &str = concat!("switchboard/", env!("CARGO_PKG_VERSION"));

/// Why a delivery did not arrive, in words that are shown to its owner.
#[derive(Debug, thiserror::Error)]
pub(super) enum WebhookError {
    #[error("the address cannot be used: {0}")]
    Url(&'static str),
    #[error("the name could not be looked up: {0}")]
    Resolve(io::Error),
    #[error("the address is on a private network, and deliveries go to public ones only")]
    Private,
    #[error("no connection: {0}")]
    Connect(io::Error),
    #[error("no secure connection: {0}")]
    Secure(io::Error),
    #[error("the certificates of this system cannot be used: {0}")]
    Certificates(#[from] rustls::Error),
    #[error("the name has no certificate that could fit: {0}")]
    Name(#[from] InvalidDnsNameError),
    #[error("the connection broke: {0}")]
    Broke(#[from] hyper::Error),
    #[error("the receiver answered {0}")]
    SendRefusal(StatusCode),
    #[error("no answer within {} s", LIMIT.as_secs())]
    TimedOut,
}

/// What is sent where.
#[derive(Debug)]
pub(super) struct WebhookRequest<'a> {
    pub(super) url: &'a str,
    pub(super) webhook_id: &'a str,
    /// In seconds since 1970.
    pub(super) timestamp: i64,
    pub(super) signature: &'a str,
    pub(super) body: String,
}

/// Sends deliveries.
#[derive(Debug, Default)]
pub(super) struct WebhookSender {
    /// Whether receivers may be neighbours, as in a sandbox.
    pub(super) neighbours: bool,
    /// Reading the system's certificates takes a while, and most receivers of a sandbox need none.
    tls: OnceCell<Arc<ClientConfig>>,
}

impl WebhookSender {
    pub(super) fn new(neighbours: bool) -> Self {
        Self { neighbours, tls: OnceCell::new() }
    }

    /// Sends one. It has arrived where the receiver answers with a 2xx; what else it answers is not read.
    pub(super) async fn send(&self, parcel: WebhookRequest<'_>) -> Result<(), WebhookError> {
        tokio::time::timeout(LIMIT, self.try_send(parcel)).await.map_err(|_| WebhookError::TimedOut)?
    }

    async fn try_send(&self, parcel: WebhookRequest<'_>) -> Result<(), WebhookError> {
        let url = Url::parse(parcel.url).map_err(|_| WebhookError::Url("it is no URL"))?;
        let host = url.host().ok_or(WebhookError::Url("it names no host"))?;
        let port = url.port_or_known_default().ok_or(WebhookError::Url("it has no port"))?;
        let stream = TcpStream::connect(&*self.addresses(&host, port).await?).await.map_err(WebhookError::Connect)?;
        let status = match url.scheme() {
            "http" => post(stream, &url, parcel).await?,
            "https" => {
                let name = match host {
                    Host::Domain(name) => ServerName::try_from(name.to_owned())?,
                    Host::Ipv4(address) => ServerName::IpAddress(std::net::IpAddr::from(address).into()),
                    Host::Ipv6(address) => ServerName::IpAddress(std::net::IpAddr::from(address).into()),
                };
                let tls = self.tls.get_or_try_init(async || tls()).await?;
                let secure = TlsConnector::from(Arc::clone(tls)).connect(name, stream);
                post(secure.await.map_err(WebhookError::Secure)?, &url, parcel).await?
            }
            _ => return Err(WebhookError::Url("it is neither http nor https")),
        };
        if status.is_success() { Ok(()) } else { Err(WebhookError::SendRefusal(status)) }
    }

    /// Looks the name up once. One address that is not public is enough to trust none of them.
    async fn addresses(&self, host: &Host<&str>, port: u16) -> Result<Vec<SocketAddr>, WebhookError> {
        let found: Vec<SocketAddr> = match host {
            Host::Ipv4(address) => vec![(*address, port).into()],
            Host::Ipv6(address) => vec![(*address, port).into()],
            Host::Domain(name) => lookup_host((*name, port)).await.map_err(WebhookError::Resolve)?.collect(),
        };
        let is_inside = matches!(host, Host::Domain(name) if !is_public_name(name));
        if !self.neighbours && (is_inside || !found.iter().all(|address| is_public(address.ip()))) {
            return Err(WebhookError::Private);
        }
        Ok(found)
    }
}

fn tls() -> Result<Arc<ClientConfig>, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    Ok(Arc::new(config))
}

async fn post<S>(stream: S, url: &Url, parcel: WebhookRequest<'_>) -> Result<StatusCode, WebhookError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let request = Request::post(target)
        .header(HOST, authority)
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, AGENT)
        .header(CONNECTION, "close")
        .header("webhook-id", parcel.webhook_id)
        .header("webhook-timestamp", parcel.timestamp)
        .header("webhook-signature", parcel.signature)
        .body(Body::from(parcel.body))
        .map_err(|_| WebhookError::Url("it holds what a request cannot"))?;
    let exchange = pin!(sender.send_request(request));
    let response = match select(exchange, pin!(connection)).await {
        Either::Left((response, _)) => response?,
        // The answer may have come with the end of the connection.
        Either::Right((_, exchange)) => exchange.await?,
    };
    Ok(response.status())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    fn parcel(url: &str) -> WebhookRequest<'_> {
        WebhookRequest { url, webhook_id: "msg_1", timestamp: 1, signature: "v1,", body: "{}".to_owned() }
    }

    async fn receiver() -> (TcpListener, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, port)
    }

    #[tokio::test(start_paused = true)]
    async fn a_receiver_that_never_answers_is_given_up_after_ten_seconds() {
        let (_listener, port) = receiver().await;
        let begin = tokio::time::Instant::now();
        let error = WebhookSender::new(true).send(parcel(&format!("http://127.0.0.1:{port}/"))).await.unwrap_err();
        assert_eq!(error.to_string(), "no answer within 10 s");
        assert_eq!(begin.elapsed().as_secs(), 10);
    }

    #[tokio::test]
    async fn https_begins_with_a_handshake_that_names_the_host_and_nothing_leaves_without_one() {
        let (listener, port) = receiver().await;
        let url = format!("https://localhost:{port}/secret-path");
        let sender = WebhookSender::new(true);
        let heard = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut heard = vec![0; 4096];
            let length = stream.read(&mut heard).await.unwrap();
            heard.truncate(length);
            heard
        };
        let (error, heard) = tokio::join!(sender.send(parcel(&url)), heard);
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("no secure connection: "), "{error}");
        assert_eq!(heard[..2], [0x16, 0x03], "a record of a TLS handshake");
        let has = |text: &[u8]| heard.windows(text.len()).any(|window| window == text);
        assert!(has(b"localhost") && !has(b"secret-path"));
    }

    #[tokio::test]
    async fn a_neighbour_is_refused_before_anything_is_sent_to_it() {
        let (listener, port) = receiver().await;
        for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0"] {
            let url = format!("http://{host}:{port}/");
            let error = WebhookSender::new(false).send(parcel(&url)).await.unwrap_err();
            assert!(matches!(error, WebhookError::Private), "{host}: {error}");
        }
        let accepted = tokio::select! {
            biased;
            accepted = listener.accept() => Some(accepted),
            () = std::future::ready(()) => None,
        };
        assert!(accepted.is_none());
    }

    #[tokio::test]
    async fn what_is_no_address_of_the_web_is_refused() {
        for wrong in ["", "hook", "ftp://localhost:1/", "http://", "mailto:a@b.c", "file:///etc/passwd"] {
            assert!(WebhookSender::new(true).send(parcel(wrong)).await.is_err(), "{wrong}");
        }
    }
}
