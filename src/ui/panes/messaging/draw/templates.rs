//! The templates of the selected sender.

use super::super::templates::{Filter, filters};
use super::super::{Messaging, Part, format};
use super::View;
use crate::api::Template;
use crate::ui::widgets::table::{self, Cell, Column, Sorting, Width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

/// From this width on the category has a column of its own.
const WIDE: u16 = 42;

const NAME: Column<Template> = Column {
    title: "",
    width: Width::Fill(12),
    right: false,
    drop: 0,
    field: Some(0),
    sort: Sorting::None,
    cell: |template, view| {
        let name = match format::text(&template.name) {
            name if name.is_empty() => view.options.glyphs.none.into(),
            name => name,
        };
        let cell = Cell::text(name);
        if format::not_sendable(template).is_some() { cell.style(view.options.theme.dim) } else { cell }
    },
};

const fn column(max: u16, drop: u8, cell: for<'r> fn(&'r Template, &View<'_>) -> Cell<'r>) -> Column<Template> {
    let width = Width::Content { min: 2, max };
    Column { title: "", width, right: false, drop, field: None, sort: Sorting::None, cell }
}

const LANGUAGE: Column<Template> = column(8, 2, |template, view| dim(format::text(&template.language), view));

/// What cannot be sent says why in place of what it is for.
const CATEGORY: Column<Template> = column(12, 0, |template, view| {
    dim(format::not_sendable(template).unwrap_or_else(|| format::category(template)), view)
});

/// Language and number of variables in one column.
const LANGUAGE_AND_COUNT: Column<Template> = column(12, 0, |template, view| {
    let both = || format!("{:<5} {:>2}", format::text(&template.language), count(template)).into();
    dim(format::not_sendable(template).unwrap_or_else(both), view)
});

const VARIABLES: Column<Template> = Column { right: true, ..column(2, 1, |template, view| dim(count(template), view)) };

const COLUMNS_WIDE: [Column<Template>; 4] = [NAME, LANGUAGE, CATEGORY, VARIABLES];
const COLUMNS: [Column<Template>; 2] = [NAME, LANGUAGE_AND_COUNT];

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
    let rows = pane.sender().and_then(|sender| pane.known.templates_of(sender.id)).unwrap_or_default();
    let columns: &[Column<Template>] = if area.width < WIDE { &COLUMNS } else { &COLUMNS_WIDE };
    let focused = pane.focus == Part::Templates;
    table::draw_body(columns, rows, &pane.templates.list, focused, view, area, buffer);
}

/// The filters typed; whose templates they are where the senders are not in view.
pub fn note(pane: &Messaging, view: &View<'_>) -> Span<'static> {
    let Some(sender) = pane.sender() else { return Span::raw("") };
    let typed = pane.templates.list.narrow.value();
    let filters = filters(pane.known.templates_of(sender.id).unwrap_or_default(), typed);
    let note = match typed {
        "" if pane.areas().senders.rows.is_empty() => format::sender(sender),
        _ => {
            let labels: Vec<_> = filters.iter().map(|(filter, _): &(Filter, _)| filter.label()).collect();
            labels.join(&format!(" {} ", view.options.glyphs.dot))
        }
    };
    Span::styled(note, view.options.theme.dim)
}
