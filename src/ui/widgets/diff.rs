//! An old value beside its new one: short ones with an arrow, texts word by word.

use crate::ui::pane::View;
use crate::ui::theme::Theme;
use ratatui::text::Span;
use similar::{ChangeTag, TextDiff};

/// Characters of a passage without a change that are shown at each of its ends.
const AROUND: usize = 120;
/// What every dialog before an update says.
pub const UNCONDITIONAL: &str = "The API has no conditional update: what somebody saves from now on is not noticed.";

/// A short value, old and new.
pub fn arrow(old: &str, new: &str, view: &View<'_>) -> String {
    let [old, new] = [old, new].map(|text| if text.is_empty() { "none" } else { text });
    format!("{old} {} {new}", view.options.glyphs.arrow)
}

/// A text with what was removed as `[-so-]` and what was added as `{+so+}`, as `git diff --word-diff` writes it.
pub fn words(old: &str, new: &str, theme: &Theme, ellipsis: &str) -> Vec<Span<'static>> {
    let (mut spans, mut removed, mut added, mut kept) = (Vec::new(), String::new(), String::new(), String::new());
    let mut flush = |removed: &mut String, added: &mut String, kept: &mut String| {
        for (text, marks, style) in [(removed, ["[-", "-]"], theme.failed), (added, ["{+", "+}"], theme.good)] {
            if !text.is_empty() {
                spans.push(Span::styled(format!("{}{}{}", marks[0], std::mem::take(text), marks[1]), style));
            }
        }
        if !kept.is_empty() {
            spans.push(Span::raw(shortened(&std::mem::take(kept), ellipsis)));
        }
    };
    let diff = TextDiff::from_unicode_words(old, new);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => kept.push_str(change.value()),
            tag => {
                // A blank between two changes is part of both: two words that became two others read as one change.
                let joins = kept == " " && !removed.is_empty() && !added.is_empty();
                if joins {
                    removed.push(' ');
                    added.push(' ');
                    kept.clear();
                } else if !kept.is_empty() {
                    flush(&mut removed, &mut added, &mut kept);
                }
                let into = if tag == ChangeTag::Delete { &mut removed } else { &mut added };
                into.push_str(change.value());
            }
        }
    }
    flush(&mut removed, &mut added, &mut kept);
    spans
}

/// The ends of a long passage.
fn shortened(text: &str, ellipsis: &str) -> String {
    let count = text.chars().count();
    if count <= 3 * AROUND {
        return text.to_owned();
    }
    let (start, end): (String, String) =
        (text.chars().take(AROUND).collect(), text.chars().skip(count - AROUND).collect());
    format!("{start}{ellipsis}\n{ellipsis}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: &str, new: &str) -> String {
        words(old, new, &Theme::mono(), "…").iter().map(|span| &*span.content).collect()
    }

    #[test]
    fn words_that_changed_are_marked_without_colour() {
        assert_eq!(diff("Be kind. Answer.", "Be brief. Answer."), "Be [-kind-]{+brief+}. Answer.");
        assert_eq!(diff("one two three", "one 2 3"), "one [-two three-]{+2 3+}");
        assert_eq!(diff("", "new"), "{+new+}");
        assert_eq!(diff("丁寧な敬語で", "丁寧な言葉で"), "丁寧な[-敬語-]{+言葉+}で");
    }

    #[test]
    fn long_passages_without_a_change_are_shortened() {
        let same = "word ".repeat(200);
        let shown = diff(&format!("{same}old"), &format!("{same}new"));
        assert!(shown.len() < 300 && shown.ends_with("word [-old-]{+new+}"), "{shown}");
    }
}
