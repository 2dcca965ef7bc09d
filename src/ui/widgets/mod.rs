//! What panes are made of.

pub mod browser;

pub mod confirm;

pub mod details;
pub mod diff;

pub mod form;
pub mod input;
pub mod json;

pub mod list;
pub mod popup;
pub mod reader;
pub mod search;

pub mod state;

pub mod table;
pub mod tabs;
pub mod transcript;

use super::text::{fit, width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Writes a line at the top left of an area and nothing outside it.
pub fn put(buffer: &mut Buffer, area: Rect, line: &Line<'_>) {
    if !area.is_empty() {
        // What was drawn here before must not shine through: a title on a dim rule is not dim.
        let width = u16::try_from(line.width()).unwrap_or(u16::MAX).min(area.width);
        buffer.set_style(Rect { width, height: 1, ..area }, Style::reset());
        buffer.set_line(area.x, area.y, line, area.width);
    }
}

/// Writes a line at the top left of an area; one that is too long ends in `ellipsis`.
pub fn put_cut(buffer: &mut Buffer, area: Rect, line: &Line<'_>, ellipsis: &str) {
    if line.width() <= usize::from(area.width) {
        return put(buffer, area, line);
    }
    let mut room = usize::from(area.width).saturating_sub(width(ellipsis));
    let mut cut = Line::default();
    for span in &line.spans {
        let kept = fit(&span.content, room, "");
        room -= width(&kept);
        let whole = kept.len() == span.content.len();
        cut.push_span(Span::styled(kept.into_owned(), span.style));
        if !whole {
            break;
        }
    }
    cut.push_span(Span::raw(ellipsis.to_owned()));
    put(buffer, area, &cut);
}

/// Draws a line from the top of an area to its bottom.
pub fn column(buffer: &mut Buffer, area: Rect, glyph: &str, style: Style) {
    for position in area.positions() {
        buffer[position].set_symbol(glyph).set_style(style);
    }
}

/// Writes a line at the top right of an area.
pub fn put_right(buffer: &mut Buffer, area: Rect, line: &Line<'_>) {
    let width = u16::try_from(line.width()).unwrap_or(u16::MAX).min(area.width);
    put(buffer, Rect { x: area.right() - width, width, ..area }, line);
}

/// Writes lines from the top of an area on, the first `skip` left out.
pub fn put_lines(buffer: &mut Buffer, area: Rect, lines: &[Line<'_>], skip: usize) {
    for (y, line) in (area.y..area.bottom()).zip(lines.iter().skip(skip)) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

/// Draws a horizontal line.
pub fn rule(buffer: &mut Buffer, area: Rect, glyph: &str, style: Style) {
    put(buffer, area, &Line::styled(glyph.repeat(area.width.into()), style));
}
