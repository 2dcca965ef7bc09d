//! A form on screen: its rows are laid out once, for drawing and for clicks.

use super::field::{Field, Item, Kind};
use super::{Form, Level};
use crate::ui::pane::View;
use crate::ui::text::{clean, fit, thousands, width, wrap};
use crate::ui::widgets::put_cut;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Cells that names leave to what stands beside them.
const ABOUT: usize = 8;
/// Items of a list shown at once.
const LIST: usize = 6;

/// What stands in a row of the form.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// A row of the control, counted in the rows of its text.
    Control(usize),
    /// A line of a message, and whether it is the first.
    Message(Level, bool, String),
    Counter(usize, usize),
    /// An item of the list below the field, by its place.
    Item(usize),
    NoMatch,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// The place of its field.
    pub(super) field: usize,
    pub(super) part: Part,
}

/// What stands before the value of a field.
fn label(field: &Field) -> String {
    let label = clean(&field.label);
    match field.cell {
        Some((row, 0)) => format!("{:>3} {label}", row + 1),
        Some(_) => format!("    {label}"),
        None => label.into_owned(),
    }
}

/// Where the values stand, in an area as high as this one.
pub(super) fn value_area(form: &Form, area: Rect) -> Rect {
    let widest = form.fields.iter().map(|field| width(&label(field))).max().unwrap_or(0);
    let column = u16::try_from(widest + 4).unwrap_or(u16::MAX).min(area.width * 2 / 5);
    Rect { x: area.x + column, width: area.width - column, ..area }
}

/// The rows of one field.
fn block(form: &Form, at: usize, room: usize, height: usize) -> impl Iterator<Item = Row> {
    let (field, focused) = (&form.fields[at], at == form.focus);
    let mut below = Vec::new();
    for (level, text) in form.shown(field) {
        let lines = wrap(&clean(text), room.saturating_sub(2)).into_iter().enumerate();
        below.extend(lines.map(|(at, line)| Part::Message(level, at == 0, line)));
    }
    let mut parts = match &field.kind {
        Kind::Text { rows: shown, limit } => {
            below.extend(limit.map(|limit| Part::Counter(field.value().chars().count(), limit)));
            let rows = field.text.rows(room);
            let most = (*shown.end()).min(height.saturating_sub(below.len())).max(1);
            let shown = rows.len().clamp((*shown.start()).min(most), most);
            let first = if focused { (field.text.row_and_column(&rows).0 + 1).saturating_sub(shown) } else { 0 };
            (first..first + shown).map(Part::Control).collect()
        }
        _ => vec![Part::Control(0)],
    };
    parts.append(&mut below);
    if focused {
        let (items, marked) = field.list();
        let room = height.saturating_sub(parts.len()).clamp(1, LIST);
        let first = marked.map_or(0, |at| (at + 1).saturating_sub(room));
        parts.extend((first..items.len().min(first + room)).map(Part::Item));
        if items.is_empty() && field.is_searched() {
            parts.push(Part::NoMatch);
        }
    }
    parts.into_iter().map(move |part| Row { field: at, part })
}

/// The rows in view, with the focused field among them.
fn rows(form: &Form, area: Rect) -> Vec<Row> {
    let (room, height) = (value_area(form, area).width.into(), area.height.into());
    let mut rows: Vec<_> = (0..form.fields.len()).flat_map(|at| block(form, at, room, height)).collect();
    let start = rows.iter().position(|row| row.field == form.focus).unwrap_or(0);
    let end = rows.iter().rposition(|row| row.field == form.focus).map_or(0, |at| at + 1);
    rows.drain(..end.saturating_sub(height).min(start));
    rows.truncate(height);
    rows
}

/// The row of the form at a place on screen.
pub(super) fn row_at(form: &Form, area: Rect, at: Position) -> Option<Row> {
    let row = area.contains(at).then(|| usize::from(at.y - area.y))?;
    rows(form, area).into_iter().nth(row)
}

/// A row while it is drawn.
struct Cell<'a> {
    field: &'a Field,
    focused: bool,
    area: Rect,
    view: &'a View<'a>,
}

impl Form {
    /// The rows that the form takes at a width, the longest of its lists included.
    pub fn rows_needed(&self, width: u16) -> u16 {
        let room = value_area(self, Rect::new(0, 0, width, 1)).width.into();
        let rows = (0..self.fields.len()).flat_map(|at| block(self, at, room, usize::MAX));
        let fixed = rows.filter(|row| !matches!(row.part, Part::Item(_) | Part::NoMatch)).count();
        let listed = self.fields.iter().filter(|field| field.has_suggestions() || field.kind == Kind::Picker);
        let lists = listed.map(|field| field.items.len());
        u16::try_from(fixed + lists.max().unwrap_or(0).min(LIST)).unwrap_or(u16::MAX)
    }

    /// Draws the form and returns where the cursor is.
    pub fn draw(&self, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let values = value_area(self, area);
        let mut cursor = None;
        let mut before = None;
        let (items, marked) = self.focused_field().map(Field::list).unwrap_or_default();
        for (y, row) in (area.y..area.bottom()).zip(rows(self, area)) {
            let (field, focused) = (&self.fields[row.field], row.field == self.focus);
            if before.replace(row.field) != Some(row.field) {
                let (mark, style) = if focused { (glyphs.marker, theme.accent) } else { (" ", theme.dim) };
                let text = format!("{mark} {}", label(field));
                let place = Rect { y, height: 1, width: (values.x - area.x).saturating_sub(1), x: area.x };
                put_cut(buffer, place, &Line::styled(text, style), glyphs.ellipsis);
            }
            let cell = Cell { field, focused, area: Rect { y, height: 1, ..values }, view };
            let line = match &row.part {
                Part::Control(at) => {
                    cursor = cell.value(*at, buffer).or(cursor);
                    continue;
                }
                Part::Message(level, first, text) => {
                    let (sign, style) = match level {
                        Level::Warning => (glyphs.alert, theme.warning),
                        Level::Error | Level::Refused => (glyphs.cross, theme.failed),
                    };
                    Line::styled(format!("{} {text}", if *first { sign } else { " " }), style)
                }
                Part::Counter(used, limit) => {
                    let text = |number: usize| thousands(u64::try_from(number).unwrap_or(u64::MAX));
                    let style = if used > limit { theme.failed } else { theme.dim };
                    Line::styled(format!("{} / {}", text(*used), text(*limit)), style)
                }
                Part::Item(at) => cell.item(&items, *at, marked == Some(*at)),
                Part::NoMatch => Line::styled("nothing matches", theme.dim),
            };
            put_cut(buffer, cell.area, &line, glyphs.ellipsis);
        }
        cursor
    }
}

impl Cell<'_> {
    /// Draws a row of the value; the cursor, where it stands in it.
    fn value(&self, at: usize, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&self.view.options.theme, self.view.options.glyphs);
        let field = self.field;
        let masked = field.masked.then(|| field.text.masked());
        let text = masked.as_ref().unwrap_or(&field.text);
        let here = Some(self.area.as_position()).filter(|_| self.focused && !self.area.is_empty());
        let (line, cursor) = match &field.kind {
            Kind::Line | Kind::File | Kind::Picker if self.focused && !text.value().is_empty() => {
                return text.draw(buffer, self.area, if text.suggested { theme.badge } else { theme.strong });
            }
            Kind::Line | Kind::File if !text.value().is_empty() => {
                (Line::styled(clean(text.value()), theme.strong), None)
            }
            Kind::Text { .. } if !text.value().is_empty() => {
                let rows = text.rows(self.area.width.into());
                let line = rows.get(at).map_or("", |row| &text.value()[row.clone()]);
                let (row, column) = text.row_and_column(&rows);
                let column = u16::try_from(column).unwrap_or(u16::MAX).min(self.area.width.saturating_sub(1));
                let cursor = here.filter(|_| row == at).map(|here| Position { x: here.x + column, ..here });
                // Blanks at the end of a wrapped row may stand beyond the edge.
                (Line::styled(clean(line.trim_end_matches(' ')), theme.strong), cursor)
            }
            Kind::Picker if field.item().is_some() || !field.chosen.is_empty() => {
                let (name, about) = field.item().map_or((&*field.chosen, ""), |item| (&item.name, &item.about));
                let about = Span::styled(format!("  {}", clean(about)), theme.dim);
                (Line::from(vec![Span::styled(clean(name), theme.strong), about]), here)
            }
            Kind::Toggle => {
                let on = field.chosen == "true";
                let (sign, style) = if on { (glyphs.full, theme.strong) } else { (glyphs.hollow, theme.dim) };
                (Line::styled(format!("{sign} {}", if on { "yes" } else { "no" }), style), None)
            }
            Kind::Choice if field.item().is_some() => {
                let span = |item: &Item| match clean(&item.name) {
                    name if item.key == field.chosen => Span::styled(format!("[{name}]"), theme.accent),
                    name => Span::styled(format!(" {name} "), theme.dim),
                };
                let all: Line<'_> = field.items.iter().map(span).collect();
                let fits = all.width() <= usize::from(self.area.width);
                (if fits { all } else { field.item().map(span).into_iter().collect() }, None)
            }
            Kind::Rows { count: 1.., .. } => return None,
            _ if at > 0 => return None,
            _ => (self.empty(), here.filter(|_| field.takes_text())),
        };
        put_cut(buffer, self.area, &line, glyphs.ellipsis);
        cursor
    }

    /// What stands in place of a value: what is wanted, or where that is not said, the first suggestion. The cursor stands before it.
    fn empty(&self) -> Line<'_> {
        let field = self.field;
        let suggests = self.focused && field.has_suggestions() && field.hint.is_empty();
        let text = match field.items.first().filter(|item| suggests && !item.key.is_empty()) {
            Some(item) => clean(&item.key),
            None if field.required && !field.hint.is_empty() => {
                format!("required {} {}", self.view.options.glyphs.dot, clean(&field.hint)).into()
            }
            None if field.required => "required".into(),
            None => clean(&field.hint),
        };
        let before = if self.focused && field.takes_text() { " " } else { "" };
        Line::styled(format!("{before}{text}"), self.view.options.theme.dim)
    }

    /// A row of the list below the field.
    fn item(&self, items: &[&Item], at: usize, marked: bool) -> Line<'static> {
        let (theme, glyphs) = (&self.view.options.theme, self.view.options.glyphs);
        let Some(item) = items.get(at) else { return Line::default() };
        let room = usize::from(self.area.width);
        let about = |item: &Item| {
            let why = item.barred.as_ref().map(|why| format!("{} {why}", glyphs.cross));
            clean(why.as_deref().unwrap_or(&item.about)).into_owned()
        };
        // Names keep their width as long as what stands beside them keeps some.
        let widest = |of: &dyn Fn(&Item) -> usize| items.iter().map(|item| of(item)).max().unwrap_or(0);
        let left = |about: usize| room.saturating_sub(2 + if about > 0 { about + 2 } else { 0 });
        let most = left(widest(&|item| width(&about(item))).min(ABOUT)).max(room / 2).max(12);
        let names = widest(&|item| width(&clean(&item.name))).min(room.saturating_sub(2)).min(most);
        // A longer one takes what its own row leaves.
        let about = about(item);
        let name = fit(&clean(&item.name), names.max(left(width(&about))), glyphs.ellipsis).into_owned();
        let pad = " ".repeat(names.saturating_sub(width(&name)));
        let style = match (marked, &item.barred) {
            (_, Some(_)) => theme.dim,
            (true, None) => theme.accent,
            (false, None) => Style::new(),
        };
        let mark = if marked { glyphs.marker } else { " " };
        Line::from(vec![
            Span::styled(format!("{mark} "), theme.accent),
            Span::styled(name, style),
            Span::styled(format!("{pad}  {about}"), theme.dim),
        ])
    }
}
