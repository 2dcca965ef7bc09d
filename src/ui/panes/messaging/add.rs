//! The forms that add a recipient to watch, or a sender that the server does not list.

use crate::api::messaging::recipient_name;
use crate::api::rules::Fault;
use crate::ui::phone;
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

/// Reads the recipient: number in E.164, name. While it cannot be read, or looks odd, the form says so. `from` is the
/// sender's number.
pub fn recipient(form: &mut Form, options: &Options, from: Option<&str>) -> Option<(String, Option<String>)> {
    let name = form.text_of(NAME).trim().to_owned();
    let (phone, wrong) = phone::read(form, PHONE, options, from);
    let wrong: Vec<Fault> = wrong.into_iter().chain(recipient_name(&name).err()).collect();
    let is_right = wrong.is_empty();
    form.set_errors(wrong);
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
