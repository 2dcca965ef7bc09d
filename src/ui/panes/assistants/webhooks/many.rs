//! One webhook of all assistants that are listed, set to the same: each change is shown before, done after the one
//! before it, and told with its outcome.

use super::dialog::{OFF, check, with_example};
use super::{Change, Refusal, Switch, Webhooks};
use crate::api::rules::Fault;
use crate::client::{Failure, FailureKind};
use crate::records::Webhook;
use crate::ui::layout::inspector_text;
use crate::ui::panes::assistants::Assistants;
use crate::ui::panes::explain;
use crate::ui::prelude::*;
use crate::ui::text::count;
use crate::ui::theme::Glyphs;
use crate::ui::widgets::confirm::Confirm;
use ratatui::style::Style;
use std::collections::VecDeque;

/// The name of the form.
pub const FORM: &str = "webhooks of all";
/// The name of the question before it is done.
pub const CONFIRM: &str = "switch all";
/// Cells for the names of assistants.
const NAMES: usize = 24;

/// The same change to several assistants.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Many {
    /// False while it is asked about.
    confirmed: bool,
    /// What has not begun.
    waiting: VecDeque<Change>,
    /// What is over, with what became of it; `None` for success.
    ended: Vec<(Change, Option<String>)>,
    /// Why the rest is not done.
    stopped: Option<String>,
    scrolled: usize,
}

/// What a change makes of a webhook.
fn words(change: &Change, glyphs: &Glyphs) -> String {
    let before = match &change.before {
        Switch::On { url, .. } => url,
        Switch::Off { .. } => "off",
        Switch::NotKnown => "not known",
    };
    format!("{before} {} {}", glyphs.arrow, change.url.as_deref().unwrap_or("off"))
}

/// What the form holds: the webhook, and where it is to point.
fn read(form: &Form) -> (Webhook, Option<String>) {
    let webhook = Webhook::of_field(form.text_of("webhook")).unwrap_or(Webhook::ConversationEnded);
    let url = form.text_of("webhook_url").trim().to_owned();
    (webhook, Some(url).filter(|url| !matches!(&**url, "" | OFF)))
}

impl Webhooks {
    /// True while their outcomes are on screen.
    pub fn shows_many(&self) -> bool {
        self.many.as_ref().is_some_and(|many| many.confirmed)
    }

    /// How far they are, for the tab line.
    pub fn progress(&self) -> Option<String> {
        let many = self.many.as_ref().filter(|many| many.confirmed && self.write.is_some())?;
        Some(format!("webhooks {}/{}", many.ended.len(), many.ended.len() + 1 + many.waiting.len()))
    }
}

impl Assistants {
    pub(super) fn open_many(&mut self, cx: &mut Context) {
        let full = cx.data.all_assistants.value().is_some();
        let offered = Webhook::ALL.into_iter().filter(|webhook| full || *webhook != Webhook::PostCall);
        let items = offered.map(|webhook| Value::new(webhook.field(), webhook.label())).collect();
        let url = FormField::line("webhook_url", "URL", "").hint("empty turns it off");
        let choice = FormField::choice("webhook", "Webhook", items, Webhook::ConversationEnded.field());
        let mut form = Form::new(vec![choice, url]).quick();
        form.suggest("webhook_url", self.known_urls(None).first().map_or("", |url| &url.key));
        let listed = count(self.list.state.order().len() as u64, "assistant", "assistants");
        cx.open(FORM, FormDialog::new(format!("Webhook of {listed} listed"), "review", form));
        self.many_changed(cx);
    }

    pub(super) fn many_changed(&mut self, cx: &mut Context) {
        let Some((webhook, _)) = cx.overlays.form(FORM).map(|form| read(form)) else { return };
        let text = "A list of the changes is shown before anything is done.";
        let about = Details::new(0).text(text).styled(cx.options.theme.dim);
        let about = with_example(about, webhook, None, &cx.view());
        if let Some(dialog) = cx.overlays.dialog(FORM) {
            check(&mut dialog.form, "webhook_url", &self.known_urls(None));
            dialog.about = about;
        }
    }

    /// Opens the confirm dialog, with one line per change.
    pub(super) fn submit_many(&mut self, cx: &mut Context) {
        let Some(form) = cx.overlays.form(FORM) else { return };
        let (webhook, url) = read(form);
        let rows = self.list.state.order().iter().filter_map(|shown| self.list.source.get(shown.row));
        let (idle, changes): (Vec<_>, Vec<_>) =
            rows.map(|row| Change::new(row, webhook, url.clone())).partition(Change::is_idle);
        let already = count(idle.len() as u64, "assistant has", "assistants have");
        if changes.is_empty() {
            let fault = Fault::new("webhook_url", format!("Nothing changes: {already} this setting already."));
            drop(form.set_refused(vec![fault]));
            return;
        }
        let mut details = Details::new(NAMES);
        for change in &changes {
            details = details.wrapped(change.name.as_str(), words(change, cx.options.glyphs));
        }
        if !idle.is_empty() {
            details = details.text("").text(format!("{already} this setting already.")).styled(cx.options.theme.dim);
        }
        let on = if url.is_some() { "on" } else { "off" };
        let of = count(changes.len() as u64, "assistant", "assistants");
        let title = format!("Turn {on} {} of {of}?", webhook.label());
        self.webhooks.many = Some(Many { waiting: changes.into(), ..Many::default() });
        cx.open(CONFIRM, Confirm::new(title, details, "switch them"));
    }

    pub(super) fn confirm_many(&mut self, cx: &mut Context) {
        cx.overlays.close(FORM);
        if let Some(many) = &mut self.webhooks.many {
            (many.confirmed, self.webhooks.last) = (true, None);
            self.switch_next(cx);
        }
    }

    fn switch_next(&mut self, cx: &mut Context) {
        let Some(many) = &mut self.webhooks.many else { return };
        let next = if many.stopped.is_none() { many.waiting.pop_front() } else { None };
        if let Some(change) = next {
            self.switch(change, cx);
        }
    }

    /// Records an outcome and starts the next change, unless the failure would meet all others too.
    pub(super) fn go_on(&mut self, change: Change, failure: Option<&Failure>, cx: &mut Context) {
        let Some(many) = &mut self.webhooks.many else { return };
        let why = failure.map(explain);
        if let Some(failure) = failure {
            let of_this = matches!(failure.kind, FailureKind::Status { status: 400 | 404 | 409 | 422, .. });
            let refusal = change.refusal(failure, &cx.data);
            if !of_this || refusal == Refusal::NotOffered {
                many.stopped.get_or_insert(why.clone().unwrap_or_default());
            }
            if refusal == Refusal::NotOffered {
                self.webhooks.no_off |= (change.webhook, change.url.is_some()) == super::NO_OPPOSITE;
            }
        }
        let unknown = failure.is_some_and(|failure| failure.kind.is_unclear());
        let outcome = why.map(|why| if unknown { format!("unknown: {why}") } else { format!("not done: {why}") });
        many.ended.push((change, outcome));
        self.switch_next(cx);
        let done = |many: &Many| many.ended.iter().filter(|(_, outcome)| outcome.is_none()).count();
        if let Some(many) = self.webhooks.many.as_ref().filter(|_| self.webhooks.write.is_none()) {
            let all = many.ended.len() + many.waiting.len();
            cx.toast(format!("Switched {} of {}", done(many), count(all as u64, "assistant", "assistants")));
        }
    }

    /// Handles a key while outcomes are on screen. Esc stops the changes that are waiting, then closes.
    pub(in crate::ui::panes::assistants) fn act_on_many(&mut self, action: Action, cx: &mut Context) {
        let area = inspector_text(cx.body, cx.body);
        let details = self.outcomes(&cx.view());
        let Some(many) = &mut self.webhooks.many else { return };
        match action {
            Action::Move(motion) => many.scrolled = details.scroll(many.scrolled, motion, &cx.options, area),
            Action::Back if self.webhooks.write.is_some() => {
                many.stopped.get_or_insert("stopped with Esc".to_owned());
            }
            Action::Back => self.webhooks.many = None,
            _ => {}
        }
    }

    fn outcomes(&self, view: &View<'_>) -> Details {
        let Some(many) = &self.webhooks.many else { return Details::default() };
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let mut details = Details::new(NAMES).section("Webhooks, one assistant after the other");
        let mut row = |change: &Change, glyph: &str, text: String, style: Style| {
            let all = std::mem::take(&mut details);
            details = all.wrapped(change.name.as_str(), format!("{glyph} {text}")).styled(style);
        };
        for (change, outcome) in &many.ended {
            match outcome {
                None => row(change, glyphs.full, words(change, glyphs), theme.good),
                Some(why) => row(change, glyphs.cross, why.clone(), theme.failed),
            }
        }
        if let Some((_, change)) = &self.webhooks.write {
            row(change, glyphs.marker, format!("in flight  {}", words(change, glyphs)), theme.strong);
        }
        let later = if many.stopped.is_some() { "not done" } else { "waits" };
        for change in &many.waiting {
            row(change, glyphs.hollow, format!("{later}  {}", words(change, glyphs)), theme.dim);
        }
        match &many.stopped {
            Some(why) => details.text("").text(format!("Stopped: {why}.")).styled(theme.warning),
            None => details,
        }
    }

    pub(in crate::ui::panes::assistants) fn draw_many(&self, view: &View<'_>, buffer: &mut Buffer) {
        let scrolled = self.webhooks.many.as_ref().map_or(0, |many| many.scrolled);
        self.outcomes(view).draw(scrolled, view, inspector_text(view.body, view.body), buffer);
    }
}
