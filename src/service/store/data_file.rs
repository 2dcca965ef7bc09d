//! The file of the database: made for its owner alone, refused where it is another program's, served by one process, and
//! watched while it is open.

use super::{StoreError, schema};
use crate::sqlite::{self, BUSY, beside};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use url::Url;

/// Marks a database as one of this service: `SWBS`.
const APPLICATION_ID: i64 = 0x5357_4253;

/// The files of an open database: itself, its log, and the index of the log.
const ENDINGS: [&str; 3] = ["", "-wal", "-shm"];

/// The file of a database, until it is dropped, which is to be after the connections.
#[derive(Debug)]
pub(super) struct DataFile {
    /// Canonical: SQLite takes what begins with `file:` for a URI.
    path: PathBuf,
    /// Device and inode of each of [`ENDINGS`], once they are there.
    identities: Option<[(u64, u64); 3]>,
    is_replaced: AtomicBool,
    /// Locked for as long as they are open. SQLite's own locks end with any handle on the file that the process closes.
    _locks: Vec<File>,
}

impl DataFile {
    /// Finds or makes a database, for this process alone if `serves`. Nothing changes in another program's, nor beside it.
    ///
    /// # Errors
    /// Where it cannot be read or made, is another program's, has several names, or another process serves it.
    pub(super) fn find(path: &Path, serves: bool) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        let path = make(path).map_err(|error| refused(&place, error))?;
        let mut locks = Vec::new();
        if serves {
            let file = File::open(&path).map_err(|error| refused(&place, error))?;
            // Elsewhere this lock and those of SQLite are of one kind, and exclude each other.
            if cfg!(target_os = "linux") {
                lock(&file, &place, || lock_holder(&file))?;
            }
            locks.push(file);
            drop(lock_pid_file(&path, &place, false)?);
        }
        sqlite::check_single_name(&path).map_err(|error| refused(&place, error))?;
        is_ours(&path, &place)?;
        if serves {
            let name = lock_pid_file(&path, &place, true)?;
            let number = |mut file: &File| file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
            name.iter().try_for_each(number).map_err(|error| refused(&place, error))?;
            locks.extend(name);
        }
        Ok(Self { path, identities: None, is_replaced: AtomicBool::new(false), _locks: locks })
    }

    /// The absolute path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Remembers the files that SQLite has opened by now.
    ///
    /// # Errors
    /// Where one is missing.
    pub(super) fn watch(&mut self) -> Result<(), StoreError> {
        let [file, log, index] = ENDINGS.map(|ending| identity(&beside(&self.path, ending)));
        let all = || Ok([file?, log?, index?]);
        self.identities = Some(all().map_err(|error| refused(&self.path.display(), error))?);
        Ok(())
    }

    /// Whether the last check found another file at the path.
    pub(super) fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::Relaxed)
    }

    /// Makes sure that the open files are still those at their paths: what is written to others is lost, and what is read
    /// from others is somebody else's.
    ///
    /// # Errors
    /// Where one was deleted, moved or replaced.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let Some(identities) = &self.identities else { return Ok(()) };
        let paths = ENDINGS.map(|ending| beside(&self.path, ending));
        let changed = paths.iter().zip(identities).find(|(path, was)| identity(path).ok() != Some(**was));
        let was_replaced = self.is_replaced.swap(changed.is_some(), Ordering::Relaxed);
        let Some((path, _)) = changed else { return Ok(()) };
        let error = StoreError::Replaced { place: path.display().to_string() };
        if !was_replaced {
            tracing::error!(%error, "every request is refused");
        }
        Err(error)
    }
}

fn refused(place: &dyn std::fmt::Display, source: io::Error) -> StoreError {
    StoreError::Open { place: place.to_string(), source: source.into() }
}

/// Device and inode.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

/// Makes the file where there is none, and finds its absolute path. SQLite gives its log the same permissions.
fn make(path: &Path) -> io::Result<PathBuf> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let path = fs::canonicalize(path)?;
    if path.is_file() { Ok(path) } else { Err(io::Error::other("it is no file")) }
}

/// Whether others than the owner can read or write the file, or its log.
pub fn is_open_to_others(path: &Path) -> bool {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_open = |path: &Path| fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
    ENDINGS.iter().any(|ending| is_open(&beside(&path, ending)))
}

/// Makes sure that a database is ours.
fn is_ours(path: &Path, place: &str) -> Result<(), StoreError> {
    let failed = |source: rusqlite::Error| StoreError::Open { place: place.to_owned(), source: source.into() };
    if length(path) == 0 {
        return Ok(());
    }
    let mismatch = inspect(path)
        .map_err(sqlite::MigrationError::from)
        .and_then(|reader| schema::mismatch(&reader, APPLICATION_ID));
    match mismatch {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(StoreError::NotOurs { place: place.to_owned(), why }),
        Err(sqlite::MigrationError::Failed(source)) => Err(failed(source)),
        Err(newer) => Err(newer.into()),
    }
}

/// Opens a database to look at it, which leaves no trace in it or beside it.
fn inspect(path: &Path) -> rusqlite::Result<Connection> {
    let (log, index) = (beside(path, "-wal"), beside(path, "-shm"));
    // The log counts where it has something; without its index, it is read into memory, which takes a lock for a moment.
    let (option, access) = match (length(&log), index.exists()) {
        (0, _) => ("immutable=1", OpenFlags::SQLITE_OPEN_READ_ONLY),
        (_, true) => ("readonly_shm=1", OpenFlags::SQLITE_OPEN_READ_ONLY),
        (_, false) => ("", OpenFlags::SQLITE_OPEN_READ_WRITE),
    };
    let mut uri = Url::from_file_path(path).map_err(|()| rusqlite::Error::InvalidPath(path.to_owned()))?;
    uri.set_query(Some(option));
    let flags = access | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let reader = Connection::open_with_flags(uri.as_str(), flags)?;
    reader.busy_timeout(BUSY)?;
    if access == OpenFlags::SQLITE_OPEN_READ_WRITE {
        reader.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        reader.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
    }
    Ok(reader)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// Marks a database as ours.
pub(super) fn sign(writer: &Connection) -> rusqlite::Result<()> {
    writer.pragma_update(None, "application_id", APPLICATION_ID)
}

/// Locks a file beside the database: by its name, so that a database that takes the place of a served one is not served
/// with the other's log. It tells the process's number. `None` where there is none, unless it is to be made.
fn lock_pid_file(path: &Path, place: &str, make: bool) -> Result<Option<File>, StoreError> {
    let name = beside(path, ".pid");
    let mut options = OpenOptions::new();
    match options.read(true).write(true).create(make).truncate(false).mode(0o600).open(&name) {
        Ok(file) => {
            lock(&file, place, || fs::read_to_string(&name).ok()?.trim().parse().ok())?;
            Ok(Some(file))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && !make => Ok(None),
        Err(error) => Err(refused(&place, error)),
    }
}

/// Locks a file until its handle is closed. `holder` tells who has it locked already.
fn lock(file: &File, place: &str, holder: impl FnOnce() -> Option<u32>) -> Result<(), StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StoreError::Served { place: place.to_owned(), pid: holder() }),
        Err(TryLockError::Error(error)) => Err(refused(&place, error)),
    }
}

/// The process that has a file locked, as far as the system tells.
fn lock_holder(file: &File) -> Option<u32> {
    let inode = file.metadata().ok()?.ino().to_string();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    locks.lines().find_map(|lock| {
        // 1: FLOCK  ADVISORY  WRITE 12048 fe:00:5309158 0 EOF
        let [_, "FLOCK", _, "WRITE", pid, file, ..] = lock.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        if file.rsplit(':').next() == Some(&inode) { pid.parse().ok() } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::{Data, Store};

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

    fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.sort();
        files
    }

    /// Refused, and so is a copy that a crash has left with its log, with and without the log's index.
    fn is_refused_unchanged(sql: &str, log: bool) {
        let (folder, crashed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = folder.path().join("data.db");
        let other = Connection::open(&path).unwrap();
        if log {
            other.pragma_update(None, "journal_mode", "WAL").unwrap();
        }
        other.execute_batch(sql).unwrap();
        for (file, content) in files(folder.path()) {
            fs::write(crashed.path().join(file.file_name().unwrap()), content).unwrap();
        }
        drop(other);
        let refuse = |folder: &Path| {
            let before = files(folder);
            let error = Store::serve(&Data::File(folder.join("data.db"))).unwrap_err();
            assert!(matches!(error, StoreError::NotOurs { .. }), "{sql}: {error}");
            assert!(
                files(folder) == before,
                "{sql} {:?}",
                files(folder).iter().map(|(path, _)| path).collect::<Vec<_>>()
            );
        };
        refuse(folder.path());
        refuse(crashed.path());
        if log {
            fs::remove_file(crashed.path().join("data.db-shm")).unwrap();
            refuse(crashed.path());
        }
    }

    #[test]
    fn a_database_of_another_program_is_left_as_it_is() {
        for sql in [
            "CREATE TABLE notes (text TEXT)",
            "PRAGMA application_id = 7",
            "PRAGMA user_version = 3",
            "PRAGMA user_version = -1",
            "PRAGMA user_version = 99",
            "CREATE VIEW one AS SELECT 1 AS one",
            "CREATE TABLE users (id INTEGER)",
            "CREATE TABLE users (id); CREATE TABLE api_keys (id); CREATE TABLE conversations (id)",
            "CREATE TABLE users (id); CREATE TABLE api_keys (id); CREATE TABLE conversations (id); PRAGMA user_version = 12",
            "CREATE TABLE notes (text TEXT); PRAGMA application_id = 0x53574253",
        ] {
            is_refused_unchanged(sql, false);
            is_refused_unchanged(sql, true);
        }
    }

    #[test]
    fn a_database_of_ours_with_another_object_is_refused_and_the_object_named() {
        let folder = tempfile::tempdir().unwrap();
        let data = Data::File(folder.path().join("data.db"));
        drop(Store::open(&data).unwrap());
        let other = Connection::open(folder.path().join("data.db")).unwrap();
        other.execute_batch("ANALYZE; CREATE TABLE notes (text TEXT)").unwrap();
        drop(other);
        let error = Store::open(&data).unwrap_err().to_string();
        assert!(error.contains("it has the table notes"), "{error}");
    }

    #[test]
    fn a_database_that_a_crash_left_with_its_log_is_opened() {
        for endings in [&["", "-wal", "-shm"][..], &["", "-wal"]] {
            let (folder, crashed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let store = Store::open(&Data::File(folder.path().join("data.db"))).unwrap();
            store.keep_clock_offset(7).unwrap();
            for ending in endings {
                let name = format!("data.db{ending}");
                fs::copy(folder.path().join(&name), crashed.path().join(&name)).unwrap();
            }
            let store = Store::open(&Data::File(crashed.path().join("data.db"))).unwrap();
            assert_eq!(store.clock_offset().unwrap(), 7);
        }
    }

    #[test]
    fn a_database_from_the_future_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        drop(Store::open(&Data::File(path.clone())).unwrap());
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        let error = Store::open(&Data::File(path)).unwrap_err();
        assert!(matches!(error, StoreError::TooNew { found: 99, .. }), "{error}");
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
    fn a_second_one_that_serves_is_told_the_first_ones_number_by_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link, symlink] = ["data.db", "link.db", "symlink.db"].map(|name| folder.path().join(name));
        let first = Store::serve(&Data::File(path.clone())).unwrap();
        fs::hard_link(&path, &link).unwrap();
        std::os::unix::fs::symlink(&path, &symlink).unwrap();
        let is_served = |path: &Path| {
            let error = Store::serve(&Data::File(path.to_owned())).unwrap_err();
            let pid = Some(std::process::id());
            assert!(matches!(&error, StoreError::Served { pid: told, .. } if *told == pid), "{error}");
        };
        for path in [&path, &link, &symlink] {
            is_served(path);
        }
        fs::remove_file(beside(&path, ".pid")).unwrap();
        is_served(&path);
        drop(first);
        let error = Store::serve(&Data::File(path.clone())).unwrap_err().to_string();
        assert!(error.contains("2 names"), "{error}");
        fs::remove_file(link).unwrap();
        let _first = Store::serve(&Data::File(path.clone())).unwrap();
        // By its name: the log beside it is the first one's.
        fs::remove_file(&path).unwrap();
        is_served(&path);
    }

    #[test]
    fn a_name_may_have_the_characters_of_a_uri() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a?mode=memory#b%41", "file:c.db", "\u{e9} \n"] {
            let path = folder.path().join(name);
            drop(Store::open(&Data::File(path.clone())).unwrap());
            assert!(length(&path) > 0, "{name}");
            drop(Store::open(&Data::File(path)).unwrap());
        }
    }

    #[test]
    fn a_database_that_is_no_longer_at_its_path_is_neither_written_nor_read() {
        for (ending, other) in [("", None), ("", Some("")), ("-wal", None), ("-shm", None)] {
            let folder = tempfile::tempdir().unwrap();
            let (path, aside) = (folder.path().join("data.db"), folder.path().join("aside"));
            let store = Store::open(&Data::File(path.clone())).unwrap();
            store.keep_clock_offset(7).unwrap();
            let (changed, version) = (beside(&path, ending), store.version());
            fs::rename(&changed, &aside).unwrap();
            if let Some(content) = other {
                fs::write(&changed, content).unwrap();
            }
            let replaced = |result| matches!(result, Err(StoreError::Replaced { .. }));
            assert!(replaced(store.keep_clock_offset(8)), "{ending}");
            assert!(replaced(store.clock_offset().map(drop)), "{ending}");
            assert!(store.version() > version, "what is kept in memory is out of date");
            fs::rename(&aside, &changed).unwrap();
            assert_eq!(store.clock_offset().unwrap(), 7, "{ending}");
            store.keep_clock_offset(9).unwrap();
        }
    }
}
