//! The rows that need attention, as records of a table.

use super::super::format;
use crate::messaging::Outcome;
use crate::records::Entry;
use crate::ui::prelude::*;
use std::borrow::Cow;

/// Refused rows listed on screen; the results have all.
const REFUSED_MAX: usize = 1000;

/// A row that cannot be sent, has an odd number, was refused, or has an unknown outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProblemRow {
    /// Line in the file, from 1.
    pub(super) line: u64,
    phone: String,
    why: String,
    is_unknown: bool,
    is_hint: bool,
}

impl ProblemRow {
    /// A row that was not sent, and why.
    pub(super) fn new(line: u64, phone: &str, why: &str) -> Self {
        Self {
            line,
            phone: format::phone(phone),
            why: why.trim_end_matches('.').to_owned(),
            is_unknown: false,
            is_hint: false,
        }
    }

    /// A row that can be sent, and what is odd about its number.
    pub(super) fn hint(line: u64, phone: &str, hint: &str) -> Self {
        Self { is_hint: true, ..Self::new(line, phone, &format!("can be sent: {hint}")) }
    }

    /// A row with an unknown outcome, and why.
    pub(super) fn unknown(line: u64, phone: &str, why: &str) -> Self {
        Self { is_unknown: true, ..Self::new(line, phone, &format!("unknown: {why}")) }
    }
}

impl Record for ProblemRow {
    type Id = u64;
    const NAME: &'static str = "row";
    const COLUMNS: &'static [Column<Self>] = &[
        Column::new("LINE", Width::Content { min: 4, max: 8 }, 0, |row, _| Cell::text(row.line.to_string())),
        Column::new("NUMBER", Width::Content { min: 12, max: 20 }, 1, |row, _| Cell::text(&*row.phone)),
        Column::new("PROBLEM", Width::Fill(12), 0, |row, view| {
            let theme = &view.options.theme;
            Cell::text(&*row.why).style(if row.is_unknown || row.is_hint { theme.warning } else { theme.failed })
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
pub(super) fn unknown(rows: &[ProblemRow]) -> usize {
    rows.partition_point(|row| row.is_unknown)
}

/// Adds the row of a batch where its outcome is unknown or refused.
pub(super) fn insert(rows: &mut Vec<ProblemRow>, entry: &Entry) {
    let (line, phone) = (entry.intent.row.as_ref().map_or(0, |row| row.line), &entry.intent.phone);
    match &entry.outcome {
        Some(Outcome::Unknown { why }) => rows.insert(unknown(rows), ProblemRow::unknown(line, phone, why)),
        Some(outcome @ (Outcome::Refused(_) | Outcome::NotSent(_))) if rows.len() - unknown(rows) < REFUSED_MAX => {
            rows.push(ProblemRow::new(line, phone, &format!("{}: {}", outcome.word(), outcome.detail())));
        }
        _ => {}
    }
}
