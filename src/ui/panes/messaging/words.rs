//! What the parts of the pane say.

use super::KnownSender;
use crate::api::{Field, Template, TemplateStatus, rules};
use crate::ui::options::Options;
use crate::ui::text::clean;
use std::borrow::Cow;

/// A text of a template, cleaned; empty where the server sent none.
pub fn text(field: &Field<String>) -> Cow<'_, str> {
    field.known().map(|text| clean(text)).unwrap_or_default()
}

/// Why a template cannot be sent; `None` where it can.
pub fn not_sendable(template: &Template) -> Option<Cow<'_, str>> {
    match template.status.known() {
        Some(TemplateStatus::Approved) => None,
        Some(TemplateStatus::Pending) => Some("pending · checked every 4 h".into()),
        Some(other) => Some(clean(other.as_str())),
        None => Some("its status is not known".into()),
    }
}

/// A number as people read it.
pub fn phone(e164: &str) -> String {
    clean(e164).into_owned()
}

/// The number that was typed, in E.164.
///
/// # Errors
/// What is wrong with it, for people.
pub fn read_phone(typed: &str, _options: &Options) -> Result<String, String> {
    rules::e164("phone", typed).map(|()| typed.to_owned()).map_err(|fault| fault.sentence)
}

/// What a number that is being typed is so far; `None` where there is nothing to say.
pub fn typed_phone(_typed: &str, _options: &Options) -> Option<String> {
    None
}

/// A sender as people know it: by its number, else by its number at the service.
pub fn sender(sender: &KnownSender) -> String {
    match &sender.phone {
        Some(number) => phone(number),
        None => format!("sender no. {}", sender.id),
    }
}
