//! The foot of what is read: the line of a reply, or what became of the last one.

use super::super::Conversations;
use super::super::reading::window;
use super::line::below_rule;
use crate::ui::prelude::*;
use crate::ui::widgets::put_cut;

impl Conversations {
    /// What is held, on its way, or half-written in the conversation on screen: a word, and its text.
    pub(super) fn foot_words(&self, data: &Data) -> Option<(&'static str, &str)> {
        let row = self.shown_row()?;
        if let Some(reply) = row.id.known().and_then(|id| self.replies.sent_to(id)) {
            return Some((if reply.left.is_some() { "sending" } else { "held" }, &reply.text));
        }
        let draft = self.replies.draft(&window::key(row, data)?)?;
        Some(("draft", draft.message.as_deref()?))
    }
}

/// Draws the foot and returns where the cursor is.
pub fn draw(pane: &Conversations, view: &View<'_>, foot: Rect, buffer: &mut Buffer) -> Option<Position> {
    if foot.is_empty() {
        return None;
    }
    let Options { theme, glyphs, .. } = view.options;
    rule(buffer, Rect { height: 1, ..foot }, glyphs.horizontal, theme.dim);
    let area = below_rule(foot);
    if let Some(line) = &pane.replies.line {
        return line.form.draw(view, area, buffer).filter(|_| pane.inspecting);
    }
    let (word, text) = pane.foot_words(view.data)?;
    let text = text.lines().next().unwrap_or_default();
    let line = Line::from(vec![
        Span::styled(format!("{} {word}  ", glyphs.half), theme.warning),
        Span::styled(clean(text).into_owned(), theme.dim),
    ]);
    put_cut(buffer, area, &line, glyphs.ellipsis);
    None
}
