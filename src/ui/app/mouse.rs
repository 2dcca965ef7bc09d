//! What the mouse does.

use super::{App, Popup};
use crate::ui::action::{Action, Motion, PaneId};
use crate::ui::input::{Key, KeyCode, Mouse, MouseKind};
use crate::ui::message::Effect;
use crate::ui::{draw, layout, popups};
use ratatui::layout::Rect;

impl App {
    pub(super) fn mouse(&mut self, mouse: Mouse, effects: &mut Vec<Effect>) {
        let inside = |area: Rect| area.contains((mouse.x, mouse.y).into());
        let motion = match mouse.kind {
            MouseKind::WheelUp => Some(Motion::Up),
            MouseKind::WheelDown => Some(Motion::Down),
            MouseKind::Press => None,
        };
        if self.popup.is_some() {
            if let Some(motion) = motion {
                (0..3).for_each(|_| self.scroll_popup(motion));
            } else if matches!(self.popup, Some(Popup::Help(_) | Popup::Messages(_)))
                && !popups::text_covers(self, (mouse.x, mouse.y).into())
            {
                self.popup_key(Key::plain(KeyCode::Esc), effects);
            }
            return;
        }
        let (areas, list, height) = (self.areas(), self.list_area(), self.list_height());
        if self.pane == PaneId::Messaging && inside(areas.body) {
            let (panes, mut cx) = self.parts(effects);
            match motion {
                Some(motion) => (0..3).for_each(|_| panes.messaging.wheel(mouse.x, mouse.y, motion, &mut cx)),
                None => {
                    if panes.messaging.click(mouse.x, mouse.y, &mut cx) {
                        self.act(Action::Open, effects);
                    }
                }
            }
            return;
        }
        match motion {
            Some(motion) if self.pane == PaneId::Conversations && inside(self.inspector_area()) => {
                (0..3).for_each(|_| self.scroll_inspector(motion));
            }
            Some(motion) if self.pane == PaneId::Activity && inside(self.details_area()) => {
                (0..3).for_each(|_| self.scroll_details(motion));
            }
            Some(motion) => (0..3).for_each(|_| self.step(motion, effects)),
            None if inside(areas.tabs) => {
                if let Some(pane) = draw::tab_at(mouse.x) {
                    self.act(Action::Go(pane), effects);
                }
            }
            None if inside(list) => {
                let row = usize::from(mouse.y - list.y);
                match self.pane {
                    PaneId::Conversations => self.conversations.click(row, height),
                    PaneId::Messaging => {}
                    PaneId::Activity => self.activity.click(row, height),
                }
            }
            None if self.pane == PaneId::Conversations => {
                let header = layout::conversations(areas.body, self.conversations.is_inspecting()).header;
                if inside(header) {
                    self.conversations.click_header(mouse.x, header, height);
                } else if inside(self.inspector_area()) {
                    self.conversations.click_inspector();
                }
            }
            None if inside(self.details_area()) => self.activity.read(height),
            None => {}
        }
    }
}
