//! A connection whose other side has to go on: to send a head that it has begun, and to read what it asked for.

use super::capacity::{HEAD_LIMIT, LEAST_READ, READ_SPAN};
use super::connections::Place;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// A stream of bytes with limits.
#[derive(Debug)]
pub(super) struct Paced {
    stream: TcpStream,
    place: Arc<Place>,
    /// When the head must be complete; none between requests and while one is answered.
    head_until: Option<Pin<Box<Sleep>>>,
    /// Requests that had begun when the head was last looked at.
    requests: usize,
    /// When a span of writing ends, and what was written in it.
    writing: Option<(Pin<Box<Sleep>>, usize)>,
}

impl Paced {
    pub(super) fn new(stream: TcpStream, place: Arc<Place>) -> Self {
        let head_until = Some(Box::pin(sleep_until(Instant::now() + HEAD_LIMIT)));
        Self { stream, place, head_until, requests: 0, writing: None }
    }

    /// Fails where a head takes too long.
    fn head(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let requests = self.place.requests();
        if requests != self.requests {
            (self.requests, self.head_until) = (requests, None);
        }
        let late = self.head_until.as_mut().is_some_and(|until| until.as_mut().poll(cx).is_ready());
        if late { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// Notes what came of a write; fails where too little was read for too long.
    fn wrote(&mut self, cx: &mut Context<'_>, wrote: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match wrote {
            Poll::Ready(Ok(length)) => {
                self.place.moved();
                if let Some((_, written)) = &mut self.writing {
                    *written += length;
                    if *written >= LEAST_READ {
                        self.writing = None;
                    }
                }
                wrote
            }
            Poll::Pending => {
                let fresh = || (Box::pin(sleep_until(Instant::now() + READ_SPAN)), 0);
                let (until, _) = self.writing.get_or_insert_with(fresh);
                if until.as_mut().poll(cx).is_ready() {
                    Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
                } else {
                    wrote
                }
            }
            Poll::Ready(Err(_)) => wrote,
        }
    }
}

impl AsyncRead for Paced {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.head(cx)?;
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if read.is_ready() && buffer.filled().len() > before {
            self.place.has_read();
            if self.head_until.is_none() && self.place.is_between_requests() {
                self.head_until = Some(Box::pin(sleep_until(Instant::now() + HEAD_LIMIT)));
            }
        }
        read
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(cx, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.wrote(cx, wrote)
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
