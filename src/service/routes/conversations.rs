//! `/user/conversations`.

use crate::api::rules::{self, Fault};
use crate::api::{Channel, ConversationFilter, ConversationType, PlainTimestamp};
use crate::service::cache::{CachedPage, PageKey};
use crate::service::http::{ApiError, Caller, Faults, Query};
use crate::service::paginate::Paging;
use crate::service::state::State;
use crate::service::store::{ConversationRow, PartyRow, StoreError};
use axum::extract::State as Shared;
use axum::response::Response;
use serde::{Serialize, Serializer};
use std::sync::Arc;
use uuid::Uuid;

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
    paging.answer(&page.rows, page.count, page.total, per_page)
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
        let mut written = Vec::new();
        let found = state.store.conversations(user_id, &filter, offset, per_page, |row| {
            let start = written.len();
            let row = serde_json::to_writer(&mut written, &Row::from(row));
            row.map_err(|_| StoreError::Unreadable("conversation without a form in JSON"))?;
            Ok(start..written.len())
        })?;
        let rows: Vec<_> = found.rows.iter().map(|row| &written[row.clone()]).collect();
        let list = [b"[", rows.join(&b',').as_slice(), b"]"].concat();
        Ok(Some(Arc::new(CachedPage { rows: list, count: rows.len(), total: found.total })))
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

/// A [`crate::api::Conversation`] as it is written, without a copy of what the row has.
#[derive(Debug, Serialize)]
struct Row<'r> {
    id: Id,
    assistant_id: Id,
    assistant_name: &'r str,
    #[serde(rename = "type")]
    kind: &'r str,
    message_count: u64,
    total_cost: f64,
    ai_enabled: bool,
    created_at: PlainTimestamp,
    updated_at: PlainTimestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    msgapp_sender: Option<Party<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer: Option<Party<'r>>,
}

#[derive(Debug, Serialize)]
struct Party<'r> {
    name: Option<&'r str>,
    phone: Option<&'r str>,
}

#[derive(Debug)]
struct Id(Uuid);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
    }
}

impl<'r> From<&ConversationRow<'r>> for Row<'r> {
    #[expect(clippy::cast_precision_loss, reason = "a cost that large is far beyond what is shown of it")]
    fn from(row: &ConversationRow<'r>) -> Self {
        let party = |party: PartyRow<'r>| Party { name: party.name, phone: party.phone };
        Self {
            id: Id(row.uuid),
            assistant_id: Id(row.assistant_uuid),
            assistant_name: row.assistant_name,
            kind: row.kind,
            message_count: row.message_count,
            total_cost: row.total_cost_micros as f64 / 1e6,
            ai_enabled: row.ai_enabled,
            created_at: PlainTimestamp(row.created_at),
            updated_at: PlainTimestamp(row.updated_at),
            msgapp_sender: row.sender.map(party),
            customer: row.customer.map(party),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Conversation, Field};
    use jiff::Timestamp;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = Option<String>> {
        proptest::option::of(".{0,12}")
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn a_row_is_written_as_the_contract_writes_a_conversation(
            texts in (text(), text(), text(), text(), ".{0,12}"),
            numbers in (any::<u128>(), any::<u64>(), any::<i64>(), any::<bool>(), 0..4_000_000_000_000_000_i64),
            kind in 0..4_usize,
        ) {
            let kind = &ConversationType::KNOWN[kind];
            let (name, phone, customer, number, assistant_name) = &texts;
            let (uuid, message_count, total_cost_micros, ai_enabled, micros) = numbers;
            let messaging = *kind == ConversationType::Msgapp;
            let at = Timestamp::from_microsecond(micros).unwrap();
            let row = Row::from(&ConversationRow {
                id: 1,
                uuid: Uuid::from_u128(uuid),
                assistant_uuid: Uuid::from_u128(!uuid),
                assistant_name,
                kind: kind.as_str(),
                message_count,
                total_cost_micros,
                ai_enabled,
                created_at: at,
                updated_at: at,
                sender: messaging.then_some(PartyRow { name: name.as_deref(), phone: phone.as_deref() }),
                customer: messaging.then_some(PartyRow { name: customer.as_deref(), phone: number.as_deref() }),
            });
            let party = |name: &Option<String>, phone: &Option<String>| {
                let party = crate::api::Party { name: name.clone(), phone: phone.clone() };
                if messaging { Field::Known(party) } else { Field::Missing }
            };
            let contract = Conversation {
                id: row.id.0.to_string().into(),
                assistant_id: row.assistant_id.0.to_string().into(),
                assistant_name: assistant_name.clone().into(),
                kind: kind.clone().into(),
                message_count: message_count.into(),
                total_cost: row.total_cost.into(),
                ai_enabled: ai_enabled.into(),
                created_at: PlainTimestamp(at).into(),
                updated_at: PlainTimestamp(at).into(),
                msgapp_sender: party(name, phone),
                customer: party(customer, number),
                ..Conversation::default()
            };
            prop_assert_eq!(serde_json::to_string(&row).unwrap(), serde_json::to_string(&contract).unwrap());
        }
    }
}
