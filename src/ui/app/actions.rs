//! From a key to an action, and what the app does itself.

use super::App;
use crate::ui::action::{Action, Scope};
use crate::ui::input::{Input, Key, KeyCode};
use crate::ui::keymap::ALWAYS_QUITS;
use crate::ui::message::Effect;
use crate::ui::overlay::Overlay;
use crate::ui::pane::Pane;
use crate::ui::route::Route;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::Cursor;

impl App {
    pub(super) fn key(&mut self, key: Key) {
        let typing = self.is_typing() && key.typed().is_some();
        let everywhere = self.cx.options.keymap.action(&[Scope::EVERYWHERE], key).filter(|_| !typing);
        if everywhere == Some(Action::TakeBack) && self.holds() {
            // A few seconds are left: it goes before what the key means here otherwise.
            return self.act(Action::TakeBack);
        }
        let action = self.cx.options.keymap.action(self.scopes(), key).filter(|_| !typing);
        if let Some(behind) = key.behind_escape().filter(|_| action.is_none()) {
            self.key(Key::plain(KeyCode::Esc));
            return self.key(behind);
        }
        match action {
            _ if key == ALWAYS_QUITS => self.quit(),
            Some(action) => self.act(action),
            None if typing => self.text(&Input::Key(key)),
            None => self.other_key(),
        }
    }

    pub(super) fn text(&mut self, input: &Input) {
        if self.cx.overlays.top().is_some() {
            self.overlay_text(input);
        } else if self.is_typing() {
            self.with_current(|pane, cx| pane.text(input, cx));
        }
    }

    /// Does what an action says, wherever it comes from: a key, the palette, the mouse.
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Quit => self.quit(),
            Action::Suspend => self.leave(Effect::Suspend),
            Action::TakeBack if self.holds() => {
                self.other_key();
                let at = self.selected_hold().or_else(|| self.cx.held.len().checked_sub(1));
                if let Some(held) = at.map(|at| self.cx.held.remove(at)) {
                    self.cx.toast(format!("Taken back: {}", held.nothing_left()));
                    self.cx.let_go(&held);
                    self.with(held.owner, |pane, cx| pane.taken_back(&held, cx));
                } else if self.panes().any(Pane::holds) {
                    self.each(Pane::take_back);
                } else if let Some(id) = self.waiting() {
                    // What became of it follows, and is told then.
                    self.cx.cancel(id);
                }
            }
            Action::Redraw => self.cx.push(Effect::Redraw),
            Action::Help if !matches!(self.cx.overlays.top(), Some(Overlay::Help(_))) => {
                self.other_key();
                self.cx.overlays.push_own(Overlay::Help(Cursor::default()));
            }
            Action::Messages if !matches!(self.cx.overlays.top(), Some(Overlay::Messages(_))) => {
                self.cx.overlays.push_own(Overlay::Messages(0));
            }
            Action::Palette => self.cx.overlays.push_own(Overlay::Palette(TextInput::default(), Cursor::default())),
            Action::Go(pane) => {
                // Help and messages stay behind.
                self.cx.overlays.layers.retain(|layer| !layer.overlay.is_reader());
                self.follow(Route::Pane(pane));
            }
            _ if self.cx.overlays.top().is_some() => self.overlay_act(action),
            Action::Listen => self.follow(Route::Listen),
            Action::Calls => self.follow(Route::Calls),
            // An error is dismissed before anything else is closed: that is what Esc most likely means.
            Action::Back if self.cx.notices.dismiss() => {}
            action => {
                if let Some(reason) = self.disabled(action) {
                    self.cx.toast(format!("Not now: {reason}"));
                } else {
                    // The token may have been replaced since it was refused.
                    if action == Action::Refresh && self.health.is_signed_out() {
                        self.cx.push(Effect::Reconnect);
                    }
                    self.with_current(|pane, cx| pane.act(action, cx));
                }
            }
        }
    }
}
