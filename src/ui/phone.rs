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

/// The national number that is typed as one of the country of the number `from`, to be taken; `None` where it is read
/// without that country, or that country has no such number.
pub fn of_country(from: Option<&str>, typed: &str, options: &Options) -> Option<Item> {
    let typed = typed.trim();
    let is_national = !typed.starts_with('+') && !typed.starts_with("00");
    let looks_right = |phone: &Phone| phone.hint().is_none();
    let read = Phone::read(typed, options.country.as_deref()).ok();
    let country = Phone::read(from.filter(|_| is_national)?, None).ok()?.country_id()?;
    let phone = Phone::read(typed, Some(country)).ok().filter(looks_right)?;
    let is_other = !read.as_ref().is_some_and(looks_right);
    is_other.then(|| item(&phone))
}

fn item(phone: &Phone) -> Item {
    Item::new(phone.pretty(), phone.pretty()).about(country(phone.e164()))
}

/// Reads the number in a field of a form: below the field stand the number as it was read, with its country, and a
/// warning where it looks odd. Returns the number, or what is wrong with it; neither while nothing is typed. A national
/// number is offered as one of the country of the number `from`.
pub fn read(form: &mut Form, path: &str, options: &Options, from: Option<&str>) -> (Option<Phone>, Option<Fault>) {
    let typed = form.text_of(path).to_owned();
    let phone = Phone::read(&typed, options.country.as_deref());
    let wrong = phone.as_ref().err().filter(|_| !typed.trim().is_empty());
    let wrong = wrong.map(|fault| Fault::new(path.to_owned(), fault.to_string()));
    let phone = phone.ok();
    let hint = phone.as_ref().and_then(Phone::hint).map(|hint| Fault::new(path.to_owned(), hint));
    form.set_warnings(hint.into_iter().collect());
    form.offer(path, phone.iter().map(item).chain(of_country(from, &typed, options)).collect());
    (phone, wrong)
}
