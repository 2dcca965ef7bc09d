//! What a pane shows in place of rows: that they are loading, or why there are none.

use super::put;
use crate::ui::message::Instant;
use crate::ui::pane::View;
use crate::ui::text::{clean, wrap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use std::borrow::Cow;
use std::time::Duration;

/// Before this loading is not shown: most answers are there sooner, and it would only flicker.
pub const PATIENCE: Duration = Duration::from_millis(150);
/// Columns that sentences take at most.
const COLUMNS: usize = 60;

/// Why there are no rows to show.
#[derive(Debug, Clone, PartialEq)]
pub enum State<'a> {
    /// The first answer is awaited since this moment.
    Loading(Instant),
    /// There are none: what, and how one would come or be found.
    Empty(Cow<'a, str>, Cow<'a, str>),
    /// They could not be loaded.
    Failed {
        /// What failed.
        what: Cow<'a, str>,
        /// Why.
        why: Cow<'a, str>,
        /// What happens next, and what to press.
        next: Cow<'a, str>,
    },
    /// There is no server, for this reason.
    NotConnected(Cow<'a, str>),
    /// This server does not offer them: what, and what can be done instead.
    NotOffered(Cow<'a, str>, Cow<'a, str>),
}

impl State<'_> {
    /// When it looks different, in the time of [`crate::ui::Moment::mono`].
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        match self {
            Self::Loading(since) => Some(*since + PATIENCE).filter(|shown| *shown > now),
            _ => None,
        }
    }

    /// Draws it. While loading, `shapes` draws dim rows of these widths, one row after another, as those to come.
    pub fn draw(&self, shapes: &[u16], view: &View<'_>, area: Rect, buffer: &mut Buffer) {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let area = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3), ..area };
        let alert = |glyph: &str, text: &str| Cow::Owned(format!("{glyph} {text}"));
        let said: Vec<(Cow<'_, str>, Style)> = match self {
            Self::Loading(since) => {
                if *since + PATIENCE <= view.now.mono {
                    for (y, shape) in (area.y..area.bottom()).zip(shapes) {
                        let shape = glyphs.placeholder.repeat((*shape).into());
                        buffer.set_stringn(area.x, y, shape, area.width.into(), theme.dim);
                    }
                }
                return;
            }
            Self::Empty(what, next) => vec![(what.clone(), theme.strong), (next.clone(), theme.dim)],
            Self::Failed { what, why, next } => vec![
                (alert(glyphs.cross, what), theme.failed),
                (why.clone(), Style::new()),
                ("".into(), Style::new()),
                (next.clone(), theme.dim),
            ],
            Self::NotConnected(why) => vec![(alert(glyphs.hollow, why), theme.dim)],
            Self::NotOffered(what, next) => {
                vec![(alert(glyphs.none, what), Style::new()), (next.clone(), theme.dim)]
            }
        };
        let columns = usize::from(area.width).min(COLUMNS);
        let lines = said
            .iter()
            .flat_map(|(text, style)| wrap(&clean(text), columns).into_iter().map(|line| Line::styled(line, *style)));
        let lines: Vec<_> = lines.collect();
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let top = area.y + area.height.saturating_sub(height) / 3;
        for (y, line) in (top..area.bottom()).zip(&lines) {
            put(buffer, Rect { y, height: 1, ..area }, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{Moment, Options};

    const fn at(millis: u64) -> Instant {
        Instant::after(Duration::from_millis(millis))
    }

    fn drawn(state: &State<'_>, millis: u64) -> String {
        let options = Options::default();
        let now = Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: at(millis) };
        let zone = jiff::tz::TimeZone::UTC;
        let view = View::plain(&options, now, &zone);
        let area = Rect::new(0, 0, 30, 8);
        let mut buffer = Buffer::empty(area);
        state.draw(&[4, 6], &view, area, &mut buffer);
        let line = |y| (0..30).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..8).map(line).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
    }

    #[test]
    fn loading_shows_after_a_moment() {
        let state = State::Loading(at(100));
        assert_eq!(drawn(&state, 249), "");
        assert_eq!(state.next_change(at(249)), Some(at(250)));
        assert_eq!(drawn(&state, 250), "  ░░░░\n  ░░░░░░");
        assert_eq!(state.next_change(at(250)), None);
    }

    #[test]
    fn a_failure_says_what_and_why_and_what_to_press() {
        let (what, why, next) = ("Tools failed to load:".into(), "no\u{1b} answer.".into(), "r retries.".into());
        let state = State::Failed { what, why, next };
        assert_eq!(drawn(&state, 0), "  ✕ Tools failed to load:\n  no\u{fffd} answer.\n\n  r retries.");
        assert_eq!(drawn(&State::Empty("No tools".into(), "c creates one".into()), 0), "  No tools\n  c creates one");
    }
}
