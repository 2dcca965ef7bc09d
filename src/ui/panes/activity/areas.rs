//! Where the parts of the pane lie, from its body alone.

use ratatui::layout::Rect;

/// The areas of the Activity pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivityAreas {
    /// What is listed, and how long it took.
    pub status: Rect,
    /// The table of requests with its header.
    pub list: Rect,
    /// The details of one, below a rule; without a height where they are not shown.
    pub details: Rect,
}

/// The areas within the pane's body; `open` where details are shown.
pub fn of(body: Rect, open: bool) -> ActivityAreas {
    let status = Rect { height: body.height.min(1), ..body };
    let below = Rect { y: status.bottom(), height: body.height - status.height, ..body };
    let details = if open { (below.height * 3 / 5).max(below.height.min(4)) } else { 0 };
    let list = Rect { height: below.height - details, ..below };
    ActivityAreas { status, list, details: Rect { y: list.bottom(), height: details, ..below } }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_lie_in_the_body(width in 0u16..250, height in 0u16..80, open: bool) {
            let body = Rect::new(0, 3, width, height);
            let log = of(body, open);
            for area in [log.status, log.list, log.details, details_text(log.details)] {
                prop_assert!(area.is_empty() || area.intersection(body) == area, "{area:?} in {body:?}");
            }
        }
    }
}
