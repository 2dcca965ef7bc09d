//! Answers with a list of any length. A short one is sent at once. Of a long one, piece by piece is read as the client
//! takes them, so a reader holds one of them in memory, however long the list and however slow the reader.

use super::http::{ApiError, Spelled};
use super::store::StoreError;
use crate::api::Channel;
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;

/// A piece of so many bytes takes no further row.
const PIECE_BYTES: usize = 64 * 1024;
/// A piece of so many rows takes no further one: reading them keeps a thread busy.
const PIECE_ROWS: usize = 256;

/// Some rows of a list as JSON, and how far the list is read.
#[derive(Debug)]
pub struct Piece {
    text: Vec<u8>,
    rows: usize,
    channel: Channel,
    count: usize,
    last: Option<i64>,
    is_cut: bool,
}

impl Piece {
    /// The first piece of a list; its rows are spelled with the word of the channel.
    pub fn new(channel: &Channel) -> Self {
        Self { text: Vec::new(), rows: 0, channel: channel.clone(), count: 0, last: None, is_cut: false }
    }

    /// The key of the last row of this piece, or of those before it: the next rows come after it.
    pub fn last(&self) -> Option<i64> {
        self.last
    }

    /// Rows of this piece and of those before it.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether the next row belongs to this piece. To be asked only where there is one.
    pub fn takes_next(&mut self) -> bool {
        self.is_cut = self.text.len() >= PIECE_BYTES || self.rows >= PIECE_ROWS;
        !self.is_cut
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Where it has no form in JSON.
    pub fn push(&mut self, key: i64, row: &impl Serialize) -> Result<(), StoreError> {
        if self.count > 0 {
            self.text.push(b',');
        }
        let start = self.text.len();
        serde_json::to_writer(&mut self.text, row).map_err(|_| UNWRITABLE)?;
        if let Some(spelled) = self.channel.spell_body(&self.text[start..]) {
            self.text.splice(start.., spelled.into_bytes());
        }
        (self.rows, self.count, self.last) = (self.rows + 1, self.count + 1, Some(key));
        Ok(())
    }

    /// The text; what is read next begins the next piece.
    fn take(&mut self) -> Vec<u8> {
        (self.rows, self.is_cut) = (0, false);
        std::mem::take(&mut self.text)
    }

    /// What stands before the rows and after them: `frame` is the answer with an empty list, the first in it.
    fn split(&self, frame: &impl Serialize) -> Result<(Vec<u8>, Vec<u8>), StoreError> {
        let frame = serde_json::to_vec(frame).map_err(|_| UNWRITABLE)?;
        let mut before = self.channel.spell_body(&frame).map_or(frame, String::into_bytes);
        let at = before.windows(2).position(|two| two == b"[]").ok_or(UNWRITABLE)?;
        let after = before.split_off(at + 1);
        Ok((before, after))
    }
}

const UNWRITABLE: StoreError = StoreError::Unreadable("list without a form in JSON");

/// Answers with a list. `read` appends the rows after [`Piece::last`] for as long as the piece takes them; `frame` is the
/// answer around so many rows, with an empty list in their place, which is the first list in it.
///
/// # Errors
/// Where the first piece cannot be read. Where a later one cannot, the connection breaks, so that no client takes the
/// answer for complete.
pub fn list<F: Serialize>(
    channel: &Channel,
    frame: impl Fn(usize) -> F + Send + 'static,
    mut read: impl FnMut(&mut Piece) -> Result<(), StoreError> + Send + 'static,
) -> Result<Response, ApiError> {
    let mut first = Piece::new(channel);
    read(&mut first)?;
    list_from(first, frame, read)
}

/// Like [`list`], where the first piece has been read.
///
/// # Errors
/// Where the answer cannot be written.
pub fn list_from<F: Serialize>(
    mut first: Piece,
    frame: impl Fn(usize) -> F + Send + 'static,
    mut read: impl FnMut(&mut Piece) -> Result<(), StoreError> + Send + 'static,
) -> Result<Response, ApiError> {
    let (mut text, after) = first.split(&frame(first.count))?;
    let is_whole = !first.is_cut;
    text.append(&mut first.take());
    if is_whole {
        text.extend(after);
        return Ok(answer(text.into()));
    }
    let rest = stream::try_unfold(Some(first), move |piece| {
        let next = piece.map(|mut piece| {
            read(&mut piece)?;
            let is_cut = piece.is_cut;
            let mut text = piece.take();
            if !is_cut {
                text.append(&mut piece.split(&frame(piece.count))?.1);
            }
            Ok((text, is_cut.then_some(piece)))
        });
        async move {
            // Others have their turn between two pieces, even where the client is as fast as they are read.
            tokio::task::yield_now().await;
            next.transpose().inspect_err(|error: &StoreError| tracing::error!(%error, "an answer was broken off"))
        }
    });
    let parts =
        stream::once(async { Ok(text) }).chain(rest).map_ok(|text| stream::iter(parts(text).map(Ok::<_, StoreError>)));
    Ok(answer(Body::from_stream(parts.try_flatten())))
}

fn answer(body: Body) -> Response {
    let mut response = ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response();
    response.extensions_mut().insert(Spelled);
    response
}

/// A large row makes a large piece: the connection takes it in parts, and no more of them than it can send.
fn parts(mut text: Vec<u8>) -> impl Iterator<Item = Bytes> {
    text.shrink_to_fit();
    let mut left = Bytes::from(text);
    std::iter::from_fn(move || (!left.is_empty()).then(|| left.split_to(left.len().min(PIECE_BYTES))))
}

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod tests;
