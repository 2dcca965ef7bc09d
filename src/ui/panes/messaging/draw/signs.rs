//! The signs of windows and senders, explained in the help.

use crate::ui::prelude::*;

/// What each sign means, the most urgent first.
pub fn signs(options: &Options) -> Vec<Sign> {
    let Options { theme, glyphs, .. } = options;
    let sign = |glyph, style, says| Sign { glyph, style, says };
    vec![
        sign(glyphs.alert, theme.failed, "the window closes within 10 minutes"),
        sign(glyphs.half, theme.warning, "the window closes within the hour"),
        sign(glyphs.full, Style::new(), "the window is open for at least one more hour"),
        sign(glyphs.full, theme.good, "the window is open for at least four more hours; a sender is online"),
        sign(
            glyphs.hollow,
            theme.dim,
            "the window has expired, so that only a template can be sent; a sender is offline",
        ),
        sign(glyphs.none, theme.dim, "there is no window yet: a template opens one"),
        sign(glyphs.half, theme.dim, "the server does not tell whether the sender is online"),
        sign(glyphs.dot, theme.dim, "the window is being loaded"),
        sign(glyphs.cross, theme.failed, "the window, or the sender, could not be loaded"),
    ]
}
