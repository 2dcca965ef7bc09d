//! Phone numbers on screen, and the field of a form that takes one.

use super::options::Options;
use super::text::clean;
use super::widgets::form::{Form, Item};
use crate::api::rules::Fault;
use crate::messaging::Phone;

/// A number in groups: `+55 11 91234-5678`.
pub fn phone(e164: &str) -> String {
    match Phone::read(e164, None) {
        Ok(phone) => phone.pretty(),
        Err(_) => clean(e164).into_owned(),
    }
}

/// The country of a number, in brackets; empty where it is not known.
pub fn country(phone: &str) -> String {
    let phone = Phone::read(phone, None).ok();
    phone.as_ref().and_then(Phone::country).map(|country| format!("({country})")).unwrap_or_default()
}

/// A recipient's name and number, with the country.
pub fn recipient(name: Option<&str>, number: &str) -> String {
    let name = name.map(|name| format!("{name}  ")).unwrap_or_default();
    format!("{name}{} {}", phone(number), country(number)).trim_end().to_owned()
}

/// Reads the number in a field of a form: below the field stand the number as it was read, with its country, and a
/// warning where it looks odd. Returns the number, or what is wrong with it; neither while nothing is typed.
pub fn read(form: &mut Form, path: &str, options: &Options) -> (Option<Phone>, Option<Fault>) {
    let typed = form.text_of(path).to_owned();
    let phone = Phone::read(&typed, options.country.as_deref());
    let wrong = phone.as_ref().err().filter(|_| !typed.trim().is_empty());
    let wrong = wrong.map(|fault| Fault::new(path.to_owned(), fault.to_string()));
    let phone = phone.ok();
    let hint = phone.as_ref().and_then(Phone::hint).map(|hint| Fault::new(path.to_owned(), hint));
    form.set_warnings(hint.into_iter().collect());
    let item = |phone: &Phone| Item::new(phone.pretty(), phone.pretty()).about(country(phone.e164()));
    form.offer(path, phone.iter().map(item).collect());
    (phone, wrong)
}
