//! The text of the selected template, as it will be read but for its variables.

use super::super::{Messaging, words};
use super::View;
use crate::ui::options::Options;
use crate::ui::text::{clean, count, wrap};
use crate::ui::widgets::{put, put_cut, put_right, rule};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    if area.is_empty() {
        return;
    }
    let Options { theme, glyphs, .. } = view.options;
    let top = Rect { height: 1, ..area };
    rule(buffer, top, glyphs.horizontal, theme.dim);
    let inner = Rect { x: top.x + 1.min(top.width), width: top.width.saturating_sub(2), ..top };
    if let Some(note) = pane.clock.note(view.now.wall, view.now.mono) {
        put_right(buffer, inner, &Line::from(Span::styled(format!(" {note} "), theme.warning)));
    }
    let Some(template) = pane.selected_template() else { return };
    let name = words::text(&template.name).into_owned();
    let variables = template.variables.known().map_or(0, Vec::len);
    let says = match variables {
        0 => "no variables".to_owned(),
        some => count(some as u64, "variable", "variables"),
    };
    let head = vec![
        Span::styled(format!(" {name} "), theme.strong),
        Span::styled(format!("{} {says} ", glyphs.dot), theme.dim),
    ];
    put_cut(buffer, Rect { width: inner.width / 2, ..inner }, &Line::from(head), glyphs.ellipsis);
    let body = clean(template.body_text.known().map_or("", String::as_str)).into_owned();
    let text = Rect { x: area.x + 2.min(area.width), y: area.y + 1, width: area.width.saturating_sub(4), ..area };
    for (y, line) in (text.y..area.bottom()).zip(wrap(&body, usize::from(text.width))) {
        put(buffer, Rect { y, height: 1, ..text }, &Line::from(line));
    }
}
