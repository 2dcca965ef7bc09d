//! `/user/conversations`.

use crate::api::rules::{self, Fault};
use crate::api::{Channel, Conversation, ConversationFilter, ConversationType, Field, Party, PlainTimestamp};
use crate::service::cache::{CachedPage, PageKey};
use crate::service::http::{ApiError, Caller, Faults, Query};
use crate::service::paginate::Paging;
use crate::service::state::State;
use crate::service::store::{ConversationRow, StoreError};
use axum::Json;
use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use serde_json::value::to_raw_value;
use std::sync::Arc;

/// `GET /user/conversations`.
///
/// # Errors
/// 422 where a parameter cannot be read, 404 where the assistant is not one of the caller's.
pub async fn list(
    Shared(state): Shared<Arc<State>>,
    caller: Caller,
    query: Query,
    paging: Paging,
) -> Result<Response, ApiError> {
    let mut faults = Faults::default();
    let kind = faults.check(query.get("type").map(|word| conversation_type(word, &state.channel)).transpose());
    let assistant_id = faults.check(query.get("assistant_id").map(assistant_id).transpose());
    let date_from = faults.check(query.get("date_from").map(|day| rules::day("date_from", day)).transpose());
    let date_to = faults.check(query.get("date_to").map(|day| rules::day("date_to", day)).transpose());
    let per_page = faults.check(paging.per_page(rules::PER_PAGE_DEFAULT));
    let (Some(kind), Some(assistant_id), Some(date_from), Some(date_to), Some(per_page)) =
        (kind, assistant_id, date_from, date_to, per_page)
    else {
        return Err(faults.into());
    };
    let filter = ConversationFilter { kind, assistant_id, date_from, date_to, customer_phone: None };
    let key = PageKey { user_id: caller.user_id, filter, offset: paging.offset(per_page), per_page };
    let page = page(&state, key)?.ok_or_else(|| ApiError::not_found("Assistant not found"))?;
    let rows = page.rows.iter().map(|row| &**row).collect();
    Ok(Json(paging.envelope(rows, page.total, per_page)).into_response())
}

/// A page; none where the user has no such assistant.
fn page(state: &State, key: PageKey) -> Result<Option<Arc<CachedPage>>, StoreError> {
    // Looked at before anything is read: what is kept is never older than this.
    let version = state.store.version();
    let PageKey { user_id, ref filter, offset, per_page } = key;
    let filter = filter.clone();
    state.page_cache.get_or(version, key, || {
        if let Some(assistant_id) = filter.assistant_id
            && !state.store.has_assistant(user_id, assistant_id)?
        {
            return Ok(None);
        }
        let found = state.store.conversations(user_id, &filter, offset, per_page)?;
        let rows = found.rows.into_iter().map(|row| to_raw_value(&Conversation::from(row))).collect::<Result<_, _>>();
        let rows = rows.map_err(|_| StoreError::Unreadable("conversation without a form in JSON"))?;
        Ok(Some(Arc::new(CachedPage { rows, total: found.total })))
    })
}

fn conversation_type(word: &str, channel: &Channel) -> Result<ConversationType, Fault> {
    match channel.read(word).map(ConversationType::from) {
        None | Some(ConversationType::Other(_)) => Err(rules::not_listed("type")),
        Some(known) => Ok(known),
    }
}

fn assistant_id(text: &str) -> Result<i64, Fault> {
    text.parse().map_err(|_| rules::must_be("assistant_id", "an integer"))
}

impl From<ConversationRow> for Conversation {
    #[expect(clippy::cast_precision_loss, reason = "a cost that large is far beyond what is shown of it")]
    fn from(row: ConversationRow) -> Self {
        let customer = row.customer.map(|customer| Party { name: customer.name, phone: customer.phone });
        let sender = row.sender.map(|sender| Party { name: Some(sender.name), phone: Some(sender.phone) });
        Self {
            id: row.uuid.to_string().into(),
            assistant_id: row.assistant_uuid.to_string().into(),
            assistant_name: row.assistant_name.into(),
            kind: row.kind.into(),
            message_count: row.message_count.into(),
            total_cost: (row.total_cost_micros as f64 / 1e6).into(),
            ai_enabled: row.ai_enabled.into(),
            created_at: PlainTimestamp(row.created_at).into(),
            updated_at: PlainTimestamp(row.updated_at).into(),
            msgapp_sender: sender.map_or(Field::Missing, Field::Known),
            customer: customer.map_or(Field::Missing, Field::Known),
            ..Self::default()
        }
    }
}
