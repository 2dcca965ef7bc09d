//! The versions of the schema. A released version is never changed: what is new is appended.

use super::StoreError;
use rusqlite::{Connection, TransactionBehavior};

const VERSIONS: &[&str] = &[include_str!("sql/0001_first.sql"), include_str!("sql/0004_events.sql")];

/// Brings the schema to the newest version, each step in a transaction of its own.
pub(super) fn migrate(writer: &mut Connection) -> Result<(), StoreError> {
    let found = version(writer)?;
    if found > VERSIONS.len() {
        return Err(StoreError::TooNew { found, known: VERSIONS.len() });
    }
    for (version, sql) in (1_i64..).zip(VERSIONS).skip(found) {
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

fn version(connection: &Connection) -> Result<usize, StoreError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    usize::try_from(version).map_err(|_| StoreError::Unreadable("schema version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_from_the_future_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(migrate(&mut connection), Err(StoreError::TooNew { found: 99, .. })));
    }

    #[test]
    fn migrating_twice_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(version(&connection).unwrap(), VERSIONS.len());
    }
}
