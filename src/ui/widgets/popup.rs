//! A box in front of everything else, clamped to the screen.

use super::put;
use crate::ui::layout::centred;
use crate::ui::theme::{Glyphs, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Where a box around so many columns and rows lies, with its frame.
pub fn outer(screen: Rect, size: (u16, u16)) -> Rect {
    centred(screen, size.0.saturating_add(4), size.1.saturating_add(2))
}

/// Clears a centred area, frames it, and returns what is inside the frame.
pub fn frame(buffer: &mut Buffer, screen: Rect, size: (u16, u16), title: &str, theme: &Theme, glyphs: &Glyphs) -> Rect {
    let outer = outer(screen, size);
    for y in outer.y..outer.bottom() {
        for x in outer.x..outer.right() {
            buffer[(x, y)].reset();
        }
        for x in [outer.x, outer.right().saturating_sub(1)] {
            if outer.width > 0 {
                buffer[(x, y)].set_symbol(glyphs.vertical).set_style(theme.dim);
            }
        }
    }
    if outer.height == 0 || outer.width < 4 {
        return Rect::default();
    }
    for y in [outer.y, outer.bottom() - 1] {
        super::rule(buffer, Rect { y, height: 1, ..outer }, glyphs.horizontal, theme.dim);
    }
    for (x, y, corner) in [
        (outer.x, outer.y, 0),
        (outer.right() - 1, outer.y, 1),
        (outer.x, outer.bottom() - 1, 2),
        (outer.right() - 1, outer.bottom() - 1, 3),
    ] {
        let corners = if glyphs.horizontal == "-" { ["+"; 4] } else { ["┌", "┐", "└", "┘"] };
        buffer[(x, y)].set_symbol(corners[corner]);
    }
    let title = Line::from(Span::styled(format!(" {title} "), theme.accent));
    put(buffer, Rect { x: outer.x + 2, width: outer.width.saturating_sub(4), height: 1, ..outer }, &title);
    // The area was cleared cell by cell; a wide character cut in half at its left edge must go as well.
    if outer.x > 0 {
        for y in outer.y..outer.bottom() {
            let cell = &mut buffer[(outer.x - 1, y)];
            if crate::ui::text::width(cell.symbol()) > 1 {
                cell.set_symbol(" ").set_style(Style::new());
            }
        }
    }
    outer.inner(Margin { horizontal: 2, vertical: 1 })
}
