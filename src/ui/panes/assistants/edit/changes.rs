//! What differs between two versions of an assistant: field by field, and texts word by word.

use super::fields::{FIELDS, Kind, OF_MODE, Spec, Values, same, text, value};
use crate::api::AssistantChange;
use crate::api::rules::{self, Fault};
use crate::ui::prelude::*;
use crate::ui::widgets::diff::{arrow, words};
use serde_json::Value as Json;

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

    fn of(value: &Json) -> Values {
        value.as_object().unwrap().clone()
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
