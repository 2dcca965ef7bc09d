//! What keys do in the pane.

use super::add;
use super::compose::{Preset, Snapshot};
use super::{Front, Messaging, Part, format, windows};
use crate::records::{StorageRequest, Watched};
use crate::ui::action::{Action, Motion};
use crate::ui::input::Input;
use crate::ui::panes::Context;
use crate::ui::widgets::input::TextInput;
use ratatui::layout::Rect;

impl Messaging {
    /// The body has another size, or other parts are in view.
    pub(super) fn resized(&mut self, cx: &Context<'_>) {
        self.body = cx.body;
        self.outbox.resize(cx.body);
        self.arrange_senders();
        self.arrange_templates();
        self.arrange_windows(cx.now);
    }

    pub(super) fn arrange_senders(&mut self) {
        let height = self.height_of(Part::Senders);
        self.senders.arrange(&mut self.known, height);
    }

    /// Lets a part have the keys.
    pub(super) fn focus(&mut self, part: Part, cx: &Context<'_>) {
        self.focus = part;
        if self.front == Front::Narrowing {
            self.front = Front::Parts;
        }
        // Where the parts share a place, one that was not on screen has another height now.
        self.resized(cx);
    }

    /// Moves the selection of what has the keys.
    pub(super) fn step(&mut self, motion: Motion, cx: &mut Context<'_>) {
        let height = self.height_of(self.focus);
        match self.focus {
            Part::Senders => {
                self.senders.list.step(motion, height);
                self.sender_chosen(cx);
            }
            Part::Templates => drop(self.templates.list.step(motion, height)),
            Part::Windows => {
                self.windows.list.step(motion, height);
                self.window_chosen(cx);
            }
        }
    }

    /// A person has selected a sender, and wants this one whichever window is selected.
    pub(super) fn sender_chosen(&mut self, cx: &mut Context<'_>) {
        self.senders.chosen = true;
        self.show_templates(cx);
    }

    pub(super) fn window_chosen(&mut self, cx: &mut Context<'_>) {
        self.senders.chosen = false;
        self.follow_window(cx);
    }

    /// While nobody has chosen a sender, selects the one of the selected window: what is seen beside it can be sent.
    pub(super) fn follow_window(&mut self, cx: &mut Context<'_>) {
        if self.senders.chosen || self.focus != Part::Windows {
            return;
        }
        let wanted = self.windows.selected(&self.known.windows).map(|watch| watch.sender_id);
        let Some(wanted) = wanted.filter(|id| self.sender().is_none_or(|sender| sender.id != *id)) else { return };
        if self.known.sender(wanted).is_some() {
            self.senders.list.select(wanted, self.height_of(Part::Senders));
            self.show_templates(cx);
        }
    }

    fn show_templates(&mut self, cx: &mut Context<'_>) {
        self.arrange_templates();
        self.want_all_templates(cx);
    }

    /// Does what an action means in the part that has the focus.
    pub(super) fn act_in_parts(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
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
            Action::Restore => self.restore(cx),
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
                    Part::Windows => self.windows.selected(&self.known.windows).map(|watch| watch.phone.clone()),
                    Part::Senders | Part::Templates => self.sender().and_then(|sender| sender.phone.clone()),
                };
                if let Some(number) = number {
                    cx.copy("Number", number);
                }
            }
            Action::Back => self.narrow(cx, |typed| *typed = TextInput::default()),
            _ => {}
        }
    }

    fn remove(&mut self, cx: &mut Context<'_>) {
        match self.focus {
            Part::Senders => {
                let Some(id) = self.sender().map(|sender| sender.id) else { return };
                self.senders.added.retain(|added| *added != id);
                self.known.templates.remove(&id);
                self.senders_changed(cx);
                self.store("The list of senders", StorageRequest::RemoveSender(id), cx);
                cx.toast(format!("Sender {id} removed"));
            }
            Part::Templates => {}
            Part::Windows => {
                let Some(watch) = self.windows.selected(&self.known.windows).cloned() else { return };
                let key = watch.key();
                cx.toast(format!("{} is no longer watched; u undoes it", watch.label()));
                self.removed.push(Watched { sender_id: watch.sender_id, phone: watch.phone, name: watch.name });
                if let Some(id) = windows::unwatch(&mut self.known.windows, &key) {
                    cx.cancel(id);
                }
                self.arrange_windows(cx.now);
                self.store("The watch list", StorageRequest::Unwatch { sender_id: key.0, phone: key.1 }, cx);
            }
        }
    }

    fn restore(&mut self, cx: &mut Context<'_>) {
        if let Some(watched) = self.removed.pop() {
            self.watch_and_select(watched, cx);
        }
    }

    fn watch_and_select(&mut self, watched: Watched, cx: &mut Context<'_>) {
        let key = (watched.sender_id, watched.phone.clone());
        self.watch(&[watched], cx);
        self.focus(Part::Windows, cx);
        self.windows.list.select(key, self.height_of(Part::Windows));
    }

    // The forms.

    /// The form of this name was submitted.
    pub(super) fn form_submitted(&mut self, name: &str, cx: &mut Context<'_>) {
        let Some(form) = cx.overlays.form(name) else { return };
        if name == add::SENDER {
            let Some(id) = add::sender(form) else { return };
            if !self.senders.added.contains(&id) {
                self.senders.added.push(id);
                self.store("The list of senders", StorageRequest::AddSender(id), cx);
            }
            self.arrange_senders();
            self.senders.list.select(id, self.height_of(Part::Senders));
            self.senders.chosen = true;
            self.senders_changed(cx);
        } else {
            let Some((phone, name)) = add::recipient(form, &cx.options) else { return };
            let Some(sender_id) = self.sender().map(|sender| sender.id) else { return };
            self.watch_and_select(Watched { sender_id, phone, name }, cx);
        }
        cx.overlays.close(name);
    }

    // Narrowing.

    /// Changes what narrows the part that has the focus.
    fn narrow<R>(&mut self, cx: &Context<'_>, change: impl FnOnce(&mut TextInput) -> R) {
        match self.focus {
            Part::Senders => {}
            Part::Templates => {
                change(&mut self.templates.list.narrow);
                self.arrange_templates();
            }
            Part::Windows => {
                change(&mut self.windows.list.narrow);
                self.arrange_windows(cx.now);
            }
        }
    }

    /// Does what an action means while the narrowing text has the keys.
    pub(super) fn act_in_narrowing(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Text(edit) => self.narrow(cx, |typed| typed.act(edit)),
            Action::Submit => self.front = Front::Parts,
            Action::Back => {
                self.front = Front::Parts;
                self.narrow(cx, |typed| *typed = TextInput::default());
            }
            _ => {}
        }
    }

    /// Takes text while the narrowing text or the view for many has the keys.
    pub(super) fn take_text(&mut self, input: &Input, cx: &mut Context<'_>) {
        match (&self.front, input) {
            (Front::Narrowing, input) => self.narrow(cx, |typed| typed.text(input)),
            (Front::Bulk, input) => self.with_bulk(cx, |bulk, _| bulk.text(input)),
            _ => {}
        }
    }

    // The composer.

    fn compose(&mut self, freeform: bool, cx: &mut Context<'_>) {
        let sender_id = self.sender().map(|sender| sender.id);
        let template = self.selected_template().filter(|_| self.focus == Part::Templates);
        let template_id = template.and_then(|template| template.id.known()).copied();
        let watch = self.windows.selected(&self.known.windows).filter(|_| self.focus == Part::Windows);
        let preset = match watch {
            Some(watch) => Preset {
                sender_id: Some(watch.sender_id),
                phone: Some(watch.phone.clone()),
                name: watch.name.clone(),
                template_id: None,
            },
            None => Preset { sender_id, template_id, ..Preset::default() },
        };
        self.open_composer(preset, freeform, cx);
    }

    /// Opens the form for this recipient.
    pub(super) fn write_to(&mut self, to: Watched, cx: &mut Context<'_>) {
        let Watched { sender_id, phone, name } = to;
        let preset = Preset { sender_id: Some(sender_id), phone: Some(phone), name, template_id: None };
        self.open_composer(preset, false, cx);
    }
}

/// What the composer and the outbox may look at.
pub(super) fn snapshot<'a>(
    known: &'a super::MessagingData,
    clock: &crate::messaging::ServerClock,
    body: Rect,
    cx: &'a Context<'_>,
) -> Snapshot<'a> {
    Snapshot {
        known,
        options: &cx.options,
        zone: cx.view().zone,
        now: cx.now,
        server_now: clock.now(cx.now.wall, cx.now.mono),
        body,
    }
}
