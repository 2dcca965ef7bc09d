//! The step in which columns are matched by hand.

use super::File;
use crate::messaging::batch::{ColumnTarget, Mapping};
use crate::ui::action::Motion;
use crate::ui::input::{Key, KeyCode};

/// Which column is for what, while that is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) file: File,
    pub(super) mapping: Mapping,
    /// The target that is marked.
    pub(super) at: usize,
    /// True once somebody wanted to go on: what is missing is a fault from then on.
    pub(super) tried: bool,
}

/// What a key says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    Back,
    Done,
}

impl Columns {
    /// The step as it opens: at the first target that needs a column.
    pub(super) fn new(file: File, mapping: Mapping) -> Self {
        let missing = mapping.missing();
        let at = mapping.targets().position(|target| missing.contains(&target)).unwrap_or(0);
        Self { file, mapping, at, tried: false }
    }

    pub(super) fn targets(&self) -> Vec<ColumnTarget> {
        self.mapping.targets().collect()
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: Key) -> Said {
        match key.code {
            KeyCode::Esc => return Said::Back,
            KeyCode::Enter => return self.go_on(),
            KeyCode::Left | KeyCode::Char('h') => self.turn(false),
            KeyCode::Right | KeyCode::Char('l' | ' ') => self.turn(true),
            KeyCode::Tab => self.step(Motion::Down),
            KeyCode::BackTab => self.step(Motion::Up),
            _ => {
                if let Some(motion) = Motion::of(key) {
                    self.step(motion);
                }
            }
        }
        Said::Nothing
    }

    /// Goes to the next target that needs a column, or on where none does.
    fn go_on(&mut self) -> Said {
        let missing = self.mapping.missing();
        if missing.is_empty() {
            return Said::Done;
        }
        let targets = self.targets();
        let needs = |at: &usize| targets.get(*at).is_some_and(|target| missing.contains(target));
        let behind = (self.at + 1..targets.len()).find(needs);
        self.at = behind.or_else(|| (0..targets.len()).find(needs)).unwrap_or(self.at);
        self.tried = true;
        Said::Nothing
    }

    /// Takes the next column for the marked target; before the first one there is none.
    fn turn(&mut self, forward: bool) {
        let Some(target) = self.targets().get(self.at).copied() else { return };
        let choices = self.file.table.header.len() + 1;
        let now = self.mapping.column(target).map_or(0, |column| column + 1);
        let next = (now + if forward { 1 } else { choices - 1 }) % choices;
        self.mapping.set(target, next.checked_sub(1));
    }

    /// Moves the mark.
    pub(super) fn step(&mut self, motion: Motion) {
        let last = self.targets().len().saturating_sub(1);
        self.at = match motion {
            Motion::Down => (self.at + 1).min(last),
            Motion::Up => self.at.saturating_sub(1),
            Motion::PageUp | Motion::Top => 0,
            Motion::PageDown | Motion::Bottom => last,
        };
    }

    /// What the first row has in a target's column.
    pub(super) fn sample(&self, target: ColumnTarget) -> &str {
        let column = self.mapping.column(target);
        let row = self.file.table.rows.first();
        column.zip(row).and_then(|(column, row)| row.cells.get(column)).map_or("", String::as_str)
    }

    /// What a target's column is called; `None` where it has none.
    pub(super) fn called(&self, target: ColumnTarget) -> Option<&str> {
        let column = self.mapping.column(target)?;
        self.file.table.header.get(column).map(String::as_str)
    }
}
