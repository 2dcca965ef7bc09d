//! Where everything lies, from the size alone: the same answer for drawing, for the mouse and for page keys.

use ratatui::layout::{Rect, Size};

/// From this height on a body has room for an empty line.
pub const AIRY: u16 = 25;
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
    let fits = |least: Size| width >= least.width && height >= least.height;
    let (frame, above, below) = match (fits(TOO_SMALL), fits(SMALL)) {
        (false, _) => (Frame::TooSmall, 0, 0),
        (true, false) => (Frame::Small, 0, 2),
        (true, true) => (Frame::Full, 3, 2),
    };
    let line = |y: u16, lines: u16| Rect::new(0, y, width, lines.min(1));
    let (title, tabs, rule) = (line(0, above), line(1, above), line(2, above));
    let (notice, bottom) = (line(height.saturating_sub(2), below), line(height.saturating_sub(1), below));
    let body = Rect::new(0, above, width, height - above - below);
    Areas { frame, title, tabs, rule, body, notice, bottom }
}

/// From this width on an inspector stands beside its list.
const INSPECTOR_FROM: u16 = 96;

/// The areas of a list with its title, and of its inspector; on a narrow screen the focused one has all.
pub fn list_and_inspector(body: Rect, inspecting: bool) -> [Rect; 2] {
    let none = Rect { width: 0, height: 0, ..body };
    if body.width < INSPECTOR_FROM {
        return if inspecting { [none, body] } else { [body, none] };
    }
    let wide = body.width / 2;
    let list = Rect { width: body.width - wide, ..body };
    [list, Rect { x: list.right(), width: wide, ..body }]
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

/// A rectangle of at most this size in the middle of another.
pub fn centred(outer: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(outer.width), height.min(outer.height));
    Rect { x: outer.x + (outer.width - width) / 2, y: outer.y + (outer.height - height) / 2, width, height }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_lie_on_the_screen(width in 0u16..250, height in 0u16..80) {
            let screen = Rect::new(0, 0, width, height);
            let areas = areas(Size { width, height });
            for area in [areas.title, areas.tabs, areas.rule, areas.body, areas.notice, areas.bottom] {
                prop_assert!(area.is_empty() || area.intersection(screen) == area, "{area:?} on {screen:?}");
            }
        }
    }

    #[test]
    fn eighty_columns_show_the_whole_frame() {
        let areas = areas(Size { width: 80, height: 24 });
        assert_eq!((areas.frame, areas.body.height), (Frame::Full, 19));
    }
}
