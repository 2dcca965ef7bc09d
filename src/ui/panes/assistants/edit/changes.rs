//! What differs between two versions of an assistant: field by field, and texts word by word.

use super::fields::{FIELDS, Kind, OF_MODE, Spec, Values, same, text, value};
use crate::api::AssistantChange;
use crate::api::rules::{self, Fault};
use crate::ui::prelude::*;
use crate::ui::theme::Theme;
use ratatui::text::Span;
use serde_json::Value as Json;
use similar::{ChangeTag, TextDiff};

/// Characters of a passage without a change that are shown at each of its ends.
const AROUND: usize = 120;

/// The fields that differ.
pub fn changed(old: &Values, new: &Values) -> impl Iterator<Item = &'static Spec> + use<> {
    let differs = |field: &&Spec| !same(value(old, field.name), value(new, field.name));
    FIELDS.iter().filter(differs).collect::<Vec<_>>().into_iter()
}

/// The fields that differ, old and new, those of one line first. Where there is nothing old, what is new stands alone.
pub fn details(details: Details, old: &Values, new: &Values, view: &View<'_>) -> Details {
    let (theme, ellipsis) = (&view.options.theme, view.options.glyphs.ellipsis);
    let (long, short): (Vec<_>, Vec<_>) = changed(old, new)
        .partition(|field| matches!(field.kind, Kind::Text | Kind::Tools | Kind::Variables | Kind::Json));
    let texts = |field: &Spec| [old, new].map(|of| text(field, value(of, field.name), view.data));
    let details = short.into_iter().fold(details, |details, field| {
        let [before, after] = texts(field);
        details.wrapped(field.label, if old.is_empty() { after } else { arrow(&before, &after, view) })
    });
    long.into_iter().fold(details, |details, field| {
        let [before, after] = texts(field);
        let details = details.section(field.label);
        if old.is_empty() { details.text(after) } else { details.spans(words(&before, &after, theme, ellipsis)) }
    })
}

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

/// The body that makes `new` out of `old`: the fields that differ. What cannot be sent comes back as faults.
pub fn body(old: &Values, new: &Values) -> (AssistantChange, Vec<Fault>) {
    let moved = !same(value(old, "mode"), value(new, "mode"));
    // A new mode resets these, so they are sent even where they stay.
    let resent = |name: &str| moved && OF_MODE.contains(&name) && !value(new, name).is_null();
    let (mut good, mut faults) = (Values::new(), Vec::new());
    for field in FIELDS {
        let value = value(new, field.name);
        if same(self::value(old, field.name), value) && !resent(field.name) {
            continue;
        }
        let one = Values::from_iter([(field.name.to_owned(), value.clone())]);
        match serde_json::from_value::<AssistantChange>(Json::Object(one.clone())) {
            Ok(_) => good.extend(one),
            Err(_) => faults.push(rules::must_be(
                field.name,
                if matches!(field.kind, Kind::Number(_)) { "an integer" } else { "valid" },
            )),
        }
    }
    let change: AssistantChange = serde_json::from_value(Json::Object(good)).unwrap_or_default();
    faults.extend(change.faults());
    (change, faults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Assistant, Patch};
    use serde_json::json;

    fn diff(old: &str, new: &str) -> String {
        words(old, new, &Theme::mono(), "…").iter().map(|span| &*span.content).collect()
    }

    fn of(value: &Json) -> Values {
        value.as_object().unwrap().clone()
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

    #[test]
    fn only_changed_fields_are_sent_and_null_clears() {
        let old = of(&json!({"name": "A", "max_duration": 60, "knowledgebase_id": 3, "mode": "pipeline"}));
        let new = of(&json!({"name": "A", "max_duration": "x", "knowledgebase_id": null, "mode": "pipeline"}));
        let (change, faults) = body(&old, &new);
        assert_eq!(change, AssistantChange { knowledgebase_id: Patch::Clear, ..AssistantChange::default() });
        assert_eq!(faults, [rules::must_be("max_duration", "an integer")]);
    }

    #[test]
    fn new_mode_sends_again_what_it_resets() {
        let old = of(&json!({"mode": "pipeline", "synthesizer_provider_id": 2, "llm_model_id": 1}));
        let new = of(&json!({"mode": "dualplex", "synthesizer_provider_id": 2, "multimodal_model_id": 4}));
        let (change, _) = body(&old, &new);
        assert_eq!(change.synthesizer_provider_id, Patch::Set(2));
        assert_eq!((change.multimodal_model_id, change.llm_model_id), (Patch::Set(4), Patch::Clear));
    }

    #[test]
    fn every_field_of_the_form_can_be_sent() {
        let record = json!({
            "name": "A", "type": "inbound", "mode": "pipeline", "language_id": 1, "voice_id": 2, "timezone": "UTC",
            "initial_message": "Hi", "system_prompt": "Be kind.", "llm_model_id": 3, "multimodal_model_id": 4,
            "synthesizer_provider_id": 5, "transcriber_provider_id": 6, "knowledgebase_id": 7,
            "knowledgebase_mode": "prompt", "tool_ids": [8], "variables": {"a": 1}, "max_duration": 60,
            "conversation_inactivity_timeout": 5, "secondary_language_ids": [9], "tools": [{"type": "end", "data": {}}],
            "post_call_schema": [{"name": "n", "type": "t", "description": "d"}],
        });
        let assistant: Assistant = serde_json::from_value(record.clone()).unwrap();
        let values = super::super::fields::values(&assistant);
        let (change, faults) = body(&Values::new(), &values);
        assert_eq!(faults, []);
        let mut sent = record;
        sent["variables"]["a"] = "1".into();
        assert_eq!(serde_json::to_value(change).unwrap(), serde_json::to_value(sent).unwrap());
    }
}
