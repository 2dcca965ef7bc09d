//! What keys do while an overlay is in front.

use super::App;
use crate::ui::action::{Action, Motion};
use crate::ui::input::Input;
use crate::ui::message::Effect;
use crate::ui::overlay::{Layer, Overlay, OverlayEvent};
use crate::ui::popups;
use crate::ui::widgets::confirm::{Confirm, ConfirmEvent};
use crate::ui::widgets::form::{Form, FormEvent};
use crate::ui::widgets::list::{Cursor, scroll};

impl App {
    pub(super) fn overlay_act(&mut self, action: Action) {
        let screen = popups::screen(self);
        match (action, self.cx.overlays.top_mut()) {
            (Action::Move(motion), Some(Overlay::Form(dialog))) if dialog.scrolls() => {
                dialog.scroll(motion, &self.cx.options, screen);
            }
            (action, Some(Overlay::Form(_))) => self.in_form(|form| form.act(action)),
            (action, Some(Overlay::Confirm(confirm))) => {
                let event = confirm.act(action, &self.cx.options, screen, self.cx.now.mono);
                self.confirm_event(event);
            }
            (Action::Text(edit), Some(Overlay::Palette(typed, marked))) => {
                typed.act(edit);
                *marked = Cursor::default();
            }
            (Action::Submit, Some(Overlay::Palette(typed, marked))) => {
                let (typed, marked) = (std::mem::take(typed), marked.at);
                let found = popups::commands(self, typed.value()).into_iter().nth(marked);
                self.cx.overlays.layers.pop();
                if let Some((binding, _)) = found {
                    self.act(binding.action);
                }
            }
            (Action::Back | Action::Help | Action::Messages, Some(overlay)) => {
                if let Overlay::Messages(_) = overlay {
                    self.cx.notices.read_all();
                }
                self.cx.overlays.layers.pop();
            }
            (Action::Move(motion), _) => self.move_through(motion),
            _ => {}
        }
    }

    fn confirm_event(&mut self, event: ConfirmEvent) {
        let told = match event {
            ConfirmEvent::Open => return,
            ConfirmEvent::Confirmed => OverlayEvent::Confirmed,
            ConfirmEvent::Cancelled => OverlayEvent::Cancelled,
        };
        // It is gone before its pane hears of it, so nothing is confirmed twice.
        match self.cx.overlays.layers.pop() {
            Some(Layer { owner: Some(owner), name, .. }) => {
                self.with(owner, |pane, cx| pane.overlay(told(name), cx));
            }
            Some(Layer { owner: None, name, .. }) => self.cx.answer_link(told(name)),
            None => {}
        }
    }

    pub(super) fn overlay_text(&mut self, input: &Input) {
        let now = self.cx.now.mono;
        match self.cx.overlays.top_mut() {
            Some(Overlay::Confirm(confirm)) => confirm.text(input, now),
            Some(Overlay::Palette(typed, marked)) => {
                typed.text(input);
                *marked = Cursor::default();
            }
            _ => self.in_form(|form| form.text(input)),
        }
    }

    /// Does something in the form in front, once the form knows where it is drawn.
    pub(super) fn in_form(&mut self, does: impl FnOnce(&mut Form) -> FormEvent) {
        let screen = popups::screen(self);
        if let Some(Overlay::Form(dialog)) = self.cx.overlays.top_mut() {
            dialog.resize(&self.cx.options, screen);
            let event = does(&mut dialog.form);
            self.form_event(event);
        }
    }

    fn form_event(&mut self, event: FormEvent) {
        let Some(&Layer { owner: Some(owner), name, .. }) = self.cx.overlays.layers.last() else { return };
        let told = match event {
            FormEvent::Ignored | FormEvent::Moved => return,
            FormEvent::Changed | FormEvent::Focused => OverlayEvent::Changed(name),
            FormEvent::Submit => OverlayEvent::Submitted(name),
            FormEvent::Cancel => OverlayEvent::Cancelled(name),
            FormEvent::OpenEditor => return self.open_editor(name),
        };
        self.with(owner, |pane, cx| pane.overlay(told, cx));
        if event == FormEvent::Cancel {
            self.cx.overlays.close(name);
        }
    }

    fn open_editor(&mut self, name: &'static str) {
        if let Some(form) = self.cx.overlays.form(name) {
            self.editing = Some((name, form.focused().to_owned()));
            let text = form.text_of(form.focused()).to_owned();
            self.cx.push(Effect::EditText(text));
        }
    }

    /// The editor has been closed: the text goes back into the field it came from.
    pub(super) fn edited(&mut self, result: Result<String, String>) {
        match (result, self.editing.take()) {
            (Err(why), _) => self.cx.problem(format!("The text is as it was: {why}.")),
            (Ok(text), None) => _ = self.with_current(|pane, cx| pane.edited(&text, cx)),
            (Ok(text), Some((name, path))) => {
                if let Some(form) = self.cx.overlays.form(name) {
                    form.set(&path, &text);
                    self.form_event(FormEvent::Changed);
                } else {
                    self.cx.problem("The form was closed meanwhile. Its text is in the clipboard.");
                    self.cx.push(Effect::Copy(text));
                }
            }
        }
    }

    /// The confirm dialog, where it is in front.
    pub(super) fn confirm(&mut self) -> Option<&mut Confirm> {
        if let Some(Overlay::Confirm(confirm)) = self.cx.overlays.top_mut() { Some(confirm) } else { None }
    }

    /// A key was pressed that is no answer to the overlay.
    pub(super) fn other_key(&mut self) {
        let now = self.cx.now.mono;
        if let Some(confirm) = self.confirm() {
            confirm.other_key(now);
        }
    }

    pub(super) fn tick_overlay(&mut self) {
        let now = self.cx.now.mono;
        if let Some(event) = self.confirm().map(|confirm| confirm.tick(now)) {
            self.confirm_event(event);
        }
    }

    /// Moves through help, messages or the palette.
    fn move_through(&mut self, motion: Motion) {
        let (length, height) = popups::extent(self);
        match self.cx.overlays.top_mut() {
            Some(Overlay::Messages(at)) => *at = scroll(*at, motion, length, height),
            Some(Overlay::Help(cursor) | Overlay::Palette(_, cursor)) => cursor.step(motion, length, height),
            _ => {}
        }
    }
}
