//! The queue of files that are uploaded to knowledgebases. An upload is on disk before it leaves, and its outcome after.

use super::runs::DIED;
use super::{Records, RecordsError};
use crate::api::{DocumentType, FileDocument};
use crate::sqlite::{execute, moment, try_many};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use std::path::PathBuf;

/// Uploads of a server that are listed, the newest of them.
const LISTED_MAX: u32 = 5000;
/// Uploads of the same content that are named.
const EARLIER_MAX: u32 = 3;
/// An outcome that is known is never replaced, and what another program does is left alone.
const CHANGE: &str = "UPDATE uploads SET status = $1, why = $2, document_id = $3, hidden = $4, changed = $5 \
                      WHERE number = $6 AND status IN";

/// A file that was checked and is to become a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UploadFile {
    /// Absolute.
    pub path: PathBuf,
    /// The document's name.
    pub name: String,
    /// The document's description.
    pub description: Option<String>,
    /// What its content is.
    pub kind: DocumentType,
    /// In bytes.
    pub size: u64,
    /// Of its content: [`crate::api::ContentDigest`].
    pub digest: String,
}

impl UploadFile {
    /// The name that the service gets: the file's own, with the extension of its type.
    pub fn file_name(&self) -> String {
        let own = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let ending = self.kind.as_str();
        match own.rsplit_once('.') {
            Some((_, found)) if found.eq_ignore_ascii_case(ending) => own,
            Some((stem, _)) if !stem.is_empty() => format!("{stem}.{ending}"),
            _ => format!("{own}.{ending}"),
        }
    }

    /// The body of its request.
    pub fn document(&self) -> FileDocument {
        FileDocument {
            name: self.name.clone(),
            description: self.description.clone(),
            kind: self.kind.clone(),
            file_name: self.file_name(),
            path: self.path.clone(),
            size: self.size,
            digest: Some(self.digest.clone()),
        }
    }
}

/// How far an upload is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UploadStatus {
    /// It waits for its turn.
    Queued,
    /// It is on its way.
    Uploading,
    /// The server has made the document.
    Created {
        /// The document; `None` where the server did not tell.
        document_id: Option<i64>,
    },
    /// The server has refused it, in these words.
    Refused(String),
    /// The whole file left and no answer came: the document may be there.
    Unknown(String),
    /// Taken back before the whole file had left: there is no document.
    Cancelled,
    /// It failed before the whole file had left: there is no document.
    Failed(String),
}

impl UploadStatus {
    /// The status in the database, with its reason and its document.
    fn columns(&self) -> (&'static str, Option<&str>, Option<i64>) {
        match self {
            Self::Queued => ("queued", None, None),
            Self::Uploading => ("uploading", None, None),
            Self::Created { document_id } => ("created", None, *document_id),
            Self::Refused(why) => ("refused", Some(why), None),
            Self::Unknown(why) => ("unknown", Some(why), None),
            Self::Cancelled => ("cancelled", None, None),
            Self::Failed(why) => ("failed", Some(why), None),
        }
    }
}

/// An upload in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Upload {
    /// In the order in which they were queued.
    pub number: i64,
    /// The knowledgebase's number at the service.
    pub knowledgebase_id: i64,
    /// The knowledgebase's name.
    pub knowledgebase: String,
    /// What is uploaded.
    pub file: UploadFile,
    /// How far it is.
    pub status: UploadStatus,
    /// True where it was removed from the queue's view.
    pub hidden: bool,
    /// Since when it has this status.
    pub changed: Timestamp,
}

/// A change of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UploadChange {
    /// Adds files for a knowledgebase, by its number and name.
    Add(i64, String, Vec<UploadFile>),
    /// Queues one again that did not become a document, as far as is known.
    Queue(i64),
    /// Takes one back that is queued.
    Cancel(i64),
    /// The document (second) of an unknown one (first) was found.
    Found(i64, i64),
    /// Removes one from view that is neither queued nor on its way.
    Hide(i64),
    /// Removes all from view that are over and not unknown.
    HideDone,
}

/// An upload of the same content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EarlierUpload {
    /// The document's name.
    pub name: String,
    /// The knowledgebase's name.
    pub knowledgebase: String,
    /// Queued, on its way, created or unknown.
    pub status: UploadStatus,
    /// Since when.
    pub changed: Timestamp,
}

const SELECT: &str = "SELECT number, knowledgebase_id, knowledgebase, path, name, description, kind, size, digest, \
                      status, why, document_id, hidden, changed FROM uploads";

fn read(row: &Row<'_>) -> Result<Upload, RecordsError> {
    let (status, why): (String, Option<String>) = (row.get(9)?, row.get(10)?);
    let why = why.unwrap_or_default();
    Ok(Upload {
        number: row.get(0)?,
        knowledgebase_id: row.get(1)?,
        knowledgebase: row.get(2)?,
        file: UploadFile {
            path: PathBuf::from(row.get::<_, String>(3)?),
            name: row.get(4)?,
            description: row.get(5)?,
            kind: row.get::<_, String>(6)?.as_str().into(),
            size: u64::try_from(row.get::<_, i64>(7)?).map_err(|_| RecordsError::Unreadable("size of an upload"))?,
            digest: row.get(8)?,
        },
        status: match status.as_str() {
            "queued" => UploadStatus::Queued,
            "uploading" => UploadStatus::Uploading,
            "created" => UploadStatus::Created { document_id: row.get(11)? },
            "refused" => UploadStatus::Refused(why),
            "unknown" => UploadStatus::Unknown(why),
            "cancelled" => UploadStatus::Cancelled,
            "failed" => UploadStatus::Failed(why),
            _ => return Err(RecordsError::Unreadable("status of an upload")),
        },
        hidden: row.get(12)?,
        changed: moment(row.get(13)?)?,
    })
}

/// Changes the status of one, where it has one of these (a list in SQL); true where that is so.
fn change(
    connection: &Connection,
    number: i64,
    (from, to): (&str, &UploadStatus),
    now: Timestamp,
) -> Result<bool, RecordsError> {
    let (status, why, document_id) = to.columns();
    let values = params![status, why, document_id, false, now.as_microsecond(), number];
    Ok(execute(connection, &format!("{CHANGE} ({from})"), values)? == 1)
}

impl Records {
    /// The uploads of a profile to a server, in the order in which they were queued; hidden ones only where they became
    /// documents.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn uploads(&self, profile: &str, server: &str) -> Result<Vec<Upload>, RecordsError> {
        let sql = format!(
            "{SELECT} WHERE profile = $1 AND server = $2 AND (NOT hidden OR document_id IS NOT NULL) \
             ORDER BY number DESC LIMIT $3"
        );
        let mut found =
            self.with_the_dead_buried(|found| try_many(found, &sql, (profile, server, LISTED_MAX), read))?;
        found.reverse();
        Ok(found)
    }

    /// Uploads of this content to a server, with any profile, the newest first.
    pub(super) fn earlier_uploads(&self, server: &str, digest: &str) -> Result<Vec<EarlierUpload>, RecordsError> {
        let sql = format!(
            "{SELECT} WHERE server = $1 AND digest = $2 AND status IN ('queued', 'uploading', 'created', 'unknown') \
             ORDER BY changed DESC LIMIT $3"
        );
        let uploads = self.with_the_dead_buried(|found| try_many(found, &sql, (server, digest, EARLIER_MAX), read))?;
        let earlier = |Upload { file, knowledgebase, status, changed, .. }: Upload| EarlierUpload {
            name: file.name,
            knowledgebase,
            status,
            changed,
        };
        Ok(uploads.into_iter().map(earlier).collect())
    }

    /// Writes down that an upload begins; false where it is not queued any more, and must not leave.
    ///
    /// # Errors
    /// Where it cannot be written: then nothing may leave.
    pub fn begin_upload(&self, number: i64, now: Timestamp) -> Result<bool, RecordsError> {
        self.with(|connection, run| {
            let sql = "UPDATE uploads SET status = 'uploading', run = $1, why = NULL, changed = $2 \
                       WHERE number = $3 AND status = 'queued'";
            Ok(execute(connection, sql, (run.name(), now.as_microsecond(), number))? == 1)
        })
    }

    /// Writes down what became of an upload that this program has begun.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn settle_upload(&self, number: i64, status: &UploadStatus, now: Timestamp) -> Result<(), RecordsError> {
        self.write(|tx| change(tx, number, ("'uploading'", status), now).map(|_| ()))
    }

    /// Changes the queue.
    pub(super) fn change_uploads(
        &self,
        (profile, server): (&str, &str),
        changed: &UploadChange,
        now: Timestamp,
    ) -> Result<(), RecordsError> {
        self.write(|tx| {
            match changed {
                UploadChange::Add(id, name, files) => {
                    let sql = "INSERT INTO uploads (profile, server, knowledgebase_id, knowledgebase, path, name, \
                               description, kind, size, digest, status, changed) \
                               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'queued', $11)";
                    for file in files {
                        let path = file.path.to_str().ok_or(RecordsError::Unreadable("path of an upload"))?;
                        let size = i64::try_from(file.size).unwrap_or(i64::MAX);
                        let (kind, now) = (file.kind.as_str(), now.as_microsecond());
                        let UploadFile { name: document, description, digest, .. } = file;
                        let values =
                            params![profile, server, id, name, path, document, description, kind, size, digest, now];
                        execute(tx, sql, values)?;
                    }
                }
                UploadChange::Queue(number) => {
                    let from = "'refused', 'unknown', 'cancelled', 'failed'";
                    change(tx, *number, (from, &UploadStatus::Queued), now)?;
                }
                UploadChange::Cancel(number) => {
                    change(tx, *number, ("'queued'", &UploadStatus::Cancelled), now)?;
                }
                UploadChange::Found(number, document) => {
                    let created = UploadStatus::Created { document_id: Some(*document) };
                    change(tx, *number, ("'unknown'", &created), now)?;
                }
                UploadChange::Hide(number) => {
                    let sql =
                        "UPDATE uploads SET hidden = TRUE WHERE number = $1 AND status NOT IN ('queued', 'uploading')";
                    execute(tx, sql, [number])?;
                }
                UploadChange::HideDone => {
                    let sql = "UPDATE uploads SET hidden = TRUE WHERE profile = $1 AND server = $2 \
                               AND status NOT IN ('queued', 'uploading', 'unknown')";
                    execute(tx, sql, (profile, server))?;
                }
            }
            Ok(())
        })
    }
}

/// Sets the outcome of uploads whose program has died to unknown.
pub(super) fn bury(connection: &Connection, run: &str) -> Result<(), rusqlite::Error> {
    let sql = "UPDATE uploads SET status = 'unknown', why = $1 WHERE status = 'uploading' AND run = $2";
    execute(connection, sql, (DIED, run)).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: (&str, &str) = ("live", "https://api.example.com");

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn file(path: &str, digest: &str) -> UploadFile {
        let (path, name, digest) = (PathBuf::from(path), "Prices".to_owned(), digest.to_owned());
        UploadFile { path, name, description: None, kind: DocumentType::Txt, size: 9, digest }
    }

    fn queued(records: &Records, digest: &str) -> i64 {
        let add = UploadChange::Add(7, "Handbook".to_owned(), vec![file("/tmp/prices.md", digest)]);
        records.change_uploads(PLACE, &add, at(1)).unwrap();
        records.uploads(PLACE.0, PLACE.1).unwrap().last().unwrap().number
    }

    fn status(records: &Records, number: i64) -> UploadStatus {
        let uploads = records.uploads(PLACE.0, PLACE.1).unwrap();
        uploads.into_iter().find(|upload| upload.number == number).unwrap().status
    }

    #[test]
    fn upload_leaves_once_and_its_known_outcome_stays() {
        let records = Records::in_memory().unwrap();
        let number = queued(&records, "aa");
        assert!(records.begin_upload(number, at(2)).unwrap());
        assert!(!records.begin_upload(number, at(2)).unwrap(), "it is on its way");
        records.change_uploads(PLACE, &UploadChange::Cancel(number), at(3)).unwrap();
        records.change_uploads(PLACE, &UploadChange::Hide(number), at(3)).unwrap();
        assert_eq!(status(&records, number), UploadStatus::Uploading);
        let created = UploadStatus::Created { document_id: Some(5) };
        records.settle_upload(number, &created, at(4)).unwrap();
        for change in [UploadChange::Queue(number), UploadChange::Found(number, 6), UploadChange::Cancel(number)] {
            records.change_uploads(PLACE, &change, at(5)).unwrap();
        }
        records.settle_upload(number, &UploadStatus::Cancelled, at(6)).unwrap();
        assert_eq!(status(&records, number), created);
    }

    #[test]
    fn unknown_upload_is_found_or_queued_again_and_stays_in_view_until_then() {
        let records = Records::in_memory().unwrap();
        let unknown = UploadStatus::Unknown("no answer".to_owned());
        let [found, again] = ["aa", "bb"].map(|digest| {
            let number = queued(&records, digest);
            records.begin_upload(number, at(2)).unwrap();
            records.settle_upload(number, &unknown, at(3)).unwrap();
            number
        });
        records.change_uploads(PLACE, &UploadChange::HideDone, at(4)).unwrap();
        assert_eq!(status(&records, found), unknown);
        records.change_uploads(PLACE, &UploadChange::Found(found, 31), at(4)).unwrap();
        records.change_uploads(PLACE, &UploadChange::Queue(again), at(4)).unwrap();
        assert_eq!(status(&records, found), UploadStatus::Created { document_id: Some(31) });
        assert_eq!(status(&records, again), UploadStatus::Queued);
        records.change_uploads(PLACE, &UploadChange::HideDone, at(5)).unwrap();
        let hidden: Vec<_> = records.uploads(PLACE.0, PLACE.1).unwrap().iter().map(|upload| upload.hidden).collect();
        assert_eq!(hidden, [true, false], "its document is still known to be from here");
    }

    #[test]
    fn content_uploaded_before_is_told_with_any_profile_of_the_server() {
        let records = Records::in_memory().unwrap();
        let number = queued(&records, "aa");
        let earlier = |server: &str, digest: &str| records.earlier_uploads(server, digest).unwrap().len();
        assert_eq!((earlier(PLACE.1, "aa"), earlier(PLACE.1, "bb"), earlier("https://other", "aa")), (1, 0, 0));
        records.change_uploads(PLACE, &UploadChange::Cancel(number), at(2)).unwrap();
        assert_eq!(earlier(PLACE.1, "aa"), 0, "it was never uploaded");
        assert_eq!(records.uploads("trial", PLACE.1).unwrap(), []);
    }

    #[test]
    fn upload_of_a_program_that_died_is_unknown() {
        let home = tempfile::tempdir().unwrap();
        let died = Records::open(home.path()).unwrap();
        let [queued, uploading] = ["aa", "bb"].map(|digest| queued(&died, digest));
        died.begin_upload(uploading, at(2)).unwrap();
        let next = Records::open(home.path()).unwrap();
        assert_eq!(status(&next, uploading), UploadStatus::Uploading, "the other program is alive");
        drop(died);
        assert_eq!(status(&next, uploading), UploadStatus::Unknown(DIED.to_owned()));
        assert_eq!(status(&next, queued), UploadStatus::Queued);
    }

    #[test]
    fn service_gets_a_file_name_that_ends_as_its_type_wants() {
        let name = |path: &str| file(path, "").file_name();
        assert_eq!(
            ["/a/b.txt", "/a/b.TXT", "/a/b.md", "/a/b", "/a/.env"].map(name),
            ["b.txt", "b.TXT", "b.txt", "b.txt", ".env.txt"]
        );
    }
}
