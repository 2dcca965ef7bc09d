//! Documents of knowledgebases.

use super::knowledgebases::{owns, relabel};
use super::{Store, StoreError, Written, execute, fill_piece, moment, one};
use crate::api::{Document, DocumentStatus, DocumentType, IsoTimestamp, Label};
use crate::service::limits::{DOCUMENTS_MAX, too_many};
use crate::service::pieces::Piece;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

/// The columns that [`DocumentRecord::read`] reads; `$1` is now. A document changes when its processing ends.
const COLUMNS: &str = "id, name, description, type, CASE WHEN ready_at > $1 THEN 'processing' ELSE outcome END, \
    created_at, CASE WHEN ready_at > $1 OR ready_at < updated_at THEN updated_at ELSE ready_at END";

/// A document about to be processed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument<'a> {
    /// 1 to 255 characters; need not be unique.
    pub name: &'a str,
    /// What it is about.
    pub description: Option<&'a str>,
    /// What it is made from.
    pub kind: DocumentType,
    /// What will come of it.
    pub outcome: DocumentStatus,
    /// When that is known.
    pub ready_at: Timestamp,
}

/// A row as the database gives it.
struct DocumentRecord {
    id: i64,
    name: String,
    description: Option<String>,
    kind: DocumentType,
    status: DocumentStatus,
    created_at: i64,
    updated_at: i64,
}

impl DocumentRecord {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            kind: row.get_ref(3)?.as_str()?.into(),
            status: row.get_ref(4)?.as_str()?.into(),
            created_at: row.get(5)?,
            updated_at: row.get(6)?,
        })
    }
}

impl TryFrom<DocumentRecord> for Document {
    type Error = StoreError;

    fn try_from(row: DocumentRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.into(),
            name: row.name.into(),
            description: row.description.into(),
            type_label: row.kind.label().to_owned().into(),
            kind: row.kind.into(),
            status_label: row.status.label().to_owned().into(),
            status: row.status.into(),
            created_at: IsoTimestamp(moment(row.created_at)?).into(),
            updated_at: IsoTimestamp(moment(row.updated_at)?).into(),
            ..Self::default()
        })
    }
}

impl Store {
    /// The documents of a user's knowledgebase as they are `now`, oldest first; false where the user has no such
    /// knowledgebase.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn documents(
        &self,
        user_id: i64,
        knowledgebase_id: i64,
        now: Timestamp,
        piece: &mut Piece,
    ) -> Result<bool, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM documents WHERE knowledgebase_id = $2 AND id > $3 ORDER BY id");
        self.read_at_once(|reader| {
            if !owns(reader, user_id, knowledgebase_id)? {
                return Ok(false);
            }
            let params = [now.as_microsecond(), knowledgebase_id, piece.last().unwrap_or(0)];
            fill_piece(reader, &sql, params, piece, |row| {
                Ok((row.get(0)?, Document::try_from(DocumentRecord::read(row)?)?))
            })?;
            Ok(true)
        })
    }

    /// A document: `None` where the user has no such knowledgebase, `Some(None)` where that has no such document.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn document(
        &self,
        user_id: i64,
        (knowledgebase_id, id): (i64, i64),
        now: Timestamp,
    ) -> Result<Option<Option<Document>>, StoreError> {
        self.read_at_once(|reader| {
            if !owns(reader, user_id, knowledgebase_id)? {
                return Ok(None);
            }
            find(reader, (knowledgebase_id, id), now).map(Some)
        })
    }

    /// Adds a document to a user's knowledgebase, as far as that may have another.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn create_document(
        &self,
        user_id: i64,
        knowledgebase_id: i64,
        document: &NewDocument<'_>,
        now: Timestamp,
    ) -> Result<Written<Document>, StoreError> {
        self.write(|tx| {
            let count = "SELECT documents_count FROM knowledgebases WHERE id = $1 AND user_id = $2";
            let count = one(tx, count, [knowledgebase_id, user_id], |row| row.get::<_, i64>(0)).optional()?;
            let Some(count) = count else { return Ok(Written::Missing) };
            if count >= DOCUMENTS_MAX {
                return Ok(Written::Invalid(vec![too_many("name", DOCUMENTS_MAX, "documents in a knowledgebase")]));
            }
            let id = insert_document(tx, knowledgebase_id, document, now)?;
            find(tx, (knowledgebase_id, id), now)?.map(Written::Done).ok_or(StoreError::Unreadable("new document"))
        })
    }

    /// Changes the given fields of a document; the answer is that of [`Self::document`].
    ///
    /// # Errors
    /// Where the database fails.
    pub fn update_document(
        &self,
        user_id: i64,
        (knowledgebase_id, id): (i64, i64),
        label: &Label,
        now: Timestamp,
    ) -> Result<Option<Option<Document>>, StoreError> {
        self.write(|tx| {
            if !owns(tx, user_id, knowledgebase_id)? {
                return Ok(None);
            }
            if find(tx, (knowledgebase_id, id), now)?.is_none() {
                return Ok(Some(None));
            }
            relabel(tx, "documents", id, label, now)?;
            find(tx, (knowledgebase_id, id), now).map(Some)
        })
    }

    /// Deletes a document: `None` where the user has no such knowledgebase, `Some(false)` where that has no such
    /// document.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delete_document(
        &self,
        user_id: i64,
        (knowledgebase_id, id): (i64, i64),
    ) -> Result<Option<bool>, StoreError> {
        self.write(|tx| {
            if !owns(tx, user_id, knowledgebase_id)? {
                return Ok(None);
            }
            let delete = "DELETE FROM documents WHERE id = $1 AND knowledgebase_id = $2";
            let deleted = execute(tx, delete, [id, knowledgebase_id])? > 0;
            if deleted {
                let count = "UPDATE knowledgebases SET documents_count = documents_count - 1 WHERE id = $1";
                execute(tx, count, [knowledgebase_id])?;
            }
            Ok(Some(deleted))
        })
    }
}

fn find(
    reader: &Connection,
    (knowledgebase_id, id): (i64, i64),
    now: Timestamp,
) -> Result<Option<Document>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM documents WHERE id = $2 AND knowledgebase_id = $3");
    let row = one(reader, &sql, [now.as_microsecond(), id, knowledgebase_id], DocumentRecord::read).optional()?;
    row.map(Document::try_from).transpose()
}

pub(super) fn insert_document(
    tx: &Transaction<'_>,
    knowledgebase_id: i64,
    document: &NewDocument<'_>,
    now: Timestamp,
) -> rusqlite::Result<i64> {
    let count = "UPDATE knowledgebases SET documents_count = documents_count + 1 WHERE id = $1";
    execute(tx, count, [knowledgebase_id])?;
    let at = now.as_microsecond();
    one(
        tx,
        "INSERT INTO documents (knowledgebase_id, name, description, type, outcome, ready_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
        (
            knowledgebase_id,
            document.name,
            document.description,
            document.kind.as_str(),
            document.outcome.as_str(),
            document.ready_at.as_microsecond(),
            at,
            at,
        ),
        |row| row.get(0),
    )
}
