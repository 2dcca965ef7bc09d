//! A field that may be missing or of an unexpected type without spoiling its neighbours.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};
use std::borrow::Cow;

/// Marks the schema of a field that a server sends always, unless the field's own `x-presence` says when.
pub const SENT: &str = "x-sent";

/// One field of a resource as it came.
///
/// A number that came as a string (`"7"`) reads as the number.
/// `null` reads as [`Field::Known`] where `T` is an `Option`, and as [`Field::Odd`] elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Field<T> {
    /// The server did not send the field.
    #[default]
    Missing,
    /// The field has the type that the spec gives it.
    Known(T),
    /// The field came with another type; the value is kept to be shown.
    Odd(Value),
}

impl<T> Field<T> {
    /// The value, where it is there and of the right type.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Missing | Self::Odd(_) => None,
        }
    }

    /// True where the server sent nothing; such a field is not written either.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self::Known(value)
    }
}

impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => serializer.serialize_none(),
            Self::Known(value) => value.serialize(serializer),
            Self::Odd(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if let Ok(known) = T::deserialize(&value) {
            return Ok(Self::Known(known));
        }
        let number = value.as_str().and_then(|text| serde_json::from_str::<Number>(text).ok());
        let known = number.and_then(|number| T::deserialize(Value::Number(number)).ok());
        Ok(known.map_or(Self::Odd(value), Self::Known))
    }
}

impl<T: JsonSchema> JsonSchema for Field<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<T>();
        schema.insert(SENT.to_owned(), true.into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(default, skip_serializing_if = "Field::is_missing")]
        count: Field<u64>,
        #[serde(default, skip_serializing_if = "Field::is_missing")]
        note: Field<Option<String>>,
    }

    #[test]
    fn an_odd_field_keeps_its_value_and_spares_its_neighbour() {
        let wire = json!({"count": "many", "note": null});
        let row: Row = serde_json::from_value(wire.clone()).unwrap();
        assert_eq!(row, Row { count: Field::Odd(json!("many")), note: Field::Known(None) });
        assert_eq!(serde_json::to_value(row).unwrap(), wire);
    }

    #[test]
    fn a_number_in_quotes_reads_as_the_number() {
        let row: Row = serde_json::from_value(json!({"count": "12", "note": "13"})).unwrap();
        assert_eq!(row, Row { count: Field::Known(12), note: Field::Known(Some("13".to_owned())) });
        let row: Row = serde_json::from_value(json!({"count": "-1"})).unwrap();
        assert_eq!(row.count, Field::Odd(json!("-1")));
    }

    #[test]
    fn a_missing_field_stays_missing() {
        let row: Row = serde_json::from_value(json!({})).unwrap();
        assert_eq!(row.count, Field::Missing);
        assert_eq!(serde_json::to_value(row).unwrap(), json!({}));
    }
}
