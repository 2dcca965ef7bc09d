//! The webhook switches of an assistant: what each is set to, as far as anybody knows.

use crate::api::{Assistant, Field};
use crate::records::{AssistantData, Webhook, WebhookSetting};
use crate::ui::ages::date_and_time;
use crate::ui::pane::View;
use jiff::Timestamp;
use ratatui::style::Style;

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

impl Switch {
    /// A webhook of an assistant. The server's word wins where it has one.
    pub fn new(assistant_id: i64, record: &Assistant, webhook: Webhook, stored: &AssistantData) -> Self {
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
            return url.map_or(Self::Off { set: None }, |url| Self::On { url, set: None });
        }
        let of_this = |setting: &&WebhookSetting| setting.assistant_id == assistant_id && setting.webhook == webhook;
        match stored.webhooks.iter().filter(of_this).max_by_key(|setting| setting.changed).cloned() {
            Some(WebhookSetting { url: Some(url), changed, profile, .. }) => {
                Self::On { url, set: Some((changed, profile)) }
            }
            Some(WebhookSetting { url: None, changed, profile, .. }) => Self::Off { set: Some((changed, profile)) },
            None => Self::NotKnown,
        }
    }

    /// Its state as a glyph.
    pub fn glyph(&self, view: &View<'_>) -> &'static str {
        let glyphs = view.options.glyphs;
        match self {
            Self::On { .. } => glyphs.full,
            Self::Off { .. } => glyphs.hollow,
            Self::NotKnown => glyphs.none,
        }
    }

    /// Its state in words, with a glyph: state is never told by colour alone.
    pub fn words(&self, view: &View<'_>) -> String {
        let set = |set: &SetFromHere| {
            let Some((changed, profile)) = set else { return String::new() };
            let when = date_and_time(*changed, view.now.wall, view.zone);
            let by = if profile == view.options.place.profile() { String::new() } else { format!(" with {profile}") };
            format!("  set from here {when}{by}")
        };
        let words = match self {
            Self::On { url, set: here } => format!("on  {url}{}", set(here)),
            Self::Off { set: here } => format!("off{}", set(here)),
            Self::NotKnown => "not known: the server does not tell".to_owned(),
        };
        format!("{} {words}", self.glyph(view))
    }

    /// Its style in a list of facts.
    pub fn style(&self, view: &View<'_>) -> Style {
        let theme = &view.options.theme;
        match self {
            Self::On { .. } => theme.good,
            Self::Off { .. } => theme.dim,
            Self::NotKnown => theme.warning,
        }
    }
}
