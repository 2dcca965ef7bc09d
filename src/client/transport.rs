//! How a request travels: connection, credentials, retries and bounds, the same for every operation.

use super::config::base_text;
use super::retry::{Next, Retries, TOO_MANY, asked_wait};
use super::turns::Turns;
use super::{Attempt, ClientConfig, ConfigError, Departure, Failure, FailureKind, Operation, cause};
use crate::api::ErrorBody;
use jiff::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Method, Response, StatusCode};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// Hears of each try as it ends.
pub type Observer<'a> = &'a mut (dyn FnMut(Attempt) + Send);

/// Reads the body of a successful answer.
type Reader<T> = fn(&[u8]) -> Result<T, FailureKind>;

/// An answer larger than this is not read to its end.
const LARGEST_BODY: usize = 32 * 1024 * 1024;
/// One for what is on screen, the others for what is fetched beside it.
const IDLE_CONNECTIONS: usize = 4;

/// A client of one server with one token. Clones share its connections and its turns to send messages.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base_url: String,
    config: ClientConfig,
    turns: Arc<Turns>,
}

impl Client {
    /// Makes a client. Nothing is sent yet.
    ///
    /// # Errors
    /// When the configuration holds something that cannot be used, or TLS cannot be set up.
    pub fn new(config: ClientConfig) -> Result<Self, ConfigError> {
        let base_url = base_text(&config.base_url)?;
        let mut token =
            HeaderValue::from_str(&format!("Bearer {}", config.token.expose())).map_err(|_| ConfigError::Token)?;
        token.set_sensitive(true);
        let user_agent = HeaderValue::from_str(&config.user_agent).map_err(|_| ConfigError::UserAgent)?;
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, token), (ACCEPT, HeaderValue::from_static("application/json"))]);
        let mut builder = reqwest::Client::builder()
            .default_headers(headers)
            .user_agent(user_agent)
            .connect_timeout(config.connect_timeout)
            .timeout(config.deadline)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            // A redirect would carry the token to wherever it points, and turn a write into a read.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never());
        // Another caller may have installed it already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if config.base_url.scheme() == "http" {
            // The system's root certificates cost megabytes, and nothing here ever speaks TLS.
            let no_roots = rustls::ClientConfig::builder()
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth();
            builder = builder.tls_backend_preconfigured(no_roots);
        }
        if is_loopback(&config.base_url) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| ConfigError::Setup(error.to_string()))?;
        Ok(Self { http, base_url, config, turns: Arc::new(Turns::new()) })
    }

    /// The base URL, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Sends a request, again where it is a read and that may help, and reads the answer.
    pub(super) async fn send<T>(
        &self,
        operation: Operation,
        read: Reader<T>,
        observe: Observer<'_>,
    ) -> Result<T, Failure> {
        let mut retries = if operation.is_read() { Retries::of_read(&self.config) } else { Retries::none() };
        let mut number = 0;
        loop {
            number += 1;
            match self.told(number, &operation, read, &mut retries, observe).await {
                (Err(_), Some(wait)) => tokio::time::sleep(wait).await,
                (outcome, _) => return outcome.map_err(|kind| Failure { operation, kind }),
            }
        }
    }

    /// Sends a message in its turn, again only where the server asks for a wait, and reads the answer.
    pub(super) async fn send_message<T>(
        &self,
        operation: Operation,
        read: Reader<T>,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> Result<T, Failure> {
        let mut retries = Retries::of_message();
        let mut number = 0;
        loop {
            number += 1;
            let (outcome, wait) = {
                let turn = tokio::select! {
                    biased;
                    () = departure.taken_back() => None,
                    turn = self.turns.next() => Some(turn),
                };
                let Some(_turn) = turn.filter(|_| departure.leave()) else { break };
                self.told(number, &operation, read, &mut retries, observe).await
            };
            if outcome.as_ref().is_err_and(is_certainly_not_sent) {
                departure.returned();
            }
            let Some(wait) = wait else { return outcome.map_err(|kind| Failure { operation, kind }) };
            tokio::select! {
                biased;
                () = departure.taken_back() => break,
                () = tokio::time::sleep(wait) => {}
            }
        }
        Err(Failure { operation, kind: FailureKind::Cancelled })
    }

    /// One try, told; and how long to wait for the next one, where one may follow.
    async fn told<T>(
        &self,
        number: u32,
        operation: &Operation,
        read: Reader<T>,
        retries: &mut Retries,
        observe: Observer<'_>,
    ) -> (Result<T, FailureKind>, Option<Duration>) {
        let begun = Instant::now();
        let Try { status, server_time, outcome } = self.attempt(operation, read).await;
        let next = outcome.as_ref().map_or_else(|fault| retries.next(fault), |_| Next::GiveUp);
        let fault = outcome.as_ref().err().map(|fault| match &next {
            Next::NotWorthWaiting(why) => format!("{fault}; {why}"),
            Next::TryAfter(_) | Next::GiveUp => fault.to_string(),
        });
        let retry_in = if let Next::TryAfter(wait) = next { Some(wait) } else { None };
        let attempt = Attempt { number, status, took: begun.elapsed(), fault, retry_in, server_time };
        let (method, place) = (operation.method, operation.place());
        if let Attempt { number, status, fault: Some(fault), retry_in, .. } = &attempt {
            tracing::warn!(method, path = place, number, status, fault, ?retry_in, "a request failed");
        }
        tracing::debug!(method, path = place, ?attempt, "request");
        observe(attempt);
        (outcome, retry_in)
    }

    /// One try.
    async fn attempt<T>(&self, operation: &Operation, read: Reader<T>) -> Try<T> {
        let response = match self.dispatch(operation).await {
            Ok(response) => response,
            Err(fault) => return Try { status: None, server_time: None, outcome: Err(fault) },
        };
        let status = response.status();
        let server_time = server_time(response.headers());
        Try { status: Some(status.as_u16()), server_time, outcome: self.receive(response, read).await }
    }

    /// Sends the request and waits for the head of the answer.
    async fn dispatch(&self, operation: &Operation) -> Result<Response, FailureKind> {
        let method = Method::from_bytes(operation.method.as_bytes());
        let path = self.config.paths.of(&operation.path);
        let url = Url::parse(&format!("{}{}", self.base_url, self.config.channel.spell_path(&path)));
        let (Ok(method), Ok(url)) = (method, url) else {
            return Err(FailureKind::Internal("the request cannot be written as HTTP".to_owned()));
        };
        let mut request = self.http.request(method, url);
        if let Some(body) = &operation.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.clone());
        }
        request.send().await.map_err(|error| cause::of_sending(&error, &self.config))
    }

    /// Reads the rest of an answer and judges it.
    async fn receive<T>(&self, mut response: Response, read: Reader<T>) -> Result<T, FailureKind> {
        let status = response.status();
        if status.is_redirection() {
            return Err(FailureKind::Unreadable(redirect(status, response.headers())));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| cause::of_reading(&error, &self.config))? {
            if body.len() + chunk.len() > LARGEST_BODY {
                return Err(FailureKind::Unreadable("it is larger than 32 MiB".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        if status.is_success() {
            let neutral = self.config.channel.read_body(&body);
            return read(neutral.as_deref().map_or(&body, str::as_bytes));
        }
        let body = ErrorBody::read(&body);
        let retry_after = asked_wait(response.headers(), body.as_ref(), Timestamp::now());
        Err(FailureKind::Status { status: status.as_u16(), body, retry_after })
    }
}

/// How one try ended.
struct Try<T> {
    status: Option<u16>,
    server_time: Option<Timestamp>,
    outcome: Result<T, FailureKind>,
}

/// True where a request that ended like this did nothing: it never arrived, or was turned away before it was looked at.
fn is_certainly_not_sent(fault: &FailureKind) -> bool {
    match fault {
        // `Internal` is a request that cannot be written as HTTP.
        FailureKind::Unreachable(_) | FailureKind::Internal(_) => true,
        FailureKind::Status { status, .. } => *status == TOO_MANY,
        _ => false,
    }
}

/// What the server's clock says, to the second.
fn server_time(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.get(DATE)?.to_str().ok()?;
    jiff::fmt::rfc2822::parse(text).ok().map(|date| date.timestamp())
}

/// A redirect in words, without credentials and query: they may hold anything.
fn redirect(status: StatusCode, headers: &HeaderMap) -> String {
    let target = headers.get(LOCATION).and_then(|target| target.to_str().ok()).unwrap_or("nowhere");
    let target = match target.parse::<Url>() {
        Ok(url) => format!("{}{}", url.origin().ascii_serialization(), url.path()),
        Err(_) => target.split(['?', '#']).next().unwrap_or_default().to_owned(),
    };
    format!("{} is a redirect (to {target}), which is not followed", status.as_u16())
}

/// True where a proxy could only be in the way.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
