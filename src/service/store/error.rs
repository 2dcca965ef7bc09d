//! What can go wrong in the store, without naming the database behind it.

use crate::service::keys::NoRandomness;
use crate::sqlite::MigrationError;
use rusqlite::ErrorCode;

/// A fault of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be opened or made.
    #[error("cannot open the database {place}: {source}")]
    Open {
        /// The path, or `:memory:`.
        place: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database was made by a newer version of the program.
    #[error("the database has schema {found}; this version supports up to {known}")]
    TooNew {
        /// The schema it has.
        found: usize,
        /// The newest schema this version knows.
        known: usize,
    },
    /// Another program made the database.
    #[error("{place} is a database of another program: {why}; nothing was changed in it")]
    NotOurs {
        /// The path.
        place: String,
        /// What is not ours in it.
        why: String,
    },
    /// A file of the open database is no longer the one at its path.
    #[error("{place} was deleted, moved or replaced while in use; move it back or restart the service")]
    Replaced {
        /// The path: of the database, of its log, or of the log's index.
        place: String,
    },
    /// Another process serves the database.
    #[error(
        "{place} is served by {} already; a second one would not see its changes",
        pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
    )]
    Served {
        /// The path.
        place: String,
        /// The process's number, where it has told it.
        pid: Option<u32>,
    },
    /// Another process has been writing to the database for too long. Nothing was written.
    #[error("another process holds the database")]
    Busy,
    /// A statement failed.
    #[error("the database failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A password could not be salted.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    /// A stored value cannot be read back.
    #[error("the database has an unreadable {0}")]
    Unreadable(&'static str),
}

impl StoreError {
    /// Whether the database could not be used at all: nothing is wrong with the request.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Busy | Self::Replaced { .. })
    }
}

impl From<MigrationError> for StoreError {
    fn from(error: MigrationError) -> Self {
        match error {
            MigrationError::Failed(error) => error.into(),
            MigrationError::TooNew { found, known } => Self::TooNew { found, known },
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy) => Self::Busy,
            _ => Self::Failed(error.into()),
        }
    }
}
