//! What the parts of the pane say.

use super::KnownSender;
use crate::api::{Field, Template, TemplateCategory, TemplateStatus};
use crate::messaging::Phone;
use crate::ui::options::Options;
use crate::ui::text::clean;
use std::borrow::Cow;
use std::time::Duration;

/// Whole seconds, those begun included.
pub fn seconds(span: Duration) -> u64 {
    span.as_secs() + u64::from(span.subsec_nanos() > 0)
}

/// A text of a template, cleaned; empty where the server sent none.
pub fn text(field: &Field<String>) -> Cow<'_, str> {
    field.known().map(|text| clean(text)).unwrap_or_default()
}

/// Why a template cannot be sent, in a word; `None` where it can.
pub fn not_sendable(template: &Template) -> Option<Cow<'_, str>> {
    match template.status.known() {
        Some(TemplateStatus::Approved) => None,
        Some(other) => Some(clean(other.as_str())),
        None => Some("status?".into()),
    }
}

/// Why a template cannot be sent, and what becomes of it.
pub fn why_not_sendable(template: &Template) -> Option<String> {
    Some(match template.status.known() {
        Some(TemplateStatus::Approved) => return None,
        Some(TemplateStatus::Pending) => "pending: the platform is asked again every 4 hours".to_owned(),
        Some(other) => format!("{}: it cannot be sent", clean(other.as_str())),
        None => "the server does not tell its status".to_owned(),
    })
}

/// What a template is for, in a short word.
pub fn category(template: &Template) -> Cow<'_, str> {
    match template.category.known() {
        Some(TemplateCategory::Authentication) => "auth".into(),
        Some(other) => clean(other.as_str()),
        None => "".into(),
    }
}

/// A number as people read it.
pub fn phone(e164: &str) -> String {
    match Phone::read(e164, None) {
        Ok(phone) => phone.pretty(),
        Err(_) => clean(e164).into_owned(),
    }
}

/// The number that was typed, in E.164.
///
/// # Errors
/// What is wrong with it, for people.
pub fn read_phone(typed: &str, options: &Options) -> Result<String, String> {
    let country = options.country.as_deref();
    Phone::read(typed, country).map(|phone| phone.e164().to_owned()).map_err(|fault| fault.to_string())
}

/// What a number that is being typed is so far; `None` where there is nothing to say.
pub fn typed_phone(typed: &str, options: &Options) -> Option<String> {
    let phone = Phone::format_typed(typed, options.country.as_deref()).phone?;
    let hint = phone.hint().map(|hint| format!(", {hint}")).unwrap_or_default();
    let country = phone.country().map(|country| format!("  ({country}{hint})"));
    Some(format!("{}{}", phone.pretty(), country.unwrap_or_default()))
}

/// A sender as people know it: by its number, else by its number at the service.
pub fn sender(sender: &KnownSender) -> String {
    match &sender.phone {
        Some(number) => phone(number),
        None => format!("sender no. {}", sender.id),
    }
}
