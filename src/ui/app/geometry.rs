//! Where things lie, from the state alone.

use super::App;
use crate::ui::action::PaneId;
use crate::ui::layout::{self, Areas};
use ratatui::layout::Rect;

impl App {
    pub(in crate::ui) fn areas(&self) -> Areas {
        layout::areas(self.size)
    }

    /// Where the rows of the pane lie; the Messaging pane has lists of its own.
    pub(super) fn list_area(&self) -> Rect {
        let body = self.areas().body;
        match self.pane {
            PaneId::Conversations => layout::conversations(body, self.conversations.is_inspecting()).rows,
            PaneId::Messaging => Rect::default(),
            PaneId::Activity => layout::activity(body, self.activity.is_open()).rows,
        }
    }

    /// Rows in view, also while the inspector hides them: the list stays where it was.
    pub(super) fn list_height(&self) -> usize {
        let body = self.areas().body;
        let rows = match self.pane {
            PaneId::Conversations | PaneId::Messaging => layout::conversations(body, false).rows,
            PaneId::Activity => layout::activity(body, self.activity.is_open()).rows,
        };
        usize::from(rows.height)
    }

    pub(super) fn inspector_area(&self) -> Rect {
        layout::conversations(self.areas().body, self.conversations.is_inspecting()).inspector
    }

    /// The details of a request; without a height where they are not shown.
    pub(super) fn details_area(&self) -> Rect {
        layout::activity(self.areas().body, self.activity.is_open()).details
    }
}
