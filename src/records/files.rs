//! Files that the user names: a list of recipients to read, results to write.

use super::RecordsError;
use crate::api::Token;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The longest file that is read, in bytes.
const SIZE_MAX: u64 = 16 * 1024 * 1024;

/// Names that are tried for a new file before giving up.
const NAMES_MAX: u32 = 1000;

/// What is wrong with a file that the user named.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// Something else has the name.
    #[error("already exists and is not overwritten")]
    Taken,
    /// It is longer than any list of recipients.
    #[error("is larger than 16 MiB")]
    TooLarge,
    /// It is a folder, a pipe or a device.
    #[error("is not a regular file")]
    NotRegular,
    /// The system cannot read it.
    #[error("cannot be read: {}", words(.0))]
    Unreadable(io::Error),
    /// Nothing has the name or fits the pattern.
    #[error("matches no file")]
    NoMatch,
    /// It stands for more files than anybody reviews.
    #[error("has more than 1,000 files")]
    TooMany,
    /// It has no byte.
    #[error("is empty")]
    Empty,
    /// It is larger than a document's file may be; in bytes.
    #[error("has {}; the limit is 20 MiB", mebibytes(*.0))]
    LargerThanDocument(u64),
    /// It is nothing that the service reads.
    #[error("is not a PDF, a Word document (.docx) or UTF-8 text")]
    NotDocument,
    /// It is a container of old Office files, which encrypted new ones use too.
    #[error("is an old or protected Office file: save it as .docx")]
    OldWord,
    /// Its text begins with the mark of UTF-16.
    #[error("is UTF-16 text: save it as UTF-8")]
    Utf16,
    /// Its path cannot be written down.
    #[error("has a name that is not UTF-8: rename it")]
    OddName,
    /// The system cannot write it.
    #[error("cannot be written: {}", words(.0))]
    Unwritable(io::Error),
}

/// A size such as `20.1 MiB`, rounded up, so that it shows to be over a limit in whole ones.
fn mebibytes(bytes: u64) -> String {
    let tenths = (bytes * 10).div_ceil(1 << 20);
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// The error without its number, which std puts behind the words of the system: " (os error 2)".
pub(super) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or(&text).to_owned()
}

/// Entries of a folder that are listed.
const ENTRIES_MAX: usize = 2000;

/// The names of the folders and regular files in a folder, sorted; those of folders end in `/`.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, RecordsError> {
    let path = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { below_home(folder) };
    let entries =
        fs::read_dir(&path).map_err(|error| RecordsError::File { path, fault: FileFault::Unreadable(error) })?;
    let name = |entry: fs::DirEntry| {
        // Links count as what they lead to.
        let found = fs::metadata(entry.path()).ok()?;
        let name = entry.file_name().into_string().ok()?;
        if found.is_dir() { Some(name + "/") } else { found.is_file().then_some(name) }
    };
    let mut names: Vec<String> = entries.flatten().take(ENTRIES_MAX).filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, RecordsError> {
    let path = below_home(path);
    read_regular(&path).map_err(|fault| RecordsError::File { path, fault })
}

/// Looks at a file before it is opened: opening a pipe would wait for somebody who writes into it.
pub(super) fn regular(path: &Path) -> Result<(), FileFault> {
    let found = fs::metadata(path).map_err(FileFault::Unreadable)?;
    if found.is_file() { Ok(()) } else { Err(FileFault::NotRegular) }
}

fn read_regular(path: &Path) -> Result<Vec<u8>, FileFault> {
    regular(path)?;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(FileFault::Unreadable)?;
    file.take(SIZE_MAX + 1).read_to_end(&mut bytes).map_err(FileFault::Unreadable)?;
    if bytes.len() as u64 > SIZE_MAX { Err(FileFault::TooLarge) } else { Ok(bytes) }
}

/// Writes a new file for the user alone and returns its path: this one, or where that is taken a numbered one beside it.
pub(super) fn write(path: &Path, text: &str) -> Result<PathBuf, RecordsError> {
    for number in 1..=NAMES_MAX {
        let path = numbered(path, number);
        match Reserved::new(&path) {
            Err(RecordsError::File { fault: FileFault::Taken, .. }) => {}
            Err(error) => return Err(error),
            Ok(file) => return file.write(text).map(|()| path),
        }
    }
    Err(RecordsError::File { path: path.to_owned(), fault: FileFault::Taken })
}

/// Writes a token for the user alone and returns the path. It is written beside its place and moved there, so that
/// there is always the old one or the new one, whole.
pub(super) fn save_token(path: &Path, token: &Token, replace: bool) -> Result<PathBuf, RecordsError> {
    let path = absolute(path);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let written = write_private(&beside, token.expose())
        .and_then(|()| if replace { fs::rename(&beside, &path) } else { fs::hard_link(&beside, &path) });
    drop(fs::remove_file(&beside));
    match written {
        Ok(()) => Ok(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(RecordsError::File { path, fault: FileFault::Taken })
        }
        Err(error) => Err(RecordsError::File { path, fault: FileFault::Unwritable(error) }),
    }
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    drop(fs::remove_file(path));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// `may.csv`, `may-2.csv`, `may-3.csv`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    let mut numbered = path.with_file_name(name).into_os_string();
    if let Some(extension) = path.extension() {
        numbered.push(".");
        numbered.push(extension);
    }
    numbered.into()
}

/// A new, empty file, locked for a later write, so that a wrong path is found before anything is sent. Dropping it
/// unwritten removes it.
#[derive(Debug)]
pub struct Reserved {
    path: PathBuf,
    file: File,
    written: bool,
}

impl Reserved {
    /// Creates the file with mode 0600, or takes over an empty, unlocked one that a killed program left.
    ///
    /// # Errors
    /// Where it cannot be created, or exists.
    pub fn new(path: &Path) -> Result<Self, RecordsError> {
        let path = below_home(path);
        let refused = |fault: FileFault| RecordsError::File { path: path.clone(), fault };
        // Looked at first: opening a pipe would wait for somebody who reads from it.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file() || found.len() > 0) {
            return Err(refused(FileFault::Taken));
        }
        let mut options = OpenOptions::new();
        let opened = options.write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = opened.map_err(|error| refused(FileFault::Unwritable(error)))?;
        // Not every file system has locks; where another program holds this one, its results go there.
        let held = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if held || file.metadata().is_ok_and(|found| found.len() > 0) {
            return Err(refused(FileFault::Taken));
        }
        Ok(Self { path, file, written: false })
    }

    /// Writes the text and synchronises it to disk.
    ///
    /// # Errors
    /// Where writing fails; the file is removed then, since half of it would look complete.
    pub fn write(mut self, text: &str) -> Result<(), RecordsError> {
        let done = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_all());
        self.written = done.is_ok();
        done.map_err(|error| RecordsError::File { path: self.path.clone(), fault: FileFault::Unwritable(error) })
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if !self.written {
            drop(fs::remove_file(&self.path));
        }
    }
}

/// The absolute path, with `~` expanded.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = below_home(path);
    std::path::absolute(&path).unwrap_or(path)
}

pub(super) fn below_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn token_file_is_private_and_replaced_only_where_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("live.token");
        let read = || fs::read_to_string(&path).unwrap();
        assert_eq!(save_token(&path, &Token::new("1|old"), false).unwrap(), path);
        assert_eq!((read().as_str(), fs::metadata(&path).unwrap().permissions().mode() & 0o777), ("1|old\n", 0o600));
        assert!(said(save_token(&path, &Token::new("2|new"), false)).contains("already exists"));
        assert_eq!(read(), "1|old\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        save_token(&path, &Token::new("2|new"), true).unwrap();
        assert_eq!((read().as_str(), fs::metadata(&path).unwrap().permissions().mode() & 0o777), ("2|new\n", 0o600));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        assert!(
            said(save_token(&folder.path().join("no/such/folder"), &Token::new("x"), false))
                .contains("cannot be written")
        );
    }

    fn said(result: Result<impl std::fmt::Debug, RecordsError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn a_file_that_is_written_is_read_back_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        write(&path, "line,phone\n").unwrap();
        assert_eq!(read(&path).unwrap(), b"line,phone\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(said(Reserved::new(&path)).ends_with("results.csv already exists and is not overwritten"));
        assert_eq!(write(&path, "other").unwrap(), folder.path().join("results-2.csv"));
        assert_eq!(read(&path).unwrap(), b"line,phone\n");
    }

    #[test]
    fn a_file_is_reserved_before_it_is_written_and_goes_where_nothing_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        let reserved = Reserved::new(&path).unwrap();
        assert!(said(Reserved::new(&path)).ends_with("and is not overwritten"), "somebody else holds it");
        reserved.write("all of it").unwrap();
        assert!(said(Reserved::new(&path)).ends_with("and is not overwritten"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "all of it");
        let other = folder.path().join("other.csv");
        drop(Reserved::new(&other).unwrap());
        assert!(!other.exists(), "nothing was written");
        File::create(&other).unwrap();
        Reserved::new(&other).unwrap().write("left empty by a killed program").unwrap();
    }

    #[test]
    fn what_cannot_be_read_or_written_is_said_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        assert!(said(read(&folder.path().join("gone.csv"))).contains("gone.csv cannot be read: No such file"));
        assert!(said(read(folder.path())).ends_with("is not a regular file"));
        assert!(said(write(&folder.path().join("no/where"), "")).contains("no/where cannot be written: No such file"));
        let large = folder.path().join("large");
        File::create(&large).unwrap().set_len(SIZE_MAX + 1).unwrap();
        assert!(said(read(&large)).ends_with("large is larger than 16 MiB"));
        File::options().write(true).open(&large).unwrap().set_len(SIZE_MAX).unwrap();
        assert_eq!(read(&large).unwrap().len() as u64, SIZE_MAX);
    }

    #[test]
    fn folder_lists_its_files_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        File::create(folder.path().join("b.csv")).unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        std::os::unix::fs::symlink("gone", folder.path().join("link")).unwrap();
        assert_eq!(names(folder.path()).unwrap(), ["a/", "b.csv"]);
        assert!(said(names(&folder.path().join("gone"))).ends_with("cannot be read: No such file or directory"));
        assert!(names(Path::new("")).unwrap().contains(&"Cargo.toml".to_owned()), "the working folder");
    }

    #[test]
    fn a_path_below_home_begins_there() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(below_home(Path::new("~/lists/a.csv")), home.join("lists/a.csv"));
        assert_eq!(below_home(Path::new("~other/a.csv")), Path::new("~other/a.csv"));
        assert_eq!(below_home(Path::new("a~/b")), Path::new("a~/b"));
    }
}
