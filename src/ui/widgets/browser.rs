//! A table with everything a list of records does in every pane: move, narrow, sort, click, scroll.

use super::input::TextInput;
use super::list::{Click, Follow, ListState};
use super::state::State;
use super::table::{self, Column, Table};
use super::{put_cut, put_right};
use crate::api::Rows;
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::input::{Input, Mouse, MouseKind};
use crate::ui::message::Instant;
use crate::ui::pane::View;
use crate::ui::remote::Remote;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use std::fmt::Debug;

/// Widths of the placeholders while the first rows are loading.
const SHAPES: &[u16] = &[44, 49, 47, 52, 50, 48, 53, 51];
/// Cells that stay for the text that narrows a list.
const NARROW: usize = 8;

/// A record that a browser lists.
pub trait Record: Sized + 'static {
    /// What tells it from the others, also when it comes again.
    type Id: Clone + PartialEq + Debug;
    /// What one is called: `key`.
    const NAME: &'static str;
    /// The columns.
    const COLUMNS: &'static [Column<Self>];
    /// Which row stays selected while rows come and go.
    const FOLLOW: Follow = Follow::Selected;
    /// Its identity.
    fn id(&self) -> Self::Id;
    /// What narrowing looks through.
    fn fields(&self) -> Vec<Cow<'_, str>>;

    /// False where it is left out of the list.
    fn is_listed(&self) -> bool {
        true
    }

    /// When it looks different by itself, in the time of [`crate::ui::Moment::mono`].
    fn next_change(&self, _view: &View<'_>) -> Option<Instant> {
        None
    }
}

/// Where a browser has its rows from.
pub trait Source {
    /// What it lists.
    type Row: Record;
    /// All rows, in the order in which they came.
    fn rows(&self) -> &[Self::Row];

    /// The rows are about to be narrowed by what is typed. Returns what of it is looked for in their fields; `None` for all
    /// of it. The rest the source applies itself, by [`Record::is_listed`].
    fn narrow(&mut self, _typed: &str) -> Option<String> {
        None
    }

    /// Why a row is missing that came.
    fn unreadable(&self) -> Option<&str> {
        None
    }
}

impl<R: Record> Source for Rows<R> {
    type Row = R;

    fn rows(&self) -> &[R] {
        self
    }

    fn unreadable(&self) -> Option<&str> {
        self.unreadable.first().map(String::as_str)
    }
}

impl<R: Record> Source for Remote<Rows<R>> {
    type Row = R;

    fn rows(&self) -> &[R] {
        self.value().map_or(&[], Source::rows)
    }

    fn unreadable(&self) -> Option<&str> {
        self.value()?.unreadable()
    }
}

/// What a pane's list does whatever it lists. Areas are those of the table with its header.
pub trait List {
    /// Takes the rows as they are now, narrowed and sorted.
    fn refresh(&mut self, view: &View<'_>, area: Rect);
    /// Takes a typed character or a paste while letters narrow the list.
    fn text(&mut self, input: &Input, area: Rect);
    /// Takes a click or a turn of the wheel. A click on the selected row opens it.
    fn mouse(&mut self, mouse: Mouse, view: &View<'_>, area: Rect) -> Option<Action>;
}

/// A table of records and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Browser<S: Source> {
    /// Where its rows come from; after a change the list is to be refreshed.
    pub source: S,
    /// Selection, sort and narrowing.
    pub state: ListState<<S::Row as Record>::Id>,
    /// True while letters narrow it.
    pub narrowing: bool,
}

impl<S: Source + Default> Default for Browser<S> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

/// The scopes of the keys while letters narrow a list.
pub const NARROWING: &[Scope] = &[Scope::NARROW, Scope::TEXT, Scope::EVERYWHERE];

impl<S: Source> Browser<S> {
    /// A list of these rows.
    pub fn new(source: S) -> Self {
        Self { source, state: ListState::new(S::Row::FOLLOW), narrowing: false }
    }

    /// True while letters narrow the list, or have done so.
    pub fn is_narrowed(&self) -> bool {
        self.narrowing || !self.state.narrow.value().is_empty()
    }

    /// The selected record.
    pub fn selected(&self) -> Option<&S::Row> {
        self.state.selected(self.source.rows())
    }

    fn table<'a>(&'a self, view: &'a View<'_>, area: Rect) -> Table<'a, S::Row, <S::Row as Record>::Id> {
        Table { columns: S::Row::COLUMNS, rows: self.source.rows(), state: &self.state, view, area }
    }

    fn arrange(&mut self, area: Rect) {
        self.state.seeks = self.source.narrow(self.state.narrow.value());
        let (rows, compare) = (self.source.rows(), table::compare(S::Row::COLUMNS));
        self.state.refresh(rows, S::Row::is_listed, S::Row::id, S::Row::fields, compare, table::height(area));
    }

    /// Takes an action; false where it is not one of a list's.
    pub fn act(&mut self, action: Action, area: Rect) -> bool {
        match action {
            Action::Move(motion) => drop(self.state.step(motion, table::height(area))),
            Action::Narrow => self.narrowing = true,
            Action::Submit if self.narrowing => self.narrowing = false,
            Action::Back if self.is_narrowed() => {
                (self.narrowing, self.state.narrow) = (false, TextInput::default());
            }
            Action::Text(edit) => drop(self.state.narrow.act(edit)),
            Action::SortColumn => table::sort_next(S::Row::COLUMNS, &mut self.state),
            Action::SortDirection => self.state.reverse_sort(),
            _ => return false,
        }
        self.arrange(area);
        true
    }

    /// When a row in view, or what stands in place of the rows, looks different; `None` while nobody looks.
    pub fn next_change(&self, state: Option<State<'_>>, view: &View<'_>, area: Rect) -> Option<Instant> {
        let rows = self.state.in_view(table::height(area));
        let rows = rows.filter_map(|(_, shown)| self.source.rows().get(shown.row)?.next_change(view));
        rows.chain(state.and_then(|state| state.next_change(view.now.mono))).min().filter(|_| view.shown)
    }

    /// Draws header and rows, or what stands in place of them.
    pub fn draw(&self, focused: bool, state: Option<State<'_>>, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
        self.table(view, area).draw(focused, buffer);
        if let Some(state) = state {
            state.draw(SHAPES, view, below_first(area), buffer);
        }
    }

    /// Draws a line with `right` at its edge; behind `left` what narrows the list, which is worth more than `right`.
    /// Returns where the cursor is while letters narrow the list.
    pub fn draw_line(
        &self,
        left: &Line<'_>,
        right: &Line<'_>,
        view: &View<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let room = usize::from(area.width);
        let fits = !self.is_narrowed() || left.width() + NARROW + right.width() <= room;
        let used = if fits { right.width().min(room) } else { 0 };
        let kept = u16::try_from(room - used).unwrap_or(area.width);
        put_cut(buffer, Rect { width: kept, ..area }, left, view.options.glyphs.ellipsis);
        put_right(buffer, Rect { x: area.x + kept, width: area.width - kept, ..area }, right);
        let x = u16::try_from(left.width()).unwrap_or(kept).min(kept);
        let field = Rect { x: area.x + x, width: kept - x, ..area };
        let narrow = self.is_narrowed().then_some(&self.state.narrow);
        narrow?.draw(buffer, field, view.options.theme.strong).filter(|_| self.narrowing)
    }

    /// Draws a list whose first line is its title; the table lies [`below_first`].
    pub fn draw_titled(
        &self,
        (title, focused): (&str, bool),
        state: Option<State<'_>>,
        view: &View<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (theme, all) = (&view.options.theme, self.source.rows().len());
        let unreadable = self.source.unreadable().map(|why| format!("   not all could be read ({why})"));
        let of_all = if self.is_narrowed() { format!(" (of {all})") } else { String::new() };
        let position = self.state.position().map(|position| format!("{position}{of_all}  ")).unwrap_or_default();
        let left = Line::from(vec![
            Span::styled(title, if focused { theme.accent } else { theme.dim }),
            Span::raw(format!("{}  ", unreadable.unwrap_or_default())),
            Span::styled(position, theme.dim),
            Span::styled(if self.is_narrowed() { "/ " } else { "" }, theme.accent),
        ]);
        let hides_all = all > 0 && self.state.order().is_empty();
        let none = || State::Empty(format!("No matching {}", S::Row::NAME).into(), "Esc shows all again.".into());
        self.draw(focused, state.or_else(|| hides_all.then(none)), view, below_first(area), buffer);
        let line = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3), ..area };
        self.draw_line(&left, &Line::default(), view, Rect { height: line.height.min(1), ..line }, buffer)
    }
}

impl<S: Source> List for Browser<S> {
    fn refresh(&mut self, view: &View<'_>, area: Rect) {
        table::learn(S::Row::COLUMNS, self.source.rows(), &mut self.state, view);
        self.arrange(area);
    }

    fn text(&mut self, input: &Input, area: Rect) {
        self.state.narrow.text(input);
        self.arrange(area);
    }

    fn mouse(&mut self, mouse: Mouse, view: &View<'_>, area: Rect) -> Option<Action> {
        let (height, at) = (table::height(area), Position { x: mouse.x, y: mouse.y });
        match mouse.kind {
            MouseKind::WheelUp => drop(self.state.step(Motion::Up, height)),
            MouseKind::WheelDown => drop(self.state.step(Motion::Down, height)),
            MouseKind::Press if !area.contains(at) => {}
            MouseKind::Press if at.y > area.y => {
                self.narrowing = false;
                let click = self.state.click(usize::from(at.y - area.y - 1), height);
                return (click == Click::Again).then_some(Action::Open);
            }
            MouseKind::Press => {
                if let Some(column) = self.table(view, area).header_at(at) {
                    table::sort_by(S::Row::COLUMNS, &mut self.state, column);
                    self.arrange(area);
                }
            }
        }
        None
    }
}

/// What lies below the first line of an area: the table below its title, the rows below their header.
pub fn below_first(area: Rect) -> Rect {
    let first = area.height.min(1);
    Rect { y: area.y + first, height: area.height - first, ..area }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{Moment, Options};

    struct Word(&'static str);

    impl Record for Word {
        type Id = &'static str;
        const NAME: &'static str = "word";
        const COLUMNS: &'static [Column<Self>] =
            &[Column::new("WORD", table::Width::Fill(4), 0, |word, _| table::Cell::text(word.0))];

        fn id(&self) -> Self::Id {
            self.0
        }

        fn fields(&self) -> Vec<Cow<'_, str>> {
            vec![self.0.into()]
        }
    }

    /// The lines of a list of these words that letters narrow.
    fn drawn(rows: Vec<Word>, unreadable: &[&str], narrow: &str) -> Vec<String> {
        let options = Options::default();
        let now = Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: Instant::START };
        let zone = jiff::tz::TimeZone::UTC;
        let (view, area) = (View::plain(&options, now, &zone), Rect::new(0, 0, 60, 6));
        let unreadable = unreadable.iter().map(|why| (*why).to_owned()).collect();
        let mut list = Browser::new(Rows { rows, unreadable });
        list.refresh(&view, below_first(area));
        if !narrow.is_empty() {
            list.act(Action::Narrow, below_first(area));
            list.text(&Input::Paste(narrow.to_owned()), below_first(area));
        }
        let mut buffer = Buffer::empty(area);
        list.draw_titled(("WORDS", true), None, &view, area, &mut buffer);
        let line = |y| (0..60).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim().to_owned();
        (0..6).map(line).filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn title_says_that_rows_could_not_be_read() {
        let lines = drawn(vec![Word("one")], &["row 2: no id"], "");
        assert_eq!(lines[0], "WORDS   not all could be read (row 2: no id)  1 of 1");
    }

    #[test]
    fn narrowing_shows_what_is_typed_and_how_to_see_all_again() {
        let lines = drawn(vec![Word("one"), Word("two")], &[], "tw");
        assert_eq!((&*lines[0], lines.len()), ("WORDS  1 of 1 (of 2)  / tw", 3));
        let lines = drawn(vec![Word("one")], &[], "x");
        assert_eq!(lines[2..], ["No matching word", "Esc shows all again."]);
    }
}
