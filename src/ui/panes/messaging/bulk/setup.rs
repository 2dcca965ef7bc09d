//! The sender and the template of a batch: what all its rows share.

use super::super::{MessagingData, format};
use crate::api::{SenderStatus, TemplateCategory};
use crate::messaging::batch::{TemplateMessage, obstacle};
use crate::messaging::{Preview, is_code, template_name};
use crate::records::TemplateName;
use crate::tasks::Sheet;
use crate::ui::compose::Known;
use crate::ui::options::Options;

/// What all rows of a batch share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BatchSetup {
    pub(super) message: TemplateMessage,
    pub(super) sheet: Sheet,
    /// Name and number of the sender, for people.
    pub(super) from: String,
    /// The template's category, which decides what a message costs; `None` where the server does not send it.
    pub(super) category: Option<TemplateCategory>,
}

impl BatchSetup {
    /// A batch of this template from this sender.
    ///
    /// # Errors
    /// Why it cannot be sent, for people.
    pub(super) fn new(
        known: &MessagingData,
        options: &Options,
        sender_id: i64,
        template_id: i64,
    ) -> Result<Self, String> {
        let sender = known.sender(sender_id).ok_or("the sender is no longer listed")?;
        let template = known.template(sender_id, template_id).ok_or("the template is no longer listed")?;
        if sender.status == Some(SenderStatus::Offline) {
            return Err("the sender is offline".to_owned());
        }
        if let Some(why) = obstacle(None, template) {
            return Err(why);
        }
        let preview = Preview::of(template);
        let number = format::sender(sender);
        Ok(Self {
            sheet: Sheet {
                profile: options.place.profile().to_owned(),
                sender: sender.phone.clone().unwrap_or_else(|| sender.id.to_string()),
                template: TemplateName { id: template_id, name: template_name(template) },
                is_code: is_code(template),
                kept_text: options.settings.messaging.keep_text.then(|| preview.clone()),
            },
            message: TemplateMessage { sender_id, template_id, preview, country: options.country.clone() },
            category: template.category.known().cloned(),
            from: sender.name.as_ref().map_or(number.clone(), |name| format!("{name}  {number}")),
        })
    }
}
