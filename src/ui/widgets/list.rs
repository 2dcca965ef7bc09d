//! Lists: which rows are shown in which order, which of them is selected, and which are in view.

use super::input::TextInput;
use crate::ui::action::Motion;
use crate::ui::fuzzy::Query;
use crate::ui::text::thousands;
use std::borrow::Cow;
use std::cmp::Ordering;

/// Selection and scroll of a list. The length is not kept: rows come and go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    /// The selected row.
    pub at: usize,
    /// The first row in view.
    pub offset: usize,
}

impl Cursor {
    /// Moves by a key. `height` is the number of rows in view.
    pub fn step(&mut self, motion: Motion, length: usize, height: usize) {
        let page = height.max(1);
        let at = match motion {
            Motion::Down => self.at.saturating_add(1),
            Motion::Up => self.at.saturating_sub(1),
            Motion::PageDown => self.at.saturating_add(page),
            Motion::PageUp => self.at.saturating_sub(page),
            Motion::Top => 0,
            Motion::Bottom => usize::MAX,
        };
        self.select(at, length, height);
    }

    /// Selects a row, or the nearest there is, and keeps it in view.
    pub fn select(&mut self, at: usize, length: usize, height: usize) {
        self.at = at.min(length.saturating_sub(1));
        let height = height.max(1);
        let lowest = (self.at + 1).saturating_sub(height);
        self.offset = self.offset.clamp(lowest, self.at).min(length.saturating_sub(height).max(lowest));
    }
}

/// Scrolls a text of `length` lines in `height` rows.
pub fn scroll(at: usize, motion: Motion, length: usize, height: usize) -> usize {
    let last = length.saturating_sub(height);
    let page = height.max(2) - 1;
    match motion {
        Motion::Down => at.saturating_add(1),
        Motion::Up => at.min(last).saturating_sub(1),
        Motion::PageDown => at.saturating_add(page),
        Motion::PageUp => at.min(last).saturating_sub(page),
        Motion::Top => 0,
        Motion::Bottom => last,
    }
    .min(last)
}

/// A row that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<Id> {
    /// Its index in the rows.
    pub row: usize,
    /// Its identity.
    pub id: Id,
    /// The matched graphemes of each field, while the list is narrowed.
    pub letters: Vec<Vec<u32>>,
}

/// What the rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// The index of the column.
    pub column: usize,
    /// True for the largest first.
    pub descending: bool,
}

/// Which row stays selected when rows come, go and move. A row that is gone leaves the selection at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follow {
    /// The selected one, wherever it moves.
    #[default]
    Selected,
    /// At the top whatever comes first, below it the selected one.
    Top,
    /// Whatever comes first until somebody moves or [`ListState::hold`], then the selected one. The first rows stay in
    /// view: where the selected one moves away from them, it is shown below them in the last line; where it moves back among
    /// them, or is selected there, they come back into view.
    Urgent,
}

/// What a click did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Click {
    /// There is no row.
    Nothing,
    /// It selected a row.
    Selected,
    /// The row was selected before.
    Again,
}

/// The state of a list. Heights are numbers of rows in view.
#[derive(Debug, Clone, PartialEq)]
pub struct ListState<Id> {
    /// What narrows the rows.
    pub narrow: TextInput,
    /// What of that is looked for in the fields of the rows; `None` for all of it.
    pub(super) seeks: Option<String>,
    follow: Follow,
    cursor: Cursor,
    selected: Option<Id>,
    sort: Option<Sort>,
    order: Vec<Shown<Id>>,
    /// The whole and the least width that the content of each column needs; only growing until [`Self::turn`].
    pub(super) needs: Vec<(u16, u16)>,
}

impl<Id: Clone + PartialEq> Default for ListState<Id> {
    fn default() -> Self {
        Self::new(Follow::default())
    }
}

impl<Id: Clone + PartialEq> ListState<Id> {
    /// A list without rows.
    pub fn new(follow: Follow) -> Self {
        let (narrow, cursor) = (TextInput::default(), Cursor::default());
        Self { narrow, seeks: None, follow, cursor, selected: None, sort: None, order: Vec::new(), needs: Vec::new() }
    }

    /// Takes the rows as they are now: narrows, sorts (stably, so that the server's order stays where rows are equal)
    /// and keeps the selection. To be called whenever rows, narrowing, sort or height have changed. Rows for which
    /// `keep` is false are left out, `fields` are what narrowing looks through, and `compare` orders two rows by a
    /// column, the smallest first. True where another row is selected than before.
    pub fn refresh<R>(
        &mut self,
        rows: &[R],
        keep: impl Fn(&R) -> bool,
        id: impl Fn(&R) -> Id,
        fields: impl for<'r> Fn(&'r R) -> Vec<Cow<'r, str>>,
        compare: impl Fn(usize, &R, &R) -> Ordering,
        height: usize,
    ) -> bool {
        let before = self.selected_id().cloned();
        let mut query = Query::new(self.seeks.as_deref().unwrap_or(self.narrow.value()));
        let shown = rows.iter().enumerate().filter(|(_, item)| keep(item)).filter_map(|(row, item)| {
            let letters = match &mut query {
                Some(query) => query.find(&fields(item))?.letters,
                None => Vec::new(),
            };
            Some(Shown { row, id: id(item), letters })
        });
        self.order = shown.collect();
        if let Some(Sort { column, descending }) = self.sort {
            self.order.sort_by(|one, other| {
                let order = compare(column, &rows[one.row], &rows[other.row]);
                if descending { order.reverse() } else { order }
            });
        }
        self.keep(height);
        self.selected_id() != before.as_ref()
    }

    fn keep(&mut self, height: usize) {
        let Cursor { at, offset } = self.cursor;
        // Ids may come twice: the row that was selected goes first.
        let is_it = |shown: &Shown<Id>| Some(&shown.id) == self.selected.as_ref();
        let stays = self.order.get(at).is_some_and(is_it);
        let same = if stays { Some(at) } else { self.order.iter().position(is_it) };
        self.cursor.select(same.unwrap_or(at), self.order.len(), height);
        if self.follow == Follow::Urgent && (offset == 0 || self.cursor.at != at) {
            self.show_first(offset == 0, height);
        }
        let below = self.follow == Follow::Top && self.cursor.at > 0;
        self.pin(self.selected.is_some() || self.follow == Follow::Selected || below);
    }

    /// Scrolls back to the first rows, where the selected one is among them or `always`.
    fn show_first(&mut self, always: bool, height: usize) {
        if always || self.cursor.at < height {
            self.cursor.offset = 0;
        }
    }

    fn pin(&mut self, pins: bool) {
        self.selected = self.selected_id().filter(|_| pins).cloned();
    }

    /// Moves the selection. True where another row is selected than before.
    pub fn step(&mut self, motion: Motion, height: usize) -> bool {
        let before = self.cursor.at;
        self.cursor.step(motion, self.order.len(), height);
        self.pin(self.follow != Follow::Top || self.cursor.at > 0);
        self.cursor.at != before
    }

    /// Selects the row at this place in view, from 0.
    pub fn click(&mut self, row: usize, height: usize) -> Click {
        let Some((at, _)) = self.in_view(height).nth(row) else { return Click::Nothing };
        let before = std::mem::replace(&mut self.cursor.at, at);
        self.hold();
        if at == before { Click::Again } else { Click::Selected }
    }

    /// Selects the row with this identity, now or as soon as it comes.
    pub fn select(&mut self, id: Id, height: usize) {
        let at = self.order.iter().position(|shown| shown.id == id);
        self.cursor.select(at.unwrap_or(self.cursor.at), self.order.len(), height);
        if self.follow == Follow::Urgent {
            self.show_first(false, height);
        }
        self.selected = Some(id);
    }

    /// Keeps the selected row selected, whatever the list follows.
    pub fn hold(&mut self) {
        self.pin(true);
    }

    /// Other rows are to come: back to the first, with column widths to be worked out anew.
    pub fn reset(&mut self) {
        (self.cursor, self.selected) = (Cursor::default(), None);
        self.turn();
    }

    /// Another page is to come: column widths are worked out anew.
    pub fn turn(&mut self) {
        self.needs.clear();
    }

    /// Sorts by this column with the next refresh: at first in its own direction, then in the other.
    pub fn sort_by(&mut self, column: usize, descending: bool) {
        let again = self.sort.filter(|sort| sort.column == column);
        self.sort = Some(Sort { column, descending: again.map_or(descending, |sort| !sort.descending) });
    }

    /// Keeps the order in which rows come, with the next refresh.
    pub fn unsort(&mut self) {
        self.sort = None;
    }

    /// Sorts the other way round with the next refresh; without a sort nothing changes.
    pub fn reverse_sort(&mut self) {
        self.sort = self.sort.map(|sort| Sort { descending: !sort.descending, ..sort });
    }

    /// What the rows are sorted by; `None` for the order in which they came.
    pub fn sort(&self) -> Option<Sort> {
        self.sort
    }

    /// The rows that are shown, in order.
    pub fn order(&self) -> &[Shown<Id>] {
        &self.order
    }

    /// The rows in view with their places in the order.
    pub fn in_view(&self, height: usize) -> impl Iterator<Item = (usize, &Shown<Id>)> {
        let Cursor { at, offset } = self.cursor;
        let end = offset.saturating_add(height);
        let places =
            (offset..end.min(self.order.len())).map(move |place| if place + 1 == end { at.max(place) } else { place });
        places.filter_map(|place| self.order.get(place).map(|shown| (place, shown)))
    }

    /// The place of the selected row in the order; without rows 0.
    pub fn at(&self) -> usize {
        self.cursor.at
    }

    /// The place of the first row in view.
    pub fn offset(&self) -> usize {
        self.cursor.offset
    }

    /// The identity of the selected row.
    pub fn selected_id(&self) -> Option<&Id> {
        self.order.get(self.cursor.at).map(|shown| &shown.id)
    }

    /// The selected one of these rows, which are those of the last refresh.
    pub fn selected<'r, R>(&self, rows: &'r [R]) -> Option<&'r R> {
        self.order.get(self.cursor.at).and_then(|shown| rows.get(shown.row))
    }

    /// `"12 of 243"`; `None` without rows.
    pub fn position(&self) -> Option<String> {
        let number = |number: usize| thousands(number as u64);
        (!self.order.is_empty()).then(|| format!("{} of {}", number(self.cursor.at + 1), number(self.order.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn the_selected_row_is_always_in_view(
            steps in proptest::collection::vec((0usize..6, 0usize..30, 0usize..12), 1..40)
        ) {
            let motions = [Motion::Down, Motion::Up, Motion::PageDown, Motion::PageUp, Motion::Top, Motion::Bottom];
            let mut cursor = Cursor::default();
            for (motion, length, height) in steps {
                cursor.step(motions[motion], length, height);
                prop_assert!(length == 0 || cursor.at < length);
                prop_assert!(cursor.offset <= cursor.at && cursor.at < cursor.offset + height.max(1));
            }
        }
    }

    type List = ListState<u32>;
    const HEIGHT: usize = 5;

    fn list(follow: Follow, rows: &[u32]) -> List {
        let mut list = List::new(follow);
        refresh(&mut list, rows);
        list
    }

    fn refresh(list: &mut List, rows: &[u32]) -> bool {
        list.refresh(
            rows,
            |_| true,
            |row| *row,
            |row| vec![row.to_string().into()],
            |_, one, other| one.cmp(other),
            HEIGHT,
        )
    }

    fn view(list: &List) -> Vec<u32> {
        list.in_view(HEIGHT).map(|(_, shown)| shown.id).collect()
    }

    #[test]
    fn selection_follows_its_row_and_stays_in_place_when_that_is_gone() {
        let mut list = list(Follow::Selected, &[1, 2, 3, 4]);
        assert!(list.step(Motion::Down, HEIGHT) && !refresh(&mut list, &[9, 1, 2, 3]));
        assert_eq!((list.selected_id(), list.position().as_deref()), (Some(&2), Some("3 of 4")));
        assert!(refresh(&mut list, &[9, 1, 3]), "another row is selected");
        assert_eq!(list.selected(&[9, 1, 3]), Some(&3));
        assert!(refresh(&mut list, &[]) && list.selected(&[0]).is_none() && list.position().is_none());
    }

    #[test]
    fn the_top_is_followed_until_somebody_looks_elsewhere() {
        let mut list = list(Follow::Top, &[1, 2, 3]);
        refresh(&mut list, &[9, 1, 2, 3]);
        assert_eq!(list.selected_id(), Some(&9));
        list.step(Motion::Down, HEIGHT);
        refresh(&mut list, &[10, 9, 1, 2, 3]);
        assert_eq!(list.selected_id(), Some(&1));
        list.step(Motion::Top, HEIGHT);
        refresh(&mut list, &[11, 10]);
        assert_eq!(list.selected_id(), Some(&11));
        list.hold();
        refresh(&mut list, &[12, 11, 10]);
        assert_eq!(list.selected_id(), Some(&11), "held");
    }

    #[test]
    fn urgent_rows_stay_in_view_while_the_selected_one_moves_away() {
        let mut list = list(Follow::Urgent, &[1, 2, 3]);
        refresh(&mut list, &[9, 1, 2, 3]);
        assert_eq!(list.selected_id(), Some(&9), "nobody has moved");
        list.step(Motion::Down, HEIGHT);
        refresh(&mut list, &[21, 22, 23, 24, 25, 26, 1, 27]);
        assert_eq!(view(&list), [21, 22, 23, 24, 1]);
        assert_eq!((list.click(4, HEIGHT), list.click(9, HEIGHT)), (Click::Again, Click::Nothing));
        list.step(Motion::Down, HEIGHT);
        assert_eq!(view(&list), [24, 25, 26, 1, 27], "whoever moves goes on from there");
        refresh(&mut list, &[27, 21, 22, 23, 24, 25, 26, 1]);
        assert_eq!((view(&list), list.selected_id()), (vec![27, 21, 22, 23, 24], Some(&27)), "it moved up to them");
        list.step(Motion::Bottom, HEIGHT);
        list.select(23, HEIGHT);
        assert_eq!(view(&list), [27, 21, 22, 23, 24]);
    }

    #[test]
    fn sorting_is_stable_and_its_first_press_has_the_column_s_direction() {
        let rows = [(1, 'a'), (2, 'b'), (1, 'c')];
        let order = |sort: fn(&mut ListState<char>)| {
            let mut list = ListState::default();
            sort(&mut list);
            list.refresh(&rows, |_| true, |row| row.1, |_| Vec::new(), |_, one, other| one.0.cmp(&other.0), HEIGHT);
            list.order().iter().map(|shown| shown.id).collect::<String>()
        };
        assert_eq!(order(|_| {}), "abc");
        assert_eq!(order(|list| list.sort_by(0, true)), "bac");
        let twice = |list: &mut ListState<char>| (list.sort_by(0, true), list.sort_by(0, true)).0;
        assert_eq!(order(twice), "acb");
        let mut list = list(Follow::Selected, &[]);
        list.sort_by(0, true);
        list.sort_by(1, false);
        assert_eq!(list.sort(), Some(Sort { column: 1, descending: false }));
    }

    #[test]
    fn narrowing_keeps_the_selection_where_it_matches() {
        let mut list = list(Follow::Selected, &[10, 20, 12, 21]);
        list.step(Motion::Bottom, HEIGHT);
        list.narrow = TextInput::new("2");
        refresh(&mut list, &[10, 20, 12, 21]);
        assert_eq!((view(&list), list.selected_id()), (vec![20, 12, 21], Some(&21)));
        assert_eq!(list.order()[1].letters, [[1]]);
    }

    proptest! {
        #[test]
        fn the_selected_row_of_a_list_is_always_in_view(
            follow in 0usize..3,
            steps in proptest::collection::vec((0usize..8, proptest::collection::vec(0u32..12, 0..20), 1usize..9), 1..40)
        ) {
            let motions = [Motion::Down, Motion::Up, Motion::PageDown, Motion::PageUp, Motion::Top, Motion::Bottom];
            let mut list = List::new([Follow::Selected, Follow::Top, Follow::Urgent][follow]);
            for (step, rows, height) in steps {
                match motions.get(step) {
                    Some(motion) => { list.step(*motion, height); }
                    None => { list.click(step, height); }
                }
                list.refresh(&rows, |_| true, |row| *row, |_| Vec::new(), |_, _, _| Ordering::Equal, height);
                prop_assert_eq!(list.selected(&rows).is_some(), !rows.is_empty());
                prop_assert!(rows.is_empty() || list.in_view(height).any(|(place, _)| place == list.at()));
                prop_assert!(list.in_view(height).count() == height.min(rows.len()) || list.offset() > 0);
            }
        }
    }
}
