//! The channel's own word in answers. Requests need none of this: their paths are routed by the word, and no field of
//! theirs begins with it.

use super::Refusal;
use crate::api::Channel;
use axum::body::Body;
use axum::extract::{Request, State as Shared};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// The layer that spells every answer in JSON. It is only there where the word is not the neutral one.
pub async fn spell(Shared(channel): Shared<Channel>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.headers().get(CONTENT_TYPE) != Some(&HeaderValue::from_static("application/json")) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    // The body is one of ours, and all of it is in memory already.
    let spelled =
        axum::body::to_bytes(body, usize::MAX).await.map_err(|error| Refusal::internal(&error)).and_then(|bytes| {
            let mut body: Value = serde_json::from_slice(&bytes).map_err(|error| Refusal::internal(&error))?;
            channel.spell_body(&mut body);
            Ok(body.to_string())
        });
    match spelled {
        Ok(body) => {
            head.headers.remove(CONTENT_LENGTH);
            Response::from_parts(head, Body::from(body))
        }
        Err(refusal) => refusal.into_response(),
    }
}
