//! The rows of the list: a tool with its texts for people.

use crate::api::{Field, IsoTimestamp, Tool};
use crate::ui::ages::Age;
use crate::ui::attachments::{Kind, users};
use crate::ui::prelude::*;
use jiff::Timestamp;
use std::borrow::Cow;

/// A tool in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// `tool_ids` of assistants refer to it.
    pub id: i64,
    /// Cleaned.
    pub name: String,
    /// Cleaned, and without `https://`, which most begin with.
    pub endpoint: String,
    /// The names of the assistants that use it; `None` where that is not known.
    pub users: Option<Vec<String>>,
    /// The record; where it could not be loaded, only its id.
    pub tool: Tool,
    /// Why it could not be loaded, for one that was added by number.
    pub failed: Option<String>,
}

fn text(field: &Field<String>) -> String {
    field.known().map(|text| clean(text).into_owned()).unwrap_or_default()
}

impl Row {
    /// A row of the list. A tool without a number cannot be listed.
    pub fn new(tool: &Tool, data: &Data) -> Option<Self> {
        let id = *tool.id.known()?;
        let (name, endpoint, users) = (text(&tool.name), text(&tool.endpoint), users(Kind::Tool, id, data));
        let endpoint = endpoint.strip_prefix("https://").map_or(endpoint.clone(), str::to_owned);
        Some(Self { id, name, endpoint, users, tool: tool.clone(), failed: None })
    }

    /// A row of a tool of which only the number is known.
    pub fn unknown(id: i64, failed: Option<String>, data: &Data) -> Self {
        let (name, users) = (format!("no. {id}"), users(Kind::Tool, id, data));
        Self { id, name, endpoint: String::new(), users, tool: Tool::default(), failed }
    }

    pub fn method(&self) -> &str {
        self.tool.method.known().map_or("", |method| method.as_str())
    }

    fn timeout(&self) -> String {
        self.tool.timeout.known().map(|seconds| format!("{seconds} s")).unwrap_or_default()
    }

    fn parameters(&self) -> usize {
        self.tool.schema.known().map_or(0, Vec::len)
    }

    fn headers(&self) -> usize {
        self.tool.headers.known().map_or(0, Vec::len)
    }

    fn used_by(&self) -> usize {
        self.users.as_ref().map_or(0, Vec::len)
    }

    fn updated(&self) -> Option<Timestamp> {
        self.tool.updated_at.known().map(|IsoTimestamp(time)| *time)
    }
}

/// A number below its title.
const COUNT: Width = Width::Content { min: 7, max: 8 };

impl Record for Row {
    type Id = i64;
    const NAME: &'static str = "tool";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Content { min: 14, max: 28 }, 0, Some(0), |row| row.name.as_str()),
        text_column!("METHOD", Width::Content { min: 6, max: 6 }, 2, Some(1), |row| row.method()),
        Column {
            field: Some(2),
            sort: Sorting::Up(|one, other| one.endpoint.cmp(&other.endpoint)),
            ..Column::new("ENDPOINT", Width::Fill(16), 0, |row, view| match &row.failed {
                Some(why) => Cell::text(why.as_str()).style(view.options.theme.failed),
                None => Cell::text(row.endpoint.as_str()),
            })
        },
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.tool.timeout.known().cmp(&other.tool.timeout.known())),
            ..Column::new("TIMEOUT", COUNT, 6, |row, _| Cell::whole(row.timeout()))
        },
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.parameters().cmp(&other.parameters())),
            ..Column::new("PARAMS", COUNT, 4, |row, _| Cell::whole(row.parameters().to_string()))
        },
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.headers().cmp(&other.headers())),
            ..Column::new("HEADERS", COUNT, 5, |row, _| Cell::whole(row.headers().to_string()))
        },
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.used_by().cmp(&other.used_by())),
            ..Column::new("USED BY", COUNT, 1, |row, view| match &row.users {
                Some(users) if users.is_empty() => Cell::text("no one").style(view.options.theme.dim),
                Some(users) => Cell::whole(users.len().to_string()),
                None => Cell::text(view.options.glyphs.none),
            })
        },
        age_column!("UPDATED", 3, |row| row.updated(), |_view| Cell::text("–")),
        number_column!("ID", 7, |row| row.id),
    ];

    fn id(&self) -> i64 {
        self.id
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![self.name.as_str().into(), self.method().into(), self.endpoint.as_str().into()]
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        self.updated().map(|time| view.now.mono + Age::changes_in(time, view.now.wall))
    }
}
