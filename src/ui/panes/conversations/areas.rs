//! Where the parts of the pane lie, from its body alone.

use crate::ui::layout::AIRY;
use ratatui::layout::Rect;

/// From this width on the inspector stands beside the list.
const INSPECTOR_FROM: u16 = 96;

/// Columns of the inspector beside the list at most.
const INSPECTOR_MAX: u16 = 84;
/// From so many rows on what is read has two lines above it, and a blank one.
const HEAD_FROM: u16 = 12;

/// The areas of the Conversations pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationAreas {
    /// Total, filters, page.
    pub status: Rect,
    /// The table with its header; empty where the inspector hides it.
    pub list: Rect,
    /// The inspector; without a width where it does not fit beside the list.
    pub inspector: Rect,
}

/// The areas within the pane's body; `open` where the inspector has the focus.
pub fn of(body: Rect, open: bool) -> ConversationAreas {
    let status = Rect { height: body.height.min(1), ..body };
    let air = u16::from(body.height >= AIRY);
    let below = Rect { y: body.y + status.height + air, height: body.height - status.height - air, ..body };
    let (list, inspector) = match (body.width >= INSPECTOR_FROM, open) {
        (true, _) => {
            let wide = (body.width * 2 / 5).min(INSPECTOR_MAX);
            let list = Rect { width: below.width - wide, ..below };
            (list, Rect { x: list.right(), width: wide, ..below })
        }
        (false, true) => (Rect { width: 0, height: 0, ..below }, below),
        (false, false) => (below, Rect { x: below.right(), width: 0, ..below }),
    };
    ConversationAreas { status, list, inspector }
}

/// The areas of a conversation with its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingAreas {
    /// Whose conversation it is.
    pub head: Rect,
    /// The messages.
    pub body: Rect,
    /// The line of a reply.
    pub foot: Rect,
}

impl ReadingAreas {
    /// What facts and JSON have: all above the reply.
    pub fn all_but_foot(&self) -> Rect {
        Rect { height: self.foot.y - self.head.y, ..self.head }
    }
}

/// The areas within the text of the inspector; `foot` rows are for a reply.
pub fn reading(text: Rect, foot: u16) -> ReadingAreas {
    let (head, air) = if text.height >= HEAD_FROM { (2, 1) } else { (text.height.min(1), 0) };
    let foot = foot.min(text.height - head - air);
    let head = Rect { height: head, ..text };
    let body = Rect { y: head.bottom() + air, height: text.height - head.height - air - foot, ..text };
    ReadingAreas { head, body, foot: Rect { y: body.bottom(), height: foot, ..text } }
}

/// Where the table lies, also while the inspector hides it: the list stays where it was.
pub fn table(body: Rect) -> Rect {
    of(body, false).list
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_lie_in_the_body_and_apart(width in 0u16..250, height in 0u16..80, open: bool) {
            let body = Rect::new(0, 3, width, height);
            let pane = of(body, open);
            for area in [pane.status, pane.list, pane.inspector] {
                prop_assert!(area.is_empty() || area.intersection(body) == area, "{area:?} in {body:?}");
            }
            prop_assert!(pane.list.intersection(pane.inspector).is_empty());
        }

        #[test]
        fn what_is_read_lies_in_the_inspector_and_apart(width in 0u16..250, height in 0u16..80, foot in 0u16..5) {
            let text = Rect::new(2, 3, width, height);
            let areas = reading(text, foot);
            for area in [areas.head, areas.body, areas.foot] {
                prop_assert!(area.is_empty() || area.intersection(text) == area, "{area:?} in {text:?}");
            }
            prop_assert!(areas.head.bottom() <= areas.body.y && areas.body.bottom() == areas.foot.y);
        }
    }

    #[test]
    fn eighty_by_twenty_four_shows_seventeen_rows() {
        assert_eq!(crate::ui::widgets::table::height(table(Rect::new(0, 3, 80, 19))), 17);
    }
}
