//! From a key to an action, and what the app does itself.

use super::App;
use crate::ui::action::{Action, Scope};
use crate::ui::input::{Input, Key, KeyCode};
use crate::ui::keymap::ALWAYS_QUITS;
use crate::ui::message::Effect;
use crate::ui::overlay::Overlay;
use crate::ui::widgets::input::TextInput;

impl App {
    pub(super) fn key(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let typing = self.is_typing() && key.typed().is_some();
        let everywhere = self.options.keymap.action(&[Scope::EVERYWHERE], key).filter(|_| !typing);
        if everywhere == Some(Action::TakeBack) && !self.held.all().is_empty() {
            // A few seconds are left: it goes before what the key means here otherwise.
            return self.act(Action::TakeBack, effects);
        }
        let action = self.options.keymap.action(self.scopes(), key).filter(|_| !typing);
        if let Some(behind) = key.behind_escape().filter(|_| action.is_none()) {
            self.key(Key::plain(KeyCode::Esc), effects);
            return self.key(behind, effects);
        }
        match action {
            _ if key == ALWAYS_QUITS => self.quit(effects),
            Some(action) => self.act(action, effects),
            None if typing => self.text(&Input::Key(key), effects),
            None => self.other_key(),
        }
    }

    pub(super) fn text(&mut self, input: &Input, effects: &mut Vec<Effect>) {
        if !self.overlays.is_empty() {
            self.overlay_text(input, effects);
        } else if self.is_typing() {
            self.with(self.current, effects, |pane, cx| pane.text(input, cx));
        }
    }

    /// Does what an action says, wherever it comes from: a key, the palette, the mouse.
    pub(super) fn act(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::Quit => self.quit(effects),
            Action::Suspend => self.leave(Effect::Suspend, effects),
            Action::TakeBack if !self.held.all().is_empty() => {
                self.other_key();
                self.take_back();
            }
            Action::Redraw => effects.push(Effect::Redraw),
            Action::Help if !matches!(self.top_overlay(), Some(Overlay::Help(_))) => {
                self.other_key();
                self.overlays.push_own(Overlay::Help(0));
            }
            Action::Messages if !matches!(self.top_overlay(), Some(Overlay::Messages(_))) => {
                self.overlays.push_own(Overlay::Messages(0));
            }
            Action::Palette => {
                self.overlays.push_own(Overlay::Palette(TextInput::default(), 0));
            }
            Action::Go(pane) => {
                self.close_readers();
                self.go(pane, effects);
            }
            _ if !self.overlays.is_empty() => self.overlay_act(action, effects),
            // An error is dismissed before anything else is closed: that is what Esc most likely means.
            Action::Back if self.notices.dismiss() => {}
            action => {
                if let Some(reason) = self.disabled(action) {
                    self.notices.toast(format!("Not now: {reason}"), self.now);
                } else {
                    // The token may have been replaced since it was refused.
                    if action == Action::Refresh && self.health.is_signed_out() {
                        effects.push(Effect::Reconnect);
                    }
                    self.with(self.current, effects, |pane, cx| pane.act(action, cx));
                }
            }
        }
    }

    fn top_overlay(&self) -> Option<&Overlay> {
        self.overlays.top().map(|layer| &layer.overlay)
    }
}
