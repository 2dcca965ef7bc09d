//! The fields of a tool under their names on the wire: the form that holds them, what differs between two versions, and the
//! body that makes one of the other.

use crate::api::rules::{self, Fault};
use crate::api::tool::{ParameterType, TIMEOUT, TIMEOUT_DEFAULT};
use crate::api::{Tool, ToolChange, ToolHeader, ToolMethod, ToolParameter};
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use crate::ui::widgets::diff::{arrow, words};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use similar::{ChangeTag, TextDiff};

/// The values of a tool's fields, by their names on the wire.
pub type Values = Map<String, Json>;

/// All fields that people configure, in the order of the form, with what people call them.
pub const FIELDS: [(&str, &str); 7] = [
    ("name", "Name"),
    ("description", "Description"),
    ("endpoint", "Endpoint"),
    ("method", "Method"),
    ("timeout", "Timeout"),
    ("headers", "Headers"),
    ("schema", "Parameters"),
];

/// The values of a record, without what it does not tell.
pub fn values(tool: &Tool) -> Values {
    let Ok(Json::Object(mut all)) = serde_json::to_value(tool) else { return Values::new() };
    FIELDS.iter().filter_map(|(name, _)| all.remove_entry(*name)).collect()
}

/// What a field holds; `null` where it is missing.
pub fn value<'a>(values: &'a Values, name: &str) -> &'a Json {
    values.get(name).unwrap_or(&Json::Null)
}

/// The headers or the parameters; none where there are none, or they are not in the expected format.
pub fn list<T: DeserializeOwned>(values: &Values, name: &str) -> Vec<T> {
    serde_json::from_value(value(values, name).clone()).unwrap_or_default()
}

/// The names of the fields that differ. No list and an empty one are the same.
pub fn changed(old: &Values, new: &Values) -> Vec<(&'static str, &'static str)> {
    let empty = |value: &Json| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let same = |one: &Json, other: &Json| one == other || (empty(one) && empty(other));
    FIELDS.into_iter().filter(|(name, _)| !same(value(old, name), value(new, name))).collect()
}

// The form.

/// A form that holds these values.
pub fn form(values: &Values) -> Form {
    let text = |name| json_text(value(values, name));
    let choices = |words: Vec<&str>| words.into_iter().map(|word| Value::new(word, word)).collect::<Vec<_>>();
    let method = text("method");
    let known = ToolMethod::KNOWN.iter().map(ToolMethod::as_str);
    let odd = Some(&*method).filter(|method| !method.is_empty() && known.clone().all(|word| word != *method));
    let methods = choices(known.clone().chain(odd).collect());
    let types = choices(ParameterType::KNOWN.iter().map(ParameterType::as_str).collect());
    let header = vec![FormField::line("name", "name", "").required(), FormField::line("value", "value", "").required()];
    let parameter = vec![
        FormField::line("name", "name", "").required().hint("2 to 32 letters and underscores"),
        FormField::choice("type", "type", types, ParameterType::String.as_str()),
        FormField::line("description", "description", "").required().hint("what the AI is to fill in"),
    ];
    let description = FormField::text("description", "Description", &text("description"), 1..=5, Some(rules::TEXT_MAX));
    let timeout = format!("seconds, {} to {}; {TIMEOUT_DEFAULT} where nothing is set", TIMEOUT.start(), TIMEOUT.end());
    let mut form = Form::new(vec![
        FormField::line("name", "Name", &text("name")).required().hint("lowercase letters and underscores").eager(),
        description.required().hint("when and how the AI should use it").eager(),
        FormField::line("endpoint", "Endpoint", &text("endpoint")).required().hint("https://…"),
        FormField::choice("method", "Method", methods, method.clone()).required(),
        FormField::line("timeout", "Timeout", &text("timeout")).hint(timeout).eager(),
        FormField::rows("headers", "Headers", header).hint("none"),
        FormField::rows("schema", "Parameters", parameter).hint("none"),
    ]);
    for name in ["headers", "schema"] {
        put(&mut form, values, name);
    }
    form
}

/// Puts a value into its field; rows in whole.
pub fn put(form: &mut Form, values: &Values, name: &str) {
    let Json::Array(rows) = value(values, name) else { return form.set(name, &json_text(value(values, name))) };
    form.clear_rows(name);
    for (at, row) in rows.iter().enumerate() {
        for cell in ["name", "value", "type", "description"] {
            if let Some(held) = row.get(cell) {
                form.set(&format!("{name}.{at}.{cell}"), &json_text(held));
            }
        }
    }
}

/// What the form holds. What is no number stays a text, to be refused.
pub fn read(form: &Form) -> Values {
    let rows = |name: &str, cells: &[&str]| -> Json {
        let row = |at: usize| {
            let cell = |cell: &&str| ((*cell).to_owned(), form.text_of(&format!("{name}.{at}.{cell}")).into());
            Json::Object(cells.iter().map(cell).collect())
        };
        (0..form.row_count(name)).map(row).collect()
    };
    let one = |(name, _): &(&str, &str)| {
        let text = form.text_of(name);
        let value = match *name {
            "headers" => rows(name, &["name", "value"]),
            "schema" => rows(name, &["name", "type", "description"]),
            "timeout" if text.trim().is_empty() => TIMEOUT_DEFAULT.into(),
            "timeout" => text.trim().parse::<i64>().map_or_else(|_| text.into(), Json::from),
            _ if text.is_empty() => Json::Null,
            _ => text.into(),
        };
        ((*name).to_owned(), value)
    };
    FIELDS.iter().map(one).collect()
}

/// The body that makes `new` out of `old`: the fields that differ, headers and parameters in whole. With it what the
/// rules say against it.
pub fn body(old: &Values, new: &Values) -> (ToolChange, Vec<Fault>) {
    let (mut change, mut faults) = (ToolChange::default(), Vec::new());
    for (name, _) in changed(old, new) {
        let value = value(new, name);
        let text = || Some(json_text(value));
        match name {
            "name" => change.name = text(),
            "description" => change.description = text(),
            "endpoint" => change.endpoint = text(),
            "method" => change.method = text().map(|word| ToolMethod::from(&*word)),
            "timeout" => match value.as_i64() {
                Some(seconds) => change.timeout = Some(seconds),
                None => faults.push(rules::must_be("timeout", "an integer")),
            },
            "headers" => change.headers = Some(list::<ToolHeader>(new, "headers")),
            _ => change.schema = Some(list::<ToolParameter>(new, "schema")),
        }
    }
    faults.extend(change.faults());
    (change, faults)
}

/// What is allowed and yet rarely meant.
pub fn warnings(values: &Values) -> Vec<Fault> {
    let schema: Vec<ToolParameter> = list(values, "schema");
    let twice = |(at, one): (usize, &ToolParameter)| {
        let before = schema[..at].iter().any(|other| other.name == one.name && !one.name.is_empty());
        before.then(|| Fault::new(format!("schema.{at}.name"), "Another parameter has this name."))
    };
    schema.iter().enumerate().filter_map(twice).collect()
}

// What differs.

/// A line for each header or parameter, as it is compared and as it is shown.
fn items(values: &Values, name: &str, shows_secrets: bool) -> Vec<(String, String)> {
    if name == "headers" {
        let line = |one: &ToolHeader| {
            (format!("{}: {}", one.name, one.value), format!("{}: {}", one.name, one.shown(shows_secrets)))
        };
        return list(values, name).iter().map(line).collect();
    }
    let line = |one: &ToolParameter| format!("{} ({}): {}", one.name, one.kind.as_str(), one.description);
    list(values, name).iter().map(line).map(|line| (line.clone(), line)).collect()
}

/// Headers or parameters, old and new in one list: `-` goes, `+` comes.
fn replaced(details: Details, (old, new): (&Values, &Values), name: &str, secrets: bool, view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    let [old, new] = [old, new].map(|of| items(of, name, secrets));
    if old.is_empty() && new.is_empty() {
        return details.text("none").styled(theme.dim);
    }
    let [keys, others] = [&old, &new].map(|of| of.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&keys, &others);
    diff.iter_all_changes().fold(details, |details, change| {
        let shown =
            |of: &[(String, String)], at: Option<usize>| at.and_then(|at| of.get(at)).map(|(_, line)| line.clone());
        let (mark, line, style) = match change.tag() {
            ChangeTag::Delete => ("-", shown(&old, change.old_index()), theme.failed),
            ChangeTag::Insert => ("+", shown(&new, change.new_index()), theme.good),
            ChangeTag::Equal => (" ", shown(&new, change.new_index()), theme.dim),
        };
        details.text(format!("{mark} {}", line.unwrap_or_default())).styled(style)
    })
}

/// A field that differs, old and new; of something new, only that.
pub fn difference(
    details: Details,
    (name, label): (&str, &str),
    (old, new): (&Values, &Values),
    secrets: bool,
    view: &View<'_>,
) -> Details {
    let texts = [old, new].map(|of| json_text(value(of, name)));
    match name {
        "headers" | "schema" => {
            let whole = if old.is_empty() { "" } else { ", replaced in whole" };
            replaced(details.section(format!("{label}{whole}")), (old, new), name, secrets, view)
        }
        _ if old.is_empty() => details.wrapped(label, &texts[1]),
        "description" => {
            let (theme, ellipsis) = (&view.options.theme, view.options.glyphs.ellipsis);
            details.section(label).spans(words(&texts[0], &texts[1], theme, ellipsis))
        }
        _ => details.wrapped(label, arrow(&texts[0], &texts[1], view)),
    }
}

/// All fields that differ, those of one line first.
pub fn differences(details: Details, of: (&Values, &Values), secrets: bool, view: &View<'_>) -> Details {
    let long = |name: &str| matches!(name, "headers" | "schema") || name == "description" && !of.0.is_empty();
    let (long, short): (Vec<_>, Vec<_>) = changed(of.0, of.1).into_iter().partition(|(name, _)| long(name));
    short.into_iter().chain(long).fold(details, |details, field| difference(details, field, of, secrets, view))
}
