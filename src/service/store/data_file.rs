//! The file of the database: made for its owner alone, refused where it is another program's, and served by one process.

use super::{Store, StoreError};
use crate::sqlite::many;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Marks a database as one of this service: `SWBS`.
const APPLICATION_ID: i64 = 0x5357_4253;

impl Store {
    /// Makes sure that a file can be opened as a database of ours; it is made where there is none.
    ///
    /// # Errors
    /// Where it cannot be read or made, is no database, or another program's.
    pub fn check(path: &Path) -> Result<(), StoreError> {
        make(path).map_err(|source| StoreError::Open { place: path.display().to_string(), source: source.into() })?;
        is_ours(path)
    }
}

/// Makes the file where there is none; SQLite gives its log the same permissions.
fn make(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Whether others than the owner can read or write the file, or its log.
pub fn is_open_to_others(path: &Path) -> bool {
    let is_open = |path: &Path| fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
    is_open(path) || ["-wal", "-shm"].iter().any(|ending| is_open(&beside(path, ending)))
}

/// Makes sure that a database is ours, before anything in it is changed.
fn is_ours(path: &Path) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = || -> rusqlite::Result<(i64, Vec<String>)> {
        let reader = Connection::open_with_flags(path, flags)?;
        reader.busy_timeout(crate::sqlite::BUSY)?;
        let id = reader.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table'";
        Ok((id, many(&reader, names, [], |row| row.get(0))?))
    };
    let place = path.display().to_string();
    let (id, tables) = match read() {
        Ok(found) => found,
        Err(source) => return Err(StoreError::Open { place, source: source.into() }),
    };
    // Older versions had no id.
    let has = |name: &str| tables.iter().any(|table| table == name);
    let is_older = id == 0 && (tables.is_empty() || (has("users") && has("api_keys") && has("conversations")));
    if id == APPLICATION_ID || is_older { Ok(()) } else { Err(StoreError::NotOurs { place }) }
}

/// Marks a database as ours.
pub(super) fn sign(writer: &Connection) -> rusqlite::Result<()> {
    writer.pragma_update(None, "application_id", APPLICATION_ID)
}

/// Serving a database, until it is dropped.
#[derive(Debug)]
pub struct Serving(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

impl Serving {
    /// Takes a database for this process. The lock is on a file beside it, which tells the process's number, since other
    /// programs may open the database all the same.
    ///
    /// # Errors
    /// Where another process serves it, or the file cannot be made.
    pub fn begin(path: &Path) -> Result<Self, StoreError> {
        let refused = |source: io::Error| StoreError::Open { place: path.display().to_string(), source: source.into() };
        make(path).map_err(refused)?;
        let lock = beside(&fs::canonicalize(path).map_err(refused)?, ".pid");
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).mode(0o600).open(&lock).map_err(refused)?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())).map_err(refused)?;
                Ok(Self(file))
            }
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let told = file.rewind().and_then(|()| file.read_to_string(&mut pid));
                let pid = told.ok().and_then(|_| pid.trim().parse().ok());
                Err(StoreError::Served { place: path.display().to_string(), pid })
            }
            Err(TryLockError::Error(error)) => Err(refused(error)),
        }
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::Data;

    #[test]
    fn a_database_and_its_log_are_for_the_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let _store = Store::open(&Data::File(path.clone())).unwrap();
        for ending in ["", "-wal", "-shm"] {
            let mode = fs::metadata(beside(&path, ending)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{ending}");
        }
        assert!(!is_open_to_others(&path));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(is_open_to_others(&path));
    }

    #[test]
    fn a_database_of_another_program_is_left_as_it_is() {
        for sql in ["CREATE TABLE notes (text TEXT)", "PRAGMA application_id = 7", "CREATE TABLE users (id INTEGER)"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("data.db");
            Connection::open(&path).unwrap().execute_batch(sql).unwrap();
            let before = fs::read(&path).unwrap();
            let error = Store::open(&Data::File(path.clone())).unwrap_err();
            assert!(matches!(error, StoreError::NotOurs { .. }), "{sql}: {error}");
            assert_eq!(fs::read(&path).unwrap(), before, "{sql}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{sql}");
        }
    }

    #[test]
    fn a_database_of_an_older_version_is_ours_and_marked_from_then_on() {
        let folder = tempfile::tempdir().unwrap();
        let data = Data::File(folder.path().join("data.db"));
        drop(Store::open(&data).unwrap());
        let Data::File(path) = &data else { unreachable!() };
        Connection::open(path).unwrap().execute_batch("PRAGMA application_id = 0").unwrap();
        drop(Store::open(&data).unwrap());
        let database = Connection::open(path).unwrap();
        let id: i64 = database.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
        assert_eq!(id, APPLICATION_ID);
    }

    #[test]
    fn a_second_one_that_serves_is_told_the_first_ones_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let first = Serving::begin(&path).unwrap();
        let error = Serving::begin(&path).unwrap_err();
        let pid = Some(std::process::id());
        assert!(matches!(&error, StoreError::Served { pid: told, .. } if *told == pid), "{error}");
        drop(first);
        Serving::begin(&path).unwrap();
    }
}
