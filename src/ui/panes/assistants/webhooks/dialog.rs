//! The dialog with the webhooks of one assistant, a URL each: Enter turns the one with the focus on, or off where that
//! is typed or the URL of one that is on was deleted.

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
/// What is typed in place of a URL to turn off.
pub const OFF: &str = "off";

/// Checks the URL in a field, warns of what is odd about it, and offers the URLs that go on like it.
pub fn check(form: &mut Form, field: &'static str, urls: &[Value]) {
    let url = form.text_of(field).trim().to_owned();
    let is_typed = !form.is_suggested(field) && !url.is_empty();
    let fits = |other: &&Value| other.key != url && (!is_typed || other.key.contains(&url));
    form.offer(field, urls.iter().filter(fits).cloned().collect());
    let wrong = rules::web_url("webhook_url", &url).err().filter(|_| !matches!(&*url, "" | OFF));
    drop(form.set_errors(wrong.map(|fault| Fault::new(field, fault.sentence)).into_iter().collect()));
    let warnings = example::oddities(&url).into_iter().map(|oddity| Fault::new(field, oddity));
    drop(form.set_warnings(warnings.collect()));
}

/// What the text of a field asks for.
#[derive(Debug, Clone, PartialEq)]
enum Target {
    On(String),
    Off,
    Nothing,
}

impl Target {
    fn new(text: &str, switch: &Switch) -> Self {
        match (text.trim(), switch) {
            (OFF, _) | ("", Switch::On { .. }) => Self::Off,
            ("", _) => Self::Nothing,
            (url, _) => Self::On(url.to_owned()),
        }
    }
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
    /// The URLs to offer: those used before, those of this assistant, and the ones that reach this machine's receiver.
    pub(super) fn known_urls(&self, row: Option<&Row>) -> Vec<Value> {
        let mut urls: Vec<_> = self.stored.urls.iter().map(|url| Value::new(url, url)).collect();
        let mut offer = |url: &str, about: &str| match urls.iter_mut().find(|known| known.key == url) {
            Some(known) => about.clone_into(&mut known.about),
            None => urls.push(Value::new(url, url).about(about)),
        };
        for switch in row.into_iter().flat_map(|row| &row.switches) {
            if let Switch::On { url, .. } = switch {
                offer(url, "");
            }
        }
        for (url, about) in self.listen.urls() {
            offer(url, about);
        }
        urls
    }

    fn asked_row(&self) -> Option<&Row> {
        self.list.source.iter().find(|row| Some(row.id) == self.webhooks.asked)
    }

    pub(super) fn open_webhooks(&mut self, cx: &mut Context) {
        let Some(row) = self.selected() else { return };
        // The documented API has no operation for post-call.
        let full = cx.data.all_assistants.value().is_some();
        let offered = Webhook::ALL.into_iter().filter(|webhook| full || *webhook != Webhook::PostCall);
        let field = |webhook: Webhook| FormField::line(webhook.field(), webhook.label(), "");
        let form = Form::new(offered.map(field).collect()).quick();
        let title = format!("Webhooks of {}", row.name);
        self.webhooks.asked = Some(row.id);
        cx.open(NAME, FormDialog::new(title, "turn on", form));
        self.webhooks_changed(cx);
    }

    /// Another field has the focus, or another URL, or what is known has changed: what is offered and said follows.
    pub(in crate::ui::panes::assistants) fn webhooks_changed(&mut self, cx: &mut Context) {
        let focused = cx.overlays.form(NAME).and_then(|form| Webhook::of_field(form.focused()));
        let (Some(row), Some(focused)) = (self.asked_row(), focused) else { return };
        let about = self.about(row, focused, &cx.view());
        let urls = self.known_urls(Some(row));
        let glyphs = row.switches.each_ref().map(|switch| switch.glyph(&cx.view()));
        let Some(dialog) = cx.overlays.dialog(NAME) else { return };
        dialog.form.change_fields(|fields| {
            let known = Webhook::ALL.into_iter().zip(&row.switches).zip(glyphs);
            for (field, ((webhook, switch), glyph)) in fields.iter_mut().zip(known) {
                field.label = format!("{glyph} {}", webhook.label());
                let hint = match switch {
                    Switch::On { .. } => "empty: Enter turns it off",
                    Switch::Off { .. } => "off; a URL turns it on",
                    Switch::NotKnown => "not known; a URL, or off",
                };
                hint.clone_into(&mut field.hint);
            }
        });
        for webhook in Webhook::ALL {
            let on = if let Switch::On { url, .. } = row.switch(webhook) { Some(url) } else { None };
            let used = urls.first().filter(|_| webhook == focused);
            dialog.form.suggest(webhook.field(), on.or(used.map(|url| &url.key)).map_or("", String::as_str));
        }
        check(&mut dialog.form, focused.field(), &urls);
        dialog.about = about;
        let switch = row.switch(focused);
        dialog.verb = match (Target::new(dialog.form.text_of(focused.field()), switch), switch) {
            (Target::Off, _) => "turn off",
            (Target::On(url), Switch::On { url: old, .. }) if url != *old => "change the URL",
            (_, Switch::On { set: None, .. }) => "",
            _ => "turn on",
        };
    }

    /// What stands below the fields.
    fn about(&self, row: &Row, webhook: Webhook, view: &View<'_>) -> Details {
        let (theme, switch) = (&view.options.theme, row.switch(webhook));
        let mut details = Details::new(0).text(switch.line(view)).styled(switch.style(view));
        if self.webhooks.no_off && webhook == Webhook::ConversationEnded {
            details = details.text(NOT_OFFERED).styled(theme.warning);
        }
        if view.data.all_assistants.value().is_none() {
            let state = row.switch(Webhook::PostCall).line(view);
            let text = format!("Post-call: {state}; this server has no operation to change it.");
            details = details.text(text).styled(theme.dim);
        }
        with_example(details, webhook, Some(row), view)
    }

    /// Turns the webhook with the focus on or off.
    pub(super) fn submit_webhook(&mut self, cx: &mut Context) {
        let (Some(row), Some(form)) = (self.asked_row(), cx.overlays.form(NAME)) else { return };
        let Some(webhook) = Webhook::of_field(form.focused()) else { return };
        let target = Target::new(form.text_of(webhook.field()), row.switch(webhook));
        let url = if let Target::On(url) = &target { Some(url.clone()) } else { None };
        let change = Change::new(row, webhook, url);
        let told = matches!(change.before, Switch::On { set: None, .. } | Switch::Off { set: None });
        let refused = match target {
            Target::Nothing => Some("A URL turns it on, the word off turns it off."),
            Target::Off if self.webhooks.no_off && (webhook, false) == NO_OPPOSITE => Some(NOT_OFFERED),
            Target::Off if told && change.is_idle() => Some("It is off. A URL turns it on."),
            Target::On(_) if told && change.is_idle() => Some("It is on to this URL. An empty one turns it off."),
            Target::On(_) | Target::Off => None,
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
