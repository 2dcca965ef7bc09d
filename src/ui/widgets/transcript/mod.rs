//! What is said in a conversation: the customer on the left, the assistant further in, each with a glyph and a word.
//! Only messages in view are wrapped, so that a long conversation scrolls like a short one.

mod layout;
#[cfg(test)]
mod tests;

use super::search::{Search, find, marked};
use super::{put_lines, put_right};
use crate::api::HistoryMessage;
use crate::ui::action::{Action, Motion};
use crate::ui::input::Input;
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::text::thousands;
use layout::{At, Layout};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::Line;
use std::collections::BTreeSet;

/// Where a transcript is scrolled to, which message is selected, and what is searched for. It follows the end while the
/// end is in view.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// The first line in view, and how many messages there were when the end was last in view; `None` at the end.
    away: Option<(At, usize)>,
    /// The selected message; `None` for the last one.
    selected: Option<usize>,
    folds: Folds,
    /// What is searched for.
    pub search: Search,
    /// The messages in which it is found.
    found: Vec<usize>,
    /// What is told apart among the messages.
    pub marks: Marks,
}

/// Which messages are marked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// From this one on they are new; `None` where none is.
    pub new_from: Option<usize>,
    /// Those of the assistant that a person wrote in its place.
    pub by_person: BTreeSet<usize>,
    /// When each was said, in words; empty where that is not known.
    pub times: Vec<String>,
}

/// Whose tool calls are shown with their arguments and results, not on one line each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Folds {
    unfolded: bool,
    /// The messages for which it is the other way round.
    except: BTreeSet<usize>,
}

impl Folds {
    fn is_unfolded(&self, message: usize) -> bool {
        self.unfolded != self.except.contains(&message)
    }
}

/// True where a tool was called for the message.
pub fn has_calls(message: &HistoryMessage) -> bool {
    message.function_calls.known().is_some_and(|calls| !calls.is_empty())
}

impl Transcript {
    /// Other messages are shown, from their end. What is searched for stays.
    pub fn reset(&mut self) {
        *self = Self { search: std::mem::take(&mut self.search), ..Self::default() };
    }

    /// Goes to the end and follows it.
    pub fn follow(&mut self) {
        (self.away, self.selected) = (None, None);
    }

    /// Unfolds all tool calls, or folds them again. The first message in view stays.
    pub fn toggle_calls(&mut self) {
        self.folds = Folds { unfolded: !self.folds.unfolded, except: BTreeSet::new() };
    }

    /// Unfolds the tool calls of the selected message, or folds them again; those of all messages where it has none.
    pub fn toggle_calls_here(&mut self, messages: &[HistoryMessage], options: &Options, area: Rect) {
        let at = self.selected_at(messages.len());
        if !messages.get(at).is_some_and(has_calls) {
            return self.toggle_calls();
        }
        if !self.folds.except.remove(&at) {
            self.folds.except.insert(at);
        }
        self.changed(messages);
        let size = self.size(area);
        self.select(at, false, messages, options, size);
    }

    /// How many messages came since the end was last in view.
    pub fn unseen(&self, messages: &[HistoryMessage]) -> usize {
        self.away.map_or(0, |(_, known)| messages.len().saturating_sub(known))
    }

    /// The selected message, by its index.
    pub fn selected_at(&self, count: usize) -> usize {
        self.selected.unwrap_or(usize::MAX).min(count.saturating_sub(1))
    }

    /// How many messages can be read to their end with what is in view.
    pub fn read(&self, messages: &[HistoryMessage], options: &Options, area: Rect) -> usize {
        let Size { width, height } = self.size(area);
        let (text, height) = (self.layout(messages, options, width), usize::from(height));
        if messages.is_empty() || height == 0 {
            return 0;
        }
        let bottom = text.down(self.top(&text, height), height - 1);
        bottom.message + usize::from(bottom == text.end_of(bottom.message))
    }

    fn layout<'a>(&'a self, messages: &'a [HistoryMessage], options: &'a Options, columns: u16) -> Layout<'a> {
        Layout { messages, options, columns: columns.max(1).into(), folds: &self.folds, marks: &self.marks }
    }

    /// The size that the search leaves to the text.
    fn size(&self, area: Rect) -> Size {
        self.search.text_area(area).as_size()
    }

    /// The first line in view.
    fn top(&self, text: &Layout<'_>, height: usize) -> At {
        self.top_before(text.last_top(height), text)
    }

    /// The first line in view, where the end is in view from `last` on.
    fn top_before(&self, last: At, text: &Layout<'_>) -> At {
        self.away.map_or(last, |(at, _)| text.nearest(at).min(last))
    }

    fn scroll_to(&mut self, to: At, messages: &[HistoryMessage], options: &Options, area: Size) {
        let last = self.layout(messages, options, area.width).last_top(area.height.into());
        let known = self.away.map_or(messages.len(), |(_, known)| known);
        self.away = (to < last).then_some((to, known));
    }

    /// Scrolls the messages in an area of this size.
    pub fn scroll(&mut self, motion: Motion, messages: &[HistoryMessage], options: &Options, area: Size) {
        let (text, height) = (self.layout(messages, options, area.width), usize::from(area.height));
        let (last, page) = (text.last_top(height), height.max(2) - 1);
        let at = self.away.map_or(last, |(at, _)| text.nearest(at));
        let to = match motion {
            Motion::Down => text.down(at, 1),
            Motion::Up => text.up(at, 1),
            Motion::PageDown => text.down(at, page),
            Motion::PageUp => text.up(at, page),
            Motion::Top => At { message: 0, line: 0 },
            Motion::Bottom => last,
        };
        self.scroll_to(to, messages, options, area);
    }

    /// Selects another message and brings it into view; one that is longer than the view is first scrolled through.
    pub fn step(&mut self, motion: Motion, messages: &[HistoryMessage], options: &Options, area: Rect) {
        let (size, height, at) = (self.size(area), usize::from(area.height), self.selected_at(messages.len()));
        if messages.is_empty() || height == 0 {
            return;
        }
        let text = self.layout(messages, options, size.width);
        let top = self.top(&text, size.height.into());
        let bottom = text.down(top, usize::from(size.height).saturating_sub(1));
        let to = match motion {
            Motion::Down if text.end_of(at) > bottom && At::start_of(at) <= bottom => None,
            Motion::Up if At::start_of(at) < top && text.end_of(at) >= top => None,
            Motion::Down => Some(at + 1),
            Motion::Up => Some(at.saturating_sub(1)),
            Motion::Top => Some(0),
            Motion::Bottom => return self.follow(),
            Motion::PageDown | Motion::PageUp => None,
        };
        if let Some(to) = to {
            return self.select(to, motion == Motion::Up, messages, options, size);
        }
        self.scroll(motion, messages, options, size);
        self.select_in_view(motion, messages, options, size);
    }

    /// Selects this message; of one that is longer than the view, `from_below` shows the end.
    fn select(&mut self, at: usize, from_below: bool, messages: &[HistoryMessage], options: &Options, area: Size) {
        let (text, height) = (self.layout(messages, options, area.width), usize::from(area.height));
        let at = at.min(messages.len().saturating_sub(1));
        let (start, end) = (At::start_of(at), text.end_of(at));
        let top = self.top(&text, height);
        let shows_end = text.up(end, height.saturating_sub(1));
        let to = if start < top {
            if from_below { start.max(shows_end) } else { start }
        } else {
            top.max(shows_end.min(start))
        };
        self.scroll_to(to, messages, options, area);
        self.selected = (at + 1 < messages.len()).then_some(at);
    }

    /// The selected message where it is in view, else the nearest that is.
    fn select_in_view(&mut self, motion: Motion, messages: &[HistoryMessage], options: &Options, area: Size) {
        let (text, height) = (self.layout(messages, options, area.width), usize::from(area.height));
        let (first, last) = {
            let top = self.top(&text, height);
            let bottom = text.down(top, height.saturating_sub(1));
            // Of the last one there may be nothing but the blank line above it.
            let hidden = usize::from(bottom < At::start_of(bottom.message));
            (top.message, (bottom.message - hidden).max(top.message))
        };
        // A page down that reaches the end selects the last one, a page up the first.
        let at = match motion {
            Motion::PageDown if self.away.is_none() => last,
            Motion::PageUp if first == 0 => 0,
            _ => self.selected_at(messages.len()).clamp(first, last),
        };
        self.selected = (at + 1 < messages.len()).then_some(at);
    }

    /// Takes an action; false where it is not one of reading. The area is that of [`Self::draw`].
    pub fn act(&mut self, action: Action, messages: &[HistoryMessage], options: &Options, area: Rect) -> bool {
        if let Some(by) = self.search.step_of(action) {
            self.search.step(by, self.found.len());
            self.show_match(messages, options, area);
        } else if self.search.act(action) {
            if matches!(action, Action::Text(_) | Action::Back) {
                self.search_again(messages, options, area);
            }
        } else {
            match action {
                Action::Move(motion) => self.step(motion, messages, options, area),
                Action::ToggleCalls => self.toggle_calls_here(messages, options, area),
                _ => return false,
            }
        }
        true
    }

    /// Takes a typed character or a paste of the search.
    pub fn text(&mut self, input: &Input, messages: &[HistoryMessage], options: &Options, area: Rect) {
        self.search.text(input);
        self.search_again(messages, options, area);
    }

    /// Other words are searched for: from the selected message backwards, as what is new is at the end.
    fn search_again(&mut self, messages: &[HistoryMessage], options: &Options, area: Rect) {
        self.changed(messages);
        let at = self.selected_at(messages.len());
        self.search.current = self.found.iter().rposition(|found| *found <= at).unwrap_or(0);
        self.show_match(messages, options, area);
    }

    /// The messages have changed: the words are searched for in them.
    pub fn changed(&mut self, messages: &[HistoryMessage]) {
        self.found = layout::search(messages, self.search.words(), &self.folds);
    }

    fn show_match(&mut self, messages: &[HistoryMessage], options: &Options, area: Rect) {
        let Some(at) = self.found.get(self.search.current).copied() else { return };
        let size = self.size(area);
        self.select(at, false, messages, options, size);
        let (text, height) = (self.layout(messages, options, size.width), usize::from(size.height));
        let row = find(&text.lines(at), self.search.words()).first().and_then(|one| Some(one.first()?.0));
        let row = At { message: at, line: row.unwrap_or(0) };
        let top = self.top(&text, height);
        if row < top || row > text.down(top, height.saturating_sub(1)) {
            let to = text.up(row, height / 3);
            self.scroll_to(to, messages, options, size);
        }
    }

    /// Draws what is in view; the last row says where more follows. Marks stand in the margin. Returns where the cursor is
    /// while a search is typed.
    pub fn draw(
        &self,
        messages: &[HistoryMessage],
        margin: Option<Margin>,
        view: &View<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let whole = self.search.text_area(area);
        let (text, height) = (self.layout(messages, view.options, whole.width), usize::from(whole.height));
        let last = text.last_top(height);
        let top = self.top_before(last, &text);
        let (mut lines, mut owners) = (Vec::new(), Vec::new());
        for (message, skip) in (top.message..messages.len()).zip(std::iter::once(top.line).chain(std::iter::repeat(0)))
        {
            if lines.len() >= height {
                break;
            }
            let rows = self.highlighted(message, text.lines(message), view);
            owners.extend((skip..rows.len()).map(|row| (message, row)));
            lines.extend(rows.into_iter().skip(skip));
        }
        put_lines(buffer, whole, &lines, 0);
        if let Some(margin) = margin {
            self.draw_margin(margin, &owners, messages.len(), view, whole, buffer);
        }
        let more = top < last;
        if self.search.is_on() && !whole.is_empty() {
            return self.search.draw(self.found.len(), more, view, area, buffer);
        }
        if more && !whole.is_empty() {
            let (theme, down) = (&view.options.theme, view.options.glyphs.down);
            let (says, style) = match self.unseen(messages) {
                0 => ("more".to_owned(), theme.dim),
                new => (format!("{} new below", thousands(new as u64)), theme.fresh),
            };
            let row = Rect { y: whole.bottom() - 1, height: 1, ..whole };
            put_right(buffer, row, &Line::styled(format!(" {says} {down}"), style));
        }
        None
    }

    fn highlighted(&self, message: usize, mut rows: Vec<Line<'static>>, view: &View<'_>) -> Vec<Line<'static>> {
        let Ok(place) = self.found.binary_search(&message) else { return rows };
        let style = Search::style(place == self.search.current, view);
        for (row, range) in find(&rows, self.search.words()).into_iter().flatten() {
            rows[row] = marked(&rows[row], &range, style);
        }
        rows
    }

    /// Marks the selected message, and those that are new.
    fn draw_margin(
        &self,
        margin: Margin,
        owners: &[(usize, usize)],
        count: usize,
        view: &View<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let (theme, glyphs, selected) = (&view.options.theme, view.options.glyphs, self.selected_at(count));
        for (y, (message, row)) in (area.y..area.bottom()).zip(owners) {
            let is_new = self.marks.new_from.is_some_and(|from| *message >= from);
            let (glyph, style) = match () {
                // The blank line above a message belongs to none.
                () if *row == 0 && *message > 0 => continue,
                () if margin.selects && *message == selected => (glyphs.marker, theme.accent),
                () if is_new => (glyphs.vertical, theme.fresh),
                () => continue,
            };
            buffer.set_stringn(margin.x, y, glyph, 1, style);
        }
    }
}

/// The column in which messages are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// Where it is.
    pub x: u16,
    /// True where the selected message is marked too.
    pub selects: bool,
}
