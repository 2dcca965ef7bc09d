//! Prepares text for the screen: removes what a terminal would obey, measures and cuts in grapheme clusters.

use serde_json::Value;
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// True for characters that a terminal obeys instead of showing, or that reorder their neighbours.
pub fn is_hostile(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        || matches!(char, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Characters shown of one grapheme cluster: a family with skin tones has 11, a letter may carry any number of accents.
const LONGEST_CLUSTER: usize = 16;

/// Replaces what a terminal would obey: line breaks and tabs become spaces, the rest `\u{fffd}`. Cuts a grapheme cluster
/// after 16 characters.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let is_heap = |grapheme: &str| grapheme.len() > LONGEST_CLUSTER && grapheme.chars().count() > LONGEST_CLUSTER;
    // Clusters need looking at only where there is room for such a heap.
    let heaps = text.len() > 2 * LONGEST_CLUSTER && !text.is_ascii() && text.graphemes(true).any(is_heap);
    if !heaps && !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let shown = |char| match char {
        '\n' | '\t' => ' ',
        hostile if is_hostile(hostile) => '\u{fffd}',
        char => char,
    };
    // "\r\n" is one line break and shows as one space.
    let harmless: String = text.replace("\r\n", "\n").chars().map(shown).collect();
    if !heaps {
        return Cow::Owned(harmless);
    }
    let kept = harmless.graphemes(true).flat_map(|grapheme| grapheme.chars().take(LONGEST_CLUSTER));
    Cow::Owned(kept.collect())
}

/// A JSON value as people write it: a string without its quotes, anything else as JSON, nothing for `null`.
pub fn json_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Columns that the text takes in a buffer of cells.
///
/// A cell holds a grapheme, so ligatures across graphemes, which [`UnicodeWidthStr`] counts once, do not save a column.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
}

/// Cuts the text to at most `columns`; what was cut ends in `ellipsis`, where that fits.
pub fn fit<'a>(text: &'a str, columns: usize, ellipsis: &str) -> Cow<'a, str> {
    if text.len() <= columns || width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let room = columns.saturating_sub(width(ellipsis));
    let mut used = 0;
    let mut cut = String::with_capacity(columns);
    for grapheme in text.graphemes(true) {
        used += width(grapheme);
        if used > room {
            break;
        }
        cut.push_str(grapheme);
    }
    if columns >= width(ellipsis) {
        cut.push_str(ellipsis);
    }
    Cow::Owned(cut)
}

/// Breaks the text into lines of at most `columns`: at spaces, and within a word only where it is longer than a line.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let lines = wrap_ranges(text, columns.max(1), width);
    lines.into_iter().map(|line| text[line].trim_end_matches(' ').to_owned()).collect()
}

/// The bytes of each line that [`wrap`] makes, with the spaces at its end; `width` measures words and graphemes.
pub fn wrap_ranges(text: &str, columns: usize, width: impl Fn(&str) -> usize) -> Vec<Range<usize>> {
    let (mut lines, mut start, mut used, mut at) = (Vec::new(), 0, 0, 0);
    for word in text.split_inclusive(' ') {
        let needed = width(word.trim_end_matches(' '));
        if used + needed > columns && (1..=columns).contains(&needed) {
            lines.push(start..at);
            (start, used) = (at, 0);
        }
        for grapheme in word.graphemes(true) {
            let wide = width(grapheme);
            if used + wide > columns && at > start && grapheme != " " {
                lines.push(start..at);
                (start, used) = (at, 0);
            }
            used += wide;
            at += grapheme.len();
        }
    }
    lines.push(start..text.len());
    lines
}

/// A number with a comma between its thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

/// `"1 row"`, `"2,000 rows"`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_become_visible_and_harmless() {
        assert_eq!(clean("\u{1b}[2Jboo\u{9b}31m"), "\u{fffd}[2Jboo\u{fffd}31m");
        assert_eq!(clean("two\r\nlines"), "two lines");
        assert_eq!(clean("évil \u{202e}txt.exe"), "évil \u{fffd}txt.exe");
        assert!(matches!(clean("受付 👩‍👩‍👧"), Cow::Borrowed(_)), "honest text is not touched");
    }

    #[test]
    fn what_is_piled_into_one_cell_is_cut_and_families_stay_whole() {
        let heap = format!("a{} b", "\u{301}".repeat(5_000));
        assert_eq!(clean(&heap), format!("a{} b", "\u{301}".repeat(LONGEST_CLUSTER - 1)));
        let family = "👩🏽‍👩🏿‍👧🏻‍👦🏼 👩🏽‍👩🏿‍👧🏻‍👦🏼";
        assert!(matches!(clean(family), Cow::Borrowed(_)));
    }

    #[test]
    fn lines_break_at_spaces_and_never_before_a_comma() {
        assert_eq!(wrap("Say yes, please.", 7), ["Say", "yes,", "please."]);
        assert_eq!(wrap("It failed (timed out).", 9), ["It failed", "(timed", "out)."]);
        assert_eq!(wrap("at 127.0.0.1:8787 now", 7), ["at 127.", "0.0.1:8", "787 now"]);
        assert_eq!(wrap("受付センター", 5), ["受付", "セン", "ター"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn cutting_respects_wide_characters() {
        assert_eq!(fit("受付センター", 5, "…"), "受付…");
        assert_eq!(fit("Reception", 9, "…"), "Reception");
        assert_eq!(fit("Reception", 4, "…"), "Rec…");
        assert_eq!(fit("Reception", 0, "…"), "");
    }

    #[test]
    fn a_ligature_takes_the_cells_of_its_letters() {
        assert_eq!((width("لا"), width("受付"), width("🇧🇷"), width("abc")), (2, 4, 2, 3));
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn cleaned_text_has_no_control_characters(text in ".*") {
            prop_assert!(!clean(&text).chars().any(is_hostile));
        }

        #[test]
        fn what_is_cut_fits(text in ".*", columns in 0usize..40) {
            let text = clean(&text).into_owned();
            prop_assert!(width(&fit(&text, columns, "…")) <= columns);
            for line in wrap(&text, columns) {
                prop_assert!(width(&line) <= columns.max(2), "{line:?}");
            }
        }
    }
}
