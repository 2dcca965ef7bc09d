//! What the mouse does.

use super::App;
use crate::ui::action::{Action, Motion};
use crate::ui::input::{Mouse, MouseKind};
use crate::ui::overlay::Overlay;
use crate::ui::{draw, popups};

/// Rows that one turn of the wheel moves.
const WHEEL: usize = 3;

impl App {
    pub(super) fn mouse(&mut self, mouse: Mouse) {
        let at = (mouse.x, mouse.y).into();
        if let Some(layer) = self.cx.overlays.top() {
            match (mouse.kind, &layer.overlay) {
                (MouseKind::WheelUp, _) => (0..WHEEL).for_each(|_| self.scroll_overlay(Motion::Up)),
                (MouseKind::WheelDown, _) => (0..WHEEL).for_each(|_| self.scroll_overlay(Motion::Down)),
                (MouseKind::Press, Overlay::Help(_) | Overlay::Messages(_)) if !popups::text_covers(self, at) => {
                    self.act(Action::Back);
                }
                (MouseKind::Press, _) => self.overlay_click(mouse.x, mouse.y),
            }
            return;
        }
        let areas = self.areas();
        if areas.tabs.contains(at) {
            if let Some(pane) = draw::tab_at(mouse.x).filter(|_| mouse.kind == MouseKind::Press) {
                self.act(Action::Go(pane));
            }
            return;
        }
        if mouse.kind == MouseKind::Press && !areas.body.contains(at) {
            return;
        }
        let turns = if mouse.kind == MouseKind::Press { 1 } else { WHEEL };
        for _ in 0..turns {
            if let Some(action) = self.with_current(|pane, cx| pane.mouse(mouse, cx)).flatten() {
                self.act(action);
            }
        }
    }
}
