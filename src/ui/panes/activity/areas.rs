//! Where the parts of the pane lie, from its body alone.

use ratatui::layout::Rect;

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
pub fn of(body: Rect, open: bool) -> ActivityAreas {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_lie_in_the_body(width in 0u16..250, height in 0u16..80, open: bool) {
            let body = Rect::new(0, 3, width, height);
            let log = of(body, open);
            for area in [log.header, log.rows, log.details, details_text(log.details)] {
                prop_assert!(area.is_empty() || area.intersection(body) == area, "{area:?} in {body:?}");
            }
        }
    }
}
