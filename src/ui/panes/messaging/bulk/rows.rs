//! The rows of a file, as records of a table.

use super::super::format;
use crate::messaging::Outcome;
use crate::records::Entry;
use crate::ui::prelude::*;
use crate::ui::theme::Theme;
use std::borrow::Cow;

/// Refused rows listed on screen; the results have all.
const REFUSED_MAX: usize = 1000;

/// How a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It would be sent.
    Ready,
    /// It is left out, since it was sent before.
    Skipped,
    /// It would be sent, and its number looks wrong.
    Odd,
    /// It is not sent, or was refused.
    Bad,
    Unknown,
}

/// A row of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BatchRow {
    /// Line in the file, from 1.
    pub(super) line: u64,
    /// In E.164, or the cell as it is.
    pub(super) phone: String,
    /// What there is to say of it.
    pub(super) status: Cow<'static, str>,
    standing: Standing,
}

impl BatchRow {
    fn new(line: u64, phone: &str, status: impl Into<Cow<'static, str>>, standing: Standing) -> Self {
        Self { line, phone: phone.to_owned(), status: status.into(), standing }
    }

    /// A row that would be sent.
    pub(super) fn ready(line: u64, phone: &str) -> Self {
        Self::new(line, phone, "ready", Standing::Ready)
    }

    /// A row that is left out, since it was sent before.
    pub(super) fn skipped(line: u64, phone: &str) -> Self {
        Self::new(line, phone, "sent before: skipped", Standing::Skipped)
    }

    /// A row that was not sent, and why.
    pub(super) fn bad(line: u64, phone: &str, why: &str) -> Self {
        Self::new(line, phone, why.trim_end_matches('.').to_owned(), Standing::Bad)
    }

    /// A row that can be sent, and what is odd about its number.
    pub(super) fn hint(line: u64, phone: &str, hint: &str) -> Self {
        Self::new(line, phone, format!("can be sent: {hint}"), Standing::Odd)
    }

    /// A row with an unknown outcome, and why.
    pub(super) fn unknown(line: u64, phone: &str, why: &str) -> Self {
        Self::new(line, phone, format!("unknown: {}", why.trim_end_matches('.')), Standing::Unknown)
    }

    /// Its colour.
    pub(super) fn style(&self, theme: &Theme) -> Style {
        match self.standing {
            Standing::Ready => Style::new(),
            Standing::Skipped => theme.dim,
            Standing::Odd | Standing::Unknown => theme.warning,
            Standing::Bad => theme.failed,
        }
    }
}

impl Record for BatchRow {
    type Id = u64;
    const NAME: &'static str = "row";
    const COLUMNS: &'static [Column<Self>] = &[
        Column::new("LINE", Width::Content { min: 4, max: 8 }, 0, |row, _| Cell::text(row.line.to_string())),
        Column::new("NUMBER", Width::Content { min: 12, max: 20 }, 1, |row, _| Cell::text(format::phone(&row.phone))),
        Column::new("STATUS", Width::Fill(12), 0, |row, view| {
            Cell::text(&*row.status).style(row.style(&view.options.theme))
        }),
    ];

    fn id(&self) -> u64 {
        self.line
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        Vec::new()
    }
}

/// How many rows have an unknown outcome: these come first.
pub(super) fn unknown(rows: &[BatchRow]) -> usize {
    rows.partition_point(|row| row.standing == Standing::Unknown)
}

/// Adds the row of a batch where its outcome is unknown or refused.
pub(super) fn insert(rows: &mut Vec<BatchRow>, entry: &Entry) {
    let (line, phone) = (entry.intent.row.as_ref().map_or(0, |row| row.line), &entry.intent.phone);
    match &entry.outcome {
        Some(Outcome::Unknown { why }) => rows.insert(unknown(rows), BatchRow::unknown(line, phone, why)),
        Some(outcome @ (Outcome::Refused(_) | Outcome::NotSent(_))) if rows.len() - unknown(rows) < REFUSED_MAX => {
            rows.push(BatchRow::bad(line, phone, &format!("{}: {}", outcome.word(), outcome.detail())));
        }
        _ => {}
    }
}
