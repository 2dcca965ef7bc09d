//! The rows that need attention, as a table.

use super::super::format;
use crate::ui::action::Motion;
use crate::ui::prelude::*;
use crate::ui::widgets::list::ListState;
use crate::ui::widgets::{put_right, table};
use ratatui::text::Line;

/// A row that cannot be sent, was refused, or has an unknown outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProblemRow {
    /// Line in the file, from 1.
    pub(super) line: u64,
    phone: String,
    why: String,
    is_unknown: bool,
}

impl ProblemRow {
    /// A row that was not sent, and why.
    pub(super) fn new(line: u64, phone: &str, why: &str) -> Self {
        Self { line, phone: format::phone(phone), why: why.trim_end_matches('.').to_owned(), is_unknown: false }
    }

    /// A row with an unknown outcome, and why.
    pub(super) fn unknown(line: u64, phone: &str, why: &str) -> Self {
        Self { is_unknown: true, ..Self::new(line, phone, &format!("unknown: {why}")) }
    }
}

const COLUMNS: &[Column<ProblemRow>] = &[
    Column::new("LINE", Width::Content { min: 4, max: 8 }, 0, |row, _| Cell::text(row.line.to_string())),
    Column::new("NUMBER", Width::Content { min: 12, max: 20 }, 1, |row, _| Cell::text(&*row.phone)),
    Column::new("PROBLEM", Width::Fill(12), 0, |row, view| {
        let theme = &view.options.theme;
        Cell::text(&*row.why).style(if row.is_unknown { theme.warning } else { theme.failed })
    }),
];

/// The table: rows with unknown outcomes, then the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Problems {
    rows: Vec<ProblemRow>,
    list: ListState<u64>,
    /// Rows in view when the selection moved last.
    height: usize,
}

impl Problems {
    pub(super) fn new(rows: Vec<ProblemRow>) -> Self {
        let mut problems = Self { rows, ..Self::default() };
        problems.refresh();
        problems
    }

    pub(super) fn push(&mut self, row: ProblemRow) {
        let at = if row.is_unknown { self.unknown() } else { self.rows.len() };
        self.rows.insert(at, row);
        self.refresh();
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many rows have an unknown outcome.
    pub(super) fn unknown(&self) -> usize {
        self.rows.partition_point(|row| row.is_unknown)
    }

    fn refresh(&mut self) {
        let order = table::compare(COLUMNS);
        self.list.refresh(&self.rows, |row| row.line, |_| Vec::new(), order, self.height);
    }

    /// Moves the selection; `area` is that of the table.
    pub(super) fn step(&mut self, motion: Motion, area: Rect) {
        self.height = table::height(area);
        self.list.step(motion, self.height);
    }

    /// Selects the row at this line of the screen.
    pub(super) fn click(&mut self, y: u16, area: Rect) {
        self.height = table::height(area);
        if let Some(row) = y.checked_sub(area.y + 1) {
            self.list.click(row.into(), self.height);
        }
    }

    /// Draws the table with the position of the selection.
    pub(super) fn draw(&self, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
        if self.rows.is_empty() {
            return;
        }
        table::draw(COLUMNS, &self.rows, &self.list, true, view, area, buffer);
        if let Some(position) = self.list.position().filter(|_| area.height > 0) {
            put_right(buffer, area, &Line::styled(format!("{position} "), view.options.theme.dim));
        }
    }
}
