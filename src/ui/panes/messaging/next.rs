//! Who and what is selected after a message was confirmed, or was taken back.

use super::compose::Preset;
use super::format::not_sendable;
use super::{Messaging, Part, RowId};
use crate::messaging::Window;
use crate::records::{Intent, Watched};
use crate::ui::compose::Known;
use crate::ui::held::HeldSend;
use crate::ui::prelude::*;

impl Messaging {
    /// What the form of a message to this recipient opens with: the template selected in the list, unless their draft
    /// has one.
    pub(super) fn preset(&self, watched: Watched) -> Preset {
        let is_drafted = |draft: &crate::records::Draft| draft.phone == watched.phone && draft.template_id.is_some();
        let drafted = self.data.drafts.iter().any(is_drafted);
        let template_id = self.listed_template(watched.sender_id).filter(|_| !drafted);
        Preset { template_id, ..Preset::from(watched) }
    }

    /// The template that is selected for a sender, where it can be sent.
    fn listed_template(&self, sender_id: i64) -> Option<i64> {
        let shown = self.selected_template().filter(|_| self.templates_of == Some(sender_id));
        let shown = shown.and_then(|template| template.id.known()).copied();
        let id = shown.or_else(|| self.chosen_templates.get(&sender_id).copied())?;
        not_sendable(self.data.template(sender_id, id)?).is_none().then_some(id)
    }

    /// Selects a template of a sender, now or when the templates of that sender are shown.
    fn choose_template(&mut self, sender_id: i64, id: i64) {
        self.chosen_templates.insert(sender_id, id);
        if self.templates_of == Some(sender_id) {
            let height = self.height_of(Part::Templates);
            self.list_mut(Part::Templates).select((id, String::new()), height);
        }
    }

    /// A message was confirmed: its template is the one of the next message. Where it was begun in the list of windows,
    /// the next recipient is selected.
    pub(super) fn confirmed(&mut self, intent: &Intent, from_list: bool, cx: &Context) {
        if let Some(template) = intent.template() {
            self.choose_template(intent.sender_id, template.id);
        }
        if let Some(next) = self.next_recipient(intent, cx).filter(|_| from_list) {
            let height = self.height_of(Part::Windows);
            self.list_mut(Part::Windows).select(next, height);
        }
    }

    /// The recipient of the same sender whose window closes next: after this one, or else the first who is not being
    /// written to.
    fn next_recipient(&self, intent: &Intent, cx: &Context) -> Option<RowId> {
        let server_now = self.server_now(cx.now);
        let is_open = |key: &RowId| {
            let window = self.data.window(key.0, &key.1).map(|window| window.at(server_now));
            matches!(window, Some(Window::Open { .. }))
        };
        let held = cx.held.iter().map(|held| &held.sending.intent);
        let leaving: Vec<_> = held.chain(self.leaving.iter().map(|leaving| &leaving.sending.intent)).collect();
        let is_free = |key: &RowId| {
            let is_it = |intent: &&Intent| (intent.sender_id, &intent.phone) == (key.0, &key.1);
            key.0 == intent.sender_id && !is_it(&intent) && !leaving.iter().any(is_it)
        };
        let order = self.list(Part::Windows).order();
        let at = order.iter().position(|shown| (shown.id.0, &shown.id.1) == (intent.sender_id, &intent.phone))?;
        let open = is_open(&order[at].id);
        let mut behind = order[at + 1..].iter().map(|shown| &shown.id);
        let next = behind.find(|key| is_free(key) && is_open(key) == open);
        next.or_else(|| order.iter().map(|shown| &shown.id).find(|key| is_free(key) && is_open(key))).cloned()
    }

    /// A held message was taken back: its recipient and its template are selected again.
    pub(super) fn select_again(&mut self, held: &HeldSend, cx: &mut Context) {
        let intent = &held.sending.intent;
        if let Some(template) = intent.template() {
            self.choose_template(intent.sender_id, template.id);
        }
        if self.data.watch(intent.sender_id, &intent.phone).is_some() {
            let height = self.height_of(Part::Windows);
            self.list_mut(Part::Windows).select((intent.sender_id, intent.phone.clone()), height);
            self.follow_window(cx);
        }
    }
}
