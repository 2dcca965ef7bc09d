//! What the database knows about itself: names with values.

use super::RecordsError;
use crate::sqlite::{execute, many};
use rusqlite::types::FromSql;
use rusqlite::{Connection, ToSql};

/// The value of this name; `None` where there is none.
pub(super) fn get<T: FromSql>(connection: &Connection, name: &str) -> Result<Option<T>, RecordsError> {
    Ok(many(connection, "SELECT value FROM about WHERE name = $1", [name], |row| row.get(0))?.pop())
}

/// Replaces the value of this name.
pub(super) fn set(connection: &Connection, name: &str, value: impl ToSql) -> Result<(), RecordsError> {
    let set = "INSERT INTO about (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value";
    execute(connection, set, (name, value))?;
    Ok(())
}
