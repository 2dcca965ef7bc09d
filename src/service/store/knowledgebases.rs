//! Knowledgebases. Their status is what their documents make of it.

use super::catalogue::exists;
use super::{Store, StoreError, Written, execute, fill_piece, moment, one};
use crate::api::{IsoTimestamp, Knowledgebase, KnowledgebaseStatus, Label};
use crate::service::limits::{KNOWLEDGEBASES_MAX, too_many};
use crate::service::pieces::Piece;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

/// The columns that [`KnowledgebaseRecord::read`] reads, of `knowledgebases AS k`; `$1` is now.
const COLUMNS: &str = "k.id, k.name, k.description, k.created_at, k.updated_at, \
    EXISTS (SELECT 1 FROM documents AS d WHERE d.knowledgebase_id = k.id AND d.ready_at > $1), \
    k.documents_count, \
    EXISTS (SELECT 1 FROM documents AS d WHERE d.knowledgebase_id = k.id AND d.outcome = 'failed'), \
    (SELECT COUNT(*) FROM assistants AS a WHERE a.knowledgebase_id = k.id)";

/// A row as the database gives it.
struct KnowledgebaseRecord {
    id: i64,
    name: String,
    description: Option<String>,
    created_at: i64,
    updated_at: i64,
    processing: bool,
    documents: u64,
    failed: bool,
    assistants: u64,
}

impl KnowledgebaseRecord {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let count = |at| row.get::<_, i64>(at).map(|count| u64::try_from(count).unwrap_or_default());
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            created_at: row.get(3)?,
            updated_at: row.get(4)?,
            processing: row.get(5)?,
            documents: count(6)?,
            failed: row.get(7)?,
            assistants: count(8)?,
        })
    }

    /// Work that goes on outweighs work that failed: how it all ends is not known yet.
    fn status(&self) -> KnowledgebaseStatus {
        match self {
            Self { documents: 0, .. } => KnowledgebaseStatus::Empty,
            Self { processing: true, .. } => KnowledgebaseStatus::Processing,
            Self { failed: true, .. } => KnowledgebaseStatus::Failed,
            _ => KnowledgebaseStatus::Active,
        }
    }
}

impl TryFrom<KnowledgebaseRecord> for Knowledgebase {
    type Error = StoreError;

    fn try_from(row: KnowledgebaseRecord) -> Result<Self, StoreError> {
        let status = row.status();
        Ok(Self {
            id: row.id.into(),
            name: row.name.into(),
            description: row.description.into(),
            status_label: status.label().to_owned().into(),
            status: status.into(),
            documents_count: row.documents.into(),
            assistants_count: row.assistants.into(),
            created_at: IsoTimestamp(moment(row.created_at)?).into(),
            updated_at: IsoTimestamp(moment(row.updated_at)?).into(),
            ..Self::default()
        })
    }
}

impl Store {
    /// A user's knowledgebases as they are `now`, oldest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn knowledgebases(&self, user_id: i64, now: Timestamp, piece: &mut Piece) -> Result<(), StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM knowledgebases AS k WHERE k.user_id = $2 AND k.id > $3 ORDER BY k.id");
        let params = [now.as_microsecond(), user_id, piece.last().unwrap_or(0)];
        self.read(|reader| {
            fill_piece(reader, &sql, params, piece, |row| {
                Ok((row.get(0)?, Knowledgebase::try_from(KnowledgebaseRecord::read(row)?)?))
            })
        })
    }

    /// A knowledgebase of a user as it is `now`.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn knowledgebase(&self, user_id: i64, id: i64, now: Timestamp) -> Result<Option<Knowledgebase>, StoreError> {
        self.read(|reader| find(reader, user_id, id, now))
    }

    /// Creates a knowledgebase without documents, as far as the user may have another.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn create_knowledgebase(
        &self,
        user_id: i64,
        name: &str,
        description: Option<&str>,
        now: Timestamp,
    ) -> Result<Written<Knowledgebase>, StoreError> {
        self.write(|tx| {
            let count = "SELECT COUNT(*) FROM knowledgebases WHERE user_id = $1";
            if one(tx, count, [user_id], |row| row.get::<_, i64>(0))? >= KNOWLEDGEBASES_MAX {
                return Ok(Written::Invalid(vec![too_many("name", KNOWLEDGEBASES_MAX, "knowledgebases")]));
            }
            let id = insert_knowledgebase(tx, user_id, name, description, now)?;
            find(tx, user_id, id, now)?.map(Written::Done).ok_or(StoreError::Unreadable("new knowledgebase"))
        })
    }

    /// Changes the given fields of a user's knowledgebase; `None` where the user has no such one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn update_knowledgebase(
        &self,
        user_id: i64,
        id: i64,
        label: &Label,
        now: Timestamp,
    ) -> Result<Option<Knowledgebase>, StoreError> {
        self.write(|tx| {
            if !owns(tx, user_id, id)? {
                return Ok(None);
            }
            relabel(tx, "knowledgebases", id, label, now)?;
            find(tx, user_id, id, now)
        })
    }

    /// Deletes a knowledgebase of a user with its documents, and detaches it from every assistant; false where the user
    /// has no such one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delete_knowledgebase(&self, user_id: i64, id: i64) -> Result<bool, StoreError> {
        self.write(|tx| {
            if !owns(tx, user_id, id)? {
                return Ok(false);
            }
            execute(tx, "UPDATE assistants SET knowledgebase_id = NULL WHERE knowledgebase_id = $1", [id])?;
            execute(tx, "DELETE FROM knowledgebases WHERE id = $1", [id])?;
            Ok(true)
        })
    }
}

fn find(reader: &Connection, user_id: i64, id: i64, now: Timestamp) -> Result<Option<Knowledgebase>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM knowledgebases AS k WHERE k.id = $2 AND k.user_id = $3");
    let row = one(reader, &sql, [now.as_microsecond(), id, user_id], KnowledgebaseRecord::read).optional()?;
    row.map(Knowledgebase::try_from).transpose()
}

/// Whether a user has this knowledgebase.
pub(super) fn owns(connection: &Connection, user_id: i64, id: i64) -> rusqlite::Result<bool> {
    exists(connection, "SELECT 1 FROM knowledgebases WHERE id = $1 AND user_id = $2", [id, user_id])
}

pub(super) fn insert_knowledgebase(
    tx: &Transaction<'_>,
    user_id: i64,
    name: &str,
    description: Option<&str>,
    now: Timestamp,
) -> rusqlite::Result<i64> {
    let at = now.as_microsecond();
    one(
        tx,
        "INSERT INTO knowledgebases (user_id, name, description, created_at, updated_at) VALUES ($1, $2, $3, $4, $5) \
         RETURNING id",
        (user_id, name, description, at, at),
        |row| row.get(0),
    )
}

/// Changes the name and the description of a row, as far as they are given.
pub(super) fn relabel(
    tx: &Transaction<'_>,
    table: &str,
    id: i64,
    label: &Label,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let change = format!(
        "UPDATE {table} SET name = COALESCE($1, name), \
         description = CASE WHEN $2 THEN description ELSE $3 END, updated_at = $4 WHERE id = $5"
    );
    let Label { name, description } = label;
    execute(tx, &change, (name, description.is_keep(), description.new_value(), now.as_microsecond(), id))?;
    Ok(())
}
