//! The senders: the number in one line, status and name in the next.

use super::super::{Messaging, MessagingSender, Part, format};
use crate::api::SenderStatus;
use crate::ui::prelude::*;
use crate::ui::widgets::table::draw_rows;

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let (rows, list, focused) = (&pane.data.senders, pane.list(Part::Senders), pane.focus == Part::Senders);
    draw_rows(list, Part::Senders.lines(), focused, view, area, buffer, |buffer, line, shown| {
        let Some(sender) = rows.get(shown.row) else { return };
        let (sign, state, style) = status(pane, sender, view);
        let room = usize::from(line.width).saturating_sub(2);
        buffer.set_stringn(line.x, line.y, sign, line.width.into(), style);
        let about = format::sender_about(&state, sender, glyphs.dot);
        let texts = [(format::sender(sender), Style::new()), (about, theme.dim)];
        for (y, (text, style)) in (line.y..area.bottom()).zip(texts) {
            buffer.set_stringn(line.x + 2.min(line.width), y, fit(&text, room, glyphs.ellipsis), room, style);
        }
    });
}

/// Whether a sender can send: sign, words, and the style of the sign.
fn status(pane: &Messaging, sender: &MessagingSender, view: &View<'_>) -> (&'static str, String, Style) {
    let Options { theme, glyphs, .. } = view.options;
    let remote = pane.data.templates.get(&sender.id);
    match (&sender.status, remote.and_then(|remote| remote.failure())) {
        (Some(SenderStatus::Online), _) => (glyphs.full, "online".to_owned(), theme.good),
        (Some(SenderStatus::Offline), _) => (glyphs.hollow, "offline".to_owned(), theme.dim),
        (Some(other), _) => (glyphs.hollow, clean(other.as_str()).into_owned(), theme.dim),
        (None, Some(failure)) => (glyphs.cross, format::why(failure), theme.failed),
        (None, None) if remote.is_some_and(|remote| remote.value().is_some()) => {
            (glyphs.half, "status unknown".to_owned(), theme.dim)
        }
        (None, None) => (glyphs.half, "loading".to_owned(), theme.dim),
    }
}
