//! `/user/conversations`.

use crate::api::rules::{self, Fault};
use crate::api::{
    Channel, Conversation, ConversationFilter, ConversationType, Field, NumberedPage, Party, PlainTimestamp,
};
use crate::service::http::{Caller, Faults, Query, Refusal};
use crate::service::paginate::Paging;
use crate::service::state::State;
use crate::service::store::{ConversationRow, CustomerRow, SenderRow};
use axum::Json;
use axum::extract::State as Shared;
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
) -> Result<Json<NumberedPage<Conversation>>, Refusal> {
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
    if let Some(assistant_id) = assistant_id
        && !state.store.has_assistant(caller.user_id, assistant_id)?
    {
        return Err(Refusal::not_found("Assistant not found"));
    }
    let filter = ConversationFilter { kind, assistant_id, date_from, date_to };
    let found = state.store.conversations(caller.user_id, &filter, paging.offset(per_page), per_page)?;
    let rows = found.rows.iter().map(Conversation::from).collect();
    Ok(Json(paging.envelope(rows, found.total, per_page)))
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

impl From<&ConversationRow> for Conversation {
    #[expect(clippy::cast_precision_loss, reason = "a cost that large is far beyond what is shown of it")]
    fn from(row: &ConversationRow) -> Self {
        let customer =
            row.customer.as_ref().map(|CustomerRow { name, phone }| Party { name: name.clone(), phone: phone.clone() });
        let sender = row
            .sender
            .as_ref()
            .map(|SenderRow { name, phone }| Party { name: Some(name.clone()), phone: Some(phone.clone()) });
        Self {
            id: row.uuid.to_string().into(),
            assistant_id: row.assistant_uuid.to_string().into(),
            assistant_name: row.assistant_name.clone().into(),
            kind: row.kind.clone().into(),
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
