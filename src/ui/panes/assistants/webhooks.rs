//! The webhook switches of an assistant: what each is set to, as far as anybody knows.

use super::row::Row;
use crate::api::Field;
use crate::records::{AssistantData, Webhook, WebhookSetting};
use jiff::Timestamp;

/// When a switch was set from here, and with which profile.
type SetFromHere = Option<(Timestamp, String)>;

/// The state of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switch {
    /// Notifications go to this URL.
    On {
        /// Where they go.
        url: String,
        /// Where that is known from here only.
        set: SetFromHere,
    },
    /// None are sent.
    Off {
        /// Where that is known from here only.
        set: SetFromHere,
    },
    /// The server does not tell, and it was never set from here.
    NotKnown,
}

impl Webhook {
    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Self::ConversationEnded => "Conversation ended",
            Self::InboundCall => "Inbound call",
            Self::PostCall => "Post-call",
        }
    }
}

/// The switches of an assistant. The server's word wins where it has one.
pub fn switches(row: &Row, stored: &AssistantData) -> Vec<(&'static str, Switch)> {
    Webhook::ALL.into_iter().map(|webhook| (webhook.label(), switch(row, webhook, stored))).collect()
}

/// One of them.
pub fn switch(row: &Row, webhook: Webhook, stored: &AssistantData) -> Switch {
    let record = &row.record;
    let told = match webhook {
        Webhook::ConversationEnded => record.conversation_ended_webhook_url.known().cloned(),
        Webhook::InboundCall => record.inbound_webhook_url.known().cloned(),
        // Both fields are in the documented list (spec: Outbound assistant).
        Webhook::PostCall => match (&record.base.is_webhook_active, &record.base.webhook_url) {
            (Field::Known(false), _) => Some(None),
            (Field::Known(true), Field::Known(url)) => Some(url.clone()),
            _ => None,
        },
    };
    if let Some(url) = told {
        return url.map_or(Switch::Off { set: None }, |url| Switch::On { url, set: None });
    }
    let of_this = |setting: &&WebhookSetting| setting.assistant_id == row.id && setting.webhook == webhook;
    match stored.webhooks.iter().filter(of_this).max_by_key(|setting| setting.changed) {
        Some(WebhookSetting { url: Some(url), changed, profile, .. }) => {
            Switch::On { url: url.clone(), set: Some((*changed, profile.clone())) }
        }
        Some(WebhookSetting { url: None, changed, profile, .. }) => {
            Switch::Off { set: Some((*changed, profile.clone())) }
        }
        None => Switch::NotKnown,
    }
}
