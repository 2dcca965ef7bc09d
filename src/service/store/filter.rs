//! A `WHERE` clause with its parameters, built one condition at a time.

use rusqlite::types::Value;
use rusqlite::{ParamsFromIter, params_from_iter};

/// Conditions that must all hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Where {
    sql: String,
    params: Vec<Value>,
}

impl Where {
    /// Adds a condition such as `type =`, to be followed by a value.
    pub(super) fn and(mut self, condition: &str, value: impl Into<Value>) -> Self {
        self.sql.push_str(if self.params.is_empty() { " WHERE " } else { " AND " });
        self.then(condition, value)
    }

    /// Adds a condition where there is a value for it.
    pub(super) fn and_if(self, condition: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.and(condition, value),
            None => self,
        }
    }

    /// Adds what follows the conditions, e.g. `LIMIT`, with a value.
    pub(super) fn then(mut self, clause: &str, value: impl Into<Value>) -> Self {
        self.params.push(value.into());
        self.sql.push_str(clause);
        self.sql.push_str(" $");
        self.sql.push_str(&self.params.len().to_string());
        self
    }

    /// Adds what follows the conditions and takes no value.
    pub(super) fn text(mut self, clause: &str) -> Self {
        self.sql.push_str(clause);
        self
    }

    /// The clause, with a space before it.
    pub(super) fn sql(&self) -> &str {
        &self.sql
    }

    /// The values, in the order of their numbers.
    pub(super) fn params(&self) -> ParamsFromIter<&Vec<Value>> {
        params_from_iter(&self.params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_in_their_order_and_missing_ones_leave_nothing() {
        let clause = Where::default()
            .and("a =", 1_i64)
            .and_if("b =", None::<i64>)
            .and_if("c >=", Some("x".to_owned()))
            .text(" ORDER BY a")
            .then(" LIMIT", 5_i64);
        assert_eq!(clause.sql(), " WHERE a = $1 AND c >= $2 ORDER BY a LIMIT $3");
    }
}
