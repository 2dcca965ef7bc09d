//! Columns that line up, and that go one by one as the screen narrows.

use crate::ui::text;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::borrow::Cow;

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header.
    pub title: &'static str,
    /// Its width in cells; for the one that fills, the least it needs.
    pub width: u16,
    /// True for the column that takes what the others leave.
    pub fills: bool,
    /// True where texts end at the right edge.
    pub right: bool,
    /// The order in which columns go: the highest first; 0 stays.
    pub drops: u8,
}

/// Cells between columns.
const GAP: u16 = 2;

/// Where each column lies in a row: `(first cell, width)`, or `None` where it has gone.
pub fn arrange<const N: usize>(columns: &[Column; N], width: u16) -> [Option<(u16, u16)>; N] {
    let mut kept = [true; N];
    let needed = |kept: &[bool; N]| {
        let widths = columns.iter().zip(kept).filter(|(_, kept)| **kept).map(|(column, _)| column.width + GAP);
        widths.sum::<u16>().saturating_sub(GAP)
    };
    while needed(&kept) > width {
        let droppable = (0..N).filter(|at| kept[*at] && columns[*at].drops > 0);
        let Some(next) = droppable.max_by_key(|at| columns[*at].drops) else { break };
        kept[next] = false;
    }
    let mut spare = width.saturating_sub(needed(&kept));
    let mut x: u16 = 0;
    std::array::from_fn(|at| {
        if !kept[at] {
            return None;
        }
        let extra = if columns[at].fills { std::mem::take(&mut spare) } else { 0 };
        let place = (x, (columns[at].width + extra).min(width.saturating_sub(x)));
        x = x.saturating_add(columns[at].width + extra + GAP);
        (place.1 > 0).then_some(place)
    })
}

/// Writes a text into its column of a row, cut where it is too long.
pub fn cell(buffer: &mut Buffer, row: Rect, place: (u16, u16), right: bool, shown: &str, style: Style, ellipsis: &str) {
    let (x, width) = place;
    let shown: Cow<'_, str> = text::fit(shown, usize::from(width), ellipsis);
    let used = u16::try_from(text::width(&shown)).unwrap_or(width);
    let x = row.x + x + if right { width.saturating_sub(used) } else { 0 };
    if row.height > 0 && x < row.right() {
        buffer.set_stringn(x, row.y, &shown, usize::from(row.right() - x), style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [
        Column { title: "A", width: 10, fills: false, right: false, drops: 0 },
        Column { title: "B", width: 10, fills: true, right: false, drops: 0 },
        Column { title: "C", width: 5, fills: false, right: true, drops: 1 },
    ];

    #[test]
    fn what_is_left_over_fills_one_column() {
        assert_eq!(arrange(&COLUMNS, 40), [Some((0, 10)), Some((12, 21)), Some((35, 5))]);
    }

    #[test]
    fn columns_go_in_their_order_and_never_overlap_the_edge() {
        assert_eq!(arrange(&COLUMNS, 26), [Some((0, 10)), Some((12, 14)), None]);
        for width in 0..30 {
            for (x, wide) in arrange(&COLUMNS, width).into_iter().flatten() {
                assert!(x + wide <= width);
            }
        }
    }
}
