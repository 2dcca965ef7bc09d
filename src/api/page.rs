//! Pages of a list: the numbered envelope of the spec, and the cursor form of some deployments.

use super::query::Query;
use super::{Assistant, Field, PageRef, rules};
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, from_str};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One entry of `links` in the envelope: previous, a numbered page, a gap, or next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PageLink {
    /// Where it leads; `None` for a gap and at either end.
    pub url: Option<String>,
    /// Its label, as HTML text.
    pub label: String,
    /// True for the page that this is.
    pub active: bool,
}

/// The 13-field envelope (spec: Endpoints, Pagination envelope).
///
/// Only `data` and `current_page` are needed to read one. Any other field that is missing or of another type reads as its
/// default, and a number may come as a string.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(bound(deserialize = "T: DeserializeOwned + Default"))]
#[schemars(rename = "PageOf{T}")]
pub struct NumberedPage<T> {
    /// From 1; as asked, also beyond the last page.
    #[serde(deserialize_with = "number")]
    pub current_page: u64,
    /// The rows.
    #[serde(deserialize_with = "rows")]
    pub data: Vec<T>,
    /// URL of page 1.
    #[serde(default, deserialize_with = "lenient")]
    pub first_page_url: String,
    /// Position of the first row in the whole list, from 1; `None` on an empty page.
    #[serde(default, deserialize_with = "lenient")]
    pub from: Option<u64>,
    /// At least 1.
    #[serde(default = "one", deserialize_with = "last")]
    pub last_page: u64,
    /// URL of the last page.
    #[serde(default, deserialize_with = "lenient")]
    pub last_page_url: String,
    /// What a web page would draw below the list.
    #[serde(default, deserialize_with = "lenient")]
    pub links: Vec<PageLink>,
    /// URL of the next page; `None` on the last.
    #[serde(default, deserialize_with = "lenient")]
    pub next_page_url: Option<String>,
    /// URL of the list without a query.
    #[serde(default, deserialize_with = "lenient")]
    pub path: String,
    /// Rows a page.
    #[serde(default, deserialize_with = "lenient")]
    pub per_page: u64,
    /// URL of the page before; `None` on the first.
    #[serde(default, deserialize_with = "lenient")]
    pub prev_page_url: Option<String>,
    /// Position of the last row in the whole list; `None` on an empty page.
    #[serde(default, deserialize_with = "lenient")]
    pub to: Option<u64>,
    /// Rows that match the filters.
    #[serde(default, deserialize_with = "lenient")]
    pub total: u64,
}

/// A page without numbers: the neighbours are known, the total is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: DeserializeOwned + Default"))]
pub struct CursorPage<T> {
    /// The rows.
    #[serde(deserialize_with = "rows")]
    pub data: Vec<T>,
    /// URL of the list.
    #[serde(default, deserialize_with = "lenient")]
    pub path: String,
    /// Rows a page.
    #[serde(default, deserialize_with = "lenient")]
    pub per_page: u64,
    /// Leads to the next page; `None` on the last.
    #[serde(default, deserialize_with = "lenient")]
    pub next_cursor: Option<String>,
    /// Leads to the page before; `None` on the first.
    #[serde(default, deserialize_with = "lenient")]
    pub prev_cursor: Option<String>,
}

/// A page in either form.
#[derive(Debug, Clone, PartialEq)]
pub enum Page<T> {
    /// As the spec has it.
    Numbered(NumberedPage<T>),
    /// As some deployments have it.
    Cursor(CursorPage<T>),
}

impl<T> Page<T> {
    /// The rows of the page.
    pub fn rows(&self) -> &[T] {
        match self {
            Self::Numbered(page) => &page.data,
            Self::Cursor(page) => &page.data,
        }
    }

    /// The page after this one; `None` on the last.
    pub fn next(&self) -> Option<PageRef> {
        match self {
            Self::Numbered(page) => {
                (page.current_page < page.last_page).then(|| PageRef::Number(page.current_page.saturating_add(1)))
            }
            Self::Cursor(page) => page.next_cursor.clone().map(PageRef::Cursor),
        }
    }
}

/// A row that can keep its JSON as it came: literals as they were written, fields in their order.
pub trait KeepsRaw {
    /// Keeps the JSON of this row; does nothing unless the resource overrides it.
    fn keep_raw(&mut self, _json: &str) {}
}

/// A resource as JSON: as it came, with the order of its fields and its numbers as they were written.
///
/// # Errors
/// When one that did not come from a server cannot be written as JSON.
pub(super) fn json<'a>(raw: Option<&'a str>, resource: &impl Serialize) -> Result<Cow<'a, str>, serde_json::Error> {
    raw.map_or_else(|| serde_json::to_string(resource).map(Cow::Owned), |raw| Ok(Cow::Borrowed(raw)))
}

impl KeepsRaw for Assistant {}

impl<'de, T: DeserializeOwned + Default + KeepsRaw> Deserialize<'de> for Page<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut envelope = Map::new();
        let mut rows = None;
        for (name, raw) in BTreeMap::<String, Box<RawValue>>::deserialize(deserializer)? {
            // Rows are read from their text: a `Value` keeps no number as it was written.
            rows = rows.or_else(|| (name == "data").then(|| raw_rows(raw.get())).flatten());
            let value =
                if name == "data" && rows.is_some() { Ok(Value::Array(Vec::new())) } else { from_str(raw.get()) };
            envelope.insert(name, value.map_err(serde::de::Error::custom)?);
        }
        let numbered = envelope.contains_key("current_page");
        let envelope = Value::Object(envelope);
        let rows = rows.unwrap_or_default();
        // The path of the field at fault would be lost on the way through the envelope.
        let page = if numbered {
            serde_path_to_error::deserialize(envelope).map(|page| Self::Numbered(NumberedPage { data: rows, ..page }))
        } else {
            serde_path_to_error::deserialize(envelope).map(|page| Self::Cursor(CursorPage { data: rows, ..page }))
        };
        page.map_err(serde::de::Error::custom)
    }
}

/// Which page of a list without filters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageQuery {
    /// Rows a page, 1 to 100.
    pub per_page: u32,
    /// Which page.
    pub page: PageRef,
}

impl Default for PageQuery {
    fn default() -> Self {
        Self { per_page: rules::PER_PAGE_DEFAULT, page: PageRef::Number(1) }
    }
}

impl Query for PageQuery {
    fn pairs(&self) -> Vec<(&'static str, String)> {
        // Lists differ in their default, so the size is always sent.
        self.page.pair().into_iter().chain([("per_page", self.per_page.to_string())]).collect()
    }
}

/// Reads a list of rows that keep their JSON; `None` where it is no list.
fn raw_rows<T: DeserializeOwned + Default + KeepsRaw>(list: &str) -> Option<Vec<T>> {
    let read = |raw: Box<RawValue>| {
        let row = from_str(raw.get()).map(|mut row: T| {
            row.keep_raw(raw.get());
            row
        });
        row.unwrap_or_default()
    };
    Some(from_str::<Vec<Box<RawValue>>>(list).ok()?.into_iter().map(read).collect())
}

fn one() -> u64 {
    1
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = Field::deserialize(deserializer)?.known().copied();
    number.ok_or_else(|| serde::de::Error::invalid_type(Unexpected::Other("value"), &"a number"))
}

fn last<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    lenient(deserializer).map(|last: u64| last.max(1))
}

fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    match Field::deserialize(deserializer)? {
        Field::Known(value) => Ok(value),
        Field::Missing | Field::Odd(_) => Ok(T::default()),
    }
}

/// Reads rows one by one: a row that is no object becomes an empty one instead of failing the page.
fn rows<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let rows = Vec::<Value>::deserialize(deserializer)?;
    Ok(rows.into_iter().map(|row| serde_json::from_value(row).unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Conversation, Field};
    use serde_json::json;

    #[test]
    fn both_forms_are_read() {
        let numbered = json!({"current_page": 2, "data": [{"id": "a"}], "per_page": 15, "total": 16, "last_page": 2});
        let Page::Numbered(page) = serde_json::from_value::<Page<Conversation>>(numbered).unwrap() else {
            panic!("a page with a number is numbered");
        };
        assert_eq!((page.current_page, page.last_page, page.total), (2, 2, 16));
        let cursor = json!({"data": [], "path": "/x", "per_page": 15, "next_cursor": "abc", "prev_cursor": null});
        let Page::Cursor(page) = serde_json::from_value::<Page<Conversation>>(cursor).unwrap() else {
            panic!("a page without a number goes by cursor");
        };
        assert_eq!(page.next_cursor.as_deref(), Some("abc"));
    }

    #[test]
    fn a_row_keeps_its_json_as_it_came() {
        let row = r#"{"type": "api", "total_cost": 0, "more": 1e3, "id": "a", "count": 12345678901234567890123}"#;
        let wire = format!(r#"{{"data": [{row}], "current_page": 1}}"#);
        let page: Page<Conversation> = from_str(&wire).unwrap();
        assert_eq!(page.rows()[0].json().unwrap(), row);
        assert_eq!(page.rows()[0].total_cost, Field::Known(0.0));
        let page: Page<Conversation> =
            serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(&wire)).unwrap();
        assert_eq!(page.rows()[0].json().unwrap(), row);
    }

    #[test]
    fn an_odd_field_of_the_envelope_spoils_nothing_else() {
        let wire =
            json!({"current_page": "2", "last_page": "3", "total": "many", "links": 7, "path": null, "data": []});
        let page: NumberedPage<Conversation> = serde_json::from_value(wire).unwrap();
        assert_eq!((page.current_page, page.last_page, page.total, page.links.len()), (2, 3, 0, 0));
    }

    #[test]
    fn a_row_that_is_no_object_does_not_spoil_the_page() {
        let wire = json!({"current_page": 1, "data": [null, {"id": "a"}, 7]});
        let page: Page<Conversation> = serde_json::from_value(wire).unwrap();
        assert_eq!(page.rows().len(), 3);
        assert_eq!(page.rows()[1].id, Field::Known("a".to_owned()));
    }

    #[test]
    fn an_envelope_without_rows_is_an_error() {
        assert!(serde_json::from_value::<Page<Conversation>>(json!({"message": "hello"})).is_err());
        let odd = serde_json::from_value::<Page<Conversation>>(json!({"current_page": "x", "data": []})).unwrap_err();
        assert!(odd.to_string().contains("current_page"), "{odd}");
    }
}
