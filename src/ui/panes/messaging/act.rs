//! What keys do in the pane.

use super::add;
use super::compose::Preset;
use super::{Front, Messaging, Part, format};
use crate::records::{Resource, StorageRequest, Watched};
use crate::ui::compose::Known;
use crate::ui::prelude::*;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::Click;

impl Messaging {
    /// Lets a part have the keys.
    pub(super) fn focus(&mut self, part: Part, cx: &mut Context) {
        (self.focus, self.front) = (part, Front::Parts);
        // Where the parts share a place, one that was not on screen has another height now.
        self.resize(cx);
    }

    /// Moves the selection of what has the keys.
    pub(super) fn step(&mut self, motion: Motion, cx: &mut Context) {
        let height = self.height_of(self.focus);
        self.list_mut(self.focus).step(motion, height);
        self.selected(cx);
    }

    /// Takes a click or a turn of the wheel. A click on the row that was selected before opens it.
    pub(super) fn mouse_in_parts(
        &mut self,
        (x, y): (u16, u16),
        motion: Option<Motion>,
        cx: &mut Context,
    ) -> Option<Action> {
        let areas = self.areas();
        let lies = |part: &Part| areas.part(*part).title.union(areas.part(*part).rows).contains((x, y).into());
        let part = Part::ALL.into_iter().find(lies);
        let again = part == Some(self.focus);
        if let Some(part) = part {
            self.focus(part, cx);
        }
        if let Some(motion) = motion {
            self.step(motion, cx);
            return None;
        }
        let row = y.checked_sub(self.areas().part(part?).rows.y)? / self.focus.lines();
        let height = self.height_of(self.focus);
        let click = self.list_mut(self.focus).click(row.into(), height);
        if click != Click::Nothing {
            self.selected(cx);
        }
        (again && click == Click::Again && self.focus != Part::Senders).then_some(Action::Open)
    }

    /// A person has selected a row: this sender, whichever window is selected, or the one of this window.
    fn selected(&mut self, cx: &mut Context) {
        match self.focus {
            Part::Senders => {
                self.senders.chosen = true;
                self.show_templates(cx);
            }
            Part::Templates => {
                let id = self.selected_template().and_then(|template| template.id.known()).copied();
                self.chosen_templates.extend(self.templates_of.zip(id));
            }
            Part::Windows => {
                self.senders.chosen = false;
                self.follow_window(cx);
            }
        }
    }

    /// While nobody has chosen a sender, selects the one of the selected window: what is seen beside it can be sent.
    pub(super) fn follow_window(&mut self, cx: &mut Context) {
        let wanted = self.selected_window().filter(|_| !self.senders.chosen && self.focus == Part::Windows);
        let wanted = wanted.and_then(|watch| self.data.sender(watch.sender_id)).map(|sender| sender.id);
        if let Some(id) = wanted.filter(|id| self.sender().is_none_or(|sender| sender.id != *id)) {
            let height = self.height_of(Part::Senders);
            self.list_mut(Part::Senders).select((id, String::new()), height);
            self.show_templates(cx);
        }
    }

    /// Does what an action means in the part that has the focus, or for the text that narrows it.
    pub(super) fn act_in_parts(&mut self, action: Action, cx: &mut Context) {
        match action {
            Action::Move(motion) => self.step(motion, cx),
            Action::NextPart | Action::PreviousPart => self.focus(self.focus.other(action == Action::NextPart), cx),
            Action::Open if self.focus == Part::Senders => self.focus(Part::Templates, cx),
            Action::Open | Action::Send => self.compose(false, cx),
            Action::Freeform => self.compose(true, cx),
            Action::Add if self.focus == Part::Senders => cx.open(add::SENDER, add::sender_form()),
            Action::Add => {
                if let Some(sender) = self.sender() {
                    cx.open(add::RECIPIENT, add::recipient_form(&format::sender(sender)));
                }
            }
            Action::Remove => self.remove(cx),
            Action::Restore => {
                if let Some(watched) = self.removed.pop() {
                    self.watch_and_select(watched, cx);
                }
            }
            Action::Many => self.open_bulk(cx),
            Action::Outbox => {
                self.front = Front::Outbox;
                self.load_outbox(cx);
            }
            Action::Narrow => {
                if self.focus == Part::Senders {
                    self.focus(Part::Templates, cx);
                }
                self.front = Front::Narrowing;
            }
            Action::Refresh => self.refresh(cx),
            Action::Copy => {
                let number = match self.focus {
                    Part::Windows => self.selected_window().map(|watch| watch.phone.clone()),
                    Part::Senders | Part::Templates => self.sender().and_then(|sender| sender.phone.clone()),
                };
                cx.copy("Number", number);
            }
            Action::Text(edit) => self.narrow(cx, |typed| typed.act(edit)),
            Action::Submit => self.front = Front::Parts,
            Action::Back => {
                self.front = Front::Parts;
                self.narrow(cx, |typed| *typed = TextInput::default());
            }
            _ => {}
        }
    }

    fn remove(&mut self, cx: &mut Context) {
        match self.focus {
            Part::Senders => {
                let Some(id) = self.sender().map(|sender| sender.id) else { return };
                self.senders.added.retain(|added| *added != id);
                self.data.templates.remove(&id);
                self.senders_changed(cx);
                self.store("The list of senders", StorageRequest::RemoveId { resource: Resource::Sender, id }, cx);
                cx.toast(format!("Sender {id} removed"));
            }
            Part::Templates => {}
            Part::Windows => {
                let Some(watch) = self.selected_window().cloned() else { return };
                let key = watch.key();
                cx.toast(format!("{} is no longer watched; u undoes it", watch.label()));
                self.removed.push(watch.watched());
                self.data.windows.retain(|other| other.key() != key);
                if let Some(id) = watch.poll.in_flight {
                    cx.cancel(id);
                }
                self.arrange_windows(cx);
                self.store("The watch list", StorageRequest::Unwatch { sender_id: key.0, phone: key.1 }, cx);
            }
        }
    }

    fn watch_and_select(&mut self, watched: Watched, cx: &mut Context) {
        let key = (watched.sender_id, watched.phone.clone());
        self.watch(&[watched], cx);
        self.focus(Part::Windows, cx);
        let height = self.height_of(Part::Windows);
        self.list_mut(Part::Windows).select(key, height);
    }

    // The forms.

    /// The form of this name was submitted.
    pub(super) fn form_submitted(&mut self, name: &str, cx: &mut Context) {
        let Some(form) = cx.overlays.form(name) else { return };
        if name == add::SENDER {
            let Some(id) = add::sender(form) else { return };
            if !self.senders.added.contains(&id) {
                self.senders.added.push(id);
                self.store("The list of senders", StorageRequest::AddId { resource: Resource::Sender, id }, cx);
            }
            let height = self.height_of(Part::Senders);
            self.list_mut(Part::Senders).select((id, String::new()), height);
            self.senders.chosen = true;
            self.senders_changed(cx);
        } else {
            let from = self.sender().and_then(|sender| sender.phone.as_deref());
            let Some((phone, name)) = add::recipient(form, &cx.options, from) else { return };
            let Some(sender_id) = self.sender().map(|sender| sender.id) else { return };
            self.watch_and_select(Watched { sender_id, phone, name }, cx);
        }
        cx.overlays.close(name);
    }

    // Narrowing.

    /// Changes what narrows the part that has the focus.
    pub(super) fn narrow<R>(&mut self, cx: &mut Context, change: impl FnOnce(&mut TextInput) -> R) {
        change(&mut self.list_mut(self.focus).narrow);
        self.resize(cx);
    }

    // The composer.

    fn compose(&mut self, freeform: bool, cx: &mut Context) {
        let sender_id = self.sender().map(|sender| sender.id);
        let preset = match (self.focus, self.selected_window()) {
            (Part::Windows, Some(watch)) => self.preset(watch.watched()),
            (Part::Templates, _) => {
                let template_id = self.selected_template().and_then(|template| template.id.known()).copied();
                Preset { sender_id, template_id, ..Preset::default() }
            }
            _ => Preset { sender_id, ..Preset::default() },
        };
        self.open_composer(preset, freeform, cx);
    }
}

impl From<Watched> for Preset {
    fn from(Watched { sender_id, phone, name }: Watched) -> Self {
        Self { sender_id: Some(sender_id), phone: Some(phone), name, template_id: None }
    }
}
