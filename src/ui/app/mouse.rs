//! What the mouse does.

use super::App;
use crate::ui::action::{Action, Motion};
use crate::ui::input::{Mouse, MouseKind};
use crate::ui::{draw, popups};

/// Rows that one turn of the wheel moves.
const WHEEL: usize = 3;

impl App {
    pub(super) fn mouse(&mut self, mouse: Mouse) {
        let at = (mouse.x, mouse.y).into();
        let (turns, motion) = match mouse.kind {
            MouseKind::Press => (1, None),
            MouseKind::WheelUp => (WHEEL, Some(Motion::Up)),
            MouseKind::WheelDown => (WHEEL, Some(Motion::Down)),
        };
        if let Some(overlay) = self.cx.overlays.top() {
            match motion {
                Some(motion) => (0..turns).for_each(|_| self.overlay_act(Action::Move(motion))),
                None if !overlay.is_reader() => self.in_form(|form| form.click(mouse.x, mouse.y)),
                None if popups::reader_covers(self, at) => {}
                None => self.act(Action::Back),
            }
            return;
        }
        let areas = self.areas();
        if areas.tabs.contains(at) {
            if let Some(pane) = draw::tab_at(self, areas.tabs, at).filter(|_| mouse.kind == MouseKind::Press) {
                self.act(Action::Go(pane));
            }
            return;
        }
        if mouse.kind == MouseKind::Press && !areas.body.contains(at) {
            return;
        }
        for _ in 0..turns {
            if let Some(action) = self.with_current(|pane, cx| pane.mouse(mouse, cx)).flatten() {
                self.act(action);
            }
        }
    }
}
