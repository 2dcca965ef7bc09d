//! The templates of the selected sender.

use super::super::areas::CATEGORY_FROM;
use super::super::templates::filters;
use super::super::{Messaging, Part, format};
use crate::api::Template;
use crate::ui::prelude::*;
use crate::ui::widgets::table::Table;

/// Below this width of the part there are names only.
const NAMES_ONLY: u16 = 28;

const fn up_to(max: u16) -> Width {
    Width::Content { min: 2, max }
}

const NAME: Column<Template> = Column {
    field: Some(0),
    ..Column::new("", Width::Fill(12), 0, |template, view| {
        let name = Some(format::text(&template.name)).filter(|name| !name.is_empty());
        let name = name.unwrap_or(view.options.glyphs.none.into());
        if format::not_sendable(template).is_some() { dim(name, view) } else { Cell::text(name) }
    })
};

const COLUMNS_WIDE: [Column<Template>; 4] = [
    NAME,
    Column::new("", up_to(8), 2, |template, view| dim(format::text(&template.language), view)),
    // What cannot be sent says why in place of what it is for.
    Column::new("", up_to(12), 0, |template, view| {
        dim(format::not_sendable(template).unwrap_or_else(|| format::category(template)), view)
    }),
    Column { right: true, ..Column::new("", up_to(2), 1, |template, view| dim(count(template), view)) },
];

const COLUMNS: [Column<Template>; 2] = [
    NAME,
    Column::new("", up_to(12), 0, |template, view| {
        let both = || format!("{:<5} {:>2}", format::text(&template.language), count(template)).into();
        dim(format::not_sendable(template).unwrap_or_else(both), view)
    }),
];

/// The number of variables; empty for none, and for what cannot be sent.
fn count(template: &Template) -> String {
    let count = template.variables.known().map_or(0, Vec::len);
    let shown = count > 0 && format::not_sendable(template).is_none();
    if shown { count.to_string() } else { String::new() }
}

fn dim<'r>(text: impl Into<std::borrow::Cow<'r, str>>, view: &View<'_>) -> Cell<'r> {
    Cell::text(text).style(view.options.theme.dim)
}

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let rows = pane.sender().and_then(|sender| pane.data.templates_of(sender.id)).unwrap_or_default();
    let columns: &[Column<Template>] = match view.body.width {
        _ if area.width < NAMES_ONLY => &[NAME],
        ..CATEGORY_FROM => &COLUMNS,
        _ => &COLUMNS_WIDE,
    };
    let focused = pane.focus == Part::Templates;
    Table { columns, rows, state: pane.list(Part::Templates), view, area }.draw_body(focused, buffer);
}

/// The filters typed; whose templates they are where the senders are not in view.
pub fn note(pane: &Messaging, view: &View<'_>) -> Span<'static> {
    let Some(sender) = pane.sender() else { return Span::raw("") };
    let typed = pane.list(Part::Templates).narrow.value();
    let filters = filters(pane.data.templates_of(sender.id).unwrap_or_default(), typed).into_iter();
    let note = match typed {
        "" if pane.areas().part(Part::Senders).rows.is_empty() => format::sender(sender),
        _ => filters.map(|(filter, _)| filter).collect::<Vec<_>>().join(&format!(" {} ", view.options.glyphs.dot)),
    };
    Span::styled(note, view.options.theme.dim)
}
