//! Mid call tools.

use super::{Store, StoreError, execute, fill_piece, json, moment, one, parsed};
use crate::api::{IsoTimestamp, Tool, ToolChange, ToolMethod, tool};
use crate::service::pieces::Piece;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};

const COLUMNS: &str = "id, name, description, endpoint, method, timeout, headers, schema, created_at, updated_at";

/// A user's plan allows so many tools, and they are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanLimit(pub i64);

/// A row as the database gives it.
struct ToolRecord {
    tool: Tool,
    headers: String,
    schema: String,
    created_at: i64,
    updated_at: i64,
}

impl ToolRecord {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let tool = Tool {
            id: row.get::<_, i64>(0)?.into(),
            name: row.get::<_, String>(1)?.into(),
            description: row.get::<_, String>(2)?.into(),
            endpoint: row.get::<_, String>(3)?.into(),
            method: ToolMethod::from(row.get_ref(4)?.as_str()?).into(),
            timeout: row.get::<_, i64>(5)?.into(),
            ..Tool::default()
        };
        Ok(Self { tool, headers: row.get(6)?, schema: row.get(7)?, created_at: row.get(8)?, updated_at: row.get(9)? })
    }
}

impl TryFrom<ToolRecord> for Tool {
    type Error = StoreError;

    fn try_from(row: ToolRecord) -> Result<Self, StoreError> {
        Ok(Self {
            headers: parsed::<Vec<_>>(&row.headers, "list of headers")?.into(),
            schema: parsed::<Vec<_>>(&row.schema, "list of parameters")?.into(),
            created_at: IsoTimestamp(moment(row.created_at)?).into(),
            updated_at: IsoTimestamp(moment(row.updated_at)?).into(),
            ..row.tool
        })
    }
}

impl Store {
    /// A user's tools, oldest first.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn tools(&self, user_id: i64, piece: &mut Piece) -> Result<(), StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM tools WHERE user_id = $1 AND id > $2 ORDER BY id");
        let params = [user_id, piece.last().unwrap_or(0)];
        self.read(|reader| {
            fill_piece(reader, &sql, params, piece, |row| Ok((row.get(0)?, Tool::try_from(ToolRecord::read(row)?)?)))
        })
    }

    /// A tool of a user.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn tool(&self, user_id: i64, id: i64) -> Result<Option<Tool>, StoreError> {
        self.read(|reader| find(reader, user_id, id))
    }

    /// Creates a tool, as far as the user's plan allows it; nothing that is required may be missing.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn create_tool(
        &self,
        user_id: i64,
        change: &ToolChange,
        now: Timestamp,
    ) -> Result<Result<Tool, PlanLimit>, StoreError> {
        self.write(|tx| {
            let limit = one(tx, "SELECT tool_limit FROM users WHERE id = $1", [user_id], |row| row.get(0))?;
            let count: i64 = one(tx, "SELECT COUNT(*) FROM tools WHERE user_id = $1", [user_id], |row| row.get(0))?;
            if count >= limit {
                return Ok(Err(PlanLimit(limit)));
            }
            let id = insert_tool(tx, user_id, change, now)?;
            find(tx, user_id, id)?.map(Ok).ok_or(StoreError::Unreadable("new tool"))
        })
    }

    /// Changes the given fields of a user's tool; `None` where the user has no such one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn update_tool(
        &self,
        user_id: i64,
        id: i64,
        change: &ToolChange,
        now: Timestamp,
    ) -> Result<Option<Tool>, StoreError> {
        self.write(|tx| {
            save(tx, user_id, id, change, now)?;
            find(tx, user_id, id)
        })
    }

    /// Deletes a tool of a user, and detaches it from every assistant; false where the user has no such one.
    ///
    /// # Errors
    /// Where the database fails.
    pub fn delete_tool(&self, user_id: i64, id: i64) -> Result<bool, StoreError> {
        self.write(|tx| Ok(execute(tx, "DELETE FROM tools WHERE id = $1 AND user_id = $2", [id, user_id])? > 0))
    }
}

/// Stores a tool, of which nothing that is required may be missing.
pub(super) fn insert_tool(
    connection: &Connection,
    user_id: i64,
    tool: &ToolChange,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let at = now.as_microsecond();
    let id = one(
        connection,
        "INSERT INTO tools (user_id, name, description, endpoint, method, timeout, headers, schema, created_at, \
         updated_at) VALUES ($1, '', '', '', '', $2, '[]', '[]', $3, $4) RETURNING id",
        (user_id, tool::TIMEOUT_DEFAULT, at, at),
        |row| row.get(0),
    )?;
    save(connection, user_id, id, tool, now)?;
    Ok(id)
}

fn find(reader: &Connection, user_id: i64, id: i64) -> Result<Option<Tool>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM tools WHERE id = $1 AND user_id = $2");
    one(reader, &sql, [id, user_id], ToolRecord::read).optional()?.map(Tool::try_from).transpose()
}

/// Writes the fields that are given.
fn save(connection: &Connection, user_id: i64, id: i64, change: &ToolChange, now: Timestamp) -> Result<(), StoreError> {
    execute(
        connection,
        "UPDATE tools SET name = COALESCE($1, name), description = COALESCE($2, description), \
         endpoint = COALESCE($3, endpoint), method = COALESCE($4, method), timeout = COALESCE($5, timeout), \
         headers = COALESCE($6, headers), schema = COALESCE($7, schema), updated_at = $8 \
         WHERE id = $9 AND user_id = $10",
        (
            &change.name,
            &change.description,
            &change.endpoint,
            change.method.as_ref().map(ToolMethod::as_str),
            change.timeout,
            change.headers.as_ref().map(json).transpose()?,
            change.schema.as_ref().map(json).transpose()?,
            now.as_microsecond(),
            id,
            user_id,
        ),
    )?;
    Ok(())
}
