//! Uploads one file: recorded before it leaves, sent once, and its outcome recorded whatever happens.

use super::handle::Clock;
use super::pending::{RequestId, Update};
use super::{Answer, Requests, Uploading, Work};
use crate::api::ErrorBody;
use crate::client::{Attempt, Failure, FailureKind, Reply, Transfer};
use crate::records::{Records, UploadStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// Between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(250);

/// An upload in flight, shared by the task that performs it and by the channel, which may end at any moment.
pub(super) struct Upload {
    uploading: Uploading,
    transfer: Arc<Transfer>,
    /// Nobody waits for the answer any more.
    given_up: CancellationToken,
    records: Arc<Records>,
    clock: Clock,
    /// What became of it; who sets it holds the lock until it is on disk.
    over: Mutex<Option<UploadStatus>>,
}

impl Upload {
    pub(super) fn new(uploading: Uploading, records: Arc<Records>, clock: Clock) -> Arc<Self> {
        let (transfer, given_up, over) = (Arc::default(), CancellationToken::new(), Mutex::new(None));
        Arc::new(Self { uploading, transfer, given_up, records, clock, over })
    }

    /// Ends it: before the whole file has left there will be no document, after that the outcome is unknown.
    pub(super) fn cancel(&self) {
        if !self.transfer.take_back() {
            self.given_up.cancel();
        }
    }

    /// Keeps it from leaving; false where it has left.
    pub(super) fn take_back(&self) -> bool {
        self.transfer.take_back()
    }

    /// Records the upload, performs it where it is still queued, and records what became of it.
    pub(super) async fn run<R: Requests>(
        self: Arc<Self>,
        requests: R,
        (id, updates): (RequestId, UnboundedSender<Update>),
    ) -> Result<Answer, Failure> {
        let begun = {
            let this = Arc::clone(&self);
            tokio::task::spawn_blocking(move || this.begin()).await
        };
        match begun {
            Ok(Ok(())) => {}
            Ok(Err(kind)) => return Err(self.failure(kind)),
            Err(_) => return Err(self.failure(unwritten(&"a task panicked"))),
        }
        let result = self.send(requests, id, updates).await;
        let status = verdict(&result, self.transfer.has_left());
        let settled = {
            let (this, status) = (Arc::clone(&self), status.clone());
            tokio::task::spawn_blocking(move || this.settle(status)).await
        };
        Ok(Answer::Uploaded(settled.unwrap_or(status)))
    }

    /// Performs the request in a task of its own, so that a panic in there has an outcome too, and reports progress.
    async fn send<R: Requests>(
        self: &Arc<Self>,
        requests: R,
        id: RequestId,
        updates: UnboundedSender<Update>,
    ) -> Result<Reply, FailureKind> {
        let (this, tried) = (Arc::clone(self), updates.clone());
        let mut sending = AbortOnDropHandle::new(tokio::spawn(async move {
            // The loop holds the receiver for as long as it runs.
            let mut observe = move |attempt: Attempt| drop(tried.send(Update::Tried(id, attempt)));
            requests.upload(this.request(), &this.transfer, &mut observe).await
        }));
        let (mut ticks, mut reported) = (interval(PROGRESS), 0);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                result = &mut sending => return match result {
                    Ok(result) => result.map_err(|failure| failure.kind),
                    Err(_) => Err(FailureKind::Internal("the task that sent it panicked".to_owned())),
                },
                () = self.given_up.cancelled() => {
                    return Err(FailureKind::NoAnswer("cancelled after the whole file had left".to_owned()));
                }
                _ = ticks.tick() => {
                    let sent = self.transfer.sent();
                    if sent != reported {
                        reported = sent;
                        let _ = updates.send(Update::Progress(id, sent));
                    }
                }
            }
        }
    }

    fn request(&self) -> crate::client::Request {
        Work::Upload(Box::new(self.uploading.clone())).request()
    }

    fn begin(&self) -> Result<(), FailureKind> {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        if over.is_some() {
            return Err(FailureKind::Cancelled);
        }
        match self.records.begin_upload(self.uploading.number, (self.clock)()) {
            Ok(true) => Ok(()),
            Ok(false) => Err(FailureKind::Local("Nothing was uploaded: it is not queued any more".to_owned())),
            Err(error) => Err(unwritten(&error)),
        }
    }

    /// Writes the outcome down. The first one stands.
    fn settle(&self, status: UploadStatus) -> UploadStatus {
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(over) = &*over {
            return over.clone();
        }
        let number = self.uploading.number;
        if let Err(error) = self.records.settle_upload(number, &status, (self.clock)()) {
            // It is known all the same; the next start will call it unknown.
            tracing::error!(number, %error, "what became of an upload cannot be written down");
        }
        *over = Some(status.clone());
        status
    }

    /// The channel ends. What the server cannot have taken is queued again, for the next start.
    pub(super) fn end(&self) -> UploadStatus {
        let unknown = || UploadStatus::Unknown("the program ended before the answer came".to_owned());
        self.settle(if self.transfer.take_back() { UploadStatus::Queued } else { unknown() })
    }

    fn failure(&self, kind: FailureKind) -> Failure {
        Failure::of(self.request().operation(), kind)
    }
}

fn unwritten(why: &dyn std::fmt::Display) -> FailureKind {
    FailureKind::Local(format!("Nothing was uploaded: the queue cannot be written ({why})"))
}

/// What became of an upload, given its reply and whether the whole file has left.
///
/// | Request | Outcome |
/// |---|---|
/// | answered 2xx | created |
/// | answered 4xx, but 408 | refused |
/// | answered 500 with `{error}`, with which the API says that there is no document | refused |
/// | ended otherwise before the whole file had left | cancelled, failed |
/// | anything else: 408, 3xx, any other 5xx, an unreadable answer, no answer | unknown |
fn verdict(result: &Result<Reply, FailureKind>, has_left: bool) -> UploadStatus {
    match result {
        Ok(Reply::CreateFileDocument(created)) => {
            UploadStatus::Created { document_id: created.data.id.known().copied() }
        }
        Ok(_) => UploadStatus::Unknown("the reply is to another request".to_owned()),
        Err(FailureKind::Status { status, body, .. })
            if (400..500).contains(status) && *status != 408
                || *status == 500 && matches!(body, Some(ErrorBody::Error { .. })) =>
        {
            let said = body.as_ref().map(|body| {
                let faults: Vec<&str> = body.field_errors().map(|(_, fault)| fault).collect();
                if faults.is_empty() { body.words().to_owned() } else { faults.join(" ") }
            });
            UploadStatus::Refused(said.unwrap_or_else(|| format!("the server answered {status} without a reason")))
        }
        Err(FailureKind::Cancelled) if !has_left => UploadStatus::Cancelled,
        Err(kind) if !has_left => UploadStatus::Failed(kind.to_string()),
        Err(kind) => UploadStatus::Unknown(kind.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn status(status: u16, body: &Value) -> Result<Reply, FailureKind> {
        let body = ErrorBody::read(body.to_string().as_bytes());
        Err(FailureKind::Status { status, body, retry_after: None })
    }

    fn word(status: &UploadStatus) -> &'static str {
        match status {
            UploadStatus::Created { .. } => "created",
            UploadStatus::Refused(_) => "refused",
            UploadStatus::Unknown(_) => "unknown",
            UploadStatus::Cancelled => "cancelled",
            UploadStatus::Failed(_) => "failed",
            UploadStatus::Queued | UploadStatus::Uploading => "pending",
        }
    }

    #[test]
    fn every_end_of_an_upload_has_its_outcome() {
        let created = json!({"message": "Created.", "data": {"id": 7}});
        let created = || Ok(Reply::CreateFileDocument(serde_json::from_value(created.clone()).unwrap()));
        let no_answer = || Err(FailureKind::NoAnswer("connection reset".to_owned()));
        let (page, error) = (json!("<html>"), json!({"error": "Failed to create document."}));
        // The result, the outcome before the whole file has left and after.
        let table = vec![
            (created(), "created", "created"),
            (status(413, &page), "refused", "refused"),
            (status(422, &json!({"message": "No.", "errors": {"file": ["Bad."]}})), "refused", "refused"),
            (status(429, &page), "refused", "refused"),
            (status(408, &page), "failed", "unknown"),
            (status(500, &error), "refused", "refused"),
            (status(500, &page), "failed", "unknown"),
            (status(502, &error), "failed", "unknown"),
            (no_answer(), "failed", "unknown"),
            (Err(FailureKind::Unreadable("not JSON".to_owned())), "failed", "unknown"),
            (Err(FailureKind::Unreachable("connection refused".to_owned())), "failed", "unknown"),
            (Err(FailureKind::Cancelled), "cancelled", "unknown"),
        ];
        for (result, before, after) in &table {
            assert_eq!((word(&verdict(result, false)), word(&verdict(result, true))), (*before, *after), "{result:?}");
        }
    }
}
