//! Conversations: `GET /user/conversations` (spec: Endpoints, Conversations).

use super::page::{self, KeepsRaw};
use super::query::Query;
use super::words::wire_words;
use super::{Field, PlainTimestamp, rules};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

wire_words! {
    /// Where a conversation takes place.
    ConversationType {
        /// The internal test interface.
        Test = "test",
        /// The web chat widget.
        Widget = "widget",
        /// The messaging app.
        Msgapp = "msgapp",
        /// Created via the API.
        Api = "api",
    }
}

/// A name and a phone number, as a messaging conversation gives them for its sender and its customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Party {
    /// The name, where it is known.
    pub name: Option<String>,
    /// The number in E.164, where it is known.
    pub phone: Option<String>,
}

/// A row of the conversation list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Conversation {
    /// A UUID.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<String>,
    /// The UUID of the assistant handling it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub assistant_id: Field<String>,
    /// The name of that assistant.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub assistant_name: Field<String>,
    /// Where it takes place.
    #[serde(rename = "type", skip_serializing_if = "Field::is_missing")]
    pub kind: Field<ConversationType>,
    /// Messages of both sides.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub message_count: Field<u64>,
    /// Cost so far, in USD.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub total_cost: Field<f64>,
    /// Whether the AI answers.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub ai_enabled: Field<bool>,
    /// When it began.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub created_at: Field<PlainTimestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub updated_at: Field<PlainTimestamp>,
    /// The messaging-app sender; only on messaging conversations, and not on every server.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "on messaging conversations"))]
    pub msgapp_sender: Field<Party>,
    /// The customer; only on messaging conversations, and not on every server.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "on messaging conversations"))]
    pub customer: Field<Party>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
    /// The row's JSON as it came; `None` for a row that was not read from a page.
    #[serde(skip)]
    pub raw: Option<Arc<str>>,
}

impl KeepsRaw for Conversation {
    fn keep_raw(&mut self, json: &str) {
        self.raw = Some(json.into());
    }
}

impl Conversation {
    /// The row as JSON: as it came, with the order of its fields and its numbers as they were written.
    ///
    /// # Errors
    /// When a row that was not read from a page cannot be written as JSON.
    pub fn json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        page::json(self.raw.as_deref(), self)
    }
}

/// Which conversations are wanted; the empty filter wants all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ConversationFilter {
    /// Only of this type.
    pub kind: Option<ConversationType>,
    /// Only of this assistant, which must belong to the caller.
    pub assistant_id: Option<i64>,
    /// Begun on this day (UTC) or later.
    pub date_from: Option<Date>,
    /// Begun on this day (UTC) or earlier.
    pub date_to: Option<Date>,
    /// Only of the customer with this number in E.164. Servers that page by number ignore it.
    pub customer_phone: Option<String>,
}

/// Which page of a list is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PageRef {
    /// By number, from 1.
    Number(u64),
    /// By the cursor that a page of the other kind gave.
    Cursor(String),
}

impl PageRef {
    /// The query parameter; `None` for the first page.
    pub(super) fn pair(&self) -> Option<(&'static str, String)> {
        match self {
            Self::Number(1) => None,
            Self::Number(page) => Some(("page", page.to_string())),
            Self::Cursor(cursor) => Some(("cursor", cursor.clone())),
        }
    }
}

/// One request of the conversation list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConversationQuery {
    /// Which conversations.
    pub filter: ConversationFilter,
    /// Rows a page, 1 to 100.
    pub per_page: u32,
    /// Which page.
    pub page: PageRef,
}

impl Default for ConversationQuery {
    fn default() -> Self {
        Self { filter: ConversationFilter::default(), per_page: rules::PER_PAGE_DEFAULT, page: PageRef::Number(1) }
    }
}

impl Query for ConversationQuery {
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let ConversationFilter { kind, assistant_id, date_from, date_to, customer_phone } = &self.filter;
        let mut pairs = Vec::new();
        pairs.extend(kind.as_ref().map(|kind| ("type", kind.as_str().to_owned())));
        pairs.extend(assistant_id.map(|id| ("assistant_id", id.to_string())));
        pairs.extend(date_from.map(|day| ("date_from", day.to_string())));
        pairs.extend(date_to.map(|day| ("date_to", day.to_string())));
        pairs.extend(customer_phone.as_ref().map(|phone| ("customer_phone", phone.clone())));
        pairs.extend(self.page.pair());
        if self.per_page != rules::PER_PAGE_DEFAULT {
            pairs.push(("per_page", self.per_page.to_string()));
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_keeps_unknown_fields_and_unknown_words() {
        let wire = json!({
            "id": "9f3c21aa-6c1e-4d0f-9a51-0c5c1d2e3f40", "type": "hologram", "message_count": 3,
            "total_cost": 0.04, "ai_enabled": true, "created_at": "2026-11-01 10:00:00",
            "updated_at": "soon", "mood": "good"
        });
        let row: Conversation = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!(row.kind.known().unwrap().as_str(), "hologram");
        assert_eq!(row.updated_at, Field::Odd(json!("soon")));
        assert_eq!(row.assistant_name, Field::Missing);
        assert_eq!(row.extra["mood"], "good");
        assert_eq!(serde_json::to_value(row).unwrap(), wire);
    }

    #[test]
    fn a_query_sends_only_what_differs_from_the_defaults() {
        assert!(ConversationQuery::default().pairs().is_empty());
        let query = ConversationQuery {
            filter: ConversationFilter {
                kind: Some(ConversationType::Msgapp),
                assistant_id: Some(7),
                date_from: Some("2026-11-01".parse().unwrap()),
                ..ConversationFilter::default()
            },
            per_page: 50,
            page: PageRef::Number(3),
        };
        assert_eq!(
            query.pairs(),
            [("type", "msgapp"), ("assistant_id", "7"), ("date_from", "2026-11-01"), ("page", "3"), ("per_page", "50")]
                .map(|(name, value)| (name, value.to_owned()))
        );
    }
}
