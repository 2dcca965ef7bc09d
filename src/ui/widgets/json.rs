//! JSON as coloured lines.

use crate::ui::text;
use crate::ui::theme::Theme;
use ratatui::text::{Line, Span};
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

/// The value as lines, indented by two and broken at `columns`; names in the terminal's own colour, values in theirs.
pub fn lines(value: &Value, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    write(value, theme, 0, Vec::new(), "", &mut out);
    out.into_iter().flat_map(|line| broken(line, columns.max(1))).collect()
}

/// The line in pieces of at most `columns`; those after the first stand further in, where there is room for that.
fn broken(line: Line<'static>, columns: usize) -> Vec<Line<'static>> {
    if line.width() <= columns {
        return vec![line];
    }
    let text = line.to_string();
    let indent = Some(text.len() - text.trim_start().len() + 4).filter(|indent| indent * 2 <= columns).unwrap_or(0);
    let (mut pieces, mut piece, mut used) = (Vec::new(), Line::default(), 0);
    for span in line.spans {
        let mut part = String::new();
        for grapheme in span.content.graphemes(true) {
            let wide = text::width(grapheme);
            if used + wide > columns && used > indent {
                piece.push_span(Span::styled(std::mem::take(&mut part), span.style));
                pieces.push(std::mem::replace(&mut piece, Line::from(" ".repeat(indent))));
                used = indent;
            }
            part.push_str(grapheme);
            used += wide;
        }
        piece.push_span(Span::styled(part, span.style));
    }
    pieces.push(piece);
    pieces
}

fn quoted(string: &str) -> String {
    // JSON's own escapes cover most control characters; what they leave is cleaned.
    text::clean(&Value::from(string).to_string()).into_owned()
}

/// Writes a value whose line begins with `lead` and ends with `tail`.
fn write(
    value: &Value,
    theme: &Theme,
    depth: usize,
    mut lead: Vec<Span<'static>>,
    tail: &'static str,
    out: &mut Vec<Line<'static>>,
) {
    let inner = "  ".repeat(depth + 1);
    let comma = |at: usize, length: usize| if at + 1 < length { "," } else { "" };
    let close = |bracket: &str| Line::from(format!("{}{bracket}{tail}", "  ".repeat(depth)));
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            lead.push(Span::raw("{"));
            out.push(Line::from(lead));
            for (at, (name, field)) in fields.iter().enumerate() {
                let name = vec![Span::raw(inner.clone()), Span::raw(quoted(name)), Span::styled(": ", theme.dim)];
                write(field, theme, depth + 1, name, comma(at, fields.len()), out);
            }
            out.push(close("}"));
        }
        Value::Array(items) if !items.is_empty() => {
            lead.push(Span::raw("["));
            out.push(Line::from(lead));
            for (at, item) in items.iter().enumerate() {
                write(item, theme, depth + 1, vec![Span::raw(inner.clone())], comma(at, items.len()), out);
            }
            out.push(close("]"));
        }
        Value::String(string) => {
            lead.extend([Span::styled(quoted(string), theme.json_string), Span::raw(tail)]);
            out.push(Line::from(lead));
        }
        scalar => {
            lead.extend([Span::styled(scalar.to_string(), theme.json_scalar), Span::raw(tail)]);
            out.push(Line::from(lead));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn text_of(value: &Value) -> String {
        lines(value, &Theme::mono(), usize::MAX).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_lines_are_what_serde_writes() {
        let value = json!({"id": "a\u{1b}[2J", "list": [1, {"deep": null}, []], "empty": {}, "on": true});
        assert_eq!(text_of(&value), serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn what_is_too_long_goes_on_below_and_stands_further_in() {
        let shown = lines(&json!({"id": "0123456789受付"}), &Theme::mono(), 16);
        let shown: Vec<_> = shown.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["{", "  \"id\": \"0123456", "      789受付\"", "}"]);
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn any_value_reads_back(strings in proptest::collection::vec("[a-zé\"\\\\\n]{0,12}", 0..5), number: i64) {
            let value = json!({"strings": strings, "nested": {"number": number}});
            prop_assert_eq!(serde_json::from_str::<Value>(&text_of(&value)).unwrap(), value);
        }
    }
}
