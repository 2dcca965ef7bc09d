//! Labels with values, in sections: inspectors, and what a confirm dialog asks about.

use super::list::scroll;
use super::put_right;
use crate::ui::Options;
use crate::ui::action::Motion;
use crate::ui::pane::View;
use crate::ui::text::{clean, fit, width, wrap, wrap_ranges};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Field { label: String, value: String, style: Style, wraps: bool },
    Section(String),
    Text(String, Style),
    Lines(Vec<Line<'static>>),
    Spans(Vec<Span<'static>>),
}

/// Labels with values, and texts. All texts are cleaned; line breaks stay where texts wrap.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Details {
    /// Cells for labels and the blanks behind them; longer labels are cut.
    label: usize,
    parts: Vec<Part>,
}

impl Details {
    /// Without parts yet; labels take so many cells, with the blanks behind them.
    pub fn new(label: usize) -> Self {
        Self { label, parts: Vec::new() }
    }

    /// A value on one line, cut where it is too long: the lines below it stay where they are whatever it holds.
    #[must_use]
    pub fn field(self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.push(Part::Field { label: label.into(), value: value.into(), style: Style::new(), wraps: false })
    }

    /// A value in whole, on as many lines as it needs.
    #[must_use]
    pub fn wrapped(self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.push(Part::Field { label: label.into(), value: value.into(), style: Style::new(), wraps: true })
    }

    /// A title, with a blank line above it.
    #[must_use]
    pub fn section(self, title: impl Into<String>) -> Self {
        self.push(Part::Section(title.into()))
    }

    /// A text over the whole width, in whole.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.push(Part::Text(text.into(), Style::new()))
    }

    /// Lines as they are, such as JSON; cleaned by the caller.
    #[must_use]
    pub fn lines(self, lines: Vec<Line<'static>>) -> Self {
        self.push(Part::Lines(lines))
    }

    /// A text in several styles over the whole width, in whole; cleaned here.
    #[must_use]
    pub fn spans(self, spans: Vec<Span<'static>>) -> Self {
        self.push(Part::Spans(spans))
    }

    /// The last value or text in this style.
    #[must_use]
    pub fn styled(mut self, with: Style) -> Self {
        if let Some(Part::Field { style, .. } | Part::Text(_, style)) = self.parts.last_mut() {
            *style = with;
        }
        self
    }

    fn push(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// All lines at this width.
    pub fn rows(&self, options: &Options, columns: usize) -> Vec<Line<'static>> {
        let (theme, ellipsis) = (&options.theme, options.glyphs.ellipsis);
        // A screen too narrow for both leaves the label half.
        let label_room = self.label.min(columns / 2);
        let room = columns.saturating_sub(label_room).max(1);
        let mut rows = Vec::new();
        for part in &self.parts {
            match part {
                Part::Field { label, value, style, wraps } => {
                    let label = fit(&clean(label), label_room.saturating_sub(1), ellipsis).into_owned();
                    let values =
                        if *wraps { whole(value, room) } else { vec![fit(&clean(value), room, ellipsis).into()] };
                    for (at, value) in values.into_iter().enumerate() {
                        let label = if at == 0 { label.as_str() } else { "" };
                        let label = format!("{label}{}", " ".repeat(label_room - width(label)));
                        rows.push(Line::from(vec![Span::styled(label, theme.dim), Span::styled(value, *style)]));
                    }
                }
                Part::Section(title) => {
                    if !rows.is_empty() {
                        rows.push(Line::default());
                    }
                    rows.push(Line::styled(fit(&clean(title), columns, ellipsis).into_owned(), theme.strong));
                }
                Part::Text(text, style) => {
                    rows.extend(whole(text, columns).into_iter().map(|line| Line::styled(line, *style)));
                }
                Part::Lines(lines) => rows.extend(lines.iter().cloned()),
                Part::Spans(spans) => rows.extend(whole_spans(spans, columns)),
            }
        }
        rows
    }

    /// Lines that are scrolled away after this motion, in an area of this size.
    pub fn scroll(&self, at: usize, motion: Motion, options: &Options, area: Rect) -> usize {
        scroll(at, motion, self.rows(options, area.width.into()).len(), area.height.into())
    }

    /// Draws the lines from `at` on, and says in the last row where more follow.
    pub fn draw(&self, at: usize, view: &View<'_>, area: Rect, buffer: &mut Buffer) {
        let rows = self.rows(view.options, area.width.into());
        let last = rows.len().saturating_sub(area.height.into());
        super::put_lines(buffer, area, &rows, at.min(last));
        if at < last && !area.is_empty() {
            let more = format!(" more {}", view.options.glyphs.down);
            let row = Rect { y: area.bottom() - 1, height: 1, ..area };
            put_right(buffer, row, &Line::styled(more, view.options.theme.dim));
        }
    }
}

fn whole(text: &str, columns: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap(&clean(line.trim_end_matches('\r')), columns)).collect()
}

/// The lines of a text in several styles, broken where [`whole`] would break it.
fn whole_spans(spans: &[Span<'static>], columns: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Vec<Span<'_>>> = vec![Vec::new()];
    for span in spans {
        for (at, text) in span.content.split('\n').enumerate() {
            if at > 0 {
                lines.push(Vec::new());
            }
            let text = clean(text.trim_end_matches('\r')).into_owned();
            if let Some(line) = lines.last_mut() {
                line.push(Span::styled(text, span.style));
            }
        }
    }
    let wrapped = |line: &Vec<Span<'static>>| {
        let text: String = line.iter().map(|span| &*span.content).collect();
        let cut = |range: Range<usize>| {
            let mut start = 0;
            let parts = line.iter().filter_map(|span| {
                let before = start;
                start += span.content.len();
                let (from, to) = (range.start.max(before) - before, range.end.min(start).max(before) - before);
                span.content
                    .get(from..to)
                    .filter(|part| !part.is_empty())
                    .map(|part| Span::styled(part.to_owned(), span.style))
            });
            Line::from(parts.collect::<Vec<_>>())
        };
        wrap_ranges(&text, columns.max(1), width).into_iter().map(cut).collect::<Vec<_>>()
    };
    lines.iter().flat_map(wrapped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(details: &Details, columns: usize) -> Vec<String> {
        details.rows(&Options::default(), columns).iter().map(|line| line.to_string().trim_end().to_owned()).collect()
    }

    #[test]
    fn values_hang_beside_their_labels() {
        let details = Details::new(11)
            .field("Assistant", "Reception at the front desk")
            .wrapped("Prompt", "Be kind.\r\nAnswer in their language.")
            .field("a_very_long_name", "1")
            .section("Error")
            .text("It failed (timed\u{1b} out).");
        assert_eq!(
            rows(&details, 27),
            [
                "Assistant  Reception at th…",
                "Prompt     Be kind.",
                "           Answer in their",
                "           language.",
                "a_very_lo… 1",
                "",
                "Error",
                "It failed (timed\u{fffd} out).",
            ]
        );
    }

    #[test]
    fn a_field_keeps_its_line_whatever_the_one_above_holds() {
        let at = |value: &str| {
            let details = Details::new(6).field("One", value).field("Two", "2");
            rows(&details, 12).iter().position(|row| row.starts_with("Two"))
        };
        assert_eq!((at(""), at("short"), at("far too\nlong for one line")), (Some(1), Some(1), Some(1)));
    }

    proptest! {
        #[test]
        fn every_line_fits(label in ".{0,20}", value in "(?s).{0,60}", columns in 4usize..40) {
            let details = Details::new(11).field(&label, &value).wrapped(&label, &value).section(&label).text(&value);
            for row in rows(&details, columns) {
                prop_assert!(width(&row) <= columns, "{row:?}");
            }
        }
    }
}
