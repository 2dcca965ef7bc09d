//! A file on its way to the server: the multipart form around it, streamed from disk.
//!
//! The end of the form is handed over only once the whole file was read and is what was announced. Until then the server
//! cannot have taken the document, and the upload can be cancelled without doubt.

use super::{Departure, FailureKind};
use crate::api::{ContentDigest, FileDocument};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// How much of a file is read at once, in bytes.
const CHUNK: usize = 64 * 1024;
/// Chunks that are read ahead of the connection.
const AHEAD: usize = 2;

/// The progress of an upload, shared by the connection and the task that watches or cancels it.
#[derive(Debug, Default)]
pub struct Transfer {
    /// It leaves with the end of the form: until then the server cannot take the document.
    pub(super) departure: Departure,
    /// Bytes of the file that were handed to the connection.
    sent: watch::Sender<u64>,
    /// Why the file could not be read to its end.
    fault: OnceLock<String>,
}

impl Transfer {
    /// Bytes of the file that were handed to the connection so far.
    pub fn sent(&self) -> u64 {
        *self.sent.borrow()
    }

    /// Cancels the upload; true where the server cannot have taken the document, and never will.
    pub fn take_back(&self) -> bool {
        self.departure.take_back()
    }

    /// True where the whole form was handed over: the server may have taken the document.
    pub fn has_left(&self) -> bool {
        self.departure.has_left()
    }

    /// Notes progress, for what stands in the client's place.
    pub fn advance(&self, bytes: u64) {
        self.sent.send_modify(|sent| *sent += bytes);
    }

    /// Hands the end of the form over; false where the upload was cancelled.
    pub fn leave(&self) -> bool {
        self.departure.leave()
    }

    /// Waits until nothing was handed over for this long.
    pub(super) async fn stalled(&self, idle: Duration) {
        let mut sent = self.sent.subscribe();
        // The channel lives as long as `self`, so only the timeout ends this.
        while matches!(tokio::time::timeout(idle, sent.changed()).await, Ok(Ok(()))) {}
    }

    /// Why the file on this machine ended the upload.
    pub(super) fn fault(&self) -> Option<FailureKind> {
        self.fault.get().map(|why| FailureKind::Local(why.clone()))
    }
}

/// A multipart form with a file, not opened yet.
pub(super) struct Form {
    boundary: String,
    head: String,
    document: FileDocument,
    tail: String,
}

impl Form {
    pub(super) fn new(document: &FileDocument) -> Self {
        let FileDocument { name, description, kind, file_name, .. } = document;
        let boundary = format!("switchboard-{:032x}", fastrand::u128(..));
        let mut head = String::new();
        let fields =
            [("name", Some(name.as_str())), ("description", description.as_deref()), ("type", Some(kind.as_str()))];
        for (field, value) in fields.into_iter().filter_map(|(field, value)| Some((field, value?))) {
            // Writing into a string cannot fail.
            let _ = write!(head, "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n");
        }
        let file_name = file_name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let _ = write!(
            head,
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let tail = format!("\r\n--{boundary}--\r\n");
        Self { boundary, head, document: document.clone(), tail }
    }

    pub(super) fn media_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    /// Opens the file and begins to read it, on a thread for that.
    ///
    /// # Errors
    /// [`FailureKind::Local`] where it cannot be opened, or has another size than announced: nothing is sent then.
    pub(super) async fn body(self, transfer: Arc<Transfer>) -> Result<FormBody, FailureKind> {
        let length = self.document.size + (self.head.len() + self.tail.len()) as u64;
        let (parts_in, parts) = mpsc::channel(AHEAD);
        let (opened_in, opened) = tokio::sync::oneshot::channel();
        // Whoever uploads it knows the folder.
        let said =
            |path: &Path, fault: &str| format!("{} {fault}", path.file_name().unwrap_or_default().to_string_lossy());
        tokio::task::spawn_blocking(move || {
            let Self { head, document, tail, .. } = self;
            match open(&document) {
                Err(fault) => drop(opened_in.send(Err(said(&document.path, &fault)))),
                Ok(file) if opened_in.send(Ok(())).is_ok() => {
                    let part = read(file, &document, head, tail, &parts_in);
                    if let Err(Stopped::Fault(fault)) = part {
                        drop(parts_in.blocking_send(Part::Fault(said(&document.path, &fault))));
                    }
                }
                Ok(_) => {}
            }
        });
        match opened.await {
            Ok(Ok(())) => Ok(FormBody { parts, left: length, transfer }),
            Ok(Err(fault)) => Err(FailureKind::Local(fault)),
            Err(_) => Err(FailureKind::Internal("the thread that reads the file has ended".to_owned())),
        }
    }
}

/// Why reading ended early.
enum Stopped {
    /// The file is not what it was.
    Fault(String),
    /// Nobody wants the rest.
    Dropped,
}

/// A part of a form, in the order in which they go over the wire.
enum Part {
    Head(String),
    File(Vec<u8>),
    Tail(String),
    Fault(String),
}

fn words(error: &io::Error) -> String {
    format!("cannot be read: {}", error.kind())
}

/// The file, with its size and kind taken from what was opened.
fn open(document: &FileDocument) -> Result<File, String> {
    let regular = |is_file: bool| is_file.then_some(()).ok_or("is not a regular file");
    // Looked at first: opening a pipe would wait for somebody who writes into it.
    regular(std::fs::metadata(&document.path).map_err(|error| words(&error))?.is_file())?;
    let file = File::open(&document.path).map_err(|error| words(&error))?;
    let found = file.metadata().map_err(|error| words(&error))?;
    regular(found.is_file())?;
    if found.len() == document.size {
        return Ok(file);
    }
    Err(format!("has changed since it was checked: {} bytes instead of {}", found.len(), document.size))
}

/// Reads the file once and checks on the way that it stays what was announced.
fn read(
    mut file: File,
    document: &FileDocument,
    head: String,
    tail: String,
    parts: &mpsc::Sender<Part>,
) -> Result<(), Stopped> {
    let send = |part| parts.blocking_send(part).map_err(|_| Stopped::Dropped);
    let fault = |text: &str| Err(Stopped::Fault(text.to_owned()));
    send(Part::Head(head))?;
    let (mut left, mut digest) = (document.size, ContentDigest::default());
    while left > 0 {
        let mut chunk = vec![0; CHUNK.min(usize::try_from(left).unwrap_or(CHUNK))];
        let read = file.read(&mut chunk).map_err(|error| Stopped::Fault(words(&error)))?;
        if read == 0 {
            return fault("became shorter while it was read");
        }
        chunk.truncate(read);
        left -= read as u64;
        digest.update(&chunk);
        send(Part::File(chunk))?;
    }
    if file.read(&mut [0]).map_err(|error| Stopped::Fault(words(&error)))? > 0 {
        return fault("became longer while it was read");
    }
    if document.digest.as_ref().is_some_and(|announced| *announced != digest.finish()) {
        return fault("has changed since it was checked");
    }
    send(Part::Tail(tail))
}

/// The form as the connection takes it, a part at a time.
pub(super) struct FormBody {
    parts: mpsc::Receiver<Part>,
    /// Bytes that are still to come, so that the request has a `Content-Length`.
    left: u64,
    transfer: Arc<Transfer>,
}

impl Body for FormBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let bytes: Bytes = match ready!(self.parts.poll_recv(cx)) {
            Some(Part::Head(text)) => text.into(),
            Some(Part::File(bytes)) => {
                self.transfer.advance(bytes.len() as u64);
                bytes.into()
            }
            Some(Part::Tail(text)) if self.transfer.leave() => text.into(),
            Some(Part::Tail(_)) => return Poll::Ready(Some(Err(io::ErrorKind::Interrupted.into()))),
            Some(Part::Fault(fault)) => {
                let error = io::Error::other(fault.clone());
                // The first fault is the cause of all that follows.
                let _ = self.transfer.fault.set(fault);
                return Poll::Ready(Some(Err(error)));
            }
            None if self.left == 0 => return Poll::Ready(None),
            None => return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into()))),
        };
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::DocumentType;
    use std::path::PathBuf;

    fn document(path: PathBuf, content: &[u8]) -> FileDocument {
        std::fs::write(&path, content).unwrap();
        FileDocument {
            name: "Prices".to_owned(),
            description: None,
            kind: DocumentType::Txt,
            file_name: "a\"b\r\n.txt".to_owned(),
            path,
            size: content.len() as u64,
            digest: None,
        }
    }

    /// The bytes that the connection gets, and why they end early.
    async fn taken(document: &FileDocument, transfer: &Arc<Transfer>) -> (Vec<u8>, Option<String>) {
        let mut body = match Form::new(document).body(Arc::clone(transfer)).await {
            Ok(body) => Box::pin(body),
            Err(fault) => return (Vec::new(), Some(fault.to_string())),
        };
        let mut bytes = Vec::new();
        loop {
            match std::future::poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
                Some(Ok(frame)) => bytes.extend_from_slice(&frame.into_data().unwrap()),
                Some(Err(error)) => return (bytes, Some(error.to_string())),
                None => return (bytes, None),
            }
        }
    }

    #[tokio::test]
    async fn form_quotes_file_names_and_is_as_long_as_announced() {
        let folder = tempfile::tempdir().unwrap();
        let document = document(folder.path().join("a.txt"), b"1 EUR");
        let form = Form::new(&document);
        let announced = form.body(Arc::default()).await.ok().unwrap().size_hint().exact().unwrap();
        let transfer = Arc::default();
        let (bytes, fault) = taken(&document, &transfer).await;
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!((text.len() as u64, fault, transfer.sent(), transfer.has_left()), (announced, None, 5, true));
        assert!(text.contains("filename=\"a%22b%0D%0A.txt\""), "{text}");
        let boundary = text.split("\r\n").next().unwrap();
        assert!(text.ends_with(&format!("\r\n1 EUR\r\n{boundary}--\r\n")), "{text}");
        assert!(!text.contains("description"), "{text}");
    }

    #[tokio::test]
    async fn form_has_no_end_when_the_file_is_not_what_was_announced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let content = vec![b'x'; 4 * CHUNK + 7];
        let good = document(path.clone(), &content);
        let wrong = FileDocument { digest: Some("00".repeat(32)), ..good.clone() };
        let transfer = Arc::default();
        let (_, fault) = taken(&wrong, &transfer).await;
        assert_eq!(fault.as_deref(), Some("a.txt has changed since it was checked"));
        assert!(!transfer.has_left() && transfer.take_back());

        let mut digest = ContentDigest::default();
        digest.update(&content);
        let right = FileDocument { digest: Some(digest.finish()), ..good.clone() };
        assert_eq!(taken(&right, &Arc::default()).await.1, None);

        let longer = FileDocument { size: good.size + 1, ..good.clone() };
        let (bytes, fault) = taken(&longer, &Arc::default()).await;
        assert_eq!(bytes, b"", "nothing leaves");
        assert!(fault.unwrap().ends_with("262151 bytes instead of 262152"));
        let gone = FileDocument { path: folder.path().join("gone"), ..good };
        assert!(taken(&gone, &Arc::default()).await.1.unwrap().ends_with("gone cannot be read: entity not found"));
    }

    #[tokio::test]
    async fn file_that_shrinks_or_grows_while_it_is_read_ends_the_form_early() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let size = 64 * CHUNK;
        for (changed, fault) in [(size / 2, "became shorter"), (size + 1, "became longer")] {
            let document = document(path.clone(), &vec![b'x'; size]);
            let transfer: Arc<Transfer> = Arc::default();
            let mut body = Box::pin(Form::new(&document).body(Arc::clone(&transfer)).await.ok().unwrap());
            // The reader is a few chunks ahead at most, so the rest of the file is what it is now.
            File::options().write(true).open(&path).unwrap().set_len(changed as u64).unwrap();
            let mut end = None;
            while end.is_none() {
                end = match std::future::poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
                    Some(Ok(_)) => None,
                    Some(Err(error)) => Some(error.to_string()),
                    None => panic!("the form is complete"),
                };
            }
            assert!(end.unwrap().contains(fault));
            assert!(!transfer.has_left() && transfer.fault().is_some());
        }
    }

    #[tokio::test]
    async fn cancelled_form_never_gets_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let document = document(folder.path().join("a.txt"), b"1 EUR");
        let transfer: Arc<Transfer> = Arc::default();
        assert!(transfer.take_back());
        let (bytes, fault) = taken(&document, &transfer).await;
        assert!(fault.is_some() && String::from_utf8(bytes).unwrap().ends_with("1 EUR"));
    }
}
