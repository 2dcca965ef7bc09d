//! The form of a message, from a template or freeform: what it opens with, and what it holds as a message and as a draft.

use super::{Preset, Snapshot, format, suggestions};
use crate::api::messaging::FREEFORM_MAX;
use crate::api::rules::Fault;
use crate::api::{SendFreeform, SendTemplate, Template};
use crate::messaging::{Outgoing, Phone, Window};
use crate::records::{Draft, DraftKey};
use crate::ui::compose::drafts::DraftState;
use crate::ui::compose::{Known, message};
use crate::ui::phone::of_country;
use crate::ui::widgets::form::{Field, Form, Item};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const SENDER: &str = "sender_id";
pub(super) const TEMPLATE: &str = "template_id";
pub(super) const PHONE: &str = "recipient_phone";
pub(super) const NAME: &str = "recipient_name";
pub(super) const MESSAGE: &str = "message";
/// What submitting a freeform message does: send it, or turn to a template.
pub(super) const THEN: &str = "then";

/// Rows of the text of a freeform message, until it is known how many there is room for.
const ROWS: std::ops::RangeInclusive<usize> = 3..=3;

/// The path of a variable's field.
pub(super) fn path(variable: &str) -> String {
    format!("variables.{variable}")
}

/// The value of a picker of ids.
pub(super) fn key(id: Option<i64>) -> String {
    id.map(|id| id.to_string()).unwrap_or_default()
}

pub(super) fn name_field() -> Field {
    Field::line(NAME, "Name", "").hint("optional")
}

/// The form of a message. All but the first three and `loaded` is for templates only.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MessageForm {
    /// The fields.
    pub form: Form,
    pub(super) preset: Preset,
    pub(super) freeform: bool,
    /// The draft that was filled in, and when it was saved; no time where there was none.
    pub(super) loaded: Option<(DraftKey, Option<Timestamp>)>,
    /// The template that was chosen automatically; any other was chosen by the user.
    pub(super) auto_template: Option<i64>,
    /// The sender that the template belongs to.
    pub(super) sender: Option<i64>,
    /// The template whose variables have fields.
    pub(super) shown_template: Option<i64>,
    /// Its variables.
    pub(super) variables: Vec<String>,
    /// By template and variable, the values typed for templates that were chosen before.
    pub(super) other_values: BTreeMap<(i64, String), String>,
    /// The recipient that name and values belong to, in E.164: the last whole number when its field was left.
    pub(super) recipient: Option<String>,
    /// The recipient whose name and values left the form when the number changed, in E.164 and for people; until the
    /// number is whole again.
    pub(super) previous: Option<(String, String)>,
    /// Fields that had the focus.
    pub(super) visited: BTreeSet<String>,
    /// True where the variables are those of a template that may carry a code.
    pub(super) has_secrets: bool,
    /// The draft that this form has saved: it is not offered back to it.
    pub(super) own_draft: Option<DraftKey>,
}

impl MessageForm {
    /// The form of a template message, with the focus on the first field that needs something.
    pub(super) fn template(preset: Preset, context: &Snapshot<'_>) -> Self {
        let phone = preset.phone.as_deref().map(format::phone).unwrap_or_default();
        let fields = vec![
            Field::picker(SENDER, "From", Vec::new(), key(preset.sender_id)).required().eager(),
            Field::picker(TEMPLATE, "Template", Vec::new(), key(preset.template_id)).required().eager(),
            Field::line(PHONE, "To (phone)", &phone).required().hint("+49 30 901820, or a name to search for"),
            name_field(),
        ];
        let mut form = Self { form: Form::new(fields), sender: preset.sender_id, preset, ..Self::default() };
        form.form.focus(TEMPLATE);
        form.refresh(context);
        match (form.sender_id(), &form.preset) {
            (None, _) => form.form.focus(SENDER),
            (_, Preset { template_id: None, .. }) => false,
            (_, Preset { phone: None, .. }) => form.form.focus(PHONE),
            _ => form.focus_next_needed(context),
        };
        form.refresh(context);
        form
    }

    /// The form of a freeform message, with the draft for this sender and recipient.
    pub(super) fn freeform(preset: Preset, context: &Snapshot<'_>) -> Self {
        let draft = freeform_draft(&preset, context);
        let text = draft.and_then(|draft| draft.message.as_deref()).unwrap_or_default();
        let actions = vec![Item::new("send", "Send"), Item::new("template", "Template instead")];
        let fields = vec![
            Field::text(MESSAGE, "Message", text, ROWS, Some(FREEFORM_MAX)).required(),
            Field::choice(THEN, "Then", actions, "send"),
        ];
        let mut form = Self { form: Form::new(fields), preset, freeform: true, ..Self::default() };
        form.loaded = Some((form.draft_state(context).key, draft.map(|draft| draft.saved)));
        form
    }

    // What it holds.

    pub(super) fn sender_id(&self) -> Option<i64> {
        self.form.text_of(SENDER).parse().ok().or(self.preset.sender_id)
    }

    pub(super) fn template_id(&self) -> Option<i64> {
        self.form.text_of(TEMPLATE).parse().ok()
    }

    /// True while the recipient's number is being typed.
    pub(super) fn is_at_phone(&self) -> bool {
        self.form.focused() == PHONE
    }

    /// The template, where it is one of the sender's.
    pub(super) fn chosen_template<'a>(&self, context: &Snapshot<'a>) -> Option<&'a Template> {
        context.known.template(self.sender_id()?, self.template_id()?)
    }

    /// The recipient's number, where what is typed is one.
    pub(super) fn phone(&self, context: &Snapshot<'_>) -> Option<Phone> {
        Phone::read(self.form.text_of(PHONE), context.view.options.country.as_deref()).ok()
    }

    /// The national number that is typed, as one of the sender's country.
    pub(super) fn national(&self, context: &Snapshot<'_>) -> Option<Item> {
        let from = context.known.sender(self.sender_id()?)?.phone.as_deref();
        of_country(from, self.form.text_of(PHONE), context.view.options)
    }

    /// The recipient as drafts name it: in E.164, or the part of it that is typed.
    pub(super) fn phone_key(&self, context: &Snapshot<'_>) -> String {
        if self.freeform {
            return self.preset.phone.clone().unwrap_or_default();
        }
        let typed = || self.form.text_of(PHONE).trim().to_owned();
        self.phone(context).map_or_else(typed, |phone| phone.e164().to_owned())
    }

    /// Sender and recipient, where both are known.
    pub(super) fn pair(&self, context: &Snapshot<'_>) -> Option<(i64, String)> {
        let is_whole = self.freeform || self.phone(context).is_some();
        self.sender_id().filter(|_| is_whole).map(|sender_id| (sender_id, self.phone_key(context)))
    }

    /// The recipient's name, where there is one.
    pub(super) fn name(&self) -> Option<String> {
        let preset = self.preset.name.as_deref().filter(|_| self.freeform);
        Some(preset.unwrap_or(self.form.text_of(NAME)).trim().to_owned()).filter(|name| !name.is_empty())
    }

    /// The values of the variables, in their order.
    pub(super) fn values(&self) -> Vec<&str> {
        self.variables.iter().map(|variable| self.form.text_of(&path(variable)).trim()).collect()
    }

    /// The values that the user typed, by variable; suggested ones do not count.
    pub(super) fn typed_values(&self) -> BTreeMap<String, String> {
        let fields = self.variables.iter().map(|variable| (variable, path(variable)));
        let typed = fields.filter(|(_, path)| !self.form.text_of(path).is_empty() && !self.form.is_suggested(path));
        typed.map(|(variable, path)| (variable.clone(), self.form.text_of(&path).to_owned())).collect()
    }

    /// Those that may be saved in a draft: a login code is never written to disk.
    fn values_to_save(&self, context: &Snapshot<'_>) -> BTreeMap<String, String> {
        if self.has_secrets(context) { BTreeMap::new() } else { self.typed_values() }
    }

    /// True where a value may be a code: by the template as it is, or was when its variables got their fields.
    pub(super) fn has_secrets(&self, context: &Snapshot<'_>) -> bool {
        self.has_secrets || self.chosen_template(context).is_some_and(suggestions::is_secret)
    }

    /// The message, once a sender and a template are chosen; the recipient's number as typed where it is none.
    pub(super) fn message(&self, context: &Snapshot<'_>) -> Option<Outgoing> {
        let (sender_id, recipient_phone) = (self.sender_id()?, self.phone_key(context));
        if self.freeform {
            let message = self.form.text_of(MESSAGE).trim().to_owned();
            return Some(Outgoing::Freeform(SendFreeform { sender_id, recipient_phone, message }));
        }
        let variables = self.variables.iter().cloned().zip(self.values().into_iter().map(str::to_owned)).collect();
        let (template_id, recipient_name) = (self.template_id()?, self.name());
        Some(Outgoing::Template(SendTemplate { sender_id, template_id, recipient_phone, recipient_name, variables }))
    }

    /// What is wrong with the message by the rules.
    pub(super) fn faults(&self, context: &Snapshot<'_>) -> Vec<Fault> {
        self.message(context).map(|message| message::faults(&message, &context.facts())).unwrap_or_default()
    }

    /// What it holds, to be saved as a draft.
    pub(super) fn draft_state(&self, context: &Snapshot<'_>) -> DraftState {
        let phone = self.phone_key(context);
        let values = self.values_to_save(context);
        let message = self.freeform.then(|| self.form.text_of(MESSAGE).to_owned());
        // A text that searches for somebody is no recipient.
        let is_addressed = self.phone(context).is_some() && Some(&phone) != self.preset.phone.as_ref();
        let is_worth_saving = match &message {
            Some(text) => !text.trim().is_empty(),
            None => is_addressed || !values.is_empty() || self.is_renamed(&phone, context),
        };
        let stays = self.freeform || self.recipient.as_ref() == Some(&phone) && self.has_content(context);
        let draft = Draft {
            sender_id: self.sender_id(),
            phone,
            template_id: self.template_id(),
            name: self.name().unwrap_or_default(),
            values,
            message,
            saved: Timestamp::UNIX_EPOCH,
        };
        let key = draft.key();
        let filled = self.loaded.as_ref().is_some_and(|(loaded, _)| *loaded == key);
        DraftState { key, draft: is_worth_saving.then_some(draft), filled, stays }
    }

    /// True where a name was typed that is not the known one of this recipient.
    fn is_renamed(&self, phone: &str, context: &Snapshot<'_>) -> bool {
        let name = self.form.text_of(NAME);
        !name.is_empty() && !self.form.is_suggested(NAME) && name != self.known_name(phone, context)
    }

    /// True where more was typed than the recipient's number.
    pub(super) fn has_content(&self, context: &Snapshot<'_>) -> bool {
        let recipient = self.recipient.as_deref().unwrap_or_default();
        self.is_renamed(recipient, context) || !self.values_to_save(context).is_empty() || !self.other_values.is_empty()
    }

    /// The name of a recipient, in E.164, as far as it is known.
    pub(super) fn known_name(&self, phone: &str, context: &Snapshot<'_>) -> String {
        let preset = self.preset.name.clone().filter(|_| self.preset.phone.as_deref() == Some(phone));
        let watches = context.known.windows.iter().filter(|watch| watch.phone == phone);
        // That of the chosen sender before those of others.
        let watch = watches.min_by_key(|watch| Some(watch.sender_id) != self.sender_id());
        preset.or_else(|| watch?.name.clone()).unwrap_or_default()
    }
}

/// Why only a template reaches this recipient; `None` where the window is open or not known, or a freeform draft waits.
pub(super) fn only_template(preset: &Preset, context: &Snapshot<'_>) -> Option<&'static str> {
    let window = context.window(preset.sender_id?, preset.phone.as_deref()?);
    match window.filter(|_| freeform_draft(preset, context).is_none())? {
        Window::Expired { .. } => Some("The window has expired: only a template can be sent."),
        Window::None => Some("There is no window yet: a template opens one."),
        Window::Open { .. } => None,
    }
}

fn freeform_draft<'a>(preset: &Preset, context: &Snapshot<'a>) -> Option<&'a Draft> {
    let theirs = |draft: &&Draft| (draft.sender_id, Some(&draft.phone)) == (preset.sender_id, preset.phone.as_ref());
    context.known.drafts.iter().filter(theirs).find(|draft| draft.message.is_some())
}
