//! The senders: each a number in one line, and what it is in the next.

use super::super::areas::PartAreas;
use super::super::senders::{Listing, ROWS};
use super::super::{KnownSender, Messaging, Part, words};
use super::{View, mark, placeholders, say, title};
use crate::api::SenderStatus;
use crate::ui::layout;
use crate::ui::options::Options;
use crate::ui::text::{clean, count, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: PartAreas) -> Option<Position> {
    let Options { theme, glyphs, .. } = view.options;
    title(pane, view, buffer, (Part::Senders, area), "SENDERS", Span::raw(""));
    let list = &pane.known.senders;
    if list.is_empty() {
        none(pane, view, buffer, area.rows);
        return None;
    }
    let rows = area.rows;
    let height = usize::from(rows.height.div_ceil(ROWS));
    for (row, (at, sender)) in list.iter().enumerate().skip(pane.senders.cursor.offset).take(height).enumerate() {
        let y = rows.y + u16::try_from(row).unwrap_or(u16::MAX).saturating_mul(ROWS);
        let line = Rect { y, height: 1, ..rows };
        let style = mark(pane, view, buffer, Part::Senders, line, at == pane.senders.cursor.at);
        let inner = layout::list_row(line);
        let (sign, state, state_style) = status(pane, sender, view);
        buffer.set_stringn(inner.x, y, sign, usize::from(inner.width), state_style);
        let name = Rect { x: inner.x + 2.min(inner.width), width: inner.width.saturating_sub(2), ..inner };
        let number = words::sender(sender);
        let number = fit(&number, usize::from(name.width), glyphs.ellipsis);
        buffer.set_stringn(name.x, y, number, usize::from(name.width), style);
        if y + 1 < rows.bottom() {
            let name_of = sender.name.as_deref().filter(|name| Some(*name) != sender.phone.as_deref());
            let called = name_of.map(|name| format!(" {} {}", glyphs.dot, clean(name)));
            let said = format!("{state}{}", called.unwrap_or_default());
            let said = fit(&said, usize::from(name.width), glyphs.ellipsis);
            buffer.set_stringn(name.x, y + 1, said, usize::from(name.width), theme.dim);
        }
    }
    // Below the last one: what is missing, and what to do about it.
    let used = u16::try_from(list.len().saturating_sub(pane.senders.cursor.offset)).unwrap_or(u16::MAX);
    let used = used.saturating_mul(ROWS).saturating_add(1);
    if pane.senders.listing == Listing::Unlisted && used < rows.height {
        let below = Rect { y: rows.y + used, height: rows.height - used, ..rows };
        let why = "This server does not list its senders; a adds one by its number.".to_owned();
        say(buffer, below, &[(why, theme.dim)]);
    } else if used < rows.height {
        let below = Rect { y: rows.y + used, height: rows.height - used, ..rows };
        say(buffer, below, &unreadable(pane, view));
    }
    None
}

/// How many rows of the list could not be read, and why the first one could not; nothing where all could.
fn unreadable(pane: &Messaging, view: &View<'_>) -> Vec<(String, Style)> {
    let Options { theme, glyphs, .. } = view.options;
    let Some(first) = pane.senders.unreadable.first() else { return Vec::new() };
    let rows = count(pane.senders.unreadable.len() as u64, "row", "rows");
    vec![(format!("{} {rows} could not be read.", glyphs.cross), theme.failed), (clean(first).into_owned(), theme.dim)]
}

/// What there is to tell where there is no sender.
pub fn none(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, rows: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let said = |text: &str, style: Style| (text.to_owned(), style);
    match &pane.senders.listing {
        Listing::Waiting => match view.unconnected() {
            Some(reason) => say(buffer, rows, &[said(reason, theme.dim)]),
            None => placeholders(view, buffer, rows, pane.senders.since, &[16, 12, 16, 9]),
        },
        Listing::Listed if !pane.senders.unreadable.is_empty() => say(buffer, rows, &unreadable(pane, view)),
        Listing::Listed => say(
            buffer,
            rows,
            &[said("There are no senders.", theme.strong), said("They are set up on the platform.", theme.dim)],
        ),
        Listing::Unlisted => say(
            buffer,
            rows,
            &[
                said("This server does not list its senders.", theme.strong),
                said("Add those you use by their numbers: Tab to the senders, then a.", theme.dim),
            ],
        ),
        Listing::Failed(why) => say(
            buffer,
            rows,
            &[
                (format!("{} The senders cannot be listed:", glyphs.cross), theme.failed),
                (format!("{}.", clean(why)), Style::new()),
                said("r tries again.", theme.dim),
            ],
        ),
    }
}

/// Whether a sender can send, as a sign, in words, and how the sign looks.
fn status(pane: &Messaging, sender: &KnownSender, view: &View<'_>) -> (&'static str, String, Style) {
    let Options { theme, glyphs, .. } = view.options;
    let fault = pane.templates.shelves.get(&sender.id).and_then(|shelf| shelf.fault.as_deref());
    match (&sender.status, fault) {
        (Some(SenderStatus::Online), _) => (glyphs.full, "online".to_owned(), theme.good),
        (Some(SenderStatus::Offline), _) => (glyphs.hollow, "offline".to_owned(), theme.dim),
        (Some(other), _) => (glyphs.hollow, clean(other.as_str()).into_owned(), theme.dim),
        (None, Some(fault)) => (glyphs.cross, clean(fault).into_owned(), theme.failed),
        (None, None) if pane.known.templates.contains_key(&sender.id) => {
            (glyphs.full, "has templates".to_owned(), theme.dim)
        }
        (None, None) => (glyphs.half, "being looked up".to_owned(), theme.dim),
    }
}
