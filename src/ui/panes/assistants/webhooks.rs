//! The webhook switches of an assistant: what each is set to, as far as anybody knows, and changing that.

mod change;
mod deliveries;
mod dialog;
mod example;
mod many;

pub use change::switched;
pub use deliveries::section;
pub use many::Many;

use self::change::{Change, NO_OPPOSITE, NOT_OFFERED, Refusal};
use super::row::Row;
use super::{Assistants, ID};
use crate::api::rules::Fault;
use crate::api::{Assistant, Field, WebhookDelivery};
use crate::client::{Failure, FailureKind};
use crate::records::{AssistantData, Webhook, WebhookSetting};
use crate::tasks::TaskId;
use crate::ui::ages::date_and_time;
use crate::ui::panes::explain;
use crate::ui::prelude::*;
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

    /// Its place in [`Webhook::ALL`].
    fn at(self) -> usize {
        match self {
            Self::ConversationEnded => 0,
            Self::InboundCall => 1,
            Self::PostCall => 2,
        }
    }

    /// Its field in forms.
    fn field(self) -> &'static str {
        match self {
            Self::ConversationEnded => "conversation_ended",
            Self::InboundCall => "inbound_call",
            Self::PostCall => "post_call",
        }
    }

    /// The webhook with this field.
    fn of_field(field: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|webhook| webhook.field() == field)
    }
}

impl Row {
    /// The state of one of its webhooks.
    pub fn switch(&self, webhook: Webhook) -> &Switch {
        &self.switches[webhook.at()]
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

    /// Its state with a glyph: state is never told by colour alone.
    pub fn line(&self, view: &View<'_>) -> String {
        format!("{} {}", self.glyph(view), self.words(view))
    }

    /// Its state in words.
    pub fn words(&self, view: &View<'_>) -> String {
        let set = |set: &SetFromHere| {
            let Some((changed, profile)) = set else { return String::new() };
            let when = date_and_time(*changed, view.now.wall, view.zone);
            let by = if profile == view.options.place.profile() { String::new() } else { format!(" with {profile}") };
            format!("  set from here {when}{by}")
        };
        match self {
            Self::On { url, set: here } => format!("on  {url}{}", set(here)),
            Self::Off { set: here } => format!("off{}", set(here)),
            Self::NotKnown => "not known: the server does not tell".to_owned(),
        }
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

/// The part of the pane's state that is about webhooks.
#[derive(Debug, Clone, PartialEq)]
pub struct Webhooks {
    /// The assistant that the dialog is about.
    asked: Option<i64>,
    /// The change in flight.
    write: Option<(TaskId, Change)>,
    /// What `u` undoes.
    last: Option<Change>,
    /// True once the server has shown that it cannot turn off conversation ended.
    no_off: bool,
    /// The same change to many assistants, before it is confirmed and while it goes on.
    many: Option<Many>,
    /// The newest deliveries; 404 where the server does not list them.
    deliveries: Remote<Vec<WebhookDelivery>>,
    /// A delivery that is sent again.
    resend: Option<TaskId>,
}

impl Default for Webhooks {
    fn default() -> Self {
        let deliveries = Remote::of(Request::ListDeliveries, Some(deliveries::POLL));
        Self { asked: None, write: None, last: None, no_off: false, many: None, deliveries, resend: None }
    }
}

impl Assistants {
    /// Why an action about webhooks cannot be done now.
    pub(super) fn webhooks_disabled(&self, action: Action) -> Option<&'static str> {
        let hooks = &self.webhooks;
        let undo = hooks.last.as_ref().and_then(Change::opposite);
        match action {
            Action::Webhooks if self.selected().is_none() => Some("no assistant is selected"),
            Action::WebhooksOfAll if self.list.state.order().is_empty() => Some("no assistant is listed"),
            Action::Webhooks | Action::WebhooksOfAll | Action::Restore if hooks.is_busy() => {
                Some("a webhook is being switched")
            }
            Action::Restore => match undo {
                None => Some("no webhook was switched that could be switched back"),
                Some(undo) if hooks.no_off && (undo.webhook, undo.url.is_some()) == NO_OPPOSITE => {
                    Some("this server cannot turn it off; w points it elsewhere")
                }
                Some(_) => None,
            },
            Action::Resend if hooks.resend.is_some() => Some("a delivery is being sent again"),
            Action::Resend => self.failed_delivery().is_none().then_some("no delivery of this assistant failed"),
            _ => None,
        }
    }

    /// Does what a key about webhooks means.
    pub(super) fn act_on_webhooks(&mut self, action: Action, cx: &mut Context) {
        match action {
            Action::Webhooks => self.open_webhooks(cx),
            Action::WebhooksOfAll => self.open_many(cx),
            Action::Restore => {
                if let Some(undo) = self.webhooks.last.as_ref().and_then(Change::opposite) {
                    self.switch(undo, cx);
                }
            }
            Action::Resend => self.resend(cx),
            _ => {}
        }
    }

    /// An overlay about webhooks was answered.
    pub(super) fn webhooks_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Changed(dialog::NAME) => self.webhooks_changed(cx),
            OverlayEvent::Submitted(dialog::NAME) => self.submit_webhook(cx),
            OverlayEvent::Changed(many::FORM) => self.many_changed(cx),
            OverlayEvent::Submitted(many::FORM) => self.submit_many(cx),
            OverlayEvent::Confirmed(many::CONFIRM) => self.confirm_many(cx),
            OverlayEvent::Cancelled(many::CONFIRM) => self.webhooks.many = None,
            _ => {}
        }
    }

    fn switch(&mut self, change: Change, cx: &mut Context) {
        self.webhooks.write = Some((cx.run(Origin::new(ID.0), change.request()), change));
    }

    /// Takes a report that is about webhooks; any other comes back.
    pub(super) fn webhooks_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let report = self.webhooks.deliveries.reply(report, Reply::list_deliveries, cx.now)?;
        if self.webhooks.resend.take_if(|id| *id == report.id).is_some() {
            self.resent(&report, cx);
            return None;
        }
        let Some((_, change)) = self.webhooks.write.take_if(|(id, _)| *id == report.id) else { return Some(report) };
        let failure = report.result.err();
        if failure.is_none() {
            let Change { assistant_id, webhook, url, .. } = &change;
            switched(&self.server, *assistant_id, *webhook, url.as_ref(), cx);
        }
        if self.webhooks.shows_many() {
            self.go_on(change, failure.as_ref(), cx);
        } else if let Some(failure) = failure {
            self.not_switched(&change, &failure, cx);
        } else {
            cx.overlays.close(dialog::NAME);
            let undo = if change.opposite().is_some() { " (u undoes)" } else { "" };
            let to = change.url.as_ref().map(|url| format!(": {url}")).unwrap_or_default();
            cx.toast(format!("{}: {} is {}{undo}{to}", change.name, change.webhook.label(), change.done()));
            self.webhooks.last = Some(change);
        }
        None
    }

    /// Reports the failure. The dialog keeps what was typed, unless its assistant is gone.
    fn not_switched(&mut self, change: &Change, failure: &Failure, cx: &mut Context) {
        let what = format!("{} of {}", change.webhook.label(), change.name);
        let (done, why) = (change.done(), explain(failure));
        let refused = |cx: &mut Context, faults: Vec<String>| {
            let faults = faults.into_iter().map(|fault| Fault::new(change.webhook.field(), fault)).collect::<Vec<_>>();
            !faults.is_empty() && cx.overlays.form(dialog::NAME).is_some_and(|form| form.set_refused(faults).is_empty())
        };
        match change.refusal(failure, &cx.data) {
            Refusal::NotOffered => {
                self.webhooks.no_off |= (change.webhook, change.url.is_some()) == NO_OPPOSITE;
                let text = if change.url.is_none() { NOT_OFFERED } else { "This server has no operation for it." };
                if !refused(cx, vec![text.to_owned()]) {
                    cx.problem(format!("{what} was not turned {done}. {text}"));
                }
            }
            Refusal::Gone => {
                cx.overlays.close(dialog::NAME);
                cx.problem(format!("{what} was not turned {done}: {why}."));
                self.fetch(cx);
            }
            Refusal::Unclear => {
                let text = format!("Unknown whether {what} was turned {done}: {why}. Turn it {done} again to be sure.");
                cx.notices.urgent(text, cx.now);
                self.fetch(cx);
            }
            Refusal::NotDone => {
                let faults = match &failure.kind {
                    FailureKind::Status { status: 422, body: Some(body), .. } => {
                        body.field_errors().map(|(_, text)| text.to_owned()).collect()
                    }
                    _ => Vec::new(),
                };
                if !refused(cx, faults) {
                    cx.problem(format!("{what} was not turned {done}: {why}."));
                }
            }
        }
    }
}

impl Webhooks {
    /// True while a change is in flight, or several go on.
    fn is_busy(&self) -> bool {
        self.write.is_some() || self.shows_many()
    }
}
