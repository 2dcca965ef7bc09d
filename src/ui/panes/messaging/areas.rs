//! Where the parts of the pane lie, from its body, the focus, and how wide the content of senders and templates is.

use super::format::{category, not_sendable, sender, sender_about, text};
use super::{MessagingSender, Part};
use crate::api::Template;
use crate::ui::layout::AIRY;
use crate::ui::text::width;
use ratatui::layout::{Rect, Size};

/// From this width on all three parts of the Messaging pane stand side by side.
const THREE_FROM: u16 = 100;
/// From this width on templates tell their category.
pub const CATEGORY_FROM: u16 = 150;
/// Below this size there is room for one of them.
const PARTS_FROM: Size = Size { width: 60, height: 10 };

/// The columns that marker, scroll bar and the line to the left take of a part.
const AROUND: u16 = 4;

/// Columns that senders and templates need. They only grow, so that nothing moves twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    senders: u16,
    /// The names of templates.
    names: u16,
    /// Beside them, language and number of variables, or why a template cannot be sent.
    about: u16,
    /// The category.
    category: u16,
}

impl Default for Needs {
    fn default() -> Self {
        Self { senders: 22, names: 20, about: 8, category: 9 }
    }
}

impl Needs {
    /// Takes the senders into account.
    pub fn senders(&mut self, senders: &[MessagingSender]) {
        for row in senders {
            let state = row.status.as_ref().map_or("status unknown", |status| status.as_str());
            let about = sender_about(state, row, "·");
            self.senders = self.senders.max(columns(&sender(row))).max(columns(&about));
        }
    }

    /// Takes the templates of a sender into account.
    pub fn templates(&mut self, templates: &[Template]) {
        for row in templates {
            self.names = self.names.max(columns(&text(&row.name)));
            self.about = self.about.max(not_sendable(row).as_deref().map_or(0, columns).min(12));
            self.category = self.category.max(columns(&category(row)).min(12));
        }
    }
}

fn columns(text: &str) -> u16 {
    u16::try_from(width(text)).unwrap_or(u16::MAX)
}

/// The areas of one part of the Messaging pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartAreas {
    /// The line between it and the part to its left; without a width where there is none.
    pub edge: Rect,
    /// What it is called.
    pub title: Rect,
    /// Its rows.
    pub rows: Rect,
}

/// The areas of the Messaging pane. What does not fit has no width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagingAreas {
    parts: [PartAreas; 3],
    /// The text of the selected template, below a line; without a height where it does not fit.
    pub preview: Rect,
}

impl MessagingAreas {
    /// The areas of a part.
    pub fn part(&self, part: Part) -> PartAreas {
        self.parts[part as usize]
    }
}

/// The areas of the Messaging pane within its body; `focus` is the part that has the keys. Where there is no room for
/// three, senders and templates share a place, a narrow one while the windows have the focus; where there is room for
/// one, it is the focus. What senders and templates do not need goes to the windows.
pub fn of(body: Rect, focus: Part, needs: Needs) -> MessagingAreas {
    let one = body.width < PARTS_FROM.width || body.height < PARTS_FROM.height;
    let preview = match body.height {
        _ if one => 0,
        0..18 => 3,
        18..25 => 4,
        _ => 6,
    };
    let above = Rect { height: body.height - preview, ..body };
    let air = u16::from(!one && body.height >= AIRY);
    let part = |x: u16, width: u16| {
        let line = u16::from(x > 0 && width > 0);
        let edge = Rect { x: above.x + x, width: line, ..above };
        let title = Rect { x: edge.right(), width: width - line, height: above.height.min(1), ..above };
        let below = title.height + air;
        PartAreas { edge, title, rows: Rect { y: above.y + below, height: above.height - below, ..title } }
    };
    let width = body.width;
    let (senders, templates, windows) = match focus {
        Part::Senders if one => (width, 0, 0),
        Part::Templates if one => (0, width, 0),
        Part::Windows if one => (0, 0, width),
        Part::Senders if width < THREE_FROM => (width * 17 / 40, 0, width - width * 17 / 40),
        Part::Templates if width < THREE_FROM => (0, width * 17 / 40, width - width * 17 / 40),
        Part::Windows if width < THREE_FROM => (0, width * 12 / 40, width - width * 12 / 40),
        _ => {
            let Needs { senders, names, about, category } = needs;
            let (category, at_most) = if width < CATEGORY_FROM { (0, 14) } else { (category + 6, 20) };
            let senders = senders.saturating_add(AROUND + 1).min(at_most + width / 10);
            let templates = names.saturating_add(2 + about + category + AROUND).min(width * 3 / 10);
            (senders, templates, width - senders - templates)
        }
    };
    MessagingAreas {
        parts: [part(0, senders), part(senders, templates), part(senders + templates, windows)],
        preview: Rect { y: above.bottom(), height: preview, ..body },
    }
}

/// The line of a view's title, and the area below it, after a blank line where there is room.
pub fn titled(body: Rect) -> (Rect, Rect) {
    let top = (1 + u16::from(body.height >= 12)).min(body.height);
    let below = Rect { y: body.y + top, height: body.height - top, ..body };
    (inside(Rect { height: body.height.min(1), ..body }), below)
}

/// An area without its first and last column.
pub fn inside(area: Rect) -> Rect {
    Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_lie_in_the_body_and_apart(
            width in 0u16..250, height in 0u16..80, senders in 0u16..200, names in 0u16..200,
        ) {
            let body = Rect::new(0, 3, width, height);
            for focus in Part::ALL {
                let mut needs = Needs { names, ..Needs::default() };
                needs.senders = senders;
                let desk = of(body, focus, needs);
                let parts = Part::ALL.map(|part| desk.part(part));
                for area in parts.iter().flat_map(|part| [part.edge, part.title, part.rows]).chain([desk.preview]) {
                    prop_assert!(area.is_empty() || area.intersection(body) == area, "{area:?} in {body:?}");
                }
                prop_assert_eq!(desk.part(focus).rows.is_empty(), width == 0 || height < 2);
                for (one, other) in [(0, 1), (1, 2), (0, 2)] {
                    prop_assert!(parts[one].rows.intersection(parts[other].rows).is_empty());
                }
            }
        }
    }
}
