//! A list in which a row that cannot be read spoils itself and no other.

use super::{
    ApiKey, Assistant, Call, Document, Field, Knowledgebase, Language, Model, OutboundAssistant, Provider, Sender,
    Template, Tool, Voice,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// A resource that other requests name by its `id`; without one there is no use for its row.
pub trait Identified {
    /// Why the id cannot be used; `None` where it can.
    fn id_fault(&self) -> Option<String>;
}

macro_rules! identified {
    ($($resource:ty),+ $(,)?) => {$(
        impl Identified for $resource {
            fn id_fault(&self) -> Option<String> {
                match &self.id {
                    Field::Known(_) => None,
                    Field::Missing => Some("it has no id".to_owned()),
                    Field::Odd(value) => Some(format!("its id is {value}")),
                }
            }
        }
    )+};
}

identified!(ApiKey, Call, Document, Knowledgebase, Language, Model, OutboundAssistant, Provider, Sender, Template);
identified!(Tool, Voice);

impl Identified for Assistant {
    fn id_fault(&self) -> Option<String> {
        self.base.id_fault()
    }
}

/// The rows of a list that could be read, in their order, and why the others could not.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows<T> {
    /// In the order of the server.
    pub rows: Vec<T>,
    /// A reason for each row that was left out: `row 3: its id is "abc"`. Rows count from 1.
    pub unreadable: Vec<String>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T> From<Vec<T>> for Rows<T> {
    fn from(rows: Vec<T>) -> Self {
        Self { rows, unreadable: Vec::new() }
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<T> DerefMut for Rows<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }
}

impl<T> IntoIterator for Rows<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Rows<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<'de, T: DeserializeOwned + Identified> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut list = Self::default();
        for (number, row) in (1..).zip(Vec::<Value>::deserialize(deserializer)?) {
            let read = serde_json::from_value(row).map_err(|fault| fault.to_string());
            match read.and_then(|row: T| row.id_fault().map_or(Ok(row), Err)) {
                Ok(row) => list.rows.push(row),
                Err(fault) => list.unreadable.push(format!("row {number}: {fault}")),
            }
        }
        Ok(list)
    }
}

impl<T: Serialize> Serialize for Rows<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Rows<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<T>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_that_cannot_be_read_leaves_the_others() {
        let wire = json!([{"id": 1, "display_name": 7}, 7, {"id": "2"}, {"id": "abc"}, null, {"status": "online"}]);
        let list: Rows<Sender> = serde_json::from_value(wire).unwrap();
        assert_eq!(list.iter().map(|row| row.id.known().copied()).collect::<Vec<_>>(), [Some(1), Some(2)]);
        assert_eq!(list[0].display_name, Field::Odd(json!(7)));
        assert_eq!(list.unreadable.len(), 4);
        assert!(list.unreadable[0].starts_with("row 2: invalid type: integer `7`"), "{:?}", list.unreadable);
        assert_eq!(list.unreadable[1], "row 4: its id is \"abc\"");
        assert_eq!(list.unreadable[3], "row 6: it has no id");
    }

    #[test]
    fn what_is_no_list_is_an_error() {
        assert!(serde_json::from_value::<Rows<Sender>>(json!({"1": {}})).is_err());
    }
}
