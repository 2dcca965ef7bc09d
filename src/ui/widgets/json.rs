//! JSON text as indented and coloured lines.
//!
//! Works on the text and not on a parsed value: a number stays as it was written, fields keep their order.

use crate::ui::text;
use crate::ui::theme::Theme;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

/// What a token of JSON is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A bracket, a comma or the name of a field.
    Plain,
    Colon,
    String,
    Scalar,
}

/// The JSON as lines, indented by two and broken at `columns`; names in the terminal's own colour, values in theirs.
/// Control characters become visible.
pub fn lines(json: &str, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let style = |kind| match kind {
        Kind::Plain => Style::new(),
        Kind::Colon => theme.dim,
        Kind::String => theme.json_string,
        Kind::Scalar => theme.json_scalar,
    };
    let line = |(depth, pieces): (usize, Vec<(Kind, String)>)| {
        let pieces = pieces.into_iter().map(|(kind, text)| Span::styled(text::clean(&text).into_owned(), style(kind)));
        std::iter::once(Span::raw("  ".repeat(depth))).chain(pieces).collect::<Line<'static>>()
    };
    layout(json).into_iter().map(line).flat_map(|line| broken(line, columns.max(1))).collect()
}

/// The JSON indented by two, as text to be copied.
pub fn pretty(json: &str) -> String {
    let line = |(depth, pieces): (usize, Vec<(Kind, String)>)| {
        "  ".repeat(depth) + &pieces.into_iter().map(|(_, text)| text).collect::<String>()
    };
    layout(json).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The tokens of each line with its depth. What is no JSON comes out token by token all the same.
fn layout(json: &str) -> Vec<(usize, Vec<(Kind, String)>)> {
    let (mut lines, mut line, mut depth, mut before) = (Vec::new(), Vec::new(), 0usize, "");
    let (mut begun, mut rest) = (0, tokens(json).peekable());
    while let Some(token) = rest.next() {
        let (opened, closes) = (matches!(before, "{" | "["), matches!(token, "}" | "]"));
        depth = (depth + usize::from(opened)).saturating_sub(closes.into());
        // Brackets with nothing between them stay together.
        if before == "," || opened != closes {
            lines.extend((!line.is_empty()).then(|| (begun, std::mem::take(&mut line))));
            begun = depth;
        }
        line.push(match token {
            "{" | "[" | "}" | "]" | "," => (Kind::Plain, token.to_owned()),
            ":" => (Kind::Colon, ": ".to_owned()),
            name if name.starts_with('"') && rest.peek() == Some(&":") => (Kind::Plain, readable(name)),
            string if string.starts_with('"') => (Kind::String, readable(string)),
            scalar => (Kind::Scalar, scalar.to_owned()),
        });
        before = token;
    }
    lines.extend((!line.is_empty()).then_some((begun, line)));
    lines
}

/// The string with only the escapes that it needs: `"\u00e9"` is hard to read. One that cannot be read stays as it is.
fn readable(string: &str) -> String {
    serde_json::from_str::<String>(string).map_or_else(|_| string.to_owned(), |text| Value::from(text).to_string())
}

/// The tokens of JSON text: brackets, commas, colons, strings with their quotes, and everything else up to the next of
/// those.
fn tokens(json: &str) -> impl Iterator<Item = &str> {
    let mut rest = json;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\n', '\r', '\t']);
        let first = rest.chars().next()?;
        let end = match first {
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            '"' => {
                let mut escaped = false;
                let close = rest.char_indices().skip(1).find(|(_, letter)| {
                    let ends = *letter == '"' && !escaped;
                    escaped = *letter == '\\' && !escaped;
                    ends
                });
                close.map_or(rest.len(), |(at, _)| at + 1)
            }
            _ => rest.find(['{', '}', '[', ']', ',', ':', '"', ' ', '\n', '\r', '\t']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn shown(json: &str) -> String {
        lines(json, &Theme::mono(), usize::MAX).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_lines_are_what_serde_writes() {
        let value = json!({"id": "a\u{1b}[2J", "list": [1, {"deep": null}, []], "empty": {}, "on": true});
        assert_eq!(shown(&value.to_string()), serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(pretty(&value.to_string()), serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn numbers_stay_as_they_were_written() {
        let json = r#"{"a":0,"b":0.0,"c":1e3,"d":1.50,"e":-0,"f":12345678901234567890123}"#;
        let expected = ["{", "  \"a\": 0,", "  \"b\": 0.0,", "  \"c\": 1e3,", "  \"d\": 1.50,", "  \"e\": -0,"];
        let shown: Vec<_> = lines(json, &Theme::mono(), 80).iter().map(ToString::to_string).collect();
        assert_eq!(shown[..6], expected);
        assert_eq!(shown[6..], ["  \"f\": 12345678901234567890123", "}"]);
    }

    #[test]
    fn escapes_become_letters_and_control_characters_stay_harmless() {
        assert_eq!(
            shown(r#"["\u53d7\/", "\u001b", "\u009b", "\ud800"]"#),
            "[\n  \"受/\",\n  \"\\u001b\",\n  \"\u{fffd}\",\n  \"\\ud800\"\n]"
        );
    }

    #[test]
    fn what_is_too_long_goes_on_below_and_stands_further_in() {
        let shown = lines(r#"{"id": "0123456789受付"}"#, &Theme::mono(), 16);
        let shown: Vec<_> = shown.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["{", "  \"id\": \"0123456", "      789受付\"", "}"]);
    }

    fn any_json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,8})?([eE][+-]?[0-9]{1,3})?",
            "[a-zé\"\\\\\n受:,{}]{0,12}".prop_map(|text| Value::from(text).to_string()),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            let name = "[a-z \"]{0,6}".prop_map(|text| Value::from(text).to_string());
            let field = (name, inner.clone()).prop_map(|(name, value)| format!("{name}:{value}"));
            prop_oneof![
                proptest::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
                proptest::collection::vec(field, 0..5).prop_map(|fields| format!("{{{}}}", fields.join(","))),
            ]
        })
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn every_token_is_kept(json in any_json()) {
            let pretty = pretty(&json);
            prop_assert_eq!(tokens(&pretty).collect::<Vec<_>>(), tokens(&json).collect::<Vec<_>>());
        }

        #[test]
        fn what_is_no_json_harms_nothing(text in ".{0,60}") {
            prop_assert_eq!(tokens(&text).collect::<String>().replace([' ', '\n', '\r', '\t'], ""), text.replace([' ', '\n', '\r', '\t'], ""));
            lines(&text, &Theme::mono(), 10);
        }
    }
}
