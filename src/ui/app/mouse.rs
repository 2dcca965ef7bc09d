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
        let turns = if mouse.kind == MouseKind::Press { 1 } else { WHEEL };
        if let Some(overlay) = self.cx.overlays.top() {
            match mouse.kind {
                MouseKind::WheelUp => (0..turns).for_each(|_| self.overlay_act(Action::Move(Motion::Up))),
                MouseKind::WheelDown => (0..turns).for_each(|_| self.overlay_act(Action::Move(Motion::Down))),
                MouseKind::Press if overlay.is_reader() => {
                    if !popups::reader_covers(self, at) {
                        self.act(Action::Back);
                    }
                }
                MouseKind::Press => self.in_form(|dialog| dialog.form.click(mouse.x, mouse.y)),
            }
            return;
        }
        let areas = self.areas();
        if areas.tabs.contains(at) {
            if let Some(pane) = draw::tab_at(areas.tabs, at).filter(|_| mouse.kind == MouseKind::Press) {
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
