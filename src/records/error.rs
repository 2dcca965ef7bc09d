//! Errors of the records, without types of the database behind them.

use super::files::FileFault;
use crate::sqlite::MigrationError;
use std::io;
use std::path::PathBuf;
use uuid::Uuid;

/// A failure of the records, or of a file that the user named.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The database cannot be opened or made.
    #[error("{} cannot be opened: {source}", .place.display())]
    Open {
        /// The database, or the folder that it should be in.
        place: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another program made the database.
    #[error("{} is a database of another program: {why}", .path.display())]
    NotOurs {
        /// The database.
        path: PathBuf,
        /// What is not ours in it.
        why: String,
    },
    /// An older version of the program has the database open.
    #[error("{} is in use by an older version of Switchboard; end it first", .0.display())]
    InUse(PathBuf),
    /// A check after a crash has found damage.
    #[error("{} is damaged ({found}); move it away or restore a copy", .path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What SQLite found.
        found: String,
    },
    /// Another program sends the same batch; its process id.
    #[error("another program is sending this file (process {0})")]
    Claimed(String),
    /// The open database is no longer the file at its path.
    #[error("{} was deleted, moved or replaced while in use; restart Switchboard", .0.display())]
    Replaced(PathBuf),
    /// The database was made by a newer version of the program.
    #[error("the records have schema {found}; this version supports up to {known}")]
    TooNew {
        /// The schema they have.
        found: usize,
        /// The newest schema that this version knows.
        known: usize,
    },
    /// A statement failed.
    #[error("the records failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The lock files of running programs cannot be read or written.
    #[error("the folder {} failed: {source}", .place.display())]
    Runs {
        /// The folder of the running programs.
        place: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    Random,
    /// A stored value is invalid.
    #[error("the records have an unreadable {0}")]
    Unreadable(&'static str),
    /// The outbox has no such entry.
    #[error("the outbox has no entry {0}")]
    NotThere(Uuid),
    /// Only an unknown outcome can be marked.
    #[error("the outcome of {0} is not unknown")]
    NotUnknown(Uuid),
    /// A file that the user named cannot be read or written.
    #[error("{} {fault}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        fault: FileFault,
    },
}

impl From<MigrationError> for RecordsError {
    fn from(error: MigrationError) -> Self {
        match error {
            MigrationError::Failed(error) => error.into(),
            MigrationError::TooNew { found, known } => Self::TooNew { found, known },
        }
    }
}

impl From<rusqlite::Error> for RecordsError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}
