//! Details that are read: scrolled, and searched for words.

use super::details::Details;
use super::input::TextInput;
use super::list::scroll;
use super::{put, put_lines, put_right};
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::input::Input;
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::text::{thousands, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::ops::Range;

/// The scopes of the keys while a search is typed.
pub const SEARCHING: &[Scope] = &[Scope::SEARCH, Scope::TEXT, Scope::EVERYWHERE];

/// How far details are scrolled, and what is searched for in them. The search stays while the details change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reader {
    scrolled: usize,
    search: TextInput,
    /// True while the search is typed.
    pub typing: bool,
    /// The match that was gone to, from 0.
    current: usize,
}

/// A match: bytes of one row, or of several where it is wrapped.
type Match = Vec<(usize, Range<usize>)>;

impl Reader {
    /// Back to the top: other details are shown.
    pub fn rewind(&mut self) {
        (self.scrolled, self.current) = (0, 0);
    }

    /// Why an action cannot be done, to be read after "Not now: ".
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let steps = matches!(action, Action::NextMatch | Action::PreviousMatch);
        (steps && self.search.value().is_empty()).then_some("nothing is searched for")
    }

    /// Takes an action; false where it is not one of reading. The area is that of [`Self::draw`].
    pub fn act(&mut self, action: Action, details: &Details, options: &Options, area: Rect) -> bool {
        match action {
            Action::Search => self.typing = true,
            Action::Submit if self.typing => self.typing = false,
            Action::Back if self.is_searching() => (self.typing, self.search) = (false, TextInput::default()),
            Action::Text(edit) if self.typing => {
                self.search.act(edit);
                self.go_to_first(details, options, area);
            }
            Action::NextMatch | Action::Move(Motion::Down) if action == Action::NextMatch || self.typing => {
                self.go(1, details, options, area);
            }
            Action::PreviousMatch | Action::Move(Motion::Up) if action == Action::PreviousMatch || self.typing => {
                self.go(-1, details, options, area);
            }
            Action::Move(motion) => {
                let rows = details.rows(options, area.width.into()).len();
                self.scrolled = scroll(self.scrolled, motion, rows, self.text_area(area).height.into());
            }
            _ => return false,
        }
        true
    }

    /// Takes a typed character or a paste of the search.
    pub fn text(&mut self, input: &Input, details: &Details, options: &Options, area: Rect) {
        self.search.text(input);
        self.go_to_first(details, options, area);
    }

    fn is_searching(&self) -> bool {
        self.typing || !self.search.value().is_empty()
    }

    /// The search has a line of its own at the bottom.
    fn text_area(&self, area: Rect) -> Rect {
        Rect { height: area.height.saturating_sub(self.is_searching().into()), ..area }
    }

    /// The first match in view or below, else the first of all.
    fn go_to_first(&mut self, details: &Details, options: &Options, area: Rect) {
        let rows = details.rows(options, area.width.into());
        let found = find(&rows, self.search.value());
        self.current = found.iter().position(|one| one[0].0 >= self.scrolled).unwrap_or(0);
        self.bring_into_view(&found, rows.len(), area);
    }

    /// So many matches on; behind the last comes the first.
    fn go(&mut self, by: isize, details: &Details, options: &Options, area: Rect) {
        let rows = details.rows(options, area.width.into());
        let found = find(&rows, self.search.value());
        if !found.is_empty() {
            let count = found.len();
            let current = self.current.min(count - 1);
            self.current = if by < 0 { (current + count - 1) % count } else { (current + 1) % count };
        }
        self.bring_into_view(&found, rows.len(), area);
    }

    fn bring_into_view(&mut self, found: &[Match], rows: usize, area: Rect) {
        let Some((row, _)) = found.get(self.current).and_then(|one| one.first()) else { return };
        let height = usize::from(self.text_area(area).height);
        if !(self.scrolled..self.scrolled + height).contains(row) {
            // Some of what stands before it is seen too.
            self.scrolled = row.saturating_sub(height / 3).min(rows.saturating_sub(height));
        }
    }

    /// Draws the details with their matches, and the search below them. Returns where the cursor is while it is typed.
    pub fn draw(&self, details: &Details, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, text) = (&view.options.theme, self.text_area(area));
        if !self.is_searching() || text.is_empty() {
            details.draw(self.scrolled, view, area, buffer);
            return None;
        }
        let mut rows = details.rows(view.options, area.width.into());
        let found = find(&rows, self.search.value());
        let current = self.current.min(found.len().saturating_sub(1));
        for (at, (row, range)) in found.iter().enumerate().flat_map(|(at, one)| one.iter().map(move |part| (at, part)))
        {
            let style = if at == current { theme.matched.add_modifier(Modifier::REVERSED) } else { theme.matched };
            rows[*row] = marked(&rows[*row], range, style);
        }
        let last = rows.len().saturating_sub(text.height.into());
        put_lines(buffer, text, &rows, self.scrolled.min(last));
        let line = Rect { y: text.bottom(), height: 1, ..area };
        let position = match (found.len(), self.search.value()) {
            (_, "") => String::new(),
            (0, _) => "not found".to_owned(),
            (count, _) => format!("{} of {}", thousands(current as u64 + 1), thousands(count as u64)),
        };
        let more = if self.scrolled < last { format!("  more {}", view.options.glyphs.down) } else { String::new() };
        let says = format!("  {position}{more}");
        put(buffer, line, &Line::styled("/ ", theme.accent));
        let used = u16::try_from(width(&says)).unwrap_or(u16::MAX).min(line.width);
        put_right(buffer, line, &Line::styled(says, theme.dim));
        let field = Rect { x: line.x + 2.min(line.width), width: (line.width - used).saturating_sub(2), ..line };
        self.search.draw(buffer, field, theme.strong).filter(|_| self.typing)
    }
}

/// Where the words stand in the rows, whatever their case; a match may go on in the row below.
fn find(rows: &[Line<'_>], words: &str) -> Vec<Match> {
    let lower = |char: char| char.to_lowercase().next().unwrap_or(char);
    let words: Vec<char> = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().map(lower).collect();
    if words.is_empty() {
        return Vec::new();
    }
    // Each letter with its row and bytes; a row ends with a line break.
    let mut letters: Vec<(char, usize, Range<usize>)> = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        let text = line.to_string();
        let (start, end) = (text.len() - text.trim_start().len(), text.trim_end().len());
        let body = text.get(start..end).unwrap_or_default().char_indices();
        letters.extend(body.map(|(at, char)| (lower(char), row, start + at..start + at + char.len_utf8())));
        letters.push(('\n', row, end..end));
    }
    let (mut found, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        match matched(&letters[at..], &words) {
            Some(length) => {
                let mut one: Match = Vec::new();
                for (_, row, bytes) in letters[at..at + length].iter().filter(|(char, ..)| *char != '\n') {
                    match one.last_mut() {
                        Some((last, range)) if last == row => range.end = bytes.end,
                        _ => one.push((*row, bytes.clone())),
                    }
                }
                found.push(one);
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// How many letters the words take from here on. The end of a row stands for a space, or between wide letters, which
/// have none, for nothing.
fn matched(letters: &[(char, usize, Range<usize>)], words: &[char]) -> Option<usize> {
    let is_wide = |at: usize| letters.get(at).is_some_and(|(char, ..)| width(char.encode_utf8(&mut [0; 4])) == 2);
    let mut at = 0;
    for (position, word) in words.iter().enumerate() {
        let (char, ..) = letters.get(at)?;
        if *char == '\n' && *word != ' ' && position > 0 && is_wide(at - 1) && is_wide(at + 1) {
            at += 1;
        }
        let (char, ..) = letters.get(at)?;
        if char != word && !(*char == '\n' && *word == ' ' && position > 0) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// The line with these bytes in another style.
fn marked(line: &Line<'static>, range: &Range<usize>, style: Style) -> Line<'static> {
    let mut start = 0;
    let mut spans = Vec::new();
    for span in &line.spans {
        let end = start + span.content.len();
        let (from, to) = (range.start.clamp(start, end) - start, range.end.clamp(start, end) - start);
        for (part, style) in [(0..from, span.style), (from..to, span.style.patch(style)), (to..end - start, span.style)]
        {
            let text = span.content.get(part).filter(|text| !text.is_empty());
            spans.extend(text.map(|text| Span::styled(text.to_owned(), style)));
        }
        start = end;
    }
    Line { spans, ..line.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        assert_eq!((reader.current, reader.scrolled), (0, 3));
        press(&mut reader, Action::Submit);
        press(&mut reader, Action::NextMatch);
        assert_eq!(reader.current, 1);
        press(&mut reader, Action::NextMatch);
        assert_eq!(reader.current, 0);
        press(&mut reader, Action::PreviousMatch);
        assert_eq!(reader.current, 1);
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
