//! A body that may bring a file: JSON, or a form whose file is looked at as it comes and not kept.

use super::{ApiError, Body};
use crate::api::knowledgebase::FILE_MAX;
use crate::service::bodies::Kept;
use crate::service::simulation::documents::{DocumentSource, HEAD};
use crate::service::state::State;
use axum::body::Bytes;
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use futures_util::{StreamExt, stream};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, ready};

/// A file as far as it matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedFile {
    /// The name that it has at the caller's.
    pub name: String,
    /// Its beginning and its length.
    pub content: DocumentSource,
}

/// The fields of a body, and the file where there is one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Upload {
    /// The fields; those of a form are all strings.
    pub body: Body,
    /// The part of a form that is called `file`.
    pub file: Option<UploadedFile>,
}

impl FromRequest<Arc<State>> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &Arc<State>) -> Result<Self, ApiError> {
        let form = request.headers().get(CONTENT_TYPE).is_some_and(|kind| {
            kind.as_bytes().get(..MULTIPART.len()).is_some_and(|start| start.eq_ignore_ascii_case(MULTIPART))
        });
        if !form {
            return Ok(Self { body: Body::from_request(request, state).await?, file: None });
        }
        Self::of_form(request).await
    }
}

impl Upload {
    async fn of_form(request: Request) -> Result<Self, ApiError> {
        let (heads, mut kept) = (Heads::default(), Kept::of(request.extensions().get()));
        let form = Multipart::from_request(heads.watch(request), &()).await;
        let mut form = form.map_err(|rejection| unreadable(&rejection.body_text()))?;
        let mut fields = Map::new();
        let (mut file, mut file_bytes) = (None, 0);
        for number in 0.. {
            heads.begin();
            let Some(part) = form.next_field().await.map_err(|error| broken(&error))? else { break };
            heads.end();
            if number == PARTS {
                let message = format!("The form may not have more than {PARTS} parts.");
                return Err(ApiError::message(StatusCode::PAYLOAD_TOO_LARGE, &message));
            }
            let name = part.name().unwrap_or_default().to_owned();
            if name.len() > NAME_MAX || part.file_name().is_some_and(|name| name.len() > NAME_MAX) {
                return Err(ApiError::too_large("name of a part", NAME_MAX));
            }
            if let Some(file_name) = part.file_name().map(str::to_owned) {
                let content = look(part, &mut file_bytes).await?;
                if name == "file" {
                    file = Some(UploadedFile { name: file_name, content });
                }
            } else {
                fields.insert(name, Value::String(text(part, &mut kept).await?));
            }
        }
        Ok(Self { body: fields.into(), file })
    }
}

/// Parts of a form.
const PARTS: usize = 100;
/// Bytes of the name of a part or of its file.
const NAME_MAX: usize = 1024;
/// Bytes received while the head of a part is waited for: the reader of forms keeps all of them until it ends.
const HEADS: usize = 16 * 1024;

/// Breaks a body off where the head of a part grows too long.
#[derive(Debug, Clone, Default)]
struct Heads(Arc<Mutex<Option<usize>>>);

impl Heads {
    /// A head is waited for.
    fn begin(&self) {
        *self.lock() = Some(0);
    }

    /// It is there.
    fn end(&self) {
        *self.lock() = None;
    }

    fn watch(&self, request: Request) -> Request {
        let heads = self.clone();
        request.map(|body| {
            let (mut chunks, mut pauses) = (body.into_data_stream(), false);
            axum::body::Body::from_stream(stream::poll_fn(move |cx| {
                // The reader of forms keeps all that is ready before it looks at any of it: one chunk at a time is.
                if std::mem::take(&mut pauses) {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                let chunk = ready!(chunks.poll_next_unpin(cx));
                pauses = true;
                Poll::Ready(chunk.map(|chunk| heads.count(chunk?)))
            }))
        })
    }

    /// Fails where the head that is waited for had too much already.
    fn count(&self, chunk: Bytes) -> Result<Bytes, axum::Error> {
        match &mut *self.lock() {
            // One chunk may hold the end of a part, and its size is bounded by that of a read.
            Some(received) if *received > HEADS => return Err(axum::Error::new(HeadTooLong)),
            Some(received) => *received += chunk.len(),
            None => {}
        }
        Ok(chunk)
    }

    fn lock(&self) -> MutexGuard<'_, Option<usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the head of a part is too long")]
struct HeadTooLong;

const MULTIPART: &[u8] = b"multipart/form-data";

/// Looks at a file. Of one that is too large the rest is received all the same, up to a measure, so that a caller who is
/// still writing gets to read the answer.
async fn look(mut part: Field<'_>, received: &mut usize) -> Result<DocumentSource, ApiError> {
    let (mut head, mut length) = (Vec::new(), 0);
    while let Some(chunk) = part.chunk().await.map_err(|error| broken(&error))? {
        let wanted = HEAD.saturating_sub(head.len()).min(chunk.len());
        head.extend_from_slice(&chunk[..wanted]);
        length += chunk.len();
        *received += chunk.len();
        if *received > 2 * FILE_MAX {
            break;
        }
    }
    if *received > FILE_MAX {
        return Err(ApiError::too_large("file", FILE_MAX));
    }
    Ok(DocumentSource::File { head, length: u64::try_from(length).unwrap_or(u64::MAX) })
}

async fn text(mut part: Field<'_>, kept: &mut Kept) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| broken(&error))? {
        kept.add(chunk.len())?;
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| unreadable("a field is not UTF-8"))
}

fn broken(error: &MultipartError) -> ApiError {
    unreadable(&error.body_text())
}

fn unreadable(why: &str) -> ApiError {
    ApiError::message(StatusCode::BAD_REQUEST, &format!("The form cannot be read: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[tokio::test]
    async fn file_that_has_come_before_it_is_looked_at_is_read_whole() {
        const CHUNKS: usize = 100;
        let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n";
        let chunks = std::iter::repeat_n("x".repeat(8 * 1024), CHUNKS);
        let parts = [head.to_owned()].into_iter().chain(chunks).chain(["\r\n--x--\r\n".to_owned()]);
        let body = axum::body::Body::from_stream(stream::iter(parts.map(Ok::<_, Infallible>)));
        let request = Request::post("/").header(CONTENT_TYPE, "multipart/form-data; boundary=x").body(body).unwrap();
        let Upload { file: Some(file), .. } = Upload::of_form(request).await.unwrap() else { panic!("no file") };
        let DocumentSource::File { length, .. } = file.content else { panic!("{file:?}") };
        assert_eq!(length, (CHUNKS * 8 * 1024) as u64);
    }
}
