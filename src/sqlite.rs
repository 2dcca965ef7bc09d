//! What the databases of the program share: migrations, transactions, cached statements, stored times.

#[cfg(debug_assertions)]
mod plans;

use jiff::Timestamp;
#[cfg(debug_assertions)]
use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection, Error, Params, Result, Row, Transaction, TransactionBehavior};
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// How long a connection waits for another's write.
pub const BUSY: Duration = Duration::from_secs(5);

/// Why a schema cannot be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// A statement failed.
    #[error(transparent)]
    Failed(#[from] Error),
    /// A newer version of the program made the database.
    #[error("schema {found} is newer than {known}, the newest that this version supports")]
    TooNew {
        /// The version of the database's schema.
        found: usize,
        /// The newest version that this program has.
        known: usize,
    },
}

/// Brings the schema to the newest of `versions`, each step in its own transaction. A released version is never
/// changed: new ones are appended.
///
/// # Errors
/// Where the schema is newer than the last version, or a statement fails.
pub fn migrate(connection: &mut Connection, versions: &[&str]) -> Result<(), MigrationError> {
    let (found, known) = (version(connection)?, versions.len());
    if found > known {
        return Err(MigrationError::TooNew { found, known });
    }
    for (version, sql) in (1_i64..).zip(versions).skip(found) {
        write(connection, |transaction| {
            transaction.execute_batch(sql)?;
            transaction.pragma_update(None, "user_version", version)
        })?;
    }
    Ok(())
}

/// How many steps of its migration a database has had.
///
/// # Errors
/// Where it cannot be read.
pub fn version(connection: &Connection) -> Result<usize> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    usize::try_from(version).map_err(|_| Error::IntegralValueOutOfRange(0, version))
}

/// Why a database is another program's; `None` for an empty one, and for one of this program. That has its application id,
/// or none yet, and exactly the tables, indexes, views and triggers that its version of the schema makes.
///
/// # Errors
/// Where a newer version of the program made it, or it cannot be read.
pub fn schema_mismatch(
    connection: &Connection,
    application_id: i64,
    versions: &[&str],
) -> Result<Option<String>, MigrationError> {
    // One moment: another process may be migrating it.
    let connection = connection.unchecked_transaction()?;
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let (id, version) = (number("application_id")?, number("user_version")?);
    if id != 0 && id != application_id {
        return Ok(Some(format!("its application_id is {id:#x}")));
    }
    let found = usize::try_from(version).unwrap_or(usize::MAX);
    let Some(applied) = versions.get(..found) else {
        let (is_newer, known) = (id == application_id, versions.len());
        let strange = format!("its user_version is {version}");
        return if is_newer { Err(MigrationError::TooNew { found, known }) } else { Ok(Some(strange)) };
    };
    let mut ours = Connection::open_in_memory()?;
    migrate(&mut ours, applied)?;
    let (has, makes) = (objects(&connection)?, objects(&ours)?);
    // An administrator's index changes nothing but speed.
    let is_foreign = |object: &&String| id != application_id || !object.starts_with("index ");
    let more = has.difference(&makes).find(is_foreign).map(|object| format!("it has the {object}"));
    Ok(more.or_else(|| Some(format!("it lacks the {}", makes.difference(&has).next()?))))
}

/// What SQLite puts beside a database, such as `-wal`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Makes sure that a file has one name only: SQLite keeps what it needs after a crash beside the name by which it opens it.
///
/// # Errors
/// Where it has more, or cannot be looked at.
pub fn check_single_name(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.nlink() {
        names @ 2.. => Err(io::Error::other(format!("the file has {names} names (hard links); remove all but one"))),
        _ => Ok(()),
    }
}

/// What the schema of a database has, but for what SQLite adds by itself.
fn objects(connection: &Connection) -> Result<BTreeSet<String>> {
    let all = "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'";
    connection.prepare(all)?.query_map([], |row| row.get(0))?.collect()
}

/// Runs `work` in a transaction, which an error rolls back.
///
/// # Errors
/// Those of `work`, and where the transaction cannot begin or be committed.
pub fn write<T, E: From<Error>>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let result = work(&transaction)?;
    transaction.commit()?;
    Ok(result)
}

/// Prepares a statement, or takes it from the connection's cache.
///
/// # Errors
/// Where the statement is not valid.
pub fn prepare<'c>(connection: &'c Connection, sql: &str) -> Result<CachedStatement<'c>> {
    let statement = connection.prepare_cached(sql)?;
    // Where plans hang on the values of parameters, there is nothing to check yet.
    #[cfg(debug_assertions)]
    if connection.db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG)? {
        plans::check(connection, sql)?;
    }
    // SQLite numbers `$n` by first appearance and PostgreSQL by n: they must be the same.
    debug_assert!(
        (1..=statement.parameter_count()).all(|n| statement.parameter_name(n) == Some(&format!("${n}"))),
        "parameters out of order: {sql}"
    );
    Ok(statement)
}

/// Runs a statement; returns the number of changed rows.
///
/// # Errors
/// Where it fails.
pub fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    prepare(connection, sql)?.execute(params)
}

/// Reads the first row.
///
/// # Errors
/// Where there is none, or the query or `read` fails.
pub fn one<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T>,
) -> Result<T> {
    prepare(connection, sql)?.query_row(params, read)
}

/// Reads all rows.
///
/// # Errors
/// Where the query or `read` fails.
pub fn many<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    try_many(connection, sql, params, read)
}

/// Like [`many`], for a `read` with an error of its own.
///
/// # Errors
/// Where the query or `read` fails.
pub fn try_many<T, E: From<Error>>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    prepare(connection, sql)?.query_and_then(params, read)?.collect()
}

/// A stored time: microseconds since 1970.
///
/// # Errors
/// Where no timestamp is that far away.
pub fn moment(micros: i64) -> Result<Timestamp> {
    Timestamp::from_microsecond(micros).map_err(|_| Error::IntegralValueOutOfRange(0, micros))
}
