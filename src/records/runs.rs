//! Which programs run on the records: each holds a lock on a file of its own, and the system lets go of it however the
//! program ends. Whoever reads the outbox thereby knows for whose answers nobody waits any more.
//!
//! All of this happens while the folder is locked, so that nobody looks at a file that is made but not locked yet.

use super::{RecordsError, held, uploads};
use crate::messaging::{Outcome, Refusal};
use crate::sqlite::{BUSY, execute, many, write};
use jiff::Timestamp;
use rusqlite::Connection;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// The reason of an unknown outcome whose program has died.
pub(super) const DIED: &str = "the program ended before the answer came";
/// Why a send that the server asked to wait was not sent, where its program has died.
pub(super) const WAITED: &str = "the program ended while the server asked to wait";
/// The same of one that was held.
pub(super) const HELD: &str = "the program ended before it left";
/// The folder with a file for each running program.
const FOLDER: &str = "runs";
/// How often a lock that another has is tried.
const AGAIN: Duration = Duration::from_millis(5);

/// This program, as the others see it.
#[derive(Debug)]
pub(super) struct Run {
    name: String,
    /// `None` in memory, where there are no others.
    alive: Option<Alive>,
}

#[derive(Debug)]
struct Alive {
    dir: PathBuf,
    file: PathBuf,
    /// Locked for as long as it is open.
    _lock: File,
}

impl Run {
    /// Enters this program. The caller holds the folder.
    pub(super) fn begin(dir: &Path) -> Result<Self, RecordsError> {
        let entered = || -> io::Result<Self> {
            DirBuilder::new().recursive(true).mode(0o700).create(dir.join(FOLDER))?;
            let name = Uuid::from_u128(fastrand::u128(..)).to_string();
            let file = lock_file(dir, &name);
            let lock = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
            lock.lock()?;
            Ok(Self { name, alive: Some(Alive { dir: dir.to_owned(), file, _lock: lock }) })
        };
        entered().map_err(|source| RecordsError::Runs { place: dir.join(FOLDER), source })
    }

    pub(super) fn in_memory() -> Self {
        Self { name: Uuid::nil().to_string(), alive: None }
    }

    /// Claims a batch for this program until the claim is dropped.
    ///
    /// # Errors
    /// Where another program has it.
    pub(super) fn claim(&self, batch: Uuid) -> Result<Option<Claim>, RecordsError> {
        let Some(Alive { dir, .. }) = &self.alive else { return Ok(None) };
        let file = dir.join(FOLDER).join(format!("{batch}.batch"));
        let claimed = || -> io::Result<Result<File, String>> {
            let _alone = hold(dir)?;
            let mut lock =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&file)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(Err(io::read_to_string(lock)?)),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            lock.set_len(0)?;
            write!(lock, "{}", std::process::id())?;
            Ok(Ok(lock))
        };
        match claimed().map_err(|source| RecordsError::Runs { place: dir.join(FOLDER), source })? {
            Ok(lock) => Ok(Some(Claim { dir: dir.clone(), file, _lock: lock })),
            Err(pid) => Err(RecordsError::Claimed(pid)),
        }
    }

    /// Its name in the records.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Sets the outcome of sends and uploads whose program has died: not sent where a send was waiting, else unknown; true
    /// where there were some.
    pub(super) fn bury_the_dead(&self, connection: &mut Connection) -> Result<bool, RecordsError> {
        let Some(alive) = &self.alive else { return Ok(false) };
        let others = "SELECT run FROM outbox WHERE state IS NULL AND run <> $1 \
                      UNION SELECT run FROM held WHERE run <> $1 \
                      UNION SELECT run FROM uploads WHERE status = 'uploading' AND run <> $1";
        let waiting = many(connection, others, [self.name()], |row| row.get::<_, String>(0))?;
        if waiting.is_empty() {
            return Ok(false);
        }
        let failed = |source| RecordsError::Runs { place: alive.dir.join(FOLDER), source };
        let _alone = hold(&alive.dir).map_err(failed)?;
        let mut dead = Vec::new();
        for run in waiting {
            let file = lock_file(&alive.dir, &run);
            if is_dead(&file).map_err(failed)? {
                dead.push((run, file));
            }
        }
        if dead.is_empty() {
            return Ok(false);
        }
        let json = |outcome: &Outcome| {
            serde_json::to_string(outcome).map_err(|_| RecordsError::Unreadable("outcome without a form in JSON"))
        };
        let unknown = json(&Outcome::Unknown { why: DIED.to_owned() })?;
        let not_sent =
            |words: &str| json(&Outcome::NotSent(Refusal { status: None, code: None, words: words.to_owned() }));
        let (waited, held, now) = (not_sent(WAITED)?, not_sent(HELD)?, Timestamp::now());
        write::<_, RecordsError>(connection, |transaction| {
            for (run, _) in &dead {
                let settle = "UPDATE outbox SET state = CASE WHEN waiting THEN 'not-sent' ELSE 'unknown' END, \
                              outcome = CASE WHEN waiting THEN $1 ELSE $2 END, \
                              ended = CASE WHEN waiting THEN $3 END WHERE state IS NULL AND run = $4";
                execute(transaction, settle, (&waited, &unknown, now.as_microsecond(), run))?;
                held::bury(transaction, run, &held, now)?;
                uploads::bury(transaction, run)?;
            }
            Ok(())
        })?;
        dead.iter().try_for_each(|(_, file)| remove(file)).map_err(failed)?;
        Ok(true)
    }

    /// Removes the files of programs that have died; true where there were some.
    pub(super) fn sweep(&self) -> Result<bool, RecordsError> {
        let Some(alive) = &self.alive else { return Ok(false) };
        let swept = || -> io::Result<bool> {
            let mut found_some = false;
            let _alone = hold(&alive.dir)?;
            for found in fs::read_dir(alive.dir.join(FOLDER))? {
                let file = found?.path();
                if file.extension().is_some_and(|extension| extension == "lock") && is_dead(&file)? {
                    remove(&file)?;
                    found_some = true;
                }
            }
            Ok(found_some)
        };
        swept().map_err(|source| RecordsError::Runs { place: alive.dir.join(FOLDER), source })
    }
}

/// A batch that only this program sends.
#[derive(Debug)]
pub(super) struct Claim {
    dir: PathBuf,
    file: PathBuf,
    /// Locked for as long as it is open.
    _lock: File,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // While the folder is locked nobody opens the file between its removal and the end of the lock.
        if let Ok(_alone) = hold(&self.dir) {
            drop(remove(&self.file));
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(alive) = &self.alive {
            // What stays behind the next one sweeps up.
            drop(remove(&alive.file));
        }
    }
}

fn lock_file(dir: &Path, run: &str) -> PathBuf {
    dir.join(FOLDER).join(format!("{run}.lock"))
}

/// Whether no program has this file locked, or it is gone. The caller holds the folder: nobody locks it after this.
fn is_dead(file: &Path) -> io::Result<bool> {
    let lock = match File::open(file) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    match lock.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Locks a folder until the handle is dropped. A program that is stopped while it has it does not stop the others for
/// longer than they wait for the database.
pub(super) fn hold(dir: &Path) -> io::Result<File> {
    let handle = File::open(dir)?;
    let deadline = Instant::now() + BUSY;
    loop {
        match handle.try_lock() {
            Ok(()) => return Ok(handle),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(AGAIN),
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::TimedOut.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
