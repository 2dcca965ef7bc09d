//! A position in a list: which row is selected and which is the first in view.

use crate::ui::action::Motion;

/// Selection and scroll of a list. The length is not kept: rows come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// The selected row.
    pub at: usize,
    /// The first row in view.
    pub offset: usize,
}

impl Cursor {
    /// Moves by a key. `height` is the number of rows in view.
    pub fn step(&mut self, motion: Motion, length: usize, height: usize) {
        let page = height.max(1);
        let at = match motion {
            Motion::Down => self.at.saturating_add(1),
            Motion::Up => self.at.saturating_sub(1),
            Motion::PageDown => self.at.saturating_add(page),
            Motion::PageUp => self.at.saturating_sub(page),
            Motion::Top => 0,
            Motion::Bottom => usize::MAX,
        };
        self.select(at, length, height);
    }

    /// Selects a row, or the nearest there is, and keeps it in view.
    pub fn select(&mut self, at: usize, length: usize, height: usize) {
        self.at = at.min(length.saturating_sub(1));
        let height = height.max(1);
        let lowest = (self.at + 1).saturating_sub(height);
        self.offset = self.offset.clamp(lowest, self.at).min(length.saturating_sub(height).max(lowest));
    }
}

/// Scrolls a text of `length` lines in `height` rows.
pub fn scroll(at: usize, motion: Motion, length: usize, height: usize) -> usize {
    let last = length.saturating_sub(height);
    let page = height.max(2) - 1;
    match motion {
        Motion::Down => at.saturating_add(1),
        Motion::Up => at.min(last).saturating_sub(1),
        Motion::PageDown => at.saturating_add(page),
        Motion::PageUp => at.min(last).saturating_sub(page),
        Motion::Top => 0,
        Motion::Bottom => last,
    }
    .min(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn the_selected_row_is_always_in_view(
            steps in proptest::collection::vec((0usize..6, 0usize..30, 0usize..12), 1..40)
        ) {
            let motions = [Motion::Down, Motion::Up, Motion::PageDown, Motion::PageUp, Motion::Top, Motion::Bottom];
            let mut cursor = Cursor::default();
            for (motion, length, height) in steps {
                cursor.step(motions[motion], length, height);
                prop_assert!(length == 0 || cursor.at < length);
                prop_assert!(cursor.offset <= cursor.at && cursor.at < cursor.offset + height.max(1));
            }
        }
    }
}
