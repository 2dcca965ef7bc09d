//! The forms that add a recipient to watch, or a sender that the server does not list.

use super::format::country;
use crate::api::messaging::recipient_name;
use crate::api::rules::Fault;
use crate::messaging::Phone;
use crate::ui::prelude::*;

/// The name of the form for a recipient.
pub const RECIPIENT: &str = "recipient";
/// The name of the form for a sender.
pub const SENDER: &str = "sender";

const PHONE: &str = "recipient_phone";
const NAME: &str = "recipient_name";
const ID: &str = "sender_id";

fn line(name: &str, label: &str) -> FormField {
    FormField::line(name, label, "")
}

/// Asks for a recipient of this sender.
pub fn recipient_form(sender: &str) -> FormDialog {
    let fields = vec![
        line(PHONE, "Phone").required().hint("with country code, e.g. +49 30 901820"),
        line(NAME, "Name").hint("optional"),
    ];
    FormDialog::new(format!("Watch a number, from {sender}"), "watch", Form::new(fields))
}

/// Asks for a sender.
pub fn sender_form() -> FormDialog {
    let fields = vec![line(ID, "Sender id").required().hint("the sender_id of the API")];
    FormDialog::new("Add a sender", "add", Form::new(fields))
}

/// Reads the recipient: number in E.164, name. While it cannot be read, or looks odd, the form says so.
pub fn recipient(form: &mut Form, options: &Options) -> Option<(String, Option<String>)> {
    let typed = form.text_of(PHONE).to_owned();
    let name = form.text_of(NAME).trim().to_owned();
    let phone = Phone::read(&typed, options.country.as_deref());
    let wrong = phone.as_ref().err().filter(|_| !typed.trim().is_empty());
    let wrong = wrong.map(|fault| Fault::new(PHONE, fault.to_string()));
    let wrong: Vec<Fault> = wrong.into_iter().chain(recipient_name(&name).err()).collect();
    let (phone, is_right) = (phone.ok(), wrong.is_empty());
    form.set_errors(wrong);
    let hint = phone.as_ref().and_then(Phone::hint).map(|hint| Fault::new(PHONE, hint));
    form.set_warnings(hint.into_iter().collect());
    let read = |phone: &Phone| Value::new(phone.pretty(), phone.pretty()).about(country(phone.e164()));
    form.offer(PHONE, phone.iter().map(read).collect());
    phone.filter(|_| is_right).map(|phone| (phone.e164().to_owned(), Some(name).filter(|name| !name.is_empty())))
}

/// Reads the sender's id. While it cannot be read, the form says so.
pub fn sender(form: &mut Form) -> Option<i64> {
    let typed = form.text_of(ID).trim().to_owned();
    let id = typed.parse().ok().filter(|id| *id > 0);
    let wrong = id.is_none() && !typed.is_empty();
    form.set_errors(wrong.then(|| Fault::new(ID, "A sender id is a whole number from 1.")).into_iter().collect());
    id
}
