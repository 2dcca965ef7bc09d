//! What is said in a conversation: the customer on the left, the assistant further in, each with a glyph and a word.
//! Only messages in view are wrapped, so that a long conversation scrolls like a short one.

use super::{json, put_lines, put_right};
use crate::api::{FunctionCall, HistoryMessage, Role};
use crate::ui::action::Motion;
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::text::{clean, fit, thousands, wrap};
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Bytes of the arguments or the result of a tool call that are looked at for its line.
const CALL_MAX: usize = 512;
/// Bytes of them that are shown where tool calls are unfolded.
const UNFOLDED_MAX: usize = 16 * 1024;

/// A line of the transcript: the message, and which of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    message: usize,
    line: usize,
}

/// Where a transcript is scrolled to. It follows the end while the end is in view.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// The first line in view, and how many messages there were when the end was last in view; `None` at the end.
    away: Option<(At, usize)>,
    /// Tool calls are shown with their arguments and results, not on one line each.
    unfolded: bool,
}

impl Transcript {
    /// Goes to the end and follows it.
    pub fn follow(&mut self) {
        self.away = None;
    }

    /// Unfolds all tool calls, or folds them again. The first message in view stays.
    pub fn toggle_calls(&mut self) {
        self.unfolded = !self.unfolded;
    }

    /// How many messages came since the end was last in view.
    pub fn unseen(&self, messages: &[HistoryMessage]) -> usize {
        self.away.map_or(0, |(_, known)| messages.len().saturating_sub(known))
    }

    /// Scrolls the messages in an area of this size.
    pub fn scroll(&mut self, motion: Motion, messages: &[HistoryMessage], options: &Options, area: Size) {
        let (text, height) = (Layout::new(messages, options, area.width, self.unfolded), usize::from(area.height));
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
        let known = self.away.map_or(messages.len(), |(_, known)| known);
        self.away = (to < last).then_some((to, known));
    }

    /// Draws what is in view; the last row says where more follows.
    pub fn draw(&self, messages: &[HistoryMessage], view: &View<'_>, area: Rect, buffer: &mut Buffer) {
        let (text, height) = (Layout::new(messages, view.options, area.width, self.unfolded), usize::from(area.height));
        let last = text.last_top(height);
        let top = self.away.map_or(last, |(at, _)| text.nearest(at).min(last));
        let mut lines = Vec::new();
        for (message, skip) in (top.message..messages.len()).zip(std::iter::once(top.line).chain(std::iter::repeat(0)))
        {
            if lines.len() >= height {
                break;
            }
            lines.extend(text.lines(message).into_iter().skip(skip));
        }
        put_lines(buffer, area, &lines, 0);
        if top < last && !area.is_empty() {
            let (theme, down) = (&view.options.theme, view.options.glyphs.down);
            let (says, style) = match self.unseen(messages) {
                0 => ("more".to_owned(), theme.dim),
                new => (format!("{} new below", thousands(new as u64)), theme.fresh),
            };
            let row = Rect { y: area.bottom() - 1, height: 1, ..area };
            put_right(buffer, row, &Line::styled(format!(" {says} {down}"), style));
        }
    }
}

/// The messages as lines of this width.
struct Layout<'a> {
    messages: &'a [HistoryMessage],
    options: &'a Options,
    columns: usize,
    unfolded: bool,
}

impl<'a> Layout<'a> {
    fn new(messages: &'a [HistoryMessage], options: &'a Options, columns: u16, unfolded: bool) -> Self {
        Self { messages, options, columns: columns.max(1).into(), unfolded }
    }

    /// Lines of a message, with the blank one above all but the first.
    fn lines(&self, at: usize) -> Vec<Line<'static>> {
        let Some(message) = self.messages.get(at) else { return Vec::new() };
        let (theme, glyphs) = (&self.options.theme, self.options.glyphs);
        // Each side leaves this much to the other.
        let side = (self.columns / 6).min(12);
        let role = message.role.known();
        let (glyph, word, style): (_, Cow<'_, str>, _) = match role {
            Some(Role::User) => (glyphs.hollow, "Customer".into(), theme.strong),
            Some(Role::Assistant) => (glyphs.full, "Assistant".into(), theme.strong),
            Some(Role::System) => (glyphs.dot, "System".into(), theme.dim),
            Some(role) => (glyphs.none, clean(role.as_str()), theme.strong),
            None => (glyphs.none, "Unknown".into(), theme.dim),
        };
        let indent = " ".repeat(if role == Some(&Role::Assistant) { side } else { 0 });
        let room = self.columns.saturating_sub(side + 2).max(1);
        let text_style = if role == Some(&Role::System) { theme.dim } else { Style::new() };
        let below = |text: String, style| Line::from(vec![Span::raw(format!("{indent}  ")), Span::styled(text, style)]);
        let mut lines = Vec::new();
        if at > 0 {
            lines.push(Line::default());
        }
        let word = fit(&word, room, glyphs.ellipsis).into_owned();
        lines.push(Line::from(vec![Span::raw(indent.clone()), Span::styled(format!("{glyph} {word}"), style)]));
        let calls = message.function_calls.known().map_or(&[][..], Vec::as_slice);
        for call in calls {
            let text = if self.unfolded {
                format!("{} {}", glyphs.arrow, clean(&call.name))
            } else {
                call_line(call, glyphs.arrow)
            };
            lines.push(below(fit(&text, room, glyphs.ellipsis).into_owned(), theme.dim));
            let parts = [("arguments", &call.arguments), ("result", &call.result)];
            for (label, value) in parts.into_iter().filter(|(_, value)| self.unfolded && !value.is_null()) {
                lines.push(below(fit(&format!("  {label}"), room, "").into_owned(), theme.dim));
                let start = " ".repeat(4.min(room - 1));
                let json = unfolded(value, theme, room - start.len());
                lines.extend(json.into_iter().map(|line| {
                    let start = Span::raw(format!("{indent}  {start}"));
                    std::iter::once(start).chain(line.spans).collect::<Line<'static>>()
                }));
            }
        }
        match message.content.known().filter(|text| !text.is_empty()) {
            Some(text) => {
                let rows = text.split('\n').map(|line| clean(line.trim_end_matches('\r')).into_owned());
                lines.extend(rows.flat_map(|row| wrap(&row, room)).map(|row| below(row, text_style)));
            }
            None if calls.is_empty() => {
                lines.extend(wrap("(no text)", room).into_iter().map(|row| below(row, theme.dim)));
            }
            None => {}
        }
        lines
    }

    /// A line that exists, where the messages or the width have changed.
    fn nearest(&self, at: At) -> At {
        let message = at.message.min(self.messages.len().saturating_sub(1));
        let last = self.lines(message).len().saturating_sub(1);
        At { message, line: if message < at.message { last } else { at.line.min(last) } }
    }

    /// The first line in view at the end.
    fn last_top(&self, height: usize) -> At {
        let Some(message) = self.messages.len().checked_sub(1) else { return At { message: 0, line: 0 } };
        let line = self.lines(message).len().saturating_sub(1);
        self.up(At { message, line }, height.saturating_sub(1))
    }

    fn up(&self, mut at: At, mut by: usize) -> At {
        while by > at.line && at.message > 0 {
            by -= at.line + 1;
            at.message -= 1;
            at.line = self.lines(at.message).len().saturating_sub(1);
        }
        At { line: at.line.saturating_sub(by), ..at }
    }

    fn down(&self, mut at: At, mut by: usize) -> At {
        loop {
            let left = self.lines(at.message).len().saturating_sub(at.line + 1);
            if by <= left || at.message + 1 >= self.messages.len() {
                return At { line: at.line + by.min(left), ..at };
            }
            by -= left + 1;
            at = At { message: at.message + 1, line: 0 };
        }
    }
}

/// Arguments or a result as coloured JSON. A text that holds JSON, as arguments often come, is shown as that.
fn unfolded(value: &Value, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let held = value.as_str().filter(|text| text.trim_start().starts_with(['{', '[']));
    let is_json = |text: &&str| serde_json::from_str::<&RawValue>(text).is_ok();
    let text = held.filter(is_json).map_or_else(|| value.to_string(), str::to_owned);
    let end = (0..=UNFOLDED_MAX.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let mut lines = json::lines(&text[..end], theme, columns);
    if end < text.len() {
        let more = format!("{} more bytes", thousands((text.len() - end) as u64));
        lines.push(Line::styled(fit(&more, columns, "").into_owned(), theme.dim));
    }
    lines
}

/// A tool call on one line: `→ find_slot {"day": "Friday"} → "10:30"`.
fn call_line(call: &FunctionCall, arrow: &str) -> String {
    let short = |value: &Value| {
        let text = value.to_string();
        let end = (0..=CALL_MAX.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        clean(&text[..end]).into_owned()
    };
    let arguments = match &call.arguments {
        Value::Null => String::new(),
        Value::Object(fields) if fields.is_empty() => String::new(),
        some => format!(" {}", short(some)),
    };
    let result = if call.result.is_null() { String::new() } else { format!(" {arrow} {}", short(&call.result)) };
    format!("{arrow} {}{arguments}{result}", clean(&call.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::Moment;
    use crate::ui::text::width;
    use proptest::prelude::*;
    use serde_json::json;

    fn message(role: &str, content: &str) -> HistoryMessage {
        HistoryMessage::new(role.into(), content.to_owned())
    }

    fn numbered(count: usize) -> Vec<HistoryMessage> {
        (1..=count).map(|n| message(if n % 2 == 1 { "user" } else { "assistant" }, &format!("message {n}"))).collect()
    }

    fn drawn(state: &Transcript, messages: &[HistoryMessage], size: (u16, u16)) -> Vec<String> {
        let (options, zone) = (Options::default(), jiff::tz::TimeZone::UTC);
        let area = Rect::new(0, 0, size.0, size.1);
        let mut buffer = Buffer::empty(area);
        state.draw(messages, &View::plain(&options, Moment::default(), &zone), area, &mut buffer);
        let line = |y| (0..size.0).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..size.1).map(line).collect()
    }

    #[test]
    fn speakers_differ_by_side_glyph_and_word() {
        let mut call = message("assistant", "Friday at 10:30 is free, shall I book it?");
        let function = json!([{"name": "find_slot", "arguments": {"day": "Friday"}, "result": "10:30"}]);
        call.function_calls = serde_json::from_value::<Vec<FunctionCall>>(function).unwrap().into();
        let messages =
            [message("user", "Hi,\r\nis Friday free?"), call, message("system", "ended"), message("pilot", "")];
        assert_eq!(
            drawn(&Transcript::default(), &messages, (36, 15)),
            [
                "○ Customer",
                "  Hi,",
                "  is Friday free?",
                "",
                "      ● Assistant",
                "        → find_slot {\"day\":\"Friday\"…",
                "        Friday at 10:30 is free,",
                "        shall I book it?",
                "",
                "· System",
                "  ended",
                "",
                "– pilot",
                "  (no text)",
                "",
            ]
        );
    }

    #[test]
    fn tool_calls_unfold_to_their_arguments_and_results() {
        let mut call = message("assistant", "Friday is free.");
        let function =
            json!([{"name": "find_slot", "arguments": "{\"day\":\"Friday\"}", "result": ["10:30", "11:00"]}]);
        call.function_calls = serde_json::from_value::<Vec<FunctionCall>>(function).unwrap().into();
        let mut state = Transcript::default();
        state.toggle_calls();
        assert_eq!(
            drawn(&state, &[call.clone()], (36, 12)),
            [
                "      ● Assistant",
                "        → find_slot",
                "          arguments",
                "            {",
                "              \"day\": \"Friday\"",
                "            }",
                "          result",
                "            [",
                "              \"10:30\",",
                "              \"11:00\"",
                "            ]",
                "        Friday is free.",
            ]
        );
        state.toggle_calls();
        assert_eq!(drawn(&state, &[call], (36, 3))[1].trim_start().split(' ').nth(1), Some("find_slot"));
    }

    #[test]
    fn end_is_followed_while_it_is_in_view() {
        let (mut state, options, size) = (Transcript::default(), Options::default(), Size::new(30, 5));
        let end = |state: &Transcript, count| drawn(state, &numbered(count), (30, 5)).pop().unwrap();
        assert_eq!(end(&state, 9).trim(), "message 9");
        assert_eq!(end(&state, 10).trim(), "message 10");
        state.scroll(Motion::Up, &numbered(10), &options, size);
        assert!(end(&state, 10).ends_with(" more ▾"), "{}", end(&state, 10));
        assert!(end(&state, 13).ends_with(" 3 new below ▾"), "{}", end(&state, 13));
        state.scroll(Motion::Down, &numbered(10), &options, size);
        assert_eq!(end(&state, 11).trim(), "message 11");
    }

    #[test]
    fn paging_up_and_down_meets_the_same_lines() {
        let (messages, options, size) = (numbered(40), Options::default(), Size::new(30, 7));
        let mut state = Transcript::default();
        let mut seen = vec![drawn(&state, &messages, (30, 7))];
        for _ in 0..12 {
            state.scroll(Motion::PageUp, &messages, &options, size);
            seen.push(drawn(&state, &messages, (30, 7)));
        }
        while let Some(screen) = seen.pop() {
            assert_eq!(drawn(&state, &messages, (30, 7)), screen);
            state.scroll(Motion::PageDown, &messages, &options, size);
        }
        state.scroll(Motion::Top, &messages, &options, size);
        assert_eq!(drawn(&state, &messages, (30, 7))[..2], ["○ Customer", "  message 1"]);
        state.scroll(Motion::Bottom, &messages, &options, size);
        assert_eq!(state, Transcript::default());
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn every_line_fits_and_harms_nothing(text in "(?s).{0,80}", role in ".{0,9}", columns in 4u16..50, unfolded: bool) {
            let mut hostile = message(&role, &text);
            let call = FunctionCall { name: text.clone(), arguments: json!([text]), result: json!(text) };
            hostile.function_calls = vec![call].into();
            let messages = [hostile.clone(), message("assistant", &text), hostile];
            let options = Options::default();
            let layout = Layout::new(&messages, &options, columns, unfolded);
            for line in (0..messages.len()).flat_map(|at| layout.lines(at)) {
                let line = line.to_string();
                prop_assert!(width(&line) <= usize::from(columns.max(6)), "{line:?}");
                prop_assert!(!line.chars().any(crate::ui::text::is_hostile), "{line:?}");
            }
        }

        #[test]
        fn scrolling_stays_inside(steps in proptest::collection::vec((0usize..6, 0usize..9, 4u16..40, 0u16..9), 1..20)) {
            let motions = [Motion::Down, Motion::Up, Motion::PageDown, Motion::PageUp, Motion::Top, Motion::Bottom];
            let mut state = Transcript::default();
            for (motion, count, columns, height) in steps {
                state.scroll(motions[motion], &numbered(count), &Options::default(), Size::new(columns, height));
                drawn(&state, &numbered(count), (columns, height));
            }
        }
    }
}
