//! Tables: columns as data, rows drawn with selection, matched letters, sort arrow and scroll bar.

use super::list::{ListState, Shown};
use crate::ui::pane::View;
use crate::ui::text::{clean, fit, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::borrow::Cow;
use std::cmp::Ordering;
use unicode_segmentation::UnicodeSegmentation;

/// Rows that column widths are worked out from before they are in view.
const LEARNED: usize = 1000;
/// Cells between columns.
const GAP: u16 = 2;
/// Cells left of the first column: a blank and the marker.
const LEFT: u16 = 2;

/// How wide a column is, in cells. Numbers are never cut, whatever this says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Always the same.
    Fixed(u16),
    /// What its content needs: never less than `min`, more than `max` only where all others have what they need.
    Content {
        /// Below this another column goes, where one may. With 0 the column goes while it has nothing to show.
        min: u16,
        /// Texts are cut from here on where there is not room for all.
        max: u16,
    },
    /// At least this, and all that is left.
    Fill(u16),
}

/// How rows are ordered by a column; the function has the smallest first.
#[derive(Debug)]
pub enum Sorting<R> {
    /// Not at all.
    None,
    /// A to Z at first: texts.
    Up(fn(&R, &R) -> Ordering),
    /// The largest first: numbers and times.
    Down(fn(&R, &R) -> Ordering),
}

/// A column of a table of `R`.
#[derive(Debug)]
pub struct Column<R> {
    /// Its name in the header.
    pub title: &'static str,
    /// How wide it is.
    pub width: Width,
    /// True where texts end at the right edge: numbers.
    pub right: bool,
    /// The order in which columns go as the screen narrows: the highest first; 0 stays.
    pub drop: u8,
    /// Which of the fields that narrowing looks through it shows.
    pub field: Option<usize>,
    /// How rows are ordered by it.
    pub sort: Sorting<R>,
    /// What it shows of a row.
    pub cell: for<'r> fn(&'r R, &View<'_>) -> Cell<'r>,
}

impl<R> Column<R> {
    /// A column that is aligned to the left and neither searched nor sorted.
    pub const fn new(
        title: &'static str,
        width: Width,
        drop: u8,
        cell: for<'r> fn(&'r R, &View<'_>) -> Cell<'r>,
    ) -> Self {
        Self { title, width, right: false, drop, field: None, sort: Sorting::None, cell }
    }
}

/// Orders rows by a key: direction, key of a row. This and the columns below are for modules that import the prelude.
macro_rules! sorting {
    ($direction:ident, |$row:ident| $key:expr) => {
        Sorting::$direction(|one, other| {
            let key = |$row: &Self| $key;
            key(one).cmp(&key(other))
        })
    };
}
pub(in crate::ui) use sorting;

/// A column of texts that sorts by them, whatever their case: title, width, drop, field for narrowing, text of a row.
macro_rules! text_column {
    ($title:literal, $width:expr, $drop:literal, $field:expr, |$row:ident| $text:expr) => {
        Column {
            field: $field,
            sort: $crate::ui::widgets::table::sorting!(Up, |$row| $text.to_lowercase()),
            ..Column::new($title, $width, $drop, |$row, _| Cell::text($text))
        }
    };
}
pub(in crate::ui) use text_column;

/// A column of whole numbers, the largest first: title, drop, number of a row.
macro_rules! number_column {
    ($title:literal, $drop:literal, |$row:ident| $number:expr) => {
        Column {
            right: true,
            sort: $crate::ui::widgets::table::sorting!(Down, |$row| $number),
            ..Column::new($title, Width::Content { min: 2, max: 12 }, $drop, |$row, _| Cell::whole($number.to_string()))
        }
    };
}
pub(in crate::ui) use number_column;

/// A column of ages, the latest first: title, drop, time of a row, what stands where there is none and in which style.
macro_rules! age_column {
    ($title:literal, $drop:literal, |$row:ident| $time:expr, |$view:ident| $none:expr) => {
        Column {
            sort: $crate::ui::widgets::table::sorting!(Down, |$row| $time),
            ..Column::new($title, Width::Content { min: 8, max: 14 }, $drop, |$row, $view| match $time {
                Some(time) => Cell::whole($crate::ui::ages::Age::between(time, $view.now.wall).to_string()),
                None => $none,
            })
        }
    };
}
pub(in crate::ui) use age_column;

/// What a column shows of a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell<'r> {
    text: Cow<'r, str>,
    short: Option<Cow<'r, str>>,
    style: Style,
}

impl<'r> Cell<'r> {
    /// A text, cut where there is not room for it.
    pub fn text(text: impl Into<Cow<'r, str>>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A number or an age, never cut: `short` stands where there is not room for all of it.
    pub fn number(full: impl Into<Cow<'r, str>>, short: impl Into<Cow<'r, str>>) -> Self {
        Self { text: full.into(), short: Some(short.into()), style: Style::new() }
    }

    /// The same, with nothing shorter to stand for it.
    pub fn whole(text: String) -> Self {
        Self::number(text.clone(), text)
    }

    /// In this style.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// The whole and the least width that it needs.
    fn needs(&self) -> (u16, u16) {
        let columns = |text: &str| u16::try_from(width(&clean(text))).unwrap_or(u16::MAX);
        let full = columns(&self.text);
        (full, self.short.as_ref().map_or(0, |short| columns(short).min(full)))
    }
}

/// Orders two rows by a column, for [`ListState::refresh`].
pub fn compare<R>(columns: &[Column<R>]) -> impl Fn(usize, &R, &R) -> Ordering {
    move |column, one, other| match columns.get(column).map(|column| &column.sort) {
        Some(Sorting::Up(compare) | Sorting::Down(compare)) => compare(one, other),
        Some(Sorting::None) | None => Ordering::Equal,
    }
}

/// Sorts by a column with the next refresh; false where it does not sort.
pub fn sort_by<R, Id: Clone + PartialEq>(columns: &[Column<R>], state: &mut ListState<Id>, column: usize) -> bool {
    match columns.get(column).map(|column| &column.sort) {
        Some(Sorting::Up(_)) => state.sort_by(column, false),
        Some(Sorting::Down(_)) => state.sort_by(column, true),
        Some(Sorting::None) | None => return false,
    }
    true
}

/// Sorts by the next column that sorts; after the last the rows are in the order in which they came.
pub fn sort_next<R, Id: Clone + PartialEq>(columns: &[Column<R>], state: &mut ListState<Id>) {
    let first = state.sort().map_or(0, |sort| sort.column + 1);
    if !(first..columns.len()).any(|column| sort_by(columns, state, column)) {
        state.unsort();
    }
}

/// Works out how wide the content of each column is, when rows have come.
pub fn learn<R, Id>(columns: &[Column<R>], rows: &[R], state: &mut ListState<Id>, view: &View<'_>) {
    state.needs.resize(columns.len(), (0, 0));
    // Rows that come into view count as well: of many thousands the first ones are enough to begin with.
    for row in rows.iter().take(LEARNED) {
        grow(&mut state.needs, columns.iter().map(|column| (column.cell)(row, view).needs()));
    }
}

fn grow(needs: &mut [(u16, u16)], more: impl Iterator<Item = (u16, u16)>) {
    for (need, more) in needs.iter_mut().zip(more) {
        *need = (need.0.max(more.0), need.1.max(more.1));
    }
}

/// Where each column lies: `(first cell, width)`, or `None` where it has gone. `needs` has the whole and the least
/// width of its content.
///
/// Columns go until the rest has its least width; then numbers are written in full, texts take their width up to the
/// maximum, then titles, then texts beyond it; what is left goes to the column that fills.
pub fn arrange<R>(columns: &[Column<R>], needs: &[(u16, u16)], room: u16) -> Vec<Option<(u16, u16)>> {
    let need = |at: usize| needs.get(at).copied().unwrap_or_default();
    let mut widths: Vec<Option<u16>> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let (Width::Fixed(least) | Width::Content { min: least, .. } | Width::Fill(least)) = column.width;
            let is_empty = matches!(column.width, Width::Content { min: 0, .. }) && need(at).0 == 0;
            (!is_empty).then(|| least.max(need(at).1).max(1))
        })
        .collect();
    let total = |widths: &[Option<u16>]| {
        widths
            .iter()
            .flatten()
            .fold(0u16, |sum, width| sum.saturating_add(*width).saturating_add(GAP))
            .saturating_sub(GAP)
    };
    while total(&widths) > room {
        let over = total(&widths) - room;
        let kept = || (0..columns.len()).filter(|at| widths[*at].is_some());
        let text = kept().filter(|at| need(*at).1 == 0).max_by_key(|at| widths[*at]).filter(|at| widths[*at] > Some(1));
        if let Some(goes) = kept().filter(|at| columns[*at].drop > 0).max_by_key(|at| columns[*at].drop) {
            widths[goes] = None;
        } else if let Some(cut) = text {
            widths[cut] = widths[cut].map(|width| width.saturating_sub(over).max(1));
        } else if let Some(goes) = kept().next_back() {
            widths[goes] = None;
        }
    }
    let mut spare = room - total(&widths);
    for step in 0..5 {
        for (at, column) in columns.iter().enumerate() {
            let (full, least) = need(at);
            let wanted = match (step, column.width) {
                (0, _) if least > 0 => full,
                (1, Width::Content { max, .. }) => full.min(max),
                (2, Width::Fill(_)) | (4, Width::Content { .. }) => full,
                (3, Width::Content { .. }) => header_width(column),
                _ => 0,
            };
            if let Some(width) = &mut widths[at] {
                let more = wanted.saturating_sub(*width).min(spare);
                (*width, spare) = (*width + more, spare - more);
            }
        }
    }
    let mut x: u16 = 0;
    let place = |(column, width): (&Column<R>, Option<u16>)| {
        let width = width? + if matches!(column.width, Width::Fill(_)) { std::mem::take(&mut spare) } else { 0 };
        let place = (x, width);
        x = x.saturating_add(width).saturating_add(GAP);
        Some(place)
    };
    columns.iter().zip(widths).map(place).collect()
}

/// The title, and room for the arrow where there may be one.
fn header_width<R>(column: &Column<R>) -> u16 {
    let arrow = if matches!(column.sort, Sorting::None) { 0 } else { 2 };
    u16::try_from(width(column.title)).unwrap_or(u16::MAX) + arrow
}

/// What cells may take of a line: the marker lies left of it, the scroll bar right.
fn inner(line: Rect) -> Rect {
    Rect { x: line.x + LEFT.min(line.width), width: line.width.saturating_sub(LEFT + 1), ..line }
}

/// Rows in view where a table with its header is drawn in this area.
pub fn height(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(1))
}

/// The cells of each row in view, and the place of each column that is shown.
type Layout<'a> = (Vec<Vec<Cell<'a>>>, Vec<Option<(u16, u16)>>);

/// A table on screen.
#[derive(Debug)]
pub struct Table<'a, R, Id> {
    /// What it shows of each row.
    pub columns: &'a [Column<R>],
    /// The rows of the last refresh of `state`.
    pub rows: &'a [R],
    /// Which rows are in view.
    pub state: &'a ListState<Id>,
    /// Settings and time.
    pub view: &'a View<'a>,
    /// Where it is drawn.
    pub area: Rect,
}

impl<'a, R, Id: Clone + PartialEq> Table<'a, R, Id> {
    /// What is in view counts as it is now: an age may have grown since the rows came.
    fn layout(&self, height: usize) -> Layout<'a> {
        let in_view = self.state.in_view(height).filter_map(|(_, shown)| self.rows.get(shown.row));
        let cells = |row| self.columns.iter().map(|column| (column.cell)(row, self.view)).collect();
        let cells: Vec<Vec<_>> = in_view.map(cells).collect();
        let mut needs = self.state.needs.clone();
        needs.resize(self.columns.len(), (0, 0));
        for row in &cells {
            grow(&mut needs, row.iter().map(Cell::needs));
        }
        (cells, arrange(self.columns, &needs, inner(self.area).width))
    }

    /// The column whose title a click hit.
    pub fn header_at(&self, click: Position) -> Option<usize> {
        let Self { area, .. } = *self;
        let x = click.x.checked_sub(inner(area).x).filter(|_| area.height > 0 && click.y == area.y)?;
        let (_, places) = self.layout(height(area));
        places.iter().position(|place| place.is_some_and(|(first, width)| (first..first + width).contains(&x)))
    }

    /// Draws the header and the rows that are in view.
    pub fn draw(&self, focused: bool, buffer: &mut Buffer) {
        let Self { columns, state, view, area, .. } = *self;
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let layout = self.layout(height(area));
        let header = Rect { height: area.height.min(1), ..area };
        for (at, (column, place)) in columns.iter().zip(&layout.1).enumerate() {
            let Some(place) = *place else { continue };
            let arrow = state.sort().filter(|sort| sort.column == at);
            let arrow = arrow.map(|sort| if sort.descending { glyphs.down } else { glyphs.up });
            let room = usize::from(place.1).saturating_sub(arrow.map_or(0, |arrow| width(arrow) + 1));
            let title = if room > 1 { fit(column.title, room, glyphs.ellipsis) } else { Cow::default() };
            let title = match arrow {
                Some(arrow) if title.is_empty() => Cow::Borrowed(arrow),
                Some(arrow) => Cow::Owned(format!("{title} {arrow}")),
                None => title,
            };
            put_cell(buffer, inner(header), place, column.right, &title, theme.dim);
        }
        let body = Rect { y: area.y + header.height, height: area.height - header.height, ..area };
        self.draw_cells(&layout, focused, body, buffer);
    }

    /// Draws the rows that are in view, without a header.
    pub fn draw_body(&self, focused: bool, buffer: &mut Buffer) {
        self.draw_cells(&self.layout(self.area.height.into()), focused, self.area, buffer);
    }

    fn draw_cells(&self, (cells, places): &Layout<'_>, focused: bool, area: Rect, buffer: &mut Buffer) {
        let (theme, ellipsis) = (&self.view.options.theme, self.view.options.glyphs.ellipsis);
        let mut rows = cells.iter();
        draw_rows(self.state, 1, focused, self.view, area, buffer, |buffer, line, shown| {
            let Some(row) = rows.next() else { return };
            for ((column, place), cell) in self.columns.iter().zip(places).zip(row) {
                let Some(place) = *place else { continue };
                let text = clean(&cell.text);
                let room = usize::from(place.1);
                let text = match &cell.short {
                    Some(short) if width(&text) > room => clean(short),
                    _ => fit(&text, room, ellipsis),
                };
                let x = put_cell(buffer, line, place, column.right, &text, cell.style);
                if let Some(letters) = column.field.and_then(|field| shown.letters.get(field)) {
                    mark(buffer, Position { x, y: line.y }, &text, letters, theme.matched);
                }
            }
        });
    }
}

/// Writes a text into its column and tells where it begins.
fn put_cell(buffer: &mut Buffer, line: Rect, (x, room): (u16, u16), right: bool, text: &str, style: Style) -> u16 {
    let used = u16::try_from(width(text)).unwrap_or(room);
    let x = line.x + x + if right { room.saturating_sub(used) } else { 0 };
    if line.height > 0 && x < line.right() && text.is_ascii() {
        // Most cells are: what graphemes they have needs no looking at.
        for (x, letter) in (x..line.right().min(x + room)).zip(text.chars()) {
            buffer[(x, line.y)].set_char(letter).set_style(style);
        }
    } else if line.height > 0 && x < line.right() {
        buffer.set_stringn(x, line.y, text, usize::from((line.right() - x).min(room)), style);
    }
    x
}

/// Marks the matched graphemes of a text that was written here.
pub fn mark(buffer: &mut Buffer, at: Position, text: &str, letters: &[u32], style: Style) {
    let mut x = at.x;
    for (index, grapheme) in (0u32..).zip(text.graphemes(true)) {
        let columns = u16::try_from(width(grapheme)).unwrap_or(0);
        if letters.binary_search(&index).is_ok() {
            buffer.set_style(Rect { x, y: at.y, width: columns, height: 1 }, style);
        }
        x = x.saturating_add(columns);
    }
}

/// Draws the rows in view, each `lines` high, by `row`: into the area that it is given, between marker and scroll bar.
pub fn draw_rows<Id: Clone + PartialEq>(
    state: &ListState<Id>,
    lines: u16,
    focused: bool,
    view: &View<'_>,
    area: Rect,
    buffer: &mut Buffer,
    mut row: impl FnMut(&mut Buffer, Rect, &Shown<Id>),
) {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let lines = lines.max(1);
    let height = area.height / lines;
    let (style, marker) = if focused { (theme.row, theme.accent) } else { (theme.row_unfocused, theme.dim) };
    for (y, (place, shown)) in (area.y..area.bottom()).step_by(usize::from(lines)).zip(state.in_view(height.into())) {
        let line = Rect { y, height: lines, ..area };
        row(buffer, inner(line), shown);
        if place == state.at() {
            let across = Rect { x: line.x + line.width.min(1), width: line.width.saturating_sub(1), ..line };
            buffer.set_style(across, style);
            for y in across.y..across.bottom() {
                buffer.set_stringn(across.x, y, glyphs.marker, usize::from(across.width), marker);
            }
        }
    }
    bar(buffer, area, (state.offset(), height.into(), state.order().len()), glyphs.bar, theme.dim);
}

/// Draws a scroll bar at the right edge of an area where not all is in view: of `length` rows `height`, from `offset`.
pub fn bar(
    buffer: &mut Buffer,
    area: Rect,
    (offset, height, length): (usize, usize, usize),
    glyph: &str,
    style: Style,
) {
    if length <= height || area.is_empty() || height == 0 {
        return;
    }
    let room = usize::from(area.height);
    let thumb = (room * height / length).max(1);
    let (hidden, travel) = (length - height, room - thumb);
    // Only at the very ends the bar touches them.
    let top = match offset {
        0 => 0,
        offset if offset >= hidden => travel,
        offset => (offset * travel / hidden).clamp(1.min(travel), travel.saturating_sub(1).max(1.min(travel))),
    };
    for y in (area.y..area.bottom()).skip(top).take(thumb) {
        buffer[(area.right() - 1, y)].set_symbol(glyph).set_style(style);
    }
}

#[cfg(test)]
mod tests;
