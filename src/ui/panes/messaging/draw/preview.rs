//! The text of the selected template, as it will be read but for its variables.

use super::super::compose::format::styled;
use super::super::{Messaging, format};
use crate::messaging::{Preview, PreviewPart};
use crate::ui::prelude::*;
use crate::ui::text::width;
use crate::ui::widgets::{put_cut, put_right};

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    if area.is_empty() {
        return;
    }
    let Options { theme, glyphs, .. } = view.options;
    let top = Rect { height: 1, ..area };
    rule(buffer, top, glyphs.horizontal, theme.dim);
    let inner = Rect { x: top.x + 1.min(top.width), width: top.width.saturating_sub(2), ..top };
    let said = pane.clock.note(view.now.wall, view.now.mono).map(|note| format!(" {note} ")).unwrap_or_default();
    put_right(buffer, inner, &Line::from(Span::styled(said.clone(), theme.warning)));
    let Some(template) = pane.selected_template() else { return };
    let name = format::text(&template.name).into_owned();
    let variables = template.variables.known().map_or(0, Vec::len);
    let says = match variables {
        0 => "no variables".to_owned(),
        some => count(some as u64, "variable", "variables"),
    };
    let category = format::category(template);
    let category = if category.is_empty() { String::new() } else { format!("{category} {} ", glyphs.dot) };
    let why = format::why_not_sendable(template).map(|why| format!("{} {why} ", glyphs.dot)).unwrap_or_default();
    let head = vec![
        Span::styled(format!(" {name} "), theme.strong),
        Span::styled(format!("{} {category}{says} {why}", glyphs.dot), theme.dim),
    ];
    let noted = if said.is_empty() { 0 } else { u16::try_from(width(&said) + 2).unwrap_or(u16::MAX) };
    let room = inner.width.saturating_sub(noted);
    put_cut(buffer, Rect { width: room, ..inner }, &Line::from(head), glyphs.ellipsis);
    let preview = Preview::of(template);
    let text = Rect { x: area.x + 2.min(area.width), y: area.y + 1, width: area.width.saturating_sub(4), ..area };
    let wrong = preview.mismatches().into_iter().map(|wrong| format!("{} {}", glyphs.alert, clean(&wrong)));
    let wrong: Vec<_> = wrong.map(|wrong| Line::styled(wrong, theme.warning)).collect();
    let mut body = marked(&preview, view, usize::from(text.width));
    // What is wrong keeps the last line, where not all fits.
    let room = usize::from(area.height - 1).saturating_sub(wrong.len().min(1));
    if body.len() > room {
        body.truncate(room);
        body.iter_mut().last().into_iter().for_each(|line| line.push_span(Span::raw(glyphs.ellipsis)));
    }
    for (y, line) in (text.y..area.bottom()).zip(body.into_iter().chain(wrong)) {
        put_cut(buffer, Rect { y, height: 1, ..text }, &line, glyphs.ellipsis);
    }
}

/// The text in lines, its placeholders marked.
fn marked(preview: &Preview, view: &View<'_>, columns: usize) -> Vec<Line<'static>> {
    let Options { theme, glyphs, .. } = view.options;
    let [open, close] = glyphs.placeholders;
    let parts = preview.filled(&[]).into_iter().map(|part| match part {
        PreviewPart::Text(text) | PreviewPart::Value(text) => (clean(&text).into_owned(), Style::new()),
        PreviewPart::Missing(name) => (format!("{open}{}{close}", clean(&name)), theme.strong),
    });
    styled(&parts.collect::<Vec<_>>(), columns)
}
