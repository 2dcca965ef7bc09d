//! Words that are searched for in a text that is read, and the line in which they are typed.

use super::input::TextInput;
use super::{put, put_right};
use crate::ui::action::{Action, Motion, Scope};
use crate::ui::input::Input;
use crate::ui::pane::View;
use crate::ui::text::{thousands, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::ops::Range;

/// The scopes of the keys while a search is typed.
pub const SEARCHING: &[Scope] = &[Scope::SEARCH, Scope::TEXT, Scope::EVERYWHERE];

/// A match: bytes of one row, or of several where it is wrapped.
pub type Match = Vec<(usize, Range<usize>)>;

/// What is searched for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Search {
    words: TextInput,
    /// True while the words are typed.
    pub typing: bool,
    /// The match that was gone to, from 0.
    pub current: usize,
}

impl Search {
    /// Back to the first match: another text is shown.
    pub fn rewind(&mut self) {
        self.current = 0;
    }

    /// The words as typed.
    pub fn words(&self) -> &str {
        self.words.value()
    }

    /// True while the search has its line.
    pub fn is_on(&self) -> bool {
        self.typing || !self.words.value().is_empty()
    }

    /// Why an action cannot be done, to be read after "Not now: ".
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let steps = matches!(action, Action::NextMatch | Action::PreviousMatch);
        (steps && self.words.value().is_empty()).then_some("nothing is searched for")
    }

    /// How many matches an action goes on, where it does.
    pub fn step_of(&self, action: Action) -> Option<isize> {
        match action {
            Action::NextMatch => Some(1),
            Action::PreviousMatch => Some(-1),
            Action::Move(Motion::Down) if self.typing => Some(1),
            Action::Move(Motion::Up) if self.typing => Some(-1),
            _ => None,
        }
    }

    /// Takes an action that begins, changes or ends the search; false for any other.
    pub fn act(&mut self, action: Action) -> bool {
        match action {
            Action::Search => self.typing = true,
            Action::Submit if self.typing => self.typing = false,
            Action::Back if self.is_on() => (self.typing, self.words) = (false, TextInput::default()),
            Action::Text(edit) if self.typing => drop(self.words.act(edit)),
            _ => return false,
        }
        true
    }

    /// Takes a typed character or a paste.
    pub fn text(&mut self, input: &Input) {
        self.words.text(input);
    }

    /// So many matches on; behind the last comes the first.
    pub fn step(&mut self, by: isize, count: usize) {
        if count > 0 {
            let current = self.current.min(count - 1);
            self.current = if by < 0 { (current + count - 1) % count } else { (current + 1) % count };
        }
    }

    /// What is left of an area: the search has a line of its own at the bottom.
    pub fn text_area(&self, area: Rect) -> Rect {
        Rect { height: area.height.saturating_sub(self.is_on().into()), ..area }
    }

    /// How a match is drawn.
    pub fn style(is_current: bool, view: &View<'_>) -> Style {
        let style = view.options.theme.matched;
        if is_current { style.add_modifier(Modifier::REVERSED) } else { style }
    }

    /// Draws the line below the text: the words, how many matches there are, and whether more text follows. Returns where
    /// the cursor is while the words are typed.
    pub fn draw(&self, count: usize, more: bool, view: &View<'_>, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, current) = (&view.options.theme, self.current.min(count.saturating_sub(1)));
        let line = Rect { y: self.text_area(area).bottom(), height: 1, ..area };
        let position = match (count, self.words.value()) {
            (_, "") => String::new(),
            (0, _) => "not found".to_owned(),
            (count, _) => format!("{} of {}", thousands(current as u64 + 1), thousands(count as u64)),
        };
        let more = if more { format!("  more {}", view.options.glyphs.down) } else { String::new() };
        let says = format!("  {position}{more}");
        put(buffer, line, &Line::styled("/ ", theme.accent));
        let used = u16::try_from(width(&says)).unwrap_or(u16::MAX).min(line.width);
        put_right(buffer, line, &Line::styled(says, theme.dim));
        let field = Rect { x: line.x + 2.min(line.width), width: (line.width - used).saturating_sub(2), ..line };
        self.words.draw(buffer, field, theme.strong).filter(|_| self.typing)
    }
}

/// Where the words stand in the rows, whatever their case; a match may go on in the row below.
pub fn find(rows: &[Line<'_>], words: &str) -> Vec<Match> {
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
pub fn marked(line: &Line<'static>, range: &Range<usize>, style: Style) -> Line<'static> {
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
