//! A table with everything a list of records does in every pane: move, narrow, sort, click, scroll.

use super::form::TextField;
use super::list::{Click, ListState};
use super::put_cut;
use super::table::{self, Column};
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::input::{Input, Mouse, MouseKind};
use crate::ui::pane::View;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use std::fmt::Debug;

/// A record that a browser lists.
pub trait Record: Sized + 'static {
    /// What tells it from the others, also when it comes again.
    type Id: Clone + PartialEq + Debug;
    /// The columns.
    const COLUMNS: &'static [Column<Self>];
    /// Its identity.
    fn id(&self) -> Self::Id;
    /// What narrowing looks through.
    fn fields(&self) -> Vec<Cow<'_, str>>;
}

/// The state of a table of records: its first line is the title, its second the header.
#[derive(Debug, Clone, PartialEq)]
pub struct Browser<R: Record> {
    list: ListState<R::Id>,
    narrowing: bool,
}

impl<R: Record> Default for Browser<R> {
    fn default() -> Self {
        Self { list: ListState::default(), narrowing: false }
    }
}

impl<R: Record> Browser<R> {
    /// True while letters narrow the list.
    pub fn takes_text(&self) -> bool {
        self.narrowing
    }

    /// The scopes of the keys while letters narrow the list.
    pub const NARROWING: &'static [Scope] = &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE];

    /// The selected record.
    pub fn selected<'r>(&self, rows: &'r [R]) -> Option<&'r R> {
        self.list.selected(rows)
    }

    /// Takes the rows as they are now.
    pub fn refresh(&mut self, rows: &[R], view: &View<'_>, area: Rect) {
        table::learn(R::COLUMNS, rows, &mut self.list, view);
        self.arrange(rows, area);
    }

    fn arrange(&mut self, rows: &[R], area: Rect) {
        self.list.refresh(rows, R::id, Record::fields, table::compare(R::COLUMNS), table::height(below_title(area)));
    }

    /// Takes an action; false where it is not one of a list's.
    pub fn act(&mut self, action: Action, rows: &[R], area: Rect) -> bool {
        match action {
            Action::Move(motion) => drop(self.list.step(motion, table::height(below_title(area)))),
            Action::Narrow => self.narrowing = true,
            Action::Submit if self.narrowing => self.narrowing = false,
            Action::Back if self.narrowing || !self.list.narrow.value().is_empty() => {
                (self.narrowing, self.list.narrow) = (false, TextField::default());
            }
            Action::Text(edit) => drop(self.list.narrow.act(edit)),
            Action::SortColumn => table::sort_next(R::COLUMNS, &mut self.list),
            Action::SortDirection => {
                if let Some(sort) = self.list.sort() {
                    table::sort_by(R::COLUMNS, &mut self.list, sort.column);
                }
            }
            _ => return false,
        }
        self.arrange(rows, area);
        true
    }

    /// Takes a typed character or a paste while letters narrow the list.
    pub fn text(&mut self, input: &Input, rows: &[R], area: Rect) {
        self.list.narrow.text(input);
        self.arrange(rows, area);
    }

    /// Takes a click or a turn of the wheel. True where a click opens the row that was selected already.
    pub fn mouse(&mut self, mouse: Mouse, rows: &[R], view: &View<'_>, area: Rect) -> bool {
        let (table, at) = (below_title(area), Position { x: mouse.x, y: mouse.y });
        let height = table::height(table);
        match mouse.kind {
            MouseKind::WheelUp => drop(self.list.step(Motion::Up, height)),
            MouseKind::WheelDown => drop(self.list.step(Motion::Down, height)),
            MouseKind::Press if !table.contains(at) => {}
            MouseKind::Press if at.y > table.y => {
                return self.list.click(usize::from(at.y - table.y - 1), height) == Click::Again;
            }
            MouseKind::Press => {
                if let Some(column) = table::header_at(R::COLUMNS, rows, &self.list, view, table, at) {
                    table::sort_by(R::COLUMNS, &mut self.list, column);
                    self.arrange(rows, area);
                }
            }
        }
        false
    }

    /// Draws title, header and rows. Returns where the cursor is while letters narrow the list.
    pub fn draw(
        &self,
        (title, focused): (&str, bool),
        rows: &[R],
        view: &View<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let theme = &view.options.theme;
        let style = if focused { theme.accent } else { theme.dim };
        let line = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3), height: 1, ..area };
        let mut spans = vec![Span::styled(title.to_owned(), style), Span::raw("  ")];
        let narrowed = self.narrowing || !self.list.narrow.value().is_empty();
        let all = rows.len();
        let of_all = if narrowed { format!(" (of {all})") } else { String::new() };
        let position = self.list.position().map(|position| format!("{position}{of_all}  ")).unwrap_or_default();
        spans.push(Span::styled(position, theme.dim));
        if narrowed {
            spans.push(Span::styled("/ ", theme.accent));
        }
        let head = Line::from(spans);
        let used = u16::try_from(head.width()).unwrap_or(u16::MAX).min(line.width);
        put_cut(buffer, line, &head, view.options.glyphs.ellipsis);
        table::draw(R::COLUMNS, rows, &self.list, focused, view, below_title(area), buffer);
        let field = Rect { x: line.x + used, width: line.width - used, ..line };
        narrowed.then(|| self.list.narrow.draw(buffer, field, theme.strong)).flatten().filter(|_| self.narrowing)
    }

    /// Where rows would stand, for what is shown in place of them.
    pub fn rows_area(area: Rect) -> Rect {
        let table = below_title(area);
        Rect { y: table.y + table.height.min(1), height: table.height.saturating_sub(1), ..table }
    }

    /// True where rows are there but narrowing leaves none.
    pub fn hides_all(&self, rows: &[R]) -> bool {
        !rows.is_empty() && self.list.order().is_empty()
    }
}

/// The table below its title.
fn below_title(area: Rect) -> Rect {
    Rect { y: area.y + area.height.min(1), height: area.height.saturating_sub(1), ..area }
}
