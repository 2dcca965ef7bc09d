//! Connections: accepted up to a limit, each bounded in time, all finished before the service ends; and what holds for
//! every request on them: a time limit, a date, a line in the log.

use super::arriving::Arriving;
use super::capacity::{BACKLOG, GRACE, HEAD, IDLE_LIMIT, LIFETIME, REQUEST_LIMIT, SEND_BUFFER, UPLOAD_LIMIT};
use super::clock::Clock;
use super::connections::{Connections, Place, Seat};
use super::http::{ApiError, Peer, date, forwarded_client, forwarded_origin};
use super::paced::Paced;
use super::parse_errors::ParseErrors;
use super::sandbox::Broken;
use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// The pause after a connection could not be accepted, as when the process is out of file handles.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What connections lead to.
#[derive(Debug, Clone)]
pub(super) struct Served {
    /// The routes.
    pub(super) router: Router,
    /// Dates the answers.
    pub(super) clock: Clock,
    /// Where requests run that may write.
    pub(super) writers: Handle,
    /// The proxies that are believed.
    pub(super) proxies: Arc<[IpAddr]>,
}

/// Listens where the service is to accept connections.
///
/// # Errors
/// Where the address is taken or not one of this machine.
pub(super) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections until `stop`, then returns; they finish as tasks of `tasks`.
pub(super) async fn serve(
    listener: TcpListener,
    served: Served,
    connections: Arc<Connections>,
    stop: CancellationToken,
    tasks: TaskTracker,
) {
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((stream, address)) => {
                let seat = connections.seat(address.ip().to_canonical());
                tasks.spawn(connection(stream, served.clone(), stop.clone(), seat));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, served: Served, stop: CancellationToken, seat: Seat) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps its delay");
    }
    let place = Arc::clone(seat.place());
    let service = service_fn(|request| answer(served.clone(), Arc::clone(&place), request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_LIMIT)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(ParseErrors::new(Paced::new(stream, Arc::clone(&place)))), service);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = tokio::time::sleep(LIFETIME) => None,
        () = stop.cancelled() => None,
        () = place.evicted() => return tracing::debug!("a connection gives way to another"),
    };
    let ended = if let Some(ended) = ended {
        ended
    } else {
        connection.as_mut().graceful_shutdown();
        // What is under way has limits of its own.
        let grace = async {
            stop.cancelled().await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            ended = connection => ended,
            () = grace => Ok(()),
            () = place.evicted() => return tracing::debug!("a connection gives way to another"),
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}

/// Answers a request in time, with a date. It is written down without its query and headers: those hold phone numbers
/// and tokens.
async fn answer(served: Served, place: Arc<Place>, mut request: Request<Incoming>) -> io::Result<Response> {
    let mut passed_on = None;
    if served.proxies.contains(&place.address()) {
        passed_on = forwarded_client(request.headers(), &served.proxies).or(Some(place.address())).map(Peer::of);
        if let Some(origin) = forwarded_origin(request.headers()) {
            request.extensions_mut().insert(origin);
        }
    }
    let _underway = place.begin(passed_on);
    if place.was_sent_ahead() {
        // hyper would answer many of these before any other connection gets its turn.
        tokio::task::yield_now().await;
    }
    request.extensions_mut().insert(passed_on.unwrap_or_else(|| Peer::of(place.address())));
    request.extensions_mut().insert(Arc::clone(&place));
    let (method, path, start) = (request.method().clone(), request.uri().path().to_owned(), Instant::now());
    let is_form = |kind: &HeaderValue| kind.as_bytes().starts_with(b"multipart/");
    let limit = if request.headers().get(CONTENT_TYPE).is_some_and(is_form) { UPLOAD_LIMIT } else { REQUEST_LIMIT };
    let call = TowerToHyperService::new(served.router).call(request.map(|body| Body::new(Arriving::new(body, place))));
    let answered = async {
        if method.is_safe() {
            return call.await;
        }
        // What may write waits elsewhere. Where nobody waits for the answer any more, neither does the request.
        let written = AbortOnDropHandle::new(served.writers.spawn(call)).await;
        written.unwrap_or_else(|error| Ok(ApiError::internal(&error).into_response()))
    };
    let mut response = match tokio::time::timeout(limit, answered).await {
        Ok(Ok(response)) => response,
        Err(_) => ApiError::message(StatusCode::REQUEST_TIMEOUT, "The request took too long.").into_response(),
    };
    date(&mut response, served.clock.now());
    tracing::debug!(%method, path, status = response.status().as_u16(), took = ?start.elapsed(), "answered");
    match response.extensions().get::<Broken>() {
        // An error in place of an answer makes the connection break.
        Some(Broken) => Err(io::ErrorKind::ConnectionAborted.into()),
        None => Ok(response),
    }
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
