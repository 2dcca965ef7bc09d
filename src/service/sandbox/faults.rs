//! Faults on demand: what a client must stand, inflicted on the next requests of a path.

use crate::api::ErrorBody;
use crate::service::http::ApiError;
use crate::service::state::State;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderValue, StatusCode, header::RETRY_AFTER};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Seconds that a made-up "too many requests" asks to wait.
const WAIT: u64 = 1;

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Affliction {
    /// Answered with this status in place of being done.
    pub status: Option<StatusCode>,
    /// The answer waits this long.
    pub latency: Duration,
    /// The request is done, and the connection breaks in place of an answer.
    pub drop: bool,
}

/// Marks an answer that is never to be sent: the connection breaks.
#[derive(Debug, Clone, Copy)]
pub struct Broken;

#[derive(Debug)]
struct InjectedFault {
    path: String,
    left: u64,
    affliction: Affliction,
}

/// The faults that are set, oldest first.
#[derive(Debug, Default)]
pub struct FaultList(Mutex<Vec<InjectedFault>>);

impl FaultList {
    /// The most faults at a time.
    pub const MOST: usize = 1000;

    /// Afflicts the next `count` requests whose path below `/api` begins with `path`; false where there are too many
    /// faults already.
    pub fn add(&self, path: String, count: u64, affliction: Affliction) -> bool {
        let mut faults = self.lock();
        let has_room = faults.len() < Self::MOST;
        if has_room && count > 0 {
            faults.push(InjectedFault { path, left: count, affliction });
        }
        has_room
    }

    /// Ends all faults.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// What happens to a request of this path: the oldest fault that fits is used up by one.
    fn take(&self, path: &str) -> Option<Affliction> {
        let mut faults = self.lock();
        let at = faults.iter().position(|fault| path.starts_with(&fault.path))?;
        let fault = &mut faults[at];
        let affliction = fault.affliction;
        fault.left -= 1;
        if fault.left == 0 {
            faults.remove(at);
        }
        Some(affliction)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<InjectedFault>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The layer that inflicts them.
pub async fn inflict(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().strip_prefix("/api");
    let affliction = state.faults.as_ref().zip(path).and_then(|(faults, path)| faults.take(path));
    let Some(Affliction { status, latency, drop }) = affliction else { return next.run(request).await };
    let mut response = match status {
        Some(status) => answer(status),
        None => next.run(request).await,
    };
    if !latency.is_zero() {
        tokio::select! {
            () = tokio::time::sleep(latency) => {}
            // Nobody waits for a made-up delay when the service is to end.
            () = state.stop.cancelled() => {}
        }
    }
    if drop {
        response.extensions_mut().insert(Broken);
    }
    response
}

fn answer(status: StatusCode) -> Response {
    if status != StatusCode::TOO_MANY_REQUESTS {
        return ApiError::message(status, "A fault of the sandbox").into_response();
    }
    let body = ErrorBody::Limited { message: "Too Many Attempts.".to_owned(), retry_after: WAIT };
    let mut response = ApiError::new(status, body).into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(WAIT));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(status: u16) -> Affliction {
        Affliction { status: StatusCode::from_u16(status).ok(), latency: Duration::ZERO, drop: false }
    }

    #[test]
    fn a_fault_strikes_as_often_as_it_was_told_and_only_where() {
        let faults = FaultList::default();
        faults.add("/user/conv".into(), 2, fault(500));
        faults.add("/user".into(), 1, fault(503));
        assert_eq!(faults.take("/other"), None);
        let struck: Vec<_> = (0..4).map(|_| faults.take("/user/conversations")).collect();
        assert_eq!(struck, [Some(fault(500)), Some(fault(500)), Some(fault(503)), None]);
    }

    #[test]
    fn clearing_ends_all() {
        let faults = FaultList::default();
        faults.add("/".into(), 9, fault(500));
        faults.clear();
        assert_eq!(faults.take("/user"), None);
    }
}
