//! The dialog with the webhooks of one assistant, a URL each: Enter turns the one with the focus on, or off where its
//! URL is empty.

use super::{Change, NO_OPPOSITE, NOT_OFFERED, Switch, example};
use crate::api::rules::{self, Fault};
use crate::records::Webhook;
use crate::ui::panes::assistants::Assistants;
use crate::ui::panes::assistants::row::Row;
use crate::ui::prelude::*;
use crate::ui::widgets::form::DIALOG_COLUMNS;
use crate::ui::widgets::json;

/// The name of the dialog.
pub const NAME: &str = "webhooks";

/// What is wrong with a URL in this field; an empty one turns off.
pub fn faults(field: &'static str, url: &str) -> Vec<Fault> {
    if url.is_empty() {
        return Vec::new();
    }
    let wrong = rules::web_url("webhook_url", url).err();
    wrong.map(|fault| Fault::new(field, fault.sentence)).into_iter().collect()
}

/// What is sent, as an example.
pub fn with_example(details: Details, webhook: Webhook, row: Option<&Row>, view: &View<'_>) -> Details {
    let title = match webhook {
        Webhook::ConversationEnded => "Sent when a chat has ended, for example",
        Webhook::InboundCall => "Sent when an inbound call has completed, for example",
        Webhook::PostCall => "Sent when an outbound call has completed, for example",
    };
    let columns = DIALOG_COLUMNS.min(view.body.width.saturating_sub(4));
    let body = json::lines(&example::body(webhook, row), &view.options.theme, columns.into());
    details.section(title).lines(body)
}

impl Assistants {
    /// The URLs to offer: those used before, then those of this assistant.
    pub(super) fn known_urls(&self, row: Option<&Row>) -> Vec<String> {
        let mut urls = self.stored.urls.clone();
        for switch in row.into_iter().flat_map(|row| &row.switches) {
            if let Switch::On { url, .. } = switch
                && !urls.contains(url)
            {
                urls.push(url.clone());
            }
        }
        urls
    }

    fn asked_row(&self) -> Option<&Row> {
        self.list.source.iter().find(|row| Some(row.id) == self.webhooks.asked)
    }

    pub(super) fn open_webhooks(&mut self, cx: &mut Context<'_>) {
        let Some(row) = self.selected() else { return };
        let field = |webhook: Webhook| {
            let switch = row.switch(webhook);
            let label = format!("{} {}", switch.glyph(&cx.view()), webhook.label());
            let hint = match switch {
                Switch::On { .. } => "empty: Enter turns it off",
                Switch::Off { .. } => "off",
                Switch::NotKnown => "not known",
            };
            FormField::line(webhook.field(), &label, "").hint(hint)
        };
        // The documented API has no operation for post-call.
        let full = cx.data.all_assistants.value().is_some();
        let offered = Webhook::ALL.into_iter().filter(|webhook| full || *webhook != Webhook::PostCall);
        let form = Form::new(offered.map(field).collect()).quick();
        let title = format!("Webhooks of {}", row.name);
        self.webhooks.asked = Some(row.id);
        cx.open(NAME, FormDialog::new(title, "turn on", form));
        self.webhooks_changed(cx);
    }

    /// Another field has the focus, or another URL: what is offered, warned of and said follows.
    pub(super) fn webhooks_changed(&mut self, cx: &mut Context<'_>) {
        let (Some(row), view) = (self.asked_row(), cx.view()) else { return };
        let urls = self.known_urls(Some(row));
        let abouts = Webhook::ALL.map(|webhook| self.about(row, webhook, &view));
        let Some(dialog) = cx.overlays.dialog(NAME) else { return };
        let form = &mut dialog.form;
        let Some(focused) = Webhook::of_field(form.focused()) else { return };
        for webhook in Webhook::ALL {
            let on = if let Switch::On { url, .. } = row.switch(webhook) { Some(url) } else { None };
            let used = urls.first().filter(|_| webhook == focused);
            form.suggest(webhook.field(), on.or(used).map_or("", String::as_str));
        }
        let field = focused.field();
        let url = form.text_of(field).trim().to_owned();
        let is_typed = !form.is_suggested(field) && !url.is_empty();
        let fits = |other: &&String| **other != url && (!is_typed || other.contains(&url));
        form.offer(field, urls.iter().filter(fits).map(|url| Value::new(url, url)).collect());
        drop(form.set_errors(faults(field, &url)));
        let warnings = example::oddities(&url).into_iter().map(|oddity| Fault::new(field, oddity));
        drop(form.set_warnings(warnings.collect()));
        dialog.verb = match (url.is_empty(), row.switch(focused)) {
            (true, _) => "turn off",
            (false, Switch::On { url: old, .. }) if *old != url => "change the URL",
            (false, _) => "turn on",
        };
        let [conversation_ended, inbound_call, post_call] = abouts;
        dialog.about = match focused {
            Webhook::ConversationEnded => conversation_ended,
            Webhook::InboundCall => inbound_call,
            Webhook::PostCall => post_call,
        };
    }

    /// What stands below the fields.
    fn about(&self, row: &Row, webhook: Webhook, view: &View<'_>) -> Details {
        let (theme, switch) = (&view.options.theme, row.switch(webhook));
        let mut details = Details::new(0).text(switch.words(view)).styled(switch.style(view));
        if self.webhooks.no_off && webhook == Webhook::ConversationEnded {
            details = details.text(NOT_OFFERED).styled(theme.warning);
        }
        if view.data.all_assistants.value().is_none() {
            let state = row.switch(Webhook::PostCall).words(view);
            let text = format!("Post-call: {state}; this server has no operation to change it.");
            details = details.text(text).styled(theme.dim);
        }
        with_example(details, webhook, Some(row), view)
    }

    /// Turns the webhook with the focus on or off.
    pub(super) fn submit_webhook(&mut self, cx: &mut Context<'_>) {
        let (Some(row), Some(form)) = (self.asked_row(), cx.overlays.form(NAME)) else { return };
        let Some(webhook) = Webhook::of_field(form.focused()) else { return };
        let url = Some(form.text_of(webhook.field()).trim().to_owned()).filter(|url| !url.is_empty());
        let change = Change::new(row, webhook, url);
        let told = matches!(change.before, Switch::On { set: None, .. } | Switch::Off { set: None });
        let refused = match &change.url {
            None if self.webhooks.no_off && (webhook, false) == NO_OPPOSITE => Some(NOT_OFFERED),
            None if told && change.is_idle() => Some("It is off. A URL turns it on."),
            Some(_) if told && change.is_idle() => Some("It is on to this URL. An empty one turns it off."),
            _ => None,
        };
        if let Some(refused) = refused {
            drop(form.set_refused(vec![Fault::new(webhook.field(), refused)]));
        } else if self.webhooks.write.is_some() {
            cx.toast("A webhook is being switched");
        } else {
            self.switch(change, cx);
        }
    }
}
