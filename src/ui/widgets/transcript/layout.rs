//! Messages as lines of a width.

use super::{Folds, Marks, has_calls};
use crate::api::{FunctionCall, HistoryMessage, Role};
use crate::ui::options::Options;
use crate::ui::text::{clean, fit, thousands, width, wrap};
use crate::ui::theme::Theme;
use crate::ui::widgets::json;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;

/// Bytes of the arguments or the result of a tool call that are looked at for its line.
const CALL_MAX: usize = 512;
/// Bytes of them that are shown where tool calls are unfolded.
const UNFOLDED_MAX: usize = 16 * 1024;

/// A line of the transcript: the message, and which of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub message: usize,
    pub line: usize,
}

impl At {
    /// The first line of a message that is not blank.
    pub fn start_of(message: usize) -> Self {
        Self { message, line: usize::from(message > 0) }
    }
}

/// The messages as lines of this width.
pub(super) struct Layout<'a> {
    pub messages: &'a [HistoryMessage],
    pub options: &'a Options,
    pub columns: usize,
    pub folds: &'a Folds,
    pub marks: &'a Marks,
}

impl Layout<'_> {
    /// Lines of a message, with the blank one above all but the first.
    pub fn lines(&self, at: usize) -> Vec<Line<'static>> {
        let Some(message) = self.messages.get(at) else { return Vec::new() };
        let (theme, glyphs) = (&self.options.theme, self.options.glyphs);
        // Each side leaves this much to the other.
        let side = (self.columns / 6).min(12);
        let role = message.role.known();
        let (glyph, word, style): (_, Cow<'_, str>, _) = match role {
            Some(Role::User) => (glyphs.hollow, "Customer".into(), theme.strong),
            Some(Role::Assistant) if self.marks.by_person.contains(&at) => {
                (glyphs.half, "A person".into(), theme.warning)
            }
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
        let is_new = self.marks.new_from.is_some_and(|from| at >= from) && room > 16;
        let word = fit(&word, if is_new { room - 6 } else { room }, glyphs.ellipsis).into_owned();
        let mut head = vec![Span::raw(indent.clone()), Span::styled(format!("{glyph} {word}"), style)];
        let time = self.marks.times.get(at).filter(|_| room > 24);
        head.extend(time.map(|time| Span::styled(format!("  {time}"), theme.dim)));
        head.extend(is_new.then(|| Span::styled("  new", theme.fresh)));
        lines.push(Line::from(head));
        let calls = message.function_calls.known().map_or(&[][..], Vec::as_slice);
        let unfolded = self.folds.is_unfolded(at);
        for call in calls {
            let text = if unfolded {
                format!("{} {}", glyphs.arrow, clean(&call.name))
            } else {
                call_line(call, glyphs.arrow, room)
            };
            lines.push(below(fit(&text, room, glyphs.ellipsis).into_owned(), theme.dim));
            let parts = [("arguments", &call.arguments), ("result", &call.result)];
            for (label, value) in parts.into_iter().filter(|(_, value)| unfolded && !value.is_null()) {
                lines.push(below(fit(&format!("  {label}"), room, "").into_owned(), theme.dim));
                let start = " ".repeat(4.min(room - 1));
                let json = json_lines(value, theme, room - start.len());
                lines.extend(json.into_iter().map(|line| {
                    let start = Span::raw(format!("{indent}  {start}"));
                    std::iter::once(start).chain(line.spans).collect::<Line<'static>>()
                }));
            }
        }
        match message.content.known().filter(|text| !text.is_empty()) {
            Some(text) => {
                let rows = text.split('\n').map(|line| readable(line.trim_end_matches('\r')));
                lines.extend(rows.flat_map(|row| wrapped(&row, room)).map(|row| below(row, text_style)));
            }
            None if calls.is_empty() => {
                lines.extend(wrap("(no text)", room).into_iter().map(|row| below(row, theme.dim)));
            }
            None => {}
        }
        lines
    }

    /// The last line of a message.
    pub fn end_of(&self, message: usize) -> At {
        At { message, line: self.lines(message).len().saturating_sub(1) }
    }

    /// A line that exists, where the messages or the width have changed.
    pub fn nearest(&self, at: At) -> At {
        let last = self.end_of(at.message.min(self.messages.len().saturating_sub(1)));
        At { line: if last.message < at.message { last.line } else { at.line.min(last.line) }, ..last }
    }

    /// The first line in view at the end.
    pub fn last_top(&self, height: usize) -> At {
        let Some(message) = self.messages.len().checked_sub(1) else { return At { message: 0, line: 0 } };
        self.up(self.end_of(message), height.saturating_sub(1))
    }

    /// So many lines further up.
    pub fn up(&self, mut at: At, mut by: usize) -> At {
        while by > at.line && at.message > 0 {
            by -= at.line + 1;
            at = self.end_of(at.message - 1);
        }
        At { line: at.line.saturating_sub(by), ..at }
    }

    /// So many lines further down.
    pub fn down(&self, mut at: At, mut by: usize) -> At {
        loop {
            let left = self.end_of(at.message).line.saturating_sub(at.line);
            if by <= left || at.message + 1 >= self.messages.len() {
                return At { line: at.line + by.min(left), ..at };
            }
            by -= left + 1;
            at = At { message: at.message + 1, line: 0 };
        }
    }
}

/// The messages in whose text, or in whose tool calls as far as they are shown, these words stand, whatever their case.
pub(super) fn search(messages: &[HistoryMessage], words: &str, folds: &Folds) -> Vec<usize> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if words.is_empty() {
        return Vec::new();
    }
    let holds = |text: &str| text.replace(['\n', '\r', '\t'], " ").to_lowercase().contains(&words);
    let in_call = |call: &FunctionCall, unfolded: bool| {
        holds(&call.name)
            || unfolded && [&call.arguments, &call.result].into_iter().any(|value| holds(&value.to_string()))
    };
    let found = messages.iter().enumerate().filter(|(at, message)| {
        message.content.known().is_some_and(|text| holds(text))
            || has_calls(message)
                && message
                    .function_calls
                    .known()
                    .into_iter()
                    .flatten()
                    .any(|call| in_call(call, folds.is_unfolded(*at)))
    });
    found.map(|(at, _)| at).collect()
}

/// The text in lines, none of which begins with a mark that ends a sentence in Chinese or Japanese: those have no spaces.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = wrap(text, columns);
    for at in 1..lines.len() {
        let ends = lines[at].starts_with(['。', '、', '！', '？', '，', '）', '」', '』', '…', 'ー']);
        let last = lines[at - 1].graphemes(true).next_back().map(str::to_owned).filter(|_| ends);
        if let Some(last) = last.filter(|last| last.len() < lines[at - 1].len())
            && width(&last) + width(&lines[at]) <= columns
        {
            let kept = lines[at - 1].len() - last.len();
            lines[at - 1].truncate(kept);
            lines[at].insert_str(0, &last);
        }
    }
    lines
}

/// A line of a message, harmless. Marks of direction are common in Arabic and Hebrew and are left out: the terminal orders
/// the letters by itself.
fn readable(line: &str) -> String {
    let is_mark =
        |char| matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}');
    if line.is_ascii() || !line.contains(is_mark) {
        return clean(line).into_owned();
    }
    clean(&line.replace(is_mark, "")).into_owned()
}

/// Arguments or a result as coloured JSON. A text that holds JSON, as arguments often come, is shown as that.
fn json_lines(value: &Value, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let held = value.as_str().filter(|text| text.trim_start().starts_with(['{', '[']));
    let is_json = |text: &&str| serde_json::from_str::<&RawValue>(text).is_ok();
    let text = held.filter(is_json).map_or_else(|| value.to_string(), str::to_owned);
    let shown = cut(&text, UNFOLDED_MAX);
    let mut lines = json::lines(shown, theme, columns);
    if shown.len() < text.len() {
        let more = format!("{} more bytes", thousands((text.len() - shown.len()) as u64));
        lines.push(Line::styled(fit(&more, columns, "").into_owned(), theme.dim));
    }
    lines
}

/// The text up to so many bytes.
fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// A tool call on one line: `→ find_slot → "10:30"`, with its arguments where there is room for all.
fn call_line(call: &FunctionCall, arrow: &str, room: usize) -> String {
    let short = |value: &Value| clean(cut(&value.to_string(), CALL_MAX)).into_owned();
    let result = match &call.result {
        Value::Null => String::new(),
        Value::Array(items) if items.len() > 1 => format!(" {arrow} {} results", thousands(items.len() as u64)),
        value => format!(" {arrow} {}", short(value)),
    };
    let arguments = match &call.arguments {
        Value::Null => String::new(),
        Value::Object(fields) if fields.is_empty() => String::new(),
        some => format!(" {}", short(some)),
    };
    let name = format!("{arrow} {}", clean(&call.name));
    let whole = format!("{name}{arguments}{result}");
    if result.is_empty() || width(&whole) <= room { whole } else { format!("{name}{result}") }
}
