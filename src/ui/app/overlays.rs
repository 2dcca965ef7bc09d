//! What keys do while an overlay is in front.

use super::App;
use crate::ui::action::{Action, Motion};
use crate::ui::input::Input;
use crate::ui::message::Effect;
use crate::ui::overlay::{Overlay, OverlayEvent};
use crate::ui::popups;
use crate::ui::widgets::confirm::ConfirmEvent;
use crate::ui::widgets::form::{FormDialog, FormEvent};
use crate::ui::widgets::list::{Cursor, scroll};
use std::time::Duration;

impl App {
    pub(super) fn overlay_act(&mut self, action: Action) {
        match (action, self.cx.overlays.top().map(|layer| &layer.overlay)) {
            (Action::Submit, Some(Overlay::Palette(typed, marked))) => {
                let found = popups::commands(self, typed.value()).into_iter().nth(*marked);
                self.cx.overlays.pop();
                if let Some((binding, _)) = found {
                    self.act(binding.action);
                }
            }
            (action, Some(Overlay::Form(_))) => {
                let event = self.dialog().map_or(FormEvent::Ignored, |dialog| dialog.form.act(action));
                self.form_event(event);
            }
            (action, Some(Overlay::Confirm(_))) => {
                let screen = popups::screen(self);
                if let Some(Overlay::Confirm(confirm)) = self.cx.overlays.top_mut().map(|layer| &mut layer.overlay) {
                    let event = confirm.act(action, &self.cx.options, screen, self.cx.now.mono);
                    self.confirm_event(event);
                }
            }
            (Action::Back | Action::Help | Action::Messages, _) => {
                if let Some(Overlay::Messages(_)) = self.cx.overlays.pop().map(|layer| layer.overlay) {
                    self.cx.notices.read_all();
                }
            }
            (Action::Move(motion), _) => self.scroll_overlay(motion),
            (Action::Text(edit), _) => {
                if let Some(Overlay::Palette(typed, marked)) = self.top_overlay_mut() {
                    typed.act(edit);
                    *marked = 0;
                }
            }
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
        let Some(layer) = self.cx.overlays.pop() else { return };
        if let Some(owner) = layer.owner {
            self.with(owner, |pane, cx| pane.overlay(told(layer.name), cx));
        }
    }

    pub(super) fn overlay_text(&mut self, input: &Input) {
        let now = self.cx.now.mono;
        match self.top_overlay_mut() {
            Some(Overlay::Confirm(confirm)) => confirm.text(input, now),
            Some(Overlay::Palette(typed, marked)) => {
                typed.text(input);
                *marked = 0;
            }
            Some(Overlay::Form(_)) => {
                let event = self.dialog().map_or(FormEvent::Ignored, |dialog| dialog.form.text(input));
                self.form_event(event);
            }
            _ => {}
        }
    }

    pub(super) fn overlay_click(&mut self, x: u16, y: u16) {
        let event = self.dialog().map_or(FormEvent::Ignored, |dialog| dialog.form.click(x, y));
        self.form_event(event);
    }

    /// The form in front, told where it is drawn.
    fn dialog(&mut self) -> Option<&mut FormDialog> {
        let screen = popups::screen(self);
        let Some(Overlay::Form(dialog)) = self.top_overlay_mut() else { return None };
        dialog.resize(screen);
        Some(dialog)
    }

    fn form_event(&mut self, event: FormEvent) {
        let Some((Some(owner), name)) = self.cx.overlays.top().map(|layer| (layer.owner, layer.name)) else { return };
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
            let (text, path) = (form.text_of(form.focused()).to_owned(), form.focused().to_owned());
            self.cx.push(Effect::EditText(text));
            self.editing = Some((name, path));
        }
    }

    /// The editor has been closed: the text goes back into the field it came from.
    pub(super) fn edited(&mut self, result: Result<String, String>) {
        let editing = self.editing.take();
        let text = match result {
            Ok(text) => text,
            Err(why) => return self.cx.problem(format!("The text is as it was: {why}.")),
        };
        let Some((name, path)) = editing else {
            self.with_current(|pane, cx| pane.edited(&text, cx));
            return;
        };
        if let Some(form) = self.cx.overlays.form(name) {
            form.set(&path, &text);
            self.form_event(FormEvent::Changed);
        } else {
            self.cx.problem("The form was closed meanwhile. Its text is in the clipboard.");
            self.cx.push(Effect::Copy(text));
        }
    }

    /// A key was pressed that is no answer to the overlay.
    pub(super) fn other_key(&mut self) {
        let now = self.cx.now.mono;
        if let Some(Overlay::Confirm(confirm)) = self.top_overlay_mut() {
            confirm.other_key(now);
        }
    }

    pub(super) fn tick_overlay(&mut self) {
        let now = self.cx.now.mono;
        if let Some(Overlay::Confirm(confirm)) = self.top_overlay_mut() {
            let event = confirm.tick(now);
            self.confirm_event(event);
        }
    }

    pub(super) fn next_overlay_change(&self) -> Option<Duration> {
        match &self.cx.overlays.top()?.overlay {
            Overlay::Confirm(confirm) => confirm.next_change(self.cx.now.mono),
            _ => None,
        }
    }

    pub(super) fn scroll_overlay(&mut self, motion: Motion) {
        let screen = popups::screen(self);
        if let Some(Overlay::Confirm(confirm)) = self.cx.overlays.top_mut().map(|layer| &mut layer.overlay) {
            confirm.act(Action::Move(motion), &self.cx.options, screen, self.cx.now.mono);
            return;
        }
        let (length, height) = popups::text_size(self);
        let rows = match self.cx.overlays.top().map(|layer| &layer.overlay) {
            Some(Overlay::Palette(typed, _)) => popups::commands(self, typed.value()).len(),
            _ => popups::help_rows(self),
        };
        match self.top_overlay_mut() {
            Some(Overlay::Messages(at)) => *at = scroll(*at, motion, length, height),
            Some(Overlay::Help(marked) | Overlay::Palette(_, marked)) => {
                let mut cursor = Cursor { at: *marked, offset: 0 };
                cursor.step(motion, rows, usize::from(popups::SHOWN));
                *marked = cursor.at;
            }
            Some(Overlay::Form(_) | Overlay::Confirm(_)) | None => {}
        }
    }

    /// Closes help and messages, which stay behind when one goes elsewhere.
    pub(super) fn close_readers(&mut self) {
        while matches!(self.top_overlay_mut(), Some(Overlay::Help(_) | Overlay::Messages(_))) {
            self.cx.overlays.pop();
        }
    }

    fn top_overlay_mut(&mut self) -> Option<&mut Overlay> {
        self.cx.overlays.top_mut().map(|layer| &mut layer.overlay)
    }
}
