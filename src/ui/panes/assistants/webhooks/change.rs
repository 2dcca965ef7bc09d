//! A webhook that is switched: its request, its opposite, and what a failure means.

use super::Switch;
use crate::api::{AssistantChange, DisableWebhook, EnableWebhook, Field, Patch};
use crate::client::{Failure, FailureKind};
use crate::records::{StorageRequest, Webhook};
use crate::ui::panes::assistants::ID;
use crate::ui::panes::assistants::row::Row;
use crate::ui::prelude::*;

/// A webhook that is turned on or off, or pointed elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub assistant_id: i64,
    /// The assistant's.
    pub name: String,
    pub webhook: Webhook,
    /// What it is set to until then.
    pub before: Switch,
    /// Where it points from then on; `None` turns it off.
    pub url: Option<String>,
}

/// What a failed change means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The server has no such operation.
    NotOffered,
    /// It has no such assistant any more.
    Gone,
    /// It may have been done.
    Unclear,
    /// It was not done.
    NotDone,
}

impl Change {
    pub fn new(row: &Row, webhook: Webhook, url: Option<String>) -> Self {
        Self { assistant_id: row.id, name: row.name.clone(), webhook, before: row.switch(webhook).clone(), url }
    }

    /// True where the server, or what was set from here, says that it is so already.
    pub fn is_idle(&self) -> bool {
        match &self.before {
            Switch::On { url, .. } => self.url.as_ref() == Some(url),
            Switch::Off { .. } => self.url.is_none(),
            Switch::NotKnown => false,
        }
    }

    /// The change that undoes it; `None` where it is not known what was before.
    pub fn opposite(&self) -> Option<Self> {
        let (url, before) = match (&self.before, self.url.clone()) {
            (Switch::On { url, .. }, Some(now)) => (Some(url.clone()), Switch::On { url: now, set: None }),
            (Switch::On { url, .. }, None) => (Some(url.clone()), Switch::Off { set: None }),
            (_, Some(now)) => (None, Switch::On { url: now, set: None }),
            (_, None) => return None,
        };
        Some(Self { before, url, ..self.clone() })
    }

    pub fn request(&self) -> Request {
        let assistant_id = self.assistant_id;
        let off = DisableWebhook { assistant_id };
        let Some(webhook_url) = self.url.clone() else {
            return match self.webhook {
                Webhook::ConversationEnded => Request::DisableConversationEndedWebhook { body: off },
                Webhook::InboundCall => Request::DisableInboundWebhook { body: off },
                Webhook::PostCall => Request::DisableWebhook { body: off },
            };
        };
        let on = EnableWebhook { assistant_id, webhook_url };
        match self.webhook {
            Webhook::ConversationEnded => Request::EnableConversationEndedWebhook { body: on },
            Webhook::InboundCall => Request::EnableInboundWebhook { body: on },
            Webhook::PostCall => {
                let webhook_url = Patch::Set(on.webhook_url);
                let body = AssistantChange { is_webhook_active: Some(true), webhook_url, ..AssistantChange::default() };
                Request::UpdateAssistant { id: assistant_id, body: Box::new(body) }
            }
        }
    }

    /// What is done: `on`, `off`.
    pub fn done(&self) -> &'static str {
        if self.url.is_some() { "on" } else { "off" }
    }

    /// The documented API has no operation that turns off conversation ended; a 404 there is about the operation. A
    /// server with the full list has it, and means the assistant.
    pub fn refusal(&self, failure: &Failure, data: &Data) -> Refusal {
        let undocumented = (self.webhook, self.url.is_some()) == NO_OPPOSITE;
        match &failure.kind {
            FailureKind::Status { status: 405, .. } => Refusal::NotOffered,
            FailureKind::Status { status: 404, .. } if undocumented && data.all_assistants.value().is_none() => {
                Refusal::NotOffered
            }
            FailureKind::Status { status: 404, .. } => Refusal::Gone,
            kind if kind.is_unclear() => Refusal::Unclear,
            _ => Refusal::NotDone,
        }
    }
}

/// A webhook was set to this URL, or turned off: that is stored, and the shared record follows where it tells the webhook.
pub fn switched(server: &str, assistant_id: i64, webhook: Webhook, url: Option<&String>, cx: &mut Context) {
    let (origin, server) = (Origin::new(ID.0), server.to_owned());
    let save = StorageRequest::SaveWebhook { server: server.clone(), assistant_id, webhook, url: url.cloned() };
    cx.run(origin, save);
    cx.run(origin, StorageRequest::LoadAssistants { server });
    let put = |field: &mut Field<Option<String>>| {
        if field.known().is_some() {
            *field = Field::Known(url.cloned());
        }
    };
    cx.data.all_assistants.update(|all| {
        for record in all.iter_mut().filter(|record| record.base.id.known() == Some(&assistant_id)) {
            match webhook {
                Webhook::ConversationEnded => put(&mut record.conversation_ended_webhook_url),
                Webhook::InboundCall => put(&mut record.inbound_webhook_url),
                Webhook::PostCall => {
                    record.base.is_webhook_active = Field::Known(url.is_some());
                    put(&mut record.base.webhook_url);
                }
            }
        }
    });
}

/// Turning off what the documented API cannot turn off.
pub const NO_OPPOSITE: (Webhook, bool) = (Webhook::ConversationEnded, false);
/// Shown where a server has no operation for that.
pub const NOT_OFFERED: &str = "This server cannot turn it off. Another URL points it elsewhere.";
