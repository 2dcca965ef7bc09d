//! What was delivered to the webhooks of an assistant, where the server tells.

use super::Switch;
use crate::api::{WebhookDelivery, WebhookDeliveryStatus, WebhookEvent};
use crate::records::Webhook;
use crate::ui::ages::date_and_time;
use crate::ui::panes::assistants::row::Row;
use crate::ui::panes::assistants::{Assistants, ID};
use crate::ui::prelude::*;
use crate::ui::text::count;

/// How often deliveries are listed while somebody looks.
pub const POLL: Duration = Duration::from_secs(10);
/// Deliveries shown.
const SHOWN: usize = 5;

/// The webhook that an event goes to.
fn webhook(event: &WebhookEvent) -> Option<Webhook> {
    match event {
        WebhookEvent::ConversationEnded => Some(Webhook::ConversationEnded),
        WebhookEvent::InboundCallCompleted => Some(Webhook::InboundCall),
        WebhookEvent::CallCompleted => Some(Webhook::PostCall),
        WebhookEvent::Other(_) => None,
    }
}

/// True where a delivery goes where a webhook of this assistant points. A delivery does not name its assistant.
fn goes_to(row: &Row, delivery: &WebhookDelivery) -> bool {
    let switch = webhook(&delivery.event).map(|webhook| row.switch(webhook));
    matches!(switch, Some(Switch::On { url, .. }) if *url == delivery.url)
}

/// The newest deliveries of an assistant; nothing where the server lists none.
pub fn section(details: Details, row: &Row, pane: &Assistants, view: &View<'_>) -> Details {
    let Some(all) = pane.webhooks.deliveries.value() else { return details };
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let of_it: Vec<_> = all.iter().filter(|delivery| goes_to(row, delivery)).take(SHOWN).collect();
    let shares = |other: &&Row| other.id != row.id && of_it.iter().any(|delivery| goes_to(other, delivery));
    let sharing = pane.list.source.iter().filter(shares).count();
    let mut details = details.section("Deliveries to its webhooks");
    if of_it.is_empty() {
        return details.text("none yet").styled(theme.dim);
    }
    for delivery in &of_it {
        let (glyph, style) = match delivery.status {
            WebhookDeliveryStatus::Delivered => (glyphs.full, theme.good),
            WebhookDeliveryStatus::Failed => (glyphs.cross, theme.failed),
            _ => (glyphs.hollow, theme.warning),
        };
        let tries = count(delivery.attempts.into(), "attempt", "attempts");
        let error = delivery.last_error.as_deref().map(|error| format!(": {error}")).unwrap_or_default();
        let event = webhook(&delivery.event).map_or_else(String::new, |webhook| format!("  {}", webhook.label()));
        let words = format!("{glyph} {}{event}  {tries}{error}", delivery.status.as_str());
        let time = date_and_time(delivery.created_at.0, view.now.wall, view.zone);
        details = details.wrapped(time, words).styled(style);
    }
    if sharing > 0 {
        let others = count(sharing as u64, "other assistant sends", "other assistants send");
        details =
            details.text(format!("{others} there too; a delivery does not name its assistant.")).styled(theme.dim);
    }
    details
}

impl Assistants {
    /// The newest delivery of the selected assistant that failed.
    pub(super) fn failed_delivery(&self) -> Option<&WebhookDelivery> {
        let (row, all) = (self.selected()?, self.webhooks.deliveries.value()?);
        all.iter().find(|delivery| delivery.status == WebhookDeliveryStatus::Failed && goes_to(row, delivery))
    }

    pub(super) fn resend(&mut self, cx: &mut Context) {
        if let Some(id) = self.failed_delivery().map(|delivery| delivery.id) {
            self.webhooks.resend = Some(cx.run(Origin::new(ID.0), Request::ResendDelivery { id }));
        }
    }

    pub(super) fn resent(&mut self, report: &Report, cx: &mut Context) {
        match &report.result {
            Ok(_) => cx.toast("The delivery is sent again"),
            Err(failure) => cx.write_failed("", "delivery", "sent again", failure),
        }
        self.webhooks.deliveries.refresh(cx);
    }

    /// The pane comes on screen, or leaves it.
    pub(in crate::ui::panes::assistants) fn webhooks_shown(&mut self, shown: bool, cx: &mut Context) {
        self.webhooks.deliveries.show(shown, cx);
    }

    /// Lists deliveries now, unless the server has shown that it has no such list.
    pub(in crate::ui::panes::assistants) fn refresh_deliveries(&mut self, cx: &mut Context) {
        if self.webhooks.deliveries.is_offered() {
            self.webhooks.deliveries.refresh(cx);
        }
    }

    /// Deliveries are listed while the pane is shown, where the server has such a list.
    pub(in crate::ui::panes::assistants) fn poll_deliveries(&mut self, cx: &mut Context) {
        if self.webhooks.deliveries.value().is_some() {
            self.webhooks.deliveries.tick(cx);
        }
    }

    /// When they are listed next.
    pub(in crate::ui::panes::assistants) fn next_deliveries(&self) -> Option<Instant> {
        self.webhooks.deliveries.value().and(self.webhooks.deliveries.next_change())
    }
}
