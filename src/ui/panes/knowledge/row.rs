//! The rows of both lists: knowledgebases and documents as records, with their status in words.

use crate::api::{Document, DocumentStatus, Field, IsoTimestamp, Knowledgebase, KnowledgebaseStatus};
use crate::ui::ages::Age;
use crate::ui::attachments::{Kind, users};
use crate::ui::prelude::*;
use jiff::Timestamp;
use std::borrow::Cow;

/// A name for the screen; the number where the server does not tell it.
pub fn name(field: &Field<String>, id: i64) -> String {
    field.known().map_or_else(|| format!("no. {id}"), |name| clean(name).into_owned())
}

/// A description as it came; empty where there is none.
pub fn description(field: &Field<Option<String>>) -> String {
    field.known().cloned().flatten().unwrap_or_default()
}

pub fn time(field: &Field<IsoTimestamp>) -> Option<Timestamp> {
    field.known().map(|IsoTimestamp(time)| *time)
}

/// True while the document is being processed.
pub fn is_processing(document: &Document) -> bool {
    document.status.known() == Some(&DocumentStatus::Processing)
}

/// How many assistants use it: what the records of the assistants say, or else its own.
fn used_by(record: &Knowledgebase, view: &View<'_>) -> Option<u64> {
    let users = users(Kind::Knowledgebase, record.id(), view.data).map(|names| names.len() as u64);
    users.or_else(|| record.assistants_count.known().copied())
}

/// The status of a knowledgebase with its glyph, and its style.
pub fn knowledgebase_status(record: &Knowledgebase, view: &View<'_>) -> (String, Style) {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let (glyph, words, style) = match record.status.known() {
        Some(KnowledgebaseStatus::Active) => (glyphs.full, "active", theme.good),
        Some(KnowledgebaseStatus::Processing) => (glyphs.half, "processing", theme.warning),
        Some(KnowledgebaseStatus::Failed) => (glyphs.cross, "failed", theme.failed),
        Some(KnowledgebaseStatus::Empty) => (glyphs.hollow, "empty", theme.dim),
        Some(KnowledgebaseStatus::Other(word)) => (glyphs.none, &**word, theme.dim),
        None => (glyphs.none, "not known", theme.dim),
    };
    (format!("{glyph} {words}"), style)
}

/// The status of a document with its glyph, and its style; what is being processed with how long it has been.
pub fn document_status(document: &Document, view: &View<'_>) -> (String, Style) {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let since = |created| match &*Age::between(created, view.now.wall).to_string() {
        "just now" => String::new(),
        age => format!(" {}", age.trim_end_matches(" ago")),
    };
    match document.status.known() {
        Some(DocumentStatus::Active) => (format!("{} active", glyphs.full), theme.good),
        Some(DocumentStatus::Processing) => {
            let since = time(&document.created_at).map(since).unwrap_or_default();
            (format!("{} processing{}{since}", glyphs.half, glyphs.ellipsis), theme.warning)
        }
        Some(DocumentStatus::Failed) => (format!("{} failed", glyphs.cross), theme.failed),
        Some(DocumentStatus::Other(word)) => (format!("{} {word}", glyphs.none), theme.dim),
        None => (format!("{} not known", glyphs.none), theme.dim),
    }
}

fn word(record: &Knowledgebase) -> &str {
    record.status.known().map_or("", KnowledgebaseStatus::as_str)
}

fn kind(document: &Document) -> &str {
    document.kind.known().map_or("", |kind| kind.label())
}

const STATUS: Width = Width::Content { min: 13, max: 22 };

impl Record for Knowledgebase {
    type Id = i64;
    const NAME: &'static str = "knowledgebase";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Fill(15), 0, Some(0), |row| name(&row.name, row.id())),
        Column {
            field: Some(1),
            sort: Sorting::Up(|one, other| word(one).cmp(word(other))),
            ..Column::new("STATUS", STATUS, 1, |row, view| {
                let (words, style) = knowledgebase_status(row, view);
                Cell::text(words).style(style)
            })
        },
        Column {
            right: true,
            sort: Sorting::Down(|one, other| one.documents_count.known().cmp(&other.documents_count.known())),
            ..Column::new("DOCS", Width::Content { min: 4, max: 6 }, 2, |row, _| {
                Cell::whole(row.documents_count.known().map_or_else(|| "–".to_owned(), u64::to_string))
            })
        },
        Column {
            right: true,
            ..Column::new("USED BY", Width::Content { min: 7, max: 7 }, 4, |row, view| {
                Cell::whole(used_by(row, view).map_or_else(|| "–".to_owned(), |count| count.to_string()))
            })
        },
        age_column!("UPDATED", 3, |row| time(&row.updated_at), |_view| Cell::text("–")),
        number_column!("ID", 5, |row| row.id()),
    ];

    fn id(&self) -> i64 {
        self.id.known().copied().unwrap_or_default()
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![name(&self.name, self.id()).into(), word(self).into(), description(&self.description).into()]
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        time(&self.updated_at).map(|time| view.now.mono + Age::changes_in(time, view.now.wall))
    }
}

impl Record for Document {
    type Id = i64;
    const NAME: &'static str = "document";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Fill(24), 0, Some(0), |row| name(&row.name, row.id())),
        text_column!("TYPE", Width::Content { min: 4, max: 8 }, 2, Some(1), |row| kind(row)),
        Column {
            field: Some(2),
            sort: Sorting::Up(|one, other| one.status_word().cmp(other.status_word())),
            ..Column::new("STATUS", STATUS, 1, |row, view| {
                let (words, style) = document_status(row, view);
                Cell::text(words).style(style)
            })
        },
        age_column!("UPDATED", 3, |row| time(&row.updated_at).or(time(&row.created_at)), |_view| Cell::text("–")),
        number_column!("ID", 4, |row| row.id()),
    ];

    fn id(&self) -> i64 {
        self.id.known().copied().unwrap_or_default()
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        let status = self.status_word();
        vec![
            name(&self.name, self.id()).into(),
            kind(self).into(),
            status.into(),
            description(&self.description).into(),
        ]
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let times = [time(&self.updated_at), time(&self.created_at)].into_iter().flatten();
        times.map(|time| view.now.mono + Age::changes_in(time, view.now.wall)).min()
    }
}

impl Document {
    fn status_word(&self) -> &str {
        self.status.known().map_or("", DocumentStatus::as_str)
    }
}
