//! Calls: `POST /user/make_call` and `/user/calls` (spec: Endpoints, Calls).

use super::page::{self, KeepsRaw};
use super::query::Query;
use super::rules;
use super::words::wire_words;
use super::{Field, IsoTimestamp, PageQuery};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

wire_words! {
    /// Who calls whom.
    CallType {
        /// A customer calls.
        Inbound = "inbound",
        /// An assistant calls.
        Outbound = "outbound",
        /// Somebody talks to an assistant in a browser.
        Web = "web",
    }
}

wire_words! {
    /// How far a call is.
    CallStatus {
        /// It is about to be dialled.
        Initiated = "initiated",
        /// It rings.
        Ringing = "ringing",
        /// The line is busy.
        Busy = "busy",
        /// They talk.
        InProgress = "in-progress",
        /// They have hung up; it is being written down.
        Ended = "ended",
        /// It is over and written down.
        Completed = "completed",
        /// The customer hung up early.
        EndedByCustomer = "ended_by_customer",
        /// The assistant hung up early.
        EndedByAssistant = "ended_by_assistant",
        /// Nobody answered.
        NoAnswer = "no-answer",
        /// It did not come about.
        Failed = "failed",
    }
}

impl CallStatus {
    /// Whether nothing more happens to the call.
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::Initiated | Self::Ringing | Self::InProgress | Self::Ended)
    }
}

/// A call as the API shows it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Call {
    /// Unique among all calls; newer calls have larger ids.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// Who talks for the user.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub assistant_name: Field<String>,
    /// The campaign it belongs to.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub campaign_name: Field<Option<String>>,
    /// Who calls whom.
    #[serde(rename = "type", skip_serializing_if = "Field::is_missing")]
    pub kind: Field<CallType>,
    /// Seconds of talk.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub duration: Field<i64>,
    /// The assistant's number.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub assistant_phone_number: Field<Option<String>>,
    /// The customer's number.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub client_phone_number: Field<String>,
    /// How far it is.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status: Field<CallStatus>,
    /// What was said.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub transcript: Field<Vec<Utterance>>,
    /// The variables it began with.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub variables: Field<Map<String, Value>>,
    /// What was found out.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub evaluation: Field<Vec<Finding>>,
    /// What the receiver of the notification answered.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub webhook_response: Field<Value>,
    /// The carrier's part of the cost in USD, with 8 decimals.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub carrier_cost: Field<String>,
    /// The whole cost in USD, with 8 decimals.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub total_cost: Field<String>,
    /// Who answered: `human` or `machine`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub answered_by: Field<Option<String>>,
    /// URL of the recording.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub recording_url: Field<Option<String>>,
    /// When it was begun.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub created_at: Field<IsoTimestamp>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub updated_at: Field<IsoTimestamp>,
    /// Fields that are not known, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
    /// The JSON as it came; `None` where it did not come from a server.
    #[serde(skip)]
    pub raw: Option<Arc<str>>,
}

impl KeepsRaw for Call {
    fn keep_raw(&mut self, json: &str) {
        self.raw = Some(json.into());
    }
}

impl Call {
    /// The call as JSON: as it came, with the order of its fields and its numbers as they were written.
    ///
    /// # Errors
    /// When one that did not come from a server cannot be written as JSON.
    pub fn json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        page::json(self.raw.as_deref(), self)
    }

    /// Whether something more happens to it; false where its status is not known.
    pub fn is_under_way(&self) -> bool {
        self.status.known().is_some_and(|status| !status.is_over())
    }
}

/// Something said on a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Utterance {
    /// The words.
    pub text: String,
    /// What it is; `message` for what was said.
    #[serde(rename = "type")]
    pub kind: String,
    /// `bot` or `human`.
    pub sender: String,
    /// Seconds since 1970.
    pub timestamp: f64,
}

/// Something found out on a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The name of the evaluated field.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is; null where the call did not tell.
    pub value: Value,
    /// What it means.
    pub description: String,
}

/// Which calls are wanted; the empty filter wants all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CallFilter {
    /// Only in this state.
    pub status: Option<CallStatus>,
    /// Only of this type.
    pub kind: Option<CallType>,
    /// Only from or to this number.
    pub phone_number: Option<String>,
    /// Only of this assistant, which must belong to the caller.
    pub assistant_id: Option<i64>,
    /// Only of this campaign.
    pub campaign_id: Option<i64>,
    /// Begun on this day (UTC) or later.
    pub date_from: Option<Date>,
    /// Begun on this day (UTC) or earlier.
    pub date_to: Option<Date>,
}

/// One request of the call list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CallQuery {
    /// Which calls.
    pub filter: CallFilter,
    /// Which page of them.
    pub page: PageQuery,
}

impl CallQuery {
    /// The newest calls of an assistant to a number (E.164).
    pub fn newest(assistant_id: i64, phone: &str) -> Self {
        let filter = CallFilter {
            kind: Some(CallType::Outbound),
            phone_number: Some(phone.to_owned()),
            assistant_id: Some(assistant_id),
            ..CallFilter::default()
        };
        Self { filter, page: PageQuery::default() }
    }
}

impl Query for CallQuery {
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let CallFilter { status, kind, phone_number, assistant_id, campaign_id, date_from, date_to } = &self.filter;
        let filters = [
            ("status", status.as_ref().map(|status| status.as_str().to_owned())),
            ("type", kind.as_ref().map(|kind| kind.as_str().to_owned())),
            ("phone_number", phone_number.clone()),
            ("assistant_id", assistant_id.map(|id| id.to_string())),
            ("campaign_id", campaign_id.map(|id| id.to_string())),
            ("date_from", date_from.map(|day| day.to_string())),
            ("date_to", date_to.map(|day| day.to_string())),
        ];
        let filters = filters.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
        filters.chain(self.page.pairs()).collect()
    }
}

/// The answer of `POST /user/make_call`. Only some servers tell the call's number.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CallStarted {
    /// What happened, in words.
    pub message: String,
    /// The call's number.
    #[serde(default)]
    pub call_id: Field<i64>,
    /// How far it is.
    #[serde(default)]
    pub status: Field<CallStatus>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The body of `POST /user/make_call`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct MakeCall {
    /// Whom to call, in E.164.
    #[schemars(regex(pattern = rules::E164_PATTERN))]
    pub phone_number: String,
    /// Who calls.
    pub assistant_id: i64,
    /// What the assistant is told; its own variables stand where none are given.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
}
