//! What keys do while an overlay is in front.

use super::App;
use crate::ui::action::{Action, Motion};
use crate::ui::input::Input;
use crate::ui::message::Effect;
use crate::ui::overlay::Overlay;
use crate::ui::popups;
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

    pub(super) fn overlay_text(&mut self, input: &Input, _effects: &mut Vec<Effect>) {
        if let Some(Overlay::Palette(typed, marked)) = self.top_overlay_mut() {
            typed.text(input);
            *marked = 0;
        }
    }

    /// A key that does nothing in the overlay was pressed.
    pub(super) fn other_key(&mut self) {}

    pub(super) fn tick_overlay(&mut self, _effects: &mut Vec<Effect>) {}

    pub(super) fn next_overlay_change(&self) -> Option<Duration> {
        None
    }

    pub(super) fn scroll_overlay(&mut self, motion: Motion) {
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
            None => {}
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
