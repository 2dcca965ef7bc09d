//! Where everything lies, from the size alone: the same answer for drawing, for the mouse and for page keys.

use super::panes::messaging::Part;
use ratatui::layout::{Rect, Size};

/// From this width on the inspector stands beside the list.
pub const INSPECTOR_FROM: u16 = 96;
/// From this height on a body has room for an empty line.
const AIRY: u16 = 25;
/// Below this there is one list and the bottom line.
const SMALL: Size = Size { width: 60, height: 15 };
/// Below this there is one sentence.
const TOO_SMALL: Size = Size { width: 24, height: 5 };

/// How much of the frame fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Only a sentence.
    TooSmall,
    /// The pane and the bottom line.
    Small,
    /// All of it.
    Full,
}

/// The areas of the screen; those that do not fit have no height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// How much of the frame fits.
    pub frame: Frame,
    /// Name, profile, connection.
    pub title: Rect,
    /// The panes.
    pub tabs: Rect,
    /// A line below the tabs.
    pub rule: Rect,
    /// The pane.
    pub body: Rect,
    /// A line above the keys; toasts and problems show here.
    pub notice: Rect,
    /// The keys that matter here.
    pub bottom: Rect,
}

/// The areas of a screen of this size.
pub fn areas(size: Size) -> Areas {
    let Size { width, height } = size;
    let line = |y: u16| Rect::new(0, y, width, 1).intersection(Rect::new(0, 0, width, height));
    let none = Rect::new(0, 0, width, 0);
    if width < TOO_SMALL.width || height < TOO_SMALL.height {
        let body = Rect::new(0, 0, width, height);
        return Areas { frame: Frame::TooSmall, title: none, tabs: none, rule: none, body, notice: none, bottom: none };
    }
    let (notice, bottom) = (line(height - 2), line(height - 1));
    if width < SMALL.width || height < SMALL.height {
        let body = Rect::new(0, 0, width, height - 2);
        return Areas { frame: Frame::Small, title: none, tabs: none, rule: none, body, notice, bottom };
    }
    let body = Rect::new(0, 3, width, height - 5);
    Areas { frame: Frame::Full, title: line(0), tabs: line(1), rule: line(2), body, notice, bottom }
}

/// The areas of the Conversations pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationAreas {
    /// Total, filters, page.
    pub status: Rect,
    /// The names of the columns.
    pub header: Rect,
    /// The rows.
    pub rows: Rect,
    /// The inspector; without a width where it does not fit beside the list.
    pub inspector: Rect,
}

/// The areas of the Conversations pane within its body; `open` where the inspector has the focus.
pub fn conversations(body: Rect, open: bool) -> ConversationAreas {
    let status = Rect { height: body.height.min(1), ..body };
    let air = u16::from(body.height >= AIRY);
    let below = Rect { y: body.y + status.height + air, height: body.height - status.height - air, ..body };
    let beside = body.width >= INSPECTOR_FROM;
    let (list, inspector) = match (beside, open) {
        (true, _) => {
            let wide = (body.width * 2 / 5).min(56);
            let list = Rect { width: below.width - wide, ..below };
            (list, Rect { x: list.right(), width: wide, ..below })
        }
        (false, true) => (Rect { width: 0, height: 0, ..below }, below),
        (false, false) => (below, Rect { x: below.right(), width: 0, ..below }),
    };
    let header = Rect { height: list.height.min(1), ..list };
    let rows = Rect { y: list.y + header.height, height: list.height - header.height, ..list };
    ConversationAreas { status, header, rows, inspector }
}

/// Where the columns of a list's row lie: behind the marker.
pub fn list_row(row: Rect) -> Rect {
    Rect { x: row.x + 2.min(row.width), width: row.width.saturating_sub(3), ..row }
}

/// Where the inspector's text lies: beside a list it keeps off the line between them.
pub fn inspector_text(inspector: Rect, body: Rect) -> Rect {
    let margin = if inspector.width < body.width { 3 } else { 2 };
    Rect {
        x: inspector.x + margin.min(inspector.width),
        width: inspector.width.saturating_sub(margin + 1),
        ..inspector
    }
}

/// The areas of the Activity pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivityAreas {
    /// The names of the columns.
    pub header: Rect,
    /// The requests.
    pub rows: Rect,
    /// The details of one; without a height where they are not shown.
    pub details: Rect,
}

/// The areas of the Activity pane within its body; `open` where details are shown.
pub fn activity(body: Rect, open: bool) -> ActivityAreas {
    let details = if open { (body.height / 2).max(body.height.min(4)) } else { 0 };
    let list = Rect { height: body.height - details, ..body };
    let header = Rect { height: list.height.min(1), ..list };
    let rows = Rect { y: list.y + header.height, height: list.height - header.height, ..list };
    ActivityAreas { header, rows, details: Rect { y: list.bottom(), height: details, ..body } }
}

/// Where the text of the details lies: below their rule.
pub fn details_text(details: Rect) -> Rect {
    Rect {
        x: details.x + 2.min(details.width),
        y: details.y + details.height.min(1),
        width: details.width.saturating_sub(3),
        height: details.height.saturating_sub(1),
    }
}

/// From this width on all three parts of the Messaging pane stand side by side.
const THREE_FROM: u16 = 100;
/// Below this size there is room for one of them.
const PARTS_FROM: Size = Size { width: 60, height: 10 };

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
    /// The senders.
    pub senders: PartAreas,
    /// The templates of one of them.
    pub templates: PartAreas,
    /// The watched recipients.
    pub windows: PartAreas,
    /// The text of the selected template, below a line; without a height where it does not fit.
    pub preview: Rect,
}

impl MessagingAreas {
    /// The areas of a part.
    pub fn part(&self, part: Part) -> PartAreas {
        match part {
            Part::Senders => self.senders,
            Part::Templates => self.templates,
            Part::Windows => self.windows,
        }
    }
}

/// The areas of the Messaging pane within its body; `focus` is the part that has the keys. Where there is no room for
/// three, senders and templates share a place; where there is room for one, it is the focus.
pub fn messaging(body: Rect, focus: Part) -> MessagingAreas {
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
        _ if width < THREE_FROM => (0, width * 17 / 40, width - width * 17 / 40),
        _ => {
            let (senders, windows) = (22 + (width - THREE_FROM).min(60) / 10, (width * 21 / 50).min(72));
            (senders, width - senders - windows, windows)
        }
    };
    MessagingAreas {
        senders: part(0, senders),
        templates: part(senders, templates),
        windows: part(senders + templates, windows),
        preview: Rect { y: above.bottom(), height: preview, ..body },
    }
}

/// A rectangle of at most this size in the middle of another.
pub fn centred(outer: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(outer.width), height.min(outer.height));
    Rect { x: outer.x + (outer.width - width) / 2, y: outer.y + (outer.height - height) / 2, width, height }
}

/// The tabs of the tab line, as (pane's place in the list, first column, width).
pub fn tabs(titles: impl IntoIterator<Item = usize>) -> impl Iterator<Item = (usize, u16, u16)> {
    let mut x: u16 = 1;
    titles.into_iter().enumerate().map(move |(at, width)| {
        let (start, width) = (x, u16::try_from(width).unwrap_or(u16::MAX));
        x = x.saturating_add(width).saturating_add(2);
        (at, start, width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn every_area_lies_on_the_screen(width in 0u16..250, height in 0u16..80, open: bool) {
            let screen = Rect::new(0, 0, width, height);
            let areas = areas(Size { width, height });
            let pane = conversations(areas.body, open);
            let log = activity(areas.body, open);
            for area in [areas.title, areas.tabs, areas.rule, areas.body, areas.notice, areas.bottom,
                         pane.status, pane.header, pane.rows, pane.inspector, log.header, log.rows, log.details,
                         details_text(log.details)] {
                prop_assert!(area.is_empty() || area.intersection(screen) == area, "{area:?} on {screen:?}");
            }
            prop_assert!(pane.rows.intersection(pane.inspector).is_empty());
            for focus in Part::ALL {
                let desk = messaging(areas.body, focus);
                let parts = Part::ALL.map(|part| desk.part(part));
                for area in parts.iter().flat_map(|part| [part.edge, part.title, part.rows]).chain([desk.preview]) {
                    prop_assert!(area.is_empty() || area.intersection(screen) == area, "{area:?} on {screen:?}");
                }
                prop_assert_eq!(desk.part(focus).rows.is_empty(), width == 0 || areas.body.height < 2);
                for (one, other) in [(0, 1), (1, 2), (0, 2)] {
                    prop_assert!(parts[one].rows.intersection(parts[other].rows).is_empty());
                }
            }
        }
    }

    #[test]
    fn eighty_columns_show_the_whole_frame() {
        let areas = areas(Size { width: 80, height: 24 });
        assert_eq!(areas.frame, Frame::Full);
        assert_eq!(conversations(areas.body, false).rows.height, 17);
    }
}
