//! Connections of the receiver: a few at a time, one request each, limited in size and time.

use super::delivery::{self, Arrival, Delivery, Rejected};
use super::signature;
use crate::api::SigningSecret;
use crate::client::{Forwarder, masked_headers};
use axum::body::{Body, Bytes};
use axum::http::header::{ALLOW, HeaderValue};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode};
use futures_util::StreamExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use jiff::Timestamp;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

/// Concurrent connections; further ones wait.
const CONNECTIONS: usize = 32;
/// Limit of the request head, in bytes.
const HEAD_MAX: usize = 64 * 1024;
/// Time limit for reading the head.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Time limit for reading the body, forwarding it and answering.
const REQUEST_LIMIT: Duration = Duration::from_secs(30);
/// Pause after a failed accept, for example when the process has no file handles left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Limit of the body, in bytes.
const BODY_MAX: usize = 1024 * 1024;
/// Bytes of a larger body that are read and discarded, so that the sender can finish writing and read the response.
const DRAIN: usize = 16 * BODY_MAX;
/// Deliveries kept for forwarding again: at most 50 MiB.
const KEPT: usize = 50;

/// Handles requests: checks, forwards and hands over.
pub(super) struct Desk {
    secret: Option<SigningSecret>,
    forwarder: Option<Forwarder>,
    now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    arrivals: mpsc::Sender<Arrival>,
    kept: Mutex<Kept>,
}

/// The last deliveries, unchanged, oldest first. They contain credentials and are never displayed.
#[derive(Debug, Default)]
struct Kept {
    received: u64,
    last: VecDeque<(u64, HeaderMap, Bytes)>,
}

impl Desk {
    pub(super) fn new(
        secret: Option<SigningSecret>,
        forwarder: Option<Forwarder>,
        now: Box<dyn Fn() -> Timestamp + Send + Sync>,
        arrivals: mpsc::Sender<Arrival>,
    ) -> Self {
        Self { secret, forwarder, now, arrivals, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn forward_again(&self, number: u64) -> Option<Result<u16, String>> {
        let forwarder = self.forwarder.as_ref()?;
        let kept = self.kept().last.iter().find(|kept| kept.0 == number).cloned();
        let (_, headers, body) = kept?;
        Some(forwarder.forward(headers, body).await)
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let status = tokio::time::timeout(REQUEST_LIMIT, self.receive(request)).await;
        let status = status.unwrap_or(StatusCode::REQUEST_TIMEOUT);
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        if status == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        }
        Ok(response)
    }

    async fn receive(&self, request: Request<Incoming>) -> StatusCode {
        let received_at = (self.now)();
        let (head, body) = request.into_parts();
        let body = if head.method == Method::POST { read(body).await } else { Err(StatusCode::METHOD_NOT_ALLOWED) };
        let arrival = match body {
            Ok(body) => Arrival::Delivery(Box::new(self.deliver(received_at, head, body).await)),
            Err(status) => Arrival::Rejected(Rejected {
                received_at,
                method: head.method.to_string(),
                path: head.uri.path().to_owned(),
                status: status.as_u16(),
            }),
        };
        let status = StatusCode::from_u16(arrival.status()).unwrap_or(StatusCode::BAD_GATEWAY);
        // Without a consumer the delivery is lost, so the sender is told to retry.
        if self.arrivals.send(arrival).await.is_ok() { status } else { StatusCode::SERVICE_UNAVAILABLE }
    }

    async fn deliver(&self, received_at: Timestamp, head: Parts, body: Bytes) -> Delivery {
        let number = self.keep(&head.headers, &body);
        let forward = match &self.forwarder {
            Some(forwarder) => Some(forwarder.forward(head.headers.clone(), body.clone()).await),
            None => None,
        };
        let status = forward.as_ref().map_or(StatusCode::OK.as_u16(), |answered| {
            *answered.as_ref().unwrap_or(&StatusCode::BAD_GATEWAY.as_u16())
        });
        let (event, subject) = delivery::read(&body);
        Delivery {
            number,
            received_at,
            path: head.uri.path().to_owned(),
            webhook_id: head.headers.get("webhook-id").map(|id| String::from_utf8_lossy(id.as_bytes()).into_owned()),
            event,
            subject,
            signature: signature::check(&head.headers, &body, self.secret.as_ref(), received_at),
            status,
            forward,
            headers: masked_headers(&head.headers),
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    /// Counts a delivery, and keeps it if it can be forwarded again.
    fn keep(&self, headers: &HeaderMap, body: &Bytes) -> u64 {
        let mut kept = self.kept();
        kept.received += 1;
        let number = kept.received;
        if self.forwarder.is_some() {
            if kept.last.len() == KEPT {
                kept.last.pop_front();
            }
            kept.last.push_back((number, headers.clone(), body.clone()));
        }
        number
    }
}

/// Accepts connections until `stop`, which also closes the open ones.
pub(super) async fn serve(listener: TcpListener, desk: Arc<Desk>, stop: CancellationToken) {
    let limit = Arc::new(Semaphore::new(CONNECTIONS));
    let accept = async || (Arc::clone(&limit).acquire_owned().await, listener.accept().await);
    while let Some((permit, accepted)) = stop.run_until_cancelled(accept()).await {
        match accepted {
            Ok((stream, _)) => {
                let (desk, stop) = (Arc::clone(&desk), stop.clone());
                tokio::spawn(async move {
                    let _permit = permit;
                    stop.run_until_cancelled(connection(stream, desk)).await;
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, desk: Arc<Desk>) {
    let service = service_fn(|request| desk.answer(request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(HEAD_MAX)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    // The limit also covers a sender that never reads its response.
    match tokio::time::timeout(HEAD_LIMIT + 2 * REQUEST_LIMIT, connection).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a connection broke"),
        Err(_) => tracing::debug!("a connection took too long"),
    }
}

/// The body, or the status that rejects it.
async fn read(body: Incoming) -> Result<Bytes, StatusCode> {
    let mut stream = Body::new(body).into_data_stream();
    let (mut bytes, mut received) = (Vec::new(), 0);
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| StatusCode::BAD_REQUEST)?;
        received += chunk.len();
        if received <= BODY_MAX {
            bytes.extend_from_slice(&chunk);
        } else if received > DRAIN {
            break;
        }
    }
    if received > BODY_MAX { Err(StatusCode::PAYLOAD_TOO_LARGE) } else { Ok(bytes.into()) }
}
