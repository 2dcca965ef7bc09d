//! The processing of documents: how long it takes, and whether it succeeds.

use crate::api::{DocumentStatus, DocumentType};
use std::time::Duration;

/// What every document takes.
const BASE: Duration = Duration::from_secs(4);
/// What each page of a website takes besides.
const EACH_PAGE: Duration = Duration::from_secs(1);
/// How many bytes of a file take a second besides.
const BYTES_A_SECOND: u64 = 1024 * 1024;
/// How much of a file's beginning tells whether it is what its name says.
pub const HEAD: usize = 1024;

/// What a document is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentSource {
    /// So many pages of a website at most.
    Pages(u64),
    /// A file: its first [`HEAD`] bytes and its length.
    File {
        /// The beginning.
        head: Vec<u8>,
        /// In bytes.
        length: u64,
    },
}

/// How long a document is processed.
pub fn processing(content: &DocumentSource) -> Duration {
    let more = match content {
        DocumentSource::Pages(pages) => EACH_PAGE.saturating_mul(u32::try_from(*pages).unwrap_or(u32::MAX)),
        DocumentSource::File { length, .. } => Duration::from_secs(length / BYTES_A_SECOND),
    };
    BASE.saturating_add(more)
}

/// What comes of it: a file that is not what its type says cannot be read, and in a sandbox neither can one whose name
/// has "fail" in it.
pub fn outcome(name: &str, kind: &DocumentType, content: &DocumentSource, sandbox: bool) -> DocumentStatus {
    let readable = match content {
        DocumentSource::Pages(_) => true,
        DocumentSource::File { head, .. } => is_of(kind, head),
    };
    if !readable || (sandbox && name.to_lowercase().contains("fail")) {
        DocumentStatus::Failed
    } else {
        DocumentStatus::Active
    }
}

fn is_of(kind: &DocumentType, head: &[u8]) -> bool {
    match kind {
        DocumentType::Pdf => head.starts_with(b"%PDF-"),
        // A zip archive.
        DocumentType::Docx => head.starts_with(b"PK\x03\x04"),
        // A character may be cut off where the beginning ends.
        _ => {
            !head.is_empty()
                && !head.contains(&0)
                && std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: &[u8]) -> DocumentSource {
        DocumentSource::File { head: head.to_vec(), length: 5_000_000 }
    }

    #[test]
    fn a_file_that_is_not_what_its_type_says_fails() {
        let of = |kind: DocumentType, head: &[u8]| outcome("Handbook", &kind, &file(head), false);
        assert_eq!(of(DocumentType::Pdf, b"%PDF-1.7 x"), DocumentStatus::Active);
        assert_eq!(of(DocumentType::Docx, b"PK\x03\x04 x"), DocumentStatus::Active);
        assert_eq!(of(DocumentType::Txt, "Öffnungszeiten".as_bytes()), DocumentStatus::Active);
        assert_eq!(of(DocumentType::Txt, &"Ö".as_bytes()[..1]), DocumentStatus::Active);
        for (kind, head) in [
            (DocumentType::Pdf, &b"Hello"[..]),
            (DocumentType::Docx, b"%PDF-1.7"),
            (DocumentType::Txt, b"\xff\xfe\0"),
            (DocumentType::Txt, b""),
        ] {
            assert_eq!(of(kind.clone(), head), DocumentStatus::Failed, "{kind:?}");
        }
    }

    #[test]
    fn names_make_documents_fail_in_a_sandbox_only() {
        let of = |sandbox| outcome("This will FAIL", &DocumentType::Website, &DocumentSource::Pages(3), sandbox);
        assert_eq!((of(true), of(false)), (DocumentStatus::Failed, DocumentStatus::Active));
    }

    #[test]
    fn more_takes_longer() {
        assert_eq!(processing(&DocumentSource::Pages(10)), Duration::from_secs(14));
        assert_eq!(processing(&file(b"")), Duration::from_secs(8));
    }
}
