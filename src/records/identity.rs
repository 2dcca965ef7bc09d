//! Whether the database is the one that was left here: ours, whole, not an older copy, and still at its path.

use super::{RecordsError, about};
use crate::sqlite::{self, MigrationError, moment, one};
use jiff::Timestamp;
use rusqlite::Connection;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};

/// `SWBD`, in the header of the file.
const APPLICATION_ID: i64 = 0x5357_4244;
/// Beside the database, how often it was opened or closed, and the number of its newest entry: so that an older copy of it
/// is noticed.
const COUNT: &str = "records.count";
/// Where the number of the newest entry stands in that file: both are written with so many digits less one.
const NUMBER_AT: u64 = 21;

/// The database's file as it was when it was opened.
#[derive(Debug)]
pub(super) struct Identity {
    path: PathBuf,
    device: u64,
    inode: u64,
    /// The file beside it.
    count: File,
    /// The number of the newest entry that this program has written.
    newest: AtomicI64,
}

impl Identity {
    /// Of the file at this path.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        let count = OpenOptions::new().read(true).write(true).open(path.with_file_name(COUNT))?;
        Ok(Self { path: path.to_owned(), device: found.dev(), inode: found.ino(), count, newest: AtomicI64::new(0) })
    }

    /// The number of the newest entry that any program has noted; 0 where none can be read, as while the file is rewritten.
    fn noted(&self) -> i64 {
        let mut digits = [0; 20];
        let read = self.count.read_exact_at(&mut digits, NUMBER_AT);
        read.ok().and_then(|()| std::str::from_utf8(&digits).ok()?.parse().ok()).unwrap_or(0)
    }

    /// Notes the number of the newest entry beside the database. It is not synchronised: a crash of the machine may lose
    /// it, and then an older copy may pass.
    pub(super) fn note(&self, number: i64) {
        self.newest.fetch_max(number, Ordering::Relaxed);
        if let Err(error) = self.count.write_all_at(format!("{number:020}").as_bytes(), NUMBER_AT) {
            tracing::warn!(%error, "the newest entry is not noted beside the records");
        }
    }

    /// Makes sure that what was written by this program, or noted by any, is still in the file: it may have been written
    /// over with an older copy. In a transaction that writes, so that nobody adds to it meanwhile.
    ///
    /// # Errors
    /// Where it is gone.
    pub(super) fn check_entries(&self, connection: &Connection) -> Result<(), RecordsError> {
        let is_there = newest(connection)? >= self.newest.load(Ordering::Relaxed).max(self.noted());
        if is_there { Ok(()) } else { Err(RecordsError::Replaced(self.path.clone())) }
    }

    /// Makes sure that the open file is still the one at its path: what is recorded in another one is lost.
    ///
    /// # Errors
    /// Where it was deleted, moved or replaced.
    pub(super) fn check(&self) -> Result<(), RecordsError> {
        let replaced = || RecordsError::Replaced(self.path.clone());
        let found = fs::metadata(&self.path).map_err(|_| replaced())?;
        let is_same = (found.dev(), found.ino()) == (self.device, self.inode) && found.nlink() > 0;
        if is_same { Ok(()) } else { Err(replaced()) }
    }
}

/// Makes sure that a database is ours, before anything in it is changed.
///
/// # Errors
/// Where another program made it, or a newer version of this one.
pub(super) fn is_ours(connection: &Connection, path: &Path, versions: &[&str]) -> Result<(), RecordsError> {
    match sqlite::schema_mismatch(connection, APPLICATION_ID, versions) {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(RecordsError::NotOurs { path: path.to_owned(), why }),
        Err(MigrationError::Failed(source)) => {
            Err(RecordsError::Open { place: path.to_owned(), source: source.into() })
        }
        Err(newer) => Err(newer.into()),
    }
}

/// Marks a database as ours.
pub(super) fn sign(connection: &Connection) -> Result<(), RecordsError> {
    Ok(connection.pragma_update(None, "application_id", APPLICATION_ID)?)
}

/// Looks for damage, as after a run that did not end in order.
///
/// # Errors
/// Where some was found.
pub(super) fn is_whole(connection: &Connection, path: &Path) -> Result<(), RecordsError> {
    let found: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(RecordsError::Damaged { path: path.to_owned(), found }) }
}

/// What is known of a database that was replaced by an older copy or deleted. What it lacks had higher numbers than `after`,
/// so that a changed clock hides nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Restored {
    /// When that was noticed.
    pub(super) at: Timestamp,
    /// The number of the newest entry that it had then.
    pub(super) after: i64,
}

/// Counts an opening or a closing, here and in a file beside the database. Where the file knows of more, the database is an
/// older copy or a new one: that is recorded.
///
/// # Errors
/// Where either cannot be read or written.
pub(super) fn count(connection: &Connection, dir: &Path, now: Timestamp) -> Result<(), RecordsError> {
    let path = dir.join(COUNT);
    let refused = |source: io::Error| RecordsError::Open { place: path.clone(), source: source.into() };
    let here = (about::get(connection, "count")?.unwrap_or(0), newest(connection)?);
    let beside = match fs::read_to_string(&path) {
        Ok(text) => {
            let mut numbers = text.split_whitespace().map(|number| number.parse().unwrap_or(0));
            (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => (0, 0),
        Err(error) => return Err(refused(error)),
    };
    if beside.0 > here.0 || beside.1 > here.1 {
        // A clock that was set back does not make this older than what is here, or was: the last entry was noted beside.
        let newest: i64 = one(connection, "SELECT COALESCE(MAX(began), 0) FROM outbox", [], |row| row.get(0))?;
        let noted = fs::metadata(&path).and_then(|file| file.modified()).ok();
        let noted = noted.and_then(|time| Timestamp::try_from(time).ok()).map_or(0, Timestamp::as_microsecond);
        about::set(connection, "restored", now.as_microsecond().max(newest).max(noted))?;
        about::set(connection, "restored after", here.1)?;
    }
    let next = here.0.max(beside.0) + 1;
    // The database first: a count that is missing beside it is none too many.
    about::set(connection, "count", next)?;
    let written = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        file.write_all(format!("{next:020} {:020}\n", here.1).as_bytes())?;
        file.sync_all()
    };
    written().map_err(refused)
}

/// What is known of the last time that the database was replaced by an older one; `None` where it is whole.
pub(super) fn restored(connection: &Connection) -> Result<Option<Restored>, RecordsError> {
    let Some(at) = about::get(connection, "restored")? else { return Ok(None) };
    let after = about::get(connection, "restored after")?.unwrap_or(i64::MAX);
    Ok(Some(Restored { at: moment(at)?, after }))
}

/// The number of the newest entry of the outbox; 0 where it is empty.
fn newest(connection: &Connection) -> Result<i64, RecordsError> {
    Ok(one(connection, "SELECT COALESCE(MAX(number), 0) FROM outbox", [], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Departing, Records, RecordsError, tests::intent};
    use jiff::SignedDuration;

    fn leaves(records: &Records, id: u128) -> Result<(), RecordsError> {
        records.begin(&Departing::again(&intent(id), "ada"), Timestamp::now()).map(drop)
    }

    #[test]
    fn older_copy_is_noticed_and_so_is_a_deleted_database() {
        let home = tempfile::tempdir().unwrap();
        let (path, copy) = (home.path().join("records.db"), home.path().join("copy"));
        let records = Records::open(home.path()).unwrap();
        leaves(&records, 1).unwrap();
        drop(records);
        fs::copy(&path, &copy).unwrap();
        let records = Records::open(home.path()).unwrap();
        leaves(&records, 2).unwrap();
        assert_eq!(records.restored().unwrap(), None);
        drop(records);
        assert_eq!(Records::open(home.path()).unwrap().restored().unwrap(), None, "nothing happened to it");
        fs::copy(&copy, &path).unwrap();
        assert!(Records::open(home.path()).unwrap().restored().unwrap().is_some());
        assert!(Records::open(home.path()).unwrap().restored().unwrap().is_some(), "it stays so");
        fs::remove_file(&path).unwrap();
        assert!(Records::open(home.path()).unwrap().restored().unwrap().is_some());
    }

    #[test]
    fn copy_made_while_a_program_sends_is_noticed_though_that_program_was_killed() {
        let home = tempfile::tempdir().unwrap();
        let (path, copy) = (home.path().join("records.db"), home.path().join("copy"));
        let records = Records::open(home.path()).unwrap();
        leaves(&records, 1).unwrap();
        fs::copy(&path, &copy).unwrap();
        leaves(&records, 2).unwrap();
        // Killed: its end is counted nowhere.
        std::mem::forget(records);
        fs::copy(&copy, &path).unwrap();
        let records = Records::open(home.path()).unwrap();
        let first = records.restored().unwrap();
        assert!(first.is_some());
        drop(records);
        assert_eq!(Records::open(home.path()).unwrap().restored().unwrap(), first, "it is noticed once");
    }

    #[test]
    fn clock_that_was_set_forward_or_back_hides_no_older_copy() {
        use crate::records::{Intent, RowOf};
        use uuid::Uuid;
        let (future, past) = (Timestamp::now() + SignedDuration::from_hours(48), Timestamp::UNIX_EPOCH);
        let home = tempfile::tempdir().unwrap();
        let (path, copy) = (home.path().join("records.db"), home.path().join("copy"));
        let sends = |records: &Records, batch: u128, line: u64, at| {
            let row = Some(RowOf { batch: Uuid::from_u128(batch), line });
            let intent = Intent { row, ..intent(batch * 100 + u128::from(line)) };
            records.begin(&Departing::again(&intent, "ada"), at).map(drop).unwrap();
        };
        let records = Records::open(home.path()).unwrap();
        sends(&records, 1, 2, future);
        assert!(records.remembers(Uuid::from_u128(1)).unwrap());
        drop(records);
        fs::copy(&path, &copy).unwrap();
        let records = Records::open(home.path()).unwrap();
        sends(&records, 1, 3, future);
        drop(records);
        fs::copy(&copy, &path).unwrap();
        let records = Records::open(home.path()).unwrap();
        assert!(!records.remembers(Uuid::from_u128(1)).unwrap(), "it began before, whatever the clock says");
        assert!(
            records.restored().unwrap() >= Some(future - SignedDuration::from_secs(1)),
            "nor is it older than that"
        );
        sends(&records, 2, 2, past);
        assert!(records.remembers(Uuid::from_u128(2)).unwrap(), "it began after");
        assert!(!records.remembers(Uuid::from_u128(3)).unwrap(), "nothing is known of it");
    }

    #[test]
    fn nothing_is_recorded_in_a_file_that_is_no_longer_at_its_path() {
        let home = tempfile::tempdir().unwrap();
        let (path, aside) = (home.path().join("records.db"), home.path().join("aside"));
        for way in [|path: &Path, _: &Path| fs::remove_file(path), |path: &Path, aside: &Path| fs::rename(path, aside)]
        {
            let records = Records::open(home.path()).unwrap();
            leaves(&records, fastrand::u128(..)).unwrap();
            way(&path, &aside).unwrap();
            let refused = leaves(&records, 7).unwrap_err();
            assert!(matches!(refused, RecordsError::Replaced(_)), "{refused}");
            let other = Records::open(home.path()).unwrap();
            assert!(matches!(leaves(&records, 7), Err(RecordsError::Replaced(_))), "another one is at its path");
            leaves(&other, 7).unwrap();
        }
    }

    #[test]
    fn nothing_is_recorded_in_an_older_copy_that_was_written_over_the_open_file() {
        let home = tempfile::tempdir().unwrap();
        let (path, copy) = (home.path().join("records.db"), home.path().join("copy"));
        let records = Records::open(home.path()).unwrap();
        leaves(&records, 1).unwrap();
        fs::copy(&path, &copy).unwrap();
        leaves(&records, 2).unwrap();
        fs::copy(&copy, &path).unwrap();
        assert!(matches!(leaves(&records, 3), Err(RecordsError::Replaced(_))));
    }

    #[test]
    fn older_copy_is_noticed_by_a_program_that_has_sent_nothing_itself() {
        let home = tempfile::tempdir().unwrap();
        let (path, copy) = (home.path().join("records.db"), home.path().join("copy"));
        let (records, other) = (Records::open(home.path()).unwrap(), Records::open(home.path()).unwrap());
        leaves(&other, 1).unwrap();
        fs::copy(&path, &copy).unwrap();
        leaves(&other, 2).unwrap();
        fs::copy(&copy, &path).unwrap();
        assert!(matches!(leaves(&records, 3), Err(RecordsError::Replaced(_))));
        drop((records, other));
        assert!(Records::open(home.path()).unwrap().restored().unwrap().is_some());
    }

    #[test]
    fn what_may_have_been_forgotten_leaves_only_where_a_person_has_confirmed_it() {
        use crate::records::{Again, Begun, Content, Intent, RowOf, TemplateName};
        use uuid::Uuid;
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("records.db");
        let template = Content::Template(TemplateName { id: 5, name: "note".to_owned() });
        let row = |id, batch: u128, line| Intent {
            row: Some(RowOf { batch: Uuid::from_u128(batch), line }),
            content: template.clone(),
            phone: format!("+49305550{id:02}"),
            ..intent(id)
        };
        let begin = |records: &Records, intent: &Intent, again, hours: i64| {
            let repeat = SignedDuration::from_hours(24);
            let departing = Departing { again, repeat, content: Some("a"), ..Departing::again(intent, "ada") };
            records.begin(&departing, Timestamp::now() + SignedDuration::from_hours(hours)).unwrap()
        };
        let is_forgotten = |begun| matches!(begun, Begun::Forgotten(_));
        let records = Records::open(home.path()).unwrap();
        assert!(!is_forgotten(begin(&records, &row(1, 1, 2), Again::No, 0)));
        drop(records);
        let older = fs::read(&path).unwrap();
        let records = Records::open(home.path()).unwrap();
        assert!(!is_forgotten(begin(&records, &row(2, 1, 3), Again::No, 0)));
        drop(records);
        for content in [None, Some(&older)] {
            fs::remove_file(&path).unwrap();
            if let Some(content) = content {
                fs::write(&path, content).unwrap();
            }
            let records = Records::open(home.path()).unwrap();
            let single = Intent { content: template.clone(), ..intent(10) };
            let call = Intent { content: Content::Call, ..intent(11) };
            for intent in [&single, &call, &intent(12), &row(13, 2, 2)] {
                assert!(is_forgotten(begin(&records, intent, Again::No, 0)), "{intent:?}");
                assert_eq!(records.entry(intent.id).unwrap(), None, "nothing is recorded");
            }
            assert!(is_forgotten(begin(&records, &single, Again::No, -48)), "the clock was set back");
            assert!(!is_forgotten(begin(&records, &call, Again::No, 1)), "calls ask for ten minutes");
            assert!(!is_forgotten(begin(&records, &single, Again::Forgotten, 0)));
            let other = Intent { phone: "+4930555999".to_owned(), content: template.clone(), ..intent(14) };
            assert!(!is_forgotten(begin(&records, &other, Again::No, 25)), "a day later");
            assert!(!is_forgotten(begin(&records, &row(15, 3, 2), Again::Before(Timestamp::MAX), 0)), "sent to all");
            assert!(!is_forgotten(begin(&records, &row(16, 3, 3), Again::No, 0)), "it began since: all of it is here");
            if content.is_some() {
                let row = row(17, 1, 3);
                assert!(
                    is_forgotten(begin(&records, &row, Again::Before(Timestamp::MAX), 99)),
                    "it began before: how far it came is forgotten for ever"
                );
            }
        }
    }

    #[test]
    fn database_of_another_program_is_refused_unchanged() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("records.db");
        for sql in [
            "CREATE TABLE notes (text TEXT)",
            "CREATE TABLE outbox (id TEXT)",
            "CREATE VIEW one AS SELECT 1",
            "PRAGMA user_version = 3",
            "PRAGMA application_id = 7; CREATE TABLE outbox (id TEXT)",
            "PRAGMA application_id = 0x53574244; CREATE TABLE notes (text TEXT)",
        ] {
            let _ = fs::remove_file(&path);
            Connection::open(&path).unwrap().execute_batch(sql).unwrap();
            let found = || (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().mode());
            let before = found();
            assert!(matches!(Records::open(home.path()), Err(RecordsError::NotOurs { .. })), "{sql}");
            assert!(found() == before, "{sql}");
        }
    }

    #[test]
    fn damage_is_found_after_a_run_that_died() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("records.db");
        let records = Records::open(home.path()).unwrap();
        for id in 1..200 {
            leaves(&records, id).unwrap();
        }
        drop(records);
        // A page of the outbox is overwritten, and a program has left its lock file.
        let mut bytes = fs::read(&path).unwrap();
        let page = bytes.len() * 3 / 4 / 4096 * 4096;
        bytes[page..page + 4096].fill(0x5a);
        fs::write(&path, bytes).unwrap();
        fs::write(home.path().join("runs/dead.lock"), "").unwrap();
        let refused = Records::open(home.path()).unwrap_err();
        assert!(matches!(refused, RecordsError::Damaged { .. } | RecordsError::Failed(_)), "{refused}");
    }
}
