//! A box in front of everything else, clamped to the screen.

use super::put;
use crate::ui::layout::centred;
use crate::ui::text::width;
use crate::ui::theme::{Glyphs, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget as _};

/// Where a box around so many columns and rows lies, with its frame.
pub fn outer(screen: Rect, size: (u16, u16)) -> Rect {
    centred(screen, size.0.saturating_add(4), size.1.saturating_add(2))
}

/// What is inside the frame of that box.
pub fn inner(screen: Rect, size: (u16, u16)) -> Rect {
    outer(screen, size).inner(Margin { horizontal: 2, vertical: 1 })
}

/// Clears a centred area, frames it, and returns what is inside the frame.
pub fn frame(buffer: &mut Buffer, screen: Rect, size: (u16, u16), title: &str, theme: &Theme, glyphs: &Glyphs) -> Rect {
    let outer = outer(screen, size);
    Clear.render(outer, buffer);
    if outer.height < 2 || outer.width < 4 {
        return Rect::default();
    }
    // A wide character that the left edge cuts in half goes whole.
    for y in outer.y..outer.bottom() {
        if let Some(cell) = outer.x.checked_sub(1).map(|x| &mut buffer[(x, y)]).filter(|cell| width(cell.symbol()) > 1)
        {
            cell.set_symbol(" ").set_style(Style::new());
        }
    }
    let (left, right, top, bottom) = (outer.x, outer.right() - 1, outer.y, outer.bottom() - 1);
    for y in [top, bottom] {
        super::rule(buffer, Rect { y, height: 1, ..outer }, glyphs.horizontal, theme.dim);
    }
    for at in (top + 1..bottom).flat_map(|y| [(left, y), (right, y)]) {
        buffer[at].set_symbol(glyphs.vertical).set_style(theme.dim);
    }
    let corners = if glyphs.horizontal == "-" { ["+"; 4] } else { ["┌", "┐", "└", "┘"] };
    for (at, corner) in [(left, top), (right, top), (left, bottom), (right, bottom)].into_iter().zip(corners) {
        buffer[at].set_symbol(corner);
    }
    let title = Line::styled(format!(" {title} "), theme.accent);
    put(buffer, Rect { x: left + 2, width: outer.width - 4, height: 1, ..outer }, &title);
    inner(screen, size)
}
