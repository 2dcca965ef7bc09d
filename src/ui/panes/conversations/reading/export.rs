//! A transcript as text: to be copied, or written into a file.

use super::cache::Talk;
use super::facts::whole_json;
use crate::api::rules::Fault;
use crate::api::{Conversation, Field, FunctionCall, HistoryMessage, Party, Role};
use crate::ui::prelude::*;
use crate::ui::widgets::json;
use std::path::PathBuf;

/// The name of the form.
pub const FORM: &str = "export";
const FORMAT: &str = "format";
const PATH: &str = "path";

/// How a transcript is written: its word, its name and the ending of its files.
const FORMATS: [(&str, &str, &str); 3] =
    [("text", "text", "txt"), ("markdown", "Markdown", "md"), ("json", "JSON", "json")];

/// The form, with a name for the file in the home folder.
pub fn form(row: &Conversation) -> FormDialog {
    let id: String = row.id.known().map_or("", |id| id).chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    let items = FORMATS.map(|(word, name, _)| Value::new(word, name)).into();
    let form = Form::new(vec![
        FormField::choice(FORMAT, "Format", items, FORMATS[0].0),
        FormField::file(PATH, "File", &format!("~/conversation-{id}.txt"))
            .required()
            .hint("only you can read it; where the name is taken, a numbered one"),
    ]);
    FormDialog::new("Export the conversation", "write", form)
}

/// The format has changed: the file's ending follows, unless a person gave it another.
pub fn follow_format(form: &mut Form) {
    if form.focused() != FORMAT {
        return;
    }
    let path = form.text_of(PATH).to_owned();
    let Some((_, _, ending)) = FORMATS.iter().find(|(word, ..)| *word == form.text_of(FORMAT)) else { return };
    let stem = FORMATS.iter().find_map(|(_, _, known)| path.strip_suffix(&format!(".{known}")));
    if let Some(stem) = stem.filter(|_| !path.ends_with(&format!(".{ending}"))) {
        form.set(PATH, &format!("{stem}.{ending}"));
    }
}

/// The file and its content.
///
/// # Errors
/// What is wrong, by field.
pub fn read(form: &Form, row: &Conversation, talk: &Talk) -> Result<(PathBuf, String), Vec<Fault>> {
    let path = form.text_of(PATH).trim();
    if path.is_empty() {
        return Err(vec![Fault::new(PATH, "Enter the path of a file.")]);
    }
    let text = match form.text_of(FORMAT) {
        "json" => whole_json(row, Some(talk)).map(|text| json::pretty(&text) + "\n"),
        "markdown" => Ok(markdown(row, talk)),
        _ => Ok(format!("{}\n\n{}", head(row).join("\n"), text(talk))),
    };
    let text = text.map_err(|error| vec![Fault::new(FORMAT, format!("Cannot be written as JSON: {error}."))])?;
    Ok((PathBuf::from(path), text))
}

/// Who says a message.
fn speaker(at: usize, message: &HistoryMessage, talk: &Talk) -> String {
    match message.role.known() {
        Some(Role::User) => "Customer".to_owned(),
        Some(Role::Assistant) if talk.by_person.contains(&at) => "A person".to_owned(),
        Some(Role::Assistant) => "Assistant".to_owned(),
        Some(Role::System) => "System".to_owned(),
        Some(other) => clean(other.as_str()).into_owned(),
        None => "Unknown".to_owned(),
    }
}

/// The text with its line breaks, harmless.
fn lines(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}

fn calls(message: &HistoryMessage) -> &[FunctionCall] {
    message.function_calls.known().map_or(&[], Vec::as_slice)
}

/// What a message says; where it only calls tools, their JSON.
pub fn message(message: &HistoryMessage) -> Option<String> {
    let said = message.content.known().filter(|text| !text.is_empty());
    said.cloned().or_else(|| serde_json::to_string_pretty(calls(message)).ok().filter(|_| !calls(message).is_empty()))
}

/// All messages: `Customer: Is Friday free?`
pub fn text(talk: &Talk) -> String {
    let mut out = Vec::new();
    for (at, message) in talk.messages().iter().enumerate() {
        let who = speaker(at, message, talk);
        for call in calls(message) {
            out.push(format!("{who}: [{} {} -> {}]\n", clean(&call.name), call.arguments, call.result));
        }
        match message.content.known() {
            Some(said) if !said.is_empty() => out.push(format!("{who}: {}\n", lines(said))),
            _ if calls(message).is_empty() => out.push(format!("{who}:\n")),
            _ => {}
        }
    }
    out.concat()
}

/// What the conversation is, a line each.
fn head(row: &Conversation) -> Vec<String> {
    let party = |party: &Field<Party>| {
        let Party { name, phone } = party.known()?;
        let known: Vec<_> = [name, phone].into_iter().flatten().map(|text| clean(text).into_owned()).collect();
        (!known.is_empty()).then(|| known.join(" "))
    };
    let fields = [
        ("Conversation", row.id.known().map(|id| clean(id).into_owned())),
        ("Type", row.kind.known().map(|kind| super::super::format::kind_name(kind).into_owned())),
        ("Assistant", row.assistant_name.known().map(|name| clean(name).into_owned())),
        ("Customer", party(&row.customer)),
        ("Sender", party(&row.msgapp_sender)),
        ("Started", row.created_at.known().map(|time| time.0.to_string())),
        ("Updated", row.updated_at.known().map(|time| time.0.to_string())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?))).collect()
}

fn markdown(row: &Conversation, talk: &Talk) -> String {
    let mut head = head(row).into_iter();
    let mut out = vec![format!("# {}\n\n", head.next().unwrap_or_else(|| "Conversation".to_owned()))];
    out.extend(head.map(|line| format!("- {line}\n")));
    for (at, message) in talk.messages().iter().enumerate() {
        out.push(format!("\n**{}**\n", speaker(at, message, talk)));
        for call in calls(message) {
            let [arguments, result] = [&call.arguments, &call.result].map(|value| format!("{value:#}"));
            let name = clean(&call.name);
            out.push(format!("\n`{name}`\n\n```json\n{arguments}\n```\n\n```json\n{result}\n```\n"));
        }
        if let Some(said) = message.content.known().filter(|said| !said.is_empty()) {
            // A line break within a message stays one.
            out.push(format!("\n{}\n", lines(said).replace('\n', "  \n")));
        }
    }
    out.concat()
}
