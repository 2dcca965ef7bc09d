//! Files that are to become documents: found by path, folder or pattern, and judged by their content.

use super::files::{FileFault, below_home, regular, words};
use super::{EarlierUpload, RecordsError};
use crate::api::knowledgebase::FILE_MAX;
use crate::api::{ContentDigest, DocumentType};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most files that are added at once.
const FILES_MAX: usize = 1000;
/// What is read at once, in bytes.
const CHUNK: usize = 64 * 1024;
/// What a word processor's archive has in it.
const DOCX_MARK: &[u8] = b"word/document";

/// What was found out about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// In bytes.
    pub size: u64,
    /// What its content is.
    pub kind: DocumentType,
    /// Of its content: [`ContentDigest`].
    pub digest: String,
    /// Uploads of the same content from here, the newest first.
    pub earlier: Vec<EarlierUpload>,
}

/// The files that a text names: a path, a folder with all its files, a pattern such as `handbook/*.pdf`, or several of
/// these as a shell would split them. Absolute and sorted, each once.
pub(super) fn find(text: &str) -> Result<Vec<PathBuf>, RecordsError> {
    let text = text.trim();
    let whole = below_home(Path::new(text));
    let parts = if whole.exists() { vec![text.to_owned()] } else { split(text) };
    let mut found = Vec::new();
    for part in parts {
        let path = below_home(Path::new(&part));
        let before = found.len();
        if path.is_dir() {
            list(&path, &mut found)?;
        } else if path.exists() {
            found.push(path.clone());
        } else {
            let pattern = path.to_str().and_then(|pattern| glob::glob(pattern).ok());
            let paths = pattern.into_iter().flatten().flatten().filter(|path| !path.is_dir());
            found.extend(paths.take(FILES_MAX + 1));
        }
        if found.len() == before {
            return Err(RecordsError::File { path, fault: FileFault::NoMatch });
        }
        if found.len() > FILES_MAX {
            return Err(RecordsError::File { path, fault: FileFault::TooMany });
        }
    }
    for path in &mut found {
        *path = super::files::absolute(path);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The files of a folder that are not hidden.
fn list(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), RecordsError> {
    let failed = |error| RecordsError::File { path: folder.to_owned(), fault: FileFault::Unreadable(error) };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden && !path.is_dir() {
            found.push(path);
        }
        if found.len() > FILES_MAX {
            break;
        }
    }
    Ok(())
}

/// Splits a text at blanks, as a shell does: a backslash or quotes keep a blank in a part. Terminals write files that
/// are dropped on them like that.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            _ if quote == Some(letter) => quote = None,
            '\\' if quote != Some('\'') => part.get_or_insert_default().extend(letters.next()),
            '\'' | '"' if quote.is_none() => {
                quote = Some(letter);
                part.get_or_insert_default();
            }
            _ if letter.is_whitespace() && quote.is_none() => parts.extend(part.take()),
            _ => part.get_or_insert_default().push(letter),
        }
    }
    parts.extend(part);
    parts
}

/// Reads a file once: its size, what it is, and its digest. The file's name plays no part.
pub(super) fn inspect(path: &Path) -> Result<FileFacts, FileFault> {
    if path.to_str().is_none() {
        return Err(FileFault::OddName);
    }
    regular(path)?;
    let mut file = File::open(path).map_err(FileFault::Unreadable)?;
    let (mut sniffer, mut digest, mut size) = (Sniffer::default(), ContentDigest::default(), 0);
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = file.read(&mut chunk).map_err(FileFault::Unreadable)?;
        if read == 0 {
            break;
        }
        size += read as u64;
        if size > FILE_MAX as u64 {
            let whole = file.metadata().map_or(size, |found| found.len());
            return Err(FileFault::LargerThanDocument(whole));
        }
        sniffer.take(&chunk[..read]);
        digest.update(&chunk[..read]);
    }
    Ok(FileFacts { size, kind: sniffer.kind()?, digest: digest.finish(), earlier: Vec::new() })
}

/// Tells what a content is, from its parts.
#[derive(Default)]
struct Sniffer {
    head: Vec<u8>,
    /// The end of the last part, where something may continue.
    rest: Vec<u8>,
    has_mark: bool,
    is_binary: bool,
    /// The bytes of a character that is cut off.
    cut: Vec<u8>,
}

impl Sniffer {
    fn take(&mut self, part: &[u8]) {
        if self.head.len() < 8 {
            self.head.extend(part.iter().take(8 - self.head.len()));
        }
        if self.head.starts_with(b"PK") && !self.has_mark {
            self.rest.extend_from_slice(part);
            self.has_mark = self.rest.windows(DOCX_MARK.len()).any(|found| found == DOCX_MARK);
            self.rest.drain(..self.rest.len().saturating_sub(DOCX_MARK.len()));
        }
        if !self.is_binary {
            self.cut.extend_from_slice(part);
            self.is_binary = self.cut.contains(&0);
            let valid = match std::str::from_utf8(&self.cut) {
                Ok(text) => text.len(),
                Err(error) => {
                    self.is_binary |= error.error_len().is_some();
                    error.valid_up_to()
                }
            };
            self.cut.drain(..valid);
        }
    }

    fn kind(&self) -> Result<DocumentType, FileFault> {
        let begins = |mark: &[u8]| self.head.starts_with(mark);
        match () {
            () if self.head.is_empty() => Err(FileFault::Empty),
            () if begins(b"%PDF-") => Ok(DocumentType::Pdf),
            () if begins(b"PK\x03\x04") && self.has_mark => Ok(DocumentType::Docx),
            () if begins(b"PK\x03\x04") => Err(FileFault::NotDocument),
            () if begins(b"\xD0\xCF\x11\xE0") => Err(FileFault::OldWord),
            () if begins(b"\xFF\xFE") || begins(b"\xFE\xFF") => Err(FileFault::Utf16),
            () if !self.is_binary && self.cut.is_empty() => Ok(DocumentType::Txt),
            () => Err(FileFault::NotDocument),
        }
    }
}

/// What is wrong with a file, for a line beside its name.
pub(super) fn in_words(fault: &FileFault) -> String {
    match fault {
        FileFault::Unreadable(error) => format!("cannot be read: {}", words(error)),
        fault => fault.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(content: &[u8]) -> Result<DocumentType, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.bin");
        fs::write(&path, content).unwrap();
        inspect(&path).map(|facts| facts.kind).map_err(|fault| in_words(&fault))
    }

    #[test]
    fn type_is_told_by_content() {
        let docx = [b"PK\x03\x04".as_slice(), &vec![b'x'; CHUNK - 10], b"word/document.xml"].concat();
        let mut text = "ö".repeat(CHUNK).into_bytes();
        text.insert(0, b'x');
        assert_eq!(judged(b"%PDF-1.7\n\xff\x00"), Ok(DocumentType::Pdf));
        assert_eq!(judged(&docx), Ok(DocumentType::Docx));
        assert_eq!(judged(&text), Ok(DocumentType::Txt));
        assert_eq!(judged("受付 👩‍👩‍👧".as_bytes()), Ok(DocumentType::Txt));
        let refused: [(&[u8], &str); 6] = [
            (b"", "is empty"),
            (b"PK\x03\x04 xl/workbook.xml", "is not a PDF, a Word document (.docx) or UTF-8 text"),
            (b"caf\xe9", "is not a PDF, a Word document (.docx) or UTF-8 text"),
            ("ö".as_bytes().split_at(1).0, "is not a PDF, a Word document (.docx) or UTF-8 text"),
            (b"\xFF\xFEa\x00", "is UTF-16 text: save it as UTF-8"),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "is an old or protected Office file: save it as .docx"),
        ];
        for (content, fault) in refused {
            assert_eq!(judged(content), Err(fault.to_owned()));
        }
    }

    #[test]
    fn file_of_20_mib_is_accepted_and_a_larger_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, vec![b'x'; FILE_MAX]).unwrap();
        assert_eq!(inspect(&path).unwrap().size, FILE_MAX as u64);
        File::options().append(true).open(&path).unwrap().set_len(35 << 20).unwrap();
        assert_eq!(in_words(&inspect(&path).unwrap_err()), "has 35.0 MiB; the limit is 20 MiB");
        assert_eq!(in_words(&inspect(folder.path()).unwrap_err()), "is not a regular file");
        assert_eq!(
            in_words(&inspect(&folder.path().join("gone")).unwrap_err()),
            "cannot be read: No such file or directory"
        );
    }

    #[test]
    fn files_are_found_by_path_folder_pattern_and_several_at_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        for name in ["b.pdf", "a b.pdf", "c.txt", ".hidden", "sub/d.pdf"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let root = folder.path().to_str().unwrap();
        let found = |text: &str| {
            let found = find(&text.replace('@', root));
            found.map(|paths| {
                paths
                    .iter()
                    .map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(found("@").unwrap(), ["a b.pdf", "b.pdf", "c.txt"]);
        assert_eq!(found("@/*.pdf").unwrap(), ["a b.pdf", "b.pdf"]);
        assert_eq!(found("@/**/*.pdf").unwrap(), ["a b.pdf", "b.pdf", "sub/d.pdf"]);
        assert_eq!(found("@/a b.pdf").unwrap(), ["a b.pdf"]);
        assert_eq!(found("'@/a b.pdf' @/b.pdf @/*.pdf").unwrap(), ["a b.pdf", "b.pdf"]);
        assert_eq!(found("@/a\\ b.pdf @/c.txt").unwrap(), ["a b.pdf", "c.txt"]);
        assert!(found("@/*.docx").unwrap_err().to_string().ends_with("*.docx matches no file"));
        assert!(found("@/c.txt @/gone").unwrap_err().to_string().ends_with("gone matches no file"));
    }

    #[test]
    fn more_files_than_can_be_reviewed_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        (0..=FILES_MAX).for_each(|number| drop(File::create(folder.path().join(number.to_string())).unwrap()));
        let refused = find(folder.path().to_str().unwrap()).unwrap_err().to_string();
        assert!(refused.ends_with("has more than 1,000 files"), "{refused}");
    }
}
