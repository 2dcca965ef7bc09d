//! The parts of a pane by name: in a line above what they hold, or below each other beside it.

use super::{put, put_right};
use crate::ui::pane::View;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// From this width on the parts stand beside their list, in so many columns.
const BESIDE_FROM: u16 = 100;
const COLUMNS: u16 = 20;

/// The areas of the parts and of what they hold.
pub fn areas(body: Rect) -> (Rect, Rect) {
    let beside = body.width >= BESIDE_FROM;
    let (across, down) = if beside { (COLUMNS, 0) } else { (0, body.height.min(1)) };
    let tabs = if beside { Rect { width: COLUMNS, ..body } } else { Rect { height: down, ..body } };
    let (x, y) = (body.x + across, body.y + down);
    (tabs, Rect { x, y, width: body.width - across, height: body.height - down })
}

/// Where each title lies.
fn places(titles: &[&str], area: Rect) -> impl Iterator<Item = Rect> {
    let (mut x, mut y, beside) = (area.x + 2, area.y, area.height > 1);
    titles.iter().map(move |title| {
        let width = u16::try_from(title.len()).unwrap_or(0);
        let place = Rect { x, y, width: if beside { area.width.saturating_sub(3) } else { width }, height: 1 };
        if beside {
            y += 1;
        } else {
            x += width + 2;
        }
        place.intersection(area)
    })
}

/// The part whose title lies at this cell of the body.
pub fn at(titles: &[&str], cell: Position, body: Rect) -> Option<usize> {
    places(titles, areas(body).0).position(|place| place.contains(cell))
}

/// Draws the titles, the chosen one in the accent; beside their list each with its count.
pub fn draw(titles: &[&str], chosen: usize, counts: &[usize], view: &View<'_>, buffer: &mut Buffer) {
    let (theme, area) = (&view.options.theme, areas(view.body).0);
    for (at, (title, place)) in titles.iter().zip(places(titles, area)).enumerate() {
        let style = if at == chosen { theme.accent } else { theme.dim };
        put(buffer, place, &Line::from(Span::styled(*title, style)));
        if let Some(count) = counts.get(at).filter(|count| area.height > 1 && **count > 0) {
            put_right(buffer, place, &Line::from(Span::styled(count.to_string(), theme.dim)));
        }
    }
}
