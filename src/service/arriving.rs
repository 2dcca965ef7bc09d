//! A request's body on its way, which tells its connection's place when all of it is there.

use super::connections::Place;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A body as it comes.
#[derive(Debug)]
pub(super) struct Arriving {
    body: Incoming,
    place: Arc<Place>,
}

impl Arriving {
    pub(super) fn new(body: Incoming, place: Arc<Place>) -> Self {
        if body.is_end_stream() {
            place.received();
        }
        Self { body, place }
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if frame.is_none() || self.body.is_end_stream() {
            self.place.received();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
