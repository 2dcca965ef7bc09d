//! Details that are read: scrolled, and searched for words.

use super::details::Details;
use super::list::scroll;
use super::put_lines;
use super::search::{Match, Search, find, marked};
use crate::ui::action::Action;
use crate::ui::input::Input;
use crate::ui::options::Options;
use crate::ui::pane::View;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub use super::search::SEARCHING;

/// How far details are scrolled, and what is searched for in them. The search stays while the details change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reader {
    scrolled: usize,
    search: Search,
}

impl Reader {
    /// Back to the top: other details are shown.
    pub fn rewind(&mut self) {
        self.scrolled = 0;
        self.search.rewind();
    }

    /// True while the search is typed.
    pub fn is_typing(&self) -> bool {
        self.search.typing
    }

    /// Why an action cannot be done, to be read after "Not now: ".
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        self.search.disabled(action)
    }

    /// Takes an action; false where it is not one of reading. The area is that of [`Self::draw`].
    pub fn act(&mut self, action: Action, details: &Details, options: &Options, area: Rect) -> bool {
        if let Some(step) = self.search.step_of(action) {
            self.go(step, details, options, area);
        } else if self.search.act(action) {
            if matches!(action, Action::Text(_)) {
                self.go_to_first(details, options, area);
            }
        } else if let Action::Move(motion) = action {
            let rows = details.rows(options, area.width.into()).len();
            self.scrolled = scroll(self.scrolled, motion, rows, self.search.text_area(area).height.into());
        } else {
            return false;
        }
        true
    }

    /// Takes a typed character or a paste of the search.
    pub fn text(&mut self, input: &Input, details: &Details, options: &Options, area: Rect) {
        self.search.text(input);
        self.go_to_first(details, options, area);
    }

    /// The first match in view or below, else the first of all.
    fn go_to_first(&mut self, details: &Details, options: &Options, area: Rect) {
        let rows = details.rows(options, area.width.into());
        let found = find(&rows, self.search.words());
        self.search.current = found.iter().position(|one| one[0].0 >= self.scrolled).unwrap_or(0);
        self.bring_into_view(&found, rows.len(), area);
    }

    /// So many matches on; behind the last comes the first.
    fn go(&mut self, by: isize, details: &Details, options: &Options, area: Rect) {
        let rows = details.rows(options, area.width.into());
        let found = find(&rows, self.search.words());
        self.search.step(by, found.len());
        self.bring_into_view(&found, rows.len(), area);
    }

    fn bring_into_view(&mut self, found: &[Match], rows: usize, area: Rect) {
        let Some((row, _)) = found.get(self.search.current).and_then(|one| one.first()) else { return };
        let height = usize::from(self.search.text_area(area).height);
        if !(self.scrolled..self.scrolled + height).contains(row) {
            // Some of what stands before it is seen too.
            self.scrolled = row.saturating_sub(height / 3).min(rows.saturating_sub(height));
        }
    }

    /// Draws the details with their matches, and the search below them. Returns where the cursor is while it is typed.
    pub fn draw(&self, details: &Details, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let text = self.search.text_area(area);
        if !self.search.is_on() || text.is_empty() {
            details.draw(self.scrolled, view, area, buffer);
            return None;
        }
        let mut rows = details.rows(view.options, area.width.into());
        let found = find(&rows, self.search.words());
        let current = self.search.current.min(found.len().saturating_sub(1));
        for (at, (row, range)) in found.iter().enumerate().flat_map(|(at, one)| one.iter().map(move |part| (at, part)))
        {
            rows[*row] = marked(&rows[*row], range, Search::style(at == current, view));
        }
        let last = rows.len().saturating_sub(text.height.into());
        put_lines(buffer, text, &rows, self.scrolled.min(last));
        self.search.draw(found.len(), self.scrolled < last, view, area, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Style;
    use std::ops::Range;

    const AREA: Rect = Rect { x: 0, y: 0, width: 24, height: 4 };

    fn details() -> Details {
        let prompt = "We never promise a delivery date; offer a call back.\nDELIVERY is free.\n\n\n\n丁寧な敬語で話してください、短く答える。";
        Details::new(8).field("Name", "Reception").section("Prompt").text(prompt)
    }

    fn found(words: &str) -> Vec<Vec<String>> {
        let rows = details().rows(&Options::default(), AREA.width.into());
        let part = |(row, range): &(usize, Range<usize>)| rows[*row].to_string()[range.clone()].to_owned();
        find(&rows, words).iter().map(|one| one.iter().map(part).collect()).collect()
    }

    #[test]
    fn words_are_found_in_any_case_and_across_rows() {
        assert_eq!(found("delivery"), [["delivery"], ["DELIVERY"]]);
        assert_eq!(found("promise  a delivery"), [["promise a", "delivery"]]);
        assert_eq!(found("くださ"), [vec!["くださ"]]);
        assert_eq!(found("話してください"), [["話してくださ", "い"]]);
        assert_eq!(found("adelivery"), Vec::<Vec<String>>::new());
        assert_eq!(found(" "), Vec::<Vec<String>>::new());
    }

    fn press(reader: &mut Reader, action: Action) {
        assert!(reader.act(action, &details(), &Options::default(), AREA));
    }

    #[test]
    fn search_goes_from_match_to_match_and_around() {
        let mut reader = Reader::default();
        press(&mut reader, Action::Search);
        reader.text(&Input::Paste("delivery".to_owned()), &details(), &Options::default(), AREA);
        assert_eq!((reader.search.current, reader.scrolled), (0, 3));
        press(&mut reader, Action::Submit);
        press(&mut reader, Action::NextMatch);
        assert_eq!(reader.search.current, 1);
        press(&mut reader, Action::NextMatch);
        assert_eq!(reader.search.current, 0);
        press(&mut reader, Action::PreviousMatch);
        assert_eq!(reader.search.current, 1);
        press(&mut reader, Action::Back);
        assert!(!reader.act(Action::Back, &details(), &Options::default(), AREA), "the next Esc is the pane's");
        assert_eq!(reader.disabled(Action::NextMatch), Some("nothing is searched for"));
    }

    proptest! {
        #[test]
        fn every_match_lies_on_letters(text in "(?s).{0,60}", words in ".{1,6}", columns in 4usize..40) {
            let rows = Details::new(0).text(&text).rows(&Options::default(), columns);
            for (row, range) in find(&rows, &words).into_iter().flatten() {
                let line = rows[row].to_string();
                prop_assert!(line.get(range.clone()).is_some_and(|part| !part.is_empty()));
                prop_assert_eq!(marked(&rows[row], &range, Style::new()).to_string(), line);
            }
        }
    }
}
