//! Importing a tool from a `curl` command or from JSON, and copying one as either.

use super::edit::{Preset, Values, list, read_json, value, values, write_json};
use super::{Tools, curl};
use crate::api::ToolHeader;
use crate::api::rules::Fault;
use crate::api::tool::{MASK, TIMEOUT_DEFAULT};
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use crate::ui::widgets::confirm::Confirm;

/// The forms and the dialog.
const IMPORT: &str = "import tool";
const EXPORT: &str = "export tool";
const SECRETS: &str = "export secrets";
/// A change that adds more bytes than this at once is a paste.
const PASTED: usize = 8;

/// Reads a text as whichever of the two it is.
fn read(text: &str) -> Result<curl::Import, String> {
    if curl::is_command(text) {
        return curl::read(text);
    }
    if !text.trim_start().starts_with('{') {
        return Err("it is neither a curl command nor a JSON object".to_owned());
    }
    let defaults = [("method".to_owned(), "GET".into()), ("timeout".to_owned(), TIMEOUT_DEFAULT.into())];
    let (values, unknown) = read_json(text, &Values::from_iter(defaults))?;
    let mut notes: Vec<_> = unknown.into_iter().map(|name| format!("Not taken over: {name}.")).collect();
    if text.contains(MASK) {
        notes.push("Values that were masked are empty: type them.".to_owned());
    }
    Ok(curl::Import { values, notes })
}

impl Tools {
    pub(super) fn open_import(&mut self, cx: &mut Context) {
        self.pasted = 0;
        let source = FormField::text("source", "Paste", "", 6..=14, None).required();
        let form = Form::new(vec![source.hint("a curl command, or a tool as JSON")]);
        cx.open(IMPORT, FormDialog::new("Import a tool", "import", form));
    }

    pub(super) fn open_export(&mut self, cx: &mut Context) {
        let Some((name, values)) = self.selected().map(|row| (row.name.clone(), values(&row.tool))) else { return };
        let formats = vec![Value::new("curl", "curl"), Value::new("json", "JSON")];
        let mut fields = vec![FormField::choice("format", "Copy as", formats, "curl")];
        let headers: Vec<ToolHeader> = list(&values, "headers");
        if headers.iter().any(ToolHeader::is_secret) {
            fields.push(FormField::toggle("secrets", "With secrets", false));
        }
        cx.open(EXPORT, FormDialog::new(format!("Export {name}"), "copy", Form::new(fields).quick()));
        self.exported = Some((name, values));
    }

    /// A text that was pasted is read at once: its secrets need not stay on screen.
    fn import_changed(&mut self, cx: &mut Context) {
        let Some(form) = cx.overlays.form(IMPORT) else { return };
        let length = form.text_of("source").len();
        let before = std::mem::replace(&mut self.pasted, length);
        if length > before + PASTED {
            self.submit_import(cx);
        }
    }

    fn submit_import(&mut self, cx: &mut Context) {
        let read = |form: &Form| {
            read(form.text_of("source")).map_err(|why| vec![Fault::new("source", format!("Cannot be read: {why}."))])
        };
        let Some(curl::Import { values: held, notes }) = cx.overlays.submit(IMPORT, read) else { return };
        let draft = format!("imported tool {}", json_text(value(&held, "name")));
        let title = "IMPORT A TOOL".to_owned();
        self.open_editor(Preset { title, draft, held, notes, ..Preset::default() }, cx);
    }

    fn submit_export(&mut self, cx: &mut Context) {
        let Some(form) = cx.overlays.form(EXPORT) else { return };
        let (is_json, secrets) = (form.text_of("format") == "json", form.text_of("secrets") == "true");
        cx.overlays.close(EXPORT);
        let Some((name, values)) = self.exported.take() else { return };
        let text = if is_json { write_json(&values, secrets) } else { curl::write(&values, secrets) };
        if !secrets {
            return cx.copy(if is_json { "JSON" } else { "curl command" }, text);
        }
        let details = Details::new(10)
            .field("Tool", &name)
            .text("")
            .text("The values of its headers go to the clipboard as they are. Other programs can read it.");
        cx.open(SECRETS, Confirm::new("Copy with its secrets?", details, "copy").reads());
        self.copied = Some(text);
    }

    /// A dialog was answered.
    pub(super) fn import_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Changed(IMPORT) => self.import_changed(cx),
            OverlayEvent::Submitted(IMPORT) => self.submit_import(cx),
            OverlayEvent::Submitted(EXPORT) => self.submit_export(cx),
            OverlayEvent::Confirmed(SECRETS) => cx.copy("Tool with its secrets", self.copied.take()),
            OverlayEvent::Cancelled(SECRETS) => self.copied = None,
            _ => {}
        }
    }
}
