//! The store: all SQL of the service, and the only place that knows which database is behind it.
//!
//! Statements keep to what SQLite and PostgreSQL share: `$1` parameters in their order, `RETURNING`, `ON CONFLICT`,
//! times as whole microseconds. Reads run where they are called, on one of a few connections; they take microseconds,
//! and a thread pool would cost more than it saves. Writes take turns on one connection.

mod accounts;
mod api_keys;
mod assistant_changes;
mod assistants;
mod bulk;
mod call_pages;
mod call_progress;
mod calls;
mod calls_past;
mod catalogue;
mod chats;
mod clock;
mod conversations;
mod data_file;
mod deliveries;
mod delivery_queue;
mod documents;
mod error;
mod events;
mod fill;
mod filter;
mod history;
mod knowledgebases;
mod messaging;
mod outgoing;
mod pages;
mod paging;
mod schema;
mod silence;
mod tools;

pub use accounts::AccountRow;
pub use api_keys::{KeyOwner, KeyRow};
pub use assistant_changes::Webhook;
pub use call_pages::CallPage;
pub use calls::{CallRefusal, NewCall};
pub use chats::{ChatRefusal, StartedChat, Talk};
pub use conversations::{ConversationRef, ConversationRow, CustomerRow, NewConversation, PartyRow, SenderRow};
pub use data_file::is_open_to_others;
pub use delivery_queue::{Attempt, AttemptResult, DueDelivery, Leased};
pub use documents::NewDocument;
pub use error::StoreError;
pub use fill::SimulatedUser;
pub use history::{ConversationDetails, MessageRow, Transcript};
pub use messaging::{
    ConversationTarget, OutgoingMessage, SendChecks, SenderRecord, StoredMessage, TemplateRow, WindowConversation,
};
pub use outgoing::DeliveryProgress;
pub use pages::PageRows;
pub use tools::PlanLimit;

use crate::api::rules::Fault;
use crate::service::pieces::Piece;
use crate::sqlite::{self, BUSY, execute, many, moment, one, prepare, try_many};
use data_file::DataFile;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Params, Row, Transaction};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Connections kept for the next read; more are opened, and closed again, when more threads read at once.
const IDLE_READERS: usize = 4;
/// Page cache of each connection, in KiB: the inner nodes of a million rows and their indexes.
const CACHE_KIB: u32 = 2048;

/// The location of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// In memory, lost when the process exits.
    Memory,
    /// A file, created if missing.
    File(PathBuf),
}

impl std::fmt::Display for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory => f.write_str(":memory:"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        if text == ":memory:" { Self::Memory } else { Self::File(text.into()) }
    }
}

/// The result of a write that may be refused.
#[derive(Debug, Clone, PartialEq)]
pub enum Written<T> {
    /// The write is committed.
    Done(T),
    /// The user has no resource with this id (404).
    Missing,
    /// The values break a rule (422).
    Invalid(Vec<Fault>),
}

/// How long a write waits for another process that the last one has waited for in vain.
const BUSY_AGAIN: Duration = Duration::from_millis(50);

/// The data of the service.
#[derive(Debug)]
pub struct Store {
    place: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    written: watch::Sender<()>,
    /// How many writes there have been.
    writes: AtomicU64,
    /// Another process held the database for too long at the last write.
    is_locked_out: AtomicBool,
    pages: paging::Pages,
    names: pages::Names,
    key_owners: api_keys::KeyOwners,
    /// `None` in memory. Dropped last: the connections end before its locks.
    file: Option<DataFile>,
}

impl Store {
    /// Opens or creates the database and migrates its schema.
    ///
    /// # Errors
    /// Where it cannot be opened, is no database or another program's, or was made by a newer version.
    pub fn open(data: &Data) -> Result<Self, StoreError> {
        Self::begin(data, false)
    }

    /// Like [`Self::open`], for the one process that may serve the database: it sees no changes of another one.
    ///
    /// # Errors
    /// As for [`Self::open`], and where another process serves it.
    pub fn serve(data: &Data) -> Result<Self, StoreError> {
        Self::begin(data, true)
    }

    fn begin(data: &Data, serves: bool) -> Result<Self, StoreError> {
        let refused = |source: rusqlite::Error| StoreError::Open { place: data.to_string(), source: source.into() };
        let mut file = match data {
            Data::Memory => None,
            Data::File(path) => Some(DataFile::find(path, serves)?),
        };
        let place = match &file {
            // A name that no other store of this process has; with this VFS all connections see the same data.
            None => format!("file:/switchboard-{:032x}?vfs=memdb", fastrand::u128(..)).into(),
            Some(file) => file.path().to_owned(),
        };
        let mut writer = connect(&place, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
            .and_then(|writer| {
                // An answered write survives a crash of the program; one of the machine may cost the last ones.
                writer.pragma_update(None, "journal_mode", "WAL")?;
                writer.pragma_update(None, "synchronous", "NORMAL")?;
                writer.pragma_update(None, "foreign_keys", true)?;
                Ok(writer)
            })
            .map_err(refused)?;
        schema::migrate(&mut writer)?;
        data_file::sign(&writer)?;
        file.iter_mut().try_for_each(DataFile::watch)?;
        Ok(Self {
            place,
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            written: watch::Sender::new(()),
            writes: AtomicU64::new(0),
            is_locked_out: AtomicBool::new(false),
            pages: paging::Pages::default(),
            names: pages::Names::default(),
            key_owners: api_keys::KeyOwners::default(),
            file,
        })
    }

    /// Runs `work` on a connection that can only read.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = lock(&self.readers).pop();
        if idle.is_none() || self.file.as_ref().is_some_and(DataFile::is_replaced) {
            self.check_file()?;
        }
        let reader = match idle {
            Some(reader) => reader,
            None => connect(&self.place, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        // After an error the connection may be in any state: it is not used again.
        let result = work(&reader)?;
        let mut readers = lock(&self.readers);
        if readers.len() < IDLE_READERS {
            readers.push(reader);
        }
        Ok(result)
    }

    /// Like [`Self::read`], with every statement of `work` seeing the same moment.
    fn read_at_once<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.read(|reader| {
            // Prepared like any other statement: a transaction of the driver's is parsed each time.
            execute(reader, "BEGIN", [])?;
            let result = work(reader)?;
            execute(reader, "COMMIT", [])?;
            Ok(result)
        })
    }

    /// Runs `work` in a transaction: all of it happens, or nothing.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut writer = lock(&self.writer);
        let result = sqlite::write(&mut writer, |tx| {
            let result = work(tx)?;
            self.check_file()?;
            Ok::<_, StoreError>(result)
        });
        self.locked_out(&writer, matches!(result, Err(StoreError::Busy)))?;
        let result = result?;
        // Before the writer answers: whoever hears of a write finds nothing older than it in what is kept in memory.
        self.writes.fetch_add(1, Ordering::Release);
        self.written.send_replace(());
        Ok(result)
    }

    /// Notes whether another process holds the database. While it does, one write after the other would wait for the whole
    /// time, and all behind them.
    fn locked_out(&self, writer: &Connection, now: bool) -> Result<(), StoreError> {
        if self.is_locked_out.swap(now, Ordering::Relaxed) != now {
            if now {
                tracing::warn!("another process holds the database: writes are refused");
            }
            writer.busy_timeout(if now { BUSY_AGAIN } else { BUSY })?;
        }
        Ok(())
    }

    /// Makes sure that the open database is still the one at its path.
    fn check_file(&self) -> Result<(), StoreError> {
        let checked = self.file.as_ref().map_or(Ok(()), DataFile::check);
        if checked.is_err() {
            // What is kept in memory is of no use without it.
            self.writes.fetch_add(1, Ordering::Release);
        }
        checked
    }

    /// Moves the write-ahead log into the database, so that the file alone is complete.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        lock(&self.writer).query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Changes with every write. Data read after this call is at least as new as the version it returned.
    pub fn version(&self) -> u64 {
        self.writes.load(Ordering::Acquire)
    }

    /// Notifies of every later write.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.written.subscribe()
    }
}

fn connect(place: &PathBuf, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let shared = OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(place, flags | shared)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "cache_size", -i64::from(CACHE_KIB))?;
    connection.set_prepared_statement_cache_capacity(64);
    // Plans do not hang on values, or every new LIMIT would have its statement planned again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// A panic while the lock was held left no half-done work behind: a transaction that is dropped is rolled back.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads rows with their keys into a piece, for as long as it takes them.
fn fill_piece<T: Serialize>(
    reader: &Connection,
    sql: &str,
    params: impl Params,
    piece: &mut Piece,
    mut read: impl FnMut(&Row<'_>) -> Result<(i64, T), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = prepare(reader, sql)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        if !piece.takes_next() {
            break;
        }
        let (key, row) = read(row)?;
        piece.push(key, &row)?;
    }
    Ok(())
}

/// A value that is kept as JSON.
fn json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Unreadable("value without a form in JSON"))
}

/// Reads a value that is kept as JSON; `what` names it should it not be readable.
fn parsed<T: DeserializeOwned>(text: &str, what: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Unreadable(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: &str = "INSERT INTO users (id, email, kind, balance_micros, tool_limit, is_simulated, created_at) \
                          VALUES (1, 'a@b.c', 'tenant', 0, 5, FALSE, 0)";

    #[test]
    fn stores_in_memory_do_not_share_their_data_and_their_connections_do() {
        let (one, other) = (Store::open(&Data::Memory).unwrap(), Store::open(&Data::Memory).unwrap());
        one.write(|tx| {
            execute(tx, NOBODY, [])?;
            Ok(())
        })
        .unwrap();
        let users = |store: &Store| {
            store.read(|reader| Ok(reader.query_row("SELECT COUNT(*) FROM users", [], |row| row.get::<_, i64>(0))?))
        };
        assert_eq!((users(&one).unwrap(), users(&other).unwrap()), (1, 0));
    }

    #[test]
    fn a_reader_cannot_write() {
        let store = Store::open(&Data::Memory).unwrap();
        assert!(store.read(|reader| Ok(reader.execute("DELETE FROM users", [])?)).is_err());
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "needs an index, or a reason")]
    fn a_statement_that_scans_a_table_is_found() {
        let store = Store::open(&Data::Memory).unwrap();
        drop(store.read(|reader| Ok(many(reader, "SELECT id FROM users WHERE kind = $1", ["tenant"], |_| Ok(()))?)));
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_behind() {
        let store = Store::open(&Data::Memory).unwrap();
        let failed: Result<(), _> = store.write(|tx| {
            execute(tx, NOBODY, [])?;
            Err(StoreError::Unreadable("thing"))
        });
        assert!(failed.is_err());
        assert!(store.is_empty().unwrap());
    }

    #[test]
    fn a_file_is_opened_again_as_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let data = Data::File(folder.path().join("switchboard.db"));
        let store = Store::open(&data).unwrap();
        store.write(|tx| Ok(execute(tx, NOBODY, [])?)).unwrap();
        drop(store);
        assert!(!Store::open(&data).unwrap().is_empty().unwrap());
    }
}
