//! Opening the database: for its owner alone, at the newest schema, durable.

use super::identity::{self, Identity, Restored};
use super::runs::{self, Claim, Run};
use super::{RecordsError, about};
use crate::messaging::Phone;
use crate::sqlite;
use jiff::Timestamp;
use ring::rand::{SecureRandom as _, SystemRandom};
use rusqlite::{Connection, OpenFlags, Transaction};
use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// The name of the database in the state folder.
pub const FILE_NAME: &str = "records.db";

/// Which plain form of numbers entries have, so that an older one is replaced.
const PLAIN: i64 = 2;
/// The version of the schema from which on what is deleted is overwritten.
const OVERWRITTEN: usize = 9;
/// The migrations of the schema, in the order in which they were added.
const VERSIONS: &[&str] = &[
    include_str!("sql/0001_first.sql"),
    include_str!("sql/0002_batches.sql"),
    include_str!("sql/0003_assistants.sql"),
    include_str!("sql/0004_ids.sql"),
    include_str!("sql/0005_uploads.sql"),
    include_str!("sql/0006_guard.sql"),
    include_str!("sql/0007_batch_text.sql"),
    include_str!("sql/0010_reading.sql"),
    include_str!("sql/0008_codes.sql"),
    include_str!("sql/0011_held.sql"),
];

/// What the program keeps on this machine. It can be shared between threads.
#[derive(Debug)]
pub struct Records {
    connection: Mutex<Connection>,
    run: Run,
    /// The batches that this program sends.
    claims: Mutex<HashMap<Uuid, Claim>>,
    /// `None` in memory.
    home: Option<Home>,
}

/// Where the records are.
#[derive(Debug)]
struct Home {
    dir: PathBuf,
    identity: Identity,
}

impl Records {
    /// Opens the records in this folder, and makes both where they are missing, for the user alone.
    ///
    /// What programs that have died were waiting for is unknown from here on.
    ///
    /// # Errors
    /// Where the folder or the database cannot be opened, or was made by a newer version.
    pub fn open(dir: &Path) -> Result<Self, RecordsError> {
        let refused = |source: io::Error| RecordsError::Open { place: dir.to_owned(), source: source.into() };
        DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(refused)?;
        keep_private(dir, 0o700).map_err(refused)?;
        // Programs that start at the same moment make and change the database one after the other.
        let alone = runs::hold(dir).map_err(refused)?;
        let path = dir.join(FILE_NAME);
        make(&path, &alone).map_err(|error| refused_io(&path, error))?;
        let refused = |source: rusqlite::Error| RecordsError::Open { place: path.clone(), source: source.into() };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags).map_err(refused)?;
        connection.busy_timeout(sqlite::BUSY).map_err(refused)?;
        identity::is_ours(&connection, &path, VERSIONS)?;
        keep_all_private(&path).map_err(|error| refused_io(&path, error))?;
        // Not a write-ahead log: a database that has lost its log passes every check and has forgotten its last rows.
        let journal: String =
            connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0)).map_err(refused)?;
        if journal != "delete" {
            return Err(RecordsError::InUse(path));
        }
        prepare(&mut connection)?;
        identity::sign(&connection)?;
        identity::count(&connection, dir, Timestamp::now())?;
        let home =
            Home { dir: dir.to_owned(), identity: Identity::of(&path).map_err(|error| refused_io(&path, error))? };
        let run = Run::begin(dir)?;
        drop(alone);
        let records = Self { connection: Mutex::new(connection), run, claims: Mutex::default(), home: Some(home) };
        records.with(|connection, run| {
            let died = run.bury_the_dead(connection)?;
            if run.sweep()? || died { identity::is_whole(connection, &path) } else { Ok(()) }
        })?;
        Ok(records)
    }

    /// Claims a batch for this program, until it is released or the program ends.
    ///
    /// # Errors
    /// Where another program has it.
    pub fn claim(&self, batch: Uuid) -> Result<(), RecordsError> {
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        if !claims.contains_key(&batch)
            && let Some(claim) = self.run.claim(batch)?
        {
            claims.insert(batch, claim);
        }
        Ok(())
    }

    /// Whether another program has a batch. It is not claimed: a command in another terminal may resume it.
    pub(super) fn is_claimed_elsewhere(&self, batch: Uuid) -> bool {
        let claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        !claims.contains_key(&batch) && matches!(self.run.claim(batch), Err(RecordsError::Claimed(_)))
    }

    /// Gives a batch up, so that another program may send it.
    pub(super) fn release(&self, batch: Uuid) {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner).remove(&batch);
    }

    /// When it was noticed that the records may lack sends that older ones had, because the file was replaced by an older
    /// copy or deleted; `None` where they are whole.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn restored(&self) -> Result<Option<Timestamp>, RecordsError> {
        self.with(|connection, _| Ok(identity::restored(connection)?.map(|restored| restored.at)))
    }

    /// Whether the records have all that a batch has sent: they are whole, or it began after that was noticed.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn remembers(&self, batch: Uuid) -> Result<bool, RecordsError> {
        self.with(|connection, _| {
            let Some(Restored { after, .. }) = identity::restored(connection)? else { return Ok(true) };
            let first = "SELECT MIN(number) FROM outbox WHERE batch = $1";
            let first: Option<i64> = sqlite::one(connection, first, [batch.to_string()], |row| row.get(0))?;
            Ok(first.is_some_and(|first| first > after))
        })
    }

    /// Notes the newest entry beside the database.
    pub(super) fn note(&self, number: i64) {
        if let Some(home) = &self.home {
            home.identity.note(number);
        }
    }

    /// Makes sure that what is recorded now is found again.
    ///
    /// # Errors
    /// Where the file is no longer at its path.
    pub(super) fn check_file(&self) -> Result<(), RecordsError> {
        self.home.as_ref().map_or(Ok(()), |home| home.identity.check())
    }

    /// Makes sure, in the transaction that writes an entry, that those before it are still there.
    ///
    /// # Errors
    /// Where they are not.
    pub(super) fn check_entries(&self, connection: &Connection) -> Result<(), RecordsError> {
        self.home.as_ref().map_or(Ok(()), |home| home.identity.check_entries(connection))
    }

    /// Records that end with the process.
    ///
    /// # Errors
    /// Where there is no memory for them.
    pub fn in_memory() -> Result<Self, RecordsError> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection), run: Run::in_memory(), claims: Mutex::default(), home: None })
    }

    /// Runs `work` on the connection, one caller at a time.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection, &Run) -> Result<T, RecordsError>,
    ) -> Result<T, RecordsError> {
        // A panic while the lock was held left no half-done work behind: a transaction that is dropped is rolled back.
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut connection, &self.run)
    }

    /// Like [`Self::with`], once what dead programs have left behind is settled.
    pub(super) fn with_the_dead_buried<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, RecordsError>,
    ) -> Result<T, RecordsError> {
        self.with(|connection, run| {
            run.bury_the_dead(connection)?;
            work(connection)
        })
    }

    /// Runs `work` in a transaction: all of it happens, or nothing.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, RecordsError>,
    ) -> Result<T, RecordsError> {
        self.with(|connection, _| sqlite::write(connection, work))
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        if let Some(home) = &self.home {
            // An older copy than this end is noticed at the next opening.
            let counted = self.with(|connection, _| {
                let _alone = runs::hold(&home.dir).map_err(|error| refused_io(&home.dir, error))?;
                identity::count(connection, &home.dir, Timestamp::now())
            });
            if let Err(error) = counted {
                tracing::warn!(%error, "the end of this run is not counted");
            }
        }
    }
}

fn refused_io(place: &Path, source: io::Error) -> RecordsError {
    RecordsError::Open { place: place.to_owned(), source: source.into() }
}

/// Makes the database's file, so that it never was anybody else's to read. The files that SQLite puts beside it take
/// its mode. One that is there is not opened: closing it would take away the locks that this process has on it.
fn make(path: &Path, folder: &File) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => folder.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => sqlite::check_single_name(path),
        Err(error) => Err(error),
    }
}

/// Takes away what others may do with the database and what SQLite has put beside it.
fn keep_all_private(path: &Path) -> io::Result<()> {
    for ending in ["", "-journal", "-wal", "-shm"] {
        match keep_private(&sqlite::beside(path, ending), 0o600) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Takes away what others may do with a file.
fn keep_private(path: &Path, mode: u32) -> io::Result<()> {
    let found = fs::metadata(path)?.permissions().mode();
    if found & 0o777 & !mode == 0 { Ok(()) } else { fs::set_permissions(path, Permissions::from_mode(mode)) }
}

/// Gives the entries of older versions their persons: SQL cannot tell how a country writes its numbers.
fn name_persons(connection: &mut Connection) -> Result<(), RecordsError> {
    sqlite::write(connection, |transaction| {
        let phones = sqlite::many(transaction, "SELECT DISTINCT phone FROM outbox", [], |row| row.get::<_, String>(0))?;
        for phone in phones {
            sqlite::execute(
                transaction,
                "UPDATE outbox SET person = $1 WHERE phone = $2",
                (Phone::plain(&phone), &phone),
            )?;
        }
        about::set(transaction, "plain", PLAIN)
    })
}

/// Recorded sends survive a crash of the machine too.
fn prepare(connection: &mut Connection) -> Result<(), RecordsError> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What is deleted is overwritten: a draft or a code that is gone is in no page of the file.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    let before = sqlite::version(connection)?;
    sqlite::migrate(connection, VERSIONS)?;
    if about::get(connection, "plain")?.unwrap_or(0) < PLAIN {
        name_persons(connection)?;
    }
    if (1..OVERWRITTEN).contains(&before) {
        // Pages that were left behind are written anew without what is gone; where that fails, they are used up in time.
        let _ = connection.execute_batch("VACUUM");
    }
    let mut key = [0; 32];
    SystemRandom::new().fill(&mut key).map_err(|_| RecordsError::Random)?;
    sqlite::execute(connection, "INSERT INTO about (name, value) VALUES ('key', $1) ON CONFLICT DO NOTHING", [key])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Resource, StorageRequest};

    fn add_sender(id: i64) -> StorageRequest {
        StorageRequest::AddId { resource: Resource::Sender, id }
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn only_the_owner_can_read_what_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("state/switchboard");
        let records = Records::open(&dir).unwrap();
        records.store("live", &add_sender(1), Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!((mode(&dir), mode(&dir.join("runs"))), (0o700, 0o700));
        for name in ["records.db", "records.count"] {
            assert_eq!(mode(&dir.join(name)), 0o600, "{name}");
        }
    }

    #[test]
    fn what_others_could_read_is_theirs_no_longer() {
        let home = tempfile::tempdir().unwrap();
        drop(Records::open(home.path()).unwrap());
        fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(home.path().join(FILE_NAME), Permissions::from_mode(0o644)).unwrap();
        let _records = Records::open(home.path()).unwrap();
        assert_eq!((mode(home.path()), mode(&home.path().join(FILE_NAME))), (0o700, 0o600));
    }

    #[test]
    fn what_is_recorded_is_synchronised_with_the_disk() {
        let home = tempfile::tempdir().unwrap();
        let read = |records: &Records, pragma: &str| {
            records.with(|connection, _| {
                Ok(connection.pragma_query_value(None, pragma, |row| row.get::<_, rusqlite::types::Value>(0))?)
            })
        };
        let records = Records::open(home.path()).unwrap();
        assert_eq!(read(&records, "synchronous").unwrap(), 2_i64.into());
        assert_eq!(read(&records, "journal_mode").unwrap(), "delete".to_owned().into());
    }

    #[test]
    fn senders_added_by_an_earlier_version_stay() {
        let home = tempfile::tempdir().unwrap();
        let mut connection = Connection::open(home.path().join(FILE_NAME)).unwrap();
        sqlite::migrate(&mut connection, &VERSIONS[..3]).unwrap();
        connection.execute_batch("INSERT INTO senders (profile, sender_id) VALUES ('live', 9), ('live', 2)").unwrap();
        drop(connection);
        assert_eq!(Records::open(home.path()).unwrap().profile_data("live").unwrap().senders, [9, 2]);
    }

    #[test]
    fn codes_stored_by_an_earlier_version_are_in_the_file_no_longer() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(FILE_NAME);
        let mut connection = Connection::open(&path).unwrap();
        sqlite::migrate(&mut connection, &VERSIONS[..7]).unwrap();
        let sent = |id: &str, template: i64, digest: &str, text: &str| {
            format!(
                "INSERT INTO outbox (id, run, profile, account, sender_id, sender, phone, person, template_id, digest, text, \
                 began) VALUES ('00000000-0000-0000-0000-00000000000{id}', 'r', 'live', 'ada', 1, '+1', '+1', '+1', {template}, {digest}, '{text}', 0);"
            )
        };
        let drafted = |template: i64, value: &str| {
            format!(
                "INSERT INTO drafts (profile, phone, template_id, name, \"values\", saved) \
                 VALUES ('live', '+1', {template}, '', '{{\"a\": \"{value}\"}}', 0); \
                 INSERT INTO used (profile, template_id, variable, value) VALUES ('live', {template}, 'a', '{value}');"
            )
        };
        let begun = [sent("a", 3, "NULL", "739154 is your code"), sent("b", 1, "x''", "See you on 3 May")].concat();
        connection.execute_batch(&[begun, drafted(3, "739155"), drafted(1, "4 May")].concat()).unwrap();
        drop(connection);
        let records = Records::open(home.path()).unwrap();
        let data = records.profile_data("live").unwrap();
        assert_eq!((data.drafts.len(), data.used.len()), (1, 1));
        let texts = records.outbox(Some("live"), 9).unwrap().into_iter().map(|entry| entry.intent.text);
        assert_eq!(texts.collect::<Vec<_>>(), [Some("See you on 3 May".to_owned()), None]);
        let file = fs::read(path).unwrap();
        let has = |text: &str| file.windows(text.len()).any(|window| window == text.as_bytes());
        assert_eq!(["739154", "739155", "4 May"].map(has), [false, false, true]);
    }

    #[test]
    fn records_from_the_future_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let records = Records::open(home.path()).unwrap();
        records.with(|connection, _| Ok(connection.pragma_update(None, "user_version", 99)?)).unwrap();
        drop(records);
        let refused = Records::open(home.path()).unwrap_err();
        assert!(matches!(refused, RecordsError::TooNew { found: 99, .. }), "{refused}");
    }

    #[test]
    fn a_file_that_is_no_database_is_named() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(FILE_NAME), "a letter to a friend, of some length").unwrap();
        let said = Records::open(home.path()).unwrap_err().to_string();
        assert!(said.contains(FILE_NAME) && said.contains("cannot be opened"), "{said}");
        let said = Records::open(&home.path().join(FILE_NAME).join("below")).unwrap_err().to_string();
        assert!(said.contains("below cannot be opened"), "{said}");
    }

    #[test]
    fn records_with_a_second_name_are_refused() {
        let home = tempfile::tempdir().unwrap();
        drop(Records::open(home.path()).unwrap());
        fs::hard_link(home.path().join(FILE_NAME), home.path().join("other.db")).unwrap();
        let said = Records::open(home.path()).unwrap_err().to_string();
        assert!(said.contains("2 names"), "{said}");
    }

    #[test]
    fn many_that_start_at_once_all_have_the_same_records() {
        let home = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let opening: Vec<_> = (0..8).map(|_| scope.spawn(|| Records::open(home.path()))).collect();
            let records: Vec<Records> = opening.into_iter().map(|opened| opened.join().unwrap().unwrap()).collect();
            records[0].store("live", &add_sender(7), Timestamp::UNIX_EPOCH).unwrap();
            assert!(records.iter().all(|records| records.profile_data("live").unwrap().senders == [7]));
        });
    }
}
