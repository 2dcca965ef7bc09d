//! Text that the form and the confirm dialog share.

use super::Snapshot;
use crate::messaging::{Level, Remaining, Window};
use crate::ui::panes::messaging::words;
use crate::ui::text::{clean, wrap};
use jiff::Timestamp;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// A number as people read it.
pub(super) use words::phone;

pub(super) use crate::ui::compose::words::{name_for, window_line};

/// A time of today, or the day with it.
pub(super) fn time(time: Timestamp, context: &Snapshot<'_>) -> String {
    words::time(time, context.view.now, context.view.zone)
}

/// A window in so few words that it fits beside a name; `window` as it is at `now` of the server's clock.
pub(super) fn window_brief(window: Window, now: Timestamp) -> String {
    let remaining = Remaining::of(window, now);
    match remaining.level() {
        Level::Closed if remaining == Remaining::None => "no window".to_owned(),
        Level::Closed => "expired".to_owned(),
        Level::Calm | Level::Normal => format!("open {}", remaining.figure()),
        Level::Warning | Level::Urgent => format!("closes {}", remaining.figure()),
    }
}

/// Text in lines of at most `columns`, with its own line breaks, cleaned. Each piece has its style.
pub(in crate::ui::panes::messaging) fn styled(pieces: &[(String, Style)], columns: usize) -> Vec<Line<'static>> {
    let cleaned = |(text, style): &(String, Style)| {
        let lines: Vec<_> = text.split('\n').map(|line| clean(line.trim_end_matches('\r'))).collect();
        (lines.join("\n"), *style)
    };
    let pieces: Vec<(String, Style)> = pieces.iter().map(cleaned).collect();
    let text: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
    let mut letters = pieces.iter().flat_map(|(text, style)| text.chars().map(move |letter| (letter, *style)));
    let line = |line: String| {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for letter in line.chars() {
            // Blanks at the end of a line are left out; all else is there, in its order.
            let style = letters.find(|(next, _)| *next == letter).map_or_else(Style::new, |(_, style)| style);
            match spans.last_mut().filter(|span| span.style == style) {
                Some(span) => span.content.to_mut().push(letter),
                None => spans.push(Span::styled(letter.to_string(), style)),
            }
        }
        Line::from(spans)
    };
    text.split('\n').flat_map(|paragraph| wrap(paragraph, columns)).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::compose::words::window_short;

    #[test]
    fn a_window_is_told_in_hours_then_minutes_then_seconds() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let open = |left| window_short(Window::Open { expires: now + jiff::SignedDuration::from_secs(left) }, now);
        assert_eq!([3 * 3600 + 720, 1860, 461].map(open), ["open, 3 h 12 left", "closes in 31 min", "closes in 7:41"]);
        let brief = |left| window_brief(Window::Open { expires: now + jiff::SignedDuration::from_secs(left) }, now);
        assert_eq!([3 * 3600 + 720, 1860, 461].map(brief), ["open 3 h 12", "closes 31 min", "closes 7:41"]);
        assert_eq!(window_short(Window::None, now), "none yet");
        assert_eq!(window_short(Window::Expired { since: None }, now), "expired");
    }

    #[test]
    fn styles_stay_with_their_letters_where_lines_break() {
        let bold = Style::new().add_modifier(ratatui::style::Modifier::BOLD);
        let lines =
            styled(&[("Hi ".into(), Style::new()), ("Maria Souza".into(), bold), ("!\nBye".into(), Style::new())], 8);
        let said: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["Hi Maria", "Souza!", "Bye"]);
        assert_eq!(lines[1].spans[0].style, bold);
        assert_eq!(lines[1].spans[1].style, Style::new());
    }
}
