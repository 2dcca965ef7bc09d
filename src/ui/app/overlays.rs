//! What keys do while an overlay is in front.

use super::App;
use crate::ui::action::{Action, Motion};
use crate::ui::input::Input;
use crate::ui::message::Effect;
use crate::ui::overlay::{Overlay, OverlayEvent};
use crate::ui::popups;
use crate::ui::registry::PANES;
use crate::ui::widgets::confirm::ConfirmEvent;
use crate::ui::widgets::form::{FormDialog, FormEvent};
use crate::ui::widgets::list::{Cursor, scroll};
use std::time::Duration;

impl App {
    pub(super) fn overlay_act(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match (action, self.overlays.top().map(|layer| &layer.overlay)) {
            (Action::Submit, Some(Overlay::Palette(typed, marked))) => {
                let found = popups::commands(self, typed.value()).into_iter().nth(*marked);
                self.overlays.pop();
                if let Some((binding, _)) = found {
                    self.act(binding.action, effects);
                }
            }
            (action, Some(Overlay::Form(_))) => {
                let event = self.dialog().map_or(FormEvent::Ignored, |dialog| dialog.form.act(action));
                self.form_event(event, effects);
            }
            (action, Some(Overlay::Confirm(_))) => {
                let screen = popups::screen(self);
                if let Some(Overlay::Confirm(confirm)) = self.overlays.top_mut().map(|layer| &mut layer.overlay) {
                    let event = confirm.act(action, &self.options, screen, self.now.mono);
                    self.confirm_event(event, effects);
                }
            }
            (Action::Back | Action::Help | Action::Messages, _) => {
                if let Some(Overlay::Messages(_)) = self.overlays.pop().map(|layer| layer.overlay) {
                    self.notices.read_all();
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

    fn confirm_event(&mut self, event: ConfirmEvent, effects: &mut Vec<Effect>) {
        let told = match event {
            ConfirmEvent::Open => return,
            ConfirmEvent::Confirmed => OverlayEvent::Confirmed,
            ConfirmEvent::Cancelled => OverlayEvent::Cancelled,
        };
        // It is gone before its pane hears of it, so nothing is confirmed twice.
        let Some(layer) = self.overlays.pop() else { return };
        if let Some(at) = PANES.iter().position(|pane| Some(pane.id) == layer.owner) {
            self.with(at, effects, |pane, cx| pane.overlay(told(layer.name), cx));
        }
    }

    pub(super) fn overlay_text(&mut self, input: &Input, effects: &mut Vec<Effect>) {
        let now = self.now.mono;
        match self.top_overlay_mut() {
            Some(Overlay::Confirm(confirm)) => confirm.text(input, now),
            Some(Overlay::Palette(typed, marked)) => {
                typed.text(input);
                *marked = 0;
            }
            Some(Overlay::Form(_)) => {
                let event = self.dialog().map_or(FormEvent::Ignored, |dialog| dialog.form.text(input));
                self.form_event(event, effects);
            }
            _ => {}
        }
    }

    pub(super) fn overlay_click(&mut self, x: u16, y: u16, effects: &mut Vec<Effect>) {
        let event = self.dialog().map_or(FormEvent::Ignored, |dialog| dialog.form.click(x, y));
        self.form_event(event, effects);
    }

    /// The form in front, told where it is drawn.
    fn dialog(&mut self) -> Option<&mut FormDialog> {
        let screen = popups::screen(self);
        let Some(Overlay::Form(dialog)) = self.top_overlay_mut() else { return None };
        dialog.resize(screen);
        Some(dialog)
    }

    fn form_event(&mut self, event: FormEvent, effects: &mut Vec<Effect>) {
        let Some((owner, name)) = self.overlays.top().map(|layer| (layer.owner, layer.name)) else { return };
        let Some(at) = PANES.iter().position(|pane| Some(pane.id) == owner) else { return };
        let told = match event {
            FormEvent::Ignored | FormEvent::Moved => return,
            FormEvent::Changed | FormEvent::Focused => OverlayEvent::Changed(name),
            FormEvent::Submit => OverlayEvent::Submitted(name),
            FormEvent::Cancel => OverlayEvent::Cancelled(name),
            FormEvent::OpenEditor => return self.open_editor(name, effects),
        };
        self.with(at, effects, |pane, cx| pane.overlay(told, cx));
        if event == FormEvent::Cancel {
            self.overlays.close(name);
        }
    }

    fn open_editor(&mut self, name: &'static str, effects: &mut Vec<Effect>) {
        if let Some(form) = self.overlays.form(name) {
            effects.push(Effect::EditText(form.text_of(form.focused()).to_owned()));
            self.editing = Some((name, form.focused().to_owned()));
        }
    }

    /// The editor has been closed: the text goes back into the field it came from.
    pub(super) fn edited(&mut self, result: Result<String, String>, effects: &mut Vec<Effect>) {
        let editing = self.editing.take();
        let text = match result {
            Ok(text) => text,
            Err(why) => return self.notices.problem(format!("The text is as it was: {why}."), self.now),
        };
        let Some((name, path)) = editing else {
            return self.with(self.current, effects, |pane, cx| pane.edited(&text, cx));
        };
        if let Some(form) = self.overlays.form(name) {
            form.set(&path, &text);
            self.form_event(FormEvent::Changed, effects);
        } else {
            self.notices.problem("The form was closed meanwhile. Its text is in the clipboard.", self.now);
            effects.push(Effect::Copy(text));
        }
    }

    /// A key was pressed that is no answer to the overlay.
    pub(super) fn other_key(&mut self) {
        let now = self.now.mono;
        if let Some(Overlay::Confirm(confirm)) = self.top_overlay_mut() {
            confirm.other_key(now);
        }
    }

    pub(super) fn tick_overlay(&mut self, effects: &mut Vec<Effect>) {
        let now = self.now.mono;
        if let Some(Overlay::Confirm(confirm)) = self.top_overlay_mut() {
            let event = confirm.tick(now);
            self.confirm_event(event, effects);
        }
    }

    pub(super) fn next_overlay_change(&self) -> Option<Duration> {
        match &self.overlays.top()?.overlay {
            Overlay::Confirm(confirm) => confirm.next_change(self.now.mono),
            _ => None,
        }
    }

    pub(super) fn scroll_overlay(&mut self, motion: Motion) {
        let screen = popups::screen(self);
        if let Some(Overlay::Confirm(confirm)) = self.overlays.top_mut().map(|layer| &mut layer.overlay) {
            confirm.act(Action::Move(motion), &self.options, screen, self.now.mono);
            return;
        }
        let (length, height) = popups::text_size(self);
        let rows = match self.overlays.top().map(|layer| &layer.overlay) {
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
            self.overlays.pop();
        }
    }

    fn top_overlay_mut(&mut self) -> Option<&mut Overlay> {
        self.overlays.top_mut().map(|layer| &mut layer.overlay)
    }
}
