//! The form of a freeform message, which only an open window takes.

use super::drafts::Typed;
use super::{Preset, Snapshot, message};
use crate::api::SendFreeform;
use crate::api::messaging::FREEFORM_MAX;
use crate::messaging::{Outgoing, Window};
use crate::records::{Draft, DraftKey};
use crate::ui::widgets::form::{Field, Form, Item};
use jiff::Timestamp;

pub(super) const MESSAGE: &str = "message";
/// What submitting does: send, or turn to a template.
pub(super) const THEN: &str = "then";
/// Rows of the body that are not for the text.
const AROUND: u16 = 7;

/// The form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FreeformForm {
    pub(super) form: Form,
    pub(super) preset: Preset,
    /// When the draft in it was typed.
    pub(super) drafted: Option<Timestamp>,
}

impl FreeformForm {
    /// The form with the draft for this sender and recipient.
    pub(super) fn new(preset: Preset, context: &Snapshot<'_>) -> Self {
        let draft = draft(&preset, context);
        let text = draft.and_then(|draft| draft.message.as_deref()).unwrap_or_default();
        let rows = usize::from(context.body.height.saturating_sub(AROUND).clamp(3, 30));
        let actions = vec![Item::new("send", "Send"), Item::new("template", "Template instead")];
        let fields = vec![
            Field::text(MESSAGE, "Message", text, rows..=rows, Some(FREEFORM_MAX)).required(),
            Field::choice(THEN, "Then", actions, "send"),
        ];
        let mut form = Form::new(fields);
        form.focus(MESSAGE);
        Self { form, drafted: draft.map(|draft| draft.saved), preset }
    }

    /// Sender and recipient.
    pub(super) fn pair(&self) -> Option<(i64, String)> {
        self.preset.sender_id.zip(self.preset.phone.clone())
    }

    /// The message; `None` without a sender and a recipient.
    pub(super) fn message(&self) -> Option<Outgoing> {
        let (sender_id, recipient_phone) = self.pair()?;
        let message = self.form.text_of(MESSAGE).trim().to_owned();
        Some(Outgoing::Freeform(SendFreeform { sender_id, recipient_phone, message }))
    }

    /// Applies the rules anew: the window may have expired.
    pub(super) fn refresh(&mut self, context: &Snapshot<'_>) {
        let faults = self.message().map(|message| message::faults(&message, context)).unwrap_or_default();
        self.form.set_errors(faults);
    }

    /// What was typed, to be saved as a draft.
    pub(super) fn typed(&self) -> Typed {
        let key = key(&self.preset);
        let message = Some(self.form.text_of(MESSAGE).to_owned()).filter(|text| !text.trim().is_empty());
        let draft = message.map(|message| Draft {
            sender_id: self.preset.sender_id,
            phone: key.phone.clone(),
            template_id: None,
            name: self.preset.name.clone().unwrap_or_default(),
            values: std::collections::BTreeMap::new(),
            message: Some(message),
            saved: Timestamp::UNIX_EPOCH,
        });
        Typed { key, draft, filled: true, stays: true }
    }
}

/// Why only a template reaches this recipient; `None` where the window is open or not known, or something was written
/// already.
pub(super) fn only_template(preset: &Preset, context: &Snapshot<'_>) -> Option<&'static str> {
    let (sender_id, phone) = (preset.sender_id?, preset.phone.as_deref()?);
    let window = context.known.window(sender_id, phone).filter(|_| draft(preset, context).is_none())?;
    match window.at(context.server_now) {
        Window::Expired { .. } => Some("The window has expired: only a template can be sent."),
        Window::None => Some("There is no window yet: a template opens one."),
        Window::Open { .. } => None,
    }
}

fn draft<'a>(preset: &Preset, context: &Snapshot<'a>) -> Option<&'a Draft> {
    context.known.drafts.iter().find(|draft| draft.message.is_some() && draft.key() == key(preset))
}

fn key(preset: &Preset) -> DraftKey {
    DraftKey { phone: preset.phone.clone().unwrap_or_default(), template_id: None, writer: preset.sender_id }
}
