//! The channel's own word in answers. Requests need none of this: their paths are routed by the word, and no field of
//! theirs begins with it.

use super::ApiError;
use crate::api::Channel;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Marks an answer that has the channel's word already.
#[derive(Debug, Clone, Copy)]
pub struct Spelled;

/// The layer that spells every answer in JSON. It is only there where the word is not the neutral one.
pub async fn spell(Shared(channel): Shared<Channel>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.extensions().get::<Spelled>().is_some() {
        return response;
    }
    if response.headers().get(CONTENT_TYPE) != Some(&HeaderValue::from_static("application/json")) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // All of it is in memory already.
    let bytes = match axum::body::to_bytes(body, usize::MAX).await {
        Ok(bytes) => bytes,
        Err(error) => return ApiError::internal(&error).into_response(),
    };
    head.headers.remove(CONTENT_LENGTH);
    Response::from_parts(head, channel.spell_body(&bytes).map_or_else(|| Body::from(bytes), Body::from))
}
