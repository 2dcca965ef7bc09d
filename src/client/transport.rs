//! Sends requests: connection, credentials, retries and limits, the same for every operation.

use super::config::{base_text, origin};
use super::content::Content;
use super::permits::RateLimiter;
use super::retry::{Next, Retries, asked_wait};
use super::{
    Attempt, ClientConfig, ConfigError, Departure, Failure, FailureKind, Received, Reply, Request, Transfer, cause,
};
use crate::api::{ErrorBody, Token};
use jiff::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Body, Method, Response, StatusCode};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// Called with each try as it ends.
pub type Observer<'a> = &'a mut (dyn FnMut(Attempt) + Send);

/// A larger answer is not read to its end.
const LARGEST_BODY: usize = 32 * 1024 * 1024;
/// How many deadlines an upload may stand still.
const UPLOAD_IDLE: u32 = 4;
/// The longest upload: it ends by standing still, not by this.
const UPLOAD_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// One for what is on screen, the others for what is fetched beside it.
const IDLE_CONNECTIONS: usize = 4;

/// Paths below this turn the AI of a conversation off and on; some servers have a key of its own for them.
const AUTOMATION: &str = "/automate/";

/// A client of one server with one token. Clones share its connections and its rate limiter.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base_url: String,
    /// In the requests of [`AUTOMATION`].
    automation_key: Option<HeaderValue>,
    config: ClientConfig,
    limiter: Arc<RateLimiter>,
}

/// # Errors
/// Where a token holds what a header cannot carry.
fn bearer(token: &Token) -> Result<HeaderValue, ConfigError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose())).map_err(|_| ConfigError::Token)?;
    value.set_sensitive(true);
    Ok(value)
}

impl Client {
    /// Makes a client. Nothing is sent yet.
    ///
    /// # Errors
    /// When the configuration holds something that cannot be used, or TLS cannot be set up.
    pub fn new(config: ClientConfig) -> Result<Self, ConfigError> {
        let base_url = base_text(&config.base_url)?;
        let token = bearer(&config.token)?;
        let automation_key = config.automation_key.as_ref().map(bearer).transpose()?;
        let user_agent = HeaderValue::from_str(&config.user_agent).map_err(|_| ConfigError::UserAgent)?;
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, token), (ACCEPT, HeaderValue::from_static("application/json"))]);
        let builder = builder(&config.base_url, config.connect_timeout, config.deadline);
        let http = builder
            .default_headers(headers)
            .user_agent(user_agent)
            .build()
            .map_err(|error| ConfigError::Setup(error.to_string()))?;
        Ok(Self { http, base_url, automation_key, config, limiter: Arc::new(RateLimiter::new()) })
    }

    /// The base URL, without a trailing slash.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The server's origin in one spelling, however its base URL is written.
    pub fn origin(&self) -> String {
        origin(&self.config.base_url)
    }

    /// The token of its requests.
    pub fn token(&self) -> &Token {
        &self.config.token
    }

    /// The id of the API key in use; `None` where the token does not contain it.
    pub fn key_id(&self) -> Option<i64> {
        self.config.token.key_id()
    }

    /// Performs a request; a read is retried where that may help.
    ///
    /// A message waits for a permit like one of [`Client::send_message`], and cannot be taken back.
    ///
    /// # Errors
    /// The [`Failure`] of the last try. After [`FailureKind::NoAnswer`] a write may have taken effect.
    pub async fn call(&self, request: &Request, observe: Observer<'_>) -> Result<Reply, Failure> {
        if request.is_charged() {
            return self.send(request, &Departure::default(), observe).await;
        }
        if request.is_upload() {
            return self.upload(request, &Arc::default(), observe).await;
        }
        let mut retries = if request.is_read() { Retries::of_read(&self.config) } else { Retries::none() };
        let mut number = 0;
        loop {
            number += 1;
            match self.try_once(number, request, None, &mut retries, observe).await {
                (Err(_), Some(wait)) => tokio::time::sleep(wait).await,
                (outcome, _) => return outcome.map_err(|kind| Failure::of(request.operation(), kind)),
            }
        }
    }

    /// Sends a message or makes a call ([`Request::is_charged`]). It costs money.
    ///
    /// It waits for a permit, so that the service's rate limit is kept. Where the service still answers 429, the message
    /// was not sent, and is sent again after the wait that the answer asks for. Nothing else is ever repeated. Until it
    /// leaves, `departure` can take it back; afterwards it tells whether the message may have reached the service.
    ///
    /// # Errors
    /// The [`Failure`] of the last try; [`FailureKind::Cancelled`] where it was taken back.
    pub async fn send_message(
        &self,
        message: &Request,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> Result<Reply, Failure> {
        if !message.is_charged() {
            return Err(Failure::of(message.operation(), FailureKind::Internal("not a message".to_owned())));
        }
        self.send(message, departure, observe).await
    }

    async fn send(&self, request: &Request, departure: &Departure, observe: Observer<'_>) -> Result<Reply, Failure> {
        let mut retries = Retries::of_message();
        let mut number = 0;
        loop {
            number += 1;
            // What is recorded as waiting has certainly not left.
            if number > 1 && !departure.note_wait(false).await {
                let kind = FailureKind::Local("the outbox cannot be written".to_owned());
                return Err(Failure::of(request.operation(), kind));
            }
            let (outcome, wait) = {
                let permit = tokio::select! {
                    biased;
                    () = departure.taken_back() => None,
                    permit = self.limiter.permit() => Some(permit),
                };
                let Some(_permit) = permit.filter(|_| departure.leave()) else { break };
                self.try_once(number, request, None, &mut retries, observe).await
            };
            if outcome.as_ref().is_err_and(is_certainly_not_sent) {
                departure.returned();
            }
            let Some(wait) = wait else { return outcome.map_err(|kind| Failure::of(request.operation(), kind)) };
            departure.note_wait(true).await;
            tokio::select! {
                biased;
                () = departure.taken_back() => break,
                () = tokio::time::sleep(wait) => {}
            }
        }
        Err(Failure::of(request.operation(), FailureKind::Cancelled))
    }

    /// One try, observed; and the wait before the next one, where one may follow.
    async fn try_once(
        &self,
        number: u32,
        request: &Request,
        transfer: Option<&Arc<Transfer>>,
        retries: &mut Retries,
        observe: Observer<'_>,
    ) -> (Result<Reply, FailureKind>, Option<Duration>) {
        let begun = Instant::now();
        let Try { status, server_time, received, outcome } = self.attempt(request, transfer).await;
        let next = outcome.as_ref().map_or_else(|fault| retries.next(fault), |_| Next::GiveUp);
        let fault = outcome.as_ref().err().map(|fault| match &next {
            Next::NotWorthWaiting(why) => format!("{fault}; {why}"),
            Next::TryAfter(_) | Next::GiveUp => fault.to_string(),
        });
        let retry_in = if let Next::TryAfter(wait) = next { Some(wait) } else { None };
        let took = begun.elapsed();
        let (method, path) = (request.method(), request.path());
        // The query may hold a phone number.
        let path = path.split('?').next().unwrap_or_default();
        if let Some(fault) = &fault {
            tracing::warn!(method, path, number, status, fault, ?retry_in, "a request failed");
        }
        tracing::debug!(method, path, number, status, ?took, "request");
        observe(Attempt { number, status, took, fault, retry_in, server_time, received });
        (outcome, retry_in)
    }

    /// Uploads a file ([`Request::is_upload`]), once. `transfer` tells how far it is and cancels it.
    ///
    /// It has no deadline of its own, since links differ: it ends where nothing was handed over, or the answer did not
    /// come, for four times the deadline of a try. The failure is certain while [`Transfer::has_left`] is false.
    ///
    /// # Errors
    /// The [`Failure`] of the try; [`FailureKind::Local`] where the file cannot be read or has changed.
    pub async fn upload(
        &self,
        upload: &Request,
        transfer: &Arc<Transfer>,
        observe: Observer<'_>,
    ) -> Result<Reply, Failure> {
        let (outcome, _) = self.try_once(1, upload, Some(transfer), &mut Retries::none(), observe).await;
        if outcome.is_err() {
            // A connection that is still writing must not complete what was given up.
            transfer.take_back();
        }
        outcome.map_err(|kind| Failure::of(upload.operation(), kind))
    }

    /// One try; that of an upload may be cancelled, or stall.
    async fn attempt(&self, request: &Request, transfer: Option<&Arc<Transfer>>) -> Try {
        let Some(transfer) = transfer else { return self.exchange(request, None).await };
        let idle = self.config.deadline * UPLOAD_IDLE;
        let fault = tokio::select! {
            biased;
            tried = self.exchange(request, Some(transfer)) => return tried,
            () = transfer.departure.taken_back() => FailureKind::Cancelled,
            () = transfer.stalled(idle) => FailureKind::NoAnswer(format!("no progress for {}", cause::spell(idle))),
        };
        Try::failed(fault)
    }

    /// Sends the request and reads the answer.
    async fn exchange(&self, request: &Request, transfer: Option<&Arc<Transfer>>) -> Try {
        let response = match self.dispatch(request, transfer).await {
            Ok(response) => response,
            Err(fault) => return Try::failed(fault),
        };
        let (status, version) = (response.status(), response.version());
        let headers = response.headers().clone();
        let (body, outcome) = self.receive(response, request).await;
        let status_line = format!("{version:?} {status}");
        Try {
            status: Some(status.as_u16()),
            server_time: server_time(&headers),
            received: Some(Arc::new(Received::new(status_line, &headers, &body))),
            outcome,
        }
    }

    /// Sends the request and waits for the head of the answer.
    async fn dispatch(&self, request: &Request, transfer: Option<&Arc<Transfer>>) -> Result<Response, FailureKind> {
        let method = Method::from_bytes(request.method().as_bytes());
        let path = request.path();
        let path = self.config.paths.of(&path);
        // A sandbox has its controls beside the API root.
        let root = if path.starts_with("/sandbox/") { self.base_url.trim_end_matches("/api") } else { &self.base_url };
        let url = Url::parse(&format!("{root}{}", self.config.channel.spell_path(&path)));
        let (Ok(method), Ok(url)) = (method, url) else {
            return Err(FailureKind::Internal("the request cannot be written as HTTP".to_owned()));
        };
        let mut http = self.http.request(method, url);
        if let Some(key) = self.automation_key.as_ref().filter(|_| path.starts_with(AUTOMATION)) {
            http = http.header(AUTHORIZATION, key);
        }
        if let Some(content) = request.content() {
            http = http.header(CONTENT_TYPE, content.media_type());
            http = match content {
                Content::Json(text) => http.body(text),
                Content::Form(form) => {
                    let body = form.body(transfer.cloned().unwrap_or_default()).await?;
                    http.timeout(UPLOAD_MAX).body(Body::wrap(body))
                }
            };
        }
        let fault = |error| {
            let local = transfer.and_then(|transfer| transfer.fault());
            local.unwrap_or_else(|| cause::of_sending(&error, &self.config))
        };
        http.send().await.map_err(fault)
    }

    /// Reads the rest of an answer: its body in the program's words, as far as it came, and what it means.
    async fn receive(&self, mut response: Response, request: &Request) -> (Vec<u8>, Result<Reply, FailureKind>) {
        let status = response.status();
        let mut body = Vec::new();
        if status.is_redirection() {
            return (body, Err(FailureKind::Unreadable(redirect(status, response.headers()))));
        }
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() > LARGEST_BODY => {
                    return (body, Err(FailureKind::Unreadable("larger than 32 MiB".to_owned())));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(error) => return (body, Err(cause::of_reading(&error, &self.config))),
            }
        }
        if status.is_success() {
            if let Some(neutral) = self.config.channel.read_body(&body) {
                body = neutral.into_bytes();
            }
            let reply = request.read(&body);
            return (body, reply);
        }
        let error = ErrorBody::read(&body);
        // An error that names a message, and a 429 that says more than a message, come from something that may have sent it.
        let error = error.filter(|error| {
            use ErrorBody::{Coded, Validation};
            let is_plain = status != StatusCode::TOO_MANY_REQUESTS || ErrorBody::is_message_only(&body);
            !ErrorBody::names_a_message(&body) && (is_plain || matches!(error, Coded { .. } | Validation { .. }))
        });
        let retry_after = asked_wait(response.headers(), error.as_ref(), Timestamp::now());
        (body, Err(FailureKind::Status { status: status.as_u16(), body: error, retry_after }))
    }
}

/// An HTTP client for one server, which neither repeats a request nor follows a redirect.
pub(super) fn builder(server: &Url, connect_timeout: Duration, deadline: Duration) -> reqwest::ClientBuilder {
    let mut builder = reqwest::Client::builder()
        .connect_timeout(connect_timeout)
        .timeout(deadline)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        // A redirect would carry the token to wherever it points, and turn a write into a read.
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never());
    // Another caller may have installed it already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    if server.scheme() == "http" {
        // The system's root certificates cost megabytes, and nothing here ever speaks TLS.
        let no_roots = rustls::ClientConfig::builder()
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
        builder = builder.tls_backend_preconfigured(no_roots);
    }
    if is_loopback(server) { builder.no_proxy() } else { builder }
}

/// How one try ended.
struct Try {
    status: Option<u16>,
    server_time: Option<Timestamp>,
    received: Option<Arc<Received>>,
    outcome: Result<Reply, FailureKind>,
}

impl Try {
    /// One that brought no answer.
    fn failed(fault: FailureKind) -> Self {
        Self { status: None, server_time: None, received: None, outcome: Err(fault) }
    }
}

/// True where a request that ended like this did nothing: it never arrived, or was turned away before it was looked at.
fn is_certainly_not_sent(fault: &FailureKind) -> bool {
    match fault {
        // `Internal` is a request that cannot be written as HTTP.
        FailureKind::Unreachable(_) | FailureKind::Internal(_) => true,
        fault => fault.is_turned_away(),
    }
}

/// The server's clock, in whole seconds.
fn server_time(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.get(DATE)?.to_str().ok()?;
    jiff::fmt::rfc2822::parse(text).ok().map(|date| date.timestamp())
}

/// A redirect for people, without credentials and query: they may be secret.
fn redirect(status: StatusCode, headers: &HeaderMap) -> String {
    let target = headers.get(LOCATION).and_then(|target| target.to_str().ok()).unwrap_or("no location");
    let target = match target.parse::<Url>() {
        Ok(url) => format!("{}{}", url.origin().ascii_serialization(), url.path()),
        Err(_) => target.split(['?', '#']).next().unwrap_or_default().to_owned(),
    };
    format!("{} redirects to {target}; redirects are not followed", status.as_u16())
}

/// True where a proxy could only be in the way.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
