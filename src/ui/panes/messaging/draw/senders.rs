//! The senders: the number in one line, status and name in the next.

use super::super::{Messaging, MessagingSender, Part, format};
use super::View;
use super::state::below_senders;
use crate::api::SenderStatus;
use crate::ui::options::Options;
use crate::ui::panes::messaging::replies::{UNKNOWN_SENDER, is_unknown_sender};
use crate::ui::panes::messaging::senders::LINES;
use crate::ui::text::{clean, fit};
use crate::ui::widgets::table::draw_rows;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

pub fn draw(pane: &Messaging, view: &View<'_>, buffer: &mut Buffer, area: Rect) {
    let Options { theme, glyphs, .. } = view.options;
    let rows = &pane.known.senders;
    draw_rows(&pane.senders.list, LINES, pane.focus == Part::Senders, view, area, buffer, |buffer, line, shown| {
        let Some(sender) = rows.get(shown.row) else { return };
        let (sign, state, style) = status(pane, sender, view);
        let width = usize::from(line.width);
        buffer.set_stringn(line.x, line.y, sign, width, style);
        let name = sender.name.as_deref().filter(|name| Some(*name) != sender.phone.as_deref());
        let name = name.map(|name| format!(" {} {}", glyphs.dot, clean(name))).unwrap_or_default();
        let texts = [(format::sender(sender), Style::new()), (format!("{state}{name}"), theme.dim)];
        for (y, (text, style)) in (line.y..area.bottom()).zip(texts) {
            let room = width.saturating_sub(2);
            buffer.set_stringn(line.x + 2.min(line.width), y, fit(&text, room, glyphs.ellipsis), room, style);
        }
    });
    let used = u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_mul(LINES).saturating_add(1);
    if let Some(missing) = below_senders(pane, view).filter(|_| used < area.height) {
        missing.draw(&[], view, Rect { y: area.y + used, height: area.height - used, ..area }, buffer);
    }
}

/// Whether a sender can send: sign, words, and the style of the sign.
fn status(pane: &Messaging, sender: &MessagingSender, view: &View<'_>) -> (&'static str, String, Style) {
    let Options { theme, glyphs, .. } = view.options;
    let remote = pane.known.templates.get(&sender.id);
    match (&sender.status, remote.and_then(|remote| remote.failure())) {
        (Some(SenderStatus::Online), _) => (glyphs.full, "online".to_owned(), theme.good),
        (Some(SenderStatus::Offline), _) => (glyphs.hollow, "offline".to_owned(), theme.dim),
        (Some(other), _) => (glyphs.hollow, clean(other.as_str()).into_owned(), theme.dim),
        (None, Some(failure)) if is_unknown_sender(failure) => (glyphs.cross, UNKNOWN_SENDER.to_owned(), theme.failed),
        (None, Some(failure)) => (glyphs.cross, crate::ui::panes::explain(failure), theme.failed),
        (None, None) if remote.is_some_and(|remote| remote.value().is_some()) => {
            (glyphs.half, "status unknown".to_owned(), theme.dim)
        }
        (None, None) => (glyphs.half, "loading".to_owned(), theme.dim),
    }
}
