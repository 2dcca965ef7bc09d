//! Refusals of the HTTP parser, which knows nothing of the API: they leave with a body in JSON, as all others do.

use crate::api::ErrorBody;
use axum::http::StatusCode;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How a head begins and ends that the parser answers with, by itself and without a body.
const BEGINNING: &[u8] = b"HTTP/1.1 ";
const NO_BODY: &str = "content-length: 0\r\n";
const END: &str = "\r\n\r\n";

/// A stream on which the parser's refusals are given a body.
#[derive(Debug)]
pub(super) struct ParseErrors<S> {
    stream: S,
    /// A refusal with its body, and how much of it has left.
    refusal: Option<(Vec<u8>, usize)>,
}

impl<S> ParseErrors<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, refusal: None }
    }
}

/// The same refusal with a body; none where the bytes are anything else.
fn with_body(bytes: &[u8]) -> Option<Vec<u8>> {
    let code = bytes.strip_prefix(BEGINNING)?.get(..3)?;
    let status = StatusCode::from_bytes(code).ok()?;
    let message = match status {
        StatusCode::BAD_REQUEST => "The request is not valid HTTP.",
        StatusCode::URI_TOO_LONG => "The path is too long.",
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "The headers are too long.",
        _ => return None,
    };
    let head = std::str::from_utf8(bytes).ok()?;
    let is_whole = head.contains(NO_BODY) && head.find(END) == Some(head.len() - END.len());
    let body = serde_json::to_string(&ErrorBody::message(message)).ok().filter(|_| is_whole)?;
    let fields = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    Some((head.replace(NO_BODY, &fields) + &body).into_bytes())
}

impl<S: AsyncWrite + Unpin> ParseErrors<S> {
    /// Writes a refusal in place of `bytes`; none where they are none.
    fn refuse(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Option<Poll<io::Result<usize>>> {
        if self.refusal.is_none() {
            self.refusal = Some((with_body(bytes)?, 0));
        }
        Some(self.write_refusal(cx).map_ok(|()| bytes.len()))
    }

    fn write_refusal(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((refusal, left)) = &mut self.refusal {
            if *left == refusal.len() {
                self.refusal = None;
                break;
            }
            match ready!(Pin::new(&mut self.stream).poll_write(cx, &refusal[*left..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => *left += written,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ParseErrors<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ParseErrors<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.refuse(cx, bytes) {
            Some(refused) => refused,
            None => Pin::new(&mut self.stream).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // A head without a body is one part.
        if let [head] = parts
            && let Some(refused) = self.refuse(cx, head)
        {
            return refused;
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const REFUSED: &str = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: D\r\n\r\n";

    #[tokio::test]
    async fn a_refusal_gets_a_body_however_little_of_it_leaves_at_a_time() {
        for room in [1, 7, 4096] {
            let (near, mut far) = tokio::io::duplex(room);
            let mut stream = ParseErrors::new(near);
            let write = tokio::spawn(async move {
                stream.write_all(REFUSED.as_bytes()).await.unwrap();
                stream.shutdown().await.unwrap();
            });
            let mut read = String::new();
            far.read_to_string(&mut read).await.unwrap();
            write.await.unwrap();
            let (head, body) = read.split_once("\r\n\r\n").unwrap();
            assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
            assert_eq!(body, "{\"message\":\"The request is not valid HTTP.\"}");
        }
    }

    #[test]
    fn other_answers_stay_as_they_are() {
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "content-length: 0\r\n\r\n",
            "",
        ] {
            assert_eq!(with_body(other.as_bytes()), None, "{other}");
        }
    }
}
