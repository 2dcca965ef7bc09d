//! What clicks do in the pane.

use super::draw::{COLUMNS, SORTED};
use super::rows::Sort;
use super::{Conversations, Focus};
use crate::ui::layout;
use crate::ui::widgets::columns::arrange;
use ratatui::layout::Rect;

impl Conversations {
    /// Selects the row that was clicked; a click on the selected one opens it.
    pub fn click(&mut self, row: usize, height: usize) {
        let at = self.cursor.offset + row;
        if at >= self.visible.len() {
            return;
        }
        let again = self.cursor.at == at && !self.is_inspecting();
        self.focus = if again { Focus::Inspector } else { Focus::List };
        self.cursor.select(at, self.visible.len(), height);
        self.remember_selection();
    }

    /// Sorts by the column whose name lies at `x` in the header; by that already, the other way round.
    pub fn click_header(&mut self, x: u16, header: Rect, height: usize) {
        let inner = layout::list_row(header);
        let places = arrange(&COLUMNS, inner.width).into_iter().zip(SORTED);
        let hit = places.filter_map(|(place, by)| Some((place?, by?))).find(|((start, wide), _)| {
            let start = inner.x + start;
            (start..start + wide).contains(&x)
        });
        if let Some((_, by)) = hit {
            let descending = by != self.sort.by || !self.sort.descending;
            self.sort = Sort { by, descending };
            self.rearrange(height);
        }
    }
}
